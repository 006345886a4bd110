/*
 * session_plain.h - the next record where it is what most are: a plain sample of the stretch that the source gave, of
 * which nobody is told. For who asks for millions of them; session_next gives them as well.
 */
#ifndef SOURCE_SESSION_PLAIN_H
#define SOURCE_SESSION_PLAIN_H

#include "perf/sample_plain.h"
#include "source/session.h"

/* Where ids have no place in perf_head.near. NULL: it belongs to no event. */
struct perf_event *session_run_rare(const struct perf_head *h, const struct session_run *r);

/* A sample as it lies in a stretch. */
struct session_plain {
	struct perf_rec head;
	uint64_t time;
};

/* The event of the run's first sample, whatever its time; NULL: session_next has to look at it, or it is over. */
static inline struct perf_event *session_run_event(const struct perf_head *h, const struct session_run *r,
						   struct session_plain *at)
{
	const struct perf_near *near;
	uint64_t id;

	if (!r->b.n || r->b.n < r->least)
		return NULL;
	__builtin_prefetch(r->b.p + PERF_FETCH);
	memcpy(&at->head, r->b.p, sizeof(at->head));
	memcpy(&at->time, r->b.p + r->time_at, sizeof(at->time));
	memcpy(&id, r->b.p + r->id_at, sizeof(id));
	if (at->head.type != PERF_REC_SAMPLE || at->head.size < r->least || at->head.size > r->b.n)
		return NULL;
	near = &h->near[id % PERF_NEAR];
	return near->event && near->id == id ? &h->events.v[near->event - 1] : session_run_rare(h, r);
}

static inline void session_run_on(struct session_run *r, size_t n)
{
	r->b.p += n;
	r->b.n -= n;
}

/* The run's first sample is taken. */
static inline void session_run_count(struct session *s, struct perf_event *ev, const struct session_plain *at)
{
	session_run_on(&s->run, at->head.size);
	s->stats.samples++;
	ev->n_samples++;
}

/* The stretch is over, as is known or found, and the next one follows at once. False: session_next has to look. */
bool session_run_more(struct session *s, bool is_over);

/*
 * True: the item is a sample. False: ask session_next. *plain: the fields that the item's sample has, all others of
 * which are clear, where it was set by this function last; else 0, for the caller to set.
 *
 * Nobody sees when it is that samples are counted which nobody asked for: they may be later than those of other runs
 * which come next.
 */
static inline bool session_next_plain(struct session *s, struct session_item *item, uint64_t *plain)
{
	struct session_plain at;
	struct perf_event *ev;

	for (;;) {
		ev = session_run_event(s->head, &s->run, &at);
		if (ev && ev->unasked) {
			session_run_count(s, ev, &at);
		} else if (ev && at.time <= s->run.upto) {
			struct bytes body = { s->run.b.p + sizeof(at.head), at.head.size - sizeof(at.head) };

			if (s->group.leader ||
			    !sample_decode_plain(&ev->layout, body, at.head.misc, &item->sample, plain))
				return false;
			session_run_count(s, ev, &at);
			item->event = ev;
			return true;
		} else if (!session_run_more(s, ev)) {
			return false;
		}
	}
}

/*
 * Samples behind a plain one that differ from it in no more than their place, moment and weight: while one thread runs
 * most do. They are looked at where they lie, and counted together.
 */
struct session_alike {
	const uint8_t *p, *end;         /* the next one, and of all that may be some */
	uint64_t head, id, thread;      /* of each */
	uint64_t upto;                  /* ns: the last moment */
	size_t size, id_at, time_at, ip_at, thread_at;
	size_t period_at;               /* 0: they have none, the event's layout tells */
	uint64_t n;                     /* that were taken */
};

static inline uint64_t session_word(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Those behind smp, the event's, which was given last. False: there are none. */
bool session_alike_begin(const struct session *s, const struct perf_event *ev, const struct sample *smp,
			 struct session_alike *a);

/* Is the next one another? */
static inline bool session_alike_has(const struct session_alike *a)
{
	__builtin_prefetch(a->p + PERF_FETCH);
	return (size_t)(a->end - a->p) >= a->size && session_word(a->p) == a->head &&
	       session_word(a->p + a->id_at) == a->id && session_word(a->p + a->thread_at) == a->thread &&
	       session_word(a->p + a->time_at) <= a->upto;
}

static inline void session_alike_take(struct session_alike *a)
{
	a->p += a->size;
	a->n++;
}

/* Those that were taken are over. */
static inline void session_alike_end(struct session *s, struct perf_event *ev, const struct session_alike *a)
{
	session_run_on(&s->run, (size_t)(a->p - s->run.b.p));
	s->stats.samples += a->n;
	ev->n_samples += a->n;
}

/* One or the other, for who begins with *plain = 0: as session_next. */
static inline int session_next_fast(struct session *s, struct session_item *item, uint64_t *plain, struct err *e)
{
	if (session_next_plain(s, item, plain))
		return 1;
	*plain = 0;
	return session_next(s, item, e);
}

#endif
