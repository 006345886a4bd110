/*
 * upcalls.h - what threads that handle upcalls do with them: they read some, one after the other, decide what becomes
 * of their flows, and tell the datapath of all of them at once.
 *
 *	wait      from the kernel's raising it to its being read, of those that were alone: no other was on its way
 *	          then, so that it is known which one was read
 *	receive   from the first one of a batch to the last one
 *	decide    from then on until the datapath is told
 *	install   while it is told
 *	total     of these: from the first one on
 */
#ifndef ANALYSE_UPCALLS_H
#define ANALYSE_UPCALLS_H

#include "analyse/spread.h"
#include "base/map.h"

enum upcalls_segment {
	UPCALLS_WAIT, UPCALLS_RECEIVE, UPCALLS_DECIDE, UPCALLS_INSTALL, UPCALLS_TOTAL, UPCALLS_SEGMENTS
};
enum { UPCALLS_THREADS = 4096 };

struct upcalls_thread {
	uint32_t tid;
	uint64_t upcalls, reads;         /* reads: those that had none, too */
	struct spread segments[UPCALLS_SEGMENTS];   /* ns */
	struct spread batch;             /* upcalls */
	/* The batch at hand. */
	uint64_t n, first, last, told;   /* ns; told 0: not yet */
	bool is_over;                    /* there were no more */
};

struct upcalls {
	VEC(struct upcalls_thread) threads;
	struct map of;                   /* tid -> index + 1 */
	uint64_t on_their_way;           /* raised, and neither read nor lost yet */
	uint64_t alone;                  /* ns: when the only one was raised; 0: it was not alone all the time */
	uint64_t untold;                 /* upcalls of batches of which the datapath was not told */
	uint64_t dropped;
};

void upcalls_deinit(struct upcalls *u);

/* The kernel raises one; it could not be queued. */
void upcalls_raise(struct upcalls *u, uint64_t time);
void upcalls_lose(struct upcalls *u);

/* 0 or -ENOMEM. got: there was one. */
int upcalls_read(struct upcalls *u, uint32_t tid, uint64_t time, bool got);

/* The datapath is told, and has been told; of threads that read none it is nothing. */
void upcalls_tell(struct upcalls *u, uint32_t tid, uint64_t time);
int upcalls_told(struct upcalls *u, uint32_t tid, uint64_t time);

/* Events were lost: batches at hand are none. */
void upcalls_break(struct upcalls *u);

/* Counts and times are forgotten. */
void upcalls_forget(struct upcalls *u);

#endif
