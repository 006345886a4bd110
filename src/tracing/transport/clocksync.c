/* clocksync.c - see clocksync.h. */
#include "tracing/transport/clocksync.h"

#include "sys/child.h"
#include "sys/worker.h"
#include "tracing/transport/ptp.h"

#include <poll.h>
#include <sys/mman.h>
#include <time.h>

#define NONE "none"

enum {
	NONE_COMPARE = 1, NONE_END,
	SPEAK_MS = 10000,            /* limit for a message within a comparison */
	CONNECT_MS = 60000,
};

/* --- messages --- */

static int say(const struct clocksync *s, const char *way, uint32_t kind, const void *data, size_t n)
{
	return agentmsg_sync_send(s->sys, s->fd, way, kind, data, n);
}

/* Receive the next message of that protocol: its kind, or -errno. */
static int64_t hear(struct clocksync *s, const char *way, unsigned ms)
{
	const struct net_wait w = { .ms = ms, .stop = -1 };
	int r;

	net_hurry(s->fd);
	r = netmsg_receive(s->sys, s->fd, &s->msg, &w);
	return r ? r : agentmsg_sync(&s->msg, way);
}

static int expect(struct clocksync *s, uint32_t kind, size_t n)
{
	int64_t got = hear(s, CLOCKSYNC_PTP, SPEAK_MS);

	return got < 0 ? (int)got : got != kind || s->msg.n < n ? -EBADMSG : 0;
}

static uint32_t u32_at(const struct clocksync *s, size_t at)
{
	struct cursor c = cur_from(s->msg.data + at, 4);

	c.swap = true;
	return cur_u32(&c);
}

static int64_t i64_at(const struct clocksync *s, size_t at)
{
	return (int64_t)((uint64_t)u32_at(s, at) << 32 | u32_at(s, at + 4));
}

/* --- our own times --- */

static uint32_t numbered(const struct clocksync *s, uint32_t probe, bool back)
{
	return s->series << 16 | probe << 1 | back;
}

static bool parse_number(const struct clocksync *s, uint32_t number, uint32_t *i)
{
	*i = ((number & 0xffff) >> 1) - 1;
	return number >> 16 == (s->series & 0xffff) && *i < PTP_PROBES;
}

static void as_guest(void *arg, uint32_t number, uint64_t ts)
{
	struct clocksync *s = arg;
	uint32_t i;

	if (parse_number(s, number, &i))
		*(number & 1 ? &s->times->back[i] : &s->times->sent[i]) = (int64_t)ts;
}

static void as_host(void *arg, uint32_t number, uint64_t ts)
{
	struct clocksync *s = arg;
	uint32_t i;

	if (parse_number(s, number, &i))
		s->times->met[i] = (int64_t)ts;
}

/* --- the guest --- */

static int probe(struct clocksync *s)
{
	for (uint32_t i = 1; i <= PTP_PROBES; i++) {
		uint32_t number = __builtin_bswap32(i);
		int r = traceclock_note(&s->clock, numbered(s, i, false));

		if (!r)
			r = say(s, CLOCKSYNC_PTP, PTP_PROBE, &number, sizeof(number));
		if (!r)
			r = expect(s, PTP_PROBE, 4);
		if (!r)
			r = traceclock_note(&s->clock, numbered(s, i, true));
		if (r || u32_at(s, 0) != i)
			return r ? r : -EBADMSG;
	}
	return say(s, CLOCKSYNC_PTP, PTP_END, NULL, 0);
}

static int tell_offset(struct clocksync *s)
{
	int64_t found[2] = { 0 };

	traceclock_read(&s->clock, as_guest, s);
	if (!ptp_offset(s->times, &found[0], &found[1]))
		found[0] = found[1] = 0;
	for (size_t i = 0; i < 2; i++)
		found[i] = (int64_t)__builtin_bswap64((uint64_t)found[i]);
	return say(s, CLOCKSYNC_PTP, PTP_OFFSET, found, sizeof(found));
}

static int compare_as_guest(struct clocksync *s)
{
	uint32_t start[2] = { __builtin_bswap32(++s->series), __builtin_bswap32(PTP_FASTEST | PTP_MARKER) };
	int r = say(s, CLOCKSYNC_PTP, PTP_START, start, sizeof(start));

	memset(s->times, 0, sizeof(*s->times));
	if (!r)
		r = expect(s, PTP_START, 0);
	if (!r)
		r = probe(s);
	if (!r)
		r = expect(s, PTP_RESULTS, 8);
	if (!r)
		r = ptp_take_results(s->times, s->msg.data, s->msg.n);
	return r ? r : tell_offset(s);
}

