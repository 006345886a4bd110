/*
 * symtab.h - functions of one or more files as a flat array by address, one symbol for each
 * address, or all of them.
 *
 * Fill with symtab_add_*, then symtab_finish once, then look up. Names are borrowed from the files'
 * bytes, which must stay until symtab_deinit. 16 bytes for each symbol.
 */
#ifndef IMAGE_SYMTAB_H
#define IMAGE_SYMTAB_H

#include "base/base.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

struct elf;
struct elf_code;

/* TOLD: not from a symbol, but from a Go program's own table, or from tables for unwinding. */
enum symtab_rank { SYMTAB_TOLD, SYMTAB_LOCAL, SYMTAB_WEAK, SYMTAB_GLOBAL };

/* The source of a symbol, and of the strings with its name; for FRAME and OWN these are symtab.own. */
enum symtab_source {
	SYMTAB_STATIC, SYMTAB_DYNAMIC, SYMTAB_DEBUG, SYMTAB_GO, SYMTAB_FRAME, SYMTAB_OWN, SYMTAB_SOURCES,
};

enum { SYMTAB_NAME_MAX = 1 << 29, SYMTAB_SIZE_MAX = (1 << 28) - 1 };

struct sym {
	uint64_t addr;              /* as in the file; kallsyms: run-time address */
	uint32_t size : 28;         /* bytes, at most SYMTAB_SIZE_MAX; 0: unknown */
	uint32_t rank : 2;          /* symtab_rank: at equal addresses the higher one wins */
	uint32_t label : 1;         /* not of type FUNC: a label in assembler code */
	uint32_t chooser : 1;       /* GNU_IFUNC: its code only selects the implementation */
	uint32_t source : 3;        /* symtab_source */
	uint32_t name : 29;         /* offset in the strings */
};

static_assert(sizeof(struct sym) == 16, "half a million of these must fit on a board");

/* A zeroed struct symtab is an empty table. */
struct symtab {
	VEC(struct sym) syms;
	struct sv strings[SYMTAB_SOURCES];   /* each string used ends with NUL inside */
	VEC(char) own;                       /* of sources SYMTAB_OWN and _FRAME: "memcpy@plt" */
	bool last_wins;                      /* among symbols at one address the one added last is the best */
	bool has_aliases;                    /* keep all names of an address, the best one last */
};

/*
 * Add the functions of a file's .dynsym (SYMTAB_DYNAMIC), or of its .symtab: defined FUNC and
 * GNU_IFUNC symbols, and visible untyped ones where there is code; no mapping symbols ($x, $d).
 * Files with section-relative symbols (.o, .ko) have none. The number of symbols, or -ENOMEM.
 */
int symtab_add_elf(struct symtab *t, const struct elf *f, enum symtab_source source, struct err *e);

/* Does a file's symbol table have a function of that name? By its strings only, without reading the symbols. */
enum symtab_has { SYMTAB_NO_FUNCTIONS, SYMTAB_OTHERS, SYMTAB_PERHAPS };
enum symtab_has symtab_has_elf(const struct elf *f, enum symtab_source source, const char *name);

/* Limit of functions in a table: 32 MB. The largest programs have one million. */
enum { SYMTAB_MAX = 1 << 21 };

/* Add one symbol; `name` is in strings[source]. 0 or -ENOMEM. */
int symtab_add(struct symtab *t, const struct sym *s);

/* Add a symbol whose name is copied; dropped if there is no more room for names. 0 or -ENOMEM. */
int symtab_add_own(struct symtab *t, uint64_t addr, uint64_t size, struct sv name);

/* Add a function start from tables for unwinding: it is named "fn_0x11f0" if no symbol names it. */
int symtab_add_start(struct symtab *t, uint64_t addr, uint64_t size);

/* "fn_0x11f0": the name of such a start. */
enum { SYMTAB_START_NAME = 32 };
void symtab_start_name(char name[SYMTAB_START_NAME], uint64_t addr);
bool symtab_is_start_name(const char *name);   /* or begins like one */

/* Is there no more room for copied names? */
bool symtab_own_is_full(const struct symtab *t);

/*
 * Sort; keep the best symbol of each address (sized, function, GLOBAL > WEAK > LOCAL > TOLD, fewer
 * leading underscores, shorter name), or one of each name; let symbols without size reach to the
 * next one, but not beyond the code range they are in. code may be NULL: no bounds. 0 or -ENOMEM.
 */
int symtab_finish(struct symtab *t, const struct elf_code *code);

/* Characters of names that are compared: many aliases with very long names must not take for ever. */
enum { SYMTAB_COMPARED = 256 };

/* Is b a better name of an address than a? By the rules of symtab_finish(). */
bool symtab_is_better(const struct sym *b, const char *nb, const struct sym *a, const char *na);

/* The symbol that contains addr, or NULL; of nested ones the innermost. */
const struct sym *symtab_find(const struct symtab *t, uint64_t addr);

/* A range around addr in which symtab_find() finds the same symbol; false: no symbol there, or nested ones. */
bool symtab_extent(const struct symtab *t, uint64_t addr, uint64_t *from, uint64_t *to);

const char *symtab_name(const struct symtab *t, const struct sym *s);

/* The symbol of that name that starts at addr; NULL: none. */
const struct sym *symtab_named(const struct symtab *t, uint64_t addr, const char *name);

void symtab_deinit(struct symtab *t);

#endif
