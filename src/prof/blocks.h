/*
 * blocks.h - memory from the event that allocates it to the one that frees it, by address; added up by where it was
 * allocated.
 *
 * An allocator whose call tells the size and whose return tells the address (malloc by uprobe and uretprobe) has two
 * events: one with size= alone, one with ptr= alone, which belong together when one thread does them, the newest first.
 */
#ifndef PROF_BLOCKS_H
#define PROF_BLOCKS_H

#include "analyse/spans.h"
#include "prof/prof.h"
#include "prof/stacks.h"

enum { BLOCKS_MAX = 1 << 20, BLOCKS_ASKED = 1 << 16 };

enum blocks_role { BLOCKS_ALLOC, BLOCKS_ASK, BLOCKS_GET, BLOCKS_FREE };

/* Where memory comes from. */
struct blocks_row {
	uint32_t tap, stack, comm;       /* comm: NAMES_NONE where rows are not by it */
	uint64_t allocs, alloc_bytes;    /* of the interval */
	uint64_t frees, free_bytes;      /* of those that it allocated, in the interval */
};

/* What is not freed. */
struct blocks_held {
	uint64_t n, bytes;
	uint64_t doubtful;               /* of n: events were lost since, which may have been their frees */
	uint64_t oldest;                 /* when it was allocated, ns; 0: there is none */
};

struct blocks_stats {
	uint64_t allocs, frees, alloc_bytes, free_bytes;    /* of the interval, with a block */
	uint64_t unknown;                /* frees of blocks that nobody was seen to allocate */
	uint64_t twice;                  /* allocations of a block that was there: its free was lost */
	uint64_t unsized;                /* addresses without the call that told the size */
	uint64_t failed;                 /* allocations that gave nothing */
	uint64_t unreadable;             /* events without address or size */
	uint64_t dropped;                /* too many at a time */
};

struct blocks {
	struct prof *prof;
	struct prof_stacks stacks;
	const struct texpr **ptr, **size;
	uint8_t *role;                   /* by tap: enum blocks_role */
	bool by_comm;
	struct spans open, asked;
	struct names ids, comms;         /* ids: of tap, stack and comm a row */
	VEC(struct blocks_row) rows;
	struct blocks_stats stats;
};

/*
 * The feed is open. `frees`: is it an event of those that free? -EINVAL: an event lacks ptr= or size=.
 */
int blocks_open(struct blocks *b, struct prof *p, bool (*frees)(const struct prof *p, const struct spec *s),
		struct err *e);
void blocks_close(struct blocks *b);

/* For prepare: -k stands for the block where nothing else does; not of a half that tells the size alone. */
void blocks_keys(struct prof *p, bool (*frees)(const struct prof *p, const struct spec *s));

int blocks_hit(struct blocks *b, const struct hit *h);       /* 0 or -ENOMEM */
int blocks_lost(struct blocks *b, uint32_t cpu);

/* Of each row what it holds, of blocks that are older than that at the time `now`; malloc'ed. NULL: no memory. */
struct blocks_held *blocks_held(const struct blocks *b, uint64_t now, uint64_t older);

/* What is not in the rows, a line each. */
void blocks_put_rest(const struct blocks *b, struct out *o);

/* "    ADDR NAME (OBJECT)" for each frame, or the event where there is no stack. */
void blocks_put_place(struct blocks *b, const struct blocks_row *r, struct out *o);

/* The next interval: sums begin anew, blocks stay. */
void blocks_next(struct blocks *b);

#endif
