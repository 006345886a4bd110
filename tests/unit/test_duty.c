/* test_duty.c - counters that are closed and opened again, and when, on a played kernel and a played clock. */
#include "live/duty.h"
#include "stat_fake.h"
#include "t.h"


enum { MS = 1000 * 1000, PROBE = 77, WORK = 55 };

/* What happens to open events while time goes by: for each CPU or task, hits of the probe in a ms. */
struct world {
	struct fake f;        /* first: the sys table's arg is both */
	uint64_t t;
	unsigned hits_per_ms, close_ms;
	int (*close)(const struct sys *s, int fd);
	int (*ioctl)(const struct sys *s, int fd, unsigned long request, uintptr_t arg);
	ssize_t (*read)(const struct sys *s, int fd, void *p, size_t n);
	unsigned busy;        /* per cent of the time that a task runs */
	unsigned work[2];     /* what a loop does in a ms, with its probe and without: a hit for every two */
	unsigned work_of_hit;
	unsigned slower;      /* by so many per cent more work that does as much, with its probe */
	uint64_t hits;        /* of it, seen or not */
	bool late;            /* its turn comes before every third look at its work and second start of its probe */
	unsigned looks, starts;
};

static uint64_t world_now(const struct sys *s, int clock UNUSED)
{
	return ((const struct world *)s->arg)->t;
}

static bool is_probed(const struct world *w)
{
	bool any = false;

	for (unsigned i = 0; i < w->f.n; i++)
		any |= w->f.ev[i].open && w->f.ev[i].attr.config == PROBE;
	return any;
}

/* A loop that never waits. */
static void pass_loop(struct world *w, uint64_t ms)
{
	bool probed = is_probed(w);
	uint64_t work = ms * w->work[!probed], hits = work / 2;

	for (unsigned i = 0; i < w->f.n; i++) {
		struct fake_event *ev = &w->f.ev[i];

		if (!ev->open)
			continue;
		ev->enabled += ms * MS;
		ev->running = ev->enabled;
		ev->value += ev->attr.config == PROBE ? hits
			     : probed ? work + work * w->slower / 100 + hits * w->work_of_hit
				      : work;
	}
	w->hits += hits;
	w->t += ms * MS;
}

static void pass(struct world *w, uint64_t ms)
{
	if (w->work[0]) {
		pass_loop(w, ms);
		return;
	}
	for (unsigned i = 0; i < w->f.n; i++) {
		struct fake_event *ev = &w->f.ev[i];
		uint64_t part = ev->pid > 0 ? w->busy : 100;

		if (!ev->open)
			continue;
		ev->enabled += ms * MS * part / 100;
		ev->running = ev->enabled;
		/* Not the same everywhere: the last CPU is the busiest. */
		ev->value += ms * (ev->attr.config == PROBE ? w->hits_per_ms * (unsigned)(ev->cpu + 2) / 3 : 1000);
	}
	w->t += ms * MS;
}

static int world_close(const struct sys *s, int fd)
{
	struct world *w = s->arg;

	w->t += w->close_ms * MS;
	return w->close(s, fd);
}

static ssize_t world_read(const struct sys *s, int fd, void *p, size_t n)
{
	struct world *w = s->arg;

	if (w->late && w->f.ev[fd - FAKE_FD].attr.config == WORK && w->looks++ % 3 == 1)
		pass(w, 4);
	return w->read(s, fd, p, n);
}

static int world_ioctl(const struct sys *s, int fd, unsigned long request, uintptr_t arg)
{
	struct world *w = s->arg;
	struct fake_event *ev = &w->f.ev[fd - FAKE_FD];

	if (w->late && request == PERF_IOC_RESET && ev->attr.config == PROBE && w->starts++ % 2)
		pass(w, 4);
	if (request == PERF_IOC_RESET)
		ev->value = 0;
	return w->ioctl(s, fd, request, arg);
}

