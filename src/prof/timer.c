/* timer.c - periods of a timer in the kernel, and which of them are printed. */
#include "prof/timer.h"

#include "engine/line.h"

#define NS_PER_S UINT64_C(1000000000)

int timer_add(struct prof *p, uint64_t period_ns, struct err *e)
{
	char text[64];
	int r;

	if (period_ns < TIMER_LEAST_NS)
		return err_set(e, EINVAL, "a period of %llu ns: the kernel's timer takes no less than 10 us",
			       (unsigned long long)period_ns);
	snprintf(text, sizeof(text), "cpu-clock/period=%llu/", (unsigned long long)period_ns);
	r = specs_add_event(&p->specs, text, e);
	if (!r)
		p->specs.v.v[p->specs.v.n - 1].alias = p->kind->cmd.name;
	return r;
}

int timer_check(const struct prof *p, enum timer_events need, struct err *e)
{
	const struct target_want *t = &prof_want(p)->target;

	if (need == TIMER_WITH_EVENTS && p->specs.v.n < 2) {
		err_set(e, EINVAL, "%s needs events to count: -e", p->kind->cmd.name);
		return err_hint(e, "sonde prof %s --help has examples", p->kind->cmd.name);
	}
	if (need == TIMER_ALONE && p->specs.v.n > 1)
		return err_set(e, EINVAL, "%s looks at its timer alone: hrtimer takes events (-e)",
			       p->kind->cmd.name);
	if (t->pids || t->tids) {
		err_set(e, EINVAL, "%s looks at CPUs (-C): the timer of a task stands while it does not run",
			p->kind->cmd.name);
		return err_hint(e, "sonde prof stat counts events of tasks");
	}
	return 0;
}

int timer_period(const struct timer_want *w, uint64_t *period_ns, struct err *e)
{
	*period_ns = 0;
	if (w->period && w->freq)
		return err_set(e, EINVAL, "-F and --period: choose one of them");
	if (w->freq > NS_PER_S)
		return err_set(e, EINVAL, "-F %llu: more than one in a ns", (unsigned long long)w->freq);
	if (w->freq)
		*period_ns = NS_PER_S / w->freq;
	if (w->period && (!line_read_time(w->period, period_ns) || !*period_ns))
		return err_set(e, EINVAL, "--period %s: it is no time; 50ms and 100us are", w->period);
	return 0;
}

/* --- */

/* Compile an expression with "period" and the events by name as variables. */
static int compile(struct timer *t, struct prof *p, const char *text, struct err *e)
{
	size_t n = p->feed.taps.n;
	const char **names = arena_alloc(&p->feed.arena, (n + 1) * sizeof(const char *));

	if (!names)
		return err_nomem(e);
	for (size_t i = 0; i < n; i++)
		names[i] = i ? p->feed.taps.v[i].name : "period";
	if (!expr_compile_names(&t->expr, names, n, &p->feed.arena, text, e))
		return 0;
	return err_hint(e, "the names are period and those of the events, or their alias=");
}

int timer_begin(struct prof *p, const char *expr, struct err *e)
{
	struct timer *t = p->own;
	int r = counts_open(&t->counts, &p->feed, e);

	if (!r && expr)
		r = compile(t, p, expr, e);
	return r ? r : prof_stacks_open(&t->stacks, p, e);
}

static bool is_chosen(struct timer *t, struct prof *p, const struct hit *h)
{
	if (!t->expr)
		return t->counts.now[0] > t->than;
	p->feed.expr.values = t->counts.now;
	return expr_number(&p->feed.expr, t->expr, h, 0);
}

/* The line of a hit without its counts. */
static void put_line(const struct timer *t, struct prof *p, const struct hit *h, struct out *o)
{
	char time[LINE_TIME];

	line_place(&p->feed, h, o);
	if (t->expr)
		out_printf(o, "cpu-clock %llu ns\n", (unsigned long long)t->counts.now[0]);
	else
		out_printf(o, "%s%s\n", line_time(time, t->counts.now[0]), t->what);
	for (uint32_t i = 1; i < t->counts.n; i++)
		out_printf(o, "    %s %llu\n", p->feed.taps.v[i].name, (unsigned long long)t->counts.now[i]);
}

int timer_lost(struct prof *p, uint32_t cpu UNUSED)
{
	struct timer *t = p->own;

	counts_lost(&t->counts);
	return 0;
}

int timer_hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct timer *t = p->own;
	uint32_t stack;
	int r = h->tap->index ? 0 : counts_take(&t->counts, &p->feed, h);

	if (r <= 0)
		return r;
	t->looked++;
	t->longest = MAX(t->longest, t->counts.now[0]);
	if (!is_chosen(t, p, h))
		return 0;
	t->shown++;
	stack = callers_of(&t->stacks.callers, h);
	if (stack == CALLTREE_NONE)
		return -ENOMEM;
	if (t->stacks.flame)
		return prof_stacks_draw(&t->stacks, p, stack, h->tid, 1);
	put_line(t, p, h, p->feed.expr.out);
	if (stack)
		callers_put(&t->stacks.callers, stack, p->feed.expr.out);
	return 0;
}

int timer_show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct timer *t = p->own;
	char line[120], time[LINE_TIME];

	if (last && !prof_want(p)->form.quiet) {
		snprintf(line, sizeof(line), "%llu periods, %llu shown; the longest was %s",
			 (unsigned long long)t->looked, (unsigned long long)t->shown, line_time(time, t->longest));
		p->how->note(p->how->arg, line);
	}
	if (last)
		prof_count(p, o, counts_silent(&t->counts, &p->feed, 3 * t->period_ns), COUNTS_SILENT);
	return prof_stacks_show(&t->stacks, p, last, e);
}

void timer_close(struct prof *p)
{
	struct timer *t = p->own;

	prof_stacks_close(&t->stacks);
	counts_close(&t->counts);
}
