/* stages.c - at most one open pair for each key. */
#include "engine/stages.h"

struct begun {
	struct span span;                /* first */
	const struct tap *tap;
	uint32_t tid, pid;
	unsigned stage;
	uint64_t seq, extra;
};

static void dropped(void *arg, const struct span *sp UNUSED, enum spans_limit why UNUSED)
{
	struct stages *s = arg;

	s->stats.dropped++;
	s->n_open--;
}

void stages_init(struct stages *s, unsigned n, bool cycle)
{
	const struct spans_limits limits = { .deep = 1, .owners = STAGES_KEYS, .dropped = dropped, .arg = s };

	s->n = n;
	s->cycle = cycle;
	s->stats = (struct stages_stats){ 0 };
	s->n_open = 0;
	spans_init(&s->open, sizeof(struct begun), &limits);
}

void stages_deinit(struct stages *s)
{
	spans_deinit(&s->open);
}

static struct stages_pair pair_of(const struct begun *b, const struct stages_event *ev)
{
	return (struct stages_pair){
		.first = b->tap, .key = b->span.owner, .from = b->span.ts, .cpu_from = b->span.cpu, .tid_from = b->tid,
		.pid_from = b->pid, .seq_from = b->seq, .extra_from = b->extra,
		.second = ev->hit->tap, .to = ev->hit->time, .cpu_to = ev->hit->cpu, .tid_to = ev->hit->tid,
		.pid_to = ev->hit->pid, .seq_to = ev->seq, .extra_to = ev->extra,
	};
}

/* The stage that begins the pair which this stage ends. False: none. */
static bool stage_before(const struct stages *s, unsigned stage, unsigned *before)
{
	if (!stage && !s->cycle)
		return false;
	*before = stage ? stage - 1 : s->n - 1;
	return true;
}

static int end_pair(struct stages *s, const struct stages_event *ev)
{
	struct begun *b = (struct begun *)spans_newest(&s->open, ev->key);
	struct stages_pair p;
	unsigned before;
	bool whole;

	if (!stage_before(s, ev->stage, &before))
		return 0;
	if (!b || b->stage != before) {
		s->stats.unstarted++;
		return 0;
	}
	whole = spans_whole(&s->open, &b->span, ev->hit->cpu) && ev->hit->time >= b->span.ts;
	p = pair_of(b, ev);
	spans_close(&s->open, &b->span);
	s->n_open--;
	if (!whole) {
		s->stats.discarded++;
		return 0;
	}
	s->stats.pairs++;
	return s->pair(s->arg, &p);
}

static int begin_pair(struct stages *s, const struct stages_event *ev)
{
	const struct hit *h = ev->hit;
	struct span *old = spans_newest(&s->open, ev->key);
	struct begun *b;

	if (old) {
		s->stats.replaced++;
		spans_close(&s->open, old);
		s->n_open--;
	}
	b = spans_open(&s->open,
		       &(struct span){ .owner = ev->key, .ts = h->time, .cpu = h->cpu, .pinned = ev->pinned });
	if (!b)
		return -ENOMEM;
	b->tap = h->tap;
	b->tid = h->tid;
	b->pid = h->pid;
	b->stage = ev->stage;
	b->seq = ev->seq;
	b->extra = ev->extra;
	s->n_open++;
	return 0;
}

int stages_add(struct stages *s, const struct stages_event *ev)
{
	bool last = ev->stage + 1 == s->n && !s->cycle;
	int r = ev->role & STAGES_ENDS ? end_pair(s, ev) : 0;

	return r || last || !(ev->role & STAGES_BEGINS) ? r : begin_pair(s, ev);
}

int stages_lose(struct stages *s, uint32_t cpu)
{
	return spans_lose(&s->open, cpu);
}
