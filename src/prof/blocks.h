/*
 * blocks.h - blocks of memory from their allocation to their free, matched by address, and summed up by the place of
 * the allocation.
 *
 * An allocator whose call has the size and whose return has the address (malloc by uprobe and uretprobe) is two events:
 * one with size= alone, one with ptr= alone. They are matched by thread, the newest call first.
 */
#ifndef PROF_BLOCKS_H
#define PROF_BLOCKS_H

#include "analyse/spans.h"
#include "prof/prof.h"
#include "prof/stacks.h"

enum { BLOCKS_MAX = 1 << 20, BLOCKS_ASKED = 1 << 16 };

enum blocks_role { BLOCKS_ALLOC, BLOCKS_ASK, BLOCKS_GET, BLOCKS_FREE };

/* A place that allocates memory. */
struct blocks_row {
	uint32_t tap, stack, comm;       /* comm: NAMES_NONE unless rows are by command name */
	uint64_t allocs, alloc_bytes;    /* in this interval */
	uint64_t frees, free_bytes;      /* of blocks allocated by this row, freed in this interval */
};

/* Blocks not freed. */
struct blocks_held {
	uint64_t n, bytes;
	uint64_t doubtful;               /* of n: events were lost since, and the free may be among them */
	uint64_t oldest;                 /* time of the oldest allocation, ns; 0: none */
};

struct blocks_stats {
	uint64_t allocs, frees, alloc_bytes, free_bytes;    /* in this interval, of known blocks */
	uint64_t unknown;                /* frees of blocks whose allocation was not seen */
	uint64_t twice;                  /* allocations at the address of an open block: its free was lost */
	uint64_t unsized;                /* returns without the call that has the size */
	uint64_t failed;                 /* allocations that returned NULL */
	uint64_t unreadable;             /* events without address or size */
	uint64_t dropped;                /* blocks beyond the limit */
};

struct blocks {
	struct prof *prof;
	struct prof_stacks stacks;
	const struct texpr **ptr, **size;
	uint8_t *role;                   /* enum blocks_role, by tap */
	bool by_comm;
	struct spans open, asked;
	struct names ids, comms;         /* ids: (tap, stack, comm) of each row */
	VEC(struct blocks_row) rows;
	struct blocks_stats stats;
};

/* Call when the feed is open. `frees`: is it an event that frees? -EINVAL: an event lacks ptr= or size=. */
int blocks_open(struct blocks *b, struct prof *p, bool (*frees)(const struct prof *p, const struct spec *s),
		struct err *e);
void blocks_close(struct blocks *b);

/*
 * For prof_kind.prepare: -k becomes the block's address where none is given; not for an event that only has the size.
 */
void blocks_keys(struct prof *p, bool (*frees)(const struct prof *p, const struct spec *s));

int blocks_hit(struct blocks *b, const struct hit *h);       /* 0 or -ENOMEM */
int blocks_lost(struct blocks *b, uint32_t cpu);

/* For each row the blocks that it holds at `now` and that are older than `older`; malloc'ed. NULL: no memory. */
struct blocks_held *blocks_held(const struct blocks *b, uint64_t now, uint64_t older);

/* Print what no row includes, a line each. */
void blocks_put_rest(const struct blocks *b, struct out *o);

/* Print "    ADDR NAME (OBJECT)" for each frame, or the event if there is no stack. */
void blocks_put_place(struct blocks *b, const struct blocks_row *r, struct out *o);

/* Start the next interval: sums are reset, blocks stay. */
void blocks_next(struct blocks *b);

#endif
