/* opts.c - the options that all profilers share, as perf-prof spells them. */
#include "prof/prof.h"

enum { MS = 1000000 };

int prof_set_from(void *field, const char *value, struct err *e)
{
	struct prof_from *f = field;
	uint64_t ms;

	if (!str_u64(sv_from(value), 10, &ms)) {
		f->input = value;
		return 0;
	}
	if (!ms || ms > UINT32_MAX)
		return err_set(e, EINVAL, "'%s' is no interval: a number of ms, not 0", value);
	f->interval_ns = ms * MS;
	return 0;
}

static int set_graph(void *field, const char *value, struct err *e)
{
	return callgraph_parse(field, value ? value : "fp", e);
}

const struct opt prof_opts[] = {
	OPT_HEAD("Events"),
	OPT_LIST('e', "event", struct prof_want, events, "<events>",
		 "EVENT[/FILTER/ATTR/.../],...: EVENT as for record, FILTER as for the kernel; 'help' after the "
		 "options lists ATTRs"),
	OPT_STR('k', "key", struct prof_want, key, "<expr>", "key of events without key= of their own"),
	OPT_HEAD("Input"),
	OPT_CALL('i', "interval", 0, struct prof_want, from, prof_set_from, "<ms|file>",
		 "number: print results every <ms>; else recording to read (perf.data, trace.dat, - for a pipe)"),
	OPT_STR(0, "input", struct prof_want, from.input, "<file>", "recording to read"),
	OPT_STR('C', "cpus", struct prof_want, target.cpus, "<list>", "only these CPUs: 0,2-5"),
	OPT_STR('p', "pids", struct prof_want, target.pids, "<pids>",
		"only these processes, with threads that they start"),
	OPT_STR('t', "tids", struct prof_want, target.tids, "<tids>", "only these threads, by TID: 12,34"),
	OPT_STR(0, "cgroups", struct prof_want, target.cgroups, "<names>",
		"only tasks in these cgroups; a name with any of *+?^$|()[]{} is a regular expression"),
	OPT_U64('m', "mmap-pages", struct prof_want, rings.pages, "<n>", "pages of each CPU's ring buffer"),
	OPT_U64(0, "watermark", struct prof_want, rings.watermark, "<0-100>",
		"wake up when a ring buffer is this full, in percent"),
	OPT_IGNORED(0, "order", FLAG, struct prof_want, rings.order),
	OPT_FLAG(0, "no-inherit", struct prof_want, target.no_inherit, "do not follow new threads and child processes"),
	OPT_IGNORED(0, "ptrace", FLAG, struct prof_want, form.ignored),
	OPT_U64('N', "exit-N", struct prof_want, limit, "<n>", "stop after <n> events"),
	OPT_FLAG(0, "exclude-user", struct prof_want, sides.no_user, "only events in kernel mode"),
	OPT_FLAG(0, "exclude-kernel", struct prof_want, sides.no_kernel, "only events in user mode"),
	OPT_FLAG(0, "exclude-guest", struct prof_want, sides.no_guest, "no events in guests"),
	OPT_FLAG(0, "exclude-host", struct prof_want, sides.guest_only, "only events in guests"),
	OPT_HEAD("Output"),
	OPT_STR('o', "output", struct prof_want, form.output, "<file>", "write here, not to standard output"),
	OPT_FLAG('j', "json", struct prof_want, form.json, "print rows as JSON"),
	OPT_STR('x', "field-separator", struct prof_want, form.sep, "<sep>", "print rows as CSV with this separator"),
	OPT_FLAG('q', "quiet", struct prof_want, form.quiet, "print results only"),
	OPT_U64(0, "usage-self", struct prof_want, usage_ms, "<ms>",
		"print sonde's own CPU and memory usage every <ms>"),
	OPT_END,
};

const struct opt prof_chain_opts[] = {
	OPT_HEAD("Call chains"),
	OPT_CALL('g', "call-graph", OPT_OPTIONAL, struct prof_want, chains.graph, set_graph, "fp|dwarf[,<size>]|lr",
		 "record call chains"),
	OPT_STR(0, "flame-graph", struct prof_want, chains.flame, "<file>",
		"write call chains as flame graph <file>.svg and as folded stacks <file>.folded"),
	OPT_END,
};

const struct opt prof_bpf_opts[] = {
	OPT_FLAG(0, "no-bpf", struct prof_want, place.no_bpf,
		 "count in user space, event by event, even if a BPF program could count"),
	OPT_END,
};

/* --- filters --- */

