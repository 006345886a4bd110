/*
 * polls.h - iterations (turns) of polling loops: each starts when the poll function is entered, and lasts until it is
 * entered again; turns are grouped by the number of packets that it returned.
 *
 * The overhead of the probes is the same in every turn: it is in the duration of an empty poll, but not in the time per
 * packet, which is a difference of two durations.
 */
#ifndef ANALYSE_POLLS_H
#define ANALYSE_POLLS_H

#include "analyse/spread.h"
#include "base/map.h"

enum { POLLS_BURSTS = 258, POLLS_MORE = POLLS_BURSTS - 1, POLLS_THREADS = 4096 };   /* 0..256, and larger ones */

struct polls_burst {
	uint64_t n;                      /* number of polls that returned so many packets */
	struct spread turn, call;        /* ns: from entry to next entry, from entry to return */
};

struct polls_thread {
	uint32_t tid;
	enum { POLLS_OUT, POLLS_IN, POLLS_BACK } is;
	uint64_t entered;                /* ns */
	unsigned burst;                  /* with POLLS_BACK: the number of packets returned */
};

struct polls {
	VEC(struct polls_thread) threads;
	struct map of;                   /* tid -> index + 1 */
	struct polls_burst bursts[POLLS_BURSTS];
	uint64_t polls, packets, dropped;
};

void polls_deinit(struct polls *p);

/* 0 or -ENOMEM. packets: what the function returned. */
int polls_enter(struct polls *p, uint32_t tid, uint64_t time);
int polls_return(struct polls *p, uint32_t tid, uint64_t time, uint64_t packets);

/* Events were lost: discard turns in progress. */
void polls_break(struct polls *p);

/* Reset counts and times. */
void polls_forget(struct polls *p);

/* ns per packet of a burst, by the medians of turns; false: too few turns. */
bool polls_ns_per_packet(const struct polls *p, unsigned burst, double *ns);

#endif
