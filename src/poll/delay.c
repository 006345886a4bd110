/*
 * delay.c - sonde ovs delay: system calls, interrupts and scheduling of a program's threads, summed up in samples. A
 * sample has a fixed length or lasts from one trigger event to another.
 */
#include "poll/delay.h"

#include "analyse/taskprof.h"
#include "engine/line.h"
#include "poll/poll.h"
#include "tracefs/kind.h"

#include <time.h>

#define NS_PER_S UINT64_C(1000000000)

/* Bytes. The kernel takes filters of less than a page. Polling threads make half a million system calls a second. */
enum { FILTER_MAX = 4000, RING_BYTES = 4 << 20 };

/* Rings are read every 50 ms; events that are slack_ns old have been read by then. */
static const uint64_t tick_ns = 50 * 1000 * 1000, slack_ns = 150 * 1000 * 1000, usual_ns = NS_PER_S / 2;

static const char switchd[] = "ovs-vswitchd";

static int set_events(void *field, const char *value, struct err *e)
{
	struct delay_events *v = field;

	v->on = true;
	if (value && !line_read_time(value, &v->least))
		return err_set(e, EINVAL, "-s %s: it is no time, as 1000 (ns), 20us or 5ms", value);
	return 0;
}

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct delay_want, prof),
	OPT_HEAD("Samples"),
	OPT_STR(0, "sample-time", struct delay_want, times.sample, "<s>",
		"length of a sample (default: 0.5; of a recording or a command, all of it)"),
	OPT_U64(0, "sample-count", struct delay_want, times.count, "<n>",
		"number of samples (default: 1; of a recording: all)"),
	OPT_STR(0, "sample-interval", struct delay_want, times.interval, "<s>", "seconds between two samples"),
	OPT_STR(0, "start-trigger", struct delay_want, times.start, "<trigger>",
		"start of a sample: t:SYSTEM:EVENT, k:FUNCTION and kr: (return) in the kernel, up:FUNCTION and ur: "
		"(return) in the program, u:PROVIDER:MARKER"),
	OPT_STR(0, "stop-trigger", struct delay_want, times.stop, "<trigger>", "end of a sample, in the same form"),
	OPT_U64(0, "trigger-delta", struct delay_want, times.delta, "<ns>",
		"minimum time between the triggers: shorter samples are not shown"),
	OPT_HEAD("System calls"),
	OPT_CALL('s', "syscall-events", OPT_LAST_DEFAULT, struct delay_want, events, set_events, "<ns>",
		 "print each system call longer than this, with -g its call chain"),
	OPT_FLAG(0, "skip-syscall-poll-events", struct delay_want, events.no_poll, "but not poll"),
	OPT_SUB(prof_chain_opts, struct delay_want, prof),
	OPT_END,
};

/* --- options --- */

/* A number of seconds, or a time with a unit. */
static int read_seconds(const char *name, const char *text, uint64_t *ns, struct err *e)
{
	double s;

	if (str_double(sv_from(text), &s) ? s < 0 || s > 1e9 : !line_read_time(text, ns))
		return err_set(e, EINVAL, "%s %s: it is no time, as 0.5 (s) or 20ms", name, text);
	if (str_double(sv_from(text), &s))
		*ns = (uint64_t)(s * (double)NS_PER_S);
	return 0;
}

static int read_times(struct delay *d, struct prof *p, struct err *e)
{
	const struct delay_want *w = p->want;
	bool whole = w->prof.from.input || p->argc;
	int r = 0;

	d->sample_ns = whole || w->times.stop ? UINT64_MAX : usual_ns;
	d->count = w->times.count ? w->times.count : w->prof.from.input || p->argc ? UINT64_MAX : 1;
	if (w->times.sample)
		r = read_seconds("--sample-time", w->times.sample, &d->sample_ns, e);
	if (!r && !d->sample_ns)
		return err_set(e, EINVAL, "--sample-time %s: a sample has some length", w->times.sample);
	if (!r && w->times.interval)
		r = read_seconds("--sample-interval", w->times.interval, &d->interval_ns, e);
	if (!r && w->times.delta && !(w->times.start && w->times.stop))
		return err_set(e, EINVAL, "--trigger-delta is the time between --start-trigger and --stop-trigger");
	return r;
}

