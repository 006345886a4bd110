/*
 * spe_buffers.h - locate the buffers of Arm's Statistical Profiling Extension (SPE) in a recording, and read its clock
 * and cores: AUXTRACE_INFO, AUXTRACE and TIME_CONV records, as perf record writes them.
 */
#ifndef SOURCE_SPE_BUFFERS_H
#define SOURCE_SPE_BUFFERS_H

#include "base/map.h"
#include "perf/file.h"
#include "spe/record.h"

struct spe_buffer {
	uint64_t off, n;         /* its place in the file */
	uint64_t base;           /* position of its first byte in the AUX area */
};

/* The trace of one AUX area: of a CPU, or of a thread. */
struct spe_queue {
	uint32_t tid, cpu;       /* UINT32_MAX: any */
	VEC(struct spe_buffer) buffers;
	size_t next;             /* index of the next buffer */
	struct spe_stream stream;
	struct spe_record record;   /* the next record */
	uint64_t passed;         /* records since the last sample of the event "instructions" */
	uint64_t newest;         /* highest time of its records so far */
	uint32_t at_tid, at_pid; /* task of `record` */
};

/* Ticks of the generic timer to perf's ns (linux/perf_event.h: perf_event_mmap_page). */
struct spe_clock {
	uint64_t shift, mult, zero, cycles, mask;
	bool is_short;           /* cap_user_time_short: the counter wraps; cycles and mask are valid */
};

struct spe_buffers {
	VEC(struct spe_queue) queues;
	struct map by_idx;       /* idx of AUXTRACE records -> queue */
	struct map midrs;        /* CPU -> its MIDR_EL1 */
	uint64_t midr;           /* of CPUs that `midrs` lacks; 0: unknown */
	struct spe_clock clock;
	uint32_t pmu;            /* PMU type of the SPE event */
	bool found;
};

/* *b must be zeroed. 0 or -ENOMEM; b->found: there are buffers that can be decoded. */
int spe_buffers_find(struct spe_buffers *b, const struct perf_file *file);
void spe_buffers_deinit(struct spe_buffers *b);

uint64_t spe_clock_ns(const struct spe_clock *c, uint64_t ticks);
uint64_t spe_buffers_midr(const struct spe_buffers *b, uint32_t cpu);

#endif
