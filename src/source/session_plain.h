/*
 * session_plain.h - the next record where it is what most are: a plain sample of the stretch that the source gave, of
 * which nobody is told. For who asks for millions of them; session_next gives them as well.
 */
#ifndef SOURCE_SESSION_PLAIN_H
#define SOURCE_SESSION_PLAIN_H

#include "perf/sample_plain.h"
#include "source/session.h"

/* The stretch's next sample was taken. */
static inline void session_run_on(struct session *s, const struct perf_record *r)
{
	size_t n = sizeof(struct perf_rec) + r->body.n;

	s->run.p += n;
	s->run.n -= n;
}

/* True: the item is a sample. False: ask session_next. */
static inline bool session_next_plain(struct session *s, struct session_item *item)
{
	struct perf_record r;

	if (!s->run.n || s->group.leader || s->watch.samples)
		return false;
	while (perf_record_sample(s->run, s->head->swap, 0, &r)) {
		struct perf_event *ev = perf_head_event(s->head, &r);
		bool unasked = ev && ev->unasked;

		if (!ev || (!unasked && !sample_decode_plain(&ev->layout, r.body, r.misc, &item->sample)))
			return false;
		session_run_on(s, &r);
		s->stats.samples++;
		ev->n_samples++;
		if (unasked)
			continue;
		item->event = ev;
		return true;
	}
	return false;
}

#endif
