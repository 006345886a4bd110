/* feed_live.c - open the events of a live feed, and wait for their records. */
#include "engine/feed_parts.h"

#include "arch/arch.h"
#include "engine/histed.h"
#include "engine/tallied.h"
#include "record/aux.h"
#include "record/aux_live.h"
#include "record/synth.h"
#include "record/tee.h"
#include "sys/bpf.h"

#include <poll.h>
#include <time.h>

#define NS_PER_MS UINT64_C(1000000)

/* A ring below its watermark wakes no reader, so all rings are read at this interval. */
enum { SWEEP_MS = 50 };

static uint64_t sweep_ns(const struct feed_want *w)
{
	return (w->sweep_ms ? w->sweep_ms : SWEEP_MS) * NS_PER_MS;
}

/* --- events --- */

/* Index of an equal event before `from`, or `from` if there is none. */
static size_t same_before(const struct feed *f, size_t i, size_t from)
{
	const struct event *v = f->live.events.v.v;

	for (size_t k = 0; k < from && !f->want->grouped; k++)
		if (v[i].tp_system && v[k].tp_system && !strcmp(v[i].tp_system, v[k].tp_system) &&
		    !strcmp(v[i].tp_name, v[k].tp_name))
			return k;
	return from;
}

/* Apply the spec's attributes to the event. */
static void apply(struct event *ev, const struct spec *s)
{
	if (s->stack)
		ev->set = (ev->set & ~(unsigned)EVENT_SET_NO_CALLCHAIN) | EVENT_SET_CALLCHAIN;
	if (s->max_stack) {
		ev->attr.sample_max_stack = (uint16_t)MAX(ev->attr.sample_max_stack, s->max_stack);
		ev->set |= EVENT_SET_MAX_STACK;
	}
}

static const char *label_of(const struct event *ev, char buf[200])
{
	if (!ev->tp_system || ev->is_probe)
		return ev->name;
	snprintf(buf, 200, "%s:%s", ev->tp_system, ev->tp_name);
	return buf;
}

/* "(A) || (B)" of the filters of all taps of an event; none if a tap has none, or if it is too long for the kernel. */
static int join_filters(struct feed *f, size_t event, struct err *e)
{
	struct event *ev = &f->live.events.v.v[event];
	struct mem_out m;
	const char *text;
	unsigned n = 0;
	bool all = true;

	mem_out_init(&m);
	for (uint32_t at = f->of_event[event]; at; at = f->taps.v[at - 1].next) {
		const char *rule = f->taps.v[at - 1].rule;

		all &= *rule != 0;
		out_printf(&m.out, "%s(%s)", n++ ? " || " : "", rule);
	}
	text = mem_out_str(&m);
	ev->filter = NULL;
	/* A single filter is passed unchanged, since the kernel's error messages point into it. */
	if (all && n == 1)
		ev->filter = f->taps.v[f->of_event[event] - 1].rule;
	else if (all)
		ev->filter = arena_dup(&f->arena, text, m.n);
	mem_out_deinit(&m);
	return all && !ev->filter ? err_nomem(e) : 0;
}

/* Only tracepoints have filters in the kernel. */
static int check_filter(const struct feed *f, const struct spec *s, size_t event, struct err *e)
{
	if (!*s->filter || f->live.events.v.v[event].tp_system)
		return 0;
	err_set(e, EINVAL, "%s is no tracepoint: '%s' cannot be its filter", s->event, s->filter);
	return err_hint(e, "attributes stand behind two slashes: %s//stack/", s->event);
}

/* The spec's event, or its replacement on a machine without counters. */
static const char *event_of(struct feed *f, const struct spec *s)
{
	struct err *note;

	if (!s->instead || pmus_n_core(f->live.env->pmus))
		return s->event;
	note = vec_add(&f->notes);
	if (note)
		err_set(note, ENOENT, "no hardware counter for %s here: it is %s", s->event, s->instead);
	return s->instead;
}

