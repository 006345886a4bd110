/*
 * counter.h - events opened for counting on a target, and their values: one descriptor per event and place (a CPU or a
 * thread); groups are read together, and multiplexed values are scaled. Nothing is allocated after counters_open.
 */
#ifndef LIVE_COUNTER_H
#define LIVE_COUNTER_H

#include "live/opener.h"
#include "live/target.h"

enum counter_state {
	COUNTER_OPEN,          /* open on at least one place */
	COUNTER_UNSUPPORTED,   /* could not be opened on any place: `code` says why */
	COUNTER_GROUP_REFUSED, /* can be counted, but not together with the rest of its group */
};

/*
 * value, enabled and running are the kernel's (times in ns). The others are what values are scaled by: the work that
 * the place has done since the start, the part of it during which the counter was on, and how much larger that part
 * would have been without the cost of the hits (see counters.pace). Without pacing they are the times.
 */
struct counter_value {
	uint64_t value, enabled, running;
	double work, seen, cost;
};

/* Error bounds of a scaled value. */
struct counter_doubt {
	double counted;          /* the part that was actually counted */
	double less, more;       /* systematic error downwards and upwards: added up over places */
	double variance;         /* statistical error, from the variation between the turns */
	bool no_end;             /* there is no upper bound */
};

struct counter_slot {
	int fd;                          /* -1: not open here */
	int cpu, tid;                    /* as opened; -1: any */
	unsigned place;                  /* index of the thread; 0 for CPUs */
	struct counter_value now;        /* last value read */
	struct counter_value base, told; /* value at the last counters_read but one, and at the last one */
	/* counters_pause: */
	bool paused;                     /* closed for the pause */
	uint64_t since;                  /* when it was last enabled or closed, CLOCK_MONOTONIC */
	struct counter_value past;       /* sum over the earlier descriptors and the pauses */
	double busy;                     /* how much `enabled` would have grown per ns of this pause */
	double owed;                     /* work done in the last pause */
	struct { double value, seen; } last;   /* of the last period when on in which any work was done */
	double whole;                    /* estimated value without pauses, up to then */
	struct counter_turns {           /* periods when on; sums of squares and products of their values and work */
		unsigned n;
		double values, both, works;
	} turns;
	/* counters.pace: */
	bool paced, is_cut;              /* is_cut: the hits took so much that the rest cannot be estimated reliably */
	double meter, meter_now;         /* meter value at the last start or end of a pause, and now */
	double did, did_cost;            /* work since then without the hits' part, and the hits' part */
	double may_less, may_more;       /* error of `cost` downwards and upwards, as shares of it */
	double may_differ;               /* relative error of the work done in a pause */
};

/* The CPU number, or the index of the thread if there is no CPU. */
static inline size_t counter_place(const struct counter_slot *s)
{
	return s->cpu >= 0 ? (size_t)s->cpu : s->place;
}

struct counter {
	const struct event *ev;
	const char *cgroup;              /* NULL: none */
	int cgroup_fd;
	struct perf_attr attr;           /* as accepted by the kernel */
	enum counter_state state;
	int code;                        /* errno of a place that failed, or 0 */
	bool user_only;                  /* kernel space is excluded for lack of permission */
	unsigned leader;                 /* index of its group leader */
	bool leads;                      /* is the group leader; the group has `members` counters including itself */
	unsigned members;
	bool over_cores;                 /* a task's event opened once per core type: only one counts at a time */
	bool pausable;                   /* counters_pause closes its group */
	size_t first, n;                 /* its slots */
};

/* Values of the events that have a `tool`, in ns since the start; set before counters_read. */
struct counter_tools {
	uint64_t value[EVENT_TOOLS];
	bool known[EVENT_TOOLS];
};

struct counters {
	const struct sys *sys;           /* borrowed */
	struct opener opener;
	VEC(struct counter) list;        /* ordered by cgroup, then by event */
	VEC(struct counter_slot) slots;
	/*
	 * Computes what pauses are scaled by instead of time; NULL: time. Called after values have been read; sets the
	 * "counters.pace" members of each pausable slot except `meter`.
	 */
	void (*pace)(void *arg, struct counters *c);
	void *pace_arg;
	struct counter_tools tools;
	bool recorded;                   /* the values come from a file: nothing is open */
};

enum counters_start {
	COUNTERS_ON_EXEC,    /* at the exec of tid, which is held before it */
	COUNTERS_LATER,      /* when counters_enable is called */
};

struct counters_want {
	const struct sys *sys;
	const struct event_list *events;    /* borrowed until counters_close */
	const struct target *target;        /* borrowed as well */
	int tid;                            /* TARGET_COMMAND: the held child */
	enum counters_start start;
};

/*
 * Opens every event that can be opened. Events that the machine cannot count are only marked. Missing permission
 * (-EACCES, -EPERM), no descriptors left and all threads having exited are errors, with advice in e.
 */
int counters_open(struct counters *c, const struct counters_want *w, struct err *e);
void counters_close(struct counters *c);

/* One more than the largest counter_place. */
size_t counters_places(const struct counters *c);

void counters_enable(struct counters *c);
void counters_disable(struct counters *c);

/* Makes the previous values `base` and reads new ones into `now`. */
void counters_read(struct counters *c);

/* The next values are counted from the start, not from the last read. */
void counters_since_start(struct counters *c);

/* Reads `now` only: an intermediate read. */
void counters_refresh(struct counters *c);

/*
 * Close the `pausable` events and open them again: nothing else removes a probe's breakpoint. Values continue. The
 * duration of a pause is added to `enabled`; for a task only the share that it was running before the pause. So values
 * are scaled like those of events that the kernel multiplexes. Values since the start are scaled pause by pause, with
 * the rates before and after each: the length of a pause depends on the rate, so the mean over all periods when on
 * would be too low. Tasks that inherited the events before a pause are no longer counted after it. An event that
 * cannot be opened again (its task has exited) stays closed and is not scaled from then on.
 */
void counters_pause(struct counters *c);
void counters_resume(struct counters *c);

/*
 * now - base of k's slot i, scaled to the time it was enabled. running 0: never counted. Events opened once per core
 * type are scaled by the time on all core types: a task running on another core type is not multiplexing.
 */
struct counter_value counters_value(const struct counters *c, const struct counter *k, size_t i);

/* Rounds to an integer, clamped to 64 bits: a value from a file may be anything. */
uint64_t counter_rounded(double v);

/* Error bounds of such a value; false: it is not an estimate. */
bool counters_doubt(const struct counters *c, const struct counter *k, size_t i, struct counter_doubt *d);

/* The suffix that perf appends when kernel space is excluded: cycles:u, armv8_pmuv3/cpu_cycles/u; else "". */
const char *counter_suffix(const struct counter *k, const char *name);

/* Describes why a counter is not open. */
int counter_explain(const struct counters *c, const struct counter *k, struct err *e);

#endif
