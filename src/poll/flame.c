/*
 * flame.c - sonde pmd flame: samples of polling threads, split by what the thread does: it processes packets, polls for
 * packets, or is in the kernel. A sample counts as processing if its call chain has one of the functions that run only
 * when there are packets.
 */
#include "poll/poll.h"
#include "poll/threads.h"
#include "prof/stacks.h"

struct want {
	struct prof_want prof;
	uint64_t freq;
	const char *busy;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Samples"),
	OPT_U64('F', "freq", struct want, freq, "<hz>", "samples per second and thread (default: 997)"),
	OPT_STR(0, "busy", struct want, busy, "<names>",
		"functions that process packets: fwd_one,handle_* (default: Open vSwitch's)"),
	OPT_SUB(prof_chain_opts, struct want, prof),
	OPT_END,
};

enum { DEFAULT_FREQ = 997, FREQ_MAX = 100000 };

/* Functions of lib/dpif-netdev.c that are called only for a burst that was not empty. */
static const char default_busy[] =
	"dp_netdev_input__,dp_netdev_input,dp_netdev_recirculate,packet_batch_per_flow_execute,"
	"dp_netdev_pmd_flush_output_packets,dp_netdev_pmd_flush_output_on_port";

enum { USEFUL, POLLING, KERNEL, DOES };

struct thread {
	uint32_t tid;
	uint64_t n[DOES];
};

struct split {
	struct prof_stacks stacks;
	struct poll_threads found;
	struct poll_choice choice;
	char *list;                      /* the feed's target, a list of tids */
	const char *busy;
	struct map of;                   /* tid -> index + 1; 0: the thread was not asked for */
	VEC(struct thread) threads;
	uint64_t useful;                 /* useful samples of all threads so far */
};

static int prepare(struct prof *p, struct err *e)
{
	struct want *w = p->want;
	struct split *s = p->own;
	char text[64];
	int r = prof_own_only(p, e);

	if (r)
		return r;
	if (w->prof.target.cgroups || p->argc)
		return err_set(e, EINVAL, "flame looks at threads that poll: -p, -C or -t, and no command");
	if (w->freq > FREQ_MAX)
		return err_set(e, EINVAL, "-F %llu: at most %d", (unsigned long long)w->freq, FREQ_MAX);
	s->choice = (struct poll_choice){ w->prof.target.pids, w->prof.target.tids };
	s->busy = w->busy ? w->busy : default_busy;
	if (!w->prof.chains.graph.on)
		r = callgraph_parse(&w->prof.chains.graph, "fp", e);
	if (!r && !w->prof.from.input) {
		r = poll_threads_find(&s->found, p->sys, &w->prof.target, e);
		s->list = r ? NULL : poll_threads_list(&s->found);
		w->prof.target = (struct target_want){ .tids = s->list, .no_inherit = true };
		if (!r && !s->list)
			r = err_nomem(e);
	}
	snprintf(text, sizeof(text), "profile/-F %llu/", (unsigned long long)(w->freq ? w->freq : DEFAULT_FREQ));
	return r ? r : specs_add(&p->specs, text, e);
}

static int begin(struct prof *p, struct err *e)
{
	struct split *s = p->own;

	return prof_stacks_open(&s->stacks, p, e);
}

static bool is_busy(void *arg, const char *label)
{
	struct split *s = arg;
	struct sv rest = sv_from(s->busy), name;

	while (sv_cut(&rest, ',', &name)) {
		char glob[128];

		snprintf(glob, sizeof(glob), "%.*s", (int)MIN(name.n, sizeof(glob) - 1), name.s);
		if (str_glob(glob, sv_from(label)))
			return true;
	}
	return false;
}

/* NULL: no memory, or (*r 0) the thread was not asked for. */
static struct thread *thread_of(struct split *s, struct prof *p, const struct hit *h, int *r)
{
	bool is_new;
	uint64_t *at = map_add(&s->of, h->tid, &is_new);
	struct thread *t;

