/* ftrace/agentmsg: what a host asks and an agent answers, byte for byte as trace-cmd has it. */
#include "tracing/transport/agentmsg.h"

#include "t.h"

#include <sys/socket.h>
#include <unistd.h>

enum { REQUEST = 1028 };   /* bytes of one that is not long */

static int pair[2];

static void connect_pair(void)
{
	CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
}

static void close_pair(void)
{
	close(pair[0]);
	close(pair[1]);
}

/* What was sent, as bytes in hexadecimal. */
static const char *sent(char hex[2 * REQUEST + 1])
{
	uint8_t bytes[REQUEST];
	ssize_t n = recv(pair[1], bytes, sizeof(bytes), MSG_DONTWAIT);

	for (ssize_t i = 0; i < n; i++)
		snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
	return hex;
}

static void receive(struct netmsg *m, const void *bytes, size_t n)
{
	CHECK_EQ(write(pair[0], bytes, n), n);
	*m = (struct netmsg){ .kind = 0 };
	CHECK_EQ(netmsg_take(pair[1], m), 1);
}

/* size, kind and fields in front of data, which is the rest. */
static size_t frame(uint8_t *to, uint8_t kind, size_t fields, const void *data, size_t n)
{
	size_t all = NETMSG_HEAD + fields * 4 + n;

	memset(to, 0, NETMSG_HEAD + fields * 4);
	to[2] = (uint8_t)(all >> 8);
	to[3] = (uint8_t)all;
	to[7] = kind;
	to[11] = (uint8_t)(fields * 4);
	memcpy(to + NETMSG_HEAD + fields * 4, data, n);
	return all;
}

TEST(agentmsg_asks_as_trace_cmd_does)
{
	struct agentmsg_request q = {
		.id = 0x1122334455667788, .args = { "-e", "irq" }, .n_args = 2, .protos = { "ptp" }, .n_protos = 1,
	};
	char hex[2 * REQUEST + 1];
	struct err e;

	connect_pair();
	CHECK_EQ(agentmsg_ask(&sys_live, pair[0], &q, &e), 0);
	sent(hex);
	/* All of it has the size that trace-cmd's agents can take, and a part that they skip is the first. */
	CHECK(!strncmp(hex, "00000404" "00000006" "00000010" "00000000" "00000000" "1122334455667788"
			    "736f6e64" "000003c0" "00000000", 80));
	CHECK_STR(hex + 2 * (REQUEST - 32), "00000000" "0000000b" "00000002" "2d6500" "69727100"
					    "00000001" "00000005" "70747000" "00");
	close_pair();
}

/* Also when no such size can be had. */
TEST(agentmsg_a_long_request_has_something_before_its_options)
{
	static char word[990];
	struct agentmsg_request q = { .args = { word }, .n_args = 1 }, got;
	struct netmsg m = { .kind = 0 };
	struct err e;

	memset(word, 'x', sizeof(word) - 1);
	connect_pair();
	CHECK_EQ(agentmsg_ask(&sys_live, pair[0], &q, &e), 0);
	CHECK_EQ(netmsg_take(pair[1], &m), 1);
	CHECK_EQ(agentmsg_request(&got, &m, &e), 0);
	CHECK_STR(got.args[0], word);
	CHECK((const uint8_t *)got.args[0] - m.data >= 40);
	close_pair();
}

TEST(agentmsg_a_request_comes_as_it_was_asked)
{
	struct agentmsg_request q = { .id = UINT64_MAX, .args = { "-p", "", "x y" }, .n_args = 3 }, got;
	struct netmsg m = { .kind = 0 };
	struct err e;

	connect_pair();
	CHECK_EQ(agentmsg_ask(&sys_live, pair[0], &q, &e), 0);
	CHECK_EQ(netmsg_take(pair[1], &m), 1);
	CHECK_EQ(agentmsg_request(&got, &m, &e), 0);
	CHECK(got.id == UINT64_MAX && got.n_args == 3 && !got.n_protos);
	CHECK_STR(got.args[1], "");
	CHECK_STR(got.args[2], "x y");
	CHECK(!got.args[3]);
	close_pair();
}

TEST(agentmsg_too_many_options_are_not_sent)
{
	static char many[NETMSG_DATA];
	struct agentmsg_request q = { .args = { many }, .n_args = 1 };
	char hex[2 * REQUEST + 1] = "";
	struct err e;

	memset(many, 'x', sizeof(many) - 1);
	connect_pair();
	CHECK_EQ(agentmsg_ask(&sys_live, pair[0], &q, &e), -E2BIG);
	CHECK_STR(sent(hex), "");
	close_pair();
}

