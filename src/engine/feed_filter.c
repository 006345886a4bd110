/* feed_filter.c - filters by the interrupted task: a program for samples, a rule for tracepoints, or an error. */
#include "engine/feed_parts.h"

#include "sys/bpf.h"

/* TRACE_FLAG_* (include/linux/trace_events.h), which every record of a tracepoint has. */
enum { FLAG_IRQS_OFF = 1, FLAG_NEED_RESCHED = 4 };

enum { HERE = SIFT_NOT_PID };          /* evaluated here, since a sample has the pid */

/* Events with a priority: of the task that is switched out, else of the task that the event is about. */
static const struct { const char *event, *field; } prio_fields[] = {
	{ "sched:sched_switch", "prev_prio" },
	{ "sched:sched_waking", "prio" }, { "sched:sched_wakeup", "prio" }, { "sched:sched_wakeup_new", "prio" },
	{ "sched:sched_migrate_task", "prio" }, { "sched:sched_process_free", "prio" },
	{ "sched:sched_process_exit", "prio" }, { "sched:sched_process_wait", "prio" },
};

static const char *prio_field(const char *label)
{
	for (size_t i = 0; i < ARRAY_SIZE(prio_fields); i++)
		if (!strcmp(label, prio_fields[i].event))
			return prio_fields[i].field;
	return NULL;
}

/* The option for which the event has no field; NULL: it has fields for all. */
static const char *untold(unsigned asked, const char *label)
{
	if (asked & SIFT_POLICY)
		return "--sched_policy";
	if (asked & (SIFT_LEAST_RUN | SIFT_MOST_RUN))
		return "--nr_running_min, --nr_running_max";
	return asked & SIFT_PRIO && !prio_field(label) ? "--prio" : NULL;
}

static void put_flag(struct out *o, unsigned flag, bool set)
{
	out_printf(o, set ? " && (common_flags & %u)" : " && !(common_flags & %u)", flag);
}

static void put_prios(struct out *o, const char *field, const struct cpus *c)
{
	const char *between = " && (";

	for (int from = cpus_next(c, 0); from >= 0; between = " || ") {
		int to = from;

		while (cpus_has(c, (unsigned)to + 1))
			to++;
		out_printf(o, "%s(%s >= %d && %s <= %d)", between, field, from, field, to);
		from = cpus_next(c, (unsigned)to + 1);
	}
	out_char(o, ')');
}

int feed_filter_rule(struct feed *f, struct tap *t, struct err *e)
{
	const struct sift_want *w = f->want->filter;
	const char *what = w ? untold(w->asked, t->label) : NULL, *text;
	struct mem_out m;
	int r = 0;

	if (!w || !(w->asked & ~(unsigned)HERE))
		return 0;
	if (what) {
		err_set(e, EINVAL, "%s: no field of %s tells it", what, t->label);
		return err_hint(e, "a program on a tracepoint would drop the event for everybody; events of PMUs and "
				   "timers have their own: sonde prof profile, hrtimer");
	}
	mem_out_init(&m);
	if (*t->spec->filter)
		out_printf(&m.out, " && (%s)", t->spec->filter);
	if (w->asked & SIFT_IRQS)
		put_flag(&m.out, FLAG_IRQS_OFF, w->irqs_off);
	if (w->asked & SIFT_RESCHED)
		put_flag(&m.out, FLAG_NEED_RESCHED, w->resched);
	if (w->asked & SIFT_PRIO)
		put_prios(&m.out, prio_field(t->label), &w->prios);
	text = mem_out_str(&m);
	t->rule = arena_dup(&f->arena, text + 4, m.n - 4);
	if (!t->rule)
		r = err_nomem(e);
	mem_out_deinit(&m);
	return r;
}

int feed_filter_recorded(const struct feed *f, const struct tap *t, struct err *e)
{
	const struct sift_want *w = f->want->filter;

	if (!w || !(w->asked & ~(unsigned)HERE))
		return 0;
	return err_set(e, EINVAL, "%s: no recording tells what its samples interrupted: --exclude_pid alone", t->label);
}

bool feed_filter_is_out(const struct feed *f, const struct tap *t, uint32_t pid)
{
	const struct sift_want *w = f->want->filter;

	return w && w->asked & SIFT_NOT_PID && pid == w->not_pid && (t->event || !f->live.filtered);
}

/* --- programs --- */

static bool is_sampled(const struct feed *f, size_t i)
{
	return (int)i != f->live.tracker && !f->live.events.v.v[i].tp_system && (!f->want->grouped || !i);
}

/* Add a note if --irqs_disabled cannot work: timer interrupts do not occur while interrupts are off. */
static void tell_blind(struct feed *f, const struct event *ev)
{
	const struct sift_want *w = f->want->filter;
	struct err *note;

	if (!(w->asked & SIFT_IRQS) || !w->irqs_off || (ev->attr.type != PERF_SOFTWARE && sift_sees_masked(f->sys)))
		return;
	note = vec_add(&f->notes);
	if (note)
		err_set(note, ENODATA,
			"%s: its own interrupt waits while interrupts are off: --irqs_disabled will find nothing "
			"(irq-off and trace find such code)", ev->name);
}

static int open_filter(struct feed *f, struct err *e)
{
	const struct sift_want *w = f->want->filter;
	struct feed_live *l = &f->live;
	int r = sift_open(&l->filter, w, f->sys, &bpf_making, e);
	struct err *note = r == -ENOMEM ? NULL : vec_add(&f->notes);

	l->filtered = !r;
	if (!note)
		return r ? r : err_nomem(e);
	if (!r)
		err_set(note, 1, "decided in the kernel: bpf, %u instructions", l->filter.n_insns);
	else if (!(w->asked & ~(unsigned)HERE))
		err_set(note, 1, "decided here: %s", e->text);
	return w->asked & ~(unsigned)HERE ? r : 0;
}

static int attach(struct feed *f, size_t i, struct err *e)
{
	const struct event *ev = &f->live.events.v.v[i];
	int r = 0;

	/* arm64 steps over a breakpoint unless it has a custom handler: until 6.6 a BPF program counted as one. */
	if (ev->attr.type == PERF_BREAKPOINT)
		return err_set(e, EINVAL, "%s: a breakpoint takes no filter of what was interrupted", ev->name);
	tell_blind(f, ev);
	for (size_t k = 0; !r && k < f->live.rec.fds.n; k++)
		if (f->live.rec.fds.v[k].event == i)
			r = sift_attach(&f->live.filter, f->live.rec.fds.v[k].fd, e);
	return r ? err_wrap(e, "%s", ev->name) : 0;
}

int feed_filter_attach(struct feed *f, struct err *e)
{
	int r = 0;

	for (size_t i = 0; f->want->filter && !r && i < f->live.events.v.n; i++) {
		if (!is_sampled(f, i))
			continue;
		r = f->live.filtered ? 0 : open_filter(f, e);
		if (!r && f->live.filtered)
			r = attach(f, i, e);
	}
	return r;
}
