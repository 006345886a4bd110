/*
 * nodes.h - the NUMA nodes of the recorded machine's CPUs and memory, from the feature sections NUMA_TOPOLOGY
 * (perf/topology.h) and, since perf 4.17,
 *
 *   MEM_TOPOLOGY   u64 version 1, u64 bytes of a block, u64 n; for each node u64 number, u64 blocks, a bitmap of the
 *                  node's blocks: u64 number of bits, u64 words
 */
#ifndef C2C_NODES_H
#define C2C_NODES_H

#include "base/str.h"
#include "perf/head.h"

enum { C2C_NODES_MAX = 64 };     /* as a set of nodes is a u64; further nodes are ignored */

struct c2c_block {
	uint64_t start, end;     /* physical addresses */
	uint32_t node;           /* index in c2c_nodes */
};

struct c2c_nodes {
	size_t n;                /* at least 1: without NUMA_TOPOLOGY, node 0 has all CPUs */
	uint32_t number[C2C_NODES_MAX]; /* the kernel's number of each node */
	struct cpus cpus[C2C_NODES_MAX];
	VEC(struct c2c_block) blocks;   /* ascending */
	size_t last;             /* index of the block in which the last address was found */
};

/* 0 or -ENOMEM. */
int c2c_nodes_read(struct c2c_nodes *n, const struct perf_head *h);
void c2c_nodes_deinit(struct c2c_nodes *n);

/* Index of the node of a CPU, or of a physical address; -1: unknown. */
int c2c_node_of_cpu(const struct c2c_nodes *n, uint32_t cpu);
int c2c_node_of_memory(struct c2c_nodes *n, uint64_t physical);

#endif