static int check(struct prof *p, struct err *e)
{
	const struct delay_want *w = p->want;
	int r = prof_own_only(p, e);

	if (r)
		return r;
	if (w->prof.target.cgroups)
		return err_set(e, EINVAL, "delay looks at threads of processes: -p or -t");
	if (!w->prof.from.input && w->prof.target.cpus)
		return err_set(e, EINVAL, "-C: a thread's calls may be on any CPU; delay takes -p or -t");
	if (w->prof.from.interval_ns)
		return err_set(e, EINVAL, "-i takes a recording here; --sample-time is how long a sample is");
	if (w->events.no_poll && !w->events.on)
		return err_set(e, EINVAL, "--skip-syscall-poll-events says which are left out of -s");
	if (w->events.on && prof_table(p).form != TABLE_TEXT)
		return err_set(e, EINVAL, "-s prints lines, -j and -x rows: one or the other");
	if (w->prof.chains.flame)
		return err_set(e, EINVAL, "--flame-graph: sonde prof syscalls -p PID -g draws one of system calls");
	return 0;
}

/* --- events --- */

struct source_event {
	const char *name;
	const char *fields[2];           /* fields with a tid, for the filter; [0] NULL: not filtered */
	bool optional;
};

static const struct source_event sources[] = {
	{ "sched:sched_switch", { "prev_pid", "next_pid" }, false },
	{ "sched:sched_wakeup", { "pid" }, true }, { "sched:sched_wakeup_new", { NULL }, true },
	{ "sched:sched_process_fork", { NULL }, true },
	{ "raw_syscalls:sys_enter", { "common_pid" }, true }, { "raw_syscalls:sys_exit", { "common_pid" }, true },
	{ "irq:irq_handler_entry", { "common_pid" }, true }, { "irq:irq_handler_exit", { "common_pid" }, true },
	{ "irq:softirq_entry", { "common_pid" }, true }, { "irq:softirq_exit", { "common_pid" }, true },
};

/* The filter of an event by the program's threads. NULL: no memory; "": it would be too long for the kernel. */
static const char *filter_of(struct delay *d, struct prof *p, const struct source_event *s)
{
	struct mem_out m;
	const char *text;

	mem_out_init(&m);
	for (unsigned i = 0; i < 2 && s->fields[i]; i++) {
		out_str(&m.out, i ? "||" : "");
		program_ids_filter(&d->threads, s->fields[i], &m.out);
	}
	text = mem_out_str(&m);
	text = m.n > FILTER_MAX ? "" : arena_dup(&p->specs.arena, text, m.n);
	mem_out_deinit(&m);
	return text;
}

static int add_event(struct delay *d, struct prof *p, const struct source_event *s, struct err *e)
{
	int r = specs_add_event(&p->specs, s->name, e);
	struct spec *spec = r ? NULL : &p->specs.v.v[p->specs.v.n - 1];

	if (!spec)
		return r;
	spec->optional = s->optional;
	if (!d->threads.v.n || !s->fields[0])
		return 0;
	spec->filter = filter_of(d, p, s);
	d->has_filter |= spec->filter && *spec->filter;
	return spec->filter ? 0 : err_nomem(e);
}

/* Prefixes of kernel_delay.py's triggers, and our own event syntax for them. */
static const struct {
	const char *from[2], *to;
	bool in_program;
} triggers[] = {
	{ { "t:", "trace:" }, "", false },
	{ { "k:", "kprobe:" }, "kprobe:", false }, { { "kr:", "kretprobe:" }, "kretprobe:", false },
	{ { "up:", "uprobe:" }, "uprobe:", true }, { { "ur:", "uretprobe:" }, "uretprobe:", true },
	{ { "u:", "usdt:" }, "usdt:", true },
};

