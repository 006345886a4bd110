/*
 * timechart.h - sonde timechart, shared by its files: events.c chooses events, timechart.c processes scheduling and
 * power events, calls.c system calls (of recordings made for those), svg.c draws the picture and its rows, svg_parts.c
 * draws the bars in the rows.
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
	uint64_t width, least_rows;      /* px; minimum number of task rows, if there are so many tasks */
	const char *highlight;           /* a minimum duration, or a part of a name */
	struct opt_list whom;            /* names and tids of tasks to show; empty: the busiest ones */
};

struct timechart_calls {
	uint64_t least_ns, near_ns;      /* draw calls at least so long; merge calls that are so close */
	bool no_eagain, live;            /* live: record system calls instead of scheduling */
};

struct timechart_want {
	struct view_want view;           /* must be first */
	struct timechart_show show;
	struct timechart_calls calls;
	bool chains;
};

/* Kinds of bars. CHART_FAILED is added for a failed call. */
enum chart_kind {
	CHART_RUN, CHART_WAIT, CHART_BLOCKED, CHART_WAKE, CHART_IRQ_WAKE, CHART_IDLE, CHART_FREQ,
	CHART_READ, CHART_WRITE, CHART_RX, CHART_TX, CHART_SYNC, CHART_POLL,
	CHART_FAILED = 64,
};

/* The meaning of an event without a kind in tracefs/kind.h: CHART_IDLE, CHART_FREQ, or a call. */
struct chart_tap {
	uint8_t kind;                    /* 0: not drawn */
	bool ends;                       /* the event is the end of a call */
	const struct tfield *value, *cpu;   /* value: state, or of calls the descriptor or the result */
};

enum { CHART_ROWS = 1 << 15 };           /* further tasks are left out */
/* A task under one name: after an exec it has another row. */
struct chart_row {
	uint32_t tid, name;              /* name: number in `names` */
	uint64_t first, last;            /* ns; last 0: to the end */
	uint64_t run, bytes, most;       /* run time, ns; bytes of all calls; largest value of a call */
	uint32_t slot;                   /* position of the row in the picture + 1; 0: not shown */
};

/* Indexed like switches. */
struct chart_task {
	uint32_t row;                    /* row of its current name, index + 1; 0: not looked up yet */
	uint64_t born;                   /* ns; 0: it existed before the recording */
	bool known, runs;                /* known: its name was learnt from events */
	bool calls;                      /* it is in a call */
	uint32_t kind, fd;               /* of that call */
	uint64_t since;
};

struct chart_cpu {
	uint64_t idle_since, freq_since;
	uint32_t idle, freq;             /* kHz */
	bool is_idle, is_known;          /* is_known: freq is known */
	uint32_t slot;
};

struct timechart {
	struct prof *prof;
	const struct timechart_want *want;
	const struct chart_tap *taps;    /* by the tap's index */
	struct switches switches;
	struct sched_ends ends;
	struct callers callers;
	struct names names;
	struct map row_of;               /* tid << 32 | name -> index + 1 */
	VEC(struct chart_row) rows;
	VEC(struct chart_task) tasks;
	VEC(struct chart_cpu) cpus;
	struct bars of_rows, of_cpus;    /* by index of the row, by CPU */
	struct cpu_places places;
	uint64_t first, last, wakeups;   /* times of events, ns */
	uint64_t dropped;                /* events of tasks for which there is no room */
	uint64_t unpaired;               /* calls without a beginning or an end */
	uint32_t most_freq;
	bool has_calls, has_waking;
};

/* --- events.c: for prepare, for begin, and for recording --- */

int timechart_add(struct prof *p, const struct timechart_want *w, struct err *e);
struct chart_tap *timechart_taps(struct prof *p, bool *has_calls);   /* NULL: no memory */

/* The name of the i-th system call event to record. False: there are no more. */
enum { CHART_EVENT = 64 };
bool timechart_event(size_t i, char buf[CHART_EVENT]);

static inline uint64_t chart_value(const struct tfield *f, const struct hit *h)
{
	return tfmt_value(f, h->raw.p, h->raw.n);
}

/* --- shared by timechart.c and calls.c --- */

/* The row of a task under its current name; NULL: no room (*r 0), or no memory (*r -ENOMEM). */
struct chart_row *timechart_row(struct timechart *t, uint32_t task, int *r);

/* Find the task's index *i. 0; 1: there is no room for it; -ENOMEM. */
int timechart_task(struct timechart *t, uint32_t tid, uint32_t *i);

int timechart_take_call(struct timechart *t, const struct hit *h, const struct chart_tap *tap);

/* --- svg.c: draw the picture --- */

int timechart_draw(struct timechart *t, struct out *o);

#endif
