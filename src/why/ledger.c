/* ledger.c - see ledger.h. */
#include "why/ledger.h"

void ledger_deinit(struct ledger *a)
{
	map_deinit(&a->of);
	vec_free(&a->threads);
	vec_free(&a->cpus);
	vec_free(&a->rows);
	names_deinit(&a->ids);
}

/* --- rows --- */

int ledger_add(struct ledger *a, const struct ledger_row *r)
{
	uint32_t key[3] = { (uint32_t)r->cause, r->what, r->by }, id;
	struct ledger_row *row;

	/* Without room for another row, the time is added to the cause's row without `what` and `by`. */
	if (a->rows.n >= LEDGER_ROWS && names_find(&a->ids, (const char *)key, sizeof(key)) == NAMES_NONE) {
		key[1] = key[2] = 0;
		a->dropped++;
	}
	id = names_add(&a->ids, (const char *)key, sizeof(key));
	row = id == NAMES_NONE ? NULL : id < a->rows.n ? &a->rows.v[id] : vec_add(&a->rows);
	if (!row)
		return -ENOMEM;
	row->cause = r->cause;
	row->what = key[1];
	row->by = key[2];
	row->ns += r->ns;
	row->n += r->n;
	row->max = MAX(row->max, r->max);
	return 0;
}

uint64_t ledger_sum(const struct ledger *a, enum ledger_cause cause)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < a->rows.n; i++)
		if (a->rows.v[i].cause == cause)
			sum += a->rows.v[i].ns;
	return sum;
}

uint64_t ledger_wall(const struct ledger *a)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < a->threads.n; i++)
		sum += a->threads.v[i].to - a->threads.v[i].from;
	return sum;
}

/* --- threads and CPUs --- */

static uint64_t within(const struct ledger *a, uint64_t time)
{
	time = MAX(time, a->from);
	return a->to ? MIN(time, a->to) : time;
}

static struct ledger_thread *thread_of(const struct ledger *a, uint32_t tid)
{
	const uint64_t *at = map_get(&a->of, tid);

	return at && *at ? &a->threads.v[*at - 1] : NULL;
}

static uint32_t number_of(const struct ledger *a, const struct ledger_thread *t)
{
	return (uint32_t)(t - a->threads.v) + 1;
}

bool ledger_has(const struct ledger *a, uint32_t tid)
{
	return thread_of(a, tid);
}

int ledger_thread(struct ledger *a, uint32_t tid, uint64_t time, struct ledger_guess guess)
{
	struct ledger_thread *t;
	uint64_t *at;

	if (!tid || thread_of(a, tid))
		return 0;
	if (a->threads.n >= LEDGER_THREADS) {
		a->dropped++;
		return 0;
	}
	at = map_add(&a->of, tid, NULL);
	t = at ? vec_add(&a->threads) : NULL;
	if (!t)
		return -ENOMEM;
	*at = a->threads.n;
	t->tid = tid;
	t->cpu = UINT32_MAX;
	t->from = t->since = t->to = within(a, time);
	t->off = guess.cause;
	t->place = guess.place;
	t->losses = a->losses;
	return 0;
}

void ledger_begin(struct ledger *a, uint64_t time)
{
	a->from = time;
	a->rows.n = 0;
	names_deinit(&a->ids);
	a->ids = (struct names){ 0 };
	a->woken = a->preempted = a->moved = a->came = 0;
	for (size_t i = 0; i < a->threads.n; i++) {
		struct ledger_thread *t = &a->threads.v[i];

		t->from = MAX(t->from, time);
		t->since = MAX(t->since, time);
		t->to = MAX(t->to, time);
		t->stay = 0;
	}
}

void ledger_born(struct ledger *a, uint32_t tid, uint64_t time)
{
	struct ledger_thread *t = thread_of(a, tid);

	if (t && t->is == LEDGER_IS_FRESH)
		t->from = t->since = t->to = within(a, time);
}

/* NULL: no memory; or (*r is 0) there is no such CPU. */
static struct ledger_cpu *cpu_of(struct ledger *a, uint32_t cpu, int *r)
{
	*r = 0;
	while (cpu < CPUS_MAX && a->cpus.n <= cpu)
		if (!vec_add(&a->cpus)) {
			*r = -ENOMEM;
			return NULL;
		}
	return cpu < CPUS_MAX ? &a->cpus.v[cpu] : NULL;
}

/* --- time --- */

/* The row for the time since t->since, by the thread's current state. */
static struct ledger_row row_of(const struct ledger *a, const struct ledger_thread *t)
{
	const struct ledger_cpu *c = t->cpu < a->cpus.n ? &a->cpus.v[t->cpu] : NULL;
	struct ledger_row r = { .cause = LEDGER_UNKNOWN };

