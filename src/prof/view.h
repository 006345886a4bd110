/*
 * view.h - shared by profilers that are views of one subject (sched latency, kmem stat, lock contention ...), of a
 * recording as perf's command of that name, or live: options, sources of events, sort keys, times as text.
 */
#ifndef PROF_VIEW_H
#define PROF_VIEW_H

#include "prof/prof.h"

/* The options of each view begin with it. */
struct view_want {
	struct prof_want prof;
	unsigned verbose;
	bool ignored;
};
extern const struct opt view_opts[];
extern const struct opt view_files_opts[];   /* for prof.session: -k, --kallsyms, --symfs */

/*
 * For prof_kind.first: with -a, a command or an interval it is live, for all tasks; else the recording is that of -i,
 * or the default one, as in perf.
 */
int view_first(struct prof *p, struct err *e);

/* Does this kernel have an event "system:name"? sched_waking: Linux 4.3; sched_stat_*: CONFIG_SCHEDSTATS. */
bool view_has_event(const struct sys *sys, const char *name);

/* An event of a view, and the fields that it needs; NULL-terminated. */
enum { VIEW_FIELDS = 8 };
struct view_kind {
	const char *label;               /* "kmem:kfree" */
	const char *fields[VIEW_FIELDS];
};

/* A tap's event: index into the view's kinds, and its fields; NULL: missing on this kernel. */
struct view_tap {
	uint32_t kind;
	const struct tfield *field[VIEW_FIELDS];
	uint32_t word_end[VIEW_FIELDS];  /* end of a native 8-byte field in the record; 0: another type */
};

/* For all taps of the feed, by index; borrowed from it. Call in begin. NULL: no memory. */
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

/* The result of `ask` for an address in code, cached while the cache is not too large. `known` is the view's. */
bool view_is(struct map *known, uint64_t ip, bool (*ask)(void *arg, uint64_t ip), void *arg);

/* Sort keys, the first one first: indices into its names. */
enum { VIEW_KEYS = 8 };
struct view_keys {
	uint8_t v[VIEW_KEYS];
	unsigned n;
};

/* Parse "max,count" with n names. -EINVAL: unknown key, or too many. */
int view_keys_read(struct view_keys *k, const char *text, const char *const *names, size_t n, struct err *e);

/* --time "FROM,TO": a range in ns of the recording's clock; UINT64_MAX: open end. Call in begin. */
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

/* "    12.345 " from ns, whole ms right-aligned in width. */
void view_ms(struct out *o, uint64_t ns, unsigned width);

/* Report "3 WHAT" as a note, not in the output, which is compatible with perf's line by line. */
void view_note(const struct prof *p, uint64_t n, const char *what);

/* CPUs of the machine of the events; 0: unknown. */
uint32_t view_cpus(const struct prof *p);

#endif
