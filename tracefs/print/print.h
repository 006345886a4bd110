/*
 * print.h - the text of a trace event: its "print fmt" compiled once, then a raw record rendered many times.
 *
 * What cannot be computed outside of the kernel (its functions, unknown types) makes the whole event print as
 * "field=value field=value"; a value that depends on a kernel variable prints as "?". Both are told by tprint_state()
 * and tprint_reason(); no record is ever dropped.
 */
#ifndef TRACEFS_PRINT_PRINT_H
#define TRACEFS_PRINT_PRINT_H

#include "base/fmt.h"
#include "tracefs/format/format.h"

struct tprint;

struct tprint_symbol {
	const char *name;        /* borrowed until the next call */
	const char *module;      /* or NULL */
	uint64_t offset, size;   /* of the address in the symbol; the symbol's bytes, 0 unknown */
};

/* How addresses get names. Each callback may be NULL. */
struct tprint_names {
	void *arg;
	bool (*symbol)(void *arg, uint64_t addr, struct tprint_symbol *s);
	const char *(*string)(void *arg, uint64_t addr);   /* text at a kernel address (printk_formats), or NULL */
	bool bare;   /* a plain %p as the kernel has it: all digits, no 0x */
};

enum tprint_state {
	TPRINT_WHOLE,     /* everything is understood */
	TPRINT_PARTLY,    /* some values print as "?" */
	TPRINT_FIELDS,    /* the print fmt is not usable: fields are printed */
};

/* Compile. `f` and the arena must outlive the result. NULL: no memory. A bad print fmt is a state, not an error. */
struct tprint *tprint_new(const struct tfmt *f, struct arena *a);

enum tprint_state tprint_state(const struct tprint *p);

/* Why the state is not WHOLE, else "". */
const char *tprint_reason(const struct tprint *p);

/* May its text have names of functions? Else nobody asks the callback `symbol`. */
bool tprint_asks_names(const struct tprint *p);

/* The text of a record of n bytes; names may be NULL. No newline at the end. */
void tprint_record(const struct tprint *p, const struct tprint_names *names, const void *raw, size_t n, struct out *o);

/* Where a field's value stands in the text: "name=value" between spaces. at 0: it does not. */
struct tprint_part {
	uint32_t piece, at;
	char conv;   /* what the value begins with, as 'd' of "name=%d"; 0: text of the print fmt's own */
};
struct tprint_part tprint_part_of(const struct tprint *p, const char *field);

/* That value alone. Spaces in it are kept: it ends at the print fmt's own. */
void tprint_part_record(const struct tprint *p, struct tprint_part at, const struct tprint_names *names,
			const void *raw, size_t n, struct out *o);

/* All fields but the common ones, " a=1 b=0x2": each as the print fmt shows it where that shows it as it is. */
void tprint_raw(const struct tprint *p, const struct tprint_names *names, const void *raw, size_t n, struct out *o);

/*
 * All fields but the common ones, " a=1 b=0x2" without the first space: for raw output, and for what has no usable
 * print fmt.
 */
void tprint_fields(const struct tfmt *f, const void *raw, size_t n, struct out *o);

/* One field's value as above, without its name. */
void tprint_field(const struct tfield *f, const void *raw, size_t n, struct out *o);

#endif
