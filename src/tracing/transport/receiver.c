/* receiver.c - receives from one sender. */
#include "tracing/transport/receiver.h"

#include <poll.h>
#include <sys/stat.h>
#include <time.h>

enum {
	QUIET_MS = 1000,             /* UDP has no EOF: so long without a page is one */
	LAST_WAITS = 10, LAST_MS = 50,
	FIXED = 3,                   /* polled before the rings: stop, the connection, finish */
};

#define HEAD_MOST (UINT64_C(512) << 20)
#define LAST_MOST (UINT64_C(16) << 20)   /* more than a connection buffers */

/* False: the limit is reached. */
static bool receiver_room_take(struct receiver_room *room, uint64_t n)
{
	uint64_t used = __atomic_add_fetch(&room->used, n, __ATOMIC_RELAXED);

	if (used <= room->most)
		return true;
	__atomic_sub_fetch(&room->used, n, __ATOMIC_RELAXED);
	return false;
}

static uint64_t now(const struct receiver *l)
{
	return l->sys->now(l->sys, CLOCK_MONOTONIC);
}

static int take_room(struct receiver *l, uint64_t n, struct err *e)
{
	if (l->w->room && !receiver_room_take(l->w->room, n))
		return err_set(e, ENOSPC, "the room for recordings is used up");
	l->taken += n;
	return 0;
}

int receiver_init(struct receiver *l, const struct receiver_want *w, uint32_t ncpus, struct err *e)
{
	char name[PATH_MAX];
	int r;

	*l = (struct receiver){ .w = w, .sys = w->sys, .head.fd = -1 };
	if (!ncpus || ncpus > RECEIVER_CPUS)
		return err_set(e, EPROTO, "the %s has %u CPUs", w->who, ncpus);
	r = take_room(l, RECEIVER_FILE, e);
	if (r)
		return r;
	if (snprintf(name, sizeof(name), "%s.head", w->output) >= (int)sizeof(name))
		return err_set(e, ENAMETOOLONG, "%s is too long a name", w->output);
	w->sys->raise_fd_limit(w->sys);
	l->polls = calloc(ncpus + FIXED, sizeof(*l->polls));
	return l->polls ? ringfile_make_at(&l->head, l->sys, name, e) : err_nomem(e);
}

int receiver_port(struct receiver *l, int fd, bool waiting, struct err *e)
{
	struct receiver_port *p = vec_add(&l->ports);

	if (!p) {
		l->sys->close(l->sys, fd);
		return err_nomem(e);
	}
	*p = (struct receiver_port){
		.file = { .cpu = (uint32_t)l->ports.n - 1, .fd = -1 }, .waiting = waiting, .fd = fd,
	};
	l->open++;
	return ringfile_make(&p->file, l->sys, l->w->output, "", e);
}

/* --- receiving --- */

static int take_description(struct receiver *l, struct err *e)
{
	int r;

	if (l->described || l->head.size + l->msg.n > HEAD_MOST)
		return 0;
	/* Charge it twice: its file exists until the recording contains it. */
	r = take_room(l, 2 * (uint64_t)l->msg.n, e);
	if (r)
		return r;
	l->head.size += l->msg.n;
	r = sys_write_all(l->sys, l->head.fd, l->msg.data, l->msg.n);
	return r ? err_set(e, -r, "cannot write %s: %s", l->head.path, err_name(-r)) : 0;
}

/* The agent gave up: keep what was received. */
static int given_up(struct receiver *l)
{
	err_set(&l->cut, ECONNABORTED, "the %s has given up%s%.*s", l->w->who, l->msg.n ? ": " : "",
		(int)MIN(l->msg.n, 300u), (const char *)l->msg.data);
	l->closed = true;
	return 0;
}

static int take_message(struct receiver *l, struct err *e)
{
	uint32_t had = l->msg.have;
	int r = netmsg_take(l->w->fd, &l->msg);

	if (r == -ENOTCONN || r == -ECONNRESET || r == -ETIMEDOUT) {
		if (l->w->finish >= 0 && !l->closed && !l->cut.code)
			err_set(&l->cut, ENOTCONN, "the %s is gone", l->w->who);
		l->closed = true;
		return l->described ? 0
				    : err_set(e, -r, "the %s has ended in the middle of its description", l->w->who);
	}
	if (r < 0)
		return err_set(e, -r, "the %s: %s", l->w->who, err_name(-r));
	if (r || !had || had == l->msg.size)
		l->heard = now(l);
	if (!r)
		return 0;
	l->last += l->stopping ? l->msg.n : 0;
	switch (l->msg.kind) {
	case NETMSG_SEND_DATA:
		return take_description(l, e);
	case NETMSG_FIN_DATA:
		l->described = true;
		if (l->w->described)
			l->w->described(l->w->arg);
		return 0;
	case NETMSG_CLOSE:
	case NETMSG_CLOSE_RESP:
		l->closed = true;
		return 0;
	case NETMSG_NOT_SUPP:
		return l->w->finish < 0 ? 0 : given_up(l);
	default:
		netmsg_refuse(l->sys, l->w->fd, "");
		return 0;
	}
}

