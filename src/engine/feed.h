/*
 * feed.h - what a profiler looks at: events that are opened for it, while they occur, or those of a recording
 * (perf.data, trace.dat, of a file or a pipe). Hits come in order of time, whichever it is:
 *
 *	feed_open(&f, &want, e);
 *	while ((got = feed_next(&f, &hit, e)) > 0)
 *		FEED_HIT      hit, of the event hit.tap
 *		FEED_LOST     events of hit.cpu were lost (or throttled) before what comes next; UINT32_MAX: of any CPU
 *		FEED_TICK     an interval is over: of the clock, of a recording by its own times
 *		FEED_RECORD   what is no sample, for who wants records: f.item has it
 *		FEED_BEAT     live, for who wants that: so many ns have passed
 *		FEED_INPUT    live: the descriptor of feed_watch has something, or will have nothing any more
 *	feed_close(&f);
 *
 * An event that is asked for more than once is opened once, and each of those who asked gets its hits. What filters
 * leave is decided by the kernel where it can, and here where it cannot, or where it is a recording.
 *
 * A feed_want's filter is about what was interrupted. Samples of PMUs and timers have a program of their own for it
 * (bpf/sift.h). A program on a tracepoint would be everybody's, and drop what others ask for: tracepoints have what
 * their own fields tell, as a part of the event's filter, and what they do not tell is refused.
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

/* An event that was asked for; of a glob one for each that it stands for. */
struct tap {
	const struct spec *spec;
	uint32_t index;                  /* among the taps */
	const char *name;                /* its alias, or "sched_switch" */
	const char *label;               /* "sched:sched_switch" */
	const struct tevent *event;      /* NULL: no tracepoint */
	const char *rule;                /* the filter that was asked for, with the feed's for tracepoints; "": none */
	const struct texpr *filter;      /* of what is decided here; NULL: nothing */
	const struct cpus *cpus;         /* of these alone; NULL: all */
	bool chooses;                    /* not each of the event's samples is a hit */
	uint32_t next;                   /* of the same event: index + 1, 0: none */
};

enum feed_got { FEED_END, FEED_HIT, FEED_LOST, FEED_TICK, FEED_RECORD, FEED_BEAT, FEED_INPUT };

struct feed_want {
	const struct sys *sys;
	const struct specs *specs;       /* borrowed as all of this until feed_close */
	struct session_want session;     /* its path: the recording; NULL: live */
	bool recorded;                   /* not live, though there is no path: of the recording that is there */
	const struct target_want *target;
	int argc;
	char **argv;                     /* the command */
	struct callgraph chains;         /* of every event, if on */
	uint64_t sides;                  /* PERF_ATTR_EXCLUDE_*: those that do not count */
	uint64_t freq, period;           /* of events that are sampled */
	uint64_t ring_bytes;             /* 0: as usual */
	const struct sift_want *filter;   /* NULL: none */
	unsigned watermark;              /* percent of a ring that wake the reader; 0: as usual */
	uint64_t interval_ns, beat_ns;   /* of FEED_TICK, FEED_BEAT; 0: none */
	unsigned sweep_ms;               /* what lies in rings that are not half full is taken so often; 0: as usual */
	uint64_t sample;                 /* PERF_SAMPLE_*: of each hit, beside the usual */
	uint64_t track;                  /* PERF_ATTR_*: records that are written beside the usual, if they can be */
	bool records;                    /* each is given, too */
	bool no_inherit;
	bool grouped;                    /* the first event is sampled, and the rest counted with it: engine/counts.h */
	bool everywhere;                 /* hits of all tasks: whoever asks chooses, by feed_targets */
	bool monotonic;                  /* live, times are those of CLOCK_MONOTONIC */
	bool names_all;                  /* names and maps of what runs already are read at once, not when asked for */
};

