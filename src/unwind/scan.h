/*
 * scan.h - rules of a function that has none: worked out from its code, as far as it moves the stack pointer by fixed
 * amounts. The last resort, for stripped code without unwind tables; what follows from it is marked (UNWIND_SCAN).
 */
#ifndef UNWIND_SCAN_H
#define UNWIND_SCAN_H

#include "arch/arch.h"
#include "obj/dwarf/cfi.h"

struct scan_code {
	const uint8_t *p;          /* bytes from here on ... */
	size_t before, after;      /* ... up to the place that is meant, and behind it */
	bool is_function;          /* p is where the function begins; else it begins somewhere before the place */
};

/* DWARF's numbers. */
struct scan_regs {
	unsigned sp, lr;
};

/* The rules at the place. False: it has not saved the return address there, or nobody can tell. */
bool scan_row(const struct arch *arch, const struct scan_code *c, struct scan_regs regs, struct cfi_row *row);

#endif
