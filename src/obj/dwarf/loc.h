/* loc.h - the location of a variable at one address of its function, as far as a probe can fetch it. */
#ifndef OBJ_DWARF_LOC_H
#define OBJ_DWARF_LOC_H

#include "base/base.h"

enum loc_kind {
	LOC_GONE,       /* optimised out, or described in a way that a probe cannot follow: see why */
	LOC_REG,        /* in register reg */
	LOC_MEM,        /* in memory at reg + off */
	LOC_ADDR,       /* in memory at the file's address off */
	LOC_VALUE,      /* not stored: its value is reg + off */
	LOC_CONST,      /* not stored: its value is off */
	LOC_PIECES,     /* its parts are in several places */
};

enum { LOC_DEREFS = 4, LOC_PIECES_MAX = 8 };

/* A part of a variable; parts without a piece are lost. */
struct loc_piece {
	uint64_t at, size;      /* its bytes in the variable */
	enum loc_kind kind;     /* any but LOC_PIECES, without derefs */
	unsigned reg, shift;
	int64_t off;
	const char *why;
};

struct loc {
	enum loc_kind kind;
	unsigned reg;           /* DWARF number, see arch_reg_by_dwarf */
	int64_t off;
	/*
	 * Before use the address (LOC_MEM, LOC_ADDR) is loaded from memory n_derefs times, and deref[i] is added each
	 * time.
	 */
	unsigned n_derefs;
	int64_t deref[LOC_DEREFS];
	const char *why;        /* of LOC_GONE: "optimised out here", "thread local", ... */
	unsigned shift;         /* of LOC_VALUE: the variable begins at this bit of the value */
	unsigned n_pieces;      /* of LOC_PIECES: in the order of the variable's bytes */
	struct loc_piece piece[LOC_PIECES_MAX];
};

#endif
