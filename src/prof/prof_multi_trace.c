/* prof_multi_trace.c - sonde prof multi-trace: time from one event to the next with the same key. */
#include "prof/latency.h"

struct want {
	struct prof_want prof;
	struct latency_want latency;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_SUB(latency_opts, struct want, latency),
	OPT_FLAG(0, "cycle", struct want, latency.cycle, "also measure from the last -e to the first"),
	OPT_SUB(prof_bpf_opts, struct want, prof),
	OPT_SUB(prof_chain_opts, struct want, prof),
	OPT_END,
};

struct multi {
	struct latency latency;
	struct prof_key key;
	const struct texpr **role;
	unsigned stages;
};

static const char *role_text(const struct spec *s)
{
	return s->role;
}

/* Count the stages: an -e with more than auxiliary (untraced) events is one. */
static int count_stages(const struct prof *p, unsigned *n, struct err *e)
{
	bool has[OPT_LIST_MAX] = { false };

	*n = 0;
	for (size_t i = 0; i < p->specs.v.n; i++)
		has[p->specs.v.v[i].group] |= !p->specs.v.v[i].untraced;
	while (*n < OPT_LIST_MAX && has[*n])
		(*n)++;
	for (unsigned i = *n; i < p->specs.groups; i++)
		if (has[i])
			return err_set(e, EINVAL, "-e number %u has only untraced events: it is no stage", *n + 1);
	return 0;
}

static int begin(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	struct multi *m = p->own;
	bool has_role = false;
	int r = count_stages(p, &m->stages, e);

	for (size_t i = 0; i < p->specs.v.n; i++)
		has_role |= p->specs.v.v[i].role != NULL;
	if (!r && m->stages < 2 && !(m->stages && (w->latency.cycle || has_role)))
		return err_set(e, EINVAL, "it takes two -e: from the events of the first one to those of the second");
	r = r ? r : prof_key_open(&m->key, p, e);
	r = r ? r : prof_compile(&m->role, p, role_text, e);
	return r ? r : latency_open(&m->latency, p, &w->latency, m->stages, e);
}

static unsigned role_of(struct multi *m, struct prof *p, const struct hit *h)
{
	const struct texpr *x = m->role[h->tap->index];

	if (h->tap->spec->untraced)
		return 0;
	return x ? (unsigned)expr_number(&p->feed.expr, x, h, 0) & 3 : STAGES_BEGINS | STAGES_ENDS;
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct multi *m = p->own;

	return latency_hit(&m->latency, h, tap_group(h->tap), role_of(m, p, h), prof_key_of(&m->key, p, h));
}

static int lost(struct prof *p, uint32_t cpu)
{
	struct multi *m = p->own;

	return latency_lost(&m->latency, cpu);
}

static int ask(struct prof *p, struct tally_event *asks, struct err *why)
{
	struct multi *m = p->own;

	for (size_t i = 0; i < p->feed.taps.n; i++) {
		if (m->role[i])
			return err_set(why, EOPNOTSUPP, "role= is decided for each event");
		asks[i].key = m->key.of[i];
		asks[i].by = m->key.by_thread ? TALLY_BY_TID : TALLY_BY_CPU;
	}
	return latency_ask(&m->latency, asks, why);
}

static int counted(struct prof *p, const struct tally_entry *n)
{
	struct multi *m = p->own;

	return latency_counted(&m->latency, n);
}

static int bound(struct prof *p, const struct tally_bound *b)
{
	struct multi *m = p->own;

	return latency_bound(&m->latency, b);
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct multi *m = p->own;

	return latency_show(&m->latency, last, o, e);
}

static void close(struct prof *p)
{
	struct multi *m = p->own;

	if (m->latency.prof)
		latency_close(&m->latency);
}

DEFINE_PROF(multi_trace) = {
	.cmd = {
		.name = "multi-trace", .family = "prof",
		.brief = "Measure the time between events, and print what happens in between",
		.synopsis = "-e <events> -e <events>... [options] [-- command [arguments]]",
		.details = PACKED(
			"An event of the first -e starts a pair, an event of the second -e with the same key ends it "
			"(key= or -k; default the CPU, or the thread with -p or -t), and so on for a third -e. Several "
			"events in one -e are alternatives. Events with untraced neither start nor end pairs and are "
			"printed with --detail. role= is 1 if the event starts, 2 if it ends, 3 if it does both. If "
			"only rows are printed a BPF program counts if it can (the first line says so; --no-bpf counts "
			"in user space)."),
		.examples = PACKED(
			"sonde prof multi-trace -e irq:softirq_entry/vec==1/ -e irq:softirq_exit/vec==1/ -i 1000\tone "
				"softirq\n"
			"sonde prof multi-trace -e irq:softirq_entry/vec==1/ -e irq:softirq_exit/vec==1/ --than 100us "
				"--detail=-1ms\tand events of the 1 ms before slow ones\n"
			"sonde prof multi-trace -e irq:softirq_entry -e irq:softirq_exit -k vec --than 1ms --freeze "
				"--freeze-functions 'net_*'\tand the kernel's trace around slow ones\n"
			"sonde prof multi-trace -e "
				"'sched:sched_wakeup,sched:sched_switch/prev_state==0&&prev_pid>0/key=prev_pid/' -e "
				"'sched:sched_switch//key=next_pid/' -k pid --than 20ms --detail=samecpu\ttasks that "
				"wait for a CPU\n"
			"sonde prof multi-trace -e 'sched:sched_switch//role=\"(next_pid?1:0)|(prev_pid?2:0)\"/' "
				"--cycle\tbusy times of CPUs\n"
			"sonde prof multi-trace -e kvm:kvm_exit -e kvm:kvm_entry --perins -i perf.data\ta recording"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct multi), .begin = begin, .hit = hit, .lost = lost, .show = show, .close = close,
	.ask = ask, .counted = counted, .bound = bound,
};
