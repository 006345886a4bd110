/* prof_hrtimer.c - sonde prof hrtimer: show the periods of a timer that an expression selects. */
#include "prof/timer.h"

struct want {
	struct prof_want prof;
	struct timer_want timer;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Timer"),
	OPT_STR(0, "period", struct want, timer.period, "<time>",
		"length of a period: 50ms, 100us; without a unit ns"),
	OPT_U64('F', "freq", struct want, timer.freq, "<hz>", "periods per second"),
	OPT_SUB(prof_filter_opts, struct want, prof),
	OPT_SUB(prof_chain_opts, struct want, prof),
	OPT_END,
};

static int first(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	struct timer *t = p->own;
	int r = timer_period(&w->timer, &t->period_ns, e);

	if (!r && !t->period_ns)
		return err_set(e, EINVAL, "how often? -F 100, or --period 10ms");
	if (!r && !p->word) {
		err_set(e, EINVAL,
			"hrtimer needs an expression, in one word: 'sched_switch == 0 && period > 50000000'");
		return err_hint(e, "its names are those of the events (or their alias=), and period in ns");
	}
	return r ? r : timer_add(p, t->period_ns, e);
}

static int prepare(struct prof *p, struct err *e)
{
	return timer_check(p, TIMER_EITHER, e);
}

static int begin(struct prof *p, struct err *e)
{
	return timer_begin(p, p->word, e);
}

DEFINE_PROF(hrtimer) = {
	.cmd = {
		.name = "hrtimer", .family = "prof",
		.brief = "Sample a condition over event counts in periods of a timer",
		.synopsis = "[-e <events>] -F <hz>|--period <time> [-g] [options] '<expression>' "
			    "[-- command [arguments]]",
		.details = PACKED(
			"The expression is C; an event's name is its count on that CPU in the period, and period is "
			"the real length in ns. A sample is printed when the expression is true. A recording needs an "
			"event group with :S, led by cpu-clock: see hrcount."),
		.examples = PACKED(
			"sonde prof hrtimer -e sched:sched_switch -C 0 --period 50ms 'sched_switch==0'\tthe task that "
				"ran without a switch\n"
			"sonde prof hrtimer -e sched:sched_switch,sched:sched_wakeup -C 0-5 --period 50ms -g "
				"'sched_switch==0 && sched_wakeup==0 && period > 60000000'\tand the timer was late"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct timer), .first = first, .prepare = prepare, .begin = begin, .hit = timer_hit,
	.lost = timer_lost, .show = timer_show, .close = timer_close, .grouped = true, .lines = true,
	.takes_word = true,
};
