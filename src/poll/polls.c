/*
 * polls.c - sonde pmd polls: how often the function that polls for packets returns which burst size, and how long an
 * iteration of the loop takes by burst size. Probes are enabled for some ms at a time, then disabled for so long that
 * their overhead stays below a given share of a core.
 */
#include "analyse/polls.h"
#include "live/loop.h"
#include "poll/poll.h"
#include "poll/program.h"
#include "poll/threads.h"
#include "probing/cost_trial.h"

#include <time.h>

#define NS_PER_MS UINT64_C(1000000)

struct want {
	struct prof_want prof;
	const char *func, *limit;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Polls"),
	OPT_STR(0, "func", struct want, func, "<name>",
		"poll function that returns the number of packets (default: the first known one that exists)"),
	OPT_STR(0, "max-overhead", struct want, limit, "<percent>",
		"maximum overhead, in percent of a thread's time (default: 5%)"),
	OPT_END,
};

/* Probes are enabled for window_ns at a time, and never disabled for longer than off_most_ns, whatever they cost. */
static const uint64_t window_ns = 10 * NS_PER_MS, off_most_ns = 10000 * NS_PER_MS;

/* Functions that poll: of Open vSwitch's loop first, then of drivers. */
static const char *const functions[] = {
	"dp_netdev_process_rxq_port", "netdev_rxq_recv", "eth_null_rx", "mlx5_rx_burst", "mlx5_rx_burst_vec",
	"i40e_recv_pkts_vec", "i40e_recv_pkts", "ixgbe_recv_pkts_vec", "ixgbe_recv_pkts", "ice_recv_pkts",
	"virtio_recv_mergeable_pkts", "virtio_recv_pkts", "hns3_recv_pkts_vec", "hns3_recv_pkts_simple",
	"rte_vhost_dequeue_burst", NULL,
};

struct polls_view {
	struct prof *prof;
	struct poll_threads threads;
	struct polls polls;
	char *list;                      /* the feed's target, a list of tids */
	const char *func;
	char path[PATH_MAX];
	bool tells_errors;               /* func returns 0 if there were packets, without their number, else an error */
	double limit;
	double hit_ns;                   /* cost of both probes of a poll */
	uint64_t since, on_ns, all_polls, lost;
	bool over;
};

/* --- what is probed --- */

static int read_limit(struct polls_view *v, const char *text, struct err *e)
{
	struct sv s = sv_from(text ? text : "5%");
	double percent;

	while (s.n && strchr("% ", s.s[s.n - 1]))
		s.n--;
	if (!str_double(s, &percent) || !(percent > 0) || percent > 100)
		return err_set(e, EINVAL, "--max-overhead: '%s' is not a percentage above 0", text);
	v->limit = percent / 100;
	return 0;
}

static int find_function(struct polls_view *v, const char *name, struct err *e)
{
	int pid = v->threads.v.v[0].pid, r = -ENOENT;

	if (name) {
		v->func = name;
		return program_with(v->prof->sys, pid, &(struct program_place){ NULL, name }, v->path, sizeof(v->path),
				    e);
	}
	for (size_t i = 0; r == -ENOENT && functions[i]; i++) {
		v->func = functions[i];
		r = program_with(v->prof->sys, pid, &(struct program_place){ NULL, v->func }, v->path,
				 sizeof(v->path), e);
	}
	if (r != -ENOENT)
		return r;
	err_set(e, ENOENT, "process %d has none of the functions that are known to look for packets", pid);
	return err_hint(e, "--func names one that returns how many there are; symbols of a stripped program are in its "
			"debug package");
}

static int check(struct prof *p, struct err *e)
{
	const struct prof_want *w = prof_want(p);
	int r = prof_own_only(p, e);

	if (r)
		return r;
	if (w->from.input)
		return err_set(e, EINVAL, "polls sets probes of its own for moments: no recording has that");
	if (w->target.cgroups || p->argc)
		return err_set(e, EINVAL, "polls looks at threads that poll: -p, -C or -t, and no command");
	return 0;
}

