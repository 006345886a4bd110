/*
 * gofunc.h - functions of a Go program, from its own table (pclntab), which strip leaves in place: Go 1.2 to the newest
 * known layout (1.20). Names as Go writes them: "main.(*T).Method".
 */
#ifndef OBJ_GO_GOFUNC_H
#define OBJ_GO_GOFUNC_H

#include "obj/elf/elf.h"

struct gofuncs {
	const struct elf *file;
	struct cursor table;     /* the pclntab */
	uint64_t text;           /* address that functions' offsets are relative to */
	size_t n;
	unsigned layout;         /* of the table, private */
};

/* -ENODATA: no Go program, or no table that is known. Borrows the file. */
int gofuncs_init(struct gofuncs *g, const struct elf *f, struct err *e);

struct gofunc {
	uint64_t start, end;
	const char *name;        /* borrowed */
};
bool gofuncs_get(const struct gofuncs *g, size_t i, struct gofunc *f);   /* false: damaged, or no such one */

/* The one that has pc. */
bool gofuncs_find(const struct gofuncs *g, uint64_t pc, struct gofunc *f);

/* Source file and line of pc: 1, 0: not told. file is borrowed. */
int gofuncs_line(const struct gofuncs *g, uint64_t pc, const char **file, unsigned *line);

/* A function's frame at pc: Go's own unwinder goes by it, and it is there when all debug information was left out. */
struct gofunc_frame {
	uint64_t start;          /* of the function */
	uint32_t depth;          /* bytes that the stack pointer is below where it was at the function's start */
	bool is_outermost;       /* goroutines and threads begin there; told since 1.18 */
};

enum { GOFUNC_DEPTH_MAX = 1 << 30 };

/* False: nothing tells. */
bool gofuncs_frame(const struct gofuncs *g, uint64_t pc, struct gofunc_frame *frame);

#endif
