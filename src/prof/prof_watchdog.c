/*
 * prof_watchdog.c - sonde prof watchdog: CPUs for which the kernel's lockup detectors are about to warn.
 *
 * Each CPU has a timer (kernel/watchdog.c, watchdog_timer_fn) that runs five times in twice kernel.watchdog_thresh
 * seconds. Each time it wakes a task of the highest priority: migration/N, watchdog/N before Linux 4.19. A CPU whose
 * timer runs and whose task does not is in a soft lockup; one whose timer does not run takes no interrupts.
 */
#include "engine/line.h"
#include "image/kallsyms_text.h"
#include "prof/stacks.h"
#include "prof/tasks.h"
#include "tracefs/kind.h"

#define NS_PER_S UINT64_C(1000000000)
#define TIMER_FUNCTION "watchdog_timer_fn"

struct want {
	struct prof_want prof;
	uint64_t freq;
	const char *thresh;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_HEAD("Detectors"),
	OPT_U64('F', "freq", struct want, freq, "<hz>", "checks per second and CPU (default: 1)"),
	OPT_STR(0, "thresh", struct want, thresh, "<s>",
		"kernel.watchdog_thresh to use (default: this machine's; for recordings 10)"),
	OPT_SUB(prof_chain_opts, struct want, prof),
	OPT_END,
};

enum { TIMER, TASK, SAMPLE };
enum { USUAL_THRESH = 10 };

/* State of a CPU: when its timer and its task ran last, ns; its last stack. */
struct watched {
	uint64_t timer_at, task_at;
	uint32_t stack;
	bool is_soft, is_hard;           /* reported, and not yet over */
};

struct watchdog {
	struct prof_stacks stacks;
	uint64_t period, hard_after, soft_after;   /* ns */
	uint64_t thresh;                 /* s */
	uint32_t n_cpus;                 /* the highest CPU seen + 1 */
	uint64_t soft, hard, timers;
	struct watched of[CPUS_MAX];
};

/* --- the settings of this machine --- */

static int read_thresh(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	struct watchdog *d = p->own;

	d->thresh = USUAL_THRESH;
	if (w->thresh && (!str_u64(sv_from(w->thresh), 10, &d->thresh) || !d->thresh || d->thresh > 3600))
		return err_set(e, EINVAL, "--thresh %s: it is a number of seconds", w->thresh);
	if (!w->thresh && !prof_want(p)->from.input)
		sys_read_u64(p->sys, &d->thresh, "/proc/sys/kernel/watchdog_thresh");
	if (!d->thresh) {
		err_set(e, EINVAL, "kernel.watchdog_thresh is 0: the kernel's detectors are off");
		return err_hint(e, "sysctl kernel.watchdog_thresh=10 switches them on");
	}
	/* The soft lockup threshold is twice thresh, a period a fifth of that: set_sample_period(). */
	d->period = d->thresh * 2 * (NS_PER_S / 5);
	d->hard_after = d->period + NS_PER_S / 5;
	/* The task runs right behind the timer: soft_after is between one period, its normal distance, and two. */
	d->soft_after = d->period + d->period / 2;
	return 0;
}

static int check_live(struct prof *p, struct err *e)
{
	struct target_want *t = &prof_want(p)->target;
	uint64_t on = 1;

	if (t->pids || t->tids || t->cgroups)
		return err_set(e, EINVAL, "watchdog looks at CPUs (-C): -p, -t and --cgroups have no meaning");
	if (sys_read_u64(p->sys, &on, "/proc/sys/kernel/soft_watchdog")) {
		err_set(e, ENOENT, "this kernel has no lockup detectors (CONFIG_SOFTLOCKUP_DETECTOR)");
		return err_hint(e, "sonde prof irq-off finds CPUs that take no interrupts");
	}
	if (!on) {
		err_set(e, EINVAL, "kernel.soft_watchdog is 0: no timer runs that could be looked at");
		return err_hint(e, "sysctl kernel.soft_watchdog=1 switches it on");
	}
	return 0;
}

/* Address of the timer function, for the kernel's filter. */
static int timer_address(struct prof *p, uint64_t *addr, struct err *e)
{
	struct sv name = sv_from(TIMER_FUNCTION);
	char *text;
	size_t n;
	int r = sys_read_all(p->sys, "/proc/kallsyms", KALLSYMS_TEXT_MAX, &text, &n, e);

	if (r)
		return r;
	*addr = kallsyms_address((struct sv){ text, n }, name);
	free(text);
	if (*addr)
		return 0;
	err_set(e, ENOENT, "/proc/kallsyms has no address of " TIMER_FUNCTION);
	return err_hint(e, "addresses are for root, and kernel.kptr_restrict must not be 2");
}

