/* cpuwaits.c - one row for each task: its state and its sums. */
#include "analyse/cpuwaits.h"

void cpuwaits_deinit(struct cpuwaits *d)
{
	map_deinit(&d->of);
	vec_free(&d->v);
}

static void leave(const struct cpuwaits *d, struct cpuwaits_task *t, uint64_t time, bool runnable)
{
	t->state = runnable ? CPUWAITS_WAITS : CPUWAITS_SLEEPS;
	t->out = time;
	t->woken = runnable ? time : 0;
	t->losses = d->losses;
}

/* Not inlined: it runs once for each task, and find() then need not save registers for it. */
static __attribute__((noinline)) int add_task(struct cpuwaits *d, uint32_t tid, uint64_t time, bool runnable,
					      struct cpuwaits_task **to)
{
	uint64_t *at;

	if (d->v.n >= CPUWAITS_TASKS) {
		d->dropped++;
		return 0;
	}
	at = vec_reserve(&d->v, 1) ? NULL : map_add(&d->of, tid, NULL);
	*to = at ? vec_add(&d->v) : NULL;
	if (!*to)
		return -ENOMEM;
	*at = d->v.n;
	(*to)->tid = tid;
	leave(d, *to, time, runnable);
	return 0;
}

/* *to NULL: the idle task, or too many tasks. A new task is added as if it had just been switched out. */
static inline int find(struct cpuwaits *d, uint32_t tid, uint64_t time, bool runnable, struct cpuwaits_task **to)
{
	const uint64_t *at = map_get(&d->of, tid);

	*to = at && *at ? &d->v.v[*at - 1] : NULL;
	return *to || !tid ? 0 : add_task(d, tid, time, runnable, to);
}

int cpuwaits_out(struct cpuwaits *d, uint32_t tid, uint64_t time, bool runnable)
{
	struct cpuwaits_task *t;
	int r = find(d, tid, time, runnable, &t);

	if (t)
		leave(d, t, time, runnable);
	return r;
}

static void add(struct cpuwaits *d, struct cpuwaits_task *t, uint64_t time)
{
	uint64_t ns = time - t->woken;

	if (t->losses != d->losses) {
		d->discarded++;
		return;
	}
	t->n++;
	t->total += ns;
	if (ns > t->max) {
		t->max = ns;
		t->max_from = t->woken;
		t->max_to = time;
	}
}

int cpuwaits_in(struct cpuwaits *d, uint32_t tid, uint64_t time)
{
	struct cpuwaits_task *t;
	int r = find(d, tid, time, true, &t);

	if (!t || t->state != CPUWAITS_WAITS)
		return r;
	if (time >= t->woken)
		add(d, t, time);
	t->state = CPUWAITS_RUNS;
	return 0;
}

int cpuwaits_woken(struct cpuwaits *d, uint32_t tid, uint64_t time)
{
	struct cpuwaits_task *t;
	int r = find(d, tid, time, false, &t);

	/* After lost events its state is unknown, so the wake-up counts. */
	if (!t || (!d->one_cpu && t->state != CPUWAITS_SLEEPS && t->losses == d->losses))
		return r;
	d->wakeups++;
	if (t->out > time) {
		d->unordered++;
		return 0;
	}
	t->state = CPUWAITS_WAITS;
	t->woken = time;
	t->losses = d->losses;
	return 0;
}

int cpuwaits_ran(struct cpuwaits *d, uint32_t tid, uint64_t time, uint64_t ns)
{
	struct cpuwaits_task *t;
	int r = find(d, tid, time, true, &t);

	if (t)
		t->runtime += ns;
	return r;
}

int cpuwaits_moved(struct cpuwaits *d, uint32_t tid, uint64_t time)
{
	struct cpuwaits_task *t = NULL;
	int r = d->one_cpu ? find(d, tid, time, true, &t) : 0;

	if (!t)
		return r;
	t->out = t->woken = time;
	t->losses = d->losses;
	d->wakeups++;
	return 0;
}

struct cpuwaits_task *cpuwaits_end_of(struct cpuwaits *d, uint32_t tid)
{
	uint64_t *at = map_get(&d->of, tid);
	struct cpuwaits_task *t = at && *at ? &d->v.v[*at - 1] : NULL;

	if (t)
		*at = 0;
	return t;
}

void cpuwaits_lose(struct cpuwaits *d)
{
	d->losses++;
}

int cpuwaits_forget(struct cpuwaits *d)
{
	size_t n = 0;

	map_deinit(&d->of);
	d->of = (struct map){ 0 };
	for (size_t i = 0; i < d->v.n; i++) {
		struct cpuwaits_task *t = &d->v.v[i];
		uint64_t *at;

		/* Only waiting tasks need be kept: for the others the next event says as much. */
		if (t->state != CPUWAITS_WAITS || t->name)
			continue;
		at = map_add(&d->of, t->tid, NULL);
		if (!at)
			return -ENOMEM;
		d->v.v[n] = (struct cpuwaits_task){ .tid = t->tid, .state = t->state, .losses = t->losses,
						  .out = t->out, .woken = t->woken };
		*at = ++n;
	}
	d->v.n = n;
	return 0;
}
