/*
 * machine.h - what a recording tells of its machine and may be long, as comment lines in perf's layout. Without
 * `full` a line says that it is there.
 */
#ifndef CMD_REPORT_MACHINE_H
#define CMD_REPORT_MACHINE_H

#include "base/fmt.h"
#include "perf/head.h"

void report_topology(const struct perf_head *h, bool full, struct out *o);   /* CPUs, and memory close to them */
void report_caches(const struct perf_head *h, bool full, struct out *o);
void report_memory(const struct perf_head *h, bool full, struct out *o);     /* the blocks of each node */

#endif
