/*
 * session.h - the records of a source, followed: names and maps are known at each sample, and every loss is counted.
 * Kinds of events of a trace are perf events of the type tracepoint.
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
	/* sym_want's; borrowed until the session is closed. Not for chains of kernel_only: their names are perf's. */
	const struct kernel_namer *namer;
	const char *itrace;     /* which samples are made of SPE records: spe/wanted.h */
	bool mangled, full;     /* names of C++ and Rust as the linker knows them; else with parameters */
	bool raw_order;         /* file order instead of time order */
	bool rounds;            /* FINISHED_ROUND records are given, too */
	bool no_names;          /* nobody asks for any: only maps are followed, and stacks */
	bool kernel_only;       /* places of processes are asked for where they are in call chains, and else none */
	bool no_ends;           /* of kernel_only: nobody looks at records of tasks that end */
	bool outlined;          /* what is inlined counts for the function that it is in */
	bool kernel_plain;      /* names of the kernel demangled: refused */
	/* What comes through a pipe is asked for once: it is given as it comes, and this is called before it is waited
	   for. NULL: it is read whole before. */
	void (*idle)(void *arg);
	void *idle_arg;
};

/* For what shows chains; type has a struct session_want session. */
#define SESSION_OPT_INLINE(type) \
	OPT_FLAG(0, "no-inline", type, session.outlined, "do not show inlined functions as frames")

/* For OPT_SUB: which recording, and where its files are. */
extern const struct opt session_opts[];

struct session_stats {
	uint64_t samples, lost, lost_samples;   /* lost: events, from LOST records */
	uint64_t unknown_event;     /* records whose id belongs to no event */
	uint64_t undecodable;       /* records whose body is cut or impossible */
	uint64_t throttled;
	uint64_t counts;            /* records of counts, which are no samples */
};

#define SESSION_NOT_TIMED UINT32_MAX

/* Sees records of perf's as they are, before they are followed or decoded. */
struct session_watch {
	void (*see)(void *arg, const struct source_rec *rec);   /* NULL: nobody */
	void *arg;
	bool samples;                   /* these, too */
};

/* What a session gives, valid until the next is asked for. */
struct session_item {
	struct perf_event *event;     /* of a sample; NULL: it is another record, after it was followed */
	struct sample sample;         /* of a record: its trailer */
	struct perf_record record;    /* set where it is no sample */
	struct side side;             /* what it tells; type 0: nothing that can be decoded */
};

/* {a,b}:S - a sample of the leader holds the values of all, given one by one. */
struct session_group {
	const struct perf_event *leader;   /* NULL: none is being given */
	struct sample sample;
	uint64_t next;                     /* value */
};

/* Samples that are next; see source.h's `more`. */
struct session_run {
	struct bytes b;
	uint64_t upto;
	size_t time_at, id_at;          /* of each */
	size_t least;                   /* bytes of one that has both; SIZE_MAX: session_next has to look at all */
};

struct session {
	const struct sys *sys;
	struct found found;             /* the recording */
	const char *path;               /* its name */
	struct perf_pipe *pipe;         /* has the source, of what is given as it comes. NULL: it was there */
	struct source *source;
	bool owned;                     /* the source: it is closed with the session */
	struct session_watch watch;     /* the caller's to set */
	struct perf_head *head;         /* the source's: its events, its machine */
	struct tevents *trace;          /* the source's: formats of tracepoints */
	struct resolver *resolver;
	struct session_group group;
	struct session_run run;
	uint64_t asked;                 /* times that the source was, for more: what is lost is found then */
	struct trace_samples *of_trace; /* of a source whose records are those of tracefs */
	uint32_t timed;                 /* index of the event whose periods are ns of the function's own */
	struct map group_values; /* sample id -> its counter at the last sample, for groups read by their leader */
	struct session_stats stats;
	struct stacks stacks;
	const struct arch *arch;        /* of the recorded machine */
	bool skipped;                   /* records are there that are not for this reader */
	bool kernel_only;               /* what processes map matters to nobody */
	bool running;                   /* recorded on the kernel that is running, by its build id, and nobody has said
					   where else its symbols are */
	struct early *early;            /* its symbols; NULL: they are read when somebody asks */
};

/* -EISDIR, -ENOENT, -EBADMSG ... with the path in e. */
int session_open(struct session *s, const struct sys *sys, const struct session_want *w, struct err *e);
void session_close(struct session *s);

/*
 * Read from a source that is open; it stays the owner's, and must be open until session_close. w's path and order are
 * not used.
 */
int session_over(struct session *s, const struct sys *sys, struct source *source, const struct session_want *w,
		 struct err *e);

/*
 * Other threads may prepare what will be asked for, where it is worth it: the kernel's symbols; the next records, where
 * to look at one takes longer than to find it.
 */
void session_ahead(struct session *s, bool records);

/* Before the first session_next: samples may come in any order, but each sees its processes as they were then. */
void session_unordered(struct session *s);

/*
 * 1: the next sample or record; 0: there is no more; SOURCE_NOTHING; or -errno. What breaks off is no error:
 * s->source->end tells.
 */
int session_next(struct session *s, struct session_item *item, struct err *e);

/*
 * The same of perf's records, as they are: what the others tell is followed, samples are left to the caller. An enum
 * source_got, or -errno.
 */
int session_next_record(struct session *s, struct source_rec *rec, struct err *e);

/* What the texts of tracepoints need: kernel functions and strings. Valid as long as the session. */
struct tprint_names session_names(struct session *s);

/* Index of an event of the head. */
static inline size_t session_event_index(const struct session *s, const struct perf_event *ev)
{
	return (size_t)(ev - s->head->events.v);
}

/* Is there something in the recording that could not be read, or should be there and is not? After it was read. */
bool session_incomplete(const struct session *s);

/*
 * One line for each thing that is not as it should be: notes on the file, losses, unknown or undecodable records, late
 * ones, missing symbols. Nothing is said when there is nothing to say.
 */
enum session_tell { SESSION_LOSSES, SESSION_ALL };   /* ALL: what was told when it was recorded, too */
void session_footer(const struct session *s, enum session_tell what, void (*say)(void *arg, const char *line),
		    void *arg);

#endif
