/*
 * machine.h - the long parts of a recording's description of its machine, as comment lines in perf's layout. Without
 * `full` one line says that the part exists.
 */
#ifndef CMD_REPORT_MACHINE_H
#define CMD_REPORT_MACHINE_H

#include "base/fmt.h"
#include "perf/head.h"

void report_topology(const struct perf_head *h, bool full, struct out *o);   /* CPUs, and NUMA nodes */
void report_caches(const struct perf_head *h, bool full, struct out *o);
void report_memory(const struct perf_head *h, bool full, struct out *o);     /* memory blocks of each node */

#endif