/* --no-X of options that have no plain negation. */
static int watch_filter(void *want, const struct opt *o, bool negated, const char *value UNUSED, struct err *e UNUSED)
{
	static const struct { const char *name; unsigned asked; } names[] = {
		{ "irqs_disabled", SIFT_IRQS }, { "tif_need_resched", SIFT_RESCHED },
		{ "exclude_pid", SIFT_NOT_PID }, { "sched_policy", SIFT_POLICY }, { "prio", SIFT_PRIO },
		{ "nr_running_min", SIFT_LEAST_RUN }, { "nr_running_max", SIFT_MOST_RUN },
	};
	struct prof_want *w = want;

	for (size_t i = 0; negated && o->name && i < ARRAY_SIZE(names); i++)
		if (!strcmp(o->name, names[i].name))
			w->filter.asked &= ~names[i].asked;
	return negated;
}

static int read_bool(const char *name, const char *value, bool *to, struct err *e)
{
	*to = !value || !strcmp(value, "1");
	return *to || !strcmp(value, "0") ? 0 : err_set(e, EINVAL, "--%s=%s: 0 or 1", name, value);
}

static int set_irqs(void *field, const char *value, struct err *e)
{
	struct sift_want *f = field;

	f->asked |= SIFT_IRQS;
	return read_bool("irqs_disabled", value, &f->irqs_off, e);
}

static int set_resched(void *field, const char *value, struct err *e)
{
	struct sift_want *f = field;

	f->asked |= SIFT_RESCHED;
	return read_bool("tif_need_resched", value, &f->resched, e);
}

static int read_u31(const char *value, uint32_t *to, struct err *e)
{
	uint64_t v;

	if (!value || !str_u64(sv_from(value), 10, &v) || v > INT32_MAX)
		return err_set(e, EINVAL, "'%s' is no number", value ? value : "");
	*to = (uint32_t)v;
	return 0;
}

static int set_not_pid(void *field, const char *value, struct err *e)
{
	struct sift_want *f = field;

	f->asked |= SIFT_NOT_PID;
	return read_u31(value, &f->not_pid, e);
}

static int set_policy(void *field, const char *value, struct err *e)
{
	struct sift_want *f = field;

	f->asked |= SIFT_POLICY;
	return read_u31(value, &f->policy, e);
}

static int set_prio(void *field, const char *value, struct err *e)
{
	struct sift_want *f = field;
	int r = value ? cpus_parse(&f->prios, sv_from(value), e) : -EINVAL;

	f->asked |= SIFT_PRIO;
	if (r || !cpus_count(&f->prios) || cpus_next(&f->prios, SIFT_PRIOS) >= 0)
		return err_set(e, EINVAL, "'%s' is no list of priorities, as 0-98,120; the last is %d",
			       value ? value : "", SIFT_PRIOS - 1);
	return 0;
}

static int set_least_run(void *field, const char *value, struct err *e)
{
	struct sift_want *f = field;

	f->asked |= SIFT_LEAST_RUN;
	return read_u31(value, &f->least_run, e);
}

static int set_most_run(void *field, const char *value, struct err *e)
{
	struct sift_want *f = field;

	f->asked |= SIFT_MOST_RUN;
	return read_u31(value, &f->most_run, e);
}

const struct opt prof_filter_opts[] = {
	OPT_WATCH(watch_filter),
	OPT_HEAD("Context filters"),
	OPT_CALL(0, "irqs_disabled", OPT_OPTIONAL, struct prof_want, filter, set_irqs, "0|1",
		 "only with interrupts disabled (1, or no value) or enabled (0)"),
	OPT_CALL(0, "tif_need_resched", OPT_OPTIONAL, struct prof_want, filter, set_resched, "0|1",
		 "only tasks with TIF_NEED_RESCHED set (1, or no value) or clear (0)"),
	OPT_CALL(0, "exclude_pid", 0, struct prof_want, filter, set_not_pid, "<pid>", "exclude this process"),
	OPT_CALL(0, "nr_running_min", 0, struct prof_want, filter, set_least_run, "<n>",
		 "only CPUs with at least <n> runnable tasks"),
	OPT_CALL(0, "nr_running_max", 0, struct prof_want, filter, set_most_run, "<n>",
		 "only CPUs with at most <n> runnable tasks; 0: idle CPUs"),
	OPT_CALL(0, "sched_policy", 0, struct prof_want, filter, set_policy, "<n>",
		 "only tasks of this policy: 0 other, 1 FIFO, 2 RR, 3 batch, 5 idle, 6 deadline"),
	OPT_CALL(0, "prio", 0, struct prof_want, filter, set_prio, "<list>",
		 "only tasks of these kernel priorities: 0-99 real time, 120 nice 0"),
	OPT_END,
};
