/* places.h - topology of this machine's CPUs from sysfs: sockets, dies, cores, clusters, nodes. */
#ifndef MACHINE_PLACES_H
#define MACHINE_PLACES_H

#include "perf/topology.h"
#include "sys/sys.h"

/* Missing values, and negative ones (older arm64 kernels), are read as 0. */
void cpu_place_read(struct cpu_place *p, const struct sys *sys, int cpu);

/* Write CPU_TOPOLOGY and NUMA_TOPOLOGY, for readers that aggregate by core, die, socket or node. 0 or -ENOMEM. */
int facts_places(struct feature_set *f, const struct sys *sys);

#endif
