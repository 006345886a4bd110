/*
 * session.h - read a source and apply its side records: thread names and memory maps are those of each sample's time,
 * and every loss is counted. Events of a trace.dat or tracefs are presented as perf events of type tracepoint.
 *
 * report, script, flame and every analysis pull their samples and records from here, one after another.
 */
#ifndef SOURCE_SESSION_H
#define SOURCE_SESSION_H

#include "base/opt.h"
#include "perf/side.h"
#include "source/found.h"
#include "source/source.h"
#include "source/stacks.h"
#include "sym/resolver.h"

struct perf_pipe;

struct session_want {
	const char *path;       /* NULL: what a pipe on standard input has, or perf.data, or trace.dat when only that is
				   there; "-": standard input */
	const char *symfs, *vmlinux, *kallsyms;
	/* As in sym_want; borrowed until the session is closed. Not used for call chains with kernel_only. */
	const struct kernel_namer *namer;
	const char *itrace;     /* which samples are made of SPE records: spe/wanted.h */
	bool mangled, full;     /* C++ and Rust names: mangled; demangled with parameters */
	bool raw_order;         /* file order instead of time order */
	bool rounds;            /* deliver FINISHED_ROUND records, too */
	bool no_names;          /* symbols are never looked up: follow maps and complete stacks only */
	bool kernel_only;       /* user addresses are looked up only if the recording has call chains */
	bool no_ends;           /* with kernel_only: EXIT records are not needed */
	bool outlined;          /* --no-inline: inlined code counts for the function that contains it */
	bool kernel_plain;      /* --demangle-kernel: refused */
	/* Set: stream a recording from a pipe, which is then read only once, and call this before waiting for more.
	   NULL: read a pipe to its end first. */
	void (*idle)(void *arg);
	void *idle_arg;
};

/* For commands that show call chains; `type` has a member struct session_want session. */
#define SESSION_OPT_INLINE(type) \
	OPT_FLAG(0, "no-inline", type, session.outlined, "do not show inlined functions as frames")

/* For OPT_SUB: options for the recording and for the places of its binaries. */
extern const struct opt session_opts[];

struct session_stats {
	uint64_t samples, lost, lost_samples;   /* lost: events, sum of the LOST records */
	uint64_t unknown_event;     /* records whose id belongs to no event */
	uint64_t undecodable;       /* records whose body is cut or invalid */
	uint64_t throttled;
	uint64_t counts;            /* STAT records of perf stat, which are no samples */
};

#define SESSION_NOT_TIMED UINT32_MAX

/* Called with each perf record before it is followed or decoded. */
struct session_watch {
	void (*see)(void *arg, const struct source_rec *rec);   /* NULL: not used */
	void *arg;
	bool samples;                   /* call it for samples, too */
};

/* A sample or record that a session delivers, valid until the next one. */
struct session_item {
	struct perf_event *event;     /* of a sample; NULL: another record, which the session has applied */
	struct sample sample;         /* of another record: its trailer */
	struct perf_record record;    /* set if it is not a sample */
	struct side side;             /* that record decoded; type 0: not a side record */
};

/* {a,b}:S - a sample of the leader has the counts of the whole group, which are delivered as one sample each. */
struct session_group {
	const struct perf_event *leader;   /* NULL: no group sample is being delivered */
	struct sample sample;
	uint64_t next;                     /* index of the next count */
};

/* The rest of the stretch of samples that the source delivered, see `more` in source.h. */
struct session_run {
	struct bytes b;
	uint64_t upto;
	size_t time_at, id_at;          /* offsets of time and id in each record */
	size_t least;                   /* smallest size of a record that has both; SIZE_MAX: no fast path */
};

struct session {
	const struct sys *sys;
	struct found found;             /* the recording */
	const char *path;               /* of the recording */
	struct perf_pipe *pipe;         /* owns the source when a pipe is streamed; NULL: it is not */
	struct source *source;
	bool owned;                     /* the session owns the source and closes it */
	struct session_watch watch;     /* set by the caller */
	struct perf_head *head;         /* of the source: its events, its machine */
	struct tevents *trace;          /* of the source: formats of tracepoints */
	struct resolver *resolver;
	struct session_group group;
	struct session_run run;
	uint64_t asked;                 /* calls of source_next(), during which a source finds losses */
	struct trace_samples *of_trace; /* for a source of tracefs records; else NULL */
	uint32_t timed;                 /* index of the event whose period is the function's self time in ns */
	struct map group_values; /* sample id -> its count at the last sample, for groups read by their leader */
	struct session_stats stats;
	struct stacks stacks;
	const struct arch *arch;        /* of the recorded machine */
	bool skipped;                   /* there were STAT records, which a session does not deliver */
	bool kernel_only;               /* memory maps of processes are not followed */
	bool running;                   /* recorded on the running kernel, by its build-id, and no option names other
					   symbols for it */
	struct early *early;            /* reads /proc/kallsyms in advance; NULL: it is read when needed */
};

/* -EISDIR, -ENOENT, -EBADMSG ... with the path in e. */
int session_open(struct session *s, const struct sys *sys, const struct session_want *w, struct err *e);
void session_close(struct session *s);

/*
 * Read from an open source, which the caller closes after session_close(). path and order of *w are not used.
 */
int session_over(struct session *s, const struct sys *sys, struct source *source, const struct session_want *w,
		 struct err *e);

/*
 * Let other threads prepare what will be needed, if that is worth it: the kernel's symbols, and with `records` the next
 * records, for a caller that takes longer to process a record than it takes to find it.
 */
void session_ahead(struct session *s, bool records);

/* Before the first session_next(): samples may come in any order, but each with the address spaces of its time. */
void session_unordered(struct session *s);

/*
 * 1: the next sample or record; 0: the end; SOURCE_NOTHING; or -errno. A truncated recording is no error:
 * s->source->end says why it ended.
 */
int session_next(struct session *s, struct session_item *item, struct err *e);

/*
 * The same for raw perf records: side records are followed, samples are left for the caller to decode. An enum
 * source_got, or -errno.
 */
int session_next_record(struct session *s, struct source_rec *rec, struct err *e);

/* Kernel functions and strings for printing tracepoints. Valid as long as the session. */
struct tprint_names session_names(struct session *s);

/* Index of an event of the head. */
static inline size_t session_event_index(const struct session *s, const struct perf_event *ev)
{
	return (size_t)(ev - s->head->events.v);
}

/* After it was read: is part of the recording missing or unreadable? */
bool session_incomplete(const struct session *s);

/*
 * Say one line for each problem: notes on the file, losses, records that are unknown, undecodable or late, missing
 * symbols.
 */
enum session_tell { SESSION_LOSSES, SESSION_ALL };   /* ALL: also those that the recorder has already reported */
void session_footer(const struct session *s, enum session_tell what, void (*say)(void *arg, const char *line),
		    void *arg);

#endif
