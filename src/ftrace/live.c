/* live.c - read every ring, merge, hand on; until the end. */
#include "ftrace/live.h"

#include "ftrace/meta.h"
#include "ftrace/rings.h"

#include <poll.h>
#include <time.h>

#define COMMS_EVERY_NS UINT64_C(100000000)
#define IDLE_EVERY_NS UINT64_C(200000000)

enum {
	LOOK_EVERY = 256,        /* events between two looks at the signals */
	NAP_MS = 5,              /* at least that long between two rounds */
	WAIT_LEAST_MS = 20, WAIT_MOST_MS = 100,
};

struct live_ring {
	int fd;
	uint32_t size;           /* of a sub-buffer */
	uint8_t *page;
};

struct live_parts {
	struct live live;
	const struct live_want *want;
	struct live_ring *rings;
	struct pollfd *polls;    /* the run's own first */
	struct meta meta;
	uint64_t comms_read, idled;
	uint64_t on_since;
	unsigned countdown;
	bool over;               /* the callback has enough, or the user */
	int error;
};

static const struct sys *sys_of(const struct live_parts *p)
{
	return p->live.run.sys;
}

static uint64_t now_ns(const struct live_parts *p)
{
	return sys_of(p)->now(sys_of(p), CLOCK_MONOTONIC);
}

static const struct tfs *tfs_of(const struct live_parts *p, uint32_t ring)
{
	return &p->live.run.buffers.v[p->live.rings[ring].buffer].tfs;
}

/* --- opening --- */

static int open_buffer(struct live_parts *p, uint32_t b, struct err *e)
{
	const struct tfs *t = &p->live.run.buffers.v[b].tfs;
	struct tpage_layout layout;
	struct cpus cpus;
	int r = rings_layout(t, &layout, e);

	if (!r)
		r = rings_cpus(t, &cpus, e);
	if (r)
		return r;

	size_t n = p->live.n_rings, more = n + cpus_count(&cpus);
	struct tstream_ring *is = realloc(p->live.rings, more * sizeof(*is));

	if (is)
		p->live.rings = is;

	struct live_ring *ring = realloc(p->rings, more * sizeof(*ring));

	if (ring)
		p->rings = ring;
	if (!is || !ring)
		return err_nomem(e);
	for (int cpu = cpus_next(&cpus, 0); cpu >= 0; cpu = cpus_next(&cpus, (unsigned)cpu + 1)) {
		int fd = rings_open(t, (unsigned)cpu, RINGS_LIVE, e);

		if (fd < 0)
			return fd;
		is[n] = (struct tstream_ring){ .cpu = (uint32_t)cpu, .buffer = b, .layout = layout };
		ring[n] = (struct live_ring){ .fd = fd, .size = rings_subbuf(&layout) };
		p->live.n_rings = ++n;
		ring[n - 1].page = malloc(ring[n - 1].size);
		if (!ring[n - 1].page)
			return err_nomem(e);
	}
	return 0;
}

static int next_page(void *arg, uint32_t i, const uint8_t **page, size_t *n, struct err *e)
{
	struct live_parts *p = arg;
	struct live_ring *r = &p->rings[i];
	ssize_t got;

	while ((got = sys_of(p)->read(sys_of(p), r->fd, r->page, r->size)) == -EINTR)
		;
	if (got == -EAGAIN || got == -ENODEV || got == 0)
		return 0;
	if (got < 0)
		return err_set(e, (int)-got, "cannot read the ring of CPU %u: %s", p->live.rings[i].cpu,
			       err_name((int)-got));
	*page = r->page;
	*n = (size_t)got;
	return 1;
}

