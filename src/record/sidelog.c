/* sidelog.c - trimming walks back from the newest record, so that it knows which tasks' older records are needed. */
#include "record/sidelog.h"

#include "base/map.h"
#include "perf/side.h"

int sidelog_add(struct sidelog *l, struct bytes b)
{
	if (vec_reserve(&l->bytes, b.n))
		return -ENOMEM;
	memcpy(l->bytes.v + l->bytes.n, b.p, b.n);
	l->bytes.n += b.n;
	return 0;
}

void sidelog_deinit(struct sidelog *l)
{
	vec_free(&l->bytes);
	*l = (struct sidelog){ 0 };
}

struct trim {
	struct bytes all;
	struct map gone;         /* tid -> 1: no record of it before the current one is needed */
	bool failed;             /* no memory */
	VEC(uint32_t) at;        /* offset of each record; lowest bit: remove it */
};

static bool is_gone(const struct trim *t, uint32_t task)
{
	const uint64_t *v = map_get(&t->gone, task);

	return v && *v;
}

static void set_gone(struct trim *t, uint32_t task, bool gone)
{
	uint64_t *v = map_add(&t->gone, task, NULL);

	t->failed |= !v;
	if (v)
		*v = gone;
}

/* An EXIT record: if it is in the older half of the log, the samples of the task are taken to be overwritten by now. */
static bool needs_end(struct trim *t, const struct side *d, uint64_t off)
{
	bool old = off < t->all.n / 2;

	set_gone(t, d->tid, old);
	return !old;
}

/* A FORK record: the child needs its parent's records; before it the tid belonged to another task. */
static bool needs_fork(struct trim *t, const struct side *d)
{
	bool needed = !is_gone(t, d->tid);

	set_gone(t, d->tid, true);
	if (needed)
		set_gone(t, d->task.ppid, false);
	return needed;
}

static bool needs_name(struct trim *t, const struct side *d, bool exec)
{
	bool needed = !is_gone(t, d->tid);

	if (exec)
		set_gone(t, d->tid, true);
	return needed;
}

static bool is_needed(struct trim *t, const struct perf_record *r)
{
	struct side d;

	if (side_decode(r, false, &d) < 0)
		return true;
	switch (r->type) {
	case PERF_REC_EXIT:
		return needs_end(t, &d, r->off);
	case PERF_REC_FORK:
		return needs_fork(t, &d);
	case PERF_REC_COMM:
		return needs_name(t, &d, d.comm.exec);
	case PERF_REC_MMAP:
	case PERF_REC_MMAP2:
		return !is_gone(t, d.pid);
	default:
		return true;
	}
}

static int find_records(struct trim *t)
{
	struct perf_record r;
	uint64_t off = 0;

	while (perf_record_next(t->all, false, &off, &r, NULL) == 1) {
		uint32_t *at = vec_add(&t->at);

		if (!at)
			return -ENOMEM;
		*at = (uint32_t)r.off;
	}
	return 0;
}

static bool record_at(const struct trim *t, size_t i, struct perf_record *r)
{
	uint64_t off = t->at.v[i] & ~1u;

	return perf_record_next(t->all, false, &off, r, NULL) == 1;
}

static void mark(struct trim *t)
{
	struct perf_record r;

	for (size_t i = t->at.n; i-- > 0; )
		if (record_at(t, i, &r) && !is_needed(t, &r))
			t->at.v[i] |= 1;
}

/* Compact the log. from: index of the first record that may stay. */
static void squeeze(struct sidelog *l, const struct trim *t, size_t from)
{
	struct perf_record r;
	size_t n = 0;

	for (size_t i = from; i < t->at.n; i++) {
		size_t size;

		if (t->at.v[i] & 1 || !record_at(t, i, &r))
			continue;
		size = sizeof(struct perf_rec) + r.body.n;
		memmove(l->bytes.v + n, l->bytes.v + r.off, size);
		n += size;
	}
	l->bytes.n = n;
}

/* Even the records of live tasks exceed the limit: drop the oldest quarter. */
static int drop_oldest(struct sidelog *l)
{
	struct trim t = { .all = { l->bytes.v, l->bytes.n } };
	int r = find_records(&t);

	if (!r)
		squeeze(l, &t, t.at.n / 4);
	l->dropped += r ? 0 : t.at.n / 4;
	vec_free(&t.at);
	return r;
}

int sidelog_trim(struct sidelog *l)
{
	struct trim t = { .all = { l->bytes.v, l->bytes.n } };
	int r;

	l->bound = l->bound ? l->bound : SIDELOG_BOUND;
	if (l->bytes.n <= l->bound)
		return 0;
	r = find_records(&t);
	if (!r)
		mark(&t);
	r = r || t.failed ? -ENOMEM : 0;
	if (!r)
		squeeze(l, &t, 0);
	map_deinit(&t.gone);
	vec_free(&t.at);
	if (!r && l->bytes.n > l->bound / 2)
		l->bound = MIN(2 * l->bound, (size_t)SIDELOG_MAX);
	return !r && l->bytes.n > l->bound ? drop_oldest(l) : r;
}
