/*
 * feed_plain.h - inline fast path of feed_next(), for recordings of millions of samples: the next hit, if it is a plain
 * sample for a single tap that takes all.
 */
#ifndef ENGINE_FEED_PLAIN_H
#define ENGINE_FEED_PLAIN_H

#include "engine/feed.h"
#include "source/session_plain.h"

/* The first tap for the item, a sample; NULL: none. */
static inline const struct tap *feed_tap_of(struct feed *f)
{
	size_t i = session_event_index(&f->session, f->item.event);
	uint32_t first = i < f->n_of_event ? f->of_event[i] : 0;

	f->stats.seen++;
	return first ? &f->taps.v[first - 1] : NULL;
}

/* Fill *h from the item, for this tap. */
static inline void feed_fill(const struct feed *f, const struct tap *t, struct hit *h)
{
	const struct sample *s = &f->item.sample;

	*h = (struct hit){
		.tap = t, .record = f->stats.seen, .time = s->time, .cpu = s->cpu, .pid = s->pid, .tid = s->tid,
		.raw = s->raw, .event = t->event, .perf = f->item.event, .sample = s,
	};
}

static inline void feed_note_time(struct feed *f)
{
	if (!f->stats.first)
		f->stats.first = f->item.sample.time;
	f->stats.last = f->item.sample.time;
}

/* True: *h is a hit. False: call feed_next(). */
static inline bool feed_next_plain(struct feed *f, struct hit *h)
{
	const struct tap *t;

	if (!f->takes_all || f->over || f->pending || f->due || !session_next_plain(&f->session, &f->item, &f->plain))
		return false;
	t = feed_tap_of(f);
	if (t)
		feed_note_time(f);
	if (!t || t->next || t->chooses) {
		f->pending = t;
		return false;
	}
	feed_fill(f, t, h);
	f->stats.hits++;
	return true;
}

#endif
