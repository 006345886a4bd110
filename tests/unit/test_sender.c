/* ftrace/sender: the rings' ports of an agent, which who has asked connects to when he likes. */
#include "tracing/transport/sender.h"

#include "t.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

static struct recorder_ring rings[2] = { { .file.cpu = 0 }, { .file.cpu = 2 } };
static const struct recorder recorder = { .rings = { .v = rings, .n = 2 } };
static int pair[2];

/* Answered; the port of each of three CPUs, of which the middle one has no ring. */
static void answer(struct sender *s, struct sender_asked *asked, uint32_t ports[3])
{
	struct agentmsg_answer a = { .page_size = 4096 }, got;
	struct netmsg m = { .kind = 0 };
	struct err e = { 0 };

	CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	asked->fd = pair[0];
	asked->timeout_ms = 100;
	CHECK_EQ(net_parse(&asked->peer, &sys_live, "127.0.0.1:1", &e), 0);
	sender_init(s, &sys_live);
	CHECK_EQ(sender_answer(s, asked, &recorder, &a, &e), 0);
	CHECK_EQ(netmsg_take(pair[1], &m), 1);
	CHECK_EQ(agentmsg_answer(&got, &m, &e), 0);
	CHECK_EQ(got.cpus, 3);
	for (size_t i = 0; i < 3; i++)
		CHECK(agentmsg_port(&got.ports, &ports[i]));
	CHECK_EQ(sender_described(s, &e), 0);
	m = (struct netmsg){ .kind = 0 };
	CHECK_EQ(netmsg_take(pair[1], &m), 1);
	CHECK_EQ(m.kind, NETMSG_FIN_DATA);
}

static int connect_to(uint32_t port)
{
	struct net_addr to;
	char text[32];

	snprintf(text, sizeof(text), "127.0.0.1:%u", port);
	CHECK_EQ(net_parse(&to, &sys_live, text, NULL), 0);
	return net_connect(&to, NULL);
}

static void end(struct sender *s)
{
	sender_deinit(s);
	close(pair[0]);
	close(pair[1]);
}

TEST(sender_rings_are_connected_in_any_order_and_late)
{
	struct sender_asked asked = { 0 };
	struct sender s;
	uint32_t ports[3];
	struct err e = { 0 };
	int fd[2], got[2], idle;
	char byte;

	answer(&s, &asked, ports);
	idle = connect_to(ports[1]);
	CHECK_EQ(sender_take(&s, 0), -EAGAIN);
	CHECK(sender_patience(&s, -1) > 0 && sender_patience(&s, -1) <= 101);
	CHECK_EQ(sender_patience(&s, 3), 3);
	fd[1] = connect_to(ports[2]);
	CHECK_EQ(sender_take(&s, 0), -EAGAIN);
	got[1] = sender_take(&s, 2);
	CHECK(got[1] >= 0);
	CHECK_EQ(sender_port(&s, 2), -1);
	CHECK_EQ(sender_late(&s, &e), 0);
	fd[0] = connect_to(ports[0]);
	got[0] = sender_take(&s, 0);
	CHECK(got[0] >= 0);
	/* Who waits at the CPU without a ring hears its end. */
	CHECK(recv(idle, &byte, 1, 0) <= 0);
	close(idle);
	/* Nothing is missing: there is no hurry any more. */
	CHECK_EQ(sender_patience(&s, -1), -1);
	poll(NULL, 0, 120);
	CHECK_EQ(sender_late(&s, &e), 0);
	for (size_t i = 0; i < 2; i++) {
		close(fd[i]);
		close(got[i]);
	}
	end(&s);
}

TEST(sender_gives_up_a_host_that_connects_to_nothing)
{
	struct sender_asked asked = { 0 };
	struct sender s;
	uint32_t ports[3];
	struct err e = { 0 };

	answer(&s, &asked, ports);
	CHECK_EQ(sender_late(&s, &e), 0);
	poll(NULL, 0, 120);
	CHECK_EQ(sender_patience(&s, -1), 0);
	CHECK_EQ(sender_late(&s, &e), -ETIMEDOUT);
	CHECK_STR(e.text, "the host has not connected to 2 of 2 CPUs: what they hold is lost");
	end(&s);
}

/* Loopback has many addresses; the one that asked is 127.0.0.1. */
TEST(sender_sends_away_who_has_not_asked)
{
	struct sender_asked asked = { 0 };
	struct sender s;
	uint32_t ports[3];
	struct err e = { 0 };
	char byte;
	int fd;

	answer(&s, &asked, ports);
	CHECK_EQ(net_parse(&s.to, &sys_live, "127.0.0.9:1", &e), 0);
	fd = connect_to(ports[0]);
	CHECK_EQ(sender_take(&s, 0), -EAGAIN);
	CHECK(recv(fd, &byte, 1, 0) <= 0);
	CHECK_EQ(s.missing, 2);
	close(fd);
	end(&s);
}