/* Each is a request with a part that lies about itself. */
TEST(agentmsg_a_request_that_lies_is_refused)
{
	static const struct {
		uint8_t bytes[20];
		size_t n;
	} bad[] = {
		{ { 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 0, 1, 'a', 0 }, 14 },               /* longer than there is */
		{ { 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 2, 'a', 0 }, 14 },                /* fewer words than told */
		{ { 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 1, 'a', 'b' }, 14 },              /* a word without an end */
		{ { 0, 0, 0, 0, 0, 0, 0, 6, 0xff, 0xff, 0xff, 0xff, 'a', 0 }, 14 },    /* more than there may be */
		{ { 0, 0, 0, 0, 0, 0, 0, 2, 0, 0 }, 10 },                              /* no room for their number */
		{ { 0, 0, 0, 1, 0, 0, 0, 3, 'p', 't', 'p' }, 11 },                     /* a way without an end */
	};
	struct agentmsg_request q;
	uint8_t bytes[100];
	struct netmsg m;
	struct err e;

	connect_pair();
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		receive(&m, bytes, frame(bytes, NETMSG_TRACE_REQ, 4, bad[i].bytes, bad[i].n));
		CHECK_EQ(agentmsg_request(&q, &m, &e), -EBADMSG);
	}
	receive(&m, bytes, frame(bytes, NETMSG_TINIT, 4, "", 0));
	CHECK_EQ(agentmsg_request(&q, &m, &e), -EBADMSG);
	close_pair();
}

TEST(agentmsg_answers_as_trace_cmd_does)
{
	struct agentmsg_answer a = { .id = 0x0102030405060708, .cpus = 2, .page_size = 4096, .proto = "ptp",
				     .proto_port = 0x1234, .ports = { "7\0" "81", 5 } }, got;
	struct netmsg m = { .kind = 0 };
	char hex[2 * REQUEST + 1];
	uint32_t port;
	struct err e;

	connect_pair();
	CHECK_EQ(agentmsg_tell(&sys_live, pair[0], &a), 0);
	CHECK_STR(sent(hex), "00000039" "00000007" "00000028" "00000000" "00000002" "00001000" "0102030405060708"
			     "70747000000000000000000000000000" "00001234" "3700" "383100");
	CHECK_EQ(agentmsg_tell(&sys_live, pair[0], &a), 0);
	CHECK_EQ(netmsg_take(pair[1], &m), 1);
	CHECK_EQ(agentmsg_answer(&got, &m, &e), 0);
	CHECK(got.id == a.id && got.cpus == 2 && got.page_size == 4096 && got.proto_port == 0x1234 && !got.traces);
	CHECK_STR(got.proto, "ptp");
	CHECK(agentmsg_port(&got.ports, &port) && port == 7);
	CHECK(agentmsg_port(&got.ports, &port) && port == 81);
	CHECK(!agentmsg_port(&got.ports, &port));
	a.traces = true;
	CHECK_EQ(agentmsg_tell(&sys_live, pair[0], &a), 0);
	CHECK_EQ(netmsg_take(pair[1], &m), 1);
	CHECK_EQ(agentmsg_answer(&got, &m, &e), 0);
	CHECK(got.traces && got.cpus == 2);
	close_pair();
}

TEST(agentmsg_an_answer_of_impossible_cpus_is_refused)
{
	struct agentmsg_answer a = { .cpus = CPUS_MAX + 1 }, got;
	struct netmsg m = { .kind = 0 };
	struct err e;

	connect_pair();
	CHECK_EQ(agentmsg_tell(&sys_live, pair[0], &a), 0);
	CHECK_EQ(netmsg_take(pair[1], &m), 1);
	CHECK_EQ(agentmsg_answer(&got, &m, &e), -EPROTO);
	netmsg_refuse(&sys_live, pair[0], "not today");
	CHECK_EQ(netmsg_take(pair[1], &m), 1);
	CHECK_EQ(agentmsg_answer(&got, &m, &e), -ECONNREFUSED);
	CHECK_STR(e.text, "the agent has refused: not today");
	close_pair();
}

TEST(agentmsg_clocks_are_compared_in_the_way_that_was_agreed)
{
	struct netmsg m = { .kind = 0 };

	connect_pair();
	CHECK_EQ(agentmsg_sync_send(&sys_live, pair[0], "ptp", 3, "abc", 3), 0);
	CHECK_EQ(netmsg_take(pair[1], &m), 1);
	CHECK(m.n == 3 && !memcmp(m.data, "abc", 3));
	CHECK_EQ(agentmsg_sync(&m, "ptp"), 3);
	CHECK_EQ(agentmsg_sync(&m, "none"), -EBADMSG);
	close_pair();
}