static int program_of_trigger(struct prof *p, char *path, size_t size, struct err *e)
{
	const char *pids = prof_want(p)->target.pids;
	struct program_ids l = { 0 };
	int r;

	if (!pids)
		return err_set(e, EINVAL, "a trigger in a program needs to know which: -p");
	r = program_listed(&l, pids);
	if (!r && l.v.n)
		r = program_path(p->sys, (int)l.v.v[0], path, size, e);
	program_ids_deinit(&l);
	return r == -ENOMEM ? err_nomem(e) : r;
}

/* Add the event of a trigger, which may be in the syntax of kernel_delay.py or in our own. */
static int add_trigger(struct prof *p, const char *text, int *spec, struct err *e)
{
	char event[PATH_MAX + 300], path[PATH_MAX];
	int r = 0;

	*spec = DELAY_NO_SPEC;
	if (!text)
		return 0;
	snprintf(event, sizeof(event), "%s", text);
	for (size_t i = 0; !r && i < 2 * ARRAY_SIZE(triggers); i++) {
		const char *from = triggers[i / 2].from[i % 2];

		if (!sv_starts(sv_from(text), from) || strchr(text, '@'))
			continue;
		if (triggers[i / 2].in_program)
			r = program_of_trigger(p, path, sizeof(path), e);
		snprintf(event, sizeof(event), triggers[i / 2].in_program ? "%s%s@\"%s\"" : "%s%s",
			 triggers[i / 2].to, text + strlen(from), path);
		break;
	}
	*spec = (int)p->specs.v.n;
	return r ? r : specs_add_event(&p->specs, event, e);
}

/* Live without -p or -t, look for ovs-vswitchd. In a recording without -p all threads are meant. */
static int choose(struct delay *d, struct prof *p, struct err *e)
{
	struct target_want *t = &prof_want(p)->target;
	char number[16];
	int pid, r;

	if (prof_want(p)->from.input || p->argc)
		return 0;
	if (!t->pids && !t->tids) {
		r = program_named(p->sys, switchd, &pid, e);
		if (r)
			return r;
		snprintf(number, sizeof(number), "%d", pid);
		t->pids = d->pids = strdup(number);
		if (!t->pids)
			return err_nomem(e);
	}
	r = t->pids ? program_threads(&d->threads, p->sys, t->pids) : program_listed(&d->threads, t->tids);
	return r ? err_nomem(e) : 0;
}

static int prepare(struct prof *p, struct err *e)
{
	struct delay_want *w = p->want;
	struct delay *d = p->own;
	uint64_t page = (uint64_t)p->sys->page_size(p->sys);
	int r = check(p, e);

	d->prof = p;
	mem_out_init(&d->lines);
	r = r ? r : read_times(d, p, e);
	r = r ? r : choose(d, p, e);
	for (size_t i = 0; !r && i < ARRAY_SIZE(sources); i++)
		r = add_event(d, p, &sources[i], e);
	r = r ? r : add_trigger(p, w->times.start, &d->start_spec, e);
	r = r ? r : add_trigger(p, w->times.stop, &d->stop_spec, e);
	if (!r && !w->prof.from.input) {
		w->prof.from.interval_ns = tick_ns;
		w->prof.rings.pages = w->prof.rings.pages ? w->prof.rings.pages : RING_BYTES / page;
	}
	return r;
}

/* --- samples --- */

static bool is_triggered(const struct delay *d)
{
	return d->start_spec != DELAY_NO_SPEC;
}

static void open_sample(struct delay *d, uint64_t from)
{
	bool is_short = d->sample_ns < UINT64_MAX - from;

	d->from = from;
	d->to = is_short && (!is_triggered(d) || d->stop_spec == DELAY_NO_SPEC) ? from + d->sample_ns : UINT64_MAX;
	delays_open_window(&d->delays, from, d->to);
}