/* Accept a connection from the host only. */
static int accept_host(struct clocksync *s)
{
	uint64_t until = s->sys->now(s->sys, CLOCK_MONOTONIC) + CONNECT_MS * UINT64_C(1000000);
	struct net_addr from;
	int fd, r;

	while (!(r = net_wait_for(s->sys, s->fd, until, -1))) {
		fd = net_accept(s->fd, &from);
		if (fd >= 0 && net_same_host(&from, &s->peer)) {
			s->sys->close(s->sys, s->fd);
			s->fd = fd;
			return 0;
		}
		if (fd >= 0)
			s->sys->close(s->sys, fd);
	}
	return r;
}

static int serve(void *arg)
{
	struct clocksync *s = arg;
	uint16_t cpu;

	if (accept_host(s))
		return 1;
	/* Hours may pass between two comparisons. */
	while (hear(s, NONE, UINT32_MAX) == NONE_COMPARE && s->msg.n >= sizeof(cpu)) {
		memcpy(&cpu, s->msg.data, sizeof(cpu));
		worker_pin(cpu);
		if (compare_as_guest(s))
			return 1;
	}
	return 0;
}

static int prepare(struct clocksync *s, struct undo *u, const struct tfs *top, const char *clock, struct err *e)
{
	s->times = calloc(1, sizeof(*s->times));
	return s->times ? traceclock_init(&s->clock, u, top, clock, e) : err_nomem(e);
}

int clocksync_serve(struct clocksync *s, struct undo *u, const struct tfs *top, const char *clock,
		    const struct net_addr *peer, unsigned *port, struct err *e)
{
	int r;

	*s = (struct clocksync){ .sys = top->sys, .fd = -1, .peer = *peer, .stop = { -1, -1 }, .clock.marker = -1 };
	r = prepare(s, u, top, clock, e);
	*port = 0;
	if (!r)
		r = s->fd = net_listen(net_kind_of(peer), port, e);
	if (r >= 0)
		r = s->pid = worker_start(WORKER_DIES_WITH_US, serve, s, e);
	s->pid = MAX(s->pid, 0);
	if (s->fd >= 0)
		s->sys->close(s->sys, s->fd);
	s->fd = -1;
	return MIN(r, 0);
}

/* --- the host --- */

/* A full table is thinned out: it limits memory, and the work of reports. */
static void add_sample(struct clocksync_cpu *c, int64_t time, int64_t offset)
{
	if (c->n == CLOCKSYNC_SAMPLES) {
		for (uint32_t i = 0; i < CLOCKSYNC_SAMPLES / 2; i++)
			c->v[i] = c->v[2 * i];
		c->n /= 2;
	}
	c->v[c->n++] = (struct tshift_sample){ .time = time, .offset = offset, .scaling = 1 };
}

/* Return probes until the guest has enough. */
static int answer_probes(struct clocksync *s)
{
	for (;;) {
		int64_t kind = hear(s, CLOCKSYNC_PTP, SPEAK_MS);
		uint32_t number;
		int r;

		if (kind != PTP_PROBE || s->msg.n < 4)
			return kind == PTP_END ? 0 : kind < 0 ? (int)kind : -EBADMSG;
		number = u32_at(s, 0);
		if (!number || number > PTP_PROBES)
			return -EBADMSG;
		r = traceclock_note(&s->clock, numbered(s, number, false));
		if (!r)
			r = say(s, CLOCKSYNC_PTP, PTP_PROBE, s->msg.data, 4);
		if (r)
			return r;
	}
}

static int compare_as_host(struct clocksync *s, uint32_t cpu)
{
	uint8_t results[PTP_RESULTS_BYTES];
	uint16_t which = (uint16_t)cpu;
	uint32_t series;
	int r = say(s, NONE, NONE_COMPARE, &which, sizeof(which));

	memset(s->times, 0, sizeof(*s->times));
	s->series++;
	if (!r)
		r = expect(s, PTP_START, 8);
	series = r ? 0 : u32_at(s, 0);
	if (!r && !(u32_at(s, 4) & PTP_MARKER))
		return -EOPNOTSUPP;
	if (!r)
		r = say(s, CLOCKSYNC_PTP, PTP_START, s->msg.data, 8);
	if (!r)
		r = answer_probes(s);
	if (r)
		return r;
	traceclock_read(&s->clock, as_host, s);
	ptp_put_results(results, series, s->times);
	r = say(s, CLOCKSYNC_PTP, PTP_RESULTS, results, sizeof(results));
	if (!r)
		r = expect(s, PTP_OFFSET, 16);
	if (!r && i64_at(s, 0))
		add_sample(&s->cpus[cpu], i64_at(s, 0), i64_at(s, 8));
	return r;
}

struct leading {
	struct clocksync *s;
	int word;              /* to the parent: a byte after the first comparison */
};