static int add_spec(struct feed *f, const struct spec *s, struct err *e)
{
	struct event_list *l = &f->live.events;
	size_t from = l->v.n, to = from;
	int r = event_parse(l, event_of(f, s), f->live.env, e);

	if (r && s->optional) {
		l->v.n = from;
		return 0;
	}
	for (size_t i = from; !r && i < l->v.n; i++) {
		size_t k = same_before(f, i, from);
		char buf[200];
		struct tap *t;

		if (k == from) {
			k = to++;
			l->v.v[k] = l->v.v[i];
			l->v.v[k].leader = (int)k;
		}
		apply(&l->v.v[k], s);
		t = feed_tap_add(f, s, label_of(&l->v.v[k], buf), e);
		r = t ? feed_tap_bind(f, t->index, k, e) : -ENOMEM;
		r = r ? r : check_filter(f, s, k, e);
		if (!r && l->v.v[k].tp_system)
			r = feed_filter_rule(f, t, e);
		if (!r && l->v.v[k].tp_system)
			r = feed_enum_rule(f, t, &l->v.v[k], e);
	}
	l->v.n = to;
	return r;
}

/* Make all events one group, whose leader's samples read all of them. */
static void make_group(struct event_list *l)
{
	for (size_t i = 0; i < l->v.n; i++) {
		l->v.v[i].leader = 0;
		l->v.v[i].set |= EVENT_LEADER_SAMPLING;
	}
}

static int add_events(struct feed *f, struct err *e)
{
	struct event *tracker;
	int r = 0;

	for (size_t i = 0; !r && i < f->want->specs->v.n; i++) {
		const struct spec *s = &f->want->specs->v.v[i];

		if (*s->event == '{')
			return err_set(e, EINVAL, "%s: events here have no groups", s->event);
		r = add_spec(f, s, e);
	}
	for (size_t i = 0; !r && i < f->live.events.v.n; i++)
		if (f->live.events.v.v[i].tp_system)
			r = join_filters(f, i, e);
	if (r)
		return r;
	if (f->want->grouped)
		make_group(&f->live.events);
	event_exclude(&f->live.events, f->want->sides);
	tracker = vec_add(&f->live.events.v);
	if (!tracker)
		return err_nomem(e);
	sampling_tracker(tracker);
	f->live.tracker = (int)f->live.events.v.n - 1;
	tracker->leader = f->live.tracker;
	return 0;
}

/* --- open --- */

/* Bytes. Without -m a ring may be smaller than USUAL_BYTES; then the kernel wakes the reader when it is half full. */
static uint32_t watermark_of(const struct feed_want *w)
{
	enum { USUAL_BYTES = 512 * 1024 };
	uint64_t bytes = w->ring_bytes ? w->ring_bytes : USUAL_BYTES;

	return (uint32_t)MIN(bytes * w->watermark / 100, (uint64_t)UINT32_MAX);
}

static struct recording_want recording_of(const struct feed *f)
{
	enum { AUX_BYTES = 1 << 20 };     /* smaller than for `record`: it is read often, and copied */
	const struct feed_want *w = f->want;

	return (struct recording_want){
		.target = &f->live.target, .ring_bytes = w->ring_bytes,
		.aux_bytes = f->sys->uid(f->sys) ? 0 : AUX_BYTES, .child = f->live.loop.child.pid,
		.tracker = f->live.tracker,
		.sampling = {
			.freq = w->freq, .period = w->period,
			.extra = PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | (w->sample & ~PERF_SAMPLE_REGS_INTR),
			.shown_intr = w->sample & PERF_SAMPLE_REGS_INTR ? arch_native()->user_regs_mask : 0,
			.callchain = w->chains.on, .stack = w->chains.stack, .lr = w->chains.lr,
			/* LR, for the caller of a function without a frame record, see source/stacks.h. */
			.chain_regs = arch_native()->frame ? UINT64_C(1) << arch_native()->reg_lr : 0,
			.user_regs = arch_native()->user_regs_mask,
			/* To look up data addresses, data maps are needed, too. */
			.track = w->track | (w->sample & PERF_SAMPLE_ADDR ? PERF_ATTR_MMAP_DATA : 0),
			.wakeup = watermark_of(w), .inherit = f->live.target.inherit && !w->no_inherit,
			.use_clockid = w->monotonic, .clockid = CLOCK_MONOTONIC,
			.on_exec = f->live.target.kind == TARGET_COMMAND ? SAMPLING_ALL_ON_EXEC : SAMPLING_BY_HAND,
		},
	};
}

/* The kernel refused a filter that is valid here: evaluate it here, and add a note. */
static bool drop_filter(struct feed *f, const struct err *why)
{
	for (size_t i = 0; i < f->live.events.v.n; i++) {
		struct event *ev = &f->live.events.v.v[i];
		struct err *note;

		if (!ev->filter || !strstr(why->text, ev->name))
			continue;
		note = vec_add(&f->notes);
		if (note)
			err_set(note, EINVAL, "%s: the kernel does not take '%s', it is decided here", ev->name,
				ev->filter);
		ev->filter = NULL;
		return true;
	}
	return false;
}

