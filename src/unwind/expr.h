/* expr.h - evaluate DWARF expressions in call frame information with the registers and the memory of a thread. */
#ifndef UNWIND_EXPR_H
#define UNWIND_EXPR_H

#include "obj/dwarf/cfi.h"

struct unwind_regs;

struct unwind_expr {
	struct sv code;
	unsigned addr_size;              /* of the file: 8 or 4 */
	bool swap;                       /* the file has the other byte order */
	uint64_t bias;                   /* run-time address - address in the file */
	const struct unwind_regs *regs;
	bool (*read)(void *arg, uint64_t addr, uint64_t *v);   /* 8 bytes of memory */
	void *arg;
	const uint64_t *cfa;             /* for a register's rule: the initial stack entry; NULL for that of the CFA */
};

enum unwind_expr_end {
	UNWIND_EXPR_DONE,
	UNWIND_EXPR_NO_MEMORY,           /* memory or a register that it needs is not available */
	UNWIND_EXPR_BROKEN,              /* it is invalid, has operations not allowed here, or does not end */
};

enum unwind_expr_end unwind_expr(const struct unwind_expr *x, uint64_t *v);

#endif
