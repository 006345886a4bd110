/*
 * owners.h - who has the locks that tasks begin to wait for, as a program has read it (bpf/lockowner.h), until the
 * events of these waits come: of all rings, by time, and so later.
 */
#ifndef LOCK_OWNERS_H
#define LOCK_OWNERS_H

#include "analyse/contention.h"
#include "bpf/lockowner.h"

enum { OWNERS_KEPT = 1 << 16, OWNERS_BUCKETS = 1 << 10 };

/* Rows of whom nobody can name. */
#define OWNERS_UNKNOWN UINT32_MAX
#define OWNERS_READERS (UINT32_MAX - 1)

struct owners {
	struct lockowner program;
	struct owners_kept *kept;        /* the n-th in the place of the one OWNERS_KEPT before it */
	uint32_t n;
	uint32_t first[OWNERS_BUCKETS], last[OWNERS_BUCKETS];   /* by who waits, in the order of their coming; + 1 */
	struct lockowner_rec found;
	uint64_t missing;                /* waits for locks that tell, of which nothing was read */
};

int owners_open(struct owners *o, const struct lockowner_want *w, struct err *e);
void owners_close(struct owners *o);

/*
 * Of an event at which a wait begins; of any other: what was read before it is of no use any more. NULL: nothing is
 * known of it; until the next call.
 */
const struct lockowner_rec *owners_take(struct owners *o, const struct contention_event *ev);

/* The number for its row: the owner's, or one of the above. flags: of contention_begin. */
uint32_t owners_row(struct owners *o, const struct lockowner_rec *rec, uint32_t flags);

#endif
