/* prof_nested_trace.c - sonde prof nested-trace: events that are entries and returns, as nested calls. */
#include "prof/calls.h"
#include "prof/latency.h"

struct want {
	struct prof_want prof;
	struct latency_want latency;
	const char *impl;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Calls"),
	OPT_STR(0, "impl", struct want, impl, "delay|call|call-delay",
		"one row per function, the call tree, or the call tree with times"),
	OPT_SUB(latency_opts, struct want, latency),
	OPT_SUB(prof_chain_opts, struct want, prof),
	OPT_END,
};

enum role { BETWEEN, ENTERS, LEAVES };

struct nested {
	struct latency latency;
	struct prof_key key;
	struct calls calls;
	struct prof *prof;
	const char *names[OPT_LIST_MAX];         /* by -e */
	uint8_t *role;                           /* by tap: enum role */
	bool tree, times;
};

static int read_impl(struct nested *n, const char *impl, struct err *e)
{
	n->tree = impl && (!strcmp(impl, "call") || !strcmp(impl, "call-delay"));
	n->times = n->tree && strcmp(impl, "call");
	if (!impl || n->tree || !strcmp(impl, "delay"))
		return 0;
	return err_set(e, EINVAL, "--impl %s: it is delay, call or call-delay", impl);
}

/* The first event of an -e is the entry, the second the return; a pattern stands for all its events. */
static int read_roles(struct nested *n, struct prof *p, struct err *e)
{
	unsigned seen[OPT_LIST_MAX] = { 0 };
	uint8_t roles[OPT_LIST_MAX * 2] = { 0 };
	size_t specs = p->specs.v.n;

	if (specs > ARRAY_SIZE(roles))
		return err_set(e, E2BIG, "more than %zu events", ARRAY_SIZE(roles));
	for (size_t i = 0; i < specs; i++) {
		const struct spec *s = &p->specs.v.v[i];

		if (s->untraced)
			continue;
		seen[s->group]++;
		roles[i] = (uint8_t)MIN(seen[s->group], 3u);
	}
	for (unsigned g = 0; g < p->specs.groups; g++)
		if (seen[g] != 2 && seen[g]) {
			err_set(e, EINVAL, "-e number %u has %u events: an entry and its return are two", g + 1,
				seen[g]);
			return err_hint(e, "-e irq:softirq_entry,irq:softirq_exit; others are untraced");
		}
	n->role = arena_alloc(&p->feed.arena, p->feed.taps.n + 1);
	if (!n->role)
		return err_nomem(e);
	for (size_t i = 0; i < p->feed.taps.n; i++) {
		const struct tap *t = &p->feed.taps.v[i];

		n->role[i] = roles[t->spec - p->specs.v.v];
		if (n->role[i] == ENTERS)
			n->names[tap_group(t)] = t->name;
	}
	return 0;
}

static int begin(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	struct nested *n = p->own;
	int r = read_impl(n, w->impl, e);

	n->prof = p;
	if (!r && w->latency.cycle)
		return err_set(e, EINVAL, "calls have no cycle");
	r = r ? r : read_roles(n, p, e);
	r = r ? r : prof_key_open(&n->key, p, e);
	r = r || !calls_init(&n->calls) ? r : err_nomem(e);
	return r ? r : latency_open(&n->latency, p, &w->latency, 2, e);
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct nested *n = p->own;
	struct calls_event ev = { .hit = h, .function = tap_group(h->tap), .key = prof_key_of(&n->key, p, h) };
	struct stages_pair pair;
	int r = latency_hit(&n->latency, h, 0, 0, ev.key);

	ev.seq = n->latency.seq;
	if (r || n->role[h->tap->index] == BETWEEN)
		return r;
	if (n->role[h->tap->index] == ENTERS)
		return calls_enter(&n->calls, &ev);
	r = calls_leave(&n->calls, &ev, &pair);
	return r > 0 ? latency_pair(&n->latency, &pair) : r;
}

static int lost(struct prof *p, uint32_t cpu)
{
	struct nested *n = p->own;

	return calls_lose(&n->calls, cpu);
}

static const char *name_of(void *arg, uint32_t function)
{
	struct nested *n = arg;

	return n->names[function];
}

static int show_tree(struct nested *n, struct out *o, struct err *e)
{
	static const struct table_col cols[] = {
		{ "function call", "call", TABLE_LEFT, 0 }, { "R", "recursive", TABLE_LEFT, 0 },
		{ "calls", NULL, TABLE_RIGHT, 0 }, { "total(us)", "total_us", TABLE_RIGHT, 0 },
		{ "self(us)", "self_us", TABLE_RIGHT, 0 }, { "min(us)", "min_us", TABLE_RIGHT, 0 },
		{ "p50(us)", "p50_us", TABLE_RIGHT, 0 }, { "p95(us)", "p95_us", TABLE_RIGHT, 0 },
		{ "p99(us)", "p99_us", TABLE_RIGHT, 0 }, { "max(us)", "max_us", TABLE_RIGHT, 0 },
	};
	struct table_want form = prof_table(n->prof);
	struct calls_show how = { .name = name_of, .arg = n, .times = n->times, .flat = form.form != TABLE_TEXT };
	struct table *t = table_new(cols, n->times ? ARRAY_SIZE(cols) : 3);
	int r = t ? calls_put(&n->calls, &how, t) : -ENOMEM;

	prof_interval(n->prof, o);
	r = r ? r : table_print(t, &form, o);
	table_free(t);
	return r ? err_nomem(e) : 0;
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct nested *n = p->own;
	int r = n->tree ? show_tree(n, o, e) : 0;

	calls_clear(&n->calls);
	n->latency.stages.stats = n->calls.stats;
	n->latency.stages.n_open = n->calls.n_open;
	if (r || !n->tree)
		return r ? r : latency_show(&n->latency, last, o, e);
	return latency_end(&n->latency, last, o, e);
}

static void close(struct prof *p)
{
	struct nested *n = p->own;

	calls_deinit(&n->calls);
	if (n->latency.prof)
		latency_close(&n->latency);
}

DEFINE_PROF(nested_trace) = {
	.cmd = {
		.name = "nested-trace", .family = "prof",
		.brief = "Show nested calls from entry and return events, with latencies",
		.synopsis = "-e <entry,return> [-e <entry,return>...] [options] [-- command [arguments]]",
		.details = PACKED(
			"The first event of each -e is an entry, the second its return; calls nest per key (key= or "
			"-k; default the CPU, or the thread with -p or -t). Self is the time of a call without nested "
			"calls. Calls whose return is missing when their caller returns are reported as begun again."),
		.examples = PACKED(
			"sonde prof nested-trace -e irq:softirq_entry/vec==1/,irq:softirq_exit/vec==1/ -i 1000\tevery "
				"second\n"
			"sonde prof nested-trace -e irq:softirq_entry,irq:softirq_exit -e "
				"timer:timer_expire_entry,timer:timer_expire_exit --impl call-delay\ttimers within "
				"softirqs\n"
			"sonde prof nested-trace -e irq:irq_handler_entry,irq:irq_handler_exit --than 1ms "
				"--detail=all\tprint slow ones\n"
			"sonde prof nested-trace -e kprobe:vfs_read,kretprobe:vfs_read -e "
				"kprobe:vfs_open,kretprobe:vfs_open --impl call -- ls\tonly the call tree"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct nested), .begin = begin, .hit = hit, .lost = lost, .show = show, .close = close,
};
