/*
 * batch.h - a stretch of samples, copied, and what they add up to: a call tree of raw addresses. Nobody asks here what
 * an address is, so that a batch is added up by any thread, and each place of it is looked up once when that is done.
 *
 * Node 0's children are the groups that the samples were given with, everything below them are places (key: index in
 * places), outermost first. Nodes are in the order of the samples that were the first to need them.
 */
#ifndef ANALYSE_BATCH_H
#define ANALYSE_BATCH_H

#include "analyse/calltree.h"
#include "perf/sample.h"

/* An address in one of the caller's address spaces. */
struct batch_place {
	uint64_t ip;
	uint32_t space;
	uint8_t cpumode;
	bool returns;
};

struct batch_sample {
	const struct sample_layout *layout;   /* borrowed until the batch is cleared */
	const struct sample *sample;
	uint32_t group;
	uint32_t user, kernel;                /* the spaces that its addresses are in */
	uint64_t weight;
};

struct batch_memo {
	uint64_t hash;          /* of the chain, its spaces and the group */
	uint32_t node;          /* 0: free */
};

/* The last chain of a group: the next one mostly begins with the same callers. */
struct batch_path {
	uint32_t group, n;      /* n 0: none */
	uint32_t user, kernel;
	unsigned turn;          /* which of the two it is in; the next one goes into the other */
	struct chain_frame frame[2][CHAIN_MAX];   /* innermost first */
	uint32_t node[CHAIN_MAX];                 /* outermost first */
};

struct batch {
	uint64_t *words;        /* the samples */
	size_t n, cap;
	bool nowhere;           /* set it where no place is asked for: all samples of a group are at 0 */
	size_t max_frames;      /* innermost ones that count */
	size_t most_nodes;      /* so many, and there is no room for samples that are added up at once */
	struct calltree tree;
	VEC(struct batch_place) places;
	uint32_t *slot;         /* hash of a place: index + 1, 0: free */
	size_t slots;
	struct batch_memo *memo;
	struct batch_path *paths;
	bool failed;            /* there was no memory to add up all of it */
};

/* Room for this many bytes of samples. 0 or -ENOMEM. */
int batch_init(struct batch *b, size_t bytes, size_t max_frames);
void batch_deinit(struct batch *b);

/*
 * Take a sample in. False: there is no room, and the batch has others. Samples of which only the address counts are
 * added up at once.
 */
bool batch_put(struct batch *b, const struct batch_sample *s);

/* Add up what was taken in. */
void batch_run(struct batch *b);

/* Forget all samples; the memory stays for the next ones. */
void batch_clear(struct batch *b);

#endif
