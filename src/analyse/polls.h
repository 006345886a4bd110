/*
 * polls.h - turns of loops that poll: each begins when the function that looks for packets is entered, and lasts until
 * it is entered again; how many it returned says what the turn was for.
 *
 * What an observer adds to each turn is the same whatever it returned: it is in the turn of an empty poll, but not in
 * what a packet takes, which is the difference of two.
 */
#ifndef ANALYSE_POLLS_H
#define ANALYSE_POLLS_H

#include "analyse/spread.h"
#include "base/map.h"

enum { POLLS_BURSTS = 258, POLLS_MORE = POLLS_BURSTS - 1, POLLS_THREADS = 4096 };   /* 0..256, and larger ones */

struct polls_burst {
	uint64_t n;                      /* polls that returned so many */
	struct spread turn, call;        /* ns: from entry to entry, from entry to return */
};

struct polls_thread {
	uint32_t tid;
	enum { POLLS_OUT, POLLS_IN, POLLS_BACK } is;
	uint64_t entered;                /* ns */
	unsigned burst;                  /* BACK: that it returned with */
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

/* What comes next does not follow what came before. */
void polls_break(struct polls *p);

/* Counts and times are forgotten. */
void polls_forget(struct polls *p);

/* ns that each packet of a burst takes, by the medians of turns; false: not enough is known. */
bool polls_ns_per_packet(const struct polls *p, unsigned burst, double *ns);

#endif
