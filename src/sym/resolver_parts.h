/* resolver_parts.h - what the resolver's sources share; for src/sym/resolver*.c only. */
#ifndef SYM_RESOLVER_PARTS_H
#define SYM_RESOLVER_PARTS_H

#include "base/map.h"
#include "sym/dso.h"
#include "sym/kernel.h"
#include "sym/locs.h"
#include "sym/resolver.h"
#include "sym/tasks.h"
#include "sym/told.h"

enum { RESOLVER_NAMES = 1024, RESOLVER_NAME_SIZE = 4096, RESOLVER_NO_DSO = -1 };

/* A process whose code is written to a jit-PID.dump as it is made. */
struct resolver_jit {
	uint32_t dso;
	uint32_t base;                  /* the generation of its maps for which there are generations of its code */
	uint32_t first;                 /* of these; 0: there were too many */
};

/* What a function of a file was last called here: many addresses of it are looked up. */
struct known_name {
	const struct sym *of;           /* lives as long as the resolver */
	const char *shown;
};

struct resolver {
	struct sym_want want;
	struct names strings;           /* what is handed out */
	struct tasks tasks;
	struct maps *kernel_maps;
	uint32_t kernel_generation;     /* of these; 0: nobody has asked since they changed */
	struct kernel kernel;
	struct told told;               /* by the recording */
	struct names dso_keys;          /* kind, build id, name -> number of the dso */
	VEC(struct dso) dsos;
	struct names id_names;          /* names with known build ids -> index in ids */
	VEC(struct build_id) ids;
	struct names mangled;           /* names that are shown otherwise -> index in shown */
	VEC(const char *) shown;
	struct known_name known_names[RESOLVER_NAMES];   /* by a hash of the function */
	struct locs locs;
	struct sym_stats stats;
	uint64_t changes;
	struct map jit_of;              /* pid -> index in jits, of those whose code is written to a dump */
	VEC(struct resolver_jit) jits;
};

/*
 * Number of the dso, made when it is new; RESOLVER_NO_DSO: no memory. A name that changed its build id is another dso,
 * and so is one that names another file, in another container mostly.
 */
int resolver_dso(struct resolver *r, enum dso_kind kind, const char *name, const struct build_id *id, uint64_t ino);

/* Read it, when that was not done yet. */
void resolver_load(struct resolver *r, struct dso *d);

/* The dso of code that this process makes. */
int resolver_jit_dso(struct resolver *r, uint32_t pid);

/* A mapping's name: if it is that of a dump, the process's code is looked up in it from now on. 0 or -ENOMEM. */
int resolver_jit_meet(struct resolver *r, const struct sym_map *m);

/* A child has its parent's code. 0 or -ENOMEM. */
int resolver_jit_fork(struct resolver *r, uint32_t pid, uint32_t parent);

/* Is it the name of memory with code that is made there? Of memory files only where a dump says that it is made. */
bool resolver_is_jit(const struct resolver *r, uint32_t pid, const char *name);

/* Between which times the space is as it is at that one, and the generation of that. */
void resolver_jit_time(struct resolver *r, uint32_t pid, uint64_t time, struct resolver_space *space);

#endif
