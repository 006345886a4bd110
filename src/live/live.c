/* live.c - reads all rings in rounds and returns their merged events. */
#include "live/live.h"

#include "tracing/meta.h"
#include "tracing/rings.h"
#include "tracing/transport/procmap.h"

#include <poll.h>
#include <time.h>

#define NS_PER_MS UINT64_C(1000000)
#define COMMS_EVERY_NS UINT64_C(100000000)
#define IDLE_EVERY_NS UINT64_C(200000000)

enum {
	LOOK_EVERY = 256,        /* events between two calls of look_around() */
	NAP_MS = 5,              /* minimum time between two rounds */
	WAIT_LEAST_MS = 20, WAIT_MOST_MS = 100,
	GOES_ON = SOURCE_NOTHING + 1,   /* result of a step: call the next one */
};

static const struct sys *sys_of(const struct live *l)
{
	return l->run.sys;
}

static uint64_t now_ns(const struct live *l)
{
	return sys_of(l)->now(sys_of(l), CLOCK_MONOTONIC);
}

static const struct tfs *tfs_of(const struct live *l, uint32_t ring)
{
	return &l->run.buffers.v[l->set.rings[ring].buffer].tfs;
}

/* --- opening --- */

static int load_events(struct live *l, struct err *e)
{
	const struct tfs *top = &l->run.top;
	struct meta meta;
	int r = meta_init(&meta, top, &l->run.buffers.v[0].tfs, e);

	if (r)
		return r;
	for (size_t i = 0; !r && i < l->run.buffers.n; i++) {
		const struct run_buffer *b = &l->run.buffers.v[i];

		r = meta_add_events(&meta, top, &b->tfs, meta_for(b->plan), e);
	}
	r = r ? r : meta_events(&meta, top, &l->source.trace, e);
	meta_deinit(&meta);
	return r;
}

/* Exclude this process from the trace: each line that it prints would cause events, and so further lines. */
static int leave_us_out(struct live *l, struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && l->want->run.who == RUN_EVERYONE && i < l->run.buffers.n; i++) {
		const struct run_buffer *b = &l->run.buffers.v[i];

		if (!b->plan->pids.n)
			r = plan_ignore_pid(l->run.undo, &b->tfs, sys_self(), e);
	}
	return r;
}

static bool is_on(const struct tfs *t, const char *option)
{
	char value[8];

	return tfs_get(t, option, value, sizeof(value)) > 0 && *value == '1';
}

/* Do its events have stacks, by an option of the buffer or a trigger of an event? */
static bool has_stacks(const struct run_buffer *b)
{
	static const char *const options[] = {
		"options/stacktrace", "options/userstacktrace", "options/func_stack_trace",
	};

	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (is_on(&b->tfs, options[i]))
			return true;
	for (size_t i = 0; i < b->plan->events.n; i++)
		for (size_t k = 0; k < b->plan->events.v[i].triggers.n; k++)
			if (!strncmp(b->plan->events.v[i].triggers.v[k], "stacktrace", strlen("stacktrace")))
				return true;
	return false;
}

static int set_up(struct live *l, struct err *e)
{
	int r = leave_us_out(l, e);

	if (!r)
		r = load_events(l, e);

	for (uint32_t b = 0; !r && b < l->run.buffers.n; b++) {
		l->source.stacked |= has_stacks(&l->run.buffers.v[b]);
		r = ringset_add(&l->set, &l->run.buffers.v[b].tfs, b, e);
	}
	r = r ? r : ringset_stream(&l->set, e);
	if (r)
		return r;
	l->polls = calloc(l->set.n + 1, sizeof(*l->polls));
	if (!l->polls)
		return err_nomem(e);
	for (size_t i = 0; i < l->set.n; i++)
		l->polls[i + 1] = (struct pollfd){ .fd = l->set.files[i].fd, .events = POLLIN };
	return 0;
}

static void tear_down(struct live *l)
{
	ringset_close(&l->set);
	free(l->polls);
	perf_head_deinit(&l->head);
	tevents_deinit(&l->source.trace);
	l->polls = NULL;
}

/* --- rounds --- */

