/*
 * memuse.h - memory that places in the code have asked for, what they got, and what of it they still hold.
 */
#ifndef ANALYSE_MEMUSE_H
#define ANALYSE_MEMUSE_H

#include "base/map.h"
#include "base/vec.h"

struct memuse_sum {
	uint64_t alloc, req;      /* bytes: given, asked for */
};

struct memuse_place {
	uint32_t place;           /* the caller's number */
	struct memuse_sum now, total, most;
};

struct memuse_piece {
	uint32_t place;           /* index of its place */
	struct memuse_sum size;
};

struct memuse {
	VEC(struct memuse_place) places;
	VEC(struct memuse_piece) pieces;
	VEC(uint32_t) unused;     /* of the pieces */
	struct map by_place;      /* index + 1 */
	struct map by_address;    /* index + 1 of the piece; 0: it was freed */
};

void memuse_deinit(struct memuse *m);

/* 0 or -ENOMEM. An address that was not freed in between belongs to the new place from now on. */
int memuse_take(struct memuse *m, uint32_t place, uint64_t address, struct memuse_sum size);

/* One that was taken before the recording began is passed over. */
void memuse_give(struct memuse *m, uint64_t address);

#endif