static void world_init(struct world *w)
{
	fake_init(&w->f);
	w->f.sys.now = world_now;
	w->t = UINT64_C(5) * 1000 * MS;
	w->hits_per_ms = 100;
	w->close = w->f.sys.close;
	w->f.sys.close = world_close;
	w->ioctl = w->f.sys.ioctl;
	w->f.sys.ioctl = world_ioctl;
	w->read = w->f.sys.read;
	w->f.sys.read = world_read;
	w->late = false;
	w->looks = w->starts = 0;
	w->close_ms = 0;
	w->busy = 100;
	memset(w->work, 0, sizeof(w->work));
	w->work_of_hit = w->slower = 0;
	w->hits = 0;
}

/* Events as they come: type and config, alone or in the group of the first. */
static struct event_list events_of(const uint64_t *config, size_t n, int leader)
{
	struct event_list l = { 0 };

	for (size_t i = 0; i < n; i++) {
		struct event *ev = vec_add(&l.v);

		*ev = (struct event){
			.attr = { .type = PERF_SOFTWARE, .config = config[i] }, .name = "e",
			.leader = leader < 0 ? (int)i : leader, .unit = "", .scale = 1, .alternative = (unsigned)i + 1,
		};
	}
	return l;
}

static struct target two_cpus(void)
{
	struct target t = { .kind = TARGET_CPUS };

	cpus_set(&t.cpus, 0);
	cpus_set(&t.cpus, 1);
	return t;
}

static void start(struct counters *c, struct world *w, const struct event_list *l, const struct target *t)
{
	struct err e = { 0 };
	struct counters_want want = {
		.sys = &w->f.sys, .events = l, .target = t, .start = COUNTERS_LATER,
	};

	CHECK_EQ(counters_open(c, &want, &e), 0);
	counters_enable(c);
}

static unsigned n_open(const struct world *w)
{
	unsigned n = 0;

	for (unsigned i = 0; i < w->f.n; i++)
		n += w->f.ev[i].open;
	return n;
}

TEST(counters_pause_keeps_values_and_adds_the_time)
{
	struct world w;
	struct counters c;
	struct event_list l = events_of((uint64_t[]){ PROBE, 1 }, 2, -1);
	struct target t = two_cpus();

	world_init(&w);
	start(&c, &w, &l, &t);
	c.list.v[0].pausable = true;
	pass(&w, 10);
	counters_pause(&c);
	CHECK_EQ(n_open(&w), 2);
	pass(&w, 30);
	counters_resume(&c);
	CHECK_EQ(n_open(&w), 4);
	CHECK_EQ(w.f.n, 6);
	CHECK_EQ(w.f.ev[4].cpu, 0);
	CHECK_EQ(w.f.ev[5].cpu, 1);
	CHECK_EQ(w.f.ev[4].enabled_calls, 1);
	pass(&w, 10);
	counters_read(&c);

	const struct counter_slot *s = &c.slots.v[c.list.v[0].first + 1];

	CHECK_EQ(s->now.value, 20 * 100);
	CHECK_EQ(s->now.running, 20 * MS);
	CHECK_EQ(s->now.enabled, 50 * MS);
	CHECK_EQ(counters_value(&c, &c.list.v[0], 1).value, 50 * 100);
	/* The other one was never away. */
	CHECK_EQ(counters_value(&c, &c.list.v[1], 0).value, 50 * 1000);
	counters_close(&c);
	CHECK_EQ(n_open(&w), 0);
	event_list_deinit(&l);
}

/* What was done since the last pause or its end is played, too. */
static void did(void *arg, struct counters *c)
{
	for (size_t i = 0; i < c->slots.n; i++) {
		c->slots.v[i].paced = true;
		c->slots.v[i].did = *(const double *)arg;
	}
}

/* It may end with the task, before any hit: the pause before it is scaled by what both times on have seen. */
TEST(counters_time_on_that_has_just_begun_says_little)
{
	struct world w;
	struct counters c;
	struct event_list l = events_of((uint64_t[]){ PROBE }, 1, -1);
	struct target t = two_cpus();
	double work = 10;

	world_init(&w);
	start(&c, &w, &l, &t);
	c.list.v[0].pausable = true;
	c.pace = did;
	c.pace_arg = &work;
	pass(&w, 10);
	counters_pause(&c);
	work = 90;
	counters_resume(&c);
	work = 0;
	counters_refresh(&c);
	CHECK_EQ(counters_value(&c, &c.list.v[0], 1).value, 100 * 100);
	/* One in which nothing was done leaves the rate as it is. */
	counters_pause(&c);
	work = 10;
	counters_refresh(&c);
	CHECK_EQ(counters_value(&c, &c.list.v[0], 1).value, 110 * 100);
	counters_resume(&c);
	work = 1;
	counters_refresh(&c);
	CHECK_EQ(counters_value(&c, &c.list.v[0], 1).value, 100 * 100 + 10 * 1000 / 11);
	counters_close(&c);
	event_list_deinit(&l);
}

