/*
 * scan.h - derive unwinding rules from a function's instructions, if it changes the stack pointer by constants only.
 * The last resort, for stripped code without unwind tables; frames found so are marked (UNWIND_SCAN).
 */
#ifndef UNWIND_SCAN_H
#define UNWIND_SCAN_H

#include "arch/arch.h"
#include "obj/dwarf/cfi.h"

struct scan_code {
	const uint8_t *p;          /* start of the bytes */
	size_t before, after;      /* number of bytes before the pc, and from the pc on */
	bool is_function;          /* p is the start of the function; else the start is unknown, before the pc */
};

/* DWARF register numbers. */
struct scan_regs {
	unsigned sp, lr;
};

/* The rules at the pc. False: the return address is not saved on the stack there, or that is unknown. */
bool scan_row(const struct arch *arch, const struct scan_code *c, struct scan_regs regs, struct cfi_row *row);

#endif
