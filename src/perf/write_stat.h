/*
 * write_stat.h - the records of a recording of counts (perf stat record), see tools/lib/perf/include/perf/event.h of
 * Linux; record/stat_file.c, which reads them, describes their layout. Host byte order.
 */
#ifndef PERF_WRITE_STAT_H
#define PERF_WRITE_STAT_H

#include "perf/write.h"

/* How counts are aggregated, numbered as in perf 5.5 to 6.4; the last two exist in later versions only. */
enum perf_sums {
	PERF_SUMS_CPU, PERF_SUMS_ALL, PERF_SUMS_SOCKET, PERF_SUMS_DIE, PERF_SUMS_CORE, PERF_SUMS_THREAD,
	PERF_SUMS_UNSET, PERF_SUMS_NODE, PERF_SUMS_CACHE, PERF_SUMS_CLUSTER,
};

/* THREAD_MAP: the threads that were counted; at most PERF_THREADS_MAX fit into one record. tid -1: any. */
struct perf_stat_thread {
	uint64_t tid;
	char comm[16];
};

enum { PERF_THREADS_MAX = 2700 };

void perf_write_threads(struct out *o, const struct perf_stat_thread *v, size_t n);

/* cpus NULL: any. */
void perf_write_cpus(struct out *o, const struct cpus *cpus);

/* PERF_UPDATE_SCALE and _CPUS; for the others see perf_write_update_text(). */
void perf_write_update_scale(struct out *o, uint64_t id, double scale);
void perf_write_update_cpus(struct out *o, uint64_t id, const struct cpus *cpus);

void perf_write_stat_config(struct out *o, enum perf_sums sums, uint64_t interval_ms);

/* A count since the start; times in ns. */
struct perf_stat_count {
	uint64_t id;
	int cpu;               /* -1: any */
	uint32_t thread;       /* index in the list of perf_write_threads() */
	uint64_t value, enabled, running;
};

void perf_write_stat(struct out *o, const struct perf_stat_count *c);

enum perf_stat_round { PERF_STAT_INTERVAL, PERF_STAT_FINAL };

/* STAT_ROUND: all counts of this round are written; ns: time since the start. */
void perf_write_stat_round(struct out *o, enum perf_stat_round what, uint64_t ns);

#endif