static int prepare(struct prof *p, struct err *e)
{
	const struct want *w = p->want;
	bool live = !prof_want(p)->from.input;
	char text[100] = "timer:hrtimer_expire_entry";
	uint64_t addr = 0;
	int r = prof_own_only(p, e);

	if (r)
		return r;
	if (w->freq > 10000)
		return err_set(e, EINVAL, "-F %llu: 1 is usual", (unsigned long long)w->freq);
	r = read_thresh(p, e);
	r = r || !live ? r : check_live(p, e);
	if (!r && live) {
		r = timer_address(p, &addr, e);
		snprintf(text, sizeof(text), "timer:hrtimer_expire_entry/function==0x%llx/", (unsigned long long)addr);
	}
	r = r ? r : prof_add(p, text, e);
	r = r ? r : prof_add(p, "sched:sched_switch/next_comm~\"migration/*\"||next_comm~\"watchdog/*\"/", e);
	snprintf(text, sizeof(text), "profile/-F %llu/", (unsigned long long)(w->freq ? w->freq : 1));
	r = r ? r : prof_add(p, text, e);
	if (!r)
		p->specs.v.v[SAMPLE].optional = !live;
	return r;
}

static int begin(struct prof *p, struct err *e)
{
	struct watchdog *d = p->own;

	return prof_stacks_open(&d->stacks, p, e);
}

/* --- */

/* A detector or CPU that was switched off meanwhile is no lockup. */
static bool is_on(const struct prof *p, uint32_t cpu)
{
	struct err e = { 0 };
	struct cpus online;
	char text[1024];
	uint64_t on = 0;

	if (!feed_is_live(&p->feed))
		return true;
	if (sys_read_u64(p->sys, &on, "/proc/sys/kernel/soft_watchdog") || !on ||
	    sys_cpus_online(p->sys, &online, &e) || !cpus_has(&online, cpu))
		return false;
	if (sys_read_line(p->sys, text, sizeof(text), "/proc/sys/kernel/watchdog_cpumask") < 0 ||
	    cpus_parse(&online, sv_from(text), &e))
		return true;
	return cpus_has(&online, cpu);
}

static void put_stack(struct watchdog *d, const struct watched *c, struct out *o)
{
	if (c->stack)
		callers_put(&d->stacks.callers, c->stack, o);
}

static void put_when(struct prof *p, uint64_t time, uint32_t cpu, const char *what)
{
	struct out *o = p->feed.expr.out;

	line_date(&p->feed, time, o);
	out_printf(o, "[%03u] %llu.%06llu: %s", cpu, (unsigned long long)(time / NS_PER_S),
		   (unsigned long long)(time / 1000 % 1000000), what);
}

static void tell(struct prof *p, uint32_t cpu, uint64_t time, uint64_t since, const char *what, const char *who)
{
	const struct watchdog *d = p->own;
	struct out *o = p->feed.expr.out;
	char took[LINE_TIME];

	put_when(p, time, cpu, "WILL: ");
	out_printf(o, "%s - CPU#%u: %s has not run for %s", what, cpu, who, line_time(took, time - since));
	out_printf(o, "; the kernel tells after %llu s\n", (unsigned long long)d->thresh * (*what == 's' ? 2 : 1));
}

static void tell_over(struct prof *p, uint32_t cpu, uint64_t time, uint64_t since, const char *what)
{
	struct out *o = p->feed.expr.out;
	char took[LINE_TIME];

	put_when(p, time, cpu, "OVER: ");
	out_printf(o, "%s - CPU#%u: after %s\n", what, cpu, line_time(took, time - since));
}

static void look_at_timers(struct watchdog *d, struct prof *p, uint64_t now)
{
	for (uint32_t i = 0; i < d->n_cpus; i++) {
		struct watched *c = &d->of[i];

		if (!c->timer_at || c->is_hard || now < c->timer_at || now - c->timer_at <= d->hard_after)
			continue;
		if (!is_on(p, i)) {
			*c = (struct watched){ 0 };
			continue;
		}
		c->is_hard = true;
		d->hard++;
		tell(p, i, now, c->timer_at, "hard lockup", "its timer");
		put_stack(d, c, p->feed.expr.out);
	}
}

static void timer_ran(struct watchdog *d, struct prof *p, const struct hit *h)
{
	struct watched *c = &d->of[h->cpu];

	d->timers++;
	if (c->is_hard)
		tell_over(p, h->cpu, h->time, c->timer_at, "hard lockup");
	c->timer_at = h->time;
	/* After a hard lockup count anew: without interrupts the watchdog task could not run, either. */
	if (!c->task_at || c->is_hard)
		c->task_at = h->time;
	c->is_hard = false;
	if (c->is_soft || h->time - c->task_at <= d->soft_after)
		return;
	c->is_soft = true;
	d->soft++;
	tell(p, h->cpu, h->time, c->task_at, "soft lockup", "its task");
	put_stack(d, c, p->feed.expr.out);
}

