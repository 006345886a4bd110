/* timehist_text.c - print the lines of timehist, with perf's columns; or as JSON and CSV. */
#include "sched/timehist.h"

#include "base/digits.h"

enum { PRIO = 8 };   /* "120->100" */

static const char dashes[] = "---------------------------------------------------------------------------------------"
			     "----------------------------------------------------------------------------";

static void put_dashes(struct out *o, unsigned n)
{
	out_bytes(o, dashes, MIN(n, (unsigned)sizeof(dashes) - 1));
}

const char *timehist_comm(struct timehist *t, const struct switches_task *task)
{
	if (!task->tid)
		return "<idle>";
	return task->name ? names_str(&t->names, task->name - 1) : feed_comm(&t->prof->feed, task->tid);
}

const char *timehist_name(struct timehist *t, const struct switches_task *task, char buf[TIMEHIST_NAME])
{
	const char *comm = timehist_comm(t, task);
	int n;

	if (!task->tid)
		n = snprintf(buf, TIMEHIST_NAME, "%s", comm);
	else if (task->pid != task->tid && task->pid != UINT32_MAX)
		n = snprintf(buf, TIMEHIST_NAME, "%s[%u/%u]", comm, task->tid, task->pid);
	else
		n = snprintf(buf, TIMEHIST_NAME, "%s[%u]", comm, task->tid);
	t->width = MAX(t->width, (unsigned)MIN(n, TIMEHIST_NAME - 1));
	return buf;
}

static void put_task(struct timehist *t, const struct switches_task *task, const char *comm)
{
	struct out *o = t->out;
	uint64_t from = o->total;

	out_str(o, comm);
	if (task->tid) {
		out_char(o, '[');
		out_u64(o, task->tid);
		if (task->pid != task->tid && task->pid != UINT32_MAX) {
			out_char(o, '/');
			out_u64(o, task->pid);
		}
		out_char(o, ']');
	}
	from = o->total - from;
	t->width = MAX(t->width, (unsigned)MIN(from, (uint64_t)TIMEHIST_NAME - 1));
	out_fill(o, ' ', t->width - MIN(from, (uint64_t)t->width));
}

/* The task's label, cached. NULL: it is too long for the cache. */
static const struct timehist_label *label_of(struct timehist *t, const struct switches_task *task, const char *comm)
{
	struct timehist_label *l = &t->labels[task->tid % TIMEHIST_LABELS];
	size_t n = strlen(comm);

	if (l->n && l->tid == task->tid && l->pid == task->pid && l->comm_n == n && !memcmp(l->text + 1, comm, n))
		return l;
	l->n = 0;
	if (n + sizeof("[4294967295/4294967295]") > TIMEHIST_NAME)
		return NULL;
	*l = (struct timehist_label){ .tid = task->tid, .pid = task->pid, .comm_n = (uint8_t)n };
	memset(l->text, ' ', sizeof(l->text));
	timehist_name(t, task, l->text + 1);
	l->n = (uint8_t)strlen(l->text + 1);
	l->text[1 + l->n] = ' ';
	return l;
}

static_assert(1 + TIMEHIST_NAME + 1 <= TIMEHIST_LABEL, "a name of any width is in its label, with a blank behind it");

/* NULL: an event in the idle task's context; perf prints "swapper" there, but "<idle>" when it leaves a CPU. */
static void put_name(struct timehist *t, const struct switches_task *task)
{
	const char *comm = task ? timehist_comm(t, task) : "";
	const struct timehist_label *l = task ? label_of(t, task, comm) : NULL;

	if (l) {
		out_bytes(t->out, l->text, 1 + MAX(l->n, t->width) + 1);
		return;
	}
	out_char(t->out, ' ');
	if (task)
		put_task(t, task, comm);
	else
		out_left(t->out, "swapper", t->width);
	out_char(t->out, ' ');
}

/* --- heading --- */

static void put_heads(struct timehist *t)
{
	static const char digits[] = "0123456789abcdef";
	struct out *o = t->out;

	out_printf(o, "%15s %6s ", "time", "cpu");
	if (t->show->visual) {
		out_char(o, ' ');
		for (uint32_t i = 0; i <= t->cpus; i++)
			out_char(o, digits[i % 16]);
		out_char(o, ' ');
	}
	out_char(o, ' ');
	out_left(o, "task name", t->width);
	if (t->show->prio)
		out_printf(o, "  %-8s", "prio");
	out_printf(o, "  %9s  %9s  %9s", "wait time", "sch delay", "run time");
	if (t->show->pre_migrations)
		out_printf(o, "  %9s", "pre-mig time");
	if (t->show->state)
		out_str(o, "  state");
	out_char(o, '\n');
}

