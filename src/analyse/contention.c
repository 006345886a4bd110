/* contention.c - a span for each wait; a task can wait for a second lock in an interrupt. */
#include "analyse/contention.h"

enum { DEEP = 8, TASKS = 1 << 16 };

struct wait {
	struct span span;
	uint64_t lock;
	uint32_t row;
};

static void drop(void *arg, const struct span *sp UNUSED, enum spans_limit why UNUSED)
{
	struct contention *c = arg;

	c->dropped++;
}

void contention_init(struct contention *c)
{
	const struct spans_limits limits = { .deep = DEEP, .owners = TASKS, .dropped = drop, .arg = c };

	*c = (struct contention){ 0 };
	spans_init(&c->waits, sizeof(struct wait), &limits);
}

void contention_deinit(struct contention *c)
{
	spans_deinit(&c->waits);
	vec_free(&c->rows);
}

static void begin_row(struct contention_row *r)
{
	*r = (struct contention_row){ .min = UINT64_MAX };
}

int contention_add_row(struct contention *c)
{
	struct contention_row *r = vec_add(&c->rows);

	if (r)
		begin_row(r);
	return r ? 0 : -ENOMEM;
}

static struct wait *wait_of(struct span *sp)
{
	return (struct wait *)(void *)sp;
}

/* The task's wait for the lock. NULL: none. */
static struct wait *find(const struct contention *c, const struct contention_event *ev)
{
	struct span *sp = spans_newest(&c->waits, contention_owner(ev));

	while (sp && wait_of(sp)->lock != ev->lock)
		sp = spans_older(&c->waits, sp);
	return sp ? wait_of(sp) : NULL;
}

int contention_begin(struct contention *c, const struct contention_event *ev, uint32_t row)
{
	struct wait *w = find(c, ev);

	if (w && spans_whole(&c->waits, &w->span, ev->cpu))
		return 0;
	/* The end of an earlier wait was lost. */
	if (w) {
		spans_close(&c->waits, &w->span);
		c->discarded++;
	}
	w = spans_open(&c->waits, &(struct span){ .owner = contention_owner(ev), .ts = ev->time, .cpu = ev->cpu });
	if (!w)
		return -ENOMEM;
	w->lock = ev->lock;
	w->row = row;
	c->rows.v[row].begun++;
	return 0;
}

uint32_t contention_row(const struct contention *c, const struct contention_event *ev)
{
	const struct wait *w = find(c, ev);

	return w && spans_whole(&c->waits, &w->span, ev->cpu) ? w->row : CONTENTION_NONE;
}

void contention_move(struct contention *c, const struct contention_event *ev, uint32_t row)
{
	struct wait *w = find(c, ev);

	if (!w)
		return;
	/* > 0: the sums may have been reset since it began. */
	c->rows.v[w->row].begun -= c->rows.v[w->row].begun > 0;
	c->rows.v[row].begun++;
	w->row = row;
}

static void add(struct contention_row *r, uint64_t ns)
{
	r->ended++;
	r->total += ns;
	r->min = MIN(r->min, ns);
	r->max = MAX(r->max, ns);
}

void contention_end(struct contention *c, const struct contention_event *ev)
{
	struct wait *w = find(c, ev);

	if (!w) {
		c->strays++;
		return;
	}
	if (spans_whole(&c->waits, &w->span, ev->cpu))
		add(&c->rows.v[w->row], ev->time - MIN(ev->time, w->span.ts));
	else
		c->discarded++;
	spans_close(&c->waits, &w->span);
}

int contention_lose(struct contention *c, uint32_t cpu)
{
	return spans_lose(&c->waits, cpu);
}

void contention_forget(struct contention *c)
{
	for (size_t i = 0; i < c->rows.n; i++)
		begin_row(&c->rows.v[i]);
}