static int lead(void *arg)
{
	struct leading *l = arg;
	struct clocksync *s = l->s;
	struct pollfd p = { .fd = s->stop[0], .events = POLLIN };
	bool first = true, last = false;
	int r = 0;

	do {
		for (uint32_t cpu = 0; !r && cpu < s->ncpus; cpu++)
			r = compare_as_host(s, cpu);
		if (r)
			break;
		if (first)
			sys_write_all(s->sys, l->word, "", 1);
		first = false;
		if (last)
			break;
		last = s->sys->poll(s->sys, &p, 1, s->interval_ms > 0 ? (int)s->interval_ms : -1) > 0;
	} while (true);
	say(s, NONE, NONE_END, NULL, 0);
	return r != 0;
}

static void end_pipe(const struct clocksync *s, int *end)
{
	if (*end >= 0)
		s->sys->close(s->sys, *end);
	*end = -1;
}

static int share(struct clocksync *s, struct err *e)
{
	void *shared = NULL;
	int r = s->sys->mmap(s->sys, &shared, s->ncpus * sizeof(*s->cpus), PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (r)
		return err_set(e, -r, "cannot map memory: %s", err_name(-r));
	s->cpus = shared;
	return 0;
}

static int start_leading(struct clocksync *s, struct err *e)
{
	int word[2], r = worker_pipe(word, 0, e);
	struct leading l = { .s = s, .word = word[1] };
	char byte;

	if (r)
		return r;
	r = worker_pipe(s->stop, 0, e);
	if (!r)
		r = s->pid = worker_start(WORKER_DIES_WITH_US, lead, &l, e);
	s->pid = MAX(s->pid, 0);
	end_pipe(s, &word[1]);
	end_pipe(s, &s->fd);
	if (r >= 0 && s->sys->read(s->sys, word[0], &byte, 1) != 1)
		r = err_set(e, EPROTO, "the guest has broken off the first comparison");
	end_pipe(s, &word[0]);
	return MIN(r, 0);
}

int clocksync_lead(struct clocksync *s, const struct sys *sys, const char *clock, const struct net_addr *to,
		   uint32_t ncpus, int64_t interval_ms, struct err *e)
{
	struct tfs top;
	int r;

	*s = (struct clocksync){
		.sys = sys, .fd = -1, .stop = { -1, -1 }, .clock.marker = -1, .ncpus = ncpus,
		.interval_ms = interval_ms,
	};
	/* Connect first: whatever else fails, the guest waits for the connection. */
	s->fd = r = net_connect(to, e);
	if (r >= 0)
		r = tfs_open(&top, sys, e);
	if (!r && !(s->undo = undo_new(sys, e)))
		r = -e->code;
	if (!r)
		r = prepare(s, s->undo, &top, clock, e);
	if (!r)
		r = share(s, e);
	return r ? r : start_leading(s, e);
}

/* --- the end --- */

void clocksync_stop(struct clocksync *s)
{
	if (s->stop[1] >= 0)
		sys_write_all(s->sys, s->stop[1], "", 1);
	end_pipe(s, &s->stop[1]);
}

void clocksync_wait(struct clocksync *s, unsigned ms)
{
	struct child c = { .pid = s->pid, .go_fd = -1, .err_fd = -1 };
	int status;

	for (unsigned waited = 0; s->pid && waited < ms; waited += 10) {
		if (child_poll(&c, &status, NULL))
			s->pid = 0;
		else
			s->sys->poll(s->sys, NULL, 0, 10);
	}
	if (s->pid) {
		worker_kill(s->pid);
		worker_wait(s->pid);
	}
	s->pid = 0;
}

bool clocksync_put(const struct clocksync *s, uint64_t host_id, struct out *o)
{
	struct tshift shift = { .peer = host_id, .flags = TSHIFT_INTERPOLATE, .ncpus = s->ncpus };
	bool all = s->cpus && s->ncpus;

	shift.cpus = calloc(s->ncpus + 1, sizeof(*shift.cpus));
	for (uint32_t i = 0; shift.cpus && s->cpus && i < s->ncpus; i++) {
		shift.cpus[i] = (struct tshift_cpu){ .v = s->cpus[i].v, .n = s->cpus[i].n };
		all &= s->cpus[i].n > 0;
	}
	all &= shift.cpus != NULL;
	if (all)
		tshift_put(o, &shift);
	free(shift.cpus);
	return all;
}

void clocksync_deinit(struct clocksync *s)
{
	if (!s->sys)
		return;
	clocksync_wait(s, 0);
	end_pipe(s, &s->stop[0]);
	end_pipe(s, &s->stop[1]);
	end_pipe(s, &s->fd);
	traceclock_deinit(&s->clock);
	if (s->undo)
		undo_finish(s->undo, NULL);
	if (s->cpus)
		s->sys->munmap(s->sys, s->cpus, s->ncpus * sizeof(*s->cpus));
	free(s->times);
	*s = (struct clocksync){ .fd = -1 };
}
