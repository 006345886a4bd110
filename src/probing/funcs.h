/*
 * funcs.h - every function of a program that has a name, from whatever tells it: symbol tables, a Go program's own
 * table, and the starts in .eh_frame, which a stripped file still has and which get names of their address
 * ("fn_0x11f0").
 */
#ifndef PROBING_FUNCS_H
#define PROBING_FUNCS_H

#include "base/arena.h"
#include "probing/program.h"

enum func_source { FUNC_SYMTAB, FUNC_DYNSYM, FUNC_DEBUG, FUNC_GO, FUNC_FRAME };

struct func {
	uint64_t addr, size;      /* as in the file; size 0: not told */
	const char *name;         /* borrowed from the program's files or the arena; as in the file: mangled */
	uint8_t source;           /* enum func_source */
	bool is_chooser;          /* GNU_IFUNC: its code only chooses which function is used */
};

/* Arm's mapping symbols: from here on there are instructions ($x), or data ($d). */
struct func_mark {
	uint64_t addr;
	bool is_data;
};

struct funcs {
	VEC(struct func) v;       /* by address, then by name */
	VEC(struct func_mark) marks;   /* by address */
	struct arena arena;
};

enum funcs_what {
	FUNCS_ALL,
	FUNCS_NAMED,     /* starts in .eh_frame only when nothing has a name */
};

/* Of a program. Procedure linkage stubs are left out: a call through one is a call of the function. */
int funcs_of(struct funcs *f, const struct program *p, enum funcs_what what, struct err *e);
void funcs_deinit(struct funcs *f);

/* The one whose code has addr; of several names the best; NULL: none. */
const struct func *funcs_at(const struct funcs *f, uint64_t addr);

/* Bytes up to its end; where that is not told, up to the next one, 0: it is the last. */
uint64_t funcs_size(const struct funcs *f, const struct func *x);

/* Do symbols say that a constant lies there, among the code? */
bool funcs_is_data(const struct funcs *f, uint64_t addr);

/* The one of that name, as in the file, that starts at addr; NULL: none. */
const struct func *funcs_named(const struct funcs *f, uint64_t addr, const char *name);

const char *func_source_name(enum func_source s);   /* ".symtab" */

#endif