	if (t->losses != a->losses)
		return r;
	switch (t->is) {
	case LEDGER_IS_ON:
		r.cause = c && c->deep ? c->in[MIN(c->deep, (unsigned)LEDGER_DEEP) - 1].cause : LEDGER_RUN;
		r.what = r.cause == LEDGER_RUN ? 0 : c->in[MIN(c->deep, (unsigned)LEDGER_DEEP) - 1].name;
		return r;
	case LEDGER_IS_READY:
		r.cause = c && c->is_idle ? LEDGER_IDLE : LEDGER_BEHIND;
		r.what = c && !c->is_idle ? c->on : 0;
		return r;
	case LEDGER_IS_OFF:
	case LEDGER_IS_FRESH:
		r.cause = t->off;
		r.what = t->place;
		return r;
	default:
		return r;
	}
}

/* PIECE_GOES_ON: the current stay is not over, so it is not counted as another occurrence yet. */
enum piece { PIECE_GOES_ON, PIECE_ENDS };

static int settle(struct ledger *a, struct ledger_thread *t, uint64_t time, enum piece piece, uint32_t by)
{
	uint64_t now = within(a, time);
	struct ledger_row r = row_of(a, t);

	if (now > t->since) {
		r.ns = now - t->since;
		t->since = t->to = now;
	}
	t->stay += r.ns;
	if (r.cause >= LEDGER_SLEEP && r.cause <= LEDGER_STOPPED)
		r.by = by;
	if (piece == PIECE_ENDS) {
		r.n = t->stay > 0;
		r.max = t->stay;
		t->stay = 0;
	}
	t->losses = a->losses;
	return r.ns || r.n ? ledger_add(a, &r) : 0;
}

/* A thread's first event tells what it did before: it ran, or it waited, perhaps at an unknown place. */
static void learn(struct ledger_thread *t, enum ledger_is is)
{
	if (t->is != LEDGER_IS_FRESH)
		return;
	t->is = is;
	if (is == LEDGER_IS_OFF && (t->off == LEDGER_UNKNOWN || t->off == LEDGER_RUN)) {
		t->off = LEDGER_SLEEP;
		t->place = 0;
	}
}

static void queue(struct ledger *a, struct ledger_thread *t, struct ledger_cpu *c)
{
	uint32_t number = number_of(a, t);

	t->next = c->ready;
	t->before = 0;
	if (c->ready)
		a->threads.v[c->ready - 1].before = number;
	c->ready = number;
}

static void unqueue(struct ledger *a, struct ledger_thread *t)
{
	struct ledger_cpu *c = t->cpu < a->cpus.n ? &a->cpus.v[t->cpu] : NULL;

	if (t->next)
		a->threads.v[t->next - 1].before = t->before;
	if (t->before)
		a->threads.v[t->before - 1].next = t->next;
	else if (c && c->ready == number_of(a, t))
		c->ready = t->next;
	t->next = t->before = 0;
}

/* End the thread's current state: count its time, take it off its CPU or run queue. */
static int leave(struct ledger *a, struct ledger_thread *t, uint64_t time, uint32_t by)
{
	int r = settle(a, t, time, PIECE_ENDS, by);

	if (t->is == LEDGER_IS_READY)
		unqueue(a, t);
	if (t->is == LEDGER_IS_ON && t->cpu < a->cpus.n && a->cpus.v[t->cpu].thread == number_of(a, t))
		a->cpus.v[t->cpu].thread = 0;
	return r;
}

static int make_ready(struct ledger *a, struct ledger_thread *t, uint32_t cpu)
{
	struct ledger_cpu *c;
	int r;

	c = cpu_of(a, cpu, &r);
	t->is = LEDGER_IS_READY;
	t->cpu = cpu;
	if (c)
		queue(a, t, c);
	return r;
}

/* --- events --- */

static int goes(struct ledger *a, struct ledger_thread *t, const struct ledger_switch *s)
{
	int r;

	learn(t, LEDGER_IS_ON);
	/* The switch that brought it is missing, so it is not known since when it ran. */
	if (t->is != LEDGER_IS_ON)
		t->losses = a->losses - 1;
	r = leave(a, t, s->time, 0);
	if (r || s->ended) {
		t->is = LEDGER_IS_OVER;
		*map_get(&a->of, t->tid) = 0;
		return r;
	}
	a->preempted += s->could_run;
	if (s->could_run)
		return make_ready(a, t, s->cpu);
	t->is = LEDGER_IS_OFF;
	t->off = s->off;
	t->place = s->place;
	return 0;
}

static int comes(struct ledger *a, struct ledger_thread *t, const struct ledger_switch *s)
{
	int r;

	if (t->is == LEDGER_IS_FRESH && t->off == LEDGER_RUN)
		t->is = LEDGER_IS_READY;
	r = leave(a, t, s->time, 0);
	a->came++;
	t->is = LEDGER_IS_ON;
	t->cpu = s->cpu;
	a->cpus.v[s->cpu].thread = number_of(a, t);
	return r;
}

/* Another thread is switched out than the one that was switched in here: when and why that one left is not known. */
static int went_unseen(struct ledger *a, struct ledger_thread *t, uint64_t time)
{
	int r;

	t->losses = a->losses - 1;
	r = leave(a, t, time, 0);
	t->is = LEDGER_IS_OFF;
	t->off = LEDGER_UNKNOWN;
	t->place = 0;
	return r;
}

