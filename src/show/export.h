/*
 * export.h - a recording in another tool's format. Whoever reads it (report/exporter.h) fills the tables, which only
 * grow, and gives the samples in order of time; a format is what is written at each of them and at the end.
 *
 * Memory follows distinct names, places, chains and threads. A format whose file has each thread's samples in one piece
 * also keeps a few bytes of every sample (show/export_log.h), and is refused when there is no memory for them.
 */
#ifndef SHOW_EXPORT_H
#define SHOW_EXPORT_H

#include "analyse/hist.h"
#include "base/err.h"
#include "base/fmt.h"
#include "obj/elf/build_id.h"
#include "perf/sample.h"
#include "tracefs/format/events.h"

/* Functions of equal name and module. */
struct export_func {
	const char *name;         /* or "module+0xaddr" where it has none */
	uint32_t module;
	bool known;               /* it has a name */
};

struct export_module {
	const char *path, *name;  /* whole, and as perf shows it */
	struct build_id id;
	bool kernel;
};

/* One that changed its name is another one. */
struct export_thread {
	uint32_t pid, tid;
	const char *comm, *process;   /* its name, and that of its process' first thread */
	uint64_t first, last;         /* times of its samples, ns */
};

struct export_event {
	const char *name;
	const char *unit;         /* of the weights: "nanoseconds", "count" */
	uint64_t period;          /* 0: it varies */
	bool counted;             /* it does not sample: it is read with one that does */
	bool text;                /* a tracepoint: what matters is what it tells, not how often it comes */
	uint64_t samples, weight;
};

/* Samples of one event in one thread. */
struct export_lane {
	uint32_t event, thread;
	uint64_t samples, weight;
};

/* All by dense numbers; pointers are valid during the call that they are seen in, texts until the end. */
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

/* What the scheduler did. */
struct export_sched {
	bool is_switch;           /* else a thread was woken up: `next` */
	struct export_task {
		uint32_t tid, prio;
		struct sv comm;
	} prev, next;
	enum export_state state;  /* of prev */
	uint32_t cpu;             /* where next runs, or will */
};

struct export_sample {
	uint64_t time, weight;    /* ns; in the event's unit */
	uint32_t lane, event, thread, cpu, stack;   /* cpu UINT32_MAX: unknown */
	bool kernel;
	struct sv text;           /* of a tracepoint, for EXPORT_TEXTS */
	const struct export_sched *sched;   /* NULL: it is none of its events */
	const struct tfmt *fields;          /* of a tracepoint, for EXPORT_FIELDS; NULL: nobody knows them */
	struct traw raw;                    /* what they are in */
	const struct tevent *tracepoint;    /* for EXPORT_MEANS: what it means; raw is set, too; NULL: it is none */
};

/* What the recording tells about itself. */
struct export_about {
	const char *path, *hostname, *release, *arch, *cpudesc, *version;
	const char *const *cmdline;
	size_t n_cmdline;
	const char *event;        /* the one that is asked for; NULL: all, or the first with samples */
	uint32_t timed;           /* index of the event whose weights are ns of the function's own; UINT32_MAX: none */
	bool weigh;               /* by weights instead of samples */
	uint64_t wall, clock;     /* one moment: ns since 1970, and the recording's time; 0: unknown */
	uint64_t memory;          /* bytes that what grows with the samples may take */
	const struct tevents *trace;   /* formats of its tracepoints */
	void *to;                 /* what the format has asked for */
};

/* Frames of a chain of CHAIN_MAX addresses, with what is inlined in them: farther out they are left out. */
enum { EXPORT_DEPTH = 4 * CHAIN_MAX };

enum export_needs {
	EXPORT_PLACES = 1,        /* addresses, not only functions */
	EXPORT_TEXTS = 2,         /* what tracepoints tell */
	EXPORT_ONE_EVENT = 4,     /* there is room for one: the others are left out */
	EXPORT_WEIGHS = 8,        /* --period changes it */
	EXPORT_FIELDS = 16,       /* what tracepoints have recorded, as it is */
	EXPORT_MEANS = 32,        /* and which events they are */
};

struct export;

/* Code of functions, after the samples: a module, each of its functions with its instructions in order, an end. */
struct export_code_func {
	const char *name;
	uint64_t start, size;     /* addresses as frames have them */
};

struct export_insn {
	uint64_t addr, target;    /* target 0: none that is known */
	struct sv bytes, text;
	const char *target_name;  /* of one that is outside of the function; NULL: not known */
	const char *file;         /* NULL: not known */
	uint32_t line;
};

struct export_code {
	void (*module)(struct export *x, const struct export_module *m);
	void (*func)(struct export *x, const struct export_code_func *f);
	void (*insn)(struct export *x, const struct export_insn *i);
	int (*end)(struct export *x);   /* of the module. 0 or -ENOMEM */
};

struct export_format {
	const char *name, *ending, *brief;
	unsigned needs;
	size_t own;               /* bytes of its own in struct export */
	/* 0 or -errno; the output's errors are kept in it. begin and close may be NULL. */
	int (*begin)(struct export *x);
	int (*sample)(struct export *x, const struct export_sample *s);
	int (*end)(struct export *x, struct err *e);
	void (*close)(struct export *x);
	const struct export_code *code;   /* NULL: there is no place for it */
};

struct export {
	const struct export_format *format;
	struct export_tables t;
	struct export_about about;
	struct out *out;
	uint64_t lost;            /* events that are missing so far */
	uint64_t left_out;        /* samples of events for which there was no room */
	uint32_t event;           /* EXPORT_ONE_EVENT, from the end on: which it is */
	void *own;                /* zeroed at first */
};

extern const struct export_format *const export_formats[];   /* NULL at the end */

/* By its name, or by how a file's name ends; NULL: none. */
const struct export_format *export_named(const char *name);
const struct export_format *export_by_ending(const char *path);

/* A pid or tid as perf shows it: -1 where nobody knows it. */
static inline int64_t export_id(uint32_t id)
{
	return (int32_t)id;
}

/* From the first sample to the last, ns. False: there is none. */
bool export_span(const struct export *x, uint64_t *first, uint64_t *last);

/* EXPORT_ONE_EVENT: the one to show, which is set; the others' samples are counted. */
void export_choose(struct export *x);

/* Is a sample's weight what its event counted? Else 1. Of one event. */
bool export_weighs(const struct export *x);

/* Frames of a chain, outermost first, into v of `max`. How many; more are cut at the outer end. */
size_t export_chain(const struct export_tables *t, uint32_t stack, uint32_t *v, size_t max);

extern const struct export_format export_folded, export_speedscope, export_pprof, export_otlp, export_firefox,
	export_perfetto, export_chrome, export_sql;

#endif
