/*
 * topology.h - socket, die, core and node of each CPU, from the feature sections of a recording (Linux tools/perf,
 * perf.data-file-format; perf 6.1):
 *
 *   CPU_TOPOLOGY   u32 n, n texts: lists of the CPUs of each socket; u32 n, n texts: of each core; for every CPU that
 *                  there may be (NRCPUS) u32 core, u32 socket; then, since perf 5.2, u32 n, n texts: of each die; for
 *                  every CPU u32 die
 *   NUMA_TOPOLOGY  u32 n, for each node u32 number, u64 KiB, u64 KiB free, a text: its CPUs
 */
#ifndef PERF_TOPOLOGY_H
#define PERF_TOPOLOGY_H

#include "perf/feature.h"

struct cpu_place {
	uint32_t socket, die, core, node;
	uint32_t cluster;              /* recordings do not have it */
};

struct cpu_places {
	VEC(struct cpu_place) v;       /* indexed by CPU */
};

struct topology_node {
	uint32_t node;
	uint64_t kib, free_kib;
	const char *cpus;              /* "0-3,8" */
};

/* The other contents of the two sections. Borrowed. */
struct topology_lists {
	const char *const *sockets, *const *cores, *const *dies;
	size_t n_sockets, n_cores, n_dies;
	const struct topology_node *nodes;
	size_t n_nodes;
};

void feature_topology(struct feature_set *s, const struct cpu_places *p, const struct topology_lists *l);

/* Skip one list of texts: u32 n, n texts. */
void topology_skip_lists(struct cursor *c);

/* Read the places from a recording; p stays empty when the sections are missing or damaged. 0 or -ENOMEM. */
int topology_read(struct cpu_places *p, const struct perf_head *h);
void cpu_places_deinit(struct cpu_places *p);

#endif