/* Runnable threads of this CPU have waited behind the thread that leaves: count that time for it. */
static int settle_ready(struct ledger *a, const struct ledger_cpu *c, uint64_t time)
{
	int r = 0;

	for (uint32_t i = c->ready; !r && i; i = a->threads.v[i - 1].next)
		r = settle(a, &a->threads.v[i - 1], time, PIECE_ENDS, 0);
	return r;
}

int ledger_switch(struct ledger *a, const struct ledger_switch *s)
{
	struct ledger_thread *prev = thread_of(a, s->prev), *next = thread_of(a, s->next);
	struct ledger_cpu *c;
	int r;

	c = cpu_of(a, s->cpu, &r);
	if (!c)
		return r;
	r = settle_ready(a, c, s->time);
	if (!r && c->thread && a->threads.v[c->thread - 1].tid != s->prev)
		r = went_unseen(a, &a->threads.v[c->thread - 1], s->time);
	if (!r && prev && prev != next)
		r = goes(a, prev, s);
	/* Nothing is switched within an interrupt: the events of its end are missing. */
	c->deep = 0;
	c->on = s->next_name;
	c->is_idle = !s->next;
	c->thread = 0;
	return r || !next || prev == next ? r : comes(a, next, s);
}

int ledger_woken(struct ledger *a, uint32_t tid, uint64_t time, uint32_t cpu, uint32_t by)
{
	struct ledger_thread *t = thread_of(a, tid);
	int r;

	if (!t || t->is == LEDGER_IS_ON || t->is == LEDGER_IS_READY)
		return 0;
	learn(t, LEDGER_IS_OFF);
	r = leave(a, t, time, by);
	a->woken++;
	return r ? r : make_ready(a, t, cpu);
}

int ledger_moved(struct ledger *a, uint32_t tid, uint64_t time, uint32_t cpu)
{
	struct ledger_thread *t = thread_of(a, tid);
	int r;

	if (!t || t->cpu == cpu)
		return 0;
	a->moved += t->cpu != UINT32_MAX;
	if (t->is != LEDGER_IS_READY)
		return 0;
	r = leave(a, t, time, 0);
	return r ? r : make_ready(a, t, cpu);
}

/* Count the time up to now of the watched thread on this CPU, if any: an interrupt begins or ends. */
static int settle_on(struct ledger *a, const struct ledger_cpu *c, uint64_t time, enum piece piece)
{
	return c->thread ? settle(a, &a->threads.v[c->thread - 1], time, piece, 0) : 0;
}

int ledger_enter(struct ledger *a, uint32_t cpu, uint64_t time, enum ledger_cause cause, uint32_t name)
{
	struct ledger_cpu *c;
	int r;

	c = cpu_of(a, cpu, &r);
	if (!c)
		return r;
	r = settle_on(a, c, time, PIECE_GOES_ON);
	if (c->thread)
		a->threads.v[c->thread - 1].stay = 0;
	if (c->deep < LEDGER_DEEP) {
		c->in[c->deep].cause = cause;
		c->in[c->deep++].name = name;
	}
	return r;
}

int ledger_leave(struct ledger *a, uint32_t cpu, uint64_t time, enum ledger_cause cause)
{
	struct ledger_cpu *c;
	int r;

	c = cpu_of(a, cpu, &r);
	if (!c || !c->deep)
		return r;
	r = settle_on(a, c, time, PIECE_ENDS);
	/* Interrupts nested within the one that ends have lost their own ends. */
	while (c->deep && c->in[c->deep - 1].cause != cause)
		c->deep--;
	c->deep -= c->deep > 0;
	return r;
}

uint32_t ledger_within(const struct ledger *a, uint32_t cpu)
{
	const struct ledger_cpu *c = cpu < a->cpus.n ? &a->cpus.v[cpu] : NULL;

	return c && c->deep ? c->in[c->deep - 1].name : 0;
}

bool ledger_is_interrupted(const struct ledger *a, uint32_t cpu)
{
	const struct ledger_cpu *c = cpu < a->cpus.n ? &a->cpus.v[cpu] : NULL;

	return c && (c->deep > 1 || (c->deep && c->in[0].cause == LEDGER_SOFTIRQ));
}

void ledger_lose(struct ledger *a)
{
	a->losses++;
	for (size_t i = 0; i < a->cpus.n; i++) {
		a->cpus.v[i].deep = 0;
		a->cpus.v[i].on = 0;
		a->cpus.v[i].is_idle = false;
	}
}

int ledger_end(struct ledger *a, uint64_t time)
{
	int r = 0;

	for (size_t i = 0; !r && i < a->threads.n; i++) {
		struct ledger_thread *t = &a->threads.v[i];

		if (t->is != LEDGER_IS_OVER)
			r = settle(a, t, time, PIECE_ENDS, 0);
	}
	return r;
}
