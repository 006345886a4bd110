/* pump.c - splices, waits, drains. */
#include "tracing/transport/pump.h"

#include "sys/worker.h"

#include <fcntl.h>
#include <poll.h>

enum {
	PIPE_BYTES = 256 * 1024,
	WAIT_MS = 1000,        /* a ring that fills slowly is still read that often */
	NAP_MS = 20,           /* pause when the kernel woke us for less than a page */
};

static int made_progress(struct pump *p, size_t n)
{
	struct recorder_state *s = p->state;

	p->pos += n;
	s->moved += n;
	if (p->pos > s->size)
		s->size = p->pos;
	if (p->max && s->moved > p->max)
		s->start = p->pos % p->max;
	if (!p->max || p->pos < p->max)
		return 0;
	p->pos = 0;
	return p->sys->seek(p->sys, p->to, 0);
}

/* Write all n bytes from the pipe to the target. */
static int push(struct pump *p, size_t n)
{
	while (n) {
		ssize_t done = p->sys->splice(p->sys, p->pipe[0], p->to, n, SPLICE_F_MOVE);

		if (done == -EINTR)
			continue;
		if (done == -EAGAIN && !sys_wait_writable(p->sys, p->to))
			continue;
		if (done <= 0)
			return done ? (int)done : -EIO;
		n -= (size_t)done;
	}
	return 0;
}

/* The same through a buffer, for files that do not support splice. */
static int push_copied(struct pump *p, size_t n)
{
	while (n) {
		ssize_t got = p->sys->read(p->sys, p->pipe[0], p->page, MIN(n, p->subbuf));
		int r = got > 0 ? sys_write_all(p->sys, p->to, p->page, (size_t)got) : -EIO;

		if (r)
			return r;
		n -= (size_t)got;
	}
	return 0;
}

/* Move all full sub-buffers: 1 some, 0 there were none, or -errno. */
static int move_pages(struct pump *p)
{
	int some = 0;

	for (;;) {
		size_t room = p->max ? (size_t)MIN(p->chunk, p->max - p->pos) : p->chunk;
		ssize_t n = p->sys->splice(p->sys, p->from, p->pipe[1], room, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
		int r;

		if (n == -EINTR)
			continue;
		if (n == 0 || n == -EAGAIN)
			return some;
		if (n < 0)
			return (int)n;
		r = p->by_copy ? push_copied(p, (size_t)n) : push(p, (size_t)n);
		if (r == -EINVAL && !p->by_copy) {
			p->by_copy = true;
			r = push_copied(p, (size_t)n);
		}
		if (!r)
			r = made_progress(p, (size_t)n);
		if (r)
			return r;
		some = 1;
	}
}

/* Read the page being written; where splice does not work, every page. */
static int read_pages(struct pump *p)
{
	for (;;) {
		ssize_t n = p->sys->read(p->sys, p->from, p->page, p->subbuf);
		int r;

		if (n == -EINTR)
			continue;
		if (n == 0 || n == -EAGAIN || n == -ENODEV)
			return 0;
		if (n < 0)
			return (int)n;
		memset(p->page + n, 0, p->subbuf - (size_t)n);
		r = sys_write_all(p->sys, p->to, p->page, p->subbuf);
		if (!r)
			r = made_progress(p, p->subbuf);
		if (r)
			return r;
	}
}

/* Sleep; true when it is time to end. */
static bool wait_ms(struct pump *p, int ms)
{
	struct pollfd fd = { .fd = p->stop[0], .events = POLLIN };

	return p->sys->poll(p->sys, &fd, 1, ms) > 0;
}

static bool wait_for_pages(struct pump *p, bool had_some)
{
	int interval = (int)MIN((p->want->interval_us + 999) / 1000, 3600000u);
	struct pollfd fds[2] = {
		{ .fd = p->stop[0], .events = POLLIN }, { .fd = p->from, .events = POLLIN },
	};

	if (p->want->busy)
		return wait_ms(p, interval);
	if (wait_ms(p, had_some ? interval : MAX(interval, NAP_MS)))
		return true;
	p->sys->poll(p->sys, fds, 2, WAIT_MS);
	/* The CPU is offline, and was so when the buffer was made: it has no ring yet. */
	if (fds[1].revents & POLLERR)
		return wait_ms(p, WAIT_MS);
	return fds[0].revents;
}

static int pump(struct pump *p)
{
	int some = 1, r;

	while (!p->want->drain) {
		if (wait_for_pages(p, some))
			break;
		some = move_pages(p);
		if (some < 0)
			return some;
	}
	r = move_pages(p);
	return r < 0 ? r : read_pages(p);
}

static int prepare(struct pump *p)
{
	int r = worker_pipe(p->pipe, PIPE_BYTES, NULL);

	if (r)
		return r;
	p->page = malloc(p->subbuf);
	if (!p->page)
		return -ENOMEM;
	/* A sub-buffer of any size takes one slot of the pipe. */
	p->chunk = (size_t)PIPE_BYTES / (size_t)p->sys->page_size(p->sys) * p->subbuf;
	if (p->want->max_kb)
		p->max = MAX(p->want->max_kb * 1024 / p->subbuf, 2u) * p->subbuf;
	if (p->want->priority)
		r = worker_realtime(p->want->priority);
	return r;
}

int pump_run(void *arg)
{
	struct pump *p = arg;
	int r;

	/* Close our copy of the write end: otherwise the read end would never see EOF. */
	p->sys->close(p->sys, p->stop[1]);
	r = prepare(p);
	if (!r)
		r = pump(p);
	p->state->size -= p->state->size % p->subbuf;
	p->state->error = -r;
	return r != 0;
}
