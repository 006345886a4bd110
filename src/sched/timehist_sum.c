/* timehist_sum.c - the summary: totals of each task and each CPU. */
#include "sched/timehist.h"

static void put_run(struct timehist *t, const struct switches_task *task)
{
	const struct stats *s = &task->runs;
	struct out *o = t->out;

	view_ms(o, task->sum.run, 8);
	view_ms(o, (uint64_t)s->min, 6);
	out_char(o, ' ');
	view_ms(o, (uint64_t)s->mean, 6);
	out_char(o, ' ');
	view_ms(o, (uint64_t)s->max, 6);
	out_str(o, "  ");
	out_fixed(o, stats_percent(s), 5, 2);
	out_str(o, "   ");
	out_u64w(o, task->migrations, 5);
}

static void put_wait(struct timehist *t, const struct switches_task *task)
{
	const uint64_t v[] = { task->sum.sleep, task->sum.iowait, task->sum.preempt, task->sum.delay };
	struct out *o = t->out;

	view_ms(o, task->sum.run, 8);
	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		if (i)
			out_char(o, ' ');
		view_ms(o, v[i], 6);
	}
}

static void put_task(struct timehist *t, const struct switches_task *task)
{
	char buf[TIMEHIST_NAME];

	out_right(t->out, timehist_name(t, task, buf), t->width);
	out_printf(t->out, "   %5d  %9llu ", (int)task->parent, (unsigned long long)task->runs.n);
	if (t->show->state)
		put_wait(t, task);
	else
		put_run(t, task);
	out_char(t->out, '\n');
}

static void put_heads(struct timehist *t)
{
	const char *title = t->show->idle ? "Idle-time" : t->show->state ? "Wait-time" : "Runtime";
	struct out *o = t->out;

	out_printf(o, "\n%s summary\n", title);
	out_right(o, "comm", t->width);
	out_printf(o, "  parent  %s  ", t->show->idle ? "sched-out" : " sched-in");
	out_str(o, t->show->idle  ? "  idle-time   min-idle    avg-idle    max-idle  stddev  migrations\n" :
		   t->show->state ? "   run-time      sleep      iowait     preempt       delay\n" :
				    "   run-time    min-run     avg-run     max-run  stddev  migrations\n");
	out_fill(o, ' ', t->width);
	out_printf(o, "            (count)       (msec)     (msec)      (msec)      (msec)       %s\n",
		   t->show->state && !t->show->idle ? "(msec)" : "%");
	out_fill(o, '-', 117);
	out_char(o, '\n');
}

struct sorted {
	const struct switches_task *task;
};

/* Longest run time first; ended tasks last. */
static int by_run(const void *a, const void *b)
{
	const struct switches_task *x = ((const struct sorted *)a)->task, *y = ((const struct sorted *)b)->task;

	if (x->ended != y->ended)
		return x->ended ? 1 : -1;
	if (x->sum.run != y->sum.run)
		return x->sum.run < y->sum.run ? 1 : -1;
	return x->tid < y->tid ? -1 : x->tid > y->tid ? 1 : x < y ? -1 : x > y;
}

/* The tasks that ran, sorted. NULL: no memory. */
static struct sorted *sort(const struct timehist *t, size_t *n)
{
	const struct switches *s = &t->switches;
	struct sorted *v = calloc(s->v.n + 1, sizeof(*v));

	*n = 0;
	for (size_t i = 0; v && i < s->v.n; i++)
		if (s->v.v[i].runs.n)
			v[(*n)++].task = &s->v.v[i];
	if (v)
		qsort(v, *n, sizeof(*v), by_run);
	return v;
}

struct totals {
	uint64_t tasks, switches, run;
};

static void put_tasks(struct timehist *t, const struct sorted *v, size_t n, struct totals *sum)
{
	bool ended = false;

	if (!n || v[0].task->ended)
		out_str(t->out, "<no still running tasks>\n");
	for (size_t i = 0; i < n; i++) {
		if (v[i].task->ended && !ended)
			out_str(t->out, "\nTerminated tasks:\n");
		ended = v[i].task->ended;
		put_task(t, v[i].task);
		sum->tasks++;
		sum->switches += v[i].task->runs.n;
		sum->run += v[i].task->sum.run;
	}
}

/* Without a switch from the idle task, the CPU was never idle, or all the time. */
static void put_idle(struct timehist *t, uint32_t cpu, uint64_t time, struct totals *sum)
{
	const struct switches *s = &t->switches;
	const struct switches_cpu *c = cpu < s->cpus.n ? &s->cpus.v[cpu] : NULL;

	if (c && c->idle.runs.n) {
		sum->switches += c->idle.runs.n;
		out_printf(t->out, "    CPU %2u idle for ", cpu);
		view_ms(t->out, c->idle.sum.run, 6);
		out_str(t->out, " msec  (");
		out_fixed(t->out, time ? 100 * (double)c->idle.sum.run / (double)time : 0, 6, 2);
		out_str(t->out, "%)\n");
	} else {
		out_printf(t->out, "    CPU %2u %s\n", cpu, c && c->n ? "never idle" : "idle entire time window");
	}
}

static void put_cpus(struct timehist *t, uint64_t time, struct totals *sum)
{
	uint32_t n = MAX(t->cpus, (uint32_t)t->switches.cpus.n);

	out_str(t->out, "\nIdle stats:\n");
	for (uint32_t i = 0; i < n; i++)
		if (!t->switches.want.cpus || cpus_has(t->switches.want.cpus, i))
			put_idle(t, i, time, sum);
}

