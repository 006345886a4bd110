/* What comes from the other side of `record -N` and `listen`: the greeting of both, and every message behind it. */
#include "disk.h"

#include "ftrace/netmsg.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum { OTHER = 5 };

struct line {
	const uint8_t *p;
	size_t n, sent;
};

/* A few bytes at a time, as a connection gives them. */
static ssize_t line_read(const struct sys *s, int fd, void *p, size_t n)
{
	struct line *l = s->arg;
	size_t give = MIN(MIN(n, (size_t)7 + l->n % 5), l->n);

	if (fd != OTHER)
		abort();
	memcpy(p, l->p, give);
	l->p += give;
	l->n -= give;
	return (ssize_t)give;
}

static ssize_t line_write(const struct sys *s, int fd, const void *p, size_t n)
{
	struct line *l = s->arg;

	(void)p;
	if (fd != OTHER)
		abort();
	l->sent += n;
	return (ssize_t)n;
}

static int line_poll(const struct sys *s, struct pollfd *fds, size_t n, int timeout_ms)
{
	(void)s, (void)n, (void)timeout_ms;
	fds[0].revents = POLLIN;
	return 1;
}

static uint64_t sum(const uint8_t *p, size_t n)
{
	uint64_t v = 0;

	for (size_t i = 0; i < n; i++)
		v += p[i];
	return v;
}

static void messages(const struct sys *sys, struct line *l)
{
	static struct netmsg m, again;
	size_t left = l->n;

	for (; !netmsg_receive(sys, OTHER, &m); left = l->n) {
		if (l->n + NETMSG_HEAD > left || m.n > NETMSG_DATA || m.data + m.n > m.bytes + sizeof(m.bytes))
			abort();
		if (sum(m.data, m.n) == UINT64_MAX)
			abort();
		/* Sent on, it has the size that it tells. */
		again.kind = m.kind;
		l->sent = 0;
		if (netmsg_send(sys, OTHER, &again, 3, m.data, m.n) || l->sent != NETMSG_HEAD + 12 + m.n)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct line l = { p, n, 0 };
	struct sys sys = { .root = "", .arg = &l, .read = line_read, .write = line_write, .poll = line_poll };
	struct err e;

	if (!netmsg_welcome(&sys, OTHER, &e))
		messages(&sys, &l);
	l = (struct line){ p, n, 0 };
	if (!netmsg_greet(&sys, OTHER, &e))
		messages(&sys, &l);
	l = (struct line){ p, n, 0 };
	messages(&sys, &l);
	return 0;
}
