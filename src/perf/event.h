/*
 * event.h - the one event grammar: text given with -e to a list of attributes ready for perf_event_open.
 *
 *   cycles:u  r1b  armv8_pmuv3/l1d_cache_refill,period=1000/  L1-dcache-load-misses  {a,b}:S  sched:*
 *   mem:ADDR/8:rw
 *   kprobe:f+8/n:u32/  kretprobe:f  uprobe:f@"/bin/x"  uretprobe:f@"/bin/x"  usdt:prov:name@"/bin/x"
 *   cpu_cycles or inst_retired: an event of the core PMU's sysfs or built-in table by its bare name
 *   modifiers u k h I G H p P S D W e
 *
 * Pure: what the machine has comes in through event_env. Errors mark the bad spot with a caret and suggest similar
 * names.
 */
#ifndef PERF_EVENT_H
#define PERF_EVENT_H

#include "abi/perf_event.h"
#include "perf/pmu.h"

enum event_set { EVENT_SET_PERIOD = 1, EVENT_SET_FREQ = 2, EVENT_SET_USER_KERNEL = 4, EVENT_SET_CALLCHAIN = 8,
	EVENT_SET_NO_CALLCHAIN = 16, EVENT_SET_MAX_STACK = 32, EVENT_SET_NO_INHERIT = 64, EVENT_SET_INHERIT = 128,
	EVENT_SET_PRECISE = 256, EVENT_LEADER_SAMPLING = 512, EVENT_WEAK_GROUP = 1024, EVENT_SET_PERCORE = 2048,
	EVENT_SET_GUEST_HOST = 4096, EVENT_SET_NAME = 32768, EVENT_SET_STACK = 65536,
	EVENT_SET_LR = 131072,
	EVENT_OFF_CPU = 262144,          /* sched_switch, of which the recorder keeps sums of off-CPU time only */
	EVENT_PRECISE_MAX = 8192,        /* :P, as precise as possible: the recorder tries levels from 3 down */
	EVENT_OVERWRITE_IGNORED = 16384  /* the term "overwrite" was given: it has no effect, worth a note */ };

enum event_tool { EVENT_COUNTED, EVENT_DURATION_TIME, EVENT_USER_TIME, EVENT_SYSTEM_TIME, EVENT_TOOLS };

/* One event to open. Strings belong to the list's arena. */
struct event {
	/*
	 * Only type, config*, exclude_*, pinned, exclusive, precise_ip, sample_period/freq, sample_max_stack,
	 * sample_stack_user and bp_* are set here; the command sets the rest. As in perf, exclude_guest is set unless
	 * the event is an uncore one or its modifiers say otherwise, and tracepoints and breakpoints have a period of
	 * 1 that -F and -c may override (`set` does not have it).
	 */
	struct perf_attr attr;
	const char *name;             /* as shown: "cycles:u", "sched:sched_switch" (globs: the match), name= term */
	const char *typed;            /* its part of the -e argument: the same for all alternatives */
	const struct pmu *pmu;        /* NULL: generic hardware/software/tracepoint/breakpoint */
	const char *tp_system, *tp_name;   /* tracepoints, else NULL */
	bool is_probe;                /* defined for this run; one of the kprobe or uprobe PMU has no tp_name */
	bool is_in_kernel;            /* a probe in kernel code, of this run or an older one: set before it is opened */
	int leader;                   /* index of the group's leader; own index when alone or leader */
	unsigned set;                 /* enum event_set: what the text decided */
	const char *unit;             /* "" or e.g. "MiB"; of cpu-clock and task-clock "msec" */
	double scale;                 /* count * scale is in `unit`; 1 without unit */
	const char *filter;           /* tracepoint filter, see event_filter(); NULL: none */
	enum event_tool tool;         /* a time that stat measures itself; attr is a dummy event's */
	unsigned alternative;         /* same number: one event as typed, spread over core types or uncore instances */
};

struct event_list {
	VEC(struct event) v;
	struct arena arena;
};

struct event_probe {
	const struct perf_attr *attr;      /* type and config* */
	const char *system, *name;         /* NULL: a probe of a PMU, without a tracepoint */
	const char *shown;
	struct sv mods;
	bool is_alone;                     /* new tasks must not inherit it */
};

struct event_probe_found {
	int (*found)(void *to, const struct event_probe *p);
	void *to;
};

struct event_env {
	struct pmus *pmus;            /* read from sysfs as far as the text needs them; must outlive the events */
	const struct arch *arch;
	/*
	 * Call `found` with the id of every tracepoint that matches (system and name may be globs). Returns the number
	 * found or -errno (-EACCES: tracefs is not readable, -ENOENT: no tracefs). Stops when `found` returns non-zero.
	 */
	int (*tracepoints)(void *arg, const char *system, const char *name,
			   int (*found)(void *to, const char *system, const char *name, uint64_t id), void *to,
			   struct err *e);
	/*
	 * Define the probe at the start of text (kprobe:... usdt:...) for as long as the env lives, and call `found`
	 * for each event that it becomes: a tracepoint (system, name, and its id in the attr's config), or an attr of
	 * the kprobe or uprobe PMU (name NULL). *end is set behind the probe's text. May be NULL: no probes here.
	 */
	int (*probe)(void *arg, const char *text, const struct event_probe_found *f, const char **end, struct err *e);
	/* Call `feed` with every known tracepoint, "system:name", for "did you mean". May be NULL. */
	void (*tracepoint_names)(void *arg, void (*feed)(void *to, const char *name), void *to);
	/*
	 * Does this core PMU accept generic hardware events with its type << 32 in the config (extended hardware type:
	 * Linux 5.13, on arm64 later)? Called only when there are several core PMUs or the event is written
	 * pmu/cycles/. NULL: no.
	 */
	bool (*extended_hw_type)(void *arg, const struct pmu *pmu);
	void *arg;
};

/*
 * Append the events of one -e argument. -EINVAL/-ENOENT with a caret. On error the list is unchanged.
 * Members of a group on several PMUs become one group per PMU; their leaders are in front of their members.
 */
int event_parse(struct event_list *l, const char *text, const struct event_env *env, struct err *e);
void event_list_deinit(struct event_list *l);

/*
 * Apply a --filter that follows an -e, to the tracepoints among the events from index `from` on. filter is borrowed;
 * NULL: none. -EINVAL: there is no tracepoint among them.
 */
int event_filter(struct event_list *l, size_t from, const char *filter, struct err *e);

/* Set the flags `sides` (PERF_ATTR_EXCLUDE_USER, _KERNEL, _HV) in every event. */
void event_exclude(struct event_list *l, uint64_t sides);

/* The i-th name of a kind (hardware, software, cache), for lists and for "did you mean"; NULL: i is too large. */
const char *event_generic_name(unsigned kind /* enum perf_type */, size_t i, const char **alias);

/* The i-th name of the events that stat measures itself (duration_time, ...); NULL: i is too large. */
const char *event_tool_name(size_t i);

/* perf's name for a generic (type, config), e.g. "cycles", "L1-dcache-load-misses", or NULL. */
const char *event_config_name(uint32_t type, uint64_t config, char *buf, size_t size);

#endif
