/* loc.h - where a variable is at one address of its function: the part of DWARF's answers that a probe can fetch. */
#ifndef OBJ_DWARF_LOC_H
#define OBJ_DWARF_LOC_H

#include "base/base.h"

enum loc_kind {
	LOC_GONE,       /* optimised out, or told in a way that a probe cannot follow: see why */
	LOC_REG,        /* in register reg */
	LOC_MEM,        /* in memory at reg + off */
	LOC_ADDR,       /* in memory at the file's address off */
	LOC_VALUE,      /* nowhere: its value is reg + off */
	LOC_CONST,      /* nowhere: its value is off */
	LOC_PIECES,     /* its parts are in several places */
};

enum { LOC_DEREFS = 4, LOC_PIECES_MAX = 8 };

/* A part of a variable: what no piece has is not there. */
struct loc_piece {
	uint64_t at, size;      /* bytes of the variable */
	enum loc_kind kind;     /* all but LOC_PIECES, and without derefs */
	unsigned reg, shift;
	int64_t off;
	const char *why;
};

struct loc {
	enum loc_kind kind;
	unsigned reg;           /* DWARF number, see arch_reg_by_dwarf */
	int64_t off;
	/*
	 * Before it is used, the address (LOC_MEM, LOC_ADDR) is loaded from memory n_derefs times, and deref[i] added
	 * after each time.
	 */
	unsigned n_derefs;
	int64_t deref[LOC_DEREFS];
	const char *why;        /* of LOC_GONE: "optimised out here", "thread local", ... */
	unsigned shift;         /* of LOC_VALUE: it begins at this bit of the value */
	unsigned n_pieces;      /* of LOC_PIECES: in their order */
	struct loc_piece piece[LOC_PIECES_MAX];
};

#endif
