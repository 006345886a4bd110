/* prof_hrcount.c - sonde prof hrcount: event counts in short periods of a timer in the kernel. */
#include "engine/counts.h"
#include "prof/grid.h"
#include "prof/timer.h"

struct want {
	struct prof_want prof;
	struct grid_want grid;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_SUB(grid_opts, struct want, grid),
	OPT_END,
};

struct hrcount {
	struct grid grid;
	struct counts counts;
	uint64_t longer;                 /* periods extended by a late timer */
	uint64_t unknown;                /* samples without a CPU */
};

static int first(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	struct hrcount *c = p->own;
	int r = grid_open(&c->grid, p, &w->grid, e);

	c->grid.unit = "cpu";
	return r ? r : timer_add(p, c->grid.period_ns, e);
}

static int prepare(struct prof *p, struct err *e)
{
	return timer_check(p, TIMER_WITH_EVENTS, e);
}

static int begin(struct prof *p, struct err *e)
{
	struct hrcount *c = p->own;

	grid_recorded(&c->grid, p);
	return counts_open(&c->counts, &p->feed, e);
}

/* Add the counts of each event on a CPU, which cover that many periods. */
static int add(struct hrcount *c, const struct prof *p, uint32_t cpu, uint64_t periods)
{
	for (uint32_t i = 1; i < c->counts.n; i++) {
		const struct cpus *cpus = p->feed.taps.v[i].cpus;

		if ((!cpus || cpus_has(cpus, cpu)) &&
		    grid_add(&c->grid, i, cpu, c->counts.now[i], periods))
			return -ENOMEM;
	}
	return 0;
}

/* Number of periods that a sample covers: more than one if samples before it are missing. */
static uint64_t periods_of(const struct hrcount *c)
{
	uint64_t period = c->grid.period_ns / c->grid.joined;

	return MAX(c->counts.now[0] / period + (c->counts.now[0] % period >= period / 2), 1u);
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct hrcount *c = p->own;
	int r = h->tap->index ? 0 : counts_take(&c->counts, &p->feed, h);
	uint64_t periods;

	if (r <= 0)
		return r;
	if (h->cpu >= CPUS_MAX) {
		c->unknown++;
		return 0;
	}
	/* The counts of missing samples are in this one; later samples keep their positions. */
	periods = periods_of(c);
	c->longer += periods > 1;
	if (add(c, p, h->cpu, periods))
		return -ENOMEM;
	return grid_is_full(&c->grid) ? PROF_SHOW : 0;
}

static const char *name(const struct prof *p, uint32_t tap)
{
	const struct tap *t = &p->feed.taps.v[tap];

	return t->spec->alias ? t->name : t->label;
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct hrcount *c = p->own;
	int r = grid_show(&c->grid, p, name, last, o);

	if (last) {
		prof_count(p, o, c->longer,
			   "samples came late by a period and more, or are missing: one has the counts of several");
		prof_count(p, o, counts_silent(&c->counts, &p->feed, 3 * c->grid.period_ns), COUNTS_SILENT);
		prof_count(p, o, c->unknown, "samples do not tell their CPU");
	}
	return r ? err_nomem(e) : 0;
}

static void close(struct prof *p)
{
	struct hrcount *c = p->own;

	grid_close(&c->grid);
	counts_close(&c->counts);
}

DEFINE_PROF(hrcount) = {
	.cmd = {
		.name = "hrcount", .family = "prof", .brief = "Count events per CPU in periods down to 10 us",
		.synopsis = "-e <events> [--period <time>] [options] [-- command [arguments]]",
		.details = PACKED(
			"A timer in the kernel reads all counters of its CPU at once. A row has the periods of one "
			"interval (-i, default one second). A recording needs an event group with :S: record -e "
			"'{cpu-clock/period=10000000/,sched:sched_switch}:S' -C 0."),
		.examples = PACKED(
			"sonde prof hrcount -e sched:sched_switch -C 0 --period 50ms -i 1000\tperiods of 50 ms\n"
			"sonde prof hrcount -e sched:sched_switch,sched:sched_wakeup//alias=wakeup/ -C 0-5 "
				"--perins\teach CPU\n"
			"sonde prof hrcount -e irq:irq_handler_entry//cpus=\"3-4\"/ -C 0-5 --period 100us -i "
				"10\tperiods of 100 us"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct hrcount), .first = first, .prepare = prepare, .begin = begin, .hit = hit,
	.show = show, .close = close, .grouped = true, .own_intervals = true,
};