static void end_port(struct receiver *l, struct receiver_port *p)
{
	l->sys->close(l->sys, p->fd);
	p->fd = -1;
	l->open--;
}

/* End all rings: a recording is made of what was received; the description may still be on its way. */
static void end_ports(struct receiver *l)
{
	for (size_t i = 0; i < l->ports.n; i++)
		if (l->ports.v[i].fd >= 0)
			end_port(l, &l->ports.v[i]);
}

/* Accept pages only from the sender's machine. */
static void take_connection(struct receiver *l, struct receiver_port *p)
{
	struct net_addr from;
	int fd = net_accept(p->fd, &from);

	if (fd < 0)
		return;
	if (!net_same_host(&from, &l->w->peer)) {
		l->sys->close(l->sys, fd);
		return;
	}
	net_patience(fd, l->w->timeout_ms);
	l->sys->close(l->sys, p->fd);
	p->fd = fd;
	p->waiting = false;
}

static int take_pages(struct receiver *l, struct receiver_port *p, struct err *e)
{
	struct net_addr from = { .n = 0 };
	ssize_t n;
	int r;

	if (p->waiting) {
		take_connection(l, p);
		return 0;
	}
	n = net_take(p->fd, l->bytes, sizeof(l->bytes), l->w->kind == NET_UDP ? &from : NULL);
	if (n == -EAGAIN || (n > 0 && from.n && !net_same_host(&from, &l->w->peer)))
		return 0;
	if (n <= 0) {
		end_port(l, p);
		return 0;
	}
	if (take_room(l, (uint64_t)n, &l->cut)) {
		end_ports(l);
		return 0;
	}
	p->file.size += (uint64_t)n;
	l->last += l->stopping ? (uint64_t)n : 0;
	r = sys_write_all(l->sys, p->file.fd, l->bytes, (size_t)n);
	return r ? err_set(e, -r, "cannot write %s: %s", p->file.path, err_name(-r)) : 0;
}

/* Does this ring have a connection whose end was not seen? */
static bool connected(const struct receiver *l, const struct receiver_port *p)
{
	return l->w->kind != NET_UDP && p->fd >= 0 && !p->waiting;
}

/* Days may pass without an event; but the description, or a message that has begun, must go on. */
static bool must_speak(const struct receiver *l)
{
	bool inside = l->msg.have && l->msg.have != l->msg.size;

	return !l->closed && (!l->described || inside);
}

static int patience(const struct receiver *l)
{
	uint64_t until = l->heard + l->w->timeout_ms * UINT64_C(1000000), t = now(l);

	if (l->stopping)
		return 0;
	if (l->finishing)
		return (int)l->w->timeout_ms;
	if (must_speak(l))
		return until > t ? (int)((until - t) / 1000000 + 1) : 0;
	for (size_t i = 0; l->closed && i < l->ports.n; i++)
		if (connected(l, &l->ports.v[i]))
			return (int)l->w->timeout_ms;
	return l->closed ? QUIET_MS : -1;
}

/* Send CLOSE, once. */
static void finish(struct receiver *l)
{
	if (netmsg_send(l->sys, l->w->fd, &(struct netmsg){ .kind = NETMSG_CLOSE }, 0, NULL, 0))
		l->closed = true;
	l->finishing = true;
}

static int wait_for_more(struct receiver *l)
{
	size_t n = l->ports.n + FIXED;
	int r = l->sys->poll(l->sys, l->polls, n, patience(l));

	/* Data may still be on their way; but do not wait for a sender that keeps sending. */
	if (!r && l->stopping && l->waits++ < LAST_WAITS)
		r = l->sys->poll(l->sys, l->polls, n, LAST_MS);
	return r;
}

/* Has the sender been silent for too long? Pages do not count as a sign of life here. */
static bool is_silent(struct receiver *l)
{
	if (l->stopping || !must_speak(l) || now(l) < l->heard + l->w->timeout_ms * UINT64_C(1000000))
		return false;
	err_set(&l->cut, ETIMEDOUT, "the %s has stopped in the middle of %s",
		l->w->who, l->described ? "a message" : "its description");
	return true;
}

