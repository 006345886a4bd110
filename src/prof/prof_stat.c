/* prof_stat.c - sonde prof stat: event counts in periods measured in user space, of CPUs or of tasks. */
#include "prof/counted.h"
#include "prof/grid.h"

struct want {
	struct prof_want prof;
	struct grid_want grid;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_SUB(grid_opts, struct want, grid),
	OPT_END,
};

static int prepare(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	int r = grid_open(p->own, p, &w->grid, e);

	if (!r && !p->specs.v.n) {
		err_set(e, EINVAL, "stat needs events to count: -e");
		r = err_hint(e, "sonde prof stat --help has examples");
	}
	return r;
}

static const char *name(const struct prof *p, uint32_t spec)
{
	return counted_name(p, spec);
}

static int add(struct grid *g, const struct prof *p, const struct counted *c)
{
	for (size_t at = 0; at < counted_places(c); at++)
		for (uint32_t i = 0; i < p->specs.v.n; i++) {
			struct counter_value v;

			if (counted_value(c, i, at, &v) && grid_add(g, i, counted_place(c, at), v.value, 1))
				return -ENOMEM;
		}
	return 0;
}

static int look(struct prof *p, struct counted *c, bool last, struct err *e)
{
	struct grid *g = p->own;

	g->unit = c->target.kind == TARGET_CPUS ? "cpu" : "tid";
	/* A partial last period is dropped. */
	if ((!last || c->target.argv) && add(g, p, c))
		return err_nomem(e);
	if ((last || grid_is_full(g)) && grid_show(g, p, name, last, p->how->out))
		return err_nomem(e);
	return 0;
}

static int alone(struct prof *p, struct out *o UNUSED, struct err *e)
{
	const struct grid *g = p->own;
	struct counted_want w = { .period_ns = g->period_ns, .look = look };
	int r = counted_run(p, &w, e);

	grid_close(p->own);
	return r;
}

DEFINE_PROF(stat) = {
	.cmd = {
		.name = "stat", .family = "prof", .brief = "Count events per CPU or task in periods",
		.synopsis = "-e <events> [--period <time>] [options] [-- command [arguments]]",
		.details = PACKED(
			"Counters are read from user space, one after the other; hrcount has the kernel read them all "
			"at once, but only per CPU. Event filters are the kernel's."),
		.examples = PACKED(
			"sonde prof stat -e sched:sched_switch -C 0 -i 1000 --period 100ms\tone CPU\n"
			"sonde prof stat -e sched:sched_switch,page-faults -p 1234 --period 200ms --perins\teach "
				"thread\n"
			"sonde prof stat -e sched:sched_switch,sched:sched_wakeup//cpus=\"3-4\"/ -C 0-5 --perins\tthe "
				"second event only on two CPUs"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct grid), .prepare = prepare, .alone = alone,
};
