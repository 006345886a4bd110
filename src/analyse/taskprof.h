/*
 * taskprof.h - what each task did with its time, from a trace's events: on a CPU, blocked (by state), waiting for a CPU
 * after a wake-up, and between the two events of pairs (interrupts, system calls, functions, the user's hooks); with
 * their kernel stacks. All times are ns.
 *
 * Blocked is from sched_switch to sched_wakeup, or to being switched in if no wake-up was seen. Times across lost
 * events are discarded and counted. Memory grows with tasks, kinds of events and distinct stacks, not with events.
 */
#ifndef ANALYSE_TASKPROF_H
#define ANALYSE_TASKPROF_H

#include "analyse/calltree.h"
#include "analyse/spans.h"
#include "tracefs/format/events.h"

enum taskprof_what {
	TASKPROF_RUN,        /* on a CPU */
	TASKPROF_SWITCH,     /* off the CPU: val is prev_state, without bits above TASKPROF_PREEMPTED */
	TASKPROF_WAKEUP,     /* from being woken to being on a CPU */
	TASKPROF_FUNCTION,   /* a call of the function tracer: val is its address; no times */
	TASKPROF_EVENT,      /* an event of no pair; no times */
	TASKPROF_PAIR,       /* this + index of a pair; val is the value by which its two events match */
};

enum { TASKPROF_PREEMPTED = 0x100 };   /* TASK_REPORT_MAX: "R+"; Linux 4.15 */

enum taskprof_flags {
	TASKPROF_PINNED = 1,   /* both events come on the same CPU */
	TASKPROF_GLOBAL = 2,   /* belongs to the machine (with PINNED: to a CPU), not to a task */
	TASKPROF_STACK = 4,    /* the user wants stacks of the first event */
	TASKPROF_IRQ = 8,      /* GLOBAL with taskprof_want.irqs TASKPROF_IRQS_CPU */
	TASKPROF_CALL = 16,    /* the matching value is a function's address */
	TASKPROF_VECTOR = 32,  /* it is the number of a softirq */
};

/* Two events that delimit a span: a built-in pair has kinds, a hook has names, which may lack "system:". */
struct taskprof_pair {
	char start[80], end[80];
	char match[40], end_match[40], pid[40];   /* names of fields; pid "": the running task */
	enum tkind start_kind, end_kind;          /* KIND_OTHER: of a hook */
	uint8_t field, end_field;                 /* indices of the fields of these kinds */
	unsigned flags;
};

/*
 * "[system:]start,field[,pid-field]/[system:]end,field[,flags]", flags of p, s and g. -EINVAL with the place.
 */
int taskprof_pair_parse(struct taskprof_pair *p, const char *text, struct err *e);

/* -EINVAL: one of its events exists, but none of that name has the field. */
int taskprof_pair_check(const struct taskprof_pair *p, const struct tevents *events, struct err *e);

struct taskprof_want {
	const struct tevents *events;          /* borrowed */
	const struct taskprof_pair *hooks;     /* borrowed; at most 24 are used */
	size_t n_hooks;
	enum taskprof_irqs { TASKPROF_IRQS_TASK, TASKPROF_IRQS_CPU } irqs;
	const char *(*symbol)(void *arg, uint64_t addr);   /* name of the function, or NULL. May be NULL */
	void *arg;
};

struct taskprof_time {
	uint64_t max, max_ts, min, min_ts;   /* ..._ts: time of its end */
};

struct taskprof_row {
	uint32_t task, what, event;   /* event: id of the (first) event, for sorting */
	uint32_t label;               /* index in frames: text for val; NAMES_NONE: none */
	uint64_t val;
	uint64_t count, total;
	struct taskprof_time time;
	uint32_t node;                /* node in `stacks` whose children are innermost frames; 0: none */
};

struct taskprof_task {
	uint64_t key;       /* see taskprof.c */
	uint32_t pid;       /* for idle tasks, CPUs and the machine: the CPU */
	enum taskprof_owner { TASKPROF_TASK, TASKPROF_IDLE, TASKPROF_CPU, TASKPROF_MACHINE } owner;
	char comm[16];      /* "": unknown */
	bool sleeping;
};

struct taskprof_cpu {
	uint32_t running, before;  /* the running task, and the one switched out last; NAMES_NONE: unknown */
	uint32_t last_pid, last_task, last_row;   /* the event that a following stack belongs to; NAMES_NONE: none */
	uint64_t last_open, last_delta;
};

struct taskprof {
	struct taskprof_want want;
	struct taskprof_pair *pairs;
	size_t n_pairs;
	VEC(struct taskprof_class) classes;
	struct map class_of;              /* event id -> index + 1 */
	VEC(struct taskprof_task) tasks;
	struct map task_of;               /* key -> index + 1 */
	VEC(struct taskprof_row) rows;
	struct names row_ids;
	VEC(struct taskprof_cpu) cpus;
	struct calltree stacks;           /* node 0's children: row + 1; below them frames, innermost first */
	VEC(struct taskprof_time) times;  /* by node, for stacks whose outermost frame it is */
	struct names frames;              /* names of functions, and labels */
	struct map frame_of;              /* address -> frame + 1 */
	struct spans open;
	uint64_t switches, discarded, opened, last_ts;
};

int taskprof_init(struct taskprof *t, const struct taskprof_want *w, struct err *e);
void taskprof_deinit(struct taskprof *t);

/* The next event in order of time. 0 or -ENOMEM. */
int taskprof_record(struct taskprof *t, const struct tstream_rec *rec);

/* No more events: tasks on a CPU ran until the last event. Does not use want.events. */
int taskprof_end(struct taskprof *t);

/* Merge tasks with the same name. After taskprof_end(). */
int taskprof_by_comm(struct taskprof *t);

/* Indices of a task's rows in the order to show, malloc'ed, *n of them. NULL: no memory. */
uint32_t *taskprof_rows(const struct taskprof *t, uint32_t task, size_t *n);

/* "sched_switch:S", "sys_enter:173", "func: vfs_read()" */
void taskprof_label(const struct taskprof *t, const struct taskprof_row *r, struct out *o);

#endif
