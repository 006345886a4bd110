/* tallied.c - set up BPF programs for taps. */
#include "engine/tallied.h"

#include "sys/bpf.h"

static int no(struct err *why, const char *what)
{
	return err_set(why, EOPNOTSUPP, "%s", what);
}

/* A program can only take chains by frame records, not copies of stacks. */
static int check_chains(const struct feed *f, const struct tally_event *asks, struct err *why)
{
	const struct callgraph *c = &f->want->chains;

	if (!c->on)
		return 0;
	if (!f->taps.n || !asks[0].is_by_stack)
		return no(why, "stacks are wanted");
	return c->stack || c->lr ? no(why, "a program follows frame records alone") : 0;
}

static int check_feed(const struct feed *f, struct err *why)
{
	const struct feed_want *w = f->want;

	if (!feed_is_live(f))
		return no(why, "it is a recording");
	if (f->live.target.kind != f->live.meant)
		return no(why, "of tasks that are chosen later");
	if (!program_has_our_tids(f->sys))
		return no(why, "in a process namespace programs know no task by its number");
	if (f->live.target.cgroups.n || w->sides || w->filter)
		return no(why, "a part of what happens is left out");
	return 0;
}

/* Index of the tap's event; UINT32_MAX: none. */
static uint32_t event_of(const struct feed *f, const struct tap *t)
{
	for (size_t i = 0; i < f->n_of_event; i++)
		for (uint32_t at = f->of_event[i]; at; at = f->taps.v[at - 1].next)
			if (at - 1 == t->index)
				return (uint32_t)i;
	return UINT32_MAX;
}

/* The fetch arguments of a probe, from its line in kprobe_events or uprobe_events. False: it has no line there. */
static bool fetches_in(struct feed *f, const char *file, const struct tfmt *fmt, struct sv *fetches)
{
	char path[PATH_MAX], name[256];
	struct sv rest, line, word;
	char *text;
	size_t n;

	snprintf(path, sizeof(path), "%s/%s", sys_tracefs(f->sys), file);
	snprintf(name, sizeof(name), "%s/%s", fmt->system, fmt->name);
	if (sys_read_all(f->sys, path, 4 << 20, &text, &n, NULL))
		return false;
	*fetches = (struct sv){ 0 };
	rest = (struct sv){ text, n };
	while (!fetches->s && sv_cut(&rest, '\n', &line)) {
		struct sv kind;

		if (!sv_cut(&line, ' ', &word) || !sv_cut(&word, ':', &kind) || !sv_eq(word, name))
			continue;
		/* The text behind the probe's address; "" without arguments. */
		sv_cut(&line, ' ', &word);
		line.n = line.s ? line.n : 0;
		fetches->s = arena_dup(&f->arena, line.n ? line.s : "", line.n);
		fetches->n = line.n;
	}
	free(text);
	return fetches->s;
}

/*
 * For events of a task: inherited events of children share the program, and the first child that exits detaches it from
 * all. So open an event that is not inherited.
 */
static int own_event(struct feed *f, size_t i, const char *name, struct tally_event *to, struct err *why)
{
	const struct rec_fd *like = &f->live.rec.fds.v[i];
	struct perf_attr a = f->live.rec.attrs[like->event];

	a.flags &= ~(uint64_t)(PERF_ATTR_INHERIT | PERF_ATTR_ENABLE_ON_EXEC);
	to->fd = f->sys->perf_event_open(f->sys, &a, like->tid, like->cpu, -1, PERF_FLAG_CLOEXEC);
	to->owns_fd = to->fd >= 0;
	return to->owns_fd ? 0 : err_set(why, -to->fd, "%s: no event for a program: %s", name, err_name(-to->fd));
}

static int ask_probe(struct feed *f, const struct tap *t, uint32_t event, struct tally_event *to, struct err *why)
{
	const struct recording *rec = &f->live.rec;
	const struct tfmt *fmt = &t->event->fmt;

	to->is_user = !fetches_in(f, "kprobe_events", fmt, &to->fetches);
	if (to->is_user && !fetches_in(f, "uprobe_events", fmt, &to->fetches))
		return err_set(why, EOPNOTSUPP, "%s is not found among the probes", t->name);
	for (size_t i = 0; i < rec->fds.n; i++)
		if (rec->fds.v[i].event == event) {
			to->fd = rec->fds.v[i].fd;
			return f->live.target.kind == TARGET_CPUS ? 0 : own_event(f, i, t->name, to, why);
		}
	return err_set(why, EOPNOTSUPP, "%s is open nowhere", t->name);
}

/* Events that perf counts both for the current task and for the task that they are about (perf_tp_event's task). */
static bool is_of_two_tasks(const struct tap *t)
{
	static const char *const events[] = {
		"sched_waking", "sched_wakeup", "sched_wakeup_new", "sched_stat_wait", "sched_stat_sleep",
		"sched_stat_iowait", "sched_stat_blocked",
	};

	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (!strcmp(t->event->fmt.system, "sched") && !strcmp(t->event->fmt.name, events[i]))
			return true;
	return false;
}