static int close_sample(struct delay *d, uint64_t to)
{
	const struct delay_want *w = d->prof->want;
	bool is_shown = to - d->from >= w->times.delta;
	int r;

	delay_settle(d);
	r = delays_close_window(&d->delays, to);
	d->to = to;
	if (!r && is_shown)
		r = delay_put(d, d->prof->feed.expr.out);
	delays_forget(&d->delays);
	mem_out_deinit(&d->lines);
	mem_out_init(&d->lines);
	d->no_room = 0;
	d->shown += is_shown;
	d->from = to + d->interval_ns;
	d->done = d->shown >= d->count;
	if (d->done)
		feed_stop(&d->prof->feed);
	return r;
}

/* Advance to this time: close samples that are over, open the next one. */
static int advance(struct delay *d, uint64_t time)
{
	int r = 0;

	while (!r && !d->done && d->delays.is_on && time >= d->to) {
		r = close_sample(d, d->to);
		if (!r && !d->done && !is_triggered(d) && time >= d->from)
			open_sample(d, d->from);
	}
	if (!r && !d->done && !d->delays.is_on && !is_triggered(d) && time >= d->from)
		open_sample(d, MAX(d->from, d->seen ? d->from : time));
	d->seen = MAX(d->seen, time);
	return r;
}

static int triggered(struct delay *d, const struct hit *h)
{
	int spec = (int)(h->tap->spec - d->prof->specs.v.v);

	if (!prof_tasks_has(&d->tasks, h->tid))
		return 0;
	if (spec == d->stop_spec && d->delays.is_on)
		return close_sample(d, h->time);
	if (spec == d->start_spec && !d->delays.is_on && !d->done && h->time >= d->from)
		open_sample(d, h->time);
	return 0;
}

static int ended(void *arg, const struct delay_piece *piece)
{
	struct delay *d = arg;
	const struct delay_want *w = d->prof->want;

	return piece->kind == DELAY_SYSCALL && w->events.on ? delay_note_event(d, piece) : 0;
}

static bool has_event(const struct prof *p, const char *name)
{
	for (size_t i = 0; i < p->feed.taps.n; i++)
		if (!strcmp(p->feed.taps.v[i].label, name))
			return true;
	return false;
}

static int begin(struct prof *p, struct err *e)
{
	struct delay *d = p->own;
	int r = prof_tasks_open(&d->tasks, p, e);

	d->delays.ended = ended;
	d->delays.arg = d;
	d->delays.has_wakeups = has_event(p, "sched:sched_wakeup");
	return r ? r : callers_open(&d->callers, &p->feed) ? err_nomem(e) : 0;
}

/* Live, the first sample begins when all events are enabled; earlier events give the threads' initial states. */
static int started(struct prof *p, struct err *e)
{
	struct delay *d = p->own;
	int r = 0;

	for (size_t i = 0; !r && i < d->threads.v.n; i++)
		delays_thread(&d->delays, d->threads.v.v[i], DELAY_RUNS_ALREADY, &r);
	r = r ? r : delay_find(d);
	d->from = p->sys->now(p->sys, CLOCK_MONOTONIC);
	return r ? err_nomem(e) : 0;
}

/* --- hits --- */

static struct delay_thread *thread_of(struct delay *d, uint32_t tid, enum delay_age age, int *r)
{
	*r = 0;
	return tid && prof_tasks_has(&d->tasks, tid) ? delays_thread(&d->delays, tid, age, r) : NULL;
}

/* The thread has exited: what it was in did not end normally and is not counted. */
static void gone(struct delay_thread *t)
{
	for (unsigned i = 0; i < DELAY_SLOTS; i++)
		t->open[i].is = DELAY_IDLE;
}

/* Bits of prev_state since Linux 4.14. */
enum { IS_STOPPED = 0x4 | 0x8, IS_DEAD = 0x10 | 0x20 };

