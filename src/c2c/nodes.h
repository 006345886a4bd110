/*
 * nodes.h - the NUMA nodes of the recorded machine's CPUs and memory, from the sections NUMA_TOPOLOGY
 * (perf/topology.h) and, since perf 4.17,
 *
 *   MEM_TOPOLOGY   u64 version 1, u64 bytes of a block, u64 n; for each node u64 number, u64 blocks, a bitmap of the
 *                  blocks that are its: u64 bits, u64 words
 */
#ifndef C2C_NODES_H
#define C2C_NODES_H

#include "base/str.h"
#include "perf/head.h"

enum { C2C_NODES_MAX = 64 };     /* higher ones are not distinguished */

struct c2c_block {
	uint64_t start, end;     /* physical addresses */
	uint32_t node;           /* index */
};

struct c2c_nodes {
	size_t n;                /* at least 1: without information there is one node */
	uint32_t number[C2C_NODES_MAX];
	struct cpus cpus[C2C_NODES_MAX];
	VEC(struct c2c_block) blocks;   /* in order */
	size_t last;             /* block of the last address looked up */
};

/* 0 or -ENOMEM. */
int c2c_nodes_read(struct c2c_nodes *n, const struct perf_head *h);
void c2c_nodes_deinit(struct c2c_nodes *n);

/* The index of a node, or -1. */
int c2c_node_of_cpu(const struct c2c_nodes *n, uint32_t cpu);
int c2c_node_of_memory(struct c2c_nodes *n, uint64_t physical);

#endif