/* Events up to this time are complete: the newest time of the buffers' clocks, less LIVE_SLACK. */
static uint64_t complete_until(const struct live *l)
{
	uint64_t newest = 0;

	for (uint32_t i = 0; i < l->set.n; i++) {
		struct ring_stats s;

		if (i && l->set.rings[i].buffer == l->set.rings[i - 1].buffer)
			continue;
		if (rings_stats(tfs_of(l, i), l->set.rings[i].cpu, &s) || !s.now)
			return UINT64_MAX;
		if (s.now_is_ns)
			s.now -= MIN(s.now, LIVE_SLACK);
		newest = MAX(newest, s.now);
	}
	return newest;
}

static void read_comms(struct live *l, uint64_t now)
{
	char *text;
	size_t n;

	l->comms_read = now;
	if (tfs_read_all(&l->run.top, "saved_cmdlines", &text, &n, NULL))
		return;
	tevents_add_comms(&l->source.trace, (struct sv){ text, n });
	free(text);
}

static int idle(struct live *l)
{
	l->idled = now_ns(l);
	return SOURCE_NOTHING;
}

/* Now and then between events: check signals, read thread names, and return SOURCE_NOTHING to have output flushed. */
static int look_around(struct live *l)
{
	uint64_t now = now_ns(l);
	struct loop *loop = &l->run.loop;
	unsigned signals = loop->n_signals;
	bool was_over = loop->state != LOOP_RUNS;

	l->countdown = LOOK_EVERY;
	loop_look(loop);
	/* The first signal ends the tracing; one after its end also ends the reading. */
	if (loop->n_signals != signals && (was_over || l->want->rest == LIVE_REST_DROP))
		l->enough = true;
	if (now - l->comms_read >= COMMS_EVERY_NS)
		read_comms(l, now);
	return now - l->idled >= IDLE_EVERY_NS ? idle(l) : GOES_ON;
}

static int begin_round(struct live *l)
{
	l->phase = l->enough || l->run.loop.state != LOOP_RUNS ? LIVE_STOPS : LIVE_IN_ROUND;
	if (l->phase == LIVE_IN_ROUND)
		l->limit = complete_until(l);
	l->in_round = 0;
	l->countdown = 0;
	return GOES_ON;
}

static int end_round(struct live *l)
{
	if (!l->run.on)
		l->phase = LIVE_OVER;
	else if (l->enough || l->run.loop.state != LOOP_RUNS)
		l->phase = LIVE_STOPS;
	else
		l->phase = LIVE_SLEEPS;
	return l->phase == LIVE_SLEEPS ? idle(l) : GOES_ON;
}

static int next_of_round(struct live *l, struct tstream_rec *rec, struct err *e)
{
	int r;

	if (!l->countdown)
		return look_around(l);
	/* If tracing is to end, end this round: the rest is read after run_stop, without a limit. */
	if (l->enough || (l->run.loop.state && l->run.on))
		return end_round(l);
	r = tstream_next(l->set.stream, l->limit, rec, e);
	if (r < 0)
		return r;
	if (!r)
		return end_round(l);
	l->in_round++;
	l->countdown--;
	return SOURCE_RECORD;
}

static int rest_a_while(struct live *l)
{
	uint64_t ms = l->in_round ? WAIT_LEAST_MS : WAIT_MOST_MS;
	struct loop *loop = &l->run.loop;

	l->phase = LIVE_ROUND_BEGINS;
	/* poll() wakes for each event before Linux 6.1, later for half a ring: so nap first, then poll with a limit. */
	loop_in(loop, LOOP_OTHER, NAP_MS * NS_PER_MS);
	loop_next(loop);
	if (loop->state != LOOP_RUNS)
		return GOES_ON;
	loop_watch_fds(loop, l->polls, l->set.n + 1);
	loop_in(loop, LOOP_OTHER, ms * NS_PER_MS);
	loop_next(loop);
	loop_watch_fds(loop, NULL, 0);
	/* poll() returns at once for the ring of an offline CPU: do not poll it. It is still read in each round. */
	for (size_t i = 1; i <= l->set.n; i++)
		if (l->polls[i].revents & POLLERR)
			l->polls[i].fd = -1;
	return GOES_ON;
}

/* --- the end --- */

