/*
 * session_plain.h - the next record where it is what most are: a plain sample of the stretch that the source gave, of
 * which nobody is told. For who asks for millions of them; session_next gives them as well.
 */
#ifndef SOURCE_SESSION_PLAIN_H
#define SOURCE_SESSION_PLAIN_H

#include "perf/sample_plain.h"
#include "source/session.h"

/* The next sample of the stretch that the source gave. */
static inline bool session_run_next(const struct session *s, struct perf_record *r)
{
	size_t at = s->source->time_at;
	uint64_t time;

	__builtin_prefetch(s->run.p + PERF_FETCH);
	if (!perf_record_sample(s->run, s->head->swap, 0, r) || r->body.n < at + sizeof(time))
		return false;
	memcpy(&time, r->body.p + at, sizeof(time));
	return (s->head->swap ? __builtin_bswap64(time) : time) < s->run_until;
}

/* Where ids have no place in perf_head.near. NULL: it belongs to no event. */
struct perf_event *session_run_rare(const struct session *s, const uint8_t *p, size_t n);

/* The event of the sample at p, of which n bytes are left; NULL: session_next has to look at it. */
static inline struct perf_event *session_run_event(const struct session *s, const uint8_t *p, size_t n,
						   struct perf_rec *head)
{
	const struct perf_near *near;
	uint64_t time, id;

	if (!n || n < s->run_least)
		return NULL;
	__builtin_prefetch(p + PERF_FETCH);
	memcpy(head, p, sizeof(*head));
	memcpy(&time, p + sizeof(*head) + s->source->time_at, sizeof(time));
	memcpy(&id, p + s->run_id, sizeof(id));
	if (head->type != PERF_REC_SAMPLE || head->size < s->run_least || head->size > n || time >= s->run_until)
		return NULL;
	near = &s->head->near[id % PERF_NEAR];
	return near->event && near->id == id ? &s->head->events.v[near->event - 1] : session_run_rare(s, p, n);
}

/* The stretch goes on behind samples that nobody asked for; they are counted. */
void session_skip_unasked(struct session *s);

static inline void session_run_on(struct session *s, size_t n)
{
	s->run.p += n;
	s->run.n -= n;
}

/*
 * True: the item is a sample. False: ask session_next. *plain: the fields that the item's sample has, all others of
 * which are clear, where it was set by this function last; else 0, for the caller to set.
 */
static inline bool session_next_plain(struct session *s, struct session_item *item, uint64_t *plain)
{
	struct perf_event *ev;
	struct perf_rec head;

	while ((ev = session_run_event(s, s->run.p, s->run.n, &head))) {
		struct bytes body = { s->run.p + sizeof(head), head.size - sizeof(head) };

		if (ev->unasked) {
			session_skip_unasked(s);
			continue;
		}
		if (s->group.leader || !sample_decode_plain(&ev->layout, body, head.misc, &item->sample, plain))
			return false;
		session_run_on(s, head.size);
		s->stats.samples++;
		ev->n_samples++;
		item->event = ev;
		return true;
	}
	return false;
}

#endif
