/*
 * spe_buffers.h - where a recording has the buffers of Arm's statistical profiling extension, and what it says of its
 * clock and cores: AUXTRACE_INFO, AUXTRACE and TIME_CONV records, as perf record writes them.
 */
#ifndef SOURCE_SPE_BUFFERS_H
#define SOURCE_SPE_BUFFERS_H

#include "base/map.h"
#include "perf/file.h"
#include "spe/record.h"

struct spe_buffer {
	uint64_t off, n;         /* in the file */
	uint64_t base;           /* of its first byte in the tracer's buffer */
};

/* One tracer: of a CPU, or of a thread. */
struct spe_queue {
	uint32_t tid, cpu;       /* UINT32_MAX: of all */
	VEC(struct spe_buffer) buffers;
	size_t next;             /* buffer */
	struct spe_stream stream;
	struct spe_record record;   /* the next one */
	uint64_t passed;         /* records since the last sample of instructions */
	uint64_t newest;         /* time of its records so far */
	uint32_t at_tid, at_pid; /* of that record */
};

/* Ticks of the generic timer to perf's ns (linux/perf_event.h: perf_event_mmap_page). */
struct spe_clock {
	uint64_t shift, mult, zero, cycles, mask;
	bool is_short;           /* the counter wraps: `mask` of it are told */
};

struct spe_buffers {
	VEC(struct spe_queue) queues;
	struct map by_idx;       /* the recorder's number -> queue */
	struct map midrs;        /* CPU -> its MIDR */
	uint64_t midr;           /* of CPUs that are not among them; 0: unknown */
	struct spe_clock clock;
	uint32_t pmu;            /* type of the event that they are of */
	bool found;
};

/* b is all zero. 0 or -ENOMEM; b->found: there are some that can be read. */
int spe_buffers_find(struct spe_buffers *b, const struct perf_file *file);
void spe_buffers_deinit(struct spe_buffers *b);

uint64_t spe_clock_ns(const struct spe_clock *c, uint64_t ticks);
uint64_t spe_buffers_midr(const struct spe_buffers *b, uint32_t cpu);

#endif
