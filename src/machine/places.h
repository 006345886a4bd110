/* places.h - where this machine's CPUs are: sockets, dies, cores, clusters, nodes, from sysfs. */
#ifndef MACHINE_PLACES_H
#define MACHINE_PLACES_H

#include "perf/topology.h"
#include "sys/sys.h"

/* What sysfs does not tell, or negative (older arm64 kernels), is 0. */
void cpu_place_read(struct cpu_place *p, const struct sys *sys, int cpu);

/* CPU_TOPOLOGY and NUMA_TOPOLOGY, for readers that sum up by cores, dies, sockets, nodes. 0 or -ENOMEM. */
int facts_places(struct feature_set *f, const struct sys *sys);

#endif