static int load_events(struct live_parts *p, struct err *e)
{
	const struct tfs *top = &p->live.run.top;
	int r = meta_init(&p->meta, top, &p->live.run.buffers.v[0].tfs, e);

	if (r)
		return r;
	for (size_t i = 0; !r && i < p->live.run.buffers.n; i++) {
		const struct run_buffer *b = &p->live.run.buffers.v[i];

		r = meta_add_events(&p->meta, top, &b->tfs, meta_for(b->plan), e);
	}
	if (!r)
		r = meta_add_names(&p->meta, top, e);
	if (!r) {
		tevents_init(&p->live.events, p->meta.blob.machine);
		r = tevents_add_blob(&p->live.events, &p->meta.blob, e);
	}
	meta_deinit(&p->meta);
	return r;
}

/* What prints must not be among what it prints: each line would make the next. */
static int leave_us_out(struct live_parts *p, struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && p->want->run.who == RUN_EVERYONE && i < p->live.run.buffers.n; i++) {
		const struct run_buffer *b = &p->live.run.buffers.v[i];

		if (!b->plan->pids.n)
			r = plan_ignore_pid(p->live.run.undo, &b->tfs, sys_self(), e);
	}
	return r;
}

static int set_up(struct live_parts *p, struct err *e)
{
	int r = leave_us_out(p, e);

	if (!r)
		r = load_events(p, e);

	for (uint32_t b = 0; !r && b < p->live.run.buffers.n; b++)
		r = open_buffer(p, b, e);
	if (r)
		return r;
	p->polls = calloc(p->live.n_rings + 1, sizeof(*p->polls));
	p->live.stream = tstream_new(p->live.rings, p->live.n_rings, false, next_page, p);
	if (!p->polls || !p->live.stream)
		return err_nomem(e);
	for (size_t i = 0; i < p->live.n_rings; i++)
		p->polls[i + 1] = (struct pollfd){ .fd = p->rings[i].fd, .events = POLLIN };
	return p->want->begin ? p->want->begin(p->want->arg, &p->live, e) : 0;
}

static void tear_down(struct live_parts *p)
{
	tstream_free(p->live.stream);
	for (size_t i = 0; i < p->live.n_rings; i++) {
		sys_of(p)->close(sys_of(p), p->rings[i].fd);
		free(p->rings[i].page);
	}
	free(p->rings);
	free(p->live.rings);
	free(p->polls);
	tevents_deinit(&p->live.events);
	p->live.stream = NULL;
	p->rings = NULL;
	p->live.rings = NULL;
	p->polls = NULL;
	p->live.n_rings = 0;
}

/* --- the loop --- */

/* The newest time of all buffers' clocks, less what an event needs to become visible. */
static uint64_t complete_until(const struct live_parts *p)
{
	uint64_t newest = 0;

	for (uint32_t i = 0; i < p->live.n_rings; i++) {
		struct ring_stats s;

		if (i && p->live.rings[i].buffer == p->live.rings[i - 1].buffer)
			continue;
		if (rings_stats(tfs_of(p, i), p->live.rings[i].cpu, &s) || !s.now)
			return UINT64_MAX;
		if (s.now_is_ns)
			s.now -= MIN(s.now, LIVE_SLACK);
		newest = MAX(newest, s.now);
	}
	return newest;
}

static void read_comms(struct live_parts *p, uint64_t now)
{
	char *text;
	size_t n;

	p->comms_read = now;
	if (tfs_read_all(&p->live.run.top, "saved_cmdlines", &text, &n, NULL))
		return;
	tevents_add_comms(&p->live.events, (struct sv){ text, n });
	free(text);
}

/* Between events: signals, names, output that should not wait. */
static void look_around(struct live_parts *p)
{
	uint64_t now = now_ns(p);
	unsigned signals = p->live.run.n_signals;
	bool was_over = p->live.run.state != RUN_GOES;

	p->countdown = LOOK_EVERY;
	run_look(&p->live.run);
	/* The first signal ends the tracing, one behind the end the reading. */
	if (p->live.run.n_signals != signals && (was_over || p->want->rest == LIVE_REST_DROP))
		p->over = true;
	if (p->want->idle && now - p->idled >= IDLE_EVERY_NS) {
		p->idled = now;
		p->want->idle(p->want->arg);
	}
	if (now - p->comms_read >= COMMS_EVERY_NS)
		read_comms(p, now);
}

