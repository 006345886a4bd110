/*
 * prof.h - a profiler: one question asked of events as they come, or of a recording. Each is one file
 * src/prof/prof_NAME.c, found by the Makefile by that name ('_' in the file's name is '-' in the profiler's):
 *
 *	DEFINE_PROF(num_dist) = {
 *		.cmd = { .name = "num-dist", .family = "prof", .brief = ..., .opts = opts, ... },
 *		.own = sizeof(struct num_dist), .begin = begin, .hit = hit, .show = show, .close = close,
 *	};
 *
 * Its options are a struct that begins with a struct prof_want. What it prints goes to the `out` it is given; errors
 * are returned. cmd/cmd_prof.c runs it.
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

/* From hit: an interval is over, show. */
enum { PROF_SHOW = 1 };

struct prof_kind {
	struct cmd cmd;                  /* words and options; `run` is NULL */
	size_t own;                      /* bytes of its own in struct prof, zeroed at first */
	/* Any may be NULL but one of hit and alone. 0 or -errno. */
	int (*first)(struct prof *p, struct err *e);     /* before -e is read: specs may be added in front */
	int (*prepare)(struct prof *p, struct err *e);   /* before the events are opened: specs may be added, changed */
	int (*begin)(struct prof *p, struct err *e);     /* they are open: expressions are compiled */
	int (*started)(struct prof *p, struct err *e);   /* live: they count */
	int (*hit)(struct prof *p, const struct hit *h, struct err *e);   /* or PROF_SHOW */
	int (*lost)(struct prof *p, uint32_t cpu);       /* UINT32_MAX: of any */
	int (*record)(struct prof *p, const struct session_item *item);   /* what is no sample. 1: it was shown */
	/* An interval is over, or (last) everything is: print, and forget what was printed. */
	int (*show)(struct prof *p, bool last, struct out *o, struct err *e);
	/*
	 * What programs in the kernel may count of each tap, instead of hits (engine/tallied.h): asks, by tap, after
	 * `begin`; -EOPNOTSUPP: why they may not, or nothing where nobody expects it. Then, before each show: what they
	 * have counted since the last.
	 */
	int (*ask)(struct prof *p, struct tally_event *asks, struct err *why);
	int (*counted)(struct prof *p, const struct tally_entry *n);
	int (*bound)(struct prof *p, const struct tally_bound *b);   /* of what is_spread; else NULL */
	int (*stacked)(struct prof *p, const struct tally_stack *s);   /* of what is_by_stack, instead of counted */
	void (*close)(struct prof *p);
	/* Instead of all of the above, where there is no `hit`, or no event. NULL: it needs some. */
	int (*alone)(struct prof *p, struct out *o, struct err *e);
	uint64_t sample;                 /* PERF_SAMPLE_*: what its hits have beside the usual */
	uint64_t period;                 /* of events that are sampled; 0: theirs, or as usual */
	uint64_t track;                  /* PERF_ATTR_*: of records, see feed_want */
	bool everywhere;                 /* hits of all tasks, whoever is asked for: prof/tasks.h */
	bool monotonic;                  /* live, times of hits are those of CLOCK_MONOTONIC */
	bool grouped;                    /* its events are counted when the first is sampled: engine/counts.h */
	bool own_intervals;              /* -i is its own affair, see PROF_SHOW */
	bool lines;                      /* it prints lines and no table: no JSON, no CSV */
	bool takes_word;                 /* the first word behind the options is its own, a command may follow */
	bool takes_words;                /* what stands behind the options is no command: prof.argv */
	bool kernel_only;                /* it names places of the kernel, and of processes only those of call chains */
};

#define DEFINE_PROF(id) \
	extern const struct prof_kind prof_##id; \
	const struct prof_kind prof_##id

/* Where events come from. */
struct prof_from {
	const char *input;               /* a recording; NULL: live */
	bool recorded;                   /* ... of which there is one of the usual name */
	uint64_t interval_ns;            /* 0: one result, at the end */
};

struct prof_rings {
	uint64_t pages, watermark;
	bool order;                      /* they are always in order: for scripts written for perf-prof */
};

struct prof_chains {
	struct callgraph graph;
	const char *flame;               /* file without its ending; NULL: none */
};

