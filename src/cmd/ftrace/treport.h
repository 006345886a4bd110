/*
 * treport.h - trace-cmd report: what was asked for, and the recordings it is asked of.
 */
#ifndef CMD_FTRACE_TREPORT_H
#define CMD_FTRACE_TREPORT_H

#include "cmd/ftrace/input.h"
#include "cmd/ftrace/loglevel.h"
#include "image/kallsyms.h"
#include "report/budget.h"
#include "tracefs/grammar/filter.h"
#include "tracefs/text/rtext.h"

enum { TREPORT_INPUTS = 32, TREPORT_FILTERS = 64 };

/* What is told instead of the events; several at a time are told in this order. */
enum treport_info {
	TREPORT_ENDIAN = 1, TREPORT_PAGE_SIZE = 2, TREPORT_CPUS = 4, TREPORT_FIRST = 8, TREPORT_LAST = 16,
	TREPORT_FORMATS = 32, TREPORT_CHECK = 64, TREPORT_FUNCTIONS = 128, TREPORT_PRINTK = 256, TREPORT_EVENTS = 512,
	TREPORT_STAT = 1024, TREPORT_UNAME = 2048, TREPORT_VERSION = 4096,
};

struct treport_input {
	const char *path;
	int64_t ts_offset;
	uint64_t hz;             /* of its clock, 0: not told */
};

/* Which events. */
struct treport_only {
	struct { const char *text; bool negative; } filters[TREPORT_FILTERS];
	size_t n_filters;
	bool negative;           /* filters from here on leave out what they fit */
	struct cpus cpus;
	bool some_cpus;
	struct opt_list pids, comms;
	bool no_irq, no_softirq, test_filters;
};

struct treport_time {
	bool raw_ts, align_ts, no_date, check_ts;
};

/* --profile */
struct treport_prof {
	bool on, global, by_comm;
	struct opt_list hooks;
};

struct treport_want {
	struct treport_input inputs[TREPORT_INPUTS];
	size_t n_inputs;
	uint64_t hz;             /* of those before which it was told */
	struct treport_only only;
	struct treport_time time;
	struct treport_prof prof;
	unsigned flags;          /* enum rtext_flag */
	unsigned info;           /* enum treport_info */
	const char *format_of;   /* --event */
	const char *kallsyms;
	struct opt_list raw, plain;
	struct opt_list unknown; /* -O: of plugins that are not there */
	bool wakeup;
	bool boundary, debug;    /* where sub-buffers begin; where each event lies in them, too */
	bool quiet;
	struct budget_want budget;
	enum loglevel loglevel;
};

extern const struct opt treport_opts[];

/* One recording. */
struct treport_file {
	struct ctx *c;
	const struct treport_want *want;
	const struct treport_input *input;
	struct input file;
	struct tevents events;
	struct tprint_names names;
	struct kallsyms syms;
	bool has_syms;
	struct rtext *text;
	struct arena arena;                         /* of the filters */
	VEC(struct tfilter) only, never;            /* -F before and behind -v */
	int64_t ts_add;                             /* to every time, behind the conversion */
	uint64_t hz;                                /* 0: none */
	int64_t align;
};

int treport_open(struct treport_file *f, struct ctx *c, const struct treport_want *w, const struct treport_input *in,
		 struct err *e);
void treport_close(struct treport_file *f);

/* Filters, plugins and marks, for the text of its events. */
int treport_prepare(struct treport_file *f, struct err *e);

/* Its functions, read when they are asked for first. */
struct kallsyms *treport_syms(struct treport_file *f);

/* And what else texts ask for. */
struct tprint_names treport_names(struct treport_file *f);

/* The name of a file without its folder. */
const char *treport_base(const char *path);

/* --boundary, --debug: the line in front of the record's, and what stands behind it. */
void treport_where(const struct treport_file *f, const struct tstream_rec *rec, struct out *before, struct out *behind);

/* Everything that `info` asks for, of one file. The exit code, or -errno. */
int treport_info(struct treport_file *f, struct err *e);

/*
 * -w: time from wake-ups to being switched in. Every record in its turn, ev NULL: of an unknown event, which may tell
 * of a loss. 0 or -ENOMEM.
 */
struct treport_wake;
struct treport_wake *treport_wake_new(struct treport_file *f);   /* NULL: no memory, or the events are not known */
void treport_wake_free(struct treport_wake *w);
int treport_wake_record(struct treport_wake *w, const struct tevent *ev, const struct tstream_rec *rec,
			struct out *o);
void treport_wake_end(const struct treport_wake *w, struct out *o);

/* --profile: what its tasks did with their time. 0 or -errno. */
int treport_profile(struct treport_file *f, struct err *e);

/* All events of all files, merged by time. 0 or -errno. */
int treport_show(struct treport_file *files, size_t n, struct out *o, struct err *e);

#endif