TEST(counters_read_tells_intervals_apart_from_looks)
{
	struct world w;
	struct counters c;
	struct event_list l = events_of((uint64_t[]){ PROBE }, 1, -1);
	struct target t = two_cpus();

	world_init(&w);
	start(&c, &w, &l, &t);
	c.list.v[0].pausable = true;
	pass(&w, 10);
	counters_read(&c);
	pass(&w, 10);
	counters_refresh(&c);
	counters_pause(&c);
	pass(&w, 20);
	counters_refresh(&c);
	counters_read(&c);
	/* An interval of 30 ms, half a third of it counted. */
	CHECK_EQ(counters_value(&c, &c.list.v[0], 1).value, 30 * 100);
	CHECK_EQ(counters_value(&c, &c.list.v[0], 1).running, 10 * MS);
	/* One that is all pause counts nothing, and says so. */
	pass(&w, 5);
	counters_read(&c);
	CHECK_EQ(counters_value(&c, &c.list.v[0], 1).value, 0);
	CHECK_EQ(counters_value(&c, &c.list.v[0], 1).running, 0);
	CHECK_EQ(counters_value(&c, &c.list.v[0], 1).enabled, 5 * MS);
	counters_resume(&c);
	pass(&w, 5);
	counters_read(&c);
	CHECK_EQ(counters_value(&c, &c.list.v[0], 1).value, 5 * 100);
	CHECK_EQ(counters_value(&c, &c.list.v[0], 1).enabled, 5 * MS);
	counters_close(&c);
	event_list_deinit(&l);
}

TEST(counters_pause_of_a_task_that_sleeps_most_of_the_time)
{
	struct world w;
	struct counters c;
	struct event_list l = events_of((uint64_t[]){ PROBE }, 1, -1);
	struct target t = { .kind = TARGET_TASKS };
	int *tid = vec_add(&t.tids);

	*tid = 4000000;
	world_init(&w);
	w.busy = 10;
	start(&c, &w, &l, &t);
	c.list.v[0].pausable = true;
	pass(&w, 100);
	counters_pause(&c);
	pass(&w, 900);
	counters_read(&c);
	/* Ten times the time is ten times the hits, whatever part of it the task has. */
	CHECK_EQ(c.slots.v[0].now.enabled, 100 * MS);
	CHECK_EQ(counters_value(&c, &c.list.v[0], 0).value, c.slots.v[0].now.value * 10);
	/* It has ended: no more of it. */
	w.f.dead_tid = 4000000;
	counters_resume(&c);
	CHECK_EQ(n_open(&w), 0);
	pass(&w, 1000);
	counters_pause(&c);
	counters_resume(&c);
	counters_read(&c);
	CHECK_EQ(c.slots.v[0].now.enabled, 100 * MS);
	CHECK_EQ(c.slots.v[0].now.running, 10 * MS);
	counters_close(&c);
	vec_free(&t.tids);
	event_list_deinit(&l);
}