static int choose(struct polls_view *v, struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	int r = check(p, e);

	r = r ? r : read_limit(v, w->limit, e);
	r = r ? r : poll_threads_find(&v->threads, p->sys, &w->prof.target, e);
	for (size_t i = 1; !r && i < v->threads.v.n; i++)
		if (v->threads.v.v[i].pid != v->threads.v.v[0].pid)
			r = err_set(e, EINVAL, "threads of several programs poll here: -p says which");
	r = r ? r : find_function(v, w->func, e);
	v->tells_errors = !r && !strcmp(v->func, "netdev_rxq_recv");
	v->list = r ? NULL : poll_threads_list(&v->threads);
	return r || v->list ? r : err_nomem(e);
}

static int add_events(struct polls_view *v, struct err *e)
{
	char event[PATH_MAX + 300];
	int r;

	snprintf(event, sizeof(event), "uprobe:%.200s@\"%s\"", v->func, v->path);
	r = specs_add_event(&v->prof->specs, event, e);
	snprintf(event, sizeof(event), "uretprobe:%.200s@\"%s\"/ret=$retval:s32/", v->func, v->path);
	return r ? r : specs_add_event(&v->prof->specs, event, e);
}

/* --- one window with probes --- */

static int take(struct polls_view *v, const struct hit *h, const struct texpr *ret)
{
	int64_t got;

	if (!ret)
		return polls_enter(&v->polls, h->tid, h->time);
	got = (int32_t)expr_number(&v->prof->feed.expr, ret, h, 0);
	if (v->tells_errors)
		got = !got;
	return polls_return(&v->polls, h->tid, h->time, got > 0 ? (uint64_t)got : 0);
}

static int take_all(struct polls_view *v, const struct texpr *ret, struct err *e)
{
	struct feed *f = &v->prof->feed;
	struct hit h;
	int got, r = 0;

	while (!r && (got = feed_next(f, &h, e)) != FEED_END) {
		if (got < 0)
			return got;
		if (got == FEED_HIT)
			r = take(v, &h, h.tap->spec == &v->prof->specs.v.v[1] ? ret : NULL);
		else if (got == FEED_TICK)
			feed_stop(f);
		else if (got == FEED_LOST)
			polls_break(&v->polls);
	}
	return r ? err_nomem(e) : 0;
}

/*
 * The cost of probes per poll, ns. It is at least hit_ns, which was measured on our own code without writing records.
 * An iteration with an empty burst consists of hardly anything else, so its median is the better estimate; but it is
 * limited, as the loop may sleep then.
 */
static double cost_of_poll(const struct polls_view *v)
{
	double empty = (double)spread_at(&v->polls.bursts[0].turn, 500);

	return MAX(v->hit_ns, MIN(empty, 2 * v->hit_ns));
}

/* Total CPU time of all threads, ns. */
static uint64_t ran(const struct polls_view *v)
{
	uint64_t all = 0, ns;

	for (size_t i = 0; i < v->threads.v.n; i++)
		if (poll_thread_sched(v->prof->sys, (uint32_t)v->threads.v.v[i].tid, POLL_SCHED_RAN, &ns))
			all += ns;
	return all;
}

/* The probes' share of the threads' CPU time while they were enabled. */
static double share_of(const struct polls_view *v, uint64_t polls, uint64_t ns)
{
	double busy = (double)polls * cost_of_poll(v) / (double)MAX(ns, UINT64_C(1));

	return MIN(busy, 1.0);
}

static int one_window(struct polls_view *v, uint64_t *off_ns, struct err *e)
{
	struct prof *p = v->prof;
	const struct texpr *ret = NULL;
	uint64_t from = p->sys->now(p->sys, CLOCK_MONOTONIC), before, polls = v->polls.polls, there;
	double share;
	int r;

	r = feed_open(&p->feed, &p->feed_want, e);
	/* The program has ended since the last window. */
	v->over = r == -ESRCH && v->all_polls;
	if (r)
		return v->over ? 0 : r;
	for (size_t i = 0; !r && i < p->feed.taps.n; i++)
		if (p->feed.taps.v[i].spec == &p->specs.v.v[1])
			r = feed_compile(&p->feed, &ret, &p->feed.taps.v[i], "ret", e);
	polls_break(&v->polls);
	r = r ? r : feed_start(&p->feed, e);
	before = ran(v);
	r = r ? r : take_all(v, ret, e);
	share = share_of(v, v->polls.polls - polls, ran(v) - before);
	v->lost += p->feed.stats.lost;
	v->over = p->feed.live.loop.state != LOOP_RUNS;
	feed_close(&p->feed);
	/* Probes also cost while they are being inserted and removed. */
	there = p->sys->now(p->sys, CLOCK_MONOTONIC) - from;
	v->on_ns += there;
	*off_ns = share > v->limit ? (uint64_t)((double)there * (share / v->limit - 1)) : 0;
	*off_ns = MIN(*off_ns, off_most_ns);
	return r;
}

