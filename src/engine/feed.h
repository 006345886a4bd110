/*
 * feed.h - the input of a profiler: live events that are opened for it, or events of a recording (perf.data, trace.dat,
 * from a file or a pipe). In both cases hits come in order of time:
 *
 *	feed_open(&f, &want, e);
 *	while ((got = feed_next(&f, &hit, e)) > 0)
 *		FEED_HIT      hit, of the event hit.tap
 *		FEED_LOST     events of hit.cpu were lost (or throttled) before the next hit; UINT32_MAX: of any CPU
 *		FEED_TICK     an interval has ended: by the clock, in a recording by its times
 *		FEED_RECORD   with want.records: a record that is no sample is in f.item
 *		FEED_BEAT     live, with want.beat_ns: so many ns have passed
 *		FEED_INPUT    live: the descriptor of feed_watch() is readable, or at its end
 *	feed_close(&f);
 *
 * An event that is given more than once is opened once, and each of its taps gets the hits. Filters are evaluated by
 * the kernel if it can do that, else here, and always here for a recording.
 *
 * feed_want.filter is about the interrupted task. Samples of PMUs and timers use a BPF program for it (bpf/sift.h). A
 * program on a tracepoint would affect all of its users, and drop their events: so for tracepoints the filter is
 * translated to the event's own fields, and refused if they do not have the data.
 */
#ifndef ENGINE_FEED_H
#define ENGINE_FEED_H

#include "bpf/kenums.h"
#include "bpf/sift.h"
#include "bpf/tally.h"
#include "engine/expr.h"
#include "engine/spec.h"
#include "live/event_env.h"
#include "live/loop.h"
#include "live/target.h"
#include "perf/callgraph.h"
#include "record/recfile.h"
#include "source/session.h"

/* An event given with -e; of a glob, one for each event that it matches. */
struct tap {
	const struct spec *spec;
	uint32_t index;                  /* in feed.taps */
	const char *name;                /* its alias, or "sched_switch" */
	const char *label;               /* "sched:sched_switch" */
	const struct tevent *event;      /* NULL: not a tracepoint */
	const char *rule;                /* its filter, for tracepoints joined with the feed's filter; "": none */
	const struct texpr *filter;      /* filter that is evaluated here; NULL: none */
	const struct cpus *cpus;         /* only hits on these; NULL: all */
	bool chooses;                    /* filter, cpus or the feed's filter may reject samples */
	uint32_t next;                   /* next tap of the same event, index + 1; 0: none */
};

enum feed_got { FEED_END, FEED_HIT, FEED_LOST, FEED_TICK, FEED_RECORD, FEED_BEAT, FEED_INPUT };

struct feed_want {
	const struct sys *sys;
	const struct specs *specs;       /* borrowed until feed_close(), like all of this struct */
	struct session_want session;     /* session.path: the recording; NULL: live, or: */
	bool recorded;                   /* the default recording */
	const struct target_want *target;
	int argc;
	char **argv;                     /* the command */
	struct callgraph chains;         /* call chains for every event, if on */
	uint64_t sides;                  /* PERF_ATTR_EXCLUDE_* to set in every event */
	uint64_t freq, period;           /* of sampled events */
	uint64_t ring_bytes;             /* 0: the default */
	const struct sift_want *filter;   /* NULL: none */
	unsigned watermark;              /* percent of a ring at which the reader is woken; 0: the default */
	uint64_t interval_ns, beat_ns;   /* intervals of FEED_TICK, FEED_BEAT; 0: none */
	unsigned sweep_ms;               /* interval of reading rings below their watermark; 0: the default */
	uint64_t sample;                 /* additional PERF_SAMPLE_* for each hit */
	uint64_t track;                  /* PERF_ATTR_* flags of additional side records, if the kernel has them */
	bool records;                    /* deliver FEED_RECORD, too */
	bool no_inherit;
	bool grouped;                    /* the first event is sampled, the others counted with it: engine/counts.h */
	bool everywhere;                 /* deliver hits of all tasks: the caller filters by feed_targets() */
	bool monotonic;                  /* live: times are of CLOCK_MONOTONIC */
	bool names_all;                  /* read names and maps of running tasks at the start, not when needed */
};

