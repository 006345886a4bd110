/*
 * counter.h - events opened for counting on a target, and their values: one descriptor per event and place (a CPU,
 * or a thread), groups read together, multiplexing scaled. Nothing allocates after counters_open.
 */
#ifndef LIVE_COUNTER_H
#define LIVE_COUNTER_H

#include "live/opener.h"
#include "live/target.h"

enum counter_state {
	COUNTER_OPEN,          /* on at least one place */
	COUNTER_UNSUPPORTED,   /* no place took it: `code` says why */
	COUNTER_GROUP_REFUSED, /* it can be counted, but not together with the others of its group */
};

/*
 * Kernel values: times in ns. Then what is scaled by: what the place has done since the start, the part of it that was
 * seen, and what that part would have been longer without `cost` (see counters.pace); else they are the times.
 */
struct counter_value {
	uint64_t value, enabled, running;
	double work, seen, cost;
};

/* How far a scaled value may be from the truth. */
struct counter_doubt {
	double counted;          /* that is certain */
	double less, more;       /* systematic: of several places they add up */
	double variance;         /* of the turns */
	bool no_end;             /* it may be any number larger */
};

struct counter_slot {
	int fd;                          /* -1: not here */
	int cpu, tid;                    /* as opened; -1: any */
	unsigned place;                  /* index of the thread; 0 for CPUs */
	struct counter_value now;        /* as read last */
	struct counter_value base, told; /* as the last counters_read but one, and the last one, read it */
	/* counters_pause: */
	bool paused;                     /* closed for now */
	uint64_t since;                  /* when it was enabled or closed last, CLOCK_MONOTONIC */
	struct counter_value past;       /* of the descriptors before this one, and of the pauses */
	double busy;                     /* what `enabled` would have grown in a ns of this pause */
	double owed;                     /* work of the last pause */
	struct { double value, seen; } last;   /* of the last time on in which anything was done */
	double whole;                    /* what the value would be without pauses, up to then */
	struct counter_turns {           /* times on; sums of squares and products of their values and works */
		unsigned n;
		double values, both, works;
	} turns;
	/* counters.pace: */
	bool paced, is_cut;              /* is_cut: its hits took more than can be told from what was left */
	double meter, meter_now;         /* at the last pause or its end; now */
	double did, did_cost;            /* work since then without the hits' part, and that part */
	double may_less, may_more;       /* shares of `cost` that it may be less and more */
	double may_differ;               /* share of what is done by one of the work, in a pause */
};

/* A CPU, or where none is known the index of a thread. */
static inline size_t counter_place(const struct counter_slot *s)
{
	return s->cpu >= 0 ? (size_t)s->cpu : s->place;
}

struct counter {
	const struct event *ev;
	const char *cgroup;              /* NULL: none */
	int cgroup_fd;
	struct perf_attr attr;           /* as the kernel took it */
	enum counter_state state;
	int code;                        /* errno of a place that failed, 0 */
	bool user_only;                  /* the kernel side was left out for lack of permission */
	unsigned leader;                 /* index of the counter whose group it is in */
	bool leads;                      /* is that leader, of `members` counters with itself */
	unsigned members;
	bool over_cores;                 /* a task's event, opened once per core type: its counters run in turns */
	bool pausable;                   /* its group goes with counters_pause */
	size_t first, n;                 /* its slots */
};

/* What events with a `tool` count, in ns since the start; set before counters_read. */
struct counter_tools {
	uint64_t value[EVENT_TOOLS];
	bool known[EVENT_TOOLS];
};

struct counters {
	const struct sys *sys;           /* borrowed */
	struct opener opener;
	VEC(struct counter) list;        /* cgroup by cgroup, in each in the order of the events */
	VEC(struct counter_slot) slots;
	/*
	 * What pauses are scaled by instead of time; NULL: time. Called when values have been read; it sets the last
	 * part of each pausable slot but `meter`.
	 */
	void (*pace)(void *arg, struct counters *c);
	void *pace_arg;
	struct counter_tools tools;
	bool recorded;                   /* elsewhere: nobody has opened them here */
};

enum counters_start {
	COUNTERS_ON_EXEC,    /* tid holds before its exec */
	COUNTERS_LATER,      /* counters_enable */
};

struct counters_want {
	const struct sys *sys;
	const struct event_list *events;    /* borrowed until counters_close */
	const struct target *target;        /* borrowed as well */
	int tid;                            /* TARGET_COMMAND: the held child */
	enum counters_start start;
};

/*
 * Opens what can be opened. What the machine cannot count is only marked; that the user may not count it (-EACCES,
 * -EPERM), that descriptors ran out or that all threads have ended is an error, with advice.
 */
int counters_open(struct counters *c, const struct counters_want *w, struct err *e);
void counters_close(struct counters *c);

/* One more than the largest counter_place. */
size_t counters_places(const struct counters *c);

void counters_enable(struct counters *c);
void counters_disable(struct counters *c);

/* The last values become `base`, new ones are read into `now`. */
void counters_read(struct counters *c);

/* The next values are told since the start, not since the last read. */
void counters_since_start(struct counters *c);

/* A look in between: only `now`. */
void counters_refresh(struct counters *c);

/*
 * Close what is `pausable` and open it again: nothing else takes a probe's breakpoint out. Values go on; the time of a
 * pause is added to `enabled`, for a task its part that the task had of the time before: then values are scaled
 * as those of events that the kernel counts in turns. Those since the start are scaled pause by pause, with the rate
 * before and after it: how long a pause is depends on the rate, and the mean of all times on would be too low.
 * Tasks that inherited the events before a pause are counted no more after it. What cannot be opened again (its task
 * has ended) is left closed, unscaled from then on.
 */
void counters_pause(struct counters *c);
void counters_resume(struct counters *c);

/*
 * now - base of k's slot i, scaled to the time that it was enabled for. running 0: never counted. What is open once
 * per core type is scaled by the time on any of them: that a task ran elsewhere is no multiplexing.
 */
struct counter_value counters_value(const struct counters *c, const struct counter *k, size_t i);

/* The whole number next to it, as far as there is one in 64 bits: what a file says may be anything. */
uint64_t counter_rounded(double v);

/* Of such a value; false: it is no estimate. */
bool counters_doubt(const struct counters *c, const struct counter *k, size_t i, struct counter_doubt *d);

/* What perf puts behind the name of an event that lost its kernel side: cycles:u, armv8_pmuv3/cpu_cycles/u; else "". */
const char *counter_suffix(const struct counter *k, const char *name);

/* Why a counter is not open, in words. */
int counter_explain(const struct counters *c, const struct counter *k, struct err *e);

#endif