struct feed_stats {
	uint64_t hits;                   /* given */
	uint64_t seen;                   /* samples, whoever asked for them */
	uint64_t filtered;               /* by filters that were decided here */
	uint64_t lost;
	uint64_t first, last;            /* times of hits, ns */
};

/* What only a live feed has. */
struct feed_live {
	struct event_env *env;
	struct event_list events;
	struct target target;
	struct loop loop;
	struct recording rec;
	struct recfile file;
	struct aux_live *traces;         /* of an event that has some, whose samples are made of them. NULL: none has */
	int tracker;
	struct sift filter;
	enum target_kind meant;          /* what was asked for: `everywhere` watches CPUs */
	bool opened, held, filtered;
	bool stopped, ended;             /* nothing new comes; all that came was given to who pulls */
};

struct feed {
	const struct feed_want *want;
	const struct sys *sys;
	VEC(struct tap) taps;
	uint32_t *of_event;              /* first tap of each event of the head, index + 1; 0: nobody asked */
	size_t n_of_event;
	struct arena arena;              /* of the taps */
	struct session session;
	struct source *source;           /* live */
	struct feed_live live;
	struct expr_env expr;            /* for filters and attributes */
	struct kenums enums;             /* of a recording none: it is of another kernel */
	struct feed_stats stats;
	uint64_t wall;                   /* live: ns since 1970 at time 0 of the events; 0: not known */
	struct tally *tally;             /* programs count instead: no hits come. NULL: they come */
	struct histed *histed;           /* likewise histograms of the tracing file system */
	VEC(struct err) notes;           /* worth telling before it begins */
	/* The rest is feed_next's. */
	struct session_item item;
	const struct tap *pending;       /* to be given the item */
	uint64_t lost_before, throttled_before, tick_at, asked_before;
	uint32_t ticks, beats, inputs;
	unsigned late_tick;              /* it is told when nothing has been found so often; 0: there is none */
	uint64_t beat_at;
	bool due;                        /* something comes before the item */
	bool is_record, was_open, over;
	bool takes_all;                  /* of a recording, without intervals: neither CPUs nor tasks are chosen */
	uint64_t plain;                  /* see session_next_plain */
	unsigned since_look;
	struct cpus only_cpus;           /* of a recording: -C, -p, -t */
	VEC(int) only_tasks;
	bool has_cpus, tasks_are_threads;
};

/* -EINVAL, -ENOENT ...: no such event, a filter or a target that cannot be. */
int feed_open(struct feed *f, const struct feed_want *w, struct err *e);
void feed_close(struct feed *f);

/* Live: the events count, and the command runs, from here on. */
int feed_start(struct feed *f, struct err *e);

/* Behind feed_start: this descriptor is watched, too; -1: none is any more. */
void feed_watch(struct feed *f, int fd);

/* An enum feed_got, or -errno. */
int feed_next(struct feed *f, struct hit *h, struct err *e);

/* No more hits but those that are there already. */
void feed_stop(struct feed *f);

static inline bool feed_is_live(const struct feed *f)
{
	return !f->want->session.path && !f->want->recorded;
}

/* The index of a tap's group among -e; taps of one -e stand for one another. */
static inline unsigned tap_group(const struct tap *t)
{
	return t->spec->group;
}

/* The tasks that are asked for, for `everywhere`; ids NULL: all. */
struct feed_targets {
	const int *ids;
	size_t n;
	bool are_processes;              /* of a recording's -p, and a command: their threads are meant, too */
	bool with_children;
};
struct feed_targets feed_targets(const struct feed *f);

/* For an event that is not there: the usual hint, or of a file that is cut what is missing of it. -e->code. */
int feed_hint(const struct feed *f, const char *usual, struct err *e);

/* Name of a thread as far as is known. Never NULL. */
const char *feed_comm(struct feed *f, uint32_t tid);

/* An attribute's expression of a tap, compiled into the feed's arena; text NULL: *to is NULL. */
int feed_compile(struct feed *f, const struct texpr **to, const struct tap *t, const char *text, struct err *e);

#endif
