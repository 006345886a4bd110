/*
 * source.h - where records come from: a perf.data, a trace.dat, the rings of open counters. The reader pulls one record
 * after the other, and need not know which kind of source it is:
 *
 *	while ((r = source_next(s, &rec, e)) > 0)
 *		...
 *
 * Records come in order of time; one without a time comes at its place in the stream.
 *
 * The bytes of a record are valid until the next source_next(); the head and its events until source_close().
 */
#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

#include "perf/head.h"
#include "tracefs/format/events.h"
#include "tracefs/ring/stream.h"

struct dat_kinds;

enum source_form { SOURCE_PERF, SOURCE_TRACE };   /* format of the records: perf's, or that of tracefs rings */

struct source_rec {
	uint64_t time;              /* ns; 0: none */
	struct perf_event *event;   /* of the head; NULL: none, or not known yet */
	/*
	 * For a source that delivers stretches: `more` bytes follow the body of this sample in memory. The samples in
	 * them, up to the first record that is later than `upto`, or is no sample, or is cut, come before the record of
	 * the next source_next(), and may belong to other events. The reader processes them itself, and says with
	 * source->untaken how many of the bytes are left.
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
	SOURCE_NOTHING,             /* no record for now: a live source without a wait() */
};

struct source_stats {
	uint64_t records;
	uint64_t late;              /* records older than one that was delivered before */
	uint64_t lost;              /* events that the source knows to be missing; LOST records may report more */
	uint64_t gaps;              /* places where an unknown number of events is missing */
	uint64_t bad;               /* parts of the input that are no records */
	uint64_t rounds, packed, packed2;   /* records not delivered: FINISHED_ROUND, COMPRESSED, COMPRESSED2 */
};

struct source;

struct source_kind {
	enum source_form form;
	int (*next)(struct source *s, struct source_rec *rec, struct err *e);
	void (*end)(struct source *s);   /* live: no new data; deliver what is buffered, then end. Else NULL */
	void (*close)(struct source *s);
	/* See source_ahead(). NULL: not supported. */
	void (*ahead)(struct source *s);
	/*
	 * Fast path for sources that deliver stretches: the next stretch, if the next record is a sample. False: call
	 * source_next(). NULL: always call source_next().
	 */
	bool (*stretch)(struct source *s, struct source_rec *rec);
	/* See source_stretches(). NULL: not supported. */
	void (*stretches)(struct source *s, bool in_order);
	/* The recorded kernel's symbols as text of /proc/kallsyms; empty: there are none. NULL: use this machine's. */
	struct sv (*kallsyms)(const struct source *s);
	/*
	 * For tracefs: call `take` with memory maps of processes, as text of a trace.dat's PROCMAPS. pid 0: of all
	 * processes known from the start; else of this one, as they are now. 0 or what `take` returned.
	 */
	int (*maps)(const struct source *s, uint32_t pid, int (*take)(void *arg, struct sv text), void *arg);
};

/* The base of each kind of source, which has it as its first member. */
struct source {
	const struct source_kind *kind;
	struct perf_head *head;
	struct tevents trace;       /* formats of tracepoints; empty when it has none */
	/* For tracefs: the kinds of the head's events, indexed alike. NULL: the session adds them as they occur. */
	struct dat_kinds *kinds;
	/*
	 * Set by the reader: mask of 1 << type of records that it does not need and the source need not deliver.
	 * Records with the cpumode of the kernel, such as maps of modules, are delivered anyway.
	 */
	uint32_t left_out;
	bool stacked;               /* with kinds NULL: stack records may follow events */
	struct source_stats stats;
	bool stretched;             /* samples may come in stretches; the header is in memory before the body */
	size_t time_at;             /* with stretches: offset of the time in a sample's body */
	size_t untaken;             /* set by the reader: bytes of the last stretch that it did not process */
	struct err end;             /* why it ended early; code 0: it did not */
	bool skipped;               /* some compressed records could not be unpacked */
	/*
	 * For a live source: sleep until there may be new data, and return true; false: stop, deliver what is left.
	 * NULL: source_next() returns SOURCE_NOTHING, and the caller waits itself.
	 */
	bool (*wait)(void *arg);
	void *wait_arg;
};

/* An enum source_got, or -errno. A truncated recording is no error: s->end says why it ended. */
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
 * Let another thread read the next records while the caller processes the current ones, if the recording is large
 * enough. The bytes of a record stay valid until the next source_next(), as ever.
 */
static inline void source_ahead(struct source *s)
{
	if (s->kind->ahead)
		s->kind->ahead(s);
}

/*
 * To be called before the first source_next(): samples may be delivered in stretches, see `more`. With in_order false
 * the order of samples between two other records does not matter; a file is then read nearly sequentially.
 */
static inline void source_stretches(struct source *s, bool in_order)
{
	if (s->kind->stretches)
		s->kind->stretches(s, in_order);
}

/* s may be NULL. */
static inline void source_close(struct source *s)
{
	if (s)
		s->kind->close(s);
}

/* For kinds of sources: parse the formats in the head's tracing data. 0 or -ENOMEM; damage becomes a note. */
int source_read_formats(struct source *s);

#endif