struct feed_stats {
	uint64_t hits;                   /* delivered */
	uint64_t seen;                   /* all samples */
	uint64_t filtered;               /* rejected by filters evaluated here */
	uint64_t lost;
	uint64_t first, last;            /* times of hits, ns */
};

/* The part of a live feed. */
struct feed_live {
	struct event_env *env;
	struct event_list events;
	struct target target;
	struct loop loop;
	struct recording rec;
	struct recfile file;
	struct aux_live *traces;         /* AUX traces (SPE) from which samples are synthesised; NULL: none */
	int tracker;
	struct sift filter;
	enum target_kind meant;          /* the target given by the user; with `everywhere` CPUs are watched */
	bool opened, held, filtered;
	bool stopped, ended;             /* events are disabled; and all of their records were read */
};

struct feed {
	const struct feed_want *want;
	const struct sys *sys;
	VEC(struct tap) taps;
	uint32_t *of_event;              /* first tap of each event of the head, index + 1; 0: none */
	size_t n_of_event;
	struct arena arena;              /* for the taps */
	struct session session;
	struct source *source;           /* live */
	struct feed_live live;
	struct expr_env expr;            /* for filters and attributes */
	struct kenums enums;             /* values of enums of the running kernel; empty for a recording */
	struct feed_stats stats;
	uint64_t wall;                   /* live: ns since 1970 at time 0 of the events; 0: unknown */
	struct tally *tally;             /* BPF programs count events, no hits are delivered; NULL: hits are */
	struct histed *histed;           /* the same with histograms of tracefs */
	VEC(struct err) notes;           /* to be shown before the start */
	/* Private to feed_next(): */
	struct session_item item;
	const struct tap *pending;       /* next tap that gets the item */
	uint64_t lost_before, throttled_before, tick_at, asked_before;
	uint32_t ticks, beats, inputs;
	unsigned late_tick;              /* deliver a tick after so many empty reads; 0: none is pending */
	uint64_t beat_at;
	bool due;                        /* something is to be delivered before the item */
	bool is_record, was_open, over;
	bool takes_all;                  /* a recording without intervals, CPUs and tasks to choose */
	uint64_t plain;                  /* see session_next_plain() */
	unsigned since_look;
	struct cpus only_cpus;           /* for a recording: -C, -p, -t */
	VEC(int) only_tasks;
	bool has_cpus, tasks_are_threads;
};

/* -EINVAL, -ENOENT ...: no such event, an impossible filter or target. */
int feed_open(struct feed *f, const struct feed_want *w, struct err *e);
void feed_close(struct feed *f);

/* Live: enable the events and start the command. */
int feed_start(struct feed *f, struct err *e);

/* After feed_start(): watch this descriptor, too; -1: stop that. */
void feed_watch(struct feed *f, int fd);

/* An enum feed_got, or -errno. */
int feed_next(struct feed *f, struct hit *h, struct err *e);

/* Deliver no more hits than those recorded so far. */
void feed_stop(struct feed *f);

static inline bool feed_is_live(const struct feed *f)
{
	return !f->want->session.path && !f->want->recorded;
}

/* The index of the -e that the tap belongs to; taps of one -e are alternatives. */
static inline unsigned tap_group(const struct tap *t)
{
	return t->spec->group;
}

/* With `everywhere`: the tasks that the user has chosen; ids NULL: all. */
struct feed_targets {
	const int *ids;
	size_t n;
	bool are_processes;              /* ids are pids, all their threads count: -p of a recording, and a command */
	bool with_children;
};
struct feed_targets feed_targets(const struct feed *f);

/* Add a hint to an error for a missing event: `usual`, or, if the recording is incomplete, what it lacks. -e->code. */
int feed_hint(const struct feed *f, const char *usual, struct err *e);

/* Name of a thread, or ":TID". Never NULL. */
const char *feed_comm(struct feed *f, uint32_t tid);

/* Compile an expression in an attribute of a tap, into the feed's arena; text NULL: *to is NULL. */
int feed_compile(struct feed *f, const struct texpr **to, const struct tap *t, const char *text, struct err *e);

#endif
