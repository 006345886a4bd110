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

/* The stretch goes on behind samples that nobody asked for; they are counted. */
void session_skip_unasked(struct session *s);

/* It was taken. */
static inline void session_run_on(struct session *s, const struct perf_record *r)
{
	size_t n = sizeof(struct perf_rec) + r->body.n;

	s->run.p += n;
	s->run.n -= n;
}

/*
 * True: the item is a sample. False: ask session_next. *plain: the fields that the item's sample has, all others of
 * which are clear, where it was set by this function last; else 0, for the caller to set.
 */
static inline bool session_next_plain(struct session *s, struct session_item *item, uint64_t *plain)
{
	struct perf_record r;

	if (!s->run.n || s->group.leader || s->watch.samples)
		return false;
	while (session_run_next(s, &r)) {
		struct perf_event *ev = perf_head_event(s->head, &r);
		bool unasked = ev && ev->unasked;

		if (!ev || (!unasked && !sample_decode_plain(&ev->layout, r.body, r.misc, &item->sample, plain)))
			return false;
		session_run_on(s, &r);
		s->stats.samples++;
		ev->n_samples++;
		if (unasked) {
			session_skip_unasked(s);
			continue;
		}
		item->event = ev;
		return true;
	}
	return false;
}

#endif
