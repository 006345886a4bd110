/*
 * batch.h - copies of a number of samples, and their sum: a call tree of raw addresses. No address is looked up here,
 * so any thread can sum up a batch; afterwards each distinct place is resolved once.
 *
 * Node 0's children are the groups of the samples, all nodes below them are places (key: index in places), outermost
 * first. Nodes are in the order in which samples first needed them.
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
	uint32_t user, kernel;                /* address spaces of its addresses, numbered by the caller */
	uint64_t weight;
};

struct batch_memo {
	uint64_t hash;          /* of the chain, its address spaces and the group */
	uint32_t node;          /* 0: free */
};

/* The last chain of a group: the next one mostly begins with the same callers. */
struct batch_path {
	uint32_t group, n;      /* n 0: none */
	uint32_t user, kernel;
	unsigned turn;          /* index in `frame` of the last chain; the next one goes into the other */
	struct chain_frame frame[2][CHAIN_MAX];   /* innermost first */
	uint32_t node[CHAIN_MAX];                 /* outermost first */
};

struct batch {
	uint64_t *words;        /* the samples */
	size_t n, cap;
	bool nowhere;           /* set by the caller if addresses do not matter: all samples are at address 0 */
	size_t max_frames;      /* use so many innermost frames */
	size_t most_nodes;      /* limit of nodes for samples that are summed up at once */
	struct calltree tree;
	VEC(struct batch_place) places;
	uint32_t *slot;         /* hash of a place: index + 1, 0: free */
	size_t slots;
	struct batch_memo *memo;
	struct batch_path *paths;
	bool failed;            /* no memory while summing up */
};

/* Room for this many bytes of samples. 0 or -ENOMEM. */
int batch_init(struct batch *b, size_t bytes, size_t max_frames);
void batch_deinit(struct batch *b);

/*
 * Add a sample. False: no room, and the batch is not empty. Samples without a chain (max_frames 1) are summed up at
 * once.
 */
bool batch_put(struct batch *b, const struct batch_sample *s);

/* Sum up the samples. */
void batch_run(struct batch *b);

/* Forget all samples; the memory stays for the next ones. */
void batch_clear(struct batch *b);

#endif
