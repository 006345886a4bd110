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

/* The event of the run's first sample; NULL: session_next has to look at it. */
static inline struct perf_event *session_run_event(const struct perf_head *h, const struct session_run *r,
						   struct perf_rec *head)
{
	const struct perf_near *near;
	uint64_t time, id;

	if (!r->b.n || r->b.n < r->least)
		return NULL;
	__builtin_prefetch(r->b.p + PERF_FETCH);
	memcpy(head, r->b.p, sizeof(*head));
	memcpy(&time, r->b.p + r->time_at, sizeof(time));
	memcpy(&id, r->b.p + r->id_at, sizeof(id));
	if (head->type != PERF_REC_SAMPLE || head->size < r->least || head->size > r->b.n || time > r->upto)
		return NULL;
	near = &h->near[id % PERF_NEAR];
	return near->event && near->id == id ? &h->events.v[near->event - 1] : session_run_rare(h, r);
}

/* The stretch goes on behind samples that nobody asked for; they are counted. */
void session_skip_unasked(struct session *s);

/* The stretch is over, and the next one follows at once. False: session_next has to look. */
bool session_run_more(struct session *s);

static inline void session_run_on(struct session_run *r, size_t n)
{
	r->b.p += n;
	r->b.n -= n;
}

/*
 * True: the item is a sample. False: ask session_next. *plain: the fields that the item's sample has, all others of
 * which are clear, where it was set by this function last; else 0, for the caller to set.
 */
static inline bool session_next_plain(struct session *s, struct session_item *item, uint64_t *plain)
{
	struct perf_event *ev;
	struct perf_rec head;

	while ((ev = session_run_event(s->head, &s->run, &head)) || session_run_more(s)) {
		struct bytes body = { s->run.b.p + sizeof(head), head.size - sizeof(head) };

		if (!ev)
			continue;
		if (ev->unasked) {
			session_skip_unasked(s);
			continue;
		}
		if (s->group.leader || !sample_decode_plain(&ev->layout, body, head.misc, &item->sample, plain))
			return false;
		session_run_on(&s->run, head.size);
		s->stats.samples++;
		ev->n_samples++;
		item->event = ev;
		return true;
	}
	return false;
}

#endif
