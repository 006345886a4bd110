/*
 * tasks.h - address spaces of processes and names of threads, kept up to date by the records. Memory is
 * bounded by the number of distinct ids.
 */
#ifndef SYM_TASKS_H
#define SYM_TASKS_H

#include "base/map.h"
#include "sym/maps.h"

/* Address spaces kept after their process has ended, for records that come late. */
enum { TASKS_DEAD = 256 };

struct tasks_process {
	struct maps *maps;
	uint32_t generation;     /* of the maps; 0: not requested since they changed */
	bool dead, used;         /* used: looked up after its end */
	bool exec;               /* maps are those before exec; the first new one replaces them all */
};

/* Names of threads with consecutive ids: those of a busy machine are mostly consecutive. */
enum { TASKS_NAMES = 16 };

struct tasks_names {
	const char *of[TASKS_NAMES];   /* interned; NULL: unknown */
};

/* A zeroed struct tasks is empty. */
struct tasks {
	struct map pids;         /* pid -> index in processes */
	VEC(struct tasks_process) processes;
	struct map names;        /* tid / TASKS_NAMES -> index in comms */
	VEC(struct tasks_names) comms;
	uint32_t dead[TASKS_DEAD];
	size_t n_dead;
	uint32_t generations;    /* the last number used */
	uint32_t last_pid;       /* pid of the last lookup, and its index; valid when last_known */
	size_t last;
	bool last_known;
};

void tasks_deinit(struct tasks *t);

/* The present maps of a process; NULL: unknown. */
struct maps *tasks_maps(struct tasks *t, uint32_t pid);

/* See resolver_generation(); an unknown process has TASKS_UNKNOWN. */
enum { TASKS_UNKNOWN = 1, TASKS_GENERATIONS = INT32_MAX };
uint32_t tasks_generation(struct tasks *t, uint32_t pid);

/* A new generation, or the first of n new ones; 0: numbers are used up. */
uint32_t tasks_next_generation(struct tasks *t);
uint32_t tasks_next_generations(struct tasks *t, size_t n);

/*
 * The maps of a process, for maps_put(); NULL: no memory. Valid until the next process is added.
 */
struct maps **tasks_space(struct tasks *t, uint32_t pid);

/* pid starts with the parent's maps (they are shared until one changes). 0 or -ENOMEM. */
int tasks_fork(struct tasks *t, uint32_t pid, uint32_t parent);

/*
 * The process has called exec. Its old maps stay visible until the first new one: samples of the exec
 * call itself are in them.
 */
int tasks_exec(struct tasks *t, uint32_t pid);

void tasks_exit(struct tasks *t, uint32_t pid);

/* Name of a thread; comm must outlive t. NULL forgets it. */
int tasks_set_comm(struct tasks *t, uint32_t tid, const char *comm);
const char *tasks_comm(const struct tasks *t, uint32_t tid);

#endif