TEST(counters_resume_makes_the_group_again)
{
	struct world w;
	struct counters c;
	struct event_list l = events_of((uint64_t[]){ 1, PROBE }, 2, 0);
	struct target t = two_cpus();

	world_init(&w);
	start(&c, &w, &l, &t);
	c.list.v[0].pausable = c.list.v[1].pausable = true;
	pass(&w, 10);
	counters_pause(&c);
	CHECK_EQ(n_open(&w), 0);
	pass(&w, 10);
	counters_resume(&c);
	CHECK_EQ(w.f.n, 8);
	/* Leaders on both CPUs, then the members with them. */
	CHECK_EQ(w.f.ev[4].group, -1);
	CHECK_EQ(w.f.ev[6].group, FAKE_FD + 4);
	CHECK_EQ(w.f.ev[7].group, FAKE_FD + 5);
	CHECK(w.f.ev[4].attr.flags & PERF_ATTR_DISABLED);
	CHECK_EQ(w.f.ev[4].enabled_calls, 1);
	CHECK_EQ(w.f.ev[6].enabled_calls, 0);
	pass(&w, 10);
	counters_read(&c);
	CHECK_EQ(counters_value(&c, &c.list.v[0], 0).value, 30 * 1000);
	CHECK_EQ(counters_value(&c, &c.list.v[1], 1).value, 30 * 100);
	counters_close(&c);
	event_list_deinit(&l);
}

/* --- when --- */

static void duty_of_two(struct duty *d, struct world *w, const struct event_list *l, double limit)
{
	*d = (struct duty){
		.sys = &w->f.sys, .events = l->v.v, .limit = limit, .next = UINT64_MAX, .kinds = calloc(l->v.n, 1),
		.pace = { .sys = &w->f.sys, .events = l->v.v, .by = PACE_TIME },
	};
	d->pace.kinds = d->kinds;
	d->pace.cost[PROBE_OF_KERNEL].ns = 2000;
	for (size_t i = 0; i < l->v.n; i++)
		d->kinds[i] = l->v.v[i].attr.config == PROBE;
}

/* Of counters that `start` has opened. */
static int start_duty(struct duty *d, struct world *w, struct counters *c)
{
	struct counters_want want = { .sys = &w->f.sys, .start = COUNTERS_LATER };
	struct err e = { 0 };

	return duty_start(d, c, &want, &e);
}

/* For so long, or until the probes are off for good. */
static bool live(struct duty *d, struct world *w, uint64_t ms)
{
	for (uint64_t i = 0; i < ms; i++) {
		pass(w, 1);
		if (w->t >= d->next && duty_step(d))
			return true;
	}
	return false;
}

TEST(duty_keeps_below_the_limit_and_scales)
{
	struct world w;
	struct counters c;
	struct duty d;
	struct event_list l = events_of((uint64_t[]){ PROBE, 1 }, 2, -1);
	struct target t = two_cpus();

	/* 100 hits of 2 us in a ms are a fifth of the busier CPU; a twentieth is allowed. */
	world_init(&w);
	start(&c, &w, &l, &t);
	duty_of_two(&d, &w, &l, 0.05);
	CHECK_EQ(start_duty(&d, &w, &c), 0);
	CHECK_EQ(d.next, UINT64_MAX);
	duty_begin(&d);
	CHECK(!live(&d, &w, 8000));
	CHECK(d.has_paused);
	CHECK_EQ((long long)(d.most * 1000 + 0.5), 200);
	duty_end(&d);
	CHECK_EQ(d.total_ns, 8000ull * MS);
	CHECK_EQ(d.on_ns, 2000ull * MS);
	counters_read(&c);
	CHECK(c.slots.v[1].now.value == 2000 * 100);
	/* A fifth of the time on went to the hits: without them there would have been 125 in a ms. */
	CHECK(llabs((long long)counters_value(&c, &c.list.v[0], 1).value - (2000 * 100 + 6000 * 125)) < 10);
	CHECK_EQ(counters_value(&c, &c.list.v[1], 1).value, 8000 * 1000);
	counters_close(&c);
	duty_deinit(&d);
	event_list_deinit(&l);
}

