/*
 * slabs.h - blocks of the kernel's slab allocator, added up by where they are allocated and by their address, as
 * `perf kmem stat` does.
 *
 * A block that was freed stays known until slabs_forget: a free of its address without an allocation in between (bulk
 * allocations tell nothing) is one more of the same size, as for perf.
 *
 * What is found of an event is rarely in a cache: it is asked for, and the event has its turn a few events later.
 */
#ifndef ANALYSE_SLABS_H
#define ANALYSE_SLABS_H

#include "base/slots.h"
#include "base/vec.h"

enum { SLABS_SITES = 1 << 16, SLABS_BLOCKS = 1 << 21 };   /* more are left out of the rows, and counted */

struct slabs_row {
	uint64_t at;                     /* the call's address, or the block's */
	uint64_t asked, given;           /* bytes */
	uint32_t hits;
	uint32_t moved;                  /* freed on another CPU than the one that allocated it */
};

struct slabs_block {
	struct slabs_row row;
	uint32_t site;                   /* that allocated it last */
	uint32_t size;                   /* then */
	int32_t cpu;                     /* then; -1: it is freed */
};

struct slabs_event {
	uint64_t site, block, asked, given;
	int32_t cpu;
	uint32_t row;                    /* of the block, as far as its hash tells; slabs.c sets it */
	bool elsewhere;
	bool is_free;
};

enum { SLABS_LATE = 16 };                /* a power of two */

struct slabs {
	struct slots of_site, of_block;  /* by address */
	VEC(struct slabs_row) sites;
	VEC(struct slabs_block) blocks;
	uint64_t allocs, asked, given, freed;   /* freed: bytes of blocks that are known */
	uint64_t elsewhere;              /* on another NUMA node than the CPU's */
	uint64_t dropped;
	struct slabs_event late[SLABS_LATE];    /* have not had their turn, a ring */
	unsigned first, n_late;
};

void slabs_deinit(struct slabs *s);

/* 0 or -ENOMEM. */
int slabs_alloc(struct slabs *s, const struct slabs_event *ev);
int slabs_free(struct slabs *s, uint64_t block, int32_t cpu);

/* All have had their turn: before rows and sums are looked at. 0 or -ENOMEM. */
int slabs_settle(struct slabs *s);

/* The next interval: sums begin anew, blocks that are not freed stay known. After slabs_settle. 0 or -ENOMEM. */
int slabs_forget(struct slabs *s);

/* How much of what was given nobody asked for, percent. */
static inline double slabs_waste(uint64_t asked, uint64_t given)
{
	return given ? 100 - 100 * (double)asked / (double)given : 0;
}

#endif
