/* sample_text.h - pieces of samples as perf writes them, for lines of script and for dumps. */
#ifndef CMD_SAMPLE_TEXT_H
#define CMD_SAMPLE_TEXT_H

#include "arch/arch.h"
#include "base/fmt.h"
#include "perf/branch.h"

/* "4K", "2M"; 1 MiB is "1024K", as in perf; "N/A" for 0. */
void sample_page_size(uint64_t size, struct out *o);

/* Iterates over the registers of a sample in the order of the bits of perf's mask; handles foreign byte order. */
struct sample_regs {
	const struct sample_layout *l;
	struct bytes values;
	uint64_t left;           /* bits of the mask that are still to come; at first the whole mask */
	const struct arch *arch;
	char name[16];           /* of the register returned last: "AX", "x21" */
	uint64_t value;          /* and what it holds */
};

bool sample_regs_next(struct sample_regs *r);   /* false: no register is left */

/* A hex dump in the layout of perf's. A byte that is not printable ASCII is shown as a dot. */
struct sample_bytes {
	unsigned width;                   /* bytes in a line */
	const char *first, *front, *gap;  /* printed before the first line; before the others; after "0010:" */
};
void sample_bytes_put(const struct sample_bytes *how, struct bytes b, struct out *o);

#endif