/* 1: something was received; 0: nothing for a while; or -errno. */
static int take(struct receiver *l, struct err *e)
{
	size_t n = l->ports.n;
	int r;

	l->polls[0] = (struct pollfd){ .fd = l->stopping ? -1 : l->w->stop, .events = POLLIN };
	l->polls[2] = (struct pollfd){ .fd = l->finishing ? -1 : l->w->finish, .events = POLLIN };
	l->polls[1] = (struct pollfd){ .fd = l->closed ? -1 : l->w->fd, .events = POLLIN };
	for (size_t i = 0; i < n; i++)
		l->polls[FIXED + i] = (struct pollfd){ .fd = l->ports.v[i].fd, .events = POLLIN };
	r = wait_for_more(l);
	if (r < 0 || is_silent(l))
		return r == -EINTR ? 1 : r < 0 ? r : 0;
	if (!r || l->last > LAST_MOST * (n + 1))
		return 0;
	if (l->polls[0].revents)
		l->stopping = true;
	if (l->polls[2].revents)
		finish(l);
	r = l->polls[1].revents ? take_message(l, e) : 0;
	/* Read the description first: without it there is no recording, and pages must not use up its room. */
	if (l->polls[1].revents && !l->described)
		return r ? r : 1;
	for (size_t i = 0; !r && i < n; i++)
		if (l->polls[FIXED + i].revents && l->ports.v[i].fd >= 0)
			r = take_pages(l, &l->ports.v[i], e);
	return r ? r : !l->cut.code || !l->described;
}

/* --- the end --- */

/*
 * Complete a description of version 6, which ends where the table of rings would be: add a table of empty rings, and an
 * empty text of the clock, which an option may have announced.
 */
static int end_head(struct receiver *l, struct err *e)
{
	static const char rings[] = "flyrecord";
	size_t n = sizeof(rings) + l->ports.n * 16 + 8;
	char version = 0, *text = calloc(1, n);
	int r = text ? 0 : -ENOMEM;

	if (!r && l->sys->pread(l->sys, l->head.fd, &version, 1, 10) == 1 && version == '6') {
		memcpy(text, rings, sizeof(rings));
		r = sys_write_all(l->sys, l->head.fd, text, n);
	}
	free(text);
	return r ? err_set(e, -r, "cannot write %s: %s", l->head.path, err_name(-r)) : 0;
}

int receiver_make(struct receiver *l, const struct tdat_option *more, size_t n_more, struct restore_result *res,
		  struct err *e)
{
	const uint8_t *bytes;
	struct tdat like;
	size_t n;
	struct restore_want w = { .sys = l->sys, .output = l->w->output, .like = &like, .once = true,
				  .n_files = l->ports.n, .more = more, .n_more = n_more };
	char **files = calloc(l->ports.n + 1, sizeof(*files));
	int r = files ? end_head(l, e) : err_nomem(e);

	if (!r)
		r = sys_map_file(l->sys, l->head.path, &bytes, &n, e);

	for (size_t i = 0; files && i < l->ports.n; i++)
		files[i] = l->ports.v[i].file.path;
	if (!r) {
		r = tdat_init(&like, bytes, n, e);
		if (r) {
			err_wrap(e, "the %s's description", l->w->who);
		} else {
			w.files = files;
			w.format = tdat_format_of(&like);
			r = restore_run(&w, res, e);
			tdat_deinit(&like);
		}
		sys_unmap_file(l->sys, bytes, n);
	}
	free(files);
	l->made = !r;
	return r;
}

int receiver_unfinished(const struct receiver *l, struct err *e)
{
	if (l->cut.code) {
		*e = l->cut;
		return err_wrap(e, "%s has only what came before", l->w->output);
	}
	for (size_t i = 0; !l->stopping && i < l->ports.n; i++)
		if (connected(l, &l->ports.v[i]))
			return err_set(e, ETIMEDOUT, "%s: the end of CPU %u did not come: events may be missing",
				       l->w->output, l->ports.v[i].file.cpu);
	return 0;
}

int receiver_run(struct receiver *l, struct err *e)
{
	int r = 1;

	l->heard = now(l);
	while (r > 0 && (l->open || !l->closed))
		r = take(l, e);
	if (!r && l->cut.code && !l->described) {
		*e = l->cut;
		return -e->code;
	}
	return r < 0 ? r : 0;
}

/* Bytes charged but not in the recording: the description was charged twice, for example. */
static uint64_t not_used(const struct receiver *l)
{
	uint64_t size = RECEIVER_FILE;
	struct stat st;

	if (!l->sys->lstat(l->sys, l->w->output, &st))
		size = MAX(size, (uint64_t)st.st_size);
	return l->taken - MIN(l->taken, size);
}

void receiver_deinit(struct receiver *l)
{
	end_ports(l);
	for (size_t i = 0; i < l->ports.n; i++)
		ringfile_drop(&l->ports.v[i].file, l->sys);
	ringfile_drop(&l->head, l->sys);
	if (l->w->room)
		__atomic_sub_fetch(&l->w->room->used, l->made ? not_used(l) : l->taken, __ATOMIC_RELAXED);
	vec_free(&l->ports);
	free(l->polls);
}