/* What was on for 100 ms of 2000, and is scaled by the time without the hits. */
TEST(duty_tells_how_much_may_be_missing)
{
	static const struct { unsigned hits_per_ms, hundredths, least, most; } cases[] = {
		/* Seen in a ms of a hit of 2 us: without them; if they took no time; if they took twice as much. */
		{ 50, 5556, 5000, 6250 }, { 200, 33333, 20000, 100000 }, { 300, 75000, 30000, 0 },
		/* Too little is left to tell. */
		{ 400, 160000, 40000, 0 }, { 900, 360000, 90000, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct world w;
		struct counters c;
		struct duty d;
		struct counter_doubt doubt;
		struct event_list l = events_of((uint64_t[]){ PROBE }, 1, -1);
		struct target t = two_cpus();

		world_init(&w);
		start(&c, &w, &l, &t);
		w.hits_per_ms = cases[i].hits_per_ms;
		duty_of_two(&d, &w, &l, 0.02);
		CHECK_EQ(start_duty(&d, &w, &c), 0);
		duty_begin(&d);
		CHECK(!live(&d, &w, 20000));
		duty_end(&d);
		counters_read(&c);

		const struct counter_slot *s = &c.slots.v[1];
		double off = 20000 - (double)s->now.running / MS, on = (double)s->now.value;
		double v = (double)counters_value(&c, &c.list.v[0], 1).value;
		long long got;

		CHECK(counters_doubt(&c, &c.list.v[0], 1, &doubt));
		CHECK_EQ((unsigned)((v - on) * 100 / off + 0.5), cases[i].hundredths);
		/* A thousandth is always in doubt. */
		got = (long long)((v - doubt.less - on) * 100 / off);
		CHECK(llabs(got - cases[i].least) < 60 + cases[i].hundredths / 500);
		CHECK_EQ(doubt.no_end, !cases[i].most);
		got = (long long)((v + doubt.more - on) * 100 / off);
		CHECK(doubt.no_end || llabs(got - cases[i].most) < cases[i].most / 100 + 1);
		CHECK(doubt.variance < 1);
		counters_close(&c);
		duty_deinit(&d);
		event_list_deinit(&l);
	}
}

/* A loop whose hits add that much to a counter that stays on; it was measured as `measured`. */
struct loop_case {
	enum pace_by by;
	unsigned of_hit;
	double measured;
	unsigned slower;
	bool late;
};

struct loop_seen {
	double real, got;
	struct counter_doubt doubt;
};

static void see_loop(struct loop_seen *seen, const struct loop_case *l)
{
	struct world w;
	struct counters c;
	struct duty d;
	struct err e = { 0 };
	struct event_list probes = events_of((uint64_t[]){ PROBE }, 1, -1);
	struct target t = { .kind = TARGET_TASKS };
	struct counters_want want = { .sys = &w.f.sys, .start = COUNTERS_LATER };
	int *tid = vec_add(&t.tids);

	*tid = 1;
	world_init(&w);
	w.work[0] = 900;
	w.work[1] = 12000;
	w.work_of_hit = l->of_hit;
	w.slower = l->slower;
	w.late = l->late;
	start(&c, &w, &probes, &t);
	duty_of_two(&d, &w, &probes, 0.05);
	d.pace.by = l->by;
	d.pace.cost[PROBE_OF_KERNEL].metered = l->measured;
	d.pace.meter = events_of((uint64_t[]){ WORK }, 1, -1);
	d.pace.target = t;
	CHECK_EQ(duty_start(&d, &c, &want, &e), 0);
	w.hits = 0;
	duty_begin(&d);
	CHECK(!live(&d, &w, 20000));
	duty_end(&d);
	counters_read(&c);
	CHECK(c.slots.v[0].now.value * 20 < w.hits);
	seen->real = (double)w.hits;
	seen->got = (double)counters_value(&c, &c.list.v[0], 0).value;
	CHECK(counters_doubt(&c, &c.list.v[0], 0, &seen->doubt));
	counters_close(&c);
	duty_deinit(&d);
	vec_free(&t.tids);
	event_list_deinit(&probes);
}

/* A counter that stays on tells what the loop did meanwhile; what a hit adds to that is known. */
TEST(duty_scales_by_what_was_done)
{
	for (unsigned of_hit = 0; of_hit < 2; of_hit++) {
		struct loop_seen seen;

		see_loop(&seen, &(struct loop_case){ PACE_USER_INSTRUCTIONS, of_hit, of_hit, 0 });
		CHECK(seen.got > 0.99 * seen.real && seen.got < 1.01 * seen.real);
		CHECK(!seen.doubt.no_end);
		CHECK_EQ(seen.doubt.less > 0.002 * seen.got, of_hit > 0);
	}
}

/* On the only CPU: what it does between the look at its hits and that at its work is one of a moment's neither. */
TEST(duty_looks_again_when_the_loop_had_its_turn_meanwhile)
{
	struct loop_seen seen;

	see_loop(&seen, &(struct loop_case){ PACE_USER_INSTRUCTIONS, .late = true });
	CHECK(seen.got > 0.999 * seen.real && seen.got < 1.001 * seen.real);
}

/* A turn of the loop has two. */
TEST(duty_range_has_what_a_hit_takes_more_or_less)
{
	static const enum pace_by by[] = { PACE_TASK_TIME, PACE_USER_CYCLES };
	static const unsigned of_hit[] = { 1, 4, 20 };
	static const double measured[] = { 0.4, 0.8, 1, 1.3 };

	for (size_t i = 0; i < ARRAY_SIZE(by) * ARRAY_SIZE(of_hit) * ARRAY_SIZE(measured); i++) {
		double part = measured[i % ARRAY_SIZE(measured)];
		unsigned takes = of_hit[i / ARRAY_SIZE(measured) % ARRAY_SIZE(of_hit)];
		struct loop_seen seen;

		see_loop(&seen, &(struct loop_case){ by[i / ARRAY_SIZE(measured) / ARRAY_SIZE(of_hit)], takes,
						     takes * part, 0 });
		CHECK(seen.got - seen.doubt.less <= 1.01 * seen.real);
		CHECK(seen.doubt.no_end || seen.got + seen.doubt.more >= 0.99 * seen.real);
		/* The longer the loop, the less it matters how long a hit takes. */
		CHECK(takes > 1 || part < 0.8 || (seen.got > 0.8 * seen.real && seen.got < 1.2 * seen.real));
		CHECK(part != 1 || (seen.got > 0.99 * seen.real && seen.got < 1.01 * seen.real) || seen.doubt.no_end);
	}
}

/* Cycles are no instructions: in an emulator a turn of a loop may need more of them while the probe is there. */
TEST(duty_range_of_cycles_has_a_program_that_is_slower)
{
	for (unsigned slower = 0; slower <= 60; slower += 20) {
		struct loop_seen seen;

		see_loop(&seen, &(struct loop_case){ PACE_USER_CYCLES, 0, 0, slower });
		CHECK(seen.got + seen.doubt.more >= seen.real && seen.got - seen.doubt.less <= seen.real);
		CHECK(!seen.doubt.no_end);
	}
}

/* Four times on that differ tell their mean less well than forty do. */
TEST(counters_doubt_few_turns_more)
{
	double variance[2];

	for (size_t i = 0; i < 2; i++) {
		unsigned turns = i ? 40 : 4;
		struct counter_slot s = {
			.paced = true,
			.now = { .value = 100 * turns, .enabled = 20 * turns, .running = turns, .work = 20 * turns,
				 .seen = turns },
			.turns = { turns, 10900.0 * turns, 100.0 * turns, turns },
		};
		struct counter k = { .n = 1 };
		struct counters c = { .slots.v = &s, .slots.n = 1 };
		struct counter_doubt doubt;

		CHECK(counters_doubt(&c, &k, 0, &doubt));
		variance[i] = doubt.variance / turns;
	}
	/* (3.18 / 2.07)^2 for the distribution, 1.3 for what the mean takes of the deviations. */
	CHECK(variance[0] > 2.8 * variance[1] && variance[0] < 3.4 * variance[1]);
}

TEST(duty_counts_rates_that_change)
{
	struct world w;
	struct counters c;
	struct duty d;
	struct event_list l = events_of((uint64_t[]){ PROBE }, 1, -1);
	struct target t = two_cpus();

	/* Where much happens pauses are long: the mean of the times on would be little more than the low rate. */
	world_init(&w);
	start(&c, &w, &l, &t);
	duty_of_two(&d, &w, &l, 0.02);
	CHECK_EQ(start_duty(&d, &w, &c), 0);
	duty_begin(&d);
	for (unsigned i = 0; i < 6; i++) {
		w.hits_per_ms = i % 2 ? 12 : 300;
		CHECK(!live(&d, &w, 10000));
	}
	duty_end(&d);
	counters_read(&c);

	/* 12 are too few to matter; with 300 in a ms more than half of it is taken, and they are seldom looked at. */
	long long want = 3 * 10000 * (12 + 735), got = (long long)counters_value(&c, &c.list.v[0], 1).value;

	CHECK(llabs(got - want) < want / 5);
	counters_close(&c);
	duty_deinit(&d);
	event_list_deinit(&l);
}

TEST(duty_leaves_a_cheap_probe_alone)
{
	struct world w;
	struct counters c;
	struct duty d;
	struct event_list l = events_of((uint64_t[]){ PROBE }, 1, -1);
	struct target t = two_cpus();

	world_init(&w);
	w.hits_per_ms = 3;
	start(&c, &w, &l, &t);
	duty_of_two(&d, &w, &l, 0.05);
	CHECK_EQ(start_duty(&d, &w, &c), 0);
	duty_begin(&d);
	CHECK(!live(&d, &w, 3000));
	CHECK(!d.has_paused);
	/* Then it is hit a lot: a window later it is off, and on again when nothing happens any more. */
	w.hits_per_ms = 100;
	CHECK(!live(&d, &w, 150));
	CHECK_EQ(n_open(&w), 0);
	CHECK_EQ(d.state, DUTY_PAUSED);
	w.hits_per_ms = 0;
	CHECK(!live(&d, &w, 4000));
	CHECK_EQ(n_open(&w), 2);
	duty_end(&d);
	CHECK(d.on_ns < d.total_ns && d.on_ns > d.total_ns / 2);
	counters_close(&c);
	duty_deinit(&d);
	event_list_deinit(&l);
}

TEST(duty_gives_up)
{
	struct world w;
	struct counters c;
	struct duty d;
	struct event_list l = events_of((uint64_t[]){ PROBE }, 1, -1);
	struct target t = two_cpus();

	world_init(&w);
	start(&c, &w, &l, &t);
	duty_of_two(&d, &w, &l, 0.000001);
	CHECK_EQ(start_duty(&d, &w, &c), 0);
	duty_begin(&d);
	CHECK(live(&d, &w, 1000));
	CHECK_EQ(n_open(&w), 0);
	CHECK_EQ((long long)(d.share * 1000 + 0.5), 200);
	CHECK_EQ(d.next, UINT64_MAX);
	CHECK_EQ(w.t, 5100ull * MS);
	pass(&w, 900);
	duty_end(&d);
	CHECK_EQ(d.on_ns, 100ull * MS);
	CHECK_EQ(d.total_ns, 1000ull * MS);
	counters_read(&c);
	CHECK_EQ(counters_value(&c, &c.list.v[0], 1).value, 100 * 100 + 900 * 125);
	counters_close(&c);
	duty_deinit(&d);
	event_list_deinit(&l);
}

TEST(duty_allows_for_the_time_that_switching_takes)
{
	struct world w;
	struct counters c;
	struct duty d;
	struct event_list l = events_of((uint64_t[]){ PROBE }, 1, -1);
	struct target t = two_cpus();

	/* Two descriptors: 40 ms for 100, of which half count, against a quarter of the time. */
	world_init(&w);
	w.close_ms = 20;
	start(&c, &w, &l, &t);
	duty_of_two(&d, &w, &l, 0.05);
	CHECK_EQ(start_duty(&d, &w, &c), 0);
	duty_begin(&d);
	CHECK(!live(&d, &w, 100));
	CHECK_EQ(d.state, DUTY_PAUSED);
	CHECK_EQ(d.on_ns, 120ull * MS);
	CHECK_EQ((d.next - w.t + MS / 2) / MS, 3 * 120);
	w.close_ms = 0;
	counters_close(&c);
	duty_deinit(&d);
	event_list_deinit(&l);
}

TEST(duty_is_for_probes)
{
	struct world w;
	struct duty d;
	struct err e = { 0 };
	struct event_list l = events_of((uint64_t[]){ 1, 2 }, 2, -1);

	world_init(&w);
	CHECK_EQ(duty_init(&d, &(struct pace_want){ .sys = &w.f.sys, .events = &l }, 0.05, &e), -EINVAL);
	CHECK_STR(e.text, "--max-overhead is for probes: none of the events is one");
	event_list_deinit(&l);
}
