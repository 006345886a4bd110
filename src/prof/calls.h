/*
 * calls.h - matches entries and returns to nested calls, with the duration of each, by call path. Limits: CALLS_DEEP
 * nested calls of a key, and CALLS_PATHS paths; further calls are counted at the last one.
 */
#ifndef PROF_CALLS_H
#define PROF_CALLS_H

#include "analyse/calltree.h"
#include "analyse/spans.h"
#include "analyse/spread.h"
#include "engine/hit.h"
#include "engine/stages.h"
#include "show/table.h"

enum { CALLS_DEEP = 256, CALLS_PATHS = 1 << 16 };

struct calls_event {
	const struct hit *hit;
	uint32_t function;                   /* index of the function */
	uint64_t key, seq;
};

struct calls {
	struct spans open;                   /* by key */
	struct calltree tree;                /* self: ns; samples: calls */
	VEC(struct spread) times;            /* duration in ns, by node */
	struct stages_stats stats;           /* replaced: entries ended by a caller's return */
	uint64_t n_open;
	bool is_open;
};

int calls_init(struct calls *c);             /* 0 or -ENOMEM */
void calls_deinit(struct calls *c);

/* 0 or -ENOMEM. */
int calls_enter(struct calls *c, const struct calls_event *ev);

/* 1: *p is the call that ended; 0: no complete call, which is counted; -ENOMEM. */
int calls_leave(struct calls *c, const struct calls_event *ev, struct stages_pair *p);

int calls_lose(struct calls *c, uint32_t cpu);   /* 0 or -ENOMEM */

/* Reset the numbers; open calls stay. */
void calls_clear(struct calls *c);

/*
 * Add a row for each path: its name, indented or (flat) with its callers, calls, and with times the other numbers. 0 or
 * -ENOMEM.
 */
struct calls_show {
	const char *(*name)(void *arg, uint32_t function);
	void *arg;
	bool times, flat;
};
int calls_put(const struct calls *c, const struct calls_show *how, struct table *t);

#endif
