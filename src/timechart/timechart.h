/*
 * timechart.h - sonde timechart: its state. events.c selects events; timechart.c processes scheduling; calls.c system
 * calls of recordings that have those instead; svg.c draws CPUs and tasks, svg_parts.c the contents of their rows.
 */
#ifndef TIMECHART_TIMECHART_H
#define TIMECHART_TIMECHART_H

#include "analyse/bars.h"
#include "analyse/switches.h"
#include "engine/callers.h"
#include "perf/topology.h"
#include "prof/view.h"
#include "sched/common.h"

extern const struct prof_kind timechart;
extern const struct opt timechart_opts[];
void timechart_defaults(void *want);

struct timechart_show {
	bool power_only, tasks_only, by_topology;
	uint64_t width, least_rows;      /* px; minimum number of task rows, if there are as many tasks */
	const char *highlight;           /* ns, or a part of a name */
	struct opt_list whom;            /* names and tids; none: by activity */
};

/* Options for system calls. */
struct timechart_calls {
	uint64_t least_ns, near_ns;      /* minimum width of a bar; calls so close together become one bar */
	bool no_eagain, live;            /* live: trace system calls */
};

struct timechart_want {
	struct view_want view;           /* must be first */
	struct timechart_show show;
	struct timechart_calls calls;
	bool chains;
};

/* Kinds of bars. A failed call also has CHART_FAILED. */
enum chart_kind {
	CHART_RUN, CHART_WAIT, CHART_BLOCKED, CHART_WAKE, CHART_IRQ_WAKE, CHART_IDLE, CHART_FREQ,
	CHART_READ, CHART_WRITE, CHART_RX, CHART_TX, CHART_SYNC, CHART_POLL,
	CHART_FAILED = 64,
};

/* For events without a kind of their own (tracefs/kind.h): CHART_IDLE, CHART_FREQ, or system calls. */
struct chart_tap {
	uint8_t kind;                    /* 0: not drawn */
	bool ends;                       /* end of a call */
	const struct tfield *value, *cpu;   /* state; descriptor, return value */
};

enum { CHART_ROWS = 1 << 15 };           /* further tasks are dropped */

/* A task while it has one name. */
struct chart_row {
	uint32_t tid, name;              /* name: index in `names` */
	uint64_t first, last;            /* ns; last 0: until the end */
	uint64_t run, bytes, most;       /* ns; bytes of all calls; of the largest */
	uint32_t slot;                   /* position in the picture + 1; 0: not drawn */
};

/* By index in switches. */
struct chart_task {
	uint32_t row;                    /* row of its present name + 1; 0: to be looked up */
	uint64_t born;                   /* ns; 0: existed before */
	bool known, runs;                /* known: its name was taken from an event */
	bool calls;                      /* it is in a system call */
	uint32_t kind, fd;               /* of that call */
	uint64_t since;
};

struct chart_cpu {
	uint64_t idle_since, freq_since;
	uint32_t idle, freq;             /* kHz */
	bool is_idle, is_known;          /* is_known: freq */
	uint32_t slot;
};

struct timechart {
	struct prof *prof;
	const struct timechart_want *want;
	const struct chart_tap *taps;    /* by tap */
	struct switches switches;
	struct sched_ends ends;
	struct callers callers;
	struct names names;
	struct map row_of;               /* tid << 32 | name -> index + 1 */
	VEC(struct chart_row) rows;
	VEC(struct chart_task) tasks;
	VEC(struct chart_cpu) cpus;
	struct bars of_rows, of_cpus;    /* by row or CPU */
	struct cpu_places places;
	uint64_t first, last, wakeups;   /* first and last event, ns */
	uint64_t dropped;                /* events of tasks beyond the limit */
	uint64_t unpaired;               /* calls without a beginning or end */
	uint32_t most_freq;
	bool has_calls, has_waking;
};

/* --- events.c: for prepare, begin, and for recording --- */

int timechart_add(struct prof *p, const struct timechart_want *w, struct err *e);
struct chart_tap *timechart_taps(struct prof *p, bool *has_calls);   /* NULL: no memory */

/* The i-th event of system calls. False: no more. */
enum { CHART_EVENT = 64 };
bool timechart_event(size_t i, char buf[CHART_EVENT]);

static inline uint64_t chart_value(const struct tfield *f, const struct hit *h)
{
	return tfmt_value(f, h->raw.p, h->raw.n);
}

/* --- shared by the files that process events --- */

/* The row of a task under its present name; NULL: limit reached (*r 0), or no memory (*r -ENOMEM). */
struct chart_row *timechart_row(struct timechart *t, uint32_t task, int *r);

/* 0: *i is the task's index; 1: limit reached; -ENOMEM. */
int timechart_task(struct timechart *t, uint32_t tid, uint32_t *i);

int timechart_take_call(struct timechart *t, const struct hit *h, const struct chart_tap *tap);

/* --- drawing: selects rows, and draws everything --- */

int timechart_draw(struct timechart *t, struct out *o);

#endif