/* Wait without probes. True: a signal asks us to end. */
static bool pause_for(struct polls_view *v, uint64_t ns)
{
	struct loop l;
	struct err e = { 0 };
	bool over;

	loop_init(&l, v->prof->sys);
	if (loop_open(&l, &e))
		return true;
	loop_in(&l, LOOP_LIMIT, ns);
	loop_next(&l);
	over = l.state == LOOP_SIGNALLED || l.signal;
	loop_close(&l);
	return over;
}

/* --- the table --- */

static struct table *new_table(void)
{
	static const struct table_col cols[] = {
		{ "BURST", "burst", TABLE_RIGHT, 0 }, { "POLLS", "polls", TABLE_RIGHT, 0 },
		{ "share%", "share_percent", TABLE_RIGHT, 0 }, { "turn p50 ns", "turn_p50_ns", TABLE_RIGHT, 0 },
		{ "p99", "turn_p99_ns", TABLE_RIGHT, 0 }, { "in it p50", "call_p50_ns", TABLE_RIGHT, 0 },
		{ "ns/packet", "ns_per_packet", TABLE_RIGHT, 0 },
	};

	return table_new(cols, ARRAY_SIZE(cols));
}

static void put_row(const struct polls_view *v, struct table *t, unsigned burst)
{
	const struct polls_burst *b = &v->polls.bursts[burst];
	char name[16];
	double ns;

	snprintf(name, sizeof(name), burst == POLLS_MORE ? ">%u" : v->tells_errors && burst ? "some" : "%u",
		 burst - (burst == POLLS_MORE));
	table_str(t, name);
	table_u64(t, b->n);
	table_fixed(t, 100.0 * (double)b->n / (double)MAX(v->polls.polls, UINT64_C(1)), 2);
	table_u64(t, spread_at(&b->turn, 500));
	table_u64(t, spread_at(&b->turn, 990));
	table_u64(t, spread_at(&b->call, 500));
	if (!v->tells_errors && polls_ns_per_packet(&v->polls, burst, &ns))
		table_fixed(t, ns, 1);
	else
		table_none(t);
}

static void put_empty(const struct polls_view *v, struct out *o)
{
	const struct polls_burst *b = &v->polls.bursts[0];
	double turn = (double)spread_at(&b->turn, 500), left = turn - v->hit_ns;

	out_printf(o, "%llu polls, ", (unsigned long long)v->polls.polls);
	out_fixed(o, 100.0 * (double)b->n / (double)MAX(v->polls.polls, UINT64_C(1)), 0, 2);
	out_str(o, " % empty");
	if (!v->tells_errors && v->polls.polls) {
		out_str(o, ", packets a poll: ");
		out_fixed(o, (double)v->polls.packets / (double)v->polls.polls, 0, 3);
	}
	out_str(o, "; a turn that is seen takes about ");
	out_fixed(o, v->hit_ns, 0, 0);
	out_str(o, " ns more, ns/packet are free of that; ");
	if (b->turn.n && left > v->hit_ns / 4) {
		out_str(o, "an empty turn takes about ");
		out_fixed(o, left, 0, 0);
		out_str(o, " ns\n");
	} else if (b->turn.n) {
		out_str(o, "an empty turn takes less than can be told apart from it\n");
	} else {
		out_str(o, "no poll was empty\n");
	}
}

