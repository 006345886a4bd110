/*
 * owners.h - who has the locks that tasks begin to wait for, as a program has read it (bpf/lockowner.h), until the
 * events of these waits come: of all rings, by time, and so later.
 */
#ifndef LOCK_OWNERS_H
#define LOCK_OWNERS_H

#include "analyse/contention.h"
#include "bpf/lockowner.h"

enum { OWNERS_KEPT = 1 << 16, OWNERS_BUCKETS = 1 << 10, OWNERS_STACKS = 1 << 14 };

/*
 * Rows of whom nobody can name, the best last: nothing was read, for want of room; the lock has nobody, or never tells
 * whom; readers.
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
 * The last that was read of a lock for a thread until this event of both; what is older is of no use any more. NULL:
 * nothing; until the next call. Meanwhile the thread may wait for others, as for the spinlock within an rwsem.
 *
 * The program runs in front of the event, unless somebody else had opened the event before: then it runs behind it, and
 * what it read belongs to the event before. OWNERS_FRESH: what was read in front of this one alone.
 */
enum owners_when { OWNERS_FRESH, OWNERS_ANY };
const struct lockowner_rec *owners_take(struct owners *o, const struct contention_event *ev, enum owners_when when);

/* The number for its row: the owner's, or one of the above. flags: of contention_begin. */
uint32_t owners_row(const struct owners *o, const struct lockowner_rec *rec, uint32_t flags);

#endif
