/*
 * session_plain.h - inline fast path of session_next(), for analyses of millions of samples: the next record is a plain
 * sample (perf/sample_plain.h) of the current stretch, and no watch is set for samples.
 */
#ifndef SOURCE_SESSION_PLAIN_H
#define SOURCE_SESSION_PLAIN_H

#include "perf/sample_plain.h"
#include "source/session.h"

/* The event of the run's first sample when perf_head.near does not have its id. NULL: unknown id. */
struct perf_event *session_run_rare(const struct perf_head *h, const struct session_run *r);

/* A sample as it lies in a stretch. */
struct session_plain {
	struct perf_rec head;
	uint64_t time;
};

/* The event of the run's first sample, whatever its time; NULL: the run is over, or session_next() must handle it. */
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

/* Count the run's first sample and move past it. */
static inline void session_run_count(struct session *s, struct perf_event *ev, const struct session_plain *at)
{
	session_run_on(&s->run, at->head.size);
	s->stats.samples++;
	ev->n_samples++;
}

/* If the stretch is over (is_over: known to be), get the next one from the source. False: call session_next(). */
bool session_run_more(struct session *s, bool is_over);

/*
 * True: the item is a sample. False: call session_next(). *plain is the sample_type with which this function has filled
 * item->sample, see sample_decode_plain(); the caller must set it to 0 after anything else has written the item.
 *
 * Samples of an `unasked` event are counted even if they are later than the next samples of other runs: only their
 * number matters.
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
 * Samples that follow a plain one and differ from it only in ip, time and period, as most do while one thread runs.
 * They are read in place and counted together.
 */
struct session_alike {
	const uint8_t *p, *end;         /* the next sample, and the end of the run */
	uint64_t head, id, thread;      /* the same in each: record header, id, pid and tid */
	uint64_t upto;                  /* ns: later samples do not count */
	size_t size, id_at, time_at, ip_at, thread_at;
	size_t period_at;               /* 0: samples have no period, use the layout's */
	uint64_t n;                     /* number taken */
};

static inline uint64_t session_word(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Start with the sample behind smp, the last one delivered. False: it is of another event or layout. */
bool session_alike_begin(const struct session *s, const struct perf_event *ev, const struct sample *smp,
			 struct session_alike *a);

/* Is the next record such a sample? */
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

/* Count the samples that were taken, and move the run past them. */
static inline void session_alike_end(struct session *s, struct perf_event *ev, const struct session_alike *a)
{
	session_run_on(&s->run, (size_t)(a->p - s->run.b.p));
	s->stats.samples += a->n;
	ev->n_samples += a->n;
}

/* session_next(), by the fast path when possible. Start with *plain = 0. */
static inline int session_next_fast(struct session *s, struct session_item *item, uint64_t *plain, struct err *e)
{
	if (session_next_plain(s, item, plain))
		return 1;
	*plain = 0;
	return session_next(s, item, e);
}

#endif
