/* prof_rundelay.c - sonde prof rundelay: how long runnable tasks waited for a CPU. */
#include "prof/own.h"
#include "prof/tasks.h"

enum { FILTER_BYTES = 1024 };

struct want {
	struct prof_want prof;
	struct latency_want latency;
	const char *filter;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Tasks"),
	OPT_STR(0, "filter", struct want, filter, "<names>", "only tasks of these names: java,pyth*"),
	OPT_SUB(latency_opts, struct want, latency),
	OPT_SUB(prof_chain_opts, struct want, prof),
	OPT_END,
};

struct rundelay {
	struct latency latency;
	struct prof *prof;
	struct prof_tasks tasks;
	const struct texpr **key;
};

static const char switches[] = "sched:sched_switch";

static bool is_switch(const struct spec *s)
{
	return !strcmp(s->event, switches);
}

static bool is_wakeup(const struct spec *s)
{
	return sv_starts(sv_from(s->event), "sched:sched_wakeup");
}

/* The first -e begins a wait, the second ends it. */
static int check(const struct spec *s, struct err *e)
{
	if (s->untraced || (is_switch(s) && s->group < 2) || (is_wakeup(s) && !s->group))
		return s->key || s->role ? err_set(e, EINVAL, "%s: rundelay has its own keys", s->event) : 0;
	err_set(e, EINVAL, "%s has no place in -e number %u of rundelay", s->event, s->group + 1);
	return err_hint(e, "-e sched:sched_wakeup*,sched:sched_switch -e sched:sched_switch; what else is to be seen "
			"is EVENT//untraced/");
}

static bool begins_some(const struct prof *p, unsigned group)
{
	for (size_t i = 0; i < p->specs.v.n; i++)
		if (p->specs.v.v[i].group == group && !p->specs.v.v[i].untraced)
			return true;
	return false;
}

/* comm~"java"||comm~"pyth*" */
static int put_names(struct out *o, const char *names, const char *field, struct err *e)
{
	struct sv rest = sv_from(names), one;
	bool first = true;

	while (sv_cut(&rest, ',', &one)) {
		if (!one.n || memchr(one.s, '"', one.n))
			return err_set(e, EINVAL, "--filter %s: names of tasks with commas, with * and ?", names);
		out_printf(o, "%s%s~\"%.*s\"", first ? "" : "||", field, (int)one.n, one.s);
		first = false;
	}
	return 0;
}

static int add_names(struct prof *p, struct spec *s, const char *comm, struct err *e)
{
	const struct want *w = p->want;
	struct mem_out m;
	int r;

	if (!w->filter)
		return 0;
	if (strlen(w->filter) > FILTER_BYTES)
		return err_set(e, E2BIG, "--filter: the kernel takes no filter of more than %d bytes", FILTER_BYTES);
	mem_out_init(&m);
	r = put_names(&m.out, w->filter, comm, e);
	r = r ? r : own_filter(p, s, mem_out_str(&m), e);
	mem_out_deinit(&m);
	return r;
}

/*
 * The event's filter: a switch that leaves the task runnable, as it was preempted (256; before 4.14 without such a
 * mark) or yielded (0). Idle tasks do not wait.
 */
static int complete(struct prof *p, struct spec *s, struct err *e)
{
	int r;

	if (s->untraced)
		return 0;
	if (is_wakeup(s)) {
		s->key = "pid";
		return add_names(p, s, "comm", e);
	}
	s->key = s->group ? "next_pid" : "prev_pid";
	r = own_filter(p, s, s->group ? "next_pid>0" : "(prev_state==0||prev_state==256)&&prev_pid>0", e);
	return r ? r : add_names(p, s, s->group ? "next_comm" : "prev_comm", e);
}

static int prepare(struct prof *p, struct err *e)
{
	const struct prof_want *w = p->want;
	int r = 0;

	if (w->key)
		return err_set(e, EINVAL, "-k: rundelay has its own keys");
	if (w->target.cgroups)
		return err_set(e, EINVAL, "--cgroups: who wakes a task is in another one; choose with -p or --filter");
	if (!p->specs.groups)
		r = prof_add(p, "sched:sched_wakeup*,sched:sched_switch", e);
	if (!r && p->specs.groups == 1)
		r = prof_add(p, switches, e);
	for (size_t i = 0; !r && i < p->specs.v.n; i++)
		r = check(&p->specs.v.v[i], e);
	if (!r && !(begins_some(p, 0) && begins_some(p, 1)))
		return err_set(e, EINVAL, "each -e needs an event of its own beside those that are untraced");
	for (size_t i = 0; !r && i < p->specs.v.n; i++)
		r = complete(p, &p->specs.v.v[i], e);
	return r ? r : prof_tasks_add(p, e);
}

