/*
 * timeline.h - copies of the latest hits in a buffer of fixed size, to show what happened between two events. The
 * oldest are dropped when it is full.
 */
#ifndef ENGINE_TIMELINE_H
#define ENGINE_TIMELINE_H

#include "engine/hit.h"

struct timeline_item {
	uint64_t seq;
	uint64_t key;
	struct hit hit;                  /* its sample has only the fields that line.h needs */
	struct sample sample;
};

enum { TIMELINE_MARKS = 4096, TIMELINE_STEP = 64 };

struct timeline {
	uint8_t *bytes;
	size_t cap;
	uint64_t head, tail;             /* positions: bytes ever written, and the oldest hit */
	uint64_t first, next;            /* numbers of the oldest and of the next hit */
	uint64_t marks[TIMELINE_MARKS];  /* position of each TIMELINE_STEP-th hit */
};

enum { TIMELINE_BYTES = 16 << 20 };

int timeline_open(struct timeline *t, size_t bytes);   /* 0 or -ENOMEM */
void timeline_close(struct timeline *t);

/* Add a hit; returns its number. A hit larger than the whole buffer is not kept. */
uint64_t timeline_add(struct timeline *t, const struct hit *h, uint64_t key);

/*
 * Walk from hit `seq` on, or from the oldest kept one; zero *w first. False: no more. The item's bytes are borrowed
 * until the next timeline_add().
 */
struct timeline_walk {
	uint64_t at;
	bool begun;
};
bool timeline_next(const struct timeline *t, struct timeline_walk *w, uint64_t seq, struct timeline_item *item);

#endif