static int take_switch(struct delay *d, const struct hit *h)
{
	uint64_t state = hit_field(h, SWITCH_PREV_STATE);
	enum delay_off why = state & IS_STOPPED ? DELAY_IS_STOPPED
			     : state & ~(uint64_t)TASKPROF_PREEMPTED ? DELAY_WAITS : DELAY_COULD_RUN;
	int r;
	struct delay_thread *t = thread_of(d, (uint32_t)hit_field(h, SWITCH_PREV_PID), DELAY_RUNS_ALREADY, &r);

	r = t ? delays_out(&d->delays, t, h->time, why) : r;
	if (t && state & IS_DEAD)
		gone(t);
	t = r ? NULL : thread_of(d, (uint32_t)hit_field(h, SWITCH_NEXT_PID), DELAY_RUNS_ALREADY, &r);
	return t ? delays_in(&d->delays, t, h->time) : r;
}

static int take_wakeup(struct delay *d, const struct hit *h, enum delay_age age)
{
	uint32_t tid = (uint32_t)hit_field(h, WAKEUP_PID);
	int r;
	struct delay_thread *t;

	if (h->event->field[WAKEUP_SUCCESS] && !hit_field(h, WAKEUP_SUCCESS))
		return 0;
	t = thread_of(d, tid, age, &r);
	d->later += t && age == DELAY_IS_NEW && d->has_filter;
	return t ? delays_woken(&d->delays, t, h->time) : r;
}

static int take_call(struct delay *d, const struct hit *h, struct delay_thread *t)
{
	if (hit_kind(h) == KIND_SYS_EXIT)
		return delays_end(&d->delays, t, h->time, DELAY_SYSCALL, hit_field(h, SYS_EXIT_ID));
	delays_begin(&d->delays, t, h->time, DELAY_SYSCALL, hit_field(h, SYS_ENTER_ID));
	return 0;
}

/* irq_handler_exit has no name of the interrupt: it ends the one that began last. */
static int take_irq(struct delay *d, const struct hit *h, struct delay_thread *t)
{
	const struct delay_open *o = &t->open[DELAY_SLOT_IRQ];
	struct sv name;
	uint32_t who;

	if (hit_kind(h) == KIND_IRQ_EXIT)
		return o->is == DELAY_OPEN ? delays_end(&d->delays, t, h->time, DELAY_IRQ, o->id) : 0;
	name = h->event->field[IRQ_NAME] ? tfmt_str(h->event->field[IRQ_NAME], h->raw.p, h->raw.n) : SV("?");
	who = names_add(&d->who, name.s, name.n);
	if (who == NAMES_NONE)
		return -ENOMEM;
	delays_begin(&d->delays, t, h->time, DELAY_IRQ, who);
	return 0;
}

static int take_softirq(struct delay *d, const struct hit *h, struct delay_thread *t)
{
	uint64_t vec = hit_field(h, SOFTIRQ_VEC);

	if (hit_kind(h) == KIND_SOFTIRQ_EXIT)
		return delays_end(&d->delays, t, h->time, DELAY_SOFTIRQ, vec);
	delays_begin(&d->delays, t, h->time, DELAY_SOFTIRQ, vec);
	return 0;
}

static int take_own(struct delay *d, const struct hit *h)
{
	int r;
	struct delay_thread *t = thread_of(d, h->tid, DELAY_RUNS_ALREADY, &r);

	if (!t)
		return r;
	switch (hit_kind(h)) {
	case KIND_SYS_ENTER:
	case KIND_SYS_EXIT:
		return take_call(d, h, t);
	case KIND_IRQ_ENTRY:
	case KIND_IRQ_EXIT:
		return take_irq(d, h, t);
	case KIND_SOFTIRQ_ENTRY:
	case KIND_SOFTIRQ_EXIT:
		return take_softirq(d, h, t);
	default:
		return 0;
	}
}

static int take(struct delay *d, const struct hit *h)
{
	switch (hit_kind(h)) {
	case KIND_SCHED_SWITCH:
		return take_switch(d, h);
	case KIND_SCHED_WAKEUP:
		return take_wakeup(d, h, DELAY_RUNS_ALREADY);
	case KIND_SCHED_WAKEUP_NEW:
		return take_wakeup(d, h, DELAY_IS_NEW);
	default:
		return take_own(d, h);
	}
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct delay *d = p->own;
	int spec = (int)(h->tap->spec - p->specs.v.v);
	int r = prof_tasks_follow(&d->tasks, h);

	d->hit = h;
	r = r ? r : advance(d, h->time);
	if (r || d->done)
		return r;
	return spec == d->start_spec || spec == d->stop_spec ? triggered(d, h) : take(d, h);
}