static void put_units(struct timehist *t)
{
	struct out *o = t->out;

	out_printf(o, "%15s %-6s ", "", "");
	if (t->show->visual)
		out_fill(o, ' ', t->cpus + 3);
	out_char(o, ' ');
	out_left(o, "[tid/pid]", t->width);
	if (t->show->prio)
		out_fill(o, ' ', PRIO + 2);
	out_printf(o, "  %9s  %9s  %9s", "(msec)", "(msec)", "(msec)");
	if (t->show->pre_migrations)
		out_printf(o, "  %9s", "(msec)");
	out_char(o, '\n');
}

static void put_line(struct timehist *t)
{
	struct out *o = t->out;

	put_dashes(o, 15);
	out_char(o, ' ');
	put_dashes(o, 6);
	out_char(o, ' ');
	if (t->show->visual) {
		out_char(o, ' ');
		put_dashes(o, t->cpus + 1);
		out_char(o, ' ');
	}
	out_char(o, ' ');
	put_dashes(o, t->width);
	if (t->show->prio) {
		out_str(o, "  ");
		put_dashes(o, PRIO);
	}
	for (unsigned i = 0; i < 3u + t->show->pre_migrations; i++) {
		out_str(o, "  ");
		put_dashes(o, 9);
	}
	if (t->show->state)
		out_str(o, "  -----");
	out_char(o, '\n');
}

static const struct table_col cols[] = {
	{ "time", NULL, TABLE_RIGHT, 0 }, { "cpu", NULL, TABLE_RIGHT, 0 }, { "comm", NULL, TABLE_LEFT, 0 },
	{ "tid", NULL, TABLE_RIGHT, 0 }, { "pid", NULL, TABLE_RIGHT, 0 }, { "wait_ms", NULL, TABLE_RIGHT, 0 },
	{ "delay_ms", NULL, TABLE_RIGHT, 0 }, { "run_ms", NULL, TABLE_RIGHT, 0 },
	{ "pre_migration_ms", NULL, TABLE_RIGHT, 0 }, { "prio", NULL, TABLE_RIGHT, 0 },
	{ "state", NULL, TABLE_LEFT, 0 }, { "next_comm", NULL, TABLE_LEFT, 0 }, { "next_tid", NULL, TABLE_RIGHT, 0 },
};

int timehist_begin_rows(struct timehist *t)
{
	t->form = prof_table(t->prof);
	if (t->form.form != TABLE_TEXT) {
		t->table = table_new_stream(cols, ARRAY_SIZE(cols), &t->form, t->out);
		return t->table ? 0 : -ENOMEM;
	}
	put_heads(t);
	put_units(t);
	put_line(t);
	return 0;
}

/* --- rows --- */

static void put_cpu(struct out *o, uint32_t cpu)
{
	char text[] = " [0000] ";

	memcpy(text + 2, digit_pairs + cpu / 100 % 100 * 2, 2);
	memcpy(text + 4, digit_pairs + cpu % 100 * 2, 2);
	out_bytes(o, text, sizeof(text) - 1);
}

static_assert(CPUS_MAX <= 10000, "a CPU has four digits");

static void put_place(struct timehist *t, uint64_t time, uint32_t cpu)
{
	view_time(t->out, time, 15);
	if (cpu < CPUS_MAX) {
		put_cpu(t->out, cpu);
	} else {
		out_str(t->out, " [");
		out_zero(t->out, cpu, 4);
		out_str(t->out, "] ");
	}
}

/* -V: one column per CPU, with a mark in that of this CPU. */
static void put_visual(struct timehist *t, uint32_t cpu, char mark)
{
	if (!t->show->visual)
		return;
	out_char(t->out, ' ');
	for (uint32_t i = 0; i <= t->cpus; i++)
		out_char(t->out, i == cpu ? mark : ' ');
	out_char(t->out, ' ');
}

static struct sv next_comm(const struct hit *h)
{
	const struct tfield *f = h->event->field[SWITCH_NEXT_COMM];

	return f ? tfmt_str(f, h->raw.p, h->raw.n) : SV("");
}

static void put_next(struct timehist *t, const struct hit *h)
{
	struct sv comm = next_comm(h);
	char text[30];

	snprintf(text, sizeof(text), "next: %.*s[%d]", (int)comm.n, comm.s, (int)hit_field(h, SWITCH_NEXT_PID));
	out_char(t->out, ' ');
	out_left(t->out, text, t->width);
}

