/*
 * spec.h - printf conversions as the kernel's vsnprintf has them: parsed once, then numbers and strings laid out
 * by them.
 */
#ifndef TRACEFS_PRINT_SPEC_H
#define TRACEFS_PRINT_SPEC_H

#include "base/fmt.h"

enum { TSPEC_WIDTH_MAX = 1024 };

struct tspec {
	char conv;          /* d i u x X o c s p % */
	uint8_t len;        /* bytes of the argument: 1, 2, 4, 8 */
	bool left, zero, plus, space, alt;
	bool star_width, star_prec;   /* width and precision come from arguments */
	int16_t width;      /* 0 none */
	int16_t prec;       /* -1 none */
	char ext[12];       /* letters after p */
};

/*
 * Parse at the character after '%'; returns the number of characters taken, 0 when it is no conversion that is
 * known.
 */
size_t tspec_parse(struct tspec *s, struct sv text, uint8_t long_size);

/* Set the width or precision from the value of an argument. */
void tspec_width(struct tspec *s, int64_t v);
void tspec_prec(struct tspec *s, int64_t v);

/* Format a number by conv d i u x X o c. */
void tspec_number(const struct tspec *s, uint64_t v, struct out *o);

/* Text cut to the precision and padded to the width. */
void tspec_text(const struct tspec *s, struct sv text, struct out *o);

#endif
