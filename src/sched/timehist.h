/* timehist.h - state of sonde sched timehist: timehist.c reads events, timehist_text.c prints rows, timehist_sum.c the
 * summary. */
#ifndef SCHED_TIMEHIST_H
#define SCHED_TIMEHIST_H

#include "analyse/switches.h"
#include "engine/callers.h"
#include "report/profile_filter.h"
#include "sched/common.h"

struct timehist_show {
	bool summary_only, summary, wakeups, next, migrations, pre_migrations, visual, idle, state, prio;
	unsigned chains;                 /* 0: not shown; 1: if the recording has them; 2: live, too */
	uint64_t max_stack;
	const char *prios;               /* --prio: only tasks with these; NULL: all */
};

struct timehist_want {
	struct view_want sched;
	struct timehist_show show;
	struct filter_want filter;
};

/* Idle time by the call chain of the task that ran before the CPU went idle. */
struct timehist_idle {
	uint32_t cpu, chain;
	uint64_t ns, n;
};

/* Cache of the labels of tasks printed lately, by tid % TIMEHIST_LABELS: " name[12/10]", padded with blanks. */
enum { TIMEHIST_LABELS = 64, TIMEHIST_LABEL = 80 };

struct timehist_label {
	uint32_t tid, pid;
	uint8_t n, comm_n;               /* bytes of label and name; n 0: unused entry */
	char text[TIMEHIST_LABEL];
};

struct timehist {
	struct prof *prof;
	const struct timehist_show *show;
	struct switches switches;
	struct filter filter;
	struct callers callers;
	struct sched_ends ends;
	struct sched_fields fields;
	struct names names;              /* names of ended tasks: switches_task.name is the index + 1 */
	uint64_t prios[(SWITCHES_PRIOS + 63) / 64];
	bool has_waking, chains;
	uint64_t skipped;                /* switches and wakeups left out */
	uint64_t lost;                   /* lost events reported so far */
	unsigned width;                  /* of the name column */
	uint32_t cpus;                   /* number of CPUs of the machine, or of those seen */
	struct table *table;             /* JSON, CSV; NULL: text */
	struct table_want form;          /* format of table */
	struct out *out;
	struct map idle_of;              /* cpu and chain -> index + 1 */
	VEC(struct timehist_idle) idle;
	VEC(uint32_t) idle_chain;        /* by CPU: call chain from which it went idle, or 0 */
	struct timehist_label labels[TIMEHIST_LABELS];
};

/* Frames to read beyond --max-stack, as in perf: those of the scheduler's own functions are not shown. */
enum { SCHEDULER_FRAMES = 2 };

struct timehist_row {
	const struct hit *hit;
	const struct switches_task *task;
	uint64_t time;
	uint32_t chain;
	int32_t prio;                    /* when it was switched in; -1: unknown */
	char state;
};

/* The name of a task; "<idle>" for the idle task. */
const char *timehist_comm(struct timehist *t, const struct switches_task *task);

/* Print the heading, a row, and the lines between rows. 0 or -ENOMEM. */
int timehist_begin_rows(struct timehist *t);
void timehist_put(struct timehist *t, const struct timehist_row *r);
void timehist_put_wakeup(struct timehist *t, const struct hit *h, const struct switches_task *by,
			 const struct switches_task *woken);
void timehist_put_move(struct timehist *t, const struct hit *h, const struct switches_task *by,
		       const struct switches_task *moved);
void timehist_put_loss(struct timehist *t, uint32_t cpu, uint64_t n);

/* Print a call chain on one line, without the scheduler's own functions. */
void timehist_put_chain(struct timehist *t, uint32_t chain);

/* Write "name[tid/pid]" to buf; only the tid if they are the same, only the name for the idle task. */
enum { TIMEHIST_NAME = 64 };
const char *timehist_name(struct timehist *t, const struct switches_task *task, char buf[TIMEHIST_NAME]);

/* Prints the totals of each task. 0 or -ENOMEM. */
int timehist_sum(struct timehist *t);

#endif
