/*
 * source.h - where records come from: a perf.data, a trace.dat, the rings of open counters. Whoever wants them pulls
 * one after the other, and need not know which it is:
 *
 *	while ((r = source_next(s, &rec, e)) > 0)
 *		...
 *
 * They come in order of time; one that has no time comes where it stands.
 *
 * What a record points to is lent until the next source_next; the head and what belongs to it, events too, until
 * source_close.
 */
#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

#include "perf/head.h"
#include "tracefs/format/events.h"
#include "tracefs/ring/stream.h"

struct dat_kinds;

enum source_form { SOURCE_PERF, SOURCE_TRACE };   /* how its records are laid out: as perf's, or those of tracefs */

struct source_rec {
	uint64_t time;              /* ns; 0: it has none */
	struct perf_event *event;   /* of the head; NULL: it belongs to none, or nobody has told to which */
	/*
	 * Of a source that gives stretches, behind a sample: so many bytes follow its body in memory. The samples in
	 * them that are no later than `upto`, up to the first that is, or is no sample, or is cut, come before what the
	 * next source_next gives, and may belong to other events. What is left of them source->untaken tells it.
	 */
	size_t more;
	uint64_t upto;
	union {
		struct perf_record perf;
		struct tstream_rec trace;
	};
};

enum source_got {
	SOURCE_END,
	SOURCE_RECORD,
	SOURCE_NOTHING,             /* for now; of a live source that nobody waits for */
};

struct source_stats {
	uint64_t records;
	uint64_t late;              /* records that came too late for their place in time */
	uint64_t lost;              /* events that the source knows are missing; records may tell of more */
	uint64_t gaps;              /* places where events are missing and nobody knows how many */
	uint64_t bad;               /* pieces that are no records */
	uint64_t rounds, packed, packed2;   /* of the records those that are not given: FINISHED_ROUND, COMPRESSED(2) */
};

struct source;

struct source_kind {
	enum source_form form;
	int (*next)(struct source *s, struct source_rec *rec, struct err *e);
	void (*end)(struct source *s);   /* live: nothing more comes; what is there is still given. Else NULL */
	void (*close)(struct source *s);
	/* See source_ahead. NULL: there is no such thread. */
	void (*ahead)(struct source *s);
	/*
	 * Of a source that gives stretches: the next one, where nothing but samples stands before it. False:
	 * source_next has to look. NULL: it always has.
	 */
	bool (*stretch)(struct source *s, struct source_rec *rec);
	/* See source_stretches. NULL: it makes no difference. */
	void (*stretches)(struct source *s, bool in_order);
	/* The kernel's symbols as text of /proc/kallsyms; empty: there are none. NULL: this machine's are meant. */
	struct sv (*kallsyms)(const struct source *s);
	/*
	 * Of tracefs: what processes have mapped, each time as text of a trace.dat's PROCMAPS. pid 0: of all that are
	 * known from the start; else of this one, as it is now. 0 or what `take` returned.
	 */
	int (*maps)(const struct source *s, uint32_t pid, int (*take)(void *arg, struct sv text), void *arg);
};

/* The first member of every kind's own. */
struct source {
	const struct source_kind *kind;
	struct perf_head *head;
	struct tevents trace;       /* formats of tracepoints; empty when it has none */
	/* Of tracefs: the kinds of the head's events, by their index. NULL: who follows it meets them as they occur. */
	struct dat_kinds *kinds;
	/*
	 * For the reader to set: 1 << type of records that are nobody's, and may be left out; not those of the kernel,
	 * which are told as its own, such as what it has mapped.
	 */
	uint32_t left_out;
	bool stacked;               /* then: stacks may follow events */
	struct source_stats stats;
	bool stretched;             /* samples may be given in stretches; the header stands before the body of each */
	size_t time_at;             /* of samples in stretches: of their time, in their body */
	size_t untaken;             /* bytes at the end of the stretch that was given last: for who takes them to set */
	struct err end;             /* why it ended early; code 0: it did not */
	bool skipped;               /* records are there that could not be unpacked */
	/*
	 * Of a live source. Sleep until there may be something, true; or false: it is over, give what is left. NULL:
	 * who pulls is told that there is nothing, and does so itself.
	 */
	bool (*wait)(void *arg);
	void *wait_arg;
};

/* An enum source_got, or -errno. What breaks off is no error: s->end says so. */
static inline int source_next(struct source *s, struct source_rec *rec, struct err *e)
{
	int r;

	rec->more = 0;
	rec->upto = UINT64_MAX;
	while ((r = s->kind->next(s, rec, e)) == SOURCE_NOTHING && s->wait)
		if (!s->wait(s->wait_arg))
			s->kind->end(s);
	return r;
}

/*
 * Another thread may look for the next records while these ones are worked on: where there are many, it does. What a
 * record points to stays until the next source_next, as ever.
 */
static inline void source_ahead(struct source *s)
{
	if (s->kind->ahead)
		s->kind->ahead(s);
}

/*
 * Before the first source_next: samples may be given in stretches, see `more`. Not in_order: whoever asks does not mind
 * in which order samples come, as long as each comes between the same two records that are none; a file is then read
 * as it lies.
 */
static inline void source_stretches(struct source *s, bool in_order)
{
	if (s->kind->stretches)
		s->kind->stretches(s, in_order);
}

/* NULL is no source. */
static inline void source_close(struct source *s)
{
	if (s)
		s->kind->close(s);
}

/* For the kinds: the formats that the head's tracing data has. 0 or -ENOMEM; what is damaged becomes a note. */
int source_read_formats(struct source *s);

#endif