static int check_tap(const struct feed *f, const struct tap *t, uint32_t event, struct err *why)
{
	const struct spec *s = t->spec;

	if (!t->event || event == UINT32_MAX)
		return err_set(why, EOPNOTSUPP, "%s is no tracepoint", t->label);
	if (s->stack || s->exec || s->trigger || s->untraced || s->comm)
		return err_set(why, EOPNOTSUPP, "%s: its hits are looked at one by one", t->name);
	if (f->live.target.kind != TARGET_CPUS && is_of_two_tasks(t))
		return err_set(why, EOPNOTSUPP, "%s is of two tasks, who runs and who is meant", t->name);
	return 0;
}

/* The intersection of the CPUs of target and event; NULL: all. */
static int cpus_of(struct feed *f, const struct tap *t, const struct cpus **to, struct err *why)
{
	const struct target *target = &f->live.target;
	struct cpus *c;

	*to = t->cpus;
	if (!target->cpus_chosen)
		return 0;
	c = arena_alloc(&f->arena, sizeof(*c));
	if (!c)
		return err_nomem(why);
	*c = target->cpus;
	for (size_t i = 0; t->cpus && i < ARRAY_SIZE(c->w); i++)
		c->w[i] &= t->cpus->w[i];
	*to = c;
	return 0;
}

const struct perf_event *tallied_event(const struct feed *f, uint32_t tap)
{
	uint32_t i = tap < f->taps.n ? event_of(f, &f->taps.v[tap]) : UINT32_MAX;

	return i < f->session.head->events.n ? &f->session.head->events.v[i] : NULL;
}

/* Offset of LR in the program's registers, if frame records can miss a caller; 0: they cannot. */
static uint16_t lr_of(const struct arch *a)
{
	return !a->frame ? 0 : (uint16_t)(a->probe_regs ? a->probe_regs[a->reg_lr] : 8 * a->reg_lr);
}

static int ask_tap(struct feed *f, struct tap *tap, struct tally_event *to, struct err *why)
{
	uint32_t event = event_of(f, tap);
	int r = check_tap(f, tap, event, why);

	if (!r && f->live.events.v.v[event].is_probe)
		r = ask_probe(f, tap, event, to, why);
	if (r)
		return r;
	to->event = tap->event->fmt.name;
	to->lr = to->is_by_stack ? lr_of(arch_native()) : 0;
	if (*tap->rule)
		r = feed_compile(f, &to->filter, tap, tap->rule, why);
	return r ? r : cpus_of(f, tap, &to->cpus, why);
}

/* The tasks to count; false: count by CPU. */
static bool tasks_of(const struct feed *f, struct taskset_want *to)
{
	const struct feed_live *l = &f->live;
	bool is_held = l->target.kind == TARGET_COMMAND;

	*to = (struct taskset_want){
		.sys = f->sys, .bpf = &bpf_making, .tids = is_held ? &l->loop.child.pid : l->target.tids.v,
		.n = is_held ? 1 : l->target.tids.n, .held = is_held,
		.children = l->target.inherit && !f->want->no_inherit,
	};
	return l->target.kind != TARGET_CPUS;
}

/* A probe exists only as its event, so that stays open; the program lets no hit pass. */
int tallied_alone(struct feed *f, struct err *e)
{
	size_t n = f->live.events.v.n;
	bool *drop = calloc(n, sizeof(*drop));
	int r;

	if (!drop)
		return err_nomem(e);
	for (size_t i = 0; i < n; i++)
		drop[i] = (int)i != f->live.tracker && !f->live.events.v.v[i].is_probe;
	r = recording_drop(&f->live.rec, drop, e);
	free(drop);
	return r;
}

static void close_events(const struct feed *f, const struct tally_event *asks)
{
	for (size_t i = 0; i < f->taps.n; i++)
		if (asks[i].owns_fd)
			f->sys->close(f->sys, asks[i].fd);
}

int tallied_open(struct tally *t, struct feed *f, struct tally_event *asks, struct err *why)
{
	struct taskset_want tasks;
	const struct tally_want w = {
		.sys = f->sys, .bpf = &bpf_making, .word = expr_hit_word, .events = asks, .n = (unsigned)f->taps.n,
		.tasks = tasks_of(f, &tasks) ? &tasks : NULL,
	};
	int r = check_feed(f, why);

	r = r ? r : check_chains(f, asks, why);
	for (size_t i = 0; !r && i < f->taps.n; i++)
		r = ask_tap(f, &f->taps.v[i], &asks[i], why);
	r = r || f->taps.n ? r : no(why, "there are no events");
	if (!r)
		r = tally_open(t, &w, why);
	else
		close_events(f, asks);
	if (!r)
		f->tally = t;
	return r;
}

void tallied_close(struct feed *f)
{
	if (f->tally)
		tally_close(f->tally);
	f->tally = NULL;
}
