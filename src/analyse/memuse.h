/*
 * memuse.h - memory by allocation site: requested, allocated, and not freed yet.
 */
#ifndef ANALYSE_MEMUSE_H
#define ANALYSE_MEMUSE_H

#include "base/map.h"
#include "base/vec.h"

struct memuse_sum {
	uint64_t alloc, req;      /* bytes allocated, bytes requested */
};

struct memuse_place {
	uint32_t place;           /* the site, a number of the caller's */
	struct memuse_sum now, total, most;
};

struct memuse_piece {
	uint32_t place;           /* index in places */
	struct memuse_sum size;
};

struct memuse {
	VEC(struct memuse_place) places;
	VEC(struct memuse_piece) pieces;
	VEC(uint32_t) unused;     /* free indices of pieces */
	struct map by_place;      /* site -> index + 1 */
	struct map by_address;    /* address -> index of the piece + 1; 0: freed */
};

void memuse_deinit(struct memuse *m);

/* An allocation. If the free of an earlier one at this address was not seen, it is replaced. 0 or -ENOMEM. */
int memuse_take(struct memuse *m, uint32_t place, uint64_t address, struct memuse_sum size);

/* A free. If its allocation was not seen, it is ignored. */
void memuse_give(struct memuse *m, uint64_t address);

#endif
