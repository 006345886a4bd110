/* write_stat.c - records of counts. Every size is a multiple of 8. */
#include "perf/write_stat.h"

#include "perf/write_parts.h"

enum { REC = sizeof(struct perf_rec), WORD = sizeof(uint64_t) };
enum { CONFIG_SUMS, CONFIG_INTERVAL, CONFIG_SCALE, CONFIGS };

void perf_write_threads(struct out *o, const struct perf_stat_thread *v, size_t n)
{
	n = MIN(n, (size_t)PERF_THREADS_MAX);
	write_rec(o, PERF_REC_THREAD_MAP, 0, REC + WORD + n * sizeof(*v));
	write_u64(o, n);
	out_bytes(o, v, n * sizeof(*v));
}

/* u16 0 (kind: a list), u16 count, a u16 for each CPU; 65535 means any. */
static size_t list_size(const struct cpus *cpus)
{
	return ALIGN_UP((2 + (cpus ? cpus_count(cpus) : 1)) * sizeof(uint16_t), (size_t)WORD);
}

static void write_list(struct out *o, const struct cpus *cpus)
{
	unsigned n = cpus ? cpus_count(cpus) : 1;

	write_u16(o, 0);
	write_u16(o, (uint16_t)n);
	if (!cpus)
		write_u16(o, UINT16_MAX);
	for (int cpu = cpus ? cpus_next(cpus, 0) : -1; cpu >= 0; cpu = cpus_next(cpus, (unsigned)cpu + 1))
		write_u16(o, (uint16_t)cpu);
	out_fill(o, '\0', list_size(cpus) - (2 + n) * sizeof(uint16_t));
}

void perf_write_cpus(struct out *o, const struct cpus *cpus)
{
	write_rec(o, PERF_REC_CPU_MAP, 0, REC + list_size(cpus));
	write_list(o, cpus);
}

void perf_write_update_scale(struct out *o, uint64_t id, double scale)
{
	write_update(o, PERF_UPDATE_SCALE, id, sizeof(scale));
	out_bytes(o, &scale, sizeof(scale));
}

void perf_write_update_cpus(struct out *o, uint64_t id, const struct cpus *cpus)
{
	write_update(o, PERF_UPDATE_CPUS, id, list_size(cpus));
	write_list(o, cpus);
}

void perf_write_stat_config(struct out *o, enum perf_sums sums, uint64_t interval_ms)
{
	const uint64_t values[CONFIGS] = {
		[CONFIG_SUMS] = sums, [CONFIG_INTERVAL] = interval_ms, [CONFIG_SCALE] = 1,
	};

	write_rec(o, PERF_REC_STAT_CONFIG, 0, REC + WORD + CONFIGS * 2 * WORD);
	write_u64(o, CONFIGS);
	for (uint64_t tag = 0; tag < CONFIGS; tag++) {
		write_u64(o, tag);
		write_u64(o, values[tag]);
	}
}

void perf_write_stat(struct out *o, const struct perf_stat_count *c)
{
	write_rec(o, PERF_REC_STAT, 0, REC + 5 * WORD);
	write_u64(o, c->id);
	write_u32(o, (uint32_t)c->cpu);
	write_u32(o, c->thread);
	write_u64(o, c->value);
	write_u64(o, c->enabled);
	write_u64(o, c->running);
}

void perf_write_stat_round(struct out *o, enum perf_stat_round what, uint64_t ns)
{
	write_rec(o, PERF_REC_STAT_ROUND, 0, REC + 2 * WORD);
	write_u64(o, what);
	write_u64(o, ns);
}
