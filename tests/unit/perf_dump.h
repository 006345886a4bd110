/*
 * perf_dump.h - a recording as text in the form into which tests/data/perf/expect turns `perf
 * report -D`: for each record
 *   R offset size type cpu time           cpu and time only where the record has them
 *   S misc pid tid ip period addr         samples
 *   V id value lost                       counters that it has read
 *   C address...                          its call chain
 *   U abi value...                        its user registers, in order of the mask
 *   K size                                its user stack
 */
#ifndef TESTS_UNIT_PERF_DUMP_H
#define TESTS_UNIT_PERF_DUMP_H

#include "base/fmt.h"
#include "perf/file.h"

static inline uint64_t perf_dump_word(const struct sample_layout *l, struct bytes b, size_t i)
{
	struct cursor c = cur_from(b.p, b.n);

	c.swap = l->swap;
	cur_skip(&c, i * 8);
	return cur_u64(&c);
}

static inline void perf_dump_sample(struct out *o, const struct sample_layout *l,
				    const struct perf_record *r, const struct sample *s)
{
	out_printf(o, "S %u %d %d %llx %llu %llx\n", r->misc, (int)s->pid, (int)s->tid,
		   (unsigned long long)s->ip, (unsigned long long)s->period,
		   (unsigned long long)s->addr);
	struct sample_value v;

	for (uint64_t i = 0; sample_read(l, s, i, &v); i++)
		out_printf(o, "V %llx %llx %llu\n", (unsigned long long)v.id,
			   (unsigned long long)v.value, (unsigned long long)v.lost);
	if (l->sample_type & PERF_SAMPLE_CALLCHAIN) {
		out_str(o, "C");
		for (uint64_t i = 0; i < s->n_chain; i++)
			out_printf(o, " %llx", (unsigned long long)sample_chain(l, s, i));
		out_char(o, '\n');
	}
	if (s->user_abi) {
		out_printf(o, "U %llu", (unsigned long long)s->user_abi);
		for (size_t i = 0; i < s->user_regs.n / 8; i++)
			out_printf(o, " %llx",
				   (unsigned long long)perf_dump_word(l, s->user_regs, i));
		out_char(o, '\n');
	}
	if (l->sample_type & PERF_SAMPLE_STACK_USER)
		out_printf(o, "K %zu\n", s->stack.n);
}

static inline int perf_dump_record(struct out *o, const struct perf_file *f,
				   const struct perf_record *r, uint64_t size, struct err *e)
{
	const struct perf_event *ev = r->type < PERF_REC_USER ? perf_record_event(r, &f->head) : NULL;
	struct sample s;
	int err;

	out_printf(o, "R %llx %llx %u", (unsigned long long)r->off, (unsigned long long)size,
		   r->type);
	if (!ev) {
		out_str(o, r->type < PERF_REC_USER ? " no event\n" : "\n");
		return 0;
	}
	err = r->type == PERF_REC_SAMPLE ? sample_decode(&ev->layout, r->body, r->misc, &s, e)
					 : sample_decode_trailer(&ev->layout, r->body, &s, e);
	if (err)
		return err;
	if (ev->layout.sample_type & PERF_SAMPLE_CPU)
		out_printf(o, " %u", s.cpu);
	if (ev->layout.sample_type & PERF_SAMPLE_TIME)
		out_printf(o, " %llu", (unsigned long long)s.time);
	out_char(o, '\n');
	if (r->type == PERF_REC_SAMPLE)
		perf_dump_sample(o, &ev->layout, r, &s);
	return 0;
}

static inline int perf_dump(struct out *o, const struct perf_file *f, struct err *e)
{
	uint64_t off = f->data_off;
	struct perf_record r;
	int got;

	while ((got = perf_file_next(f, &off, &r, e)) > 0) {
		int err = perf_dump_record(o, f, &r, r.body.n + sizeof(struct perf_rec), e);

		if (err)
			return err;
	}
	return got;
}

#endif