static int show(struct polls_view *v, struct out *o)
{
	struct table_want form = prof_table(v->prof);
	struct table *t = new_table();
	int r;

	if (!t)
		return -ENOMEM;
	for (unsigned i = 0; i < POLLS_BURSTS; i++)
		if (v->polls.bursts[i].n)
			put_row(v, t, i);
	r = table_print(t, &form, o);
	table_free(t);
	if (form.form == TABLE_TEXT)
		put_empty(v, o);
	prof_count(v->prof, o, v->lost, "events were lost: turns across them are left out");
	v->lost = 0;
	polls_forget(&v->polls);
	out_flush(o);
	return r;
}

/* --- the run --- */

static bool is_enough(const struct polls_view *v)
{
	const struct prof_want *w = prof_want(v->prof);

	return v->over || (w->limit && v->all_polls >= w->limit);
}

static int run(struct polls_view *v, struct out *o, struct err *e)
{
	const struct prof_want *w = prof_want(v->prof);
	const struct sys *sys = v->prof->sys;
	uint64_t begun = sys->now(sys, CLOCK_MONOTONIC), shown = begun, off = 0;
	int r = 0;

	while (!r && !v->over && !o->error) {
		uint64_t before = v->polls.polls, now;

		r = one_window(v, &off, e);
		v->all_polls += v->polls.polls - before;
		if (r || is_enough(v))
			break;
		v->over = off && pause_for(v, off);
		now = sys->now(sys, CLOCK_MONOTONIC);
		if (w->from.interval_ns && now - shown >= w->from.interval_ns) {
			shown = now;
			r = show(v, o) ? err_nomem(e) : 0;
		}
	}
	v->since = sys->now(sys, CLOCK_MONOTONIC) - begun;
	return r || (w->from.interval_ns && !v->polls.polls) ? r : show(v, o) ? err_nomem(e) : 0;
}

static void tell(const struct polls_view *v)
{
	char line[PATH_MAX + 400];

	if (prof_want(v->prof)->form.quiet)
		return;
	snprintf(line, sizeof(line), "%s of %s, probed for %llu of %llu ms", v->func, v->path,
		 (unsigned long long)(v->on_ns / NS_PER_MS), (unsigned long long)(v->since / NS_PER_MS));
	v->prof->how->note(v->prof->how->arg, line);
}

static int alone(struct prof *p, struct out *o, struct err *e)
{
	static const struct cost_meter no_meter = { 0 };
	struct polls_view *v = p->own;
	struct hit_cost cost;
	int r;

	v->prof = p;
	r = choose(v, p, e);
	r = r ? r : add_events(v, e);
	r = r ? r : cost_of_hit(p->sys, PROBE_OF_PROGRAM_RETURN, &no_meter, &cost, e);
	if (!r) {
		v->hit_ns = cost.ns;
		prof_want(p)->target = (struct target_want){ .tids = v->list, .no_inherit = true };
		prof_fill_feed(p);
		p->feed_want.interval_ns = window_ns;
		r = run(v, o, e);
	}
	if (!r)
		tell(v);
	polls_deinit(&v->polls);
	poll_threads_deinit(&v->threads);
	free(v->list);
	return r;
}

const struct prof_kind poll_polls = {
	.cmd = {
		.name = "polls", .family = "pmd",
		.brief = "Show packets per poll, and loop time by number of packets",
		.synopsis = "[-p <pid> | -t <tids> | -C <cpus>] [--func <name>] [--max-overhead <percent>] [options]",
		.details = PACKED(
			"Probes entry and return of the poll function, for some ms at a time: a loop with a million "
			"polls per second would be several times slower with the probe always on. The function needs a "
			"symbol: in Open vSwitch dp_netdev_process_rxq_port (netdev_rxq_recv only tells whether there "
			"are packets), in DPDK the drivers' functions."),
		.examples = PACKED(
			"sonde pmd polls -p 2347\ta switch, until Ctrl-C\n"
			"sonde pmd polls -C 4 --func i40e_recv_pkts -i 5000\tthe loop on CPU 4, every five seconds\n"
			"sonde pmd polls -p 2347 -N 100000 --max-overhead 20%\tquick result, at the cost of "
				"throughput"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct polls_view), .alone = alone,
};
