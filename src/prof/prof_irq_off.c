/* prof_irq_off.c - sonde prof irq-off: a late timer shows that interrupts were disabled. */
#include "engine/line.h"
#include "prof/timer.h"

struct want {
	struct prof_want prof;
	struct timer_want timer;
	const char *than;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Timer"),
	OPT_STR(0, "period", struct want, timer.period, "<time>", "timer period: 10ms (default), 100us"),
	OPT_STR(0, "than", struct want, than, "<time>", "print periods that took longer (default: twice the period)"),
	OPT_SUB(prof_filter_opts, struct want, prof),
	OPT_SUB(prof_chain_opts, struct want, prof),
	OPT_END,
};

enum { DEFAULT_PERIOD_NS = 10000000 };

static int first(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	struct timer *t = p->own;
	int r = timer_period(&w->timer, &t->period_ns, e);

	if (r)
		return r;
	if (!t->period_ns)
		t->period_ns = DEFAULT_PERIOD_NS;
	t->than = 2 * t->period_ns;
	t->what = ": interrupts were off, or nobody ran this CPU";
	if (w->than && !line_read_time(w->than, &t->than))
		return err_set(e, EINVAL, "--than %s: it is no time; 20ms and 300us are", w->than);
	if (t->than <= t->period_ns)
		return err_set(e, EINVAL, "--than must be more than the period: each is as long as that");
	return timer_add(p, t->period_ns, e);
}

static int prepare(struct prof *p, struct err *e)
{
	return timer_check(p, TIMER_ALONE, e);
}

static int begin(struct prof *p, struct err *e)
{
	return timer_begin(p, NULL, e);
}

DEFINE_PROF(irq_off) = {
	.cmd = {
		.name = "irq-off", .family = "prof", .brief = "Find code that disables interrupts for long",
		.synopsis = "[--period <time>] [--than <time>] [-g] [options] [-- command [arguments]]",
		.details = PACKED(
			"A late timer means that its CPU took no interrupts: they were disabled, or firmware or a "
			"hypervisor had the CPU. The call chain is where interrupts were enabled again. A delay "
			"shorter than the period is seen only if the timer expires in it."),
		.examples = PACKED(
			"sonde prof irq-off --period 10ms --than 20ms -g\twith call chains\n"
			"sonde prof irq-off -C 0 --period 100us --than 300us\tshorter ones, on one CPU"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct timer), .first = first, .prepare = prepare, .begin = begin, .hit = timer_hit,
	.lost = timer_lost, .show = timer_show, .close = timer_close, .grouped = true, .lines = true,
};
