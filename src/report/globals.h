/*
 * globals.h - types of the global variables and of the functions' return values that code refers to, by address. Names
 * of symbols are looked up among the declarations of the unit that contains the code.
 */
#ifndef REPORT_GLOBALS_H
#define REPORT_GLOBALS_H

#include "obj/types/btf.h"
#include "source/session.h"
#include "types/table.h"
#include "types/unit.h"

struct module;

struct globals_want {
	struct session *session;
	struct types *types;
	struct module *module;       /* NULL: the running kernel */
	uint64_t shift;              /* added to the file's addresses in samples */
	struct dwarf *dwarf;         /* either dwarf or btf is set */
	const struct btf *btf, *base;   /* base: the kernel's BTF if btf is that of a kernel module; else NULL */
};

struct globals_symbol {
	uint64_t addr, size;
	const char *name;
};

/* A relocation: the loader writes the address `to` at address `at`. */
struct globals_link {
	uint64_t at, to;
};

/* Hash of a name of a BTF's own functions and variables -> its type id. */
struct globals_names {
	const struct btf *of;
	struct map ids;
	uint32_t task;               /* type id of struct task_struct; valid when has_task */
	bool has_task;
};

struct globals {
	struct globals_want want;
	uint32_t scope;              /* number of the file for the table of types */
	struct map scopes;           /* file -> its number */
	struct type_unit unit;
	const struct module *symbols_of, *links_of;   /* the files of `symbols` and `links` */
	VEC(struct globals_symbol) symbols;   /* variables, sorted by address */
	VEC(struct globals_link) links;       /* sorted by `at` */
	VEC(struct globals_names) names;
	struct map returns, variables;   /* kernel address -> type */
};

/* Select the file and the unit with the code at addr. 0 or -ENOMEM. */
int globals_of(struct globals *g, const struct globals_want *w, uint64_t addr);
void globals_deinit(struct globals *g);

/* The BTF id of a kernel function by name; 0: none. */
int64_t globals_function(struct globals *g, const char *name);

/* Callbacks of struct flow_want. */
uint32_t globals_variable(void *globals, uint64_t addr, uint64_t *start);
uint64_t globals_linked(void *globals, uint64_t addr);
bool globals_is_canary(void *globals, uint64_t addr);
uint32_t globals_returned(void *globals, uint64_t addr);
uint32_t globals_task(struct globals *g);

#endif
