/* trace_sum.c - sums by thread and call, with the columns of perf trace -s. */
#include "syscalls/trace.h"

struct sorted {
	uint32_t row;
	const struct trace *of;
};

/* ms; computed in the same steps as perf does, so that the last digit is the same. */
static double total(const struct trace_row *r)
{
	return (double)r->time.n * (r->time.mean / 1e6);
}

/* By thread, then by total time, longest first. */
static int by_total(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;
	const struct trace_row *v = x->of->rows.v, *p = &v[x->row], *q = &v[y->row];

	if (p->tid != q->tid)
		return p->tid < q->tid ? -1 : 1;
	if (total(p) < total(q) || total(p) > total(q))
		return total(p) < total(q) ? 1 : -1;
	return p->nr < q->nr ? -1 : p->nr > q->nr;
}

static void put_errors(struct trace *t, uint32_t row)
{
	for (size_t i = 0; i < t->errors.n; i++) {
		const struct trace_error *e = &t->errors.v[i];
		const char *name = value_errno(e->number);

		if (e->row == row)
			out_printf(t->out, "\t\t\t\t%s: %llu\n", name ? name : "?", (unsigned long long)e->n);
	}
}

static void put_row(struct trace *t, uint32_t row)
{
	const struct trace_row *r = &t->rows.v[row];
	const struct call *c = calltable_get(&t->calls, r->nr);
	struct out *o = t->out;

	out_printf(o, "   %-15s %8llu %6llu ", c ? c->name : "?", (unsigned long long)r->time.n,
		   (unsigned long long)r->errors);
	out_fixed(o, total(r), 9, 3);
	out_char(o, ' ');
	out_fixed(o, r->time.min / 1e6, 9, 3);
	out_char(o, ' ');
	out_fixed(o, r->time.mean / 1e6, 9, 3);
	out_char(o, ' ');
	out_fixed(o, r->time.max / 1e6, 9, 3);
	out_char(o, ' ');
	out_fixed(o, stats_percent(&r->time), 9, 2);
	out_str(o, "%\n");
	if (t->show->errnos)
		put_errors(t, row);
}

static void put_thread(struct trace *t, uint32_t tid)
{
	const uint64_t *at = map_get(&t->of, tid);
	uint64_t n = at ? t->threads.v[*at - 1].events : 0;
	struct out *o = t->out;

	out_printf(o, " %s (%u), %llu events, ", feed_comm(&t->prof->feed, tid), tid, (unsigned long long)n);
	out_fixed(o, t->events ? 100 * (double)n / (double)t->events : 0, 0, 1);
	out_str(o, "%\n\n"
		   "   syscall            calls  errors  total       min       avg       max       stddev\n"
		   "                                     (msec)    (msec)    (msec)    (msec)        (%)\n"
		   "   --------------- --------  ------ -------- --------- --------- ---------     ------\n");
}

static const struct table_col cols[] = {
	{ "comm", NULL, TABLE_LEFT, 0 }, { "tid", NULL, TABLE_RIGHT, 0 }, { "syscall", NULL, TABLE_LEFT, 0 },
	{ "calls", NULL, TABLE_RIGHT, 0 }, { "errors", NULL, TABLE_RIGHT, 0 }, { "total_ms", NULL, TABLE_RIGHT, 0 },
	{ "min_ms", NULL, TABLE_RIGHT, 0 }, { "avg_ms", NULL, TABLE_RIGHT, 0 }, { "max_ms", NULL, TABLE_RIGHT, 0 },
};

static int put_table(struct trace *t, const struct sorted *v, size_t n)
{
	struct table_want form = prof_table(t->prof);
	struct table *to = table_new(cols, ARRAY_SIZE(cols));
	int r;

	for (size_t i = 0; to && i < n; i++) {
		const struct trace_row *row = &t->rows.v[v[i].row];
		const struct call *c = calltable_get(&t->calls, row->nr);
		const double ms[] = { total(row), row->time.min / 1e6, row->time.mean / 1e6, row->time.max / 1e6 };

		table_str(to, feed_comm(&t->prof->feed, row->tid));
		table_u64(to, row->tid);
		table_str(to, c ? c->name : "?");
		table_u64(to, row->time.n);
		table_u64(to, row->errors);
		for (size_t k = 0; k < ARRAY_SIZE(ms); k++)
			table_fixed(to, ms[k], 6);
	}
	r = to ? table_print(to, &form, t->out) : -ENOMEM;
	table_free(to);
	return r;
}

static void put_text(struct trace *t, const struct sorted *v, size_t n)
{
	out_str(t->out, "\n Summary of events:\n\n");
	for (size_t i = 0; i < n; i++) {
		uint32_t tid = t->rows.v[v[i].row].tid;

		if (!i || t->rows.v[v[i - 1].row].tid != tid)
			put_thread(t, tid);
		put_row(t, v[i].row);
		if (i + 1 == n || t->rows.v[v[i + 1].row].tid != tid)
			out_str(t->out, "\n\n");
	}
}

int trace_sum(struct trace *t)
{
	size_t n = t->rows.n;
	struct sorted *v = calloc(n + 1, sizeof(*v));
	int r = v ? 0 : -ENOMEM;

	for (size_t i = 0; v && i < n; i++)
		v[i] = (struct sorted){ (uint32_t)i, t };
	if (v)
		qsort(v, n, sizeof(*v), by_total);
	if (v && prof_table(t->prof).form != TABLE_TEXT)
		r = put_table(t, v, n);
	else if (v)
		put_text(t, v, n);
	free(v);
	return r;
}
