/*
 * counter.h - events opened for counting on a target, and their values: one descriptor per event and place (a CPU or a
 * thread). Groups are read together; values of multiplexed events are scaled. Nothing allocates after counters_open.
 */
#ifndef LIVE_COUNTER_H
#define LIVE_COUNTER_H

#include "live/opener.h"
#include "live/target.h"

enum counter_state {
	COUNTER_OPEN,          /* on at least one place */
	COUNTER_UNSUPPORTED,   /* it could be opened nowhere: `code` says why */
	COUNTER_GROUP_REFUSED, /* it could be opened alone, but not in its group */
};

/*
 * value, enabled and running are the kernel's (times in ns). Values are scaled by work / seen: `work` is what the place
 * has done since the start, `seen` its part while the event was counted, `cost` what hits of probes took away from that
 * part. What is measured as work is up to counters.pace; without it, work is enabled and seen is running.
 */
struct counter_value {
	uint64_t value, enabled, running;
	double work, seen, cost;
};

/* Error bounds of a scaled value. */
struct counter_doubt {
	double counted;          /* the unscaled value, which is certain */
	double less, more;       /* systematic errors, which add up over several places */
	double variance;         /* statistical error, from the differences between times on */
	bool no_end;             /* there is no upper bound */
};

struct counter_slot {
	int fd;                          /* -1: not open */
	int cpu, tid;                    /* as opened; -1: any */
	unsigned place;                  /* index of the thread; 0 for CPUs */
	struct counter_value now;        /* as last read */
	struct counter_value base, told; /* by the last counters_read but one, and by the last one */
	/* For counters_pause: */
	bool paused;                     /* closed until counters_resume */
	uint64_t since;                  /* when it was last enabled or closed, ns of CLOCK_MONOTONIC */
	struct counter_value past;       /* sum of the earlier descriptors and pauses of this slot */
	double busy;                     /* by how much `enabled` grows per ns of this pause */
	double owed;                     /* work done in the last pause */
	struct { double value, seen; } last;   /* of the last period on in which work was done */
	double whole;                    /* estimate of the value without pauses, up to that pause */
	struct counter_turns {           /* periods on: number, sums of squares and products of value and work */
		unsigned n;
		double values, both, works;
	} turns;
	/* Set by counters.pace: */
	bool paced, is_cut;              /* is_cut: hits took so much of the time that their cost had to be capped */
	double meter, meter_now;         /* reading of the work meter at the last pause or resume; now */
	double did, did_cost;            /* work since then without the cost of hits, and that cost */
	double may_less, may_more;       /* error of `cost`, as shares of it */
	double may_differ;               /* error of the work done in pauses, as a share of it */
};

/* The CPU, or, for counters of any CPU, the index of the thread. */
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
	int code;                        /* errno of a place where it could not be opened; 0: none */
	bool user_only;                  /* kernel mode was excluded for lack of permission */
	unsigned leader;                 /* index of its group's leader */
	bool leads;                      /* it is that leader */
	unsigned members;                /* number of counters in the group, with the leader */
	bool over_cores;                 /* a task's event, opened once per core type; only one of them can run */
	bool pausable;                   /* counters_pause closes its group */
	size_t first, n;                 /* its slots: counters.slots[first] to [first + n - 1] */
};

/* Values of events with a `tool` (duration_time, ...), ns since the start; to be set before counters_read. */
struct counter_tools {
	uint64_t value[EVENT_TOOLS];
	bool known[EVENT_TOOLS];
};

struct counters {
	const struct sys *sys;           /* borrowed */
	struct opener opener;
	VEC(struct counter) list;        /* by cgroup, then in the order of the events */
	VEC(struct counter_slot) slots;
	/*
	 * Measures the work by which pauses are scaled; NULL: they are scaled by time. Called after values were read;
	 * sets the last group of members of each pausable slot, except `meter`.
	 */
	void (*pace)(void *arg, struct counters *c);
	void *pace_arg;
	struct counter_tools tools;
	bool recorded;                   /* values come from a recording; no events are open */
};

enum counters_start {
	COUNTERS_ON_EXEC,    /* enabled by the exec of the held child */
	COUNTERS_LATER,      /* enabled by counters_enable */
};

struct counters_want {
	const struct sys *sys;
	const struct event_list *events;    /* borrowed until counters_close */
	const struct target *target;        /* borrowed as well */
	int tid;                            /* TARGET_COMMAND: the held child */
	enum counters_start start;
};

/*
 * Open what can be opened. Events that the machine cannot count are only marked (enum counter_state). Errors, with
 * advice, are missing permission (-EACCES, -EPERM), no more descriptors, and that all threads have ended.
 */
int counters_open(struct counters *c, const struct counters_want *w, struct err *e);
void counters_close(struct counters *c);

/* One more than the largest counter_place. */
size_t counters_places(const struct counters *c);

void counters_enable(struct counters *c);
void counters_disable(struct counters *c);

/* Begin a new interval: the values of the last call become `base`, new ones are read into `now`. */
void counters_read(struct counters *c);

/* Set `base` to zero, so that counters_value() is the value since the start. */
void counters_since_start(struct counters *c);

/* Read into `now` without beginning a new interval. */
void counters_refresh(struct counters *c);

/*
 * Close the pausable counters, and open them again: only closing removes a probe's breakpoint. Values go on. A pause is
 * added to `enabled` (for a task, the share of it that the task was enabled before), so values are scaled as if the
 * kernel had multiplexed them. Values since the start are scaled pause by pause, by the mean of the rates before and
 * after it: the length of a pause depends on the rate, so the mean rate of all periods on would be too low. Tasks that
 * inherited the events before a pause are no longer counted after it. A counter that cannot be opened again (its task
 * has exited) stays closed and is not scaled from then on.
 */
void counters_pause(struct counters *c);
void counters_resume(struct counters *c);

/*
 * now - base of k's slot i, the value scaled to the time enabled. running 0: it was never counted. An event that is
 * open once per core type is scaled by its running time on all of them: a task on another core type is no multiplexing.
 */
struct counter_value counters_value(const struct counters *c, const struct counter *k, size_t i);

/* Round to an integer, clamped to 0 .. 2^64 - 2048: values of a file may be anything. */
uint64_t counter_rounded(double v);

/* Error bounds of the value of k's slot i; false: it was not estimated over pauses, so there are none. */
bool counters_doubt(const struct counters *c, const struct counter *k, size_t i, struct counter_doubt *d);

/* ":u" or "u" if kernel mode had to be excluded, as perf appends it (cycles:u, armv8_pmuv3/cpu_cycles/u); else "". */
const char *counter_suffix(const struct counter *k, const char *name);

/* Set the error that explains why a counter is not open. */
int counter_explain(const struct counters *c, const struct counter *k, struct err *e);

#endif
