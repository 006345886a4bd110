/* regs.h - the registers of a thread, or of a caller, as far as they are known. */
#ifndef UNWIND_REGS_H
#define UNWIND_REGS_H

#include "obj/dwarf/cfi.h"

struct unwind_regs {
	uint64_t pc;
	uint64_t v[CFI_REGS];      /* indexed by DWARF register numbers */
	uint64_t known;            /* mask of registers with a known value */
	bool sp_is_least;          /* the value of the stack pointer is only a lower bound */
};

static_assert(CFI_REGS <= 64, "bits of unwind_regs.known");

static inline bool unwind_reg(const struct unwind_regs *r, uint64_t reg, uint64_t *v)
{
	if (reg >= CFI_REGS || !(r->known & 1ULL << reg))
		return false;
	*v = r->v[reg];
	return true;
}

static inline void unwind_reg_set(struct unwind_regs *r, unsigned reg, uint64_t v)
{
	r->v[reg] = v;
	r->known |= 1ULL << reg;
}

#endif