/* Everything up to a time: how many events, or -errno. */
static int64_t round_until(struct live_parts *p, uint64_t limit, struct err *e)
{
	struct tstream_rec rec;
	int64_t n = 0;
	int r = 0;

	look_around(p);
	while (!p->over && (r = tstream_next(p->live.stream, limit, &rec, e)) > 0) {
		n++;
		r = p->want->record(p->want->arg, &rec, e);
		if (r < 0)
			return r;
		p->over |= r > 0;
		if (!--p->countdown)
			look_around(p);
		/* After the end of tracing the rest is read with its own limit. */
		if (p->live.run.state && p->live.run.on)
			break;
	}
	return r < 0 ? r : n;
}

static void rest_a_while(struct live_parts *p, int64_t events)
{
	int ms = events ? WAIT_LEAST_MS : WAIT_MOST_MS;

	if (p->want->idle) {
		p->idled = now_ns(p);
		p->want->idle(p->want->arg);
	}
	/* Kernels before 6.1 wake for every event, later ones when half the ring is full: neither will do alone. */
	if (run_wait(&p->live.run, NULL, 0, NAP_MS) == RUN_GOES)
		run_wait(&p->live.run, p->polls, p->live.n_rings + 1, ms);
	/* A CPU that is off would wake us again and again; its ring is looked at in each round. */
	for (size_t i = 1; i <= p->live.n_rings; i++)
		if (p->polls[i].revents & POLLERR)
			p->polls[i].fd = -1;
}

static int follow(struct live_parts *p, struct err *e)
{
	while (!p->over && p->live.run.state == RUN_GOES) {
		uint64_t limit = complete_until(p);
		int64_t n = round_until(p, limit, e);

		if (n < 0)
			return (int)n;
		if (!p->over && p->live.run.state == RUN_GOES)
			rest_a_while(p, n);
	}
	p->over |= p->live.run.state == RUN_SIGNAL && p->want->rest == LIVE_REST_DROP;
	return 0;
}

static void take_stats(struct live_parts *p, struct live_result *res)
{
	for (uint32_t i = 0; i < p->live.n_rings; i++) {
		struct ring_stats s;

		if (rings_stats(tfs_of(p, i), p->live.rings[i].cpu, &s))
			continue;
		res->overrun += s.overrun;
		res->dropped += s.dropped;
		res->unread += s.entries;
	}
	if (p->live.stream)
		res->stats = *tstream_stats(p->live.stream);
}

static int run_it(struct live_parts *p, struct live_result *res, struct err *e)
{
	int r = set_up(p, e), stopped = 0;
	int64_t n = 0;

	if (!r)
		r = run_go(&p->live.run, e);
	if (!r && p->want->tracing)
		p->want->tracing(p->want->arg);
	if (!r)
		r = follow(p, e);
	res->state = p->live.run.state;
	if (p->live.run.on) {
		res->traced_ns = now_ns(p) - p->live.run.started;
		stopped = run_stop(&p->live.run, r ? NULL : e);
		r = r ? r : stopped;
	}
	if (!r && !p->over)
		n = round_until(p, UINT64_MAX, e);
	take_stats(p, res);
	return n < 0 ? (int)n : r;
}

int live_run(const struct live_want *w, struct live_result *res, struct err *e)
{
	struct live_parts p = { .want = w, .countdown = LOOK_EVERY };
	int r, ended;

	*res = (struct live_result){ 0 };
	p.live.parts = &p;
	r = run_begin(&p.live.run, &w->run, e);
	if (r)
		return r;
	r = run_it(&p, res, e);
	if (w->idle)
		w->idle(w->arg);
	res->signal = p.live.run.signal;
	tear_down(&p);
	ended = run_end(&p.live.run, r ? NULL : e);
	res->status = p.live.run.status;
	return r ? r : ended;
}