	*r = at ? 0 : -ENOMEM;
	if (!at || (!is_new && !*at))
		return NULL;
	if (!is_new)
		return &s->threads.v[*at - 1];
	*at = 0;
	/* Live, only the chosen threads are measured. */
	if (!feed_is_live(&p->feed) && !poll_is_chosen(&s->choice, h->pid, h->tid, feed_comm(&p->feed, h->tid)))
		return NULL;
	t = vec_add(&s->threads);
	*r = t ? 0 : -ENOMEM;
	if (t) {
		*t = (struct thread){ .tid = h->tid };
		*at = s->threads.n;
	}
	return t;
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	static const char *const does[DOES] = { "useful", "polling", "kernel" };
	struct split *s = p->own;
	int r;
	struct thread *t = thread_of(s, p, h, &r);
	unsigned what = POLLING;
	uint32_t stack;

	if (!t)
		return r;
	stack = callers_of(&s->stacks.callers, h);
	if (stack == CALLTREE_NONE)
		return -ENOMEM;
	if (h->sample && h->sample->cpumode == PERF_MISC_KERNEL)
		what = KERNEL;
	else if (callers_any(&s->stacks.callers, stack, is_busy, s))
		what = USEFUL;
	t->n[what]++;
	s->useful += what == USEFUL;
	return prof_stacks_add(&s->stacks, stack, does[what], 1);
}

static void put_row(struct prof *p, struct table *t, const struct thread *of)
{
	uint64_t all = of->n[USEFUL] + of->n[POLLING] + of->n[KERNEL];

	table_u64(t, of->tid);
	table_str(t, feed_comm(&p->feed, of->tid));
	table_u64(t, all);
	for (unsigned i = 0; i < DOES; i++)
		table_fixed(t, all ? 100.0 * (double)of->n[i] / (double)all : 0, 2);
}

static void end(struct split *s, struct prof *p)
{
	if (prof_want(p)->form.quiet)
		return;
	if (!s->threads.n)
		p->how->note(p->how->arg, "no thread that polls was sampled");
	else if (!s->useful)
		p->how->note(p->how->arg, "no sample is in a function that works on packets: --busy names those of "
					  "this program; it needs frame pointers, or -g dwarf");
	if (!prof_want(p)->chains.flame && s->threads.n)
		p->how->note(p->how->arg, "--flame-graph FILE draws them");
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	static const struct table_col cols[] = {
		{ "thread", NULL, TABLE_RIGHT, 0 }, { "comm", NULL, TABLE_LEFT, 0 },
		{ "SAMPLES", "samples", TABLE_RIGHT, 0 }, { "useful%", "useful_percent", TABLE_RIGHT, 0 },
		{ "polling%", "polling_percent", TABLE_RIGHT, 0 }, { "kernel%", "kernel_percent", TABLE_RIGHT, 0 },
	};
	struct split *s = p->own;
	struct table_want form = prof_table(p);
	struct table *t = table_new(cols, ARRAY_SIZE(cols));
	int r;

	for (size_t i = 0; t && i < s->threads.n; i++) {
		put_row(p, t, &s->threads.v[i]);
		memset(s->threads.v[i].n, 0, sizeof(s->threads.v[i].n));
	}
	prof_interval(p, o);
	r = t ? table_print(t, &form, o) : -ENOMEM;
	table_free(t);
	if (last)
		end(s, p);
	return r ? err_nomem(e) : prof_stacks_show(&s->stacks, p, last, e);
}

static void close(struct prof *p)
{
	struct split *s = p->own;

	prof_stacks_close(&s->stacks);
	map_deinit(&s->of);
	vec_free(&s->threads);
	poll_threads_deinit(&s->found);
	free(s->list);
}

const struct prof_kind poll_flame = {
	.cmd = {
		.name = "flame", .family = "pmd",
		.brief = "Sample polling threads: packet processing, empty polls, kernel",
		.synopsis = "[-p <pids> | -t <tids> | -C <cpus>] [--busy <names>] [--flame-graph <file>] [options]",
		.details = PACKED(
			"Samples with call chains, no probes. useful: a function that only runs for packets is in the "
			"call chain: those of Open vSwitch's datapath, or of --busy. kernel: interrupts and system "
			"calls. The flame graph has one tower per kind."),
		.examples = PACKED(
			"sonde pmd flame -p 2347 --flame-graph pmd\tthreads of a switch, pmd.svg\n"
			"sonde pmd flame -t 2351 --busy 'process_burst,tx_*' -F 4999\tanother program\n"
			"sonde pmd flame -i perf.data\ta recording with -g"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct split), .prepare = prepare, .begin = begin, .hit = hit, .show = show, .close = close,
};
