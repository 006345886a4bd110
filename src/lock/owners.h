/*
 * owners.h - the owners of contended locks, as read by a BPF program (bpf/lockowner.h), kept until the events of these
 * waits arrive: events are merged from all rings in time order, and so arrive later.
 */
#ifndef LOCK_OWNERS_H
#define LOCK_OWNERS_H

#include "analyse/contention.h"
#include "bpf/lockowner.h"

enum { OWNERS_KEPT = 1 << 16, OWNERS_BUCKETS = 1 << 10, OWNERS_STACKS = 1 << 14 };

/*
 * Rows for unknown owners, the most informative last: nothing was read, for lack of room; the lock has no owner or does
 * not record it; readers.
 */
#define OWNERS_UNREAD UINT32_MAX
#define OWNERS_UNKNOWN (UINT32_MAX - 1)
#define OWNERS_READERS (UINT32_MAX - 2)

/* Stacks that are none, beside ids of `stacks`. */
#define OWNERS_NO_STACK UINT32_MAX
#define OWNERS_RUNS (UINT32_MAX - 1)     /* the owner did */

struct owners {
	struct lockowner program;
	struct names stacks;             /* addresses, innermost first */
	uint64_t stacks_left_out;        /* there were too many */
	struct owners_kept *kept;        /* the n-th in the place of the one OWNERS_KEPT before it */
	const struct cpus *cpus;         /* those of whose events come; NULL: all */
	uint32_t n;
	uint32_t first[OWNERS_BUCKETS], last[OWNERS_BUCKETS];   /* by who waits, in the order of their coming; + 1 */
	struct lockowner_rec found;
	uint32_t found_stack;            /* of what was taken last */
};

int owners_open(struct owners *o, const struct lockowner_want *w, struct err *e);
void owners_close(struct owners *o);

/*
 * The last owner read for a thread and lock up to this event of the two; older entries are of no further use. NULL:
 * none. Valid until the next call. In between the thread may wait for other locks, such as the spinlock in an rwsem.
 *
 * The program runs before the event is recorded, unless another process had opened the event earlier: then it runs
 * after it, and what it read belongs to the previous event. OWNERS_FRESH: only what was read right before this event.
 */
enum owners_when { OWNERS_FRESH, OWNERS_ANY };
const struct lockowner_rec *owners_take(struct owners *o, const struct contention_event *ev, enum owners_when when);

/* The number of its row: the owner's thread ID, or one of the above. flags: from contention_begin. */
uint32_t owners_row(const struct owners *o, const struct lockowner_rec *rec, uint32_t flags);

#endif