static int open_events(struct feed *f, struct err *e)
{
	struct recording_want w = recording_of(f);
	int r;

	do {
		r = recording_open(&f->live.rec, f->sys, &f->live.events, &w, e);
	} while (r == -EINVAL && !f->want->grouped && drop_filter(f, e));
	f->live.opened = !r;
	return r ? r : feed_filter_attach(f, e);
}

static int hold_target(struct feed *f, struct err *e)
{
	const struct feed_want *w = f->want;
	struct feed_live *l = &f->live;
	int r = target_init(&l->target, w->target, f->sys, w->argc, w->argv, e);

	l->held = !r;
	l->meant = l->target.kind;
	if (w->everywhere || w->grouped)
		l->target.kind = TARGET_CPUS;
	r = r ? r : loop_open(&l->loop, e);
	return r || !l->target.argv ? r : loop_hold(&l->loop, l->target.argv, NULL, e);
}

/* Samples synthesised from AUX traces go to the first tap of the trace's event. */
static int bind_made(struct feed *f, struct err *e)
{
	size_t of = f->live.rec.aux->event;
	uint32_t first = of < f->n_of_event ? f->of_event[of] : 0;
	int r = 0;

	for (size_t i = f->live.events.v.n; !r && first && i < f->source->head->events.n; i++)
		r = feed_tap_bind(f, first - 1, i, e);
	return r;
}

static int open_traces(struct feed *f, struct err *e)
{
	int r;

	if (!f->live.rec.aux)
		return 0;
	r = aux_live_open(&f->live.traces, &f->source, &f->live.rec, e);
	return r ? r : bind_made(f, e);
}

int feed_live_open(struct feed *f, struct err *e)
{
	struct feed_live *l = &f->live;
	int r;

	l->env = event_env_new(f->sys);
	r = l->env ? add_events(f, e) : err_nomem(e);
	r = r ? r : hold_target(f, e);
	r = r ? r : open_events(f, e);
	r = r ? r : recfile_begin_unwritten(&l->file, &l->rec, sys_tracefs(f->sys), e);
	r = r ? r : tee_open_through(&f->source, &l->file, NULL, e);
	return r ? r : open_traces(f, e);
}

void feed_live_close(struct feed *f)
{
	struct feed_live *l = &f->live;

	source_close(f->source);
	f->source = NULL;
	aux_live_free(l->traces);
	l->traces = NULL;
	if (l->opened) {
		l->file.also = NULL;
		recfile_deinit(&l->file);
		recording_close(&l->rec);
	}
	l->opened = false;
	if (l->filtered)
		sift_close(&l->filter);
	l->filtered = false;
	loop_close(&l->loop);
	if (l->held)
		target_deinit(&l->target, f->sys);
	l->held = false;
	event_list_deinit(&l->events);
	event_env_free(l->env);
	l->env = NULL;
}

/* Are maps of running processes needed at once? Yes for events other than tracepoints, which are shown by symbol. */
static bool needs_maps(const struct feed *f)
{
	for (size_t i = 0; i < f->live.events.v.n; i++)
		if (!f->live.events.v.v[i].tp_system && (int)i != f->live.tracker)
			return true;
	return f->want->names_all;
}

/* Synthesise records for the kernel and the running tasks. */
static int tell_running(struct feed *f, struct err *e)
{
	struct feed_live *l = &f->live;
	struct synth s = {
		.sys = f->sys, .out = &l->file.out, .id = l->file.id, .dsos = &l->rec.dsos, .kernel_start = true,
	};

	synth_kernel(&s);
	if (needs_maps(f)) {
		synth_bpf(&s, &bpf_live, f->want->session.namer ? SYNTH_BPF_PROGRAMS : SYNTH_BPF_SYMBOLS);
		if (l->target.kind == TARGET_CPUS)
			synth_all(&s, e);
		else if (l->target.kind == TARGET_TASKS)
			synth_tasks(&s, l->target.tids.v, l->target.tids.n, e);
	}
	if (l->loop.child.pid && l->target.kind == TARGET_COMMAND)
		synth_process(&s, l->loop.child.pid);
	out_flush(&l->file.out);
	return l->file.out.error ? err_nomem(e) : 0;
}

