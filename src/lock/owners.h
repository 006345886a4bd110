/*
 * owners.h - the owners of contended locks, as read by a BPF program (bpf/lockowner.h), kept until the events of these
 * waits arrive: the samples of all rings are merged by time, and so arrive later than the program's records.
 */
#ifndef LOCK_OWNERS_H
#define LOCK_OWNERS_H

#include "analyse/contention.h"
#include "bpf/lockowner.h"

enum { OWNERS_KEPT = 1 << 16, OWNERS_BUCKETS = 1 << 10, OWNERS_STACKS = 1 << 14 };

/*
 * Rows for waits without a known owner: the owner was not read (no room in a buffer, or a fault); the lock had none, or
 * its type does not record it; readers own the lock. The lower the value, the more it tells.
 */
#define OWNERS_UNREAD UINT32_MAX
#define OWNERS_UNKNOWN (UINT32_MAX - 1)
#define OWNERS_READERS (UINT32_MAX - 2)

/* Values of found_stack other than ids of `stacks`: no stack was read; ... */
#define OWNERS_NO_STACK UINT32_MAX
#define OWNERS_RUNS (UINT32_MAX - 1)     /* ... for the owner was running */

struct owners {
	struct lockowner program;
	struct names stacks;             /* addresses, innermost first */
	uint64_t stacks_left_out;        /* owners' stacks beyond OWNERS_STACKS */
	struct owners_kept *kept;        /* a ring: record n is at n % OWNERS_KEPT */
	const struct cpus *cpus;         /* keep only records of these CPUs; NULL: all */
	uint32_t n;                      /* records kept so far */
	uint32_t first[OWNERS_BUCKETS], last[OWNERS_BUCKETS];   /* lists by hash of the waiting tid: index + 1 */
	struct lockowner_rec found;      /* result of owners_take() */
	uint32_t found_stack;            /* and its stack: id of `stacks`, or one of the above */
};

int owners_open(struct owners *o, const struct lockowner_want *w, struct err *e);
void owners_close(struct owners *o);

/*
 * The last record for the event's thread and lock that is not later than the event; older ones of both are dropped.
 * NULL: none. Valid until the next call. Records of other locks stay: while a thread waits for an rwsem, it may also
 * wait for the spinlock in it.
 *
 * The program runs before the event is recorded, unless another process had opened the event earlier: then the program
 * runs after it, and the last record is that of the previous wait. OWNERS_FRESH: only a record from right before this
 * event.
 */
enum owners_when { OWNERS_FRESH, OWNERS_ANY };
const struct lockowner_rec *owners_take(struct owners *o, const struct contention_event *ev, enum owners_when when);

/* The owner for a row: a tid, or OWNERS_READERS, ...; rec NULL: no record was found. flags: from contention_begin. */
uint32_t owners_row(const struct owners *o, const struct lockowner_rec *rec, uint32_t flags);

#endif