static void put_prio(struct timehist *t, const struct timehist_row *r)
{
	int prio = (int)hit_field(r->hit, SWITCH_PREV_PRIO);
	char text[32];

	if (r->prio != prio && r->prio != -1)
		snprintf(text, sizeof(text), "%d->%d", (int)r->prio, prio);
	else
		snprintf(text, sizeof(text), "%d", prio);
	out_char(t->out, ' ');
	out_left(t->out, text, PRIO);
	out_char(t->out, ' ');
}

static bool is_scheduler(const struct hist_frame *f)
{
	return f->sym && (!strcmp(f->sym, "schedule") || !strcmp(f->sym, "__schedule") ||
			  !strcmp(f->sym, "preempt_schedule"));
}

void timehist_put_chain(struct timehist *t, uint32_t chain)
{
	callers_put_arrows(&t->callers, chain, t->show->max_stack + SCHEDULER_FRAMES, is_scheduler, t->out);
}

static void put_cells(struct timehist *t, const struct timehist_row *r)
{
	const struct switches_times *now = &r->task->now;
	struct table *to = t->table;
	char state[] = { r->task->tid ? r->state : 'I', '\0' };

	table_fixed(to, (double)r->time / 1e9, 9);
	table_u64(to, r->hit->cpu);
	table_str(to, timehist_comm(t, r->task));
	table_u64(to, r->task->tid);
	if (r->task->pid == UINT32_MAX)
		table_none(to);
	else
		table_u64(to, r->task->pid);
	table_fixed(to, (double)(now->sleep + now->iowait + now->preempt) / 1e6, 6);
	table_fixed(to, (double)now->delay / 1e6, 6);
	table_fixed(to, (double)now->run / 1e6, 6);
	table_fixed(to, (double)now->pre_move / 1e6, 6);
	table_i64(to, (int64_t)hit_field(r->hit, SWITCH_PREV_PRIO));
	table_str(to, state);
	table_sv(to, next_comm(r->hit));
	table_i64(to, (int32_t)hit_field(r->hit, SWITCH_NEXT_PID));
}

static void put_times(struct timehist *t, const struct switches_times *now)
{
	view_ms(t->out, now->sleep + now->iowait + now->preempt, 6);
	view_ms(t->out, now->delay, 6);
	view_ms(t->out, now->run, 6);
	if (t->show->pre_migrations)
		view_ms(t->out, now->pre_move, 6);
}

void timehist_put(struct timehist *t, const struct timehist_row *r)
{
	struct out *o = t->out;
	uint32_t tid = r->task->tid;

	if (t->table) {
		put_cells(t, r);
		return;
	}
	put_place(t, r->time, r->hit->cpu);
	put_visual(t, r->hit->cpu, tid ? 's' : 'i');
	put_name(t, r->task);
	if (t->show->prio)
		put_prio(t, r);
	put_times(t, &r->task->now);
	if (t->show->state)
		out_printf(o, " %5c ", tid ? r->state : 'I');
	if (t->show->next)
		put_next(t, r->hit);
	else if (t->show->wakeups)
		out_fill(o, ' ', t->width + 2);
	if (tid && t->chains && r->chain) {
		out_str(o, "   ");
		timehist_put_chain(t, r->chain);
	}
	out_char(o, '\n');
}

/* Begin the line of an event: blanks in place of the times. */
static void put_event(struct timehist *t, const struct hit *h, const struct switches_task *by, char mark)
{
	put_place(t, h->time, h->cpu);
	put_visual(t, h->cpu, mark);
	put_name(t, by);
	out_printf(t->out, "  %9s  %9s  %9s ", "", "", "");
}

void timehist_put_wakeup(struct timehist *t, const struct hit *h, const struct switches_task *by,
			 const struct switches_task *woken)
{
	char buf[TIMEHIST_NAME];

	if (t->table)
		return;
	put_event(t, h, by, ' ');
	out_printf(t->out, "awakened: %s\n", timehist_name(t, woken, buf));
}

void timehist_put_move(struct timehist *t, const struct hit *h, const struct switches_task *by,
		       const struct switches_task *moved)
{
	char buf[TIMEHIST_NAME];

	if (t->table)
		return;
	put_event(t, h, by, 'm');
	out_printf(t->out, "migrated: %s cpu %d => %d\n", timehist_name(t, moved, buf),
		   (int)sched_value(h, t->fields.move_from), (int)sched_value(h, t->fields.move_to));
}

void timehist_put_loss(struct timehist *t, uint32_t cpu, uint64_t n)
{
	if (t->table)
		return;
	view_time(t->out, t->prof->feed.item.sample.time, 15);
	out_printf(t->out, " lost %llu events", (unsigned long long)n);
	if (cpu != UINT32_MAX)
		out_printf(t->out, " on cpu %u", cpu);
	out_char(t->out, '\n');
}