static const char *key_text(const struct spec *s)
{
	return s->key;
}

static void put_thread(void *arg, struct table *t, const struct latency_row *r)
{
	struct rundelay *d = arg;

	own_put_thread(d->prof, t, r->key);
	table_str(t, r->first->name);
	table_str(t, "=>");
	table_str(t, r->second->name);
}

static int begin(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	struct rundelay *d = p->own;
	struct latency_shape *s = &d->latency.shape;
	int r = prof_compile(&d->key, p, key_text, e);

	r = r ? r : prof_tasks_open(&d->tasks, p, e);
	d->prof = p;
	d->latency.arg = d;
	if (w->latency.per_instance) {
		own_thread_columns(s);
		s->names[s->n_names++] = (struct table_col){ "start", NULL, TABLE_RIGHT, 0 };
		s->names[s->n_names++] = (struct table_col){ "=>", "to", TABLE_LEFT, 0 };
		s->names[s->n_names++] = (struct table_col){ "end", NULL, TABLE_LEFT, 0 };
		s->put_names = put_thread;
	}
	return r ? r : latency_open(&d->latency, p, &w->latency, 2, e);
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct rundelay *d = p->own;
	const struct texpr *x = d->key[h->tap->index];
	uint64_t key = x ? expr_number(&p->feed.expr, x, h, 0) : h->tid;
	bool counts = x && prof_tasks_has(&d->tasks, (uint32_t)key);
	int r = prof_tasks_follow(&d->tasks, h);

	/* The optional fork event is only for prof_tasks_follow. */
	if (r || h->tap->spec->optional)
		return r;
	return latency_hit(&d->latency, h, tap_group(h->tap), counts ? STAGES_BEGINS | STAGES_ENDS : 0, key);
}

static int lost(struct prof *p, uint32_t cpu)
{
	struct rundelay *d = p->own;

	return latency_lost(&d->latency, cpu);
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct rundelay *d = p->own;
	int r = latency_show(&d->latency, last, o, e);

	if (last)
		prof_count(p, o, d->tasks.dropped, "new tasks are left out: there are too many");
	return r;
}

static void close(struct prof *p)
{
	struct rundelay *d = p->own;

	prof_tasks_close(&d->tasks);
	if (d->latency.prof)
		latency_close(&d->latency);
}

DEFINE_PROF(rundelay) = {
	.cmd = {
		.name = "rundelay", .family = "prof", .brief = "Show how long runnable tasks waited for a CPU",
		.synopsis = "[-e <events> -e <events>] [options] [-- command [arguments]]",
		.details = PACKED(
			"The delay is from the wakeup (sched_wakeup) or preemption (sched_switch) of a task until it "
			"runs. Default events: -e 'sched:sched_wakeup*,sched:sched_switch' -e sched:sched_switch; "
			"either may have more events with untraced. Events of all CPUs are always traced; -p and -t, "
			"with their children, are filtered in user space, names (--filter) in the kernel."),
		.examples = PACKED(
			"sonde prof rundelay -p 1234 -i 1000 --than 4ms\ta process, every second\n"
			"sonde prof rundelay -e 'sched:sched_wakeup*,sched:sched_switch' -e sched:sched_switch//stack/ "
				"--filter java --than 4ms\tas perf-prof's scripts do\n"
			"sonde prof rundelay -e 'sched:sched_wakeup*,sched:sched_switch' -e "
				"sched:sched_switch,sched:sched_migrate_task//untraced/ --than 10ms "
				"--detail=samecpu\twith what ran in between\n"
			"sonde prof rundelay --perins -- make\teach thread of a command\n"
			"sonde prof rundelay --filter 'kworker*' -i perf.data\ta recording"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct rundelay), .prepare = prepare, .begin = begin, .hit = hit, .lost = lost, .show = show,
	.close = close, .everywhere = true,
};
