/*
 * gofunc.h - functions of a Go program by its own table (pclntab), which strip does not remove: Go 1.2 up to the newest
 * known layout (1.20). Names as in Go: "main.(*T).Method".
 */
#ifndef OBJ_GO_GOFUNC_H
#define OBJ_GO_GOFUNC_H

#include "obj/elf/elf.h"

struct gofuncs {
	const struct elf *file;
	struct cursor table;     /* the pclntab */
	uint64_t text;           /* base address of functions' offsets */
	size_t n;
	unsigned layout;         /* of the table, private to gofunc.c */
};

/* -ENODATA: not a Go program, or an unknown table. Borrows the file. */
int gofuncs_init(struct gofuncs *g, const struct elf *f, struct err *e);

struct gofunc {
	uint64_t start, end;
	const char *name;        /* borrowed */
};
bool gofuncs_get(const struct gofuncs *g, size_t i, struct gofunc *f);   /* false: damaged, or out of range */

/* The function that contains pc. */
bool gofuncs_find(const struct gofuncs *g, uint64_t pc, struct gofunc *f);

/* Source file and line of pc: 1, 0: unknown. file is borrowed. */
int gofuncs_line(const struct gofuncs *g, uint64_t pc, const char **file, unsigned *line);

/* A function's stack frame at pc: for Go's own unwinder, so it exists even without any debug information. */
struct gofunc_frame {
	uint64_t start;          /* of the function */
	uint32_t depth;          /* bytes by which the stack pointer is below its value at the function's entry */
	bool is_outermost;       /* goroutines and threads start there; known since 1.18 */
};

enum { GOFUNC_DEPTH_MAX = 1 << 30 };

/* False: unknown. */
bool gofuncs_frame(const struct gofuncs *g, uint64_t pc, struct gofunc_frame *frame);

#endif
