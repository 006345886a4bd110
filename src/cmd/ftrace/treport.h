/* treport.h - trace-cmd report: its options, and the recordings that it reads. */
#ifndef CMD_FTRACE_TREPORT_H
#define CMD_FTRACE_TREPORT_H

#include "cmd/ftrace/input.h"
#include "cmd/ftrace/loglevel.h"
#include "image/kallsyms.h"
#include "report/budget.h"
#include "tracefs/grammar/filter.h"
#include "tracefs/text/rtext.h"

enum { TREPORT_INPUTS = 32, TREPORT_FILTERS = 64 };

/* What is printed instead of the events; several can be combined. */
enum treport_info {
	TREPORT_ENDIAN = 1, TREPORT_PAGE_SIZE = 2, TREPORT_CPUS = 4, TREPORT_FIRST = 8, TREPORT_LAST = 16,
	TREPORT_FORMATS = 32, TREPORT_CHECK = 64, TREPORT_FUNCTIONS = 128, TREPORT_PRINTK = 256, TREPORT_EVENTS = 512,
	TREPORT_STAT = 1024, TREPORT_UNAME = 2048, TREPORT_VERSION = 4096,
};

struct treport_input {
	const char *path;
	int64_t ts_offset;
	uint64_t hz;             /* frequency of its trace clock; 0: not given */
};

/* Which events are shown. */
struct treport_only {
	struct { const char *text; bool negative; } filters[TREPORT_FILTERS];
	size_t n_filters;
	bool negative;           /* while parsing: the filters from here on exclude */
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
	uint64_t hz;             /* --ts2secs before any -i: the default for all */
	struct treport_only only;
	struct treport_time time;
	struct treport_prof prof;
	unsigned flags;          /* enum rtext_flag */
	unsigned info;           /* enum treport_info */
	const char *format_of;   /* --event */
	const char *kallsyms;
	struct opt_list raw, plain;
	struct opt_list unknown; /* -O: of plugins that sonde does not have */
	bool wakeup;
	bool boundary, debug;    /* print where sub-buffers begin; debug: also where each event lies in them */
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
	struct arena arena;                         /* memory of the filters */
	VEC(struct tfilter) only, never;            /* -F before -v; -F after it */
	int64_t ts_add;                             /* added to each timestamp after its conversion */
	uint64_t hz;                                /* frequency to convert timestamps by; 0: none */
	int64_t align;                              /* --align-ts: subtracted from each timestamp */
};

int treport_open(struct treport_file *f, struct ctx *c, const struct treport_want *w, const struct treport_input *in,
		 struct err *e);
void treport_close(struct treport_file *f);

/* Compile the filters, and apply the options on the text of events. */
int treport_prepare(struct treport_file *f, struct err *e);

/* The recording's kallsyms, parsed at the first call. */
struct kallsyms *treport_syms(struct treport_file *f);

/* The lookups that print fmts need: symbols, strings. */
struct tprint_names treport_names(struct treport_file *f);

/* The name of a file without its folder. */
const char *treport_base(const char *path);

/* --boundary, --debug: print a line above the record's line into `before`, and what follows that line into `behind`. */
void treport_where(const struct treport_file *f, const struct tstream_rec *rec, struct out *before, struct out *behind);

/* Print what want->info selects, of one file. Returns the exit code, or -errno. */
int treport_info(struct treport_file *f, struct err *e);

/*
 * -w: latencies from wake-up to switch-in. Pass every record in order; ev NULL: an unknown event, which may still
 * report a loss. 0 or -ENOMEM.
 */
struct treport_wake;
struct treport_wake *treport_wake_new(struct treport_file *f);   /* NULL: no memory, or no such events */
void treport_wake_free(struct treport_wake *w);
int treport_wake_record(struct treport_wake *w, const struct tevent *ev, const struct tstream_rec *rec,
			struct out *o);
void treport_wake_end(const struct treport_wake *w, struct out *o);

/* --profile: print what the tasks did with their time. 0 or -errno. */
int treport_profile(struct treport_file *f, struct err *e);

/* All events of all files, merged by time. 0 or -errno. */
int treport_show(struct treport_file *files, size_t n, struct out *o, struct err *e);

#endif
