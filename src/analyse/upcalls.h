/*
 * upcalls.h - times of threads that handle upcalls in batches: they read some, one after the other, look up the actions
 * of their flows, and install all these flows in the datapath with one call.
 *
 *	wait      from the kernel raising an upcall to its being read, only if no other upcall was pending, since
 *	          otherwise it is unknown which one was read
 *	receive   from the first upcall of a batch to the last one
 *	decide    from then on until the call of the datapath
 *	install   that call
 *	total     receive + decide + install
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
	uint64_t upcalls, reads;         /* reads: including those that returned no upcall */
	struct spread segments[UPCALLS_SEGMENTS];   /* ns */
	struct spread batch;             /* upcalls per batch */
	/* The current batch. */
	uint64_t n, first, last, told;   /* n upcalls; ns; told: start of the call of the datapath, 0: not yet */
	bool is_over;                    /* a read has returned no upcall */
};

struct upcalls {
	VEC(struct upcalls_thread) threads;
	struct map of;                   /* tid -> index + 1 */
	uint64_t on_their_way;           /* pending: raised, and neither read nor lost yet */
	uint64_t alone;                  /* ns: when the only pending one was raised; 0: there were others */
	uint64_t untold;                 /* upcalls of batches without a call of the datapath */
	uint64_t dropped;
};

void upcalls_deinit(struct upcalls *u);

/* The kernel raises an upcall; an upcall could not be queued. */
void upcalls_raise(struct upcalls *u, uint64_t time);
void upcalls_lose(struct upcalls *u);

/* A thread has tried to read an upcall; got: it has read one. 0 or -ENOMEM. */
int upcalls_read(struct upcalls *u, uint32_t tid, uint64_t time, bool got);

/* Start and end of the call of the datapath; ignored for threads that have read no upcall. */
void upcalls_tell(struct upcalls *u, uint32_t tid, uint64_t time);
int upcalls_told(struct upcalls *u, uint32_t tid, uint64_t time);

/* Events were lost: discard current batches. */
void upcalls_break(struct upcalls *u);

/* Reset counts and times. */
void upcalls_forget(struct upcalls *u);

#endif
