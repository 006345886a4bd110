/*
 * dumps.h - rounds of threads that revalidate a datapath's flows, as Open vSwitch's revalidators do: one of them, the
 * leader, begins a dump of all flows, several threads take part in it, the leader ends it and waits before the next
 * one.
 *
 * A dump is identified by a number that all its threads pass to functions: a pointer of the program.
 */
#ifndef ANALYSE_DUMPS_H
#define ANALYSE_DUMPS_H

#include "base/map.h"
#include "base/vec.h"

enum { DUMPS_OPEN = 64, DUMPS_THREADS = 4096, DUMPS_DONE = 1 << 16 };

#define DUMPS_UNKNOWN UINT64_MAX

enum dumps_number {
	DUMPS_DUMPED,       /* flows returned by the datapath */
	DUMPS_CHECKED,      /* of these, flows revalidated against the rules */
	DUMPS_CHANGED,      /* flows removed, or modified to have other actions */
	DUMPS_NUMBERS
};

struct flow_dump {
	uint32_t leader;
	uint64_t id;
	uint64_t begun, ended;           /* ns; ended 0: in progress */
	uint64_t wait;                   /* ns until the next one begins; DUMPS_UNKNOWN */
	uint64_t flows;                  /* number of flows that the leader counted before; DUMPS_UNKNOWN */
	uint64_t asked;                  /* ms: the timeout with which the leader waits; DUMPS_UNKNOWN */
	uint64_t number[DUMPS_NUMBERS];
};

struct dumps {
	VEC(struct flow_dump) done;           /* in the order in which the waits after them ended */
	struct flow_dump open[DUMPS_OPEN];    /* each leader's current dump, or its last one while it waits */
	size_t n_open;
	struct map of;                   /* tid -> id of the dump that the thread takes part in */
	uint64_t broken;                 /* dumps across lost events */
	uint64_t dropped;                /* dumps beyond the limits */
};

void dumps_deinit(struct dumps *d);

/* Begin a dump, which ends the wait after the leader's last one. flows: number or DUMPS_UNKNOWN. 0 or -ENOMEM. */
int dumps_begin(struct dumps *d, uint32_t leader, uint64_t time, uint64_t flows);

/* Set the id of the leader's current dump. */
void dumps_name(struct dumps *d, uint32_t leader, uint64_t id);

/* A thread takes part in this dump. 0 or -ENOMEM. */
int dumps_join(struct dumps *d, uint32_t tid, uint64_t id);

/* The dump that a thread takes part in; 0: none. */
uint64_t dumps_of(const struct dumps *d, uint32_t tid);

/* Add n to a number of a dump in progress; unknown ids are ignored. */
void dumps_count(struct dumps *d, uint64_t id, enum dumps_number number, uint64_t n);

/* End the leader's dump. asked: ms or DUMPS_UNKNOWN. */
void dumps_end(struct dumps *d, uint32_t leader, uint64_t time, uint64_t asked);

/* Events were lost: discard dumps and waits in progress. */
void dumps_break(struct dumps *d);

/* No more events: dumps that have ended move to `done`, without their waits. 0 or -ENOMEM. */
int dumps_finish(struct dumps *d);

/* Empty `done`. */
void dumps_forget(struct dumps *d);

#endif
