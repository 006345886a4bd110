/* sample_text.h - pieces of samples as perf writes them, for lines of script and for dumps. */
#ifndef CMD_SAMPLE_TEXT_H
#define CMD_SAMPLE_TEXT_H

#include "arch/arch.h"
#include "base/fmt.h"
#include "perf/branch.h"

/* "4K", "2M", "1024K"; of 0 "N/A". */
void sample_page_size(uint64_t size, struct out *o);

/* The registers of a sample, by their bits in a mask of perf's; of another byte order, too. */
struct sample_regs {
	const struct sample_layout *l;
	struct bytes values;
	uint64_t left;           /* bits that are still to come; the mask at first */
	const struct arch *arch;
	char name[16];           /* of the one that was given last: "AX", "x21" */
	uint64_t value;
};

bool sample_regs_next(struct sample_regs *r);   /* false: there is none left */

/* Lines of bytes, as perf's dumps have them. What is no letter of ASCII is a dot. */
struct sample_bytes {
	unsigned width;                   /* bytes in a line */
	const char *first, *front, *gap;  /* in front of the first line, of all others; behind "0010:" */
};
void sample_bytes_put(const struct sample_bytes *how, struct bytes b, struct out *o);

#endif
