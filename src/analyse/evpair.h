/*
 * evpair.h - time from one trace event to another with the same key: wake-up to running, request to completion.
 *
 * A second start of the same key replaces the first, as in the kernel's hist triggers. Pairs across lost events are
 * discarded, and counted.
 */
#ifndef ANALYSE_EVPAIR_H
#define ANALYSE_EVPAIR_H

#include "analyse/spans.h"
#include "tracefs/format/events.h"

struct evpair_want {
	const struct tevents *events;            /* borrowed until deinit */
	const char *from, *to;                   /* "sched:sched_waking", "sched_waking", globs */
	const char *from_key, *to_key;           /* names of the key fields, of numbers or texts */
	int (*pair)(void *arg, uint64_t start, uint64_t end);   /* trace clock; non-zero is returned by evpair_add() */
	void *arg;
};

struct evpair_event {
	const struct tevent *event;
	const struct tfield *from, *to;          /* key field as a start, as an end; NULL: it is no start, no end */
};

struct evpair_stats {
	uint64_t starts, pairs;
	uint64_t replaced;                       /* starts replaced by another one with the same key */
	uint64_t unstarted;                      /* ends without a start */
	uint64_t discarded;                      /* across lost events, or beyond EVPAIR_KEYS */
};

enum { EVPAIR_KEYS = 1 << 18 };                  /* limit of starts that wait for their end */

struct evpair {
	struct evpair_want want;
	VEC(struct evpair_event) events;
	struct spans open;                       /* by key, one for each */
	struct evpair_stats stats;
};

/* -ENOENT, with similar names: no such event or field. */
int evpair_init(struct evpair *p, const struct evpair_want *w, struct err *e);
void evpair_deinit(struct evpair *p);

/* The next record in order of time, of any event. 0, -ENOMEM or the callback's result. */
int evpair_add(struct evpair *p, const struct tstream_rec *rec);

#endif
