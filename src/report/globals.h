/*
 * globals.h - what addresses in code mean, of one file after another: variables and what they are, and what functions
 * return. Names of symbols are looked up among the declarations of the unit whose code it is.
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
	uint64_t shift;              /* of its addresses in the samples */
	struct dwarf *dwarf;         /* one of both */
	const struct btf *btf, *base;   /* base: the kernel's, where btf is a module's; else NULL */
};

struct globals_symbol {
	uint64_t addr, size;
	const char *name;
};

/* What is written to a place of the file when it is loaded. */
struct globals_link {
	uint64_t at, to;
};

/* Hashes of a BTF's own names of functions, of variables: their ids. */
struct globals_names {
	const struct btf *of;
	struct map ids;
	uint32_t task;               /* struct task_struct, once has_task is set */
	bool has_task;
};

struct globals {
	struct globals_want want;
	uint32_t scope;              /* for the table of types */
	struct map scopes;           /* of files */
	struct type_unit unit;
	const struct module *symbols_of, *links_of;
	VEC(struct globals_symbol) symbols;   /* variables of that file, by address */
	VEC(struct globals_link) links;       /* by where they are */
	VEC(struct globals_names) names;
	struct map returns, variables;   /* the kernel's, by address: types */
};

/* From now on it is about code at an address of this file. 0 or -ENOMEM. */
int globals_of(struct globals *g, const struct globals_want *w, uint64_t addr);
void globals_deinit(struct globals *g);

/* The id of a function of the kernel's by name; 0: it tells of none. */
int64_t globals_function(struct globals *g, const char *name);

/* For struct flow_want. */
uint32_t globals_variable(void *globals, uint64_t addr, uint64_t *start);
uint64_t globals_linked(void *globals, uint64_t addr);
bool globals_is_canary(void *globals, uint64_t addr);
uint32_t globals_returned(void *globals, uint64_t addr);
uint32_t globals_task(struct globals *g);

#endif
