/* lockseq.c - a state machine for each task and lock. */
#include "analyse/lockseq.h"

/* The kernel's own limit of locks that a task holds is 48. */
enum { DEEP = 64, TASKS = 1 << 16 };
enum state { ACQUIRING, ACQUIRED, READ_ACQUIRED, CONTENDED };

struct sequence {
	struct span span;
	uint64_t lock, since;
	enum state state;
	uint32_t readers;
};

static void drop(void *arg, const struct span *sp UNUSED, enum spans_limit why UNUSED)
{
	struct lockseq *s = arg;

	s->dropped++;
}

void lockseq_init(struct lockseq *s)
{
	const struct spans_limits limits = { .deep = DEEP, .owners = TASKS, .dropped = drop, .arg = s };

	*s = (struct lockseq){ 0 };
	spans_init(&s->open, sizeof(struct sequence), &limits);
}

void lockseq_deinit(struct lockseq *s)
{
	spans_deinit(&s->open);
	vec_free(&s->rows);
}

int lockseq_add_row(struct lockseq *s)
{
	struct lockseq_row *r = vec_add(&s->rows);

	if (r)
		r->wait.min = UINT64_MAX;
	return r ? 0 : -ENOMEM;
}

static struct sequence *find(const struct lockseq *s, const struct contention_event *ev)
{
	struct span *sp = spans_newest(&s->open, contention_owner(ev));

	while (sp && ((struct sequence *)(void *)sp)->lock != ev->lock)
		sp = spans_older(&s->open, sp);
	return (struct sequence *)(void *)sp;
}

static int break_off(struct lockseq *s, struct sequence *q, enum lockseq_step step, struct lockseq_row *r)
{
	s->broken[step] += !r->broken;
	r->broken = true;
	spans_close(&s->open, &q->span);
	return 0;
}

static int acquire(struct lockseq *s, struct sequence *q, const struct contention_event *ev, uint32_t flags,
		   struct lockseq_row *r)
{
	if (q && q->state == READ_ACQUIRED && flags & LOCKSEQ_READ) {
		q->readers++;
		r->acquired++;
		return 0;
	}
	if (q)
		return break_off(s, q, LOCKSEQ_ACQUIRE, r);
	q = spans_open(&s->open, &(struct span){ .owner = contention_owner(ev), .ts = ev->time, .cpu = ev->cpu });
	if (!q)
		return -ENOMEM;
	q->lock = ev->lock;
	q->state = flags ? READ_ACQUIRED : ACQUIRING;
	q->readers = 1;
	r->acquired += flags != 0;
	return 0;
}

static void add_wait(struct contention_row *w, uint64_t ns)
{
	w->total += ns;
	w->min = MIN(w->min, ns);
	w->max = MAX(w->max, ns);
}

static int acquired(struct lockseq *s, struct sequence *q, const struct contention_event *ev, struct lockseq_row *r)
{
	if (q->state != ACQUIRING && q->state != CONTENDED)
		return break_off(s, q, LOCKSEQ_ACQUIRED, r);
	if (q->state == CONTENDED)
		add_wait(&r->wait, ev->time - MIN(ev->time, q->since));
	q->state = ACQUIRED;
	r->acquired++;
	return 0;
}

static int contended(struct lockseq *s, struct sequence *q, const struct contention_event *ev, struct lockseq_row *r)
{
	if (q->state != ACQUIRING)
		return break_off(s, q, LOCKSEQ_CONTENDED, r);
	q->state = CONTENDED;
	q->since = ev->time;
	r->wait.begun++;
	return 0;
}

static int released(struct lockseq *s, struct sequence *q, struct lockseq_row *r)
{
	if (q->state == READ_ACQUIRED && --q->readers)
		return 0;
	if (q->state != ACQUIRED && q->state != READ_ACQUIRED)
		return break_off(s, q, LOCKSEQ_RELEASE, r);
	spans_close(&s->open, &q->span);
	return 0;
}

int lockseq_step(struct lockseq *s, enum lockseq_step step, const struct contention_event *ev, uint32_t flags,
		 uint32_t row)
{
	struct lockseq_row *r = &s->rows.v[row];
	struct sequence *q = find(s, ev);

	if (step == LOCKSEQ_ACQUIRE)
		return acquire(s, q, ev, flags, r);
	/* It started before the first event. */
	if (!q)
		return 0;
	switch (step) {
	case LOCKSEQ_ACQUIRED:
		return acquired(s, q, ev, r);
	case LOCKSEQ_CONTENDED:
		return contended(s, q, ev, r);
	default:
		return released(s, q, r);
	}
}
