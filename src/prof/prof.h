/*
 * prof.h - a profiler: one analysis of live events or of a recording. Each is a file src/prof/prof_NAME.c, found by the
 * Makefile by that name ('_' in the file's name is '-' in the profiler's):
 *
 *  DEFINE_PROF(num_dist) = {
 *    .cmd = { .name = "num-dist", .family = "prof", .brief = ..., .opts = opts, ... },
 *    .own = sizeof(struct num_dist), .begin = begin, .hit = hit, .show = show, .close = close,
 *  };
 *
 * Its options are a struct that begins with a struct prof_want. It prints to the `out` that it is given; errors are
 * returned. cmd/cmd_prof.c runs it.
 */
#ifndef PROF_PROF_H
#define PROF_PROF_H

#include "base/command.h"
#include "bpf/kname.h"
#include "engine/histed.h"
#include "prof/usage.h"
#include "show/table.h"
#include "sym/asked.h"

struct prof;
struct prof_run_how;

/* Returned by hit: the interval is over, call show. */
enum { PROF_SHOW = 1 };

struct prof_kind {
	struct cmd cmd;                  /* description and options; `run` is NULL */
	size_t own;                      /* size of prof.own, which is zeroed first */
	/* Any may be NULL, but one of hit and alone is needed. 0 or -errno. */
	int (*first)(struct prof *p, struct err *e);     /* before -e is parsed: may add specs in front */
	int (*prepare)(struct prof *p, struct err *e);   /* before events are opened: may add and change specs */
	int (*begin)(struct prof *p, struct err *e);     /* events are open: compile expressions */
	int (*started)(struct prof *p, struct err *e);   /* live: events count now */
	int (*hit)(struct prof *p, const struct hit *h, struct err *e);   /* or PROF_SHOW */
	int (*lost)(struct prof *p, uint32_t cpu);       /* UINT32_MAX: of any */
	int (*record)(struct prof *p, const struct session_item *item);   /* not a sample. 1: it was shown */
	/* An interval is over, or (last) everything: print, and reset what was printed. */
	int (*show)(struct prof *p, bool last, struct out *o, struct err *e);
	/*
	 * Counting by BPF programs in place of hits (engine/tallied.h). ask: what to count for each tap, called after
	 * `begin`; -EOPNOTSUPP: hits are needed, `why` has the reason, or no text if no user expects a count by BPF.
	 * The others are called before each show with what was counted since the previous one.
	 */
	int (*ask)(struct prof *p, struct tally_event *asks, struct err *why);
	int (*counted)(struct prof *p, const struct tally_entry *n);
	int (*bound)(struct prof *p, const struct tally_bound *b);   /* for is_spread; else NULL */
	int (*stacked)(struct prof *p, const struct tally_stack *s);   /* for is_by_stack, in place of counted */
	void (*close)(struct prof *p);
	/* In place of all of the above, if there is no `hit`, or no event was given. NULL: events are required. */
	int (*alone)(struct prof *p, struct out *o, struct err *e);
	uint64_t sample;                 /* PERF_SAMPLE_* that its hits need in addition */
	uint64_t period;                 /* of sampled events; 0: the event's, or the default */
	uint64_t track;                  /* PERF_ATTR_* of side-band records, see feed_want */
	bool everywhere;                 /* take hits of all tasks, even if others are asked for: prof/tasks.h */
	bool monotonic;                  /* live, hits have times of CLOCK_MONOTONIC */
	bool grouped;                    /* events are read when the first one samples: engine/counts.h */
	bool own_intervals;              /* it handles -i itself, see PROF_SHOW */
	bool lines;                      /* it prints lines instead of a table: no JSON, no CSV */
	bool takes_word;                 /* the first word behind the options is an argument, a command may follow */
	bool takes_words;                /* all words behind the options are arguments: prof.argv */
	bool kernel_only;                /* it names addresses of the kernel, and of processes only in call chains */
};

#define DEFINE_PROF(id) \
	extern const struct prof_kind prof_##id; \
	const struct prof_kind prof_##id

/* The source of events. */
struct prof_from {
	const char *input;               /* a recording; NULL: live */
	bool recorded;                   /* use the recording of the default name */
	uint64_t interval_ns;            /* 0: a single result, at the end */
};

struct prof_rings {
	uint64_t pages, watermark;
	bool order;                      /* always in order of time: for scripts written for perf-prof */
};

struct prof_chains {
	struct callgraph graph;
	const char *flame;               /* file name without suffix; NULL: none */
};

struct prof_sides {
	bool no_user, no_kernel, no_guest, guest_only;
};

