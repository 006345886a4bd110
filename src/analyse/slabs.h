/*
 * slabs.h - allocations of the kernel's slab allocator, summed up by call site and by address, as `perf kmem stat`
 * does.
 *
 * A freed block stays known until slabs_forget(): another free of its address without an allocation in between (bulk
 * allocations have no event) counts as one of the same size, as in perf.
 *
 * The entries of an event are rarely in the CPU's cache: they are prefetched, and the event is processed a few events
 * later.
 */
#ifndef ANALYSE_SLABS_H
#define ANALYSE_SLABS_H

#include "base/slots.h"
#include "base/vec.h"

enum { SLABS_SITES = 1 << 16, SLABS_BLOCKS = 1 << 21 };   /* limits of rows; more are counted only */

struct slabs_row {
	uint64_t at;                     /* address of the call site, or of the block */
	uint64_t asked, given;           /* bytes requested, bytes allocated */
	uint32_t hits;
	uint32_t moved;                  /* blocks freed on another CPU than the one of their allocation */
};

struct slabs_block {
	struct slabs_row row;
	uint32_t site;                   /* call site of the last allocation */
	uint32_t size;                   /* its size, bytes */
	int32_t cpu;                     /* its CPU; -1: the block is freed */
};

struct slabs_event {
	uint64_t site, block, asked, given;
	int32_t cpu;
	uint32_t row;                    /* set by slabs.c: row of the block, by its hash only */
	bool elsewhere;
	bool is_free;
};

enum { SLABS_LATE = 16 };                /* a power of two */

struct slabs {
	struct slots of_site, of_block;  /* by address */
	VEC(struct slabs_row) sites;
	VEC(struct slabs_block) blocks;
	uint64_t allocs, asked, given, freed;   /* freed: bytes of known blocks */
	uint64_t elsewhere;              /* allocations on another NUMA node than the CPU's */
	uint64_t dropped;
	struct slabs_event late[SLABS_LATE];    /* ring of events not processed yet */
	unsigned first, n_late;
};

void slabs_deinit(struct slabs *s);

/* 0 or -ENOMEM. */
int slabs_alloc(struct slabs *s, const struct slabs_event *ev);
int slabs_free(struct slabs *s, uint64_t block, int32_t cpu);

/* Process all pending events; to be called before reading rows and sums. 0 or -ENOMEM. */
int slabs_settle(struct slabs *s);

/* Start the next interval: sums are reset, allocated blocks stay known. After slabs_settle(). 0 or -ENOMEM. */
int slabs_forget(struct slabs *s);

/* Internal fragmentation: percent of the allocated bytes that were not requested. */
static inline double slabs_waste(uint64_t asked, uint64_t given)
{
	return given ? 100 - 100 * (double)asked / (double)given : 0;
}

#endif