static int stop_tracing(struct live *l, struct err *e)
{
	if (!l->run.on)
		return 0;
	l->state = l->run.loop.state;
	l->traced_ns = now_ns(l) - l->run.started;
	return run_stop(&l->run, e);
}

/* Stop tracing, and decide whether what is in the buffers will still be read. */
static int stop(struct live *l, struct err *e)
{
	int r;

	l->enough |= l->run.loop.state == LOOP_SIGNALLED && l->want->rest == LIVE_REST_DROP;
	r = stop_tracing(l, e);
	l->limit = UINT64_MAX;
	l->countdown = 0;
	l->phase = l->enough ? LIVE_OVER : LIVE_IN_ROUND;
	return r ? r : GOES_ON;
}

static void take_note(struct live *l)
{
	const struct tstream_stats *s = tstream_stats(l->set.stream);

	l->source.stats = (struct source_stats){
		.records = s->events, .late = s->late, .lost = s->lost, .gaps = s->lost ? 0 : s->gaps,
		.bad = s->bad_pages,
	};
}

static int step(struct live *l, struct tstream_rec *rec, struct err *e)
{
	switch (l->phase) {
	case LIVE_ROUND_BEGINS:
		return begin_round(l);
	case LIVE_IN_ROUND:
		return next_of_round(l, rec, e);
	case LIVE_SLEEPS:
		return rest_a_while(l);
	case LIVE_STOPS:
		return stop(l, e);
	default:
		return SOURCE_END;
	}
}

static int maps(const struct source *s, uint32_t pid, int (*take)(void *arg, struct sv text), void *arg)
{
	struct mem_out m;
	int r;

	if (!pid)
		return 0;
	mem_out_init(&m);
	procmap_put(sys_of((const struct live *)s), (int)pid, &m.out);
	r = take(arg, sv_from(mem_out_str(&m)));
	mem_out_deinit(&m);
	return r;
}

static int next(struct source *s, struct source_rec *rec, struct err *e)
{
	struct live *l = (struct live *)s;
	int r;

	do
		r = step(l, &rec->trace, e);
	while (r == GOES_ON);
	rec->time = r == SOURCE_RECORD ? rec->trace.ts : 0;
	rec->event = NULL;
	if (r == SOURCE_END)
		take_note(l);
	return r;
}

static void end_tracing(struct source *s)
{
	struct live *l = (struct live *)s;

	if (l->phase != LIVE_OVER)
		l->phase = LIVE_STOPS;
}

static void close_live(struct source *s)
{
	struct live_result unwanted;

	live_end((struct live *)s, &unwanted, NULL);
}

static const struct source_kind live_trace = {
	.form = SOURCE_TRACE, .next = next, .end = end_tracing, .close = close_live, .maps = maps,
};

void live_enough(struct live *l)
{
	l->enough = true;
}

static void take_stats(struct live *l, struct live_result *res)
{
	for (uint32_t i = 0; i < l->set.n; i++) {
		struct ring_stats s;

		if (rings_stats(tfs_of(l, i), l->set.rings[i].cpu, &s))
			continue;
		res->overrun += s.overrun;
		res->dropped += s.dropped;
		res->unread += s.entries;
	}
	if (l->set.stream)
		res->stats = *tstream_stats(l->set.stream);
}

int live_begin(struct live *l, const struct live_want *w, struct err *e)
{
	int r;

	*l = (struct live){
		.source = { .kind = &live_trace, .head = &l->head }, .want = w, .set.sys = w->run.sys,
	};
	perf_head_init(&l->head);
	r = run_begin(&l->run, &w->run, e);
	if (r)
		return r;
	r = set_up(l, e);
	if (!r)
		return 0;
	tear_down(l);
	run_end(&l->run, NULL);
	return r;
}

int live_go(struct live *l, struct err *e)
{
	return run_go(&l->run, e);
}

int live_end(struct live *l, struct live_result *res, struct err *e)
{
	int r = stop_tracing(l, e), ended;

	*res = (struct live_result){ .state = l->state, .traced_ns = l->traced_ns, .signal = l->run.loop.signal };
	take_stats(l, res);
	tear_down(l);
	ended = run_end(&l->run, r ? NULL : e);
	res->status = l->run.loop.status;
	return r ? r : ended;
}
