/*
 * order.c - a run is a sequence of items that were pushed one after the other with ascending times;
 * the heap holds each run's first unpopped item.
 *
 *   steps  [ . . 5 7 9 | . 6 8 | 2 3 4 ...      '.' popped, '|' a new run starts
 *   runs       begin=2    6      8
 *
 * Equal times: the heap prefers the run with the smaller index, which was pushed first. When the array
 * is full and at least half of it is popped, popped items are squeezed out instead of growing it, so
 * each item is moved a constant number of times.
 */
#include "perf/order.h"

enum { SQUEEZE_MIN = 1024 };

struct order_run {
	size_t begin, end;   /* of its steps not yet popped; empty: not in the heap */
	struct order_item first;   /* the item at `begin` */
	uint32_t number;     /* the run's new index, while squeezing */
};

/* An item as the difference to the one before it in its run: half the size of an item. */
struct order_step {
	uint32_t time;
	int32_t off;
};

struct order {
	VEC(struct order_step) steps;
	struct order_item last;  /* the last item that was pushed */
	bool apart;              /* the run of `last` was squeezed out: the next item starts a new one */
	VEC(struct order_run) runs;
	struct heap heap;        /* key: time, value: run */
	uint64_t limit;          /* times up to this one may be popped */
	uint64_t promised;       /* the limit after the next round: `newest` at the last round */
	uint64_t newest;         /* highest time pushed so far */
	uint64_t held;           /* items pushed and not yet popped */
	struct order_stats stats;
};

struct order *order_new(void)
{
	return calloc(1, sizeof(struct order));
}

void order_free(struct order *o)
{
	if (!o)
		return;
	vec_free(&o->steps);
	vec_free(&o->runs);
	heap_deinit(&o->heap);
	free(o);
}

/*
 * Move the items not yet popped to the front. Runs keep their sequence, so the heap stays a heap with
 * the new run indices.
 */
static void squeeze(struct order *o)
{
	const struct order_run *newest = o->runs.n ? &o->runs.v[o->runs.n - 1] : NULL;
	size_t n_steps = 0;
	uint32_t n_runs = 0;

	o->apart = !newest || newest->begin == newest->end;
	for (size_t i = 0; i < o->runs.n; i++) {
		struct order_run *r = &o->runs.v[i];
		size_t n = r->end - r->begin;

		memmove(o->steps.v + n_steps, o->steps.v + r->begin, n * sizeof(*o->steps.v));
		r->begin = n_steps;
		r->end = n_steps += n;
		r->number = n ? n_runs++ : 0;
	}
	o->steps.n = n_steps;
	for (size_t i = 0; i < o->heap.n; i++)
		o->heap.v[i].val = o->runs.v[o->heap.v[i].val].number;
	for (size_t i = 0; i < o->runs.n; i++)
		if (o->runs.v[i].end > o->runs.v[i].begin)
			o->runs.v[o->runs.v[i].number] = o->runs.v[i];
	o->runs.n = n_runs;
}

static int make_room(struct order *o)
{
	if (o->steps.n < o->steps.cap)
		return 0;
	if (o->steps.n >= SQUEEZE_MIN && o->held <= o->steps.n / 2) {
		squeeze(o);
		return 0;
	}
	return vec_reserve(&o->steps, 1);
}

/* Does this item continue the newest run, and does its difference fit into *step? */
static bool continues(const struct order *o, const struct order_item *it, struct order_step *step)
{
	const struct order_run *r = o->runs.n ? &o->runs.v[o->runs.n - 1] : NULL;
	uint64_t time = it->time - o->last.time, off = it->off - o->last.off;

	*step = (struct order_step){ (uint32_t)time, (int32_t)off };
	return r && !o->apart && r->end > r->begin && it->time >= o->last.time && step->time == time &&
	       (uint64_t)(int64_t)step->off == off;
}

static int run_start(struct order *o, const struct order_item *it)
{
	if (o->runs.n == UINT32_MAX)
		return -ENOMEM;
	if (vec_grow((void **)&o->heap.v, o->heap.n, &o->heap.cap, 1, sizeof(*o->heap.v)))
		return -ENOMEM;

	struct order_run *r = vec_add(&o->runs);

	if (!r)
		return -ENOMEM;
	*r = (struct order_run){ .begin = o->steps.n, .end = o->steps.n, .first = *it };
	heap_push(&o->heap, it->time, (uint32_t)(o->runs.n - 1));
	return 0;
}

int order_push(struct order *o, struct order_item it)
{
	struct order_step step;

	if (make_room(o))
		return -ENOMEM;
	if (!continues(o, &it, &step) && run_start(o, &it))
		return -ENOMEM;
	o->steps.v[o->steps.n++] = step;
	o->runs.v[o->runs.n - 1].end++;
	o->last = it;
	o->apart = false;
	o->newest = MAX(o->newest, it.time);
	o->stats.late += it.time && it.time < o->limit;
	o->stats.pushed++;
	o->held++;
	o->stats.peak = MAX(o->stats.peak, o->held);
	return 0;
}

void order_round(struct order *o)
{
	o->limit = MAX(o->limit, o->promised);
	o->promised = o->newest;
	o->stats.rounds++;
}

void order_upto(struct order *o, uint64_t time)
{
	o->limit = MAX(o->limit, time);
}

void order_end(struct order *o)
{
	o->limit = UINT64_MAX;
}

void order_elsewhere(struct order *o, uint64_t time)
{
	o->newest = MAX(o->newest, time);
}

uint64_t order_limit(const struct order *o)
{
	return o->limit;
}

const struct order_item *order_next(const struct order *o)
{
	const struct heap_item *top = heap_top(&o->heap);

	return top && top->key <= o->limit ? &o->runs.v[top->val].first : NULL;
}

int order_pop(struct order *o, struct order_item *it)
{
	const struct order_item *first = order_next(o);

	if (!first)
		return 0;

	struct order_run *r = &o->runs.v[heap_top(&o->heap)->val];

	*it = *first;
	if (++r->begin < r->end) {
		r->first.time += o->steps.v[r->begin].time;
		r->first.off += (uint64_t)(int64_t)o->steps.v[r->begin].off;
		heap_replace(&o->heap, r->first.time);
	} else {
		heap_pop(&o->heap);
	}
	if (!--o->held)
		o->steps.n = o->runs.n = 0;
	return 1;
}

const struct order_stats *order_stats(const struct order *o)
{
	return &o->stats;
}
