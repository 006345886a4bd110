/* What comes from the other side of `record -N` and `listen`: the greeting of both, and every message behind it. */
#include "tracing/transport/netmsg.h"

#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static const struct net_wait no_wait = { .ms = 0, .stop = -1 };

/* What is sent counts, and goes nowhere. */
static ssize_t count_write(const struct sys *s, int fd, const void *p, size_t n)
{
	(void)fd, (void)p;
	*(size_t *)s->arg += n;
	return (ssize_t)n;
}

static uint64_t sum(const uint8_t *p, size_t n)
{
	uint64_t v = 0;

	for (size_t i = 0; i < n; i++)
		v += p[i];
	return v;
}

static void messages(const struct sys *sys, int fd)
{
	static struct netmsg m, again;
	size_t *sent = sys->arg;

	while (!netmsg_receive(sys, fd, &m, &no_wait)) {
		if (m.n > NETMSG_DATA || m.data + m.n > m.bytes + sizeof(m.bytes))
			abort();
		if (sum(m.data, m.n) == UINT64_MAX)
			abort();
		/* Sent on, it has the size that it tells. */
		again.kind = m.kind;
		*sent = 0;
		if (netmsg_send(sys, fd, &again, 3, m.data, m.n) || *sent != NETMSG_HEAD + 12 + m.n)
			abort();
	}
}

typedef int greet_fn(const struct sys *sys, int fd, const struct net_wait *w, struct err *e);

/* Someone who says these bytes and goes. */
static void hear(const uint8_t *p, size_t n, greet_fn *first)
{
	size_t sent = 0;
	struct sys sys = sys_live;
	struct err e;
	int fd[2];

	sys.arg = &sent;
	sys.write = count_write;
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fd))
		abort();
	if (n && send(fd[1], p, n, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		abort();
	close(fd[1]);
	if (!first || !first(&sys, fd[0], &no_wait, &e))
		messages(&sys, fd[0]);
	close(fd[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	hear(p, n, netmsg_welcome);
	hear(p, n, netmsg_greet);
	hear(p, n, NULL);
	return 0;
}
