/*
 * export.h - exports a recording in another tool's format. The reader (report/exporter.h) fills tables, which only
 * grow, and passes samples in order of time; a format writes something for each of them and at the end.
 *
 * Memory grows with distinct names, places, chains and threads. A format whose file has each thread's samples in one
 * piece also keeps a few bytes of every sample (show/export_log.h), and fails when these exceed the memory allowed.
 */
#ifndef SHOW_EXPORT_H
#define SHOW_EXPORT_H

#include "analyse/hist.h"
#include "base/err.h"
#include "base/fmt.h"
#include "obj/elf/build_id.h"
#include "perf/sample.h"
#include "tracefs/format/events.h"

/* Functions with the same name and module are one. */
struct export_func {
	const char *name;         /* or "module+0xaddr" without a symbol */
	uint32_t module;
	bool known;               /* it has a symbol */
};

struct export_module {
	const char *path, *name;  /* full path; and as perf shows it */
	struct build_id id;
	bool kernel;
};

/* A thread that changes its name becomes another one. */
struct export_thread {
	uint32_t pid, tid;
	const char *comm, *process;   /* its name, and that of the process' main thread */
	uint64_t first, last;         /* times of its samples, ns */
};

struct export_event {
	const char *name;
	const char *unit;         /* of the weights: "nanoseconds", "count" */
	uint64_t period;          /* 0: it varies */
	bool counted;             /* not sampling: read together with an event that samples */
	bool text;                /* a tracepoint: its text matters, not its count */
	uint64_t samples, weight;
};

/* Samples of one event in one thread. */
struct export_lane {
	uint32_t event, thread;
	uint64_t samples, weight;
};

/* Indexed by dense numbers; pointers are valid during the call that passes them, strings until the end. */
struct export_tables {
	const struct hist_frame *frames;   /* places: functions, or addresses where the format has EXPORT_PLACES */
	const uint32_t *func_of;           /* by frame */
	const struct export_func *funcs;
	const struct export_module *modules;
	const struct calltree *stacks;     /* keys are frames, outermost first; node 0: no frame */
	const struct export_thread *threads;
	const struct export_event *events;
	const struct export_lane *lanes;
	size_t n_frames, n_funcs, n_modules, n_threads, n_events, n_lanes;
};

enum export_state { EXPORT_RUNNABLE, EXPORT_SLEEPING, EXPORT_WAITING, EXPORT_STOPPED, EXPORT_DEAD };

/* A scheduler event. */
struct export_sched {
	bool is_switch;           /* else a wakeup, of `next` */
	struct export_task {
		uint32_t tid, prio;
		struct sv comm;
	} prev, next;
	enum export_state state;  /* of prev */
	uint32_t cpu;             /* CPU where next runs, or will run */
};

struct export_sample {
	uint64_t time, weight;    /* ns; in the event's unit */
	uint32_t lane, event, thread, cpu, stack;   /* cpu UINT32_MAX: unknown */
	bool kernel;
	struct sv text;           /* of a tracepoint, for EXPORT_TEXTS */
	const struct export_sched *sched;   /* NULL: not a scheduler event */
	const struct tfmt *fields;          /* of a tracepoint, for EXPORT_FIELDS; NULL: unknown */
	struct traw raw;                    /* the record with these fields */
	const struct tevent *tracepoint;    /* for EXPORT_MEANS, its kind; raw is set, too; NULL: not a tracepoint */
};

/* Facts about the recording. */
struct export_about {
	const char *path, *hostname, *release, *arch, *cpudesc, *version;
	const char *const *cmdline;
	size_t n_cmdline;
	const char *event;        /* the event asked for; NULL: all, or the first one with samples */
	uint32_t timed;           /* index of the event whose weights are ns of the function itself; UINT32_MAX: none */
	bool weigh;               /* by weights instead of samples */
	uint64_t wall, clock;     /* the same moment as ns since 1970, and in the recording's clock; 0: unknown */
	uint64_t memory;          /* limit for data that grow with the samples, bytes */
	const struct tevents *trace;   /* formats of its tracepoints */
	void *to;                 /* for the format: the reader's own data */
};

/* Frames of a chain of CHAIN_MAX addresses with inlined functions: outer frames beyond that are dropped. */
enum { EXPORT_DEPTH = 4 * CHAIN_MAX };

enum export_needs {
	EXPORT_PLACES = 1,        /* frames are addresses, not only functions */
	EXPORT_TEXTS = 2,         /* texts of tracepoints */
	EXPORT_ONE_EVENT = 4,     /* it can hold one event: others are dropped */
	EXPORT_WEIGHS = 8,        /* --period has an effect */
	EXPORT_FIELDS = 16,       /* raw fields of tracepoints */
	EXPORT_MEANS = 32,        /* and their kinds */
};

struct export;

/*
 * Code of functions, passed after the samples: a module, each of its functions with its instructions in order, an end.
 */
struct export_code_func {
	const char *name;
	uint64_t start, size;     /* addresses as in frames */
};

struct export_insn {
	uint64_t addr, target;    /* target 0: none known */
	struct sv bytes, text;
	const char *target_name;  /* of a target outside of the function; NULL: unknown */
	const char *file;         /* NULL: unknown */
	uint32_t line;
};

struct export_code {
	void (*module)(struct export *x, const struct export_module *m);
	void (*func)(struct export *x, const struct export_code_func *f);
	void (*insn)(struct export *x, const struct export_insn *i);
	int (*end)(struct export *x);   /* end of the module. 0 or -ENOMEM */
};

struct export_format {
	const char *name, *ending, *brief;
	unsigned needs;
	size_t own;               /* size of export.own */
	/* 0 or -errno; errors of the output are kept in `out`. begin and close may be NULL. */
	int (*begin)(struct export *x);
	int (*sample)(struct export *x, const struct export_sample *s);
	int (*end)(struct export *x, struct err *e);
	void (*close)(struct export *x);
	const struct export_code *code;   /* NULL: the format has no code */
};

struct export {
	const struct export_format *format;
	struct export_tables t;
	struct export_about about;
	struct out *out;
	uint64_t lost;            /* events lost so far */
	uint64_t left_out;        /* samples of events that the format cannot hold */
	uint32_t event;           /* EXPORT_ONE_EVENT: the event shown, set at the end */
	void *own;                /* zeroed at the start */
};

extern const struct export_format *const export_formats[];   /* NULL-terminated */

/* A format by its name, or by the end of a file name; NULL: none. */
const struct export_format *export_named(const char *name);
const struct export_format *export_by_ending(const char *path);

/* A pid or tid as perf shows it: -1 for unknown. */
static inline int64_t export_id(uint32_t id)
{
	return (int32_t)id;
}

/* Time from the first to the last sample, ns. False: no samples. */
bool export_span(const struct export *x, uint64_t *first, uint64_t *last);

/* EXPORT_ONE_EVENT: choose the event to show; count the samples of others as left out. */
void export_choose(struct export *x);

/* Is a sample's weight the count of its event? Else it is 1. For a single event. */
bool export_weighs(const struct export *x);

/*
 * Frames of a chain, outermost first, stored to v (at most max). Returns their number; outer frames beyond max are
 * dropped.
 */
size_t export_chain(const struct export_tables *t, uint32_t stack, uint32_t *v, size_t max);

extern const struct export_format export_folded, export_speedscope, export_pprof, export_otlp, export_firefox,
	export_perfetto, export_chrome, export_sql;

#endif