static int by_time(const void *a, const void *b)
{
	const struct timehist_idle *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->ns < y->ns ? 1 : x->ns > y->ns ? -1 : x->chain < y->chain ? -1 : x->chain > y->chain;
}

static void put_chains_of(struct timehist *t, uint32_t cpu, const struct switches_cpu *c)
{
	struct out *o = t->out;

	out_printf(o, "  CPU %2u:", cpu);
	view_ms(o, c->idle.sum.run, 6);
	out_printf(o, " msec\n  %16s  %8s  %s\n", "Idle time (msec)", "Count", "Callchains");
	out_str(o, "  ----------------  --------  --------------------------------------------------\n");
	for (size_t i = 0; i < t->idle.n; i++) {
		const struct timehist_idle *d = &t->idle.v[i];

		if (d->cpu != cpu)
			continue;
		out_str(o, "  ");
		view_ms(o, d->ns, 12);
		out_printf(o, " %8llu  ", (unsigned long long)d->n);
		timehist_put_chain(t, d->chain);
		out_char(o, '\n');
	}
	out_char(o, '\n');
}

static void put_chains(struct timehist *t)
{
	if (t->idle.n)
		qsort(t->idle.v, t->idle.n, sizeof(*t->idle.v), by_time);
	out_str(t->out, "\nIdle stats by callchain:\n");
	for (uint32_t i = 0; i < t->switches.cpus.n; i++)
		put_chains_of(t, i, &t->switches.cpus.v[i]);
}

static void put_totals(struct timehist *t, const struct totals *sum, uint64_t time)
{
	struct out *o = t->out;

	out_printf(o, "\n    Total number of unique tasks: %llu\nTotal number of context switches: %llu\n",
		   (unsigned long long)sum->tasks, (unsigned long long)sum->switches);
	out_str(o, "           Total run time (msec): ");
	view_ms(o, sum->run, 2);
	out_str(o, "\n    Total scheduling time (msec): ");
	view_ms(o, time, 2);
	out_printf(o, " (x %u)\n", t->cpus);
}

static void put_text(struct timehist *t, const struct sorted *v, size_t n)
{
	uint64_t time = t->switches.last - MIN(t->switches.first, t->switches.last);
	struct totals sum = { 0 };

	put_heads(t);
	put_tasks(t, v, n, &sum);
	/* As in perf: if tasks are left out, idle times and totals would not add up. */
	if (t->skipped && !t->show->idle)
		return;
	put_cpus(t, time, &sum);
	if (t->show->idle && t->chains)
		put_chains(t);
	put_totals(t, &sum, time);
}

static void put_cells(struct timehist *t, struct table *to, const struct switches_task *task)
{
	const uint64_t times[] = { task->sum.run, task->sum.sleep, task->sum.iowait, task->sum.preempt, task->sum.delay,
				   (uint64_t)task->runs.min, (uint64_t)task->runs.mean, (uint64_t)task->runs.max };

	table_str(to, timehist_comm(t, task));
	table_u64(to, task->tid);
	if (task->pid == UINT32_MAX)
		table_none(to);
	else
		table_u64(to, task->pid);
	if (task->parent == UINT32_MAX)
		table_none(to);
	else
		table_u64(to, task->parent);
	table_str(to, task->ended ? "yes" : "no");
	table_u64(to, task->runs.n);
	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		table_fixed(to, (double)times[i] / 1e6, 6);
	table_u64(to, task->migrations);
}

static int put_table(struct timehist *t, const struct sorted *v, size_t n)
{
	static const struct table_col cols[] = {
		{ "comm", NULL, TABLE_LEFT, 0 }, { "tid", NULL, TABLE_RIGHT, 0 }, { "pid", NULL, TABLE_RIGHT, 0 },
		{ "parent", NULL, TABLE_RIGHT, 0 }, { "ended", NULL, TABLE_LEFT, 0 },
		{ "sched_in", NULL, TABLE_RIGHT, 0 }, { "run_ms", NULL, TABLE_RIGHT, 0 },
		{ "sleep_ms", NULL, TABLE_RIGHT, 0 }, { "iowait_ms", NULL, TABLE_RIGHT, 0 },
		{ "preempt_ms", NULL, TABLE_RIGHT, 0 }, { "delay_ms", NULL, TABLE_RIGHT, 0 },
		{ "min_run_ms", NULL, TABLE_RIGHT, 0 }, { "avg_run_ms", NULL, TABLE_RIGHT, 0 },
		{ "max_run_ms", NULL, TABLE_RIGHT, 0 }, { "migrations", NULL, TABLE_RIGHT, 0 },
	};
	struct table_want form = prof_table(t->prof);
	struct table *to = table_new(cols, ARRAY_SIZE(cols));
	int r;

	for (size_t i = 0; to && i < n; i++)
		put_cells(t, to, v[i].task);
	r = to ? table_print(to, &form, t->out) : -ENOMEM;
	table_free(to);
	return r;
}

int timehist_sum(struct timehist *t)
{
	size_t n;
	struct sorted *v = sort(t, &n);
	int r = v ? 0 : -ENOMEM;

	if (v && prof_table(t->prof).form != TABLE_TEXT)
		r = put_table(t, v, n);
	else if (v)
		put_text(t, v, n);
	free(v);
	return r;
}
