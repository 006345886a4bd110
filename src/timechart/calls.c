/*
 * calls.c - reads, writes, syncs and polls of tasks, as perf timechart draws them: each bar has a visible minimum
 * length, unless the next one begins earlier, and calls on the same descriptor in quick succession become one bar.
 */
#include "timechart/timechart.h"

static int begin_call(struct timechart *t, const struct hit *h, uint32_t i, const struct chart_tap *tap)
{
	struct chart_task *task = &t->tasks.v[i];

	t->unpaired += task->calls;
	task->calls = true;
	task->kind = tap->kind;
	task->fd = (uint32_t)chart_value(tap->value, h);
	task->since = h->time;
	return 0;
}

static bool counts_bytes(uint32_t kind)
{
	return kind != CHART_SYNC && kind != CHART_POLL;
}

static bool is_one(const struct bar *a, const struct bar *b, uint64_t near_ns)
{
	return a->kind == b->kind && a->of == b->of && a->note == b->note &&
	       (a->end >= b->start || b->start - a->end <= near_ns);
}

/* Two bars must not overlap: the earlier one is cut; or if that call failed, the later one begins behind it. */
static void part(struct bar *before, struct bar *now)
{
	if (now->start >= before->end)
		return;
	if (before->kind & CHART_FAILED)
		now->start = before->end;
	else
		before->end = MAX(now->start, before->start);
	now->end = MAX(now->end, now->start);
}

static int put_call(struct timechart *t, struct chart_row *row, struct bar *now)
{
	uint32_t at = (uint32_t)(row - t->rows.v);
	struct bar *before = bars_last(&t->of_rows, at);

	if (before)
		part(before, now);
	row->bytes += now->sum;
	if (before && is_one(before, now, t->want->calls.near_ns)) {
		before->end = MAX(before->end, now->end);
		before->sum += now->sum;
		before->n++;
		row->most = MAX(row->most, before->sum);
		return 0;
	}
	row->most = MAX(row->most, now->sum);
	return bars_add(&t->of_rows, at, now);
}

static int end_call(struct timechart *t, const struct hit *h, uint32_t i, const struct chart_tap *tap)
{
	struct chart_task *task = &t->tasks.v[i];
	int64_t ret = (int64_t)chart_value(tap->value, h);
	bool failed = ret < 0 && ret >= -4095;
	struct chart_row *row;
	struct bar b;
	int r;

	if (!task->calls || task->kind != tap->kind) {
		t->unpaired++;
		task->calls = false;
		return 0;
	}
	task->calls = false;
	if (t->want->calls.no_eagain && ret == -EAGAIN)
		return 0;
	row = timechart_row(t, i, &r);
	if (!row)
		return r;
	b = (struct bar){
		.start = task->since, .end = MAX(h->time, task->since), .of = task->fd, .n = 1,
		.kind = tap->kind | (failed ? (uint32_t)CHART_FAILED : 0), .note = failed ? (uint32_t)-ret : 0,
		.sum = counts_bytes(tap->kind) && ret > 0 ? (uint64_t)ret : 0,
	};
	if (b.end - b.start < t->want->calls.least_ns)
		b.end = b.start + MIN(t->want->calls.least_ns, UINT64_MAX - b.start);
	row->first = MIN(row->first, b.start);
	return put_call(t, row, &b);
}

int timechart_take_call(struct timechart *t, const struct hit *h, const struct chart_tap *tap)
{
	uint32_t i;
	int r = h->tid && h->tid != UINT32_MAX ? timechart_task(t, h->tid, &i) : 1;

	if (r)
		return MIN(r, 0);
	return tap->ends ? end_call(t, h, i, tap) : begin_call(t, h, i, tap);
}
