/*
 * tasks.h - address spaces of processes and names of threads, as the records tell them. Bounded by
 * the ids seen.
 */
#ifndef SYM_TASKS_H
#define SYM_TASKS_H

#include "base/map.h"
#include "sym/maps.h"

/* Address spaces kept after their process has ended, for records that come late. */
enum { TASKS_DEAD = 256 };

struct tasks_process {
	struct maps *maps;
	uint32_t generation;     /* of the maps; 0: nobody has asked since they changed */
	bool dead, used;         /* used: looked up since it died */
	bool exec;               /* maps are of the program before, and go with the first new one */
};

/* Names of threads whose ids follow one another, as those of a busy machine do. */
enum { TASKS_NAMES = 16 };

struct tasks_names {
	const char *of[TASKS_NAMES];   /* interned; NULL: none is known */
};

/* A zeroed struct tasks is empty. */
struct tasks {
	struct map pids;         /* pid -> index in processes */
	VEC(struct tasks_process) processes;
	struct map names;        /* tid / TASKS_NAMES -> index in comms */
	VEC(struct tasks_names) comms;
	uint32_t dead[TASKS_DEAD];
	size_t n_dead;
	uint32_t generations;    /* given out */
	uint32_t last_pid;       /* of the last lookup, with its index; valid when last_known */
	size_t last;
	bool last_known;
};

void tasks_deinit(struct tasks *t);

/* What is mapped in a process now; NULL: nothing known. */
struct maps *tasks_maps(struct tasks *t, uint32_t pid);

/* See resolver_generation; what nothing is known of has TASKS_UNKNOWN. */
enum { TASKS_UNKNOWN = 1, TASKS_GENERATIONS = INT32_MAX };
uint32_t tasks_generation(struct tasks *t, uint32_t pid);

/* One more than all before; 0: there are no more. Or n of them, of which it is the first. */
uint32_t tasks_next_generation(struct tasks *t);
uint32_t tasks_next_generations(struct tasks *t, size_t n);

/*
 * The same to change it, through maps_put; NULL: no memory. Valid until the next process is added.
 */
struct maps **tasks_space(struct tasks *t, uint32_t pid);

/* pid starts with the parent's maps (they are shared until one changes). 0 or -ENOMEM. */
int tasks_fork(struct tasks *t, uint32_t pid, uint32_t parent);

/*
 * pid has nothing mapped any more. The old maps are seen until the first new one: the call that
 * execs is in them.
 */
int tasks_exec(struct tasks *t, uint32_t pid);

void tasks_exit(struct tasks *t, uint32_t pid);

/* Name of a thread; comm must outlive t. NULL forgets it. */
int tasks_set_comm(struct tasks *t, uint32_t tid, const char *comm);
const char *tasks_comm(const struct tasks *t, uint32_t tid);

#endif
