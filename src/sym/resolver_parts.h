/* resolver_parts.h - what the resolver's sources share; for src/sym/resolver*.c only. */
#ifndef SYM_RESOLVER_PARTS_H
#define SYM_RESOLVER_PARTS_H

#include "base/map.h"
#include "sym/dso.h"
#include "sym/kernel.h"
#include "sym/locs.h"
#include "sym/resolver.h"
#include "sym/tasks.h"
#include "sym/file2.h"

enum { RESOLVER_NAMES = 1024, RESOLVER_NAME_SIZE = 4096, RESOLVER_NO_DSO = -1 };

/* A process that writes its JIT code to a jit-PID.dump. */
struct resolver_jit {
	uint32_t dso;
	uint32_t base;                  /* the generation of its maps to which the generations of its code belong */
	uint32_t first;                 /* first generation of its code, one for each epoch; 0: numbers are used up */
};

/* Cache entry: the shown name of a function, since many addresses of one function are looked up. */
struct known_name {
	const struct sym *of;           /* lives as long as the resolver */
	const char *shown;
};

struct resolver {
	struct sym_want want;
	struct names strings;           /* all strings that callers see */
	struct tasks tasks;
	struct maps *kernel_maps;
	uint32_t kernel_generation;     /* of kernel_maps; 0: not requested since they changed */
	struct kernel kernel;
	struct file2 file2;               /* functions in the recording's section FILE2 */
	struct names dso_keys;          /* kind, build-id, name -> number of the dso */
	VEC(struct dso) dsos;
	struct names id_names;          /* names with known build-ids -> index in ids */
	VEC(struct build_id) ids;
	struct names mangled;           /* mangled names -> index in shown */
	VEC(const char *) shown;
	struct known_name known_names[RESOLVER_NAMES];   /* indexed by a hash of the function */
	struct locs locs;
	struct sym_stats stats;
	uint64_t changes;
	struct map jit_of;              /* pid -> index in jits, for processes with a dump */
	VEC(struct resolver_jit) jits;
};

/*
 * Number of the dso, which is added if it is new; RESOLVER_NO_DSO: no memory. The same name with another build-id is
 * another dso, and so is the same name with another inode (mostly in another container).
 */
int resolver_dso(struct resolver *r, enum dso_kind kind, const char *name, const struct build_id *id, uint64_t ino);

/* Read its file, unless that was done. */
void resolver_load(struct resolver *r, struct dso *d);

/* The dso of this process's JIT code. */
int resolver_jit_dso(struct resolver *r, uint32_t pid);

/* If m maps a jit-PID.dump, JIT code of the process is looked up in it from now on. 0 or -ENOMEM. */
int resolver_jit_meet(struct resolver *r, const struct sym_map *m);

/* A child has its parent's JIT code. 0 or -ENOMEM. */
int resolver_jit_fork(struct resolver *r, uint32_t pid, uint32_t parent);

/* Is it the name of a mapping with JIT code? Memory files (memfd) count only if the process has a dump. */
bool resolver_is_jit(const struct resolver *r, uint32_t pid, const char *name);

/* Set space->since, ->until and ->generation for the JIT code of the process at that time. */
void resolver_jit_time(struct resolver *r, uint32_t pid, uint64_t time, struct resolver_space *space);

#endif