struct prof_sides {
	bool no_user, no_kernel, no_guest, guest_only;
};

struct prof_place {
	bool no_bpf;                     /* events are counted here, not by programs in the kernel */
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
	struct sift_want filter;       /* of what was interrupted; of those that have prof_filter_opts */
	struct prof_form form;
	struct prof_place place;
	uint64_t limit;                  /* end after so many hits; 0: do not */
	uint64_t usage_ms;               /* tell so often what it takes itself; 0: do not */
	const char *key;                 /* of all events that have none of their own */
};

struct prof {
	const struct prof_kind *kind;
	void *want;                      /* begins with a struct prof_want */
	const struct sys *sys;
	int argc;
	char **argv;                     /* behind the options */
	const char *word;                /* its own, see takes_word; NULL: there was none */
	struct specs specs;
	struct kname kname;              /* of a recording of the kernel that is running; open when it was asked */
	struct kernel_namer namer;
	struct feed_want feed_want;
	struct feed feed;
	void *own;
	const struct texpr **exec;       /* exec= by tap */
	bool acts;                       /* some of them */
	uint64_t hits;
	int status;                      /* of the command, when its end was ours */
	const struct prof_run_how *how;
	struct usage usage;
	bool incomplete;                 /* something is lost, or of the recording it could not be read */
	struct tally tally;              /* in use: feed.tally */
	struct histed histed;            /* in use: feed.histed */
	struct tally_losses losses;      /* of the interval at hand */
	uint64_t from, to;               /* of the interval at hand, ns of the events' clock; 0: no hit yet */
};

/* Every profiler's table has them: which events, of whom, where to. */
extern const struct opt prof_opts[];
/* Of -i, for OPT_CALL on a struct prof_from: a number is an interval in ms, a recording's name is none. */
int prof_set_from(void *field, const char *value, struct err *e);
/* -g and --flame-graph. */
extern const struct opt prof_chain_opts[];
/* --no-bpf, of those that have `ask`. */
extern const struct opt prof_bpf_opts[];
/* What was interrupted: --irqs_disabled and the like. */
extern const struct opt prof_filter_opts[];

static inline struct prof_want *prof_want(const struct prof *p)
{
	return p->want;
}

/* Text, CSV or JSON, as asked for. */
struct table_want prof_table(const struct prof *p);

/* "2026-11-27 05:38:27.435398" on a line of its own: when the last hit was. */
void prof_stamp(const struct prof *p, struct out *o);

/* In front of a table of text: when the interval ended; nothing where there are none. */
void prof_interval(const struct prof *p, struct out *o);

/* A file beside the output: its name and ending, and who puts the text. 0 or -errno. */
int prof_write(struct prof *p, const char *file, const char *ending, void (*put)(void *arg, struct out *o), void *arg,
	       struct err *e);

/* -e of the profiler's own, in the grammar of engine/spec.h. */
int prof_add(struct prof *p, const char *spec, struct err *e);

/* For prepare of profilers that bring all events themselves: -e and -k have no meaning. 0 or -EINVAL. */
int prof_own_only(const struct prof *p, struct err *e);

/* The key of a hit: its event's key=, or -k, or else its thread where tasks are watched, and its CPU else. */
struct prof_key {
	const struct texpr **of;         /* by tap */
	bool by_thread;                  /* where there is none */
};
int prof_key_open(struct prof_key *k, struct prof *p, struct err *e);
uint64_t prof_key_of(const struct prof_key *k, struct prof *p, const struct hit *h);

/* One expression of each tap, in an array of the feed's arena; text(spec) NULL: none. */
int prof_compile(const struct texpr ***to, struct prof *p, const char *(*text)(const struct spec *s), struct err *e);

/* "3 WHAT" on a line of its own, unless n is 0. */
void prof_count(const struct prof *p, struct out *o, uint64_t n, const char *what);

/* What the options say of events and where they come from, into feed_want. */
void prof_fill_feed(struct prof *p);

/* Run it to its end. `begun` is told when the events count. 0, or -errno: e. */
struct prof_run_how {
	int argc;
	char **argv;                     /* the command */
	struct out *out;
	void (*note)(void *arg, const char *line);
	void *arg;
};
int prof_run(struct prof *p, const struct prof_run_how *how, struct err *e);

#endif
