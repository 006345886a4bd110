/* ftrace/netmsg: what comes from the other side of a connection. */
#include "tracing/transport/netmsg.h"

#include "t.h"

#include <sys/socket.h>
#include <unistd.h>

static int said(const void *bytes, size_t n)
{
	int fd[2];

	CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	CHECK_EQ(write(fd[1], bytes, n), n);
	close(fd[1]);
	return fd[0];
}

TEST(netmsg_takes_nothing_behind_a_head_that_is_refused)
{
	static const uint8_t head[20000] = { 0, 0, 0x4e, 0x20, 0, 0, 0, NETMSG_SEND_DATA };   /* 20000 bytes */
	struct netmsg *m = guard_dup(&(struct netmsg){ .kind = 0 }, sizeof(*m));
	int fd = said(head, sizeof(head));

	CHECK_EQ(netmsg_take(fd, m), -EBADMSG);
	CHECK_EQ(netmsg_take(fd, m), -EBADMSG);
	CHECK_EQ(m->have, NETMSG_HEAD);
	close(fd);
}

TEST(netmsg_tells_a_message_that_comes_in_pieces)
{
	static const uint8_t bytes[] = { 0, 0, 0, 18, 0, 0, 0, NETMSG_RINIT, 0, 0, 0, 4, 0, 0, 0, 7, 'a', 'b' };
	struct netmsg m = { .kind = 0 };
	int fd[2], r = 0;

	CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	for (size_t i = 0; i < sizeof(bytes); i++) {
		CHECK_EQ(r, 0);
		CHECK_EQ(write(fd[1], bytes + i, 1), 1);
		r = netmsg_take(fd[0], &m);
	}
	CHECK_EQ(r, 1);
	CHECK_EQ(m.kind, NETMSG_RINIT);
	CHECK_EQ(m.field[0], 7);
	CHECK(m.n == 2 && !memcmp(m.data, "ab", 2));
	close(fd[0]);
	close(fd[1]);
}
