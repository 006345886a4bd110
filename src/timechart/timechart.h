/*
 * timechart.h - sonde timechart: its state; events.c says which it reads, timechart.c reads what runs and waits,
 * calls.c reads and writes of recordings that have those instead, svg.c draws CPUs and tasks, svg_parts.c what lies in
 * their rows.
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
	uint64_t width, least_rows;      /* px; rows of tasks, if there are as many */
	const char *highlight;           /* ns, or what is in a name */
	struct opt_list whom;            /* names and tids; none: by what they do */
};

/* Of calls. */
struct timechart_calls {
	uint64_t least_ns, near_ns;      /* so long at the least; so near to be one */
	bool no_eagain, live;            /* live: calls are asked for */
};

struct timechart_want {
	struct view_want view;           /* first */
	struct timechart_show show;
	struct timechart_calls calls;
	bool chains;
};

/* Kinds of bars. What is a call and failed has CHART_FAILED, too. */
enum chart_kind {
	CHART_RUN, CHART_WAIT, CHART_BLOCKED, CHART_WAKE, CHART_IRQ_WAKE, CHART_IDLE, CHART_FREQ,
	CHART_READ, CHART_WRITE, CHART_RX, CHART_TX, CHART_SYNC, CHART_POLL,
	CHART_FAILED = 64,
};

/* What an event that has no kind of its own (tracefs/kind.h) is about: CHART_IDLE, CHART_FREQ, or calls. */
struct chart_tap {
	uint8_t kind;                    /* 0: nothing that is drawn */
	bool ends;                       /* of a call */
	const struct tfield *value, *cpu;   /* state; descriptor, what it returned */
};

enum { CHART_ROWS = 1 << 15 };           /* tasks beyond are left out */

/* A task under one name. */
struct chart_row {
	uint32_t tid, name;              /* name: of `names` */
	uint64_t first, last;            /* ns; last 0: to the end */
	uint64_t run, bytes, most;       /* ns; of all calls; of one */
	uint32_t slot;                   /* where it is drawn, + 1; 0: it is not */
};

/* By switches' index. */
struct chart_task {
	uint32_t row;                    /* its name's, + 1; 0: to be found */
	uint64_t born;                   /* ns; 0: it was there before */
	bool known, runs;                /* known: events' names for it were learnt */
	bool calls;                      /* it is in a call */
	uint32_t kind, fd;               /* of that */
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
	const struct chart_tap *taps;    /* by index */
	struct switches switches;
	struct sched_ends ends;
	struct callers callers;
	struct names names;
	struct map row_of;               /* tid << 32 | name -> index + 1 */
	VEC(struct chart_row) rows;
	VEC(struct chart_task) tasks;
	VEC(struct chart_cpu) cpus;
	struct bars of_rows, of_cpus;    /* by index */
	struct cpu_places places;
	uint64_t first, last, wakeups;   /* times of events, ns */
	uint64_t dropped;                /* events of tasks beyond */
	uint64_t unpaired;               /* calls that nobody saw begin, or end */
	uint32_t most_freq;
	bool has_calls, has_waking;
};

/* --- events.c: for prepare, begin, and who records --- */

int timechart_add(struct prof *p, const struct timechart_want *w, struct err *e);
struct chart_tap *timechart_taps(struct prof *p, bool *has_calls);   /* NULL: no memory */

/* The name of the i-th of those of calls. False: there are no more. */
enum { CHART_EVENT = 64 };
bool timechart_event(size_t i, char buf[CHART_EVENT]);

static inline uint64_t chart_value(const struct tfield *f, const struct hit *h)
{
	return tfmt_value(f, h->raw.p, h->raw.n);
}

/* --- what the readers share --- */

/* The row of a task under its name of now; NULL: no room (*r 0), or no memory (*r -ENOMEM). */
struct chart_row *timechart_row(struct timechart *t, uint32_t task, int *r);

/* 0: it is the task *i; 1: there is no room for it; -ENOMEM. */
int timechart_task(struct timechart *t, uint32_t tid, uint32_t *i);

int timechart_take_call(struct timechart *t, const struct hit *h, const struct chart_tap *tap);

/* --- drawing: the rows that are shown, and all of it --- */

int timechart_draw(struct timechart *t, struct out *o);

#endif