struct prof_place {
	bool no_bpf;                     /* count hits in user space, not by BPF programs */
};

struct prof_form {
	const char *output;              /* NULL: standard output */
	bool json, quiet, ignored;
	const char *sep;                 /* CSV; NULL: none */
};

struct prof_want {
	struct opt_list events;
	struct target_want target;
	struct session_want session;
	struct prof_from from;
	struct prof_rings rings;
	struct prof_chains chains;
	struct prof_sides sides;
	struct sift_want filter;       /* on the interrupted context; only with prof_filter_opts */
	struct prof_form form;
	struct prof_place place;
	uint64_t limit;                  /* end after that many hits; 0: no limit */
	uint64_t usage_ms;               /* interval for reporting our own resources; 0: never */
	const char *key;                 /* for all events without a key of their own */
};

struct prof {
	const struct prof_kind *kind;
	void *want;                      /* begins with a struct prof_want */
	const struct sys *sys;
	int argc;
	char **argv;                     /* behind the options */
	const char *word;                /* its argument, see takes_word; NULL: none */
	struct specs specs;
	struct kname kname;              /* for a recording of the running kernel; opened when first needed */
	struct kernel_namer namer;
	struct feed_want feed_want;
	struct feed feed;
	void *own;
	const struct texpr **exec;       /* exec= by tap */
	bool acts;                       /* some taps have exec= or trigger */
	uint64_t hits;
	int status;                      /* exit status of the command, if that ended the run */
	const struct prof_run_how *how;
	struct usage usage;
	bool incomplete;                 /* something was lost, or could not be read from the recording */
	struct tally tally;              /* in use: see feed.tally */
	struct histed histed;            /* in use: see feed.histed */
	struct tally_losses losses;      /* in the current interval */
	uint64_t from, to;               /* times of the current interval, ns of the events' clock; 0: no hit yet */
};

/* Options of every profiler: events, targets, output. */
extern const struct opt prof_opts[];
/* For -i, by OPT_CALL on a struct prof_from: a number is an interval in ms, anything else a recording's name. */
int prof_set_from(void *field, const char *value, struct err *e);
/* -g and --flame-graph. */
extern const struct opt prof_chain_opts[];
/* --no-bpf, for profilers with `ask`. */
extern const struct opt prof_bpf_opts[];
/* Conditions on the interrupted context: --irqs_disabled and the like. */
extern const struct opt prof_filter_opts[];

static inline struct prof_want *prof_want(const struct prof *p)
{
	return p->want;
}

/* Text, CSV or JSON, by the options. */
struct table_want prof_table(const struct prof *p);

/* Print "2026-11-27 05:38:27.435398" on a line of its own: the time of the last hit. */
void prof_stamp(const struct prof *p, struct out *o);

/* Print the end of the interval in front of a table of text; nothing without intervals. */
void prof_interval(const struct prof *p, struct out *o);

/* Write another file: its name and suffix, and a callback that prints it. 0 or -errno. */
int prof_write(struct prof *p, const char *file, const char *ending, void (*put)(void *arg, struct out *o), void *arg,
	       struct err *e);

/* Add an event of the profiler itself, in the grammar of engine/spec.h. */
int prof_add(struct prof *p, const char *spec, struct err *e);

/* For prepare of profilers with fixed events: reject -e and -k. 0 or -EINVAL. */
int prof_own_only(const struct prof *p, struct err *e);

/* The key of a hit: its event's key=, or -k; else its thread if tasks are watched, or its CPU. */
struct prof_key {
	const struct texpr **of;         /* by tap */
	bool by_thread;                  /* by thread if there is no expression */
};
int prof_key_open(struct prof_key *k, struct prof *p, struct err *e);
uint64_t prof_key_of(const struct prof_key *k, struct prof *p, const struct hit *h);

/* Compile one expression per tap, into an array in the feed's arena; text(spec) NULL: none. */
int prof_compile(const struct texpr ***to, struct prof *p, const char *(*text)(const struct spec *s), struct err *e);

/* Print "3 WHAT" on a line of its own, unless n is 0. */
void prof_count(const struct prof *p, struct out *o, uint64_t n, const char *what);

/* Set feed_want from the options about events and their source. */
void prof_fill_feed(struct prof *p);

/* Run it to its end. 0, or -errno: e. */
struct prof_run_how {
	int argc;
	char **argv;                     /* the command */
	struct out *out;
	void (*note)(void *arg, const char *line);
	void *arg;
};
int prof_run(struct prof *p, const struct prof_run_how *how, struct err *e);

#endif
