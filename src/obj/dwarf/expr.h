/*
 * dwarf_expr.h - symbolic evaluation of DWARF expressions without registers and memory: the result is for a probe to
 * fetch. Unknown values may have constants added, and be dereferenced; everything else ends as LOC_GONE with its
 * reason. Operations: DWARF 5 chapter 2.5, and GNU's.
 */
#ifndef OBJ_DWARF_EXPR_H
#define OBJ_DWARF_EXPR_H

#include "obj/dwarf/dwarf.h"

enum dwarf_expr_ask { DWARF_EXPR_FRAME_BASE, DWARF_EXPR_CFA };

struct dwarf_expr {
	const struct dwarf_unit *u;   /* the expression's unit */
	struct sv code;
	uint64_t size;                /* of the variable, 0: unknown */
	bool at_entry;                /* at the function's entry: entry values are still in their registers */
	/* Yields an address: LOC_VALUE, or LOC_ADDR with the loads that yield it, or LOC_GONE. */
	int (*ask)(void *arg, enum dwarf_expr_ask what, struct loc *loc, struct err *e);
	void *arg;
};

/* -EBADMSG: the expression is truncated or malformed. */
int dwarf_expr_eval(const struct dwarf_expr *x, struct loc *loc, struct err *e);

/* Turn a location into the address it denotes, that of a register into its content: for frame bases. */
void dwarf_expr_address(struct loc *loc);

/* Read a constant of n bytes in the file's byte order; false: too large. */
bool dwarf_expr_constant(const struct dwarf_unit *u, struct sv bytes, int64_t *v);

#endif
