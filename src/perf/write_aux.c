/* write_aux.c - records for traces in AUX areas. Layouts: tools/lib/perf/include/perf/event.h of Linux 6.12. */
#include "perf/write_parts.h"

enum { REC = sizeof(struct perf_rec) };

void perf_write_time_conv(struct out *o, const struct perf_write_clock *c)
{
	write_rec(o, PERF_REC_TIME_CONV, 0, REC + 48);
	write_u64(o, c->shift);
	write_u64(o, c->mult);
	write_u64(o, c->zero);
	write_u64(o, c->cycles);
	write_u64(o, c->mask);
	/* u8 cap_user_time_zero; u8 cap_user_time_short: cycles and mask are set; 6 bytes of padding. */
	write_u64(o, 1 | (c->is_short ? 1u << 8 : 0));
}

void perf_write_auxtrace_info(struct out *o, uint32_t kind, const uint64_t *words, size_t n)
{
	write_rec(o, PERF_REC_AUXTRACE_INFO, 0, REC + 8 + n * sizeof(*words));
	write_u32(o, kind);
	write_u32(o, 0);
	for (size_t i = 0; i < n; i++)
		write_u64(o, words[i]);
}

static uint64_t pair(uint32_t low, uint32_t high)
{
	return (uint64_t)high << 32 | low;
}

void perf_write_auxtrace(uint8_t to[PERF_WRITE_AUXTRACE], const struct perf_write_auxtrace *a)
{
	const struct perf_rec head = { .type = PERF_REC_AUXTRACE, .size = PERF_WRITE_AUXTRACE };
	const uint64_t words[] = { a->size, a->offset, a->reference, pair(a->idx, a->tid), pair(a->cpu, 0) };

	static_assert(sizeof(head) + sizeof(words) == PERF_WRITE_AUXTRACE, "record layout");
	memcpy(to, &head, sizeof(head));
	memcpy(to + sizeof(head), words, sizeof(words));
}
