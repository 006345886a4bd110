/* test_probe_watch.c - when probes are called bad: on a played clock, with hits that take a known time. */
#include "live/probe_watch.h"
#include "ftrace_tree.h"

enum { MS = 1000 * 1000, KPROBE = 6, HIT_NS = 2000, FD = 1000 };

static uint64_t clock_ns, hits_of_own;
static unsigned measured;
static bool probed, refused;

static uint64_t played_now(const struct sys *s UNUSED, int clock UNUSED)
{
	return clock_ns;
}

/* The system call that is probed for the measurement. */
static unsigned played_uid(const struct sys *s UNUSED)
{
	clock_ns += 100 + (probed ? HIT_NS : 0);
	hits_of_own += probed;
	return 0;
}

static int played_open(const struct sys *s UNUSED, struct perf_attr *a, int pid UNUSED, int cpu UNUSED,
		       int group UNUSED, unsigned long flags UNUSED)
{
	CHECK_EQ(a->type, KPROBE);
	measured++;
	if (refused)
		return -EPERM;
	probed = true;
	return FD;
}

static ssize_t played_read(const struct sys *s, int fd, void *p, size_t n)
{
	if (fd != FD)
		return sys_live.read(s, fd, p, n);
	memcpy(p, &hits_of_own, sizeof(hits_of_own));
	return sizeof(hits_of_own);
}

static int played_close(const struct sys *s, int fd)
{
	if (fd != FD)
		return sys_live.close(s, fd);
	probed = false;
	return 0;
}

static struct event_list l;

static void start(struct probe_watch *w, uint32_t type)
{
	struct tfs top;
	struct err e;

	tree_begin(&top);
	tree_put("sys/bus/event_source/devices/kprobe/type", "6\n");
	tree_sys.now = played_now;
	tree_sys.uid = played_uid;
	tree_sys.perf_event_open = played_open;
	tree_sys.read = played_read;
	tree_sys.close = played_close;
	clock_ns = UINT64_C(5000) * MS;
	*(struct event *)vec_add(&l.v) = (struct event){ .attr = { .type = PERF_SOFTWARE }, .name = "other" };
	*(struct event *)vec_add(&l.v) = (struct event){ .attr = { .type = type }, .name = "probe" };
	CHECK_EQ(probe_watch_init(w, &tree_sys, &l, 4, &e), 0);
	CHECK_EQ(w->next, UINT64_MAX);
	probe_watch_begin(w);
}

/* A look: the probe's counts so far on two CPUs; those of the other event do not matter. */
static bool look(struct probe_watch *w, uint64_t ms, uint64_t cpu0, uint64_t cpu3)
{
	clock_ns += ms * MS;
	probe_watch_add(w, 0, 1, 1000000000);
	probe_watch_add(w, 1, 0, cpu0);
	probe_watch_add(w, 1, 3, cpu3);
	probe_watch_add(w, 1, 4, 1000000000);
	return probe_watch_judge(w);
}

static const char *words(const struct probe_watch *w, bool cpus)
{
	static char buf[200];
	struct out o = { .buf = buf, .cap = sizeof(buf) };

	probe_watch_put(w, cpus, &o);
	buf[o.n] = '\0';
	return buf;
}

TEST(probe_watch_tells_bad_probes_once_with_the_figures_of_a_window_of_their_own)
{
	struct probe_watch w;

	start(&w, KPROBE);
	CHECK_EQ(w.next, clock_ns + 100 * MS);
	/* Suspicious: a hit might take 50 us. The measuring goes on in the next window. */
	CHECK(!look(&w, 100, 10, 2000));
	CHECK(measured > 0);
	CHECK(!probed);
	/* 5,000 hits in 100 ms at 2 us. */
	clock_ns = w.since;
	CHECK(look(&w, 100, 20, 7000));
	CHECK_STR(words(&w, true),
		  "probes take about 10.0 % of CPU 3 (50,000 hits a second):\n  2.00 us each in the kernel");
	CHECK_STR(words(&w, false),
		  "probes take about 10.0 % of a core (50,000 hits a second):\n  2.00 us each in the kernel");
	CHECK_EQ(w.next, UINT64_MAX);
	/* Not again in the next run. */
	probe_watch_begin(&w);
	CHECK_EQ(w.next, UINT64_MAX);
	probe_watch_deinit(&w);
}

TEST(probe_watch_measures_nothing_while_hits_are_few)
{
	struct probe_watch w;

	start(&w, KPROBE);
	for (unsigned i = 1; i < 50; i++) {
		/* 900 a second. */
		CHECK(!look(&w, i == 1 ? 100 : 1000, 90 + (i - 1) * 900, i));
		CHECK_EQ(w.next, clock_ns + UINT64_C(1000) * MS);
	}
	CHECK(!measured);
	probe_watch_deinit(&w);
}

TEST(probe_watch_keeps_quiet_when_the_hits_are_cheap_enough)
{
	struct probe_watch w;

	start(&w, KPROBE);
	CHECK(!look(&w, 100, 2000, 0));
	clock_ns = w.since;
	CHECK(!look(&w, 100, 4000, 0));   /* 4 % */
	CHECK_EQ(w.next, clock_ns + UINT64_C(1000) * MS);
	CHECK(look(&w, 1000, 34000, 0));  /* 6 % */
	probe_watch_deinit(&w);
}

TEST(probe_watch_gives_up_where_a_hit_cannot_be_measured)
{
	struct probe_watch w;

	start(&w, KPROBE);
	refused = true;
	CHECK(!look(&w, 100, 1000000, 0));
	CHECK_EQ(w.next, UINT64_MAX);
	probe_watch_begin(&w);
	CHECK_EQ(w.next, UINT64_MAX);
	probe_watch_deinit(&w);
}

TEST(probe_watch_that_has_measured_before_tells_at_the_first_look)
{
	struct probe_watch w;

	start(&w, KPROBE);
	CHECK(probe_watch_measure(&w));
	clock_ns = w.since;
	CHECK(look(&w, 100, 4000, 0));
	CHECK_STR(words(&w, true),
		  "probes take about 8.0 % of CPU 0 (40,000 hits a second):\n  2.00 us each in the kernel");
	probe_watch_deinit(&w);
}

TEST(probe_watch_has_nothing_to_do_without_probes)
{
	struct probe_watch w;

	start(&w, PERF_SOFTWARE);
	CHECK_EQ(w.next, UINT64_MAX);
	CHECK(!probe_watch_wants(&w, 1));
	probe_watch_deinit(&w);
}
