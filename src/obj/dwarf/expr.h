/*
 * expr.h - DWARF's expressions, worked out as far as that goes while registers and memory are not known: what
 * comes out is for a probe to fetch. Arithmetic on what is not known is followed when constants are added, and through
 * pointers; everything else ends as LOC_GONE with its reason. Operations: DWARF 5 chapter 2.5, and GNU's.
 */
#ifndef OBJ_DWARF_EXPR_H
#define OBJ_DWARF_EXPR_H

#include "obj/dwarf/dwarf.h"

enum dwarf_expr_ask { DWARF_EXPR_FRAME_BASE, DWARF_EXPR_CFA };

struct dwarf_expr {
	const struct dwarf_unit *u;   /* the expression's unit */
	struct sv code;
	uint64_t size;                /* of the variable, 0: not known */
	bool at_entry;                /* the function has only just begun: its caller's values are in their registers */
	/* An address: LOC_VALUE or LOC_ADDR with what is loaded for it, or LOC_GONE. */
	int (*ask)(void *arg, enum dwarf_expr_ask what, struct loc *loc, struct err *e);
	void *arg;
};

/* -EBADMSG: the expression is cut, or makes no sense. */
int dwarf_expr_eval(const struct dwarf_expr *x, struct loc *loc, struct err *e);

/* The address that a location is at, of a register its contents: for frame bases. */
void dwarf_expr_address(struct loc *loc);

/* n bytes of a constant in this file's byte order; false: they are more than fit. */
bool dwarf_expr_constant(const struct dwarf_unit *u, struct sv bytes, int64_t *v);

#endif
