/*
 * view.h - what profilers that are views of one subject share (sched latency, kmem stat, lock contention ...): of a
 * recording as perf's command of that name, or live. Options, where events come from, keys to sort by, times as text.
 */
#ifndef PROF_VIEW_H
#define PROF_VIEW_H

#include "prof/prof.h"

/* The want of each view begins with it. */
struct view_want {
	struct prof_want prof;
	unsigned verbose;
	bool ignored;
};
extern const struct opt view_opts[];
extern const struct opt view_files_opts[];   /* for its prof.session: -k, --kallsyms, --symfs */

/*
 * For prof_kind.first: with -a, a command or an interval it is live, of all tasks; else the recording that -i names, or
 * that of the usual name, as perf has it.
 */
int view_first(struct prof *p, struct err *e);

/* Has this kernel an event "system:name"? sched_waking: Linux 4.3; sched_stat_*: CONFIG_SCHEDSTATS. */
bool view_has_event(const struct sys *sys, const char *name);

/* An event that a view reads, and the fields of it that count; NULL behind the last. */
enum { VIEW_FIELDS = 8 };
struct view_kind {
	const char *label;               /* "kmem:kfree" */
	const char *fields[VIEW_FIELDS];
};

/* Of a tap: which of the view's kinds it is, and where the fields stand; NULL: this kernel has not that one. */
struct view_tap {
	uint32_t kind;
	const struct tfield *field[VIEW_FIELDS];
	uint32_t word_end[VIEW_FIELDS];  /* of a field of 8 bytes, as this machine has them; 0: it is another one */
};

/* Of all taps of the feed, by index; borrowed from it. In begin. NULL: no memory. */
const struct view_tap *view_taps(struct prof *p, const struct view_kind *kinds, size_t n);

static inline uint64_t view_value(const struct view_tap *t, const struct hit *h, unsigned field)
{
	uint32_t end = t->word_end[field];
	uint64_t v;

	if (!end || end > h->raw.n)
		return tfmt_value(t->field[field], h->raw.p, h->raw.n);
	memcpy(&v, h->raw.p + end - sizeof(v), sizeof(v));
	return v;
}

/* What `ask` says of a place in code, asked once for each as long as there are not too many. `known` is the view's. */
bool view_is(struct map *known, uint64_t ip, bool (*ask)(void *arg, uint64_t ip), void *arg);

/* What rows are sorted by, the first key first: indices of its names. */
enum { VIEW_KEYS = 8 };
struct view_keys {
	uint8_t v[VIEW_KEYS];
	unsigned n;
};

/* "max,count" of n names. -EINVAL: there is no such key, or too many of them. */
int view_keys_read(struct view_keys *k, const char *text, const char *const *names, size_t n, struct err *e);

/* --time "FROM,TO": hits within these ns of the recording's clock, to UINT64_MAX: without an end. In begin. */
struct view_span {
	uint64_t from, to;
};
int view_span_read(struct view_span *s, const struct prof *p, const char *text, struct err *e);

static inline bool view_span_has(const struct view_span *s, uint64_t time)
{
	return time >= s->from && time <= s->to;
}

/* "   12.000345", right-aligned in width. */
void view_time(struct out *o, uint64_t ns, unsigned width);

/* "    12.345 ", of ns, the whole ms right-aligned in width. */
void view_ms(struct out *o, uint64_t ns, unsigned width);

/* "3 WHAT", beside the output: that is perf's, line by line. */
void view_note(const struct prof *p, uint64_t n, const char *what);

/* CPUs of the machine of the events; 0: not known. */
uint32_t view_cpus(const struct prof *p);

#endif
