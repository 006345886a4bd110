/*
 * A whole perf.data file: its header, features and labels, each record decoded and put in order of
 * time.
 */
#include "perf/file.h"
#include "perf/order.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

/* Every byte that is given out is read, so that the sanitizer sees it. */
static uint64_t sum(struct bytes b)
{
	uint64_t v = 0;

	for (size_t i = 0; i < b.n; i++)
		v += b.p[i];
	return v;
}

static uint64_t read_sample(const struct perf_event *ev, const struct perf_record *r,
			    struct sample *s)
{
	uint64_t v = 0;

	if (r->type != PERF_REC_SAMPLE)
		return sample_decode_trailer(&ev->layout, r->body, s, NULL) == 0;
	if (sample_decode(&ev->layout, r->body, r->misc, s, NULL))
		return 0;
	for (uint64_t i = 0; i < s->n_chain; i++)
		v += sample_chain(&ev->layout, s, i);
	return v + sum(s->raw) + sum(s->read) + sum(s->branch) + sum(s->user_regs) +
	       sum(s->intr_regs) + sum(s->stack);
}

static uint64_t read_records(const struct perf_file *f, struct order *o)
{
	uint64_t off = f->data_off, v = 0, last;
	struct perf_record r;
	struct order_item it;
	struct err e;

	for (last = off; perf_file_next(f, &off, &r, &e) > 0; last = off) {
		struct perf_event *ev = r.type < PERF_REC_USER ? perf_record_event(&r, &f->head) : NULL;
		struct sample s = { 0 };

		if (off <= last || off > f->data_end)
			abort();
		v += sum(r.body);
		if (ev)
			v += read_sample(ev, &r, &s);
		order_push(o, (struct order_item){ s.time, r.off });
		if (r.type == PERF_REC_FINISHED_ROUND)
			order_round(o);
		while (order_pop(o, &it))
			v += it.off;
	}
	return v;
}

static uint64_t read_header(const struct perf_file *f)
{
	uint64_t v = strlen(f->head.hostname) + strlen(f->head.release) + strlen(f->head.version) +
		     strlen(f->head.arch) + strlen(f->head.cpudesc) + strlen(f->head.cpuid) + sum(f->head.tracing);

	for (size_t i = 0; i < f->head.events.n; i++) {
		v += strlen(f->head.events.v[i].label);
		if (f->head.events.v[i].group_leader > i)
			abort();
	}
	for (size_t i = 0; i < f->head.build_ids.n; i++)
		v += strlen(f->head.build_ids.v[i].name) +
		     f->head.build_ids.v[i].id[f->head.build_ids.v[i].size % 20];
	for (size_t i = 0; i < f->head.cmdline.n; i++)
		v += strlen(f->head.cmdline.v[i]);
	for (unsigned i = 0; i < PERF_FEAT_MAX; i++)
		v += sum(f->head.feature[i]);
	return v;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct order *o = order_new();
	struct perf_file f;
	struct order_item it;

	if (!perf_file_init(&f, (struct bytes){ p, n }, NULL, NULL)) {
		if (read_header(&f) + read_records(&f, o) == UINT64_MAX)
			abort();
		order_end(o);
		for (uint64_t last = 0; order_pop(o, &it); last = it.time)
			if (it.time < last)
				abort();
		perf_file_deinit(&f);
	}
	order_free(o);
	return 0;
}