static int lost(struct prof *p, uint32_t cpu UNUSED)
{
	struct delay *d = p->own;

	delays_lose(&d->delays);
	return 0;
}

/* Called at each tick and at the end, which also ends a sample that is still open. */
static int show(struct prof *p, bool last, struct out *o UNUSED, struct err *e)
{
	struct delay *d = p->own;
	uint64_t now = feed_is_live(&p->feed) ? p->sys->now(p->sys, CLOCK_MONOTONIC) : p->to;
	int r = 0;

	/* On an idle machine no event comes that would begin the sample. */
	if (!last && !d->done && !d->delays.is_on && !is_triggered(d) && d->from && now > d->from &&
	    d->sample_ns < NS_PER_S * 86400 && now - d->from > d->sample_ns + slack_ns)
		open_sample(d, d->from);
	if (!last && d->delays.is_on && now > d->to && now - d->to > slack_ns)
		r = advance(d, d->to);
	if (last && !d->done && !d->delays.is_on && !is_triggered(d) && d->from && now > d->from)
		open_sample(d, d->from);
	if (last && !d->done && d->delays.is_on)
		r = close_sample(d, MIN(d->to, now));
	if (!last)
		return r ? err_nomem(e) : 0;
	prof_count(p, o, d->delays.discarded, "are left out: their beginning or end was lost");
	prof_count(p, o, d->delays.dropped, "are in no row: there are too many");
	prof_count(p, o, d->later, "threads began meanwhile: only that they ran, and when, is in it");
	if (is_triggered(d) && !d->shown)
		p->how->note(p->how->arg, "no sample: the trigger was not seen");
	return r ? err_nomem(e) : 0;
}

static void close(struct prof *p)
{
	struct delay *d = p->own;

	delays_deinit(&d->delays);
	prof_tasks_close(&d->tasks);
	callers_close(&d->callers);
	names_deinit(&d->who);
	mem_out_deinit(&d->lines);
	program_ids_deinit(&d->threads);
	vec_free(&d->found);
	free(d->pids);
}

const struct prof_kind poll_delay = {
	.cmd = {
		.name = "delay", .family = "ovs",
		.brief = "Show kernel time of threads: system calls, run delay, interrupts",
		.synopsis = "[-p <pids> | -t <tids>] [--sample-time <s>] [options] [-- command [arguments]]",
		.details = PACKED(
			"Without -p it watches the running ovs-vswitchd. Blocks, columns and options are those of Open "
			"vSwitch's kernel_delay.py, plus percentiles and CUT: the number of calls that crossed an edge "
			"of the sample; only their part in it counts. Threads that stay in one call or on CPU all the "
			"time are listed, too. A recording needs sched:sched_switch, sched:sched_wakeup, "
			"raw_syscalls:*, irq:irq_handler_*, irq:softirq_*; blocks of missing events are left out. With "
			"-p or -t threads of other processes only appear as switched to or from."),
		.examples = PACKED(
			"sonde ovs delay\thalf a second of the running switch\n"
			"sonde ovs delay --sample-count 5 --sample-interval 10\tfive samples, ten seconds apart\n"
			"sonde ovs delay -p 2347 -s 1000000 -g\tand each call above 1 ms, with its call chain\n"
			"sonde ovs delay --start-trigger up:bridge_run --stop-trigger ur:bridge_run --trigger-delta "
				"1000000\tcalls of a function that take 1 ms or more\n"
			"sonde ovs delay -i perf.data -p 2347\ta recording"),
		.opts = opts, .want_size = sizeof(struct delay_want),
	},
	.own = sizeof(struct delay), .prepare = prepare, .begin = begin, .started = started, .hit = hit, .lost = lost,
	.show = show, .close = close, .everywhere = true, .monotonic = true,
};
