/*
 * dumps.h - rounds of threads that look after a datapath's flows, as Open vSwitch's revalidators do: one of them, the
 * leader, begins a dump of all flows, several take part in it, the leader ends it, and waits until the next one.
 *
 * A dump is named by a number that those who take part in it tell: a pointer of the program's.
 */
#ifndef ANALYSE_DUMPS_H
#define ANALYSE_DUMPS_H

#include "base/map.h"
#include "base/vec.h"

enum { DUMPS_OPEN = 64, DUMPS_THREADS = 4096, DUMPS_DONE = 1 << 16 };

#define DUMPS_UNKNOWN UINT64_MAX

enum dumps_number {
	DUMPS_DUMPED,       /* flows that the datapath gave */
	DUMPS_CHECKED,      /* of them those that were held against the rules */
	DUMPS_CHANGED,      /* removed, or given other actions */
	DUMPS_NUMBERS
};

struct flow_dump {
	uint32_t leader;
	uint64_t id;
	uint64_t begun, ended;           /* ns; ended 0: it is going on */
	uint64_t wait;                   /* ns until the next one begins; DUMPS_UNKNOWN */
	uint64_t flows;                  /* that the leader counted before; DUMPS_UNKNOWN */
	uint64_t asked;                  /* ms that it means to wait at most; DUMPS_UNKNOWN */
	uint64_t number[DUMPS_NUMBERS];
};

struct dumps {
	VEC(struct flow_dump) done;           /* in the order in which they, and the waits after them, ended */
	struct flow_dump open[DUMPS_OPEN];    /* the one at hand of each leader, or the last one: it waits */
	size_t n_open;
	struct map of;                   /* thread -> id of the dump that it takes part in */
	uint64_t broken;                 /* that something was lost of */
	uint64_t dropped;                /* there were too many */
};

void dumps_deinit(struct dumps *d);

/* 0 or -ENOMEM. flows: how many there are, or DUMPS_UNKNOWN. The wait after the leader's last dump is over. */
int dumps_begin(struct dumps *d, uint32_t leader, uint64_t time, uint64_t flows);

/* The leader's dump is called so from now on. */
void dumps_name(struct dumps *d, uint32_t leader, uint64_t id);

/* A thread takes part in it. 0 or -ENOMEM. */
int dumps_join(struct dumps *d, uint32_t tid, uint64_t id);

/* The dump that a thread takes part in; 0: none. */
uint64_t dumps_of(const struct dumps *d, uint32_t tid);

/* Of a dump that is going on; of others it is nothing. */
void dumps_count(struct dumps *d, uint64_t id, enum dumps_number number, uint64_t n);

/* asked: DUMPS_UNKNOWN or ms. */
void dumps_end(struct dumps *d, uint32_t leader, uint64_t time, uint64_t asked);

/* Events were lost: dumps at hand, and waits, are none. */
void dumps_break(struct dumps *d);

/* No more come: dumps that ended are done, without their waits. 0 or -ENOMEM. */
int dumps_finish(struct dumps *d);

/* Those that are done are forgotten. */
void dumps_forget(struct dumps *d);

#endif
