/*
 * calls.h - entries and returns as calls: which lay within which, and how long each took, by the path of callers. At
 * most CALLS_DEEP within one another of a key, and CALLS_PATHS paths; what is more is counted at the last one.
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
	uint32_t function;                   /* a small number */
	uint64_t key, seq;
};

struct calls {
	struct spans open;                   /* by key */
	struct calltree tree;                /* self: ns; samples: calls */
	VEC(struct spread) times;            /* by node, ns */
	struct stages_stats stats;           /* replaced: entries that a caller's return ended */
	uint64_t n_open;
	bool is_open;
};

int calls_init(struct calls *c);             /* 0 or -ENOMEM */
void calls_deinit(struct calls *c);

/* 0 or -ENOMEM. */
int calls_enter(struct calls *c, const struct calls_event *ev);

/* 1: *p is the call that ended; 0: there is none that is whole, which is counted; -ENOMEM. */
int calls_leave(struct calls *c, const struct calls_event *ev, struct stages_pair *p);

int calls_lose(struct calls *c, uint32_t cpu);   /* 0 or -ENOMEM */

/* Numbers are forgotten, calls that are open are not. */
void calls_clear(struct calls *c);

/* A row for each path: its name, indented or (flat) with its callers', calls, and with times the rest. 0 or -ENOMEM. */
struct calls_show {
	const char *(*name)(void *arg, uint32_t function);
	void *arg;
	bool times, flat;
};
int calls_put(const struct calls *c, const struct calls_show *how, struct table *t);

#endif