static void task_ran(struct prof *p, struct watched *c, const struct hit *h)
{
	if (c->is_soft)
		tell_over(p, h->cpu, h->time, c->task_at, "soft lockup");
	c->is_soft = false;
	c->task_at = h->time;
}

static int sampled(struct watchdog *d, struct prof *p, const struct hit *h)
{
	struct watched *c = &d->of[h->cpu];
	struct out *o = p->feed.expr.out;
	uint32_t stack = callers_of(&d->stacks.callers, h);

	if (stack == CALLTREE_NONE)
		return -ENOMEM;
	c->stack = stack;
	if (!c->is_soft && !c->is_hard)
		return 0;
	line_put(&p->feed, h, o);
	out_char(o, '\n');
	put_stack(d, c, o);
	return prof_stacks_draw(&d->stacks, p, stack, h->tid, 1);
}

/* A recording may have events of all timers. */
static bool is_watchdogs(struct prof *p, const struct hit *h)
{
	const char *name;

	if (feed_is_live(&p->feed))
		return true;
	name = p->feed.expr.symbol(p->feed.expr.arg, hit_field(h, HRTIMER_FUNCTION));
	return name && !strcmp(name, TIMER_FUNCTION);
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct watchdog *d = p->own;
	int r = 0;

	if (h->cpu >= CPUS_MAX)
		return 0;
	d->n_cpus = MAX(d->n_cpus, h->cpu + 1);
	if (hit_kind(h) == KIND_SCHED_SWITCH)
		task_ran(p, &d->of[h->cpu], h);
	else if (hit_kind(h) != KIND_HRTIMER_EXPIRE_ENTRY)
		r = sampled(d, p, h);
	else if (is_watchdogs(p, h))
		timer_ran(d, p, h);
	look_at_timers(d, p, h->time);
	return r;
}

/* Lost events hide what happened: restart all measurements. */
static int lost(struct prof *p, uint32_t cpu)
{
	struct watchdog *d = p->own;

	for (uint32_t i = 0; i < d->n_cpus; i++)
		if (i == cpu || cpu == UINT32_MAX)
			d->of[i] = (struct watched){ 0 };
	return 0;
}

static int show(struct prof *p, bool last, struct out *o UNUSED, struct err *e)
{
	struct watchdog *d = p->own;
	char line[200];
	uint32_t n = 0, standing = 0;

	for (uint32_t i = 0; i < d->n_cpus; i++) {
		n += d->of[i].timer_at != 0;
		standing += d->of[i].is_soft || d->of[i].is_hard;
	}
	if (last && !prof_want(p)->form.quiet) {
		snprintf(line, sizeof(line),
			 "%llu soft and %llu hard lockups were near, %u last to the end; %u CPUs' timers were seen, "
			 "%llu times",
			 (unsigned long long)d->soft, (unsigned long long)d->hard, standing, n,
			 (unsigned long long)d->timers);
		p->how->note(p->how->arg, line);
	}
	return prof_stacks_show(&d->stacks, p, last, e);
}

static void close(struct prof *p)
{
	struct watchdog *d = p->own;

	prof_stacks_close(&d->stacks);
}

DEFINE_PROF(watchdog) = {
	.cmd = {
		.name = "watchdog", .family = "prof",
		.brief = "Warn of CPUs before the kernel's lockup detectors do",
		.synopsis = "[-F <hz>] [-g] [-C <cpus>] [options] [-- command [arguments]]",
		.details = PACKED(
			"Reports a CPU whose highest-priority task did not run for 1.5 periods of the kernel's "
			"watchdog (soft lockup: kernel code does not yield the CPU), or whose timer did not run for "
			"more than one period (hard lockup: interrupts are disabled), what the CPU did, and when it "
			"ended. Events of other CPUs trigger the check: with one CPU, or if all are stuck, the report "
			"comes afterwards."),
		.examples = PACKED(
			"sonde prof watchdog -F 1 -g\tall CPUs, with call chains\n"
			"sonde prof watchdog -C 0 -F 10 -g\tone CPU\n"
			"sonde prof watchdog -i perf.data --thresh 10\ta recording with timer:hrtimer_expire_entry and "
				"sched:sched_switch"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = sizeof(struct watchdog), .prepare = prepare, .begin = begin, .hit = hit, .lost = lost, .show = show,
	.close = close, .lines = true, .everywhere = true,
};