int feed_start(struct feed *f, struct err *e)
{
	struct feed_live *l = &f->live;
	int r;

	if (!feed_is_live(f))
		return 0;
	/* The events' clock has about the time of CLOCK_MONOTONIC (without NTP's corrections). */
	f->wall = f->sys->now(f->sys, CLOCK_REALTIME) - f->sys->now(f->sys, CLOCK_MONOTONIC);
	r = f->tally || f->histed ? tallied_alone(f, e) : 0;
	if (r)
		return r;
	if (l->target.kind != TARGET_COMMAND)
		recording_enable(&l->rec, RECORDING_TRACKER, l->tracker);
	r = tell_running(f, e);
	if (r)
		return r;
	if (f->tally)
		r = tally_attach(f->tally, e);
	else if (f->histed)
		r = histed_start(f->histed, e);
	else if (l->target.kind != TARGET_COMMAND)
		recording_enable(&l->rec, RECORDING_ALL, l->tracker);
	if (r)
		return r;
	loop_watch_fds(&l->loop, l->rec.polls, l->rec.rings.n + 2);
	if (f->want->interval_ns)
		loop_every(&l->loop, f->sys->now(f->sys, CLOCK_MONOTONIC), f->want->interval_ns);
	loop_in(&l->loop, LOOP_OTHER, sweep_ns(f->want));
	f->beat_at = f->sys->now(f->sys, CLOCK_MONOTONIC) + f->want->beat_ns;
	return l->loop.child.pid ? loop_go(&l->loop, e) : 0;
}

/* --- wait --- */

void feed_stop(struct feed *f)
{
	struct feed_live *l = &f->live;

	if (!feed_is_live(f)) {
		f->over = true;
		f->pending = NULL;
		return;
	}
	if (!l->stopped)
		recording_disable(&l->rec);
	if (f->tally)
		tally_detach(f->tally);
	l->stopped = true;
}

/* The events were stopped and the rings are empty: end the source. */
static void end(struct feed *f)
{
	if (f->live.ended)
		return;
	f->live.ended = true;
	f->source->kind->end(f->source);
}

uint64_t feed_live_untold(const struct feed *f)
{
	const struct recording *r = &f->live.rec;
	uint64_t lost = 0;

	for (size_t i = 0; i < r->fds.n; i++)
		lost += recording_lost(r, &r->fds.v[i]);
	return lost - MIN(lost, f->session.stats.lost);
}

/* With `everywhere`, CPUs are watched, and no ring tells that the chosen tasks have ended: do any still run? */
static bool targets_live(const struct feed *f)
{
	const struct feed_live *l = &f->live;
	char comm[32];

	if (l->meant != TARGET_TASKS || l->target.kind == TARGET_TASKS || l->loop.child.pid)
		return true;
	for (size_t i = 0; i < l->target.tids.n; i++)
		if (sys_read_line(f->sys, comm, sizeof(comm), "/proc/%d/comm", l->target.tids.v[i]) >= 0)
			return true;
	return false;
}

static enum feed_got beat(struct feed *f)
{
	uint64_t now = f->live.loop.now;

	if (!f->want->beat_ns || now < f->beat_at)
		return FEED_HIT;
	f->beat_at = now + f->want->beat_ns;
	return FEED_BEAT;
}

void feed_watch(struct feed *f, int fd)
{
	const struct recording *r = &f->live.rec;

	r->polls[r->rings.n + 1] = (struct pollfd){ .fd = fd, .events = POLLIN };
}

static enum feed_got obey(struct feed *f, enum loop_what what)
{
	struct loop *l = &f->live.loop;

	switch (what) {
	case LOOP_TICK:
		if (l->time == LOOP_INTERVAL)
			return FEED_TICK;
		loop_in(l, LOOP_OTHER, sweep_ns(f->want));
		if (!targets_live(f))
			feed_stop(f);
		return beat(f);
	case LOOP_DATA:
		if (!recording_lives(&f->live.rec) && !l->child.pid)
			feed_stop(f);
		return f->live.rec.polls[f->live.rec.rings.n + 1].revents ? FEED_INPUT : FEED_HIT;
	case LOOP_SIGNAL:
	case LOOP_END:
		feed_stop(f);
		return FEED_HIT;
	default:
		return FEED_HIT;
	}
}

enum feed_got feed_live_wait(struct feed *f)
{
	if (!f->live.stopped)
		return obey(f, loop_next(&f->live.loop));
	end(f);
	return FEED_HIT;
}

enum feed_got feed_live_look(struct feed *f)
{
	return f->live.stopped ? FEED_HIT : obey(f, loop_look(&f->live.loop));
}
