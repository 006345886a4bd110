/*
 * timeline.h - the hits of the last while, whole, in a fixed number of bytes: what stands between two events is shown
 * from it. The oldest go when there is no room.
 */
#ifndef ENGINE_TIMELINE_H
#define ENGINE_TIMELINE_H

#include "engine/hit.h"

struct timeline_item {
	uint64_t seq;
	uint64_t key;
	struct hit hit;                  /* its sample has no more than what lines need */
	struct sample sample;
};

enum { TIMELINE_MARKS = 4096, TIMELINE_STEP = 64 };

struct timeline {
	uint8_t *bytes;
	size_t cap;
	uint64_t head, tail;             /* bytes ever written, and the first that is still there */
	uint64_t first, next;            /* numbers of the oldest hit, and of the one to come */
	uint64_t marks[TIMELINE_MARKS];  /* where every so many-th stands */
};

enum { TIMELINE_BYTES = 16 << 20 };

int timeline_open(struct timeline *t, size_t bytes);   /* 0 or -ENOMEM */
void timeline_close(struct timeline *t);

/* Its number. Larger than the whole: it is not kept. */
uint64_t timeline_add(struct timeline *t, const struct hit *h, uint64_t key);

/*
 * Walk: w is zeroed at first. From the hit `seq` on, or the oldest that is there. False: there are no more. The item's
 * bytes are borrowed until the next timeline_add.
 */
struct timeline_walk {
	uint64_t at;
	bool begun;
};
bool timeline_next(const struct timeline *t, struct timeline_walk *w, uint64_t seq, struct timeline_item *item);

#endif
