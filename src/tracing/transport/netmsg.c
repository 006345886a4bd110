/* netmsg.c - framing and greeting. */
#include "tracing/transport/netmsg.h"

#include <poll.h>
#include <time.h>

static uint8_t *put(uint8_t *p, uint32_t v)
{
	v = __builtin_bswap32(v);
	memcpy(p, &v, 4);
	return p + 4;
}

/* The program only supports little-endian machines; the messages are big-endian. */
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are swapped");

int netmsg_send(const struct sys *sys, int fd, const struct netmsg *m, uint32_t n_fields, const void *data, size_t n)
{
	uint8_t head[NETMSG_HEAD + sizeof(m->field)], *p = head;
	int r;

	p = put(p, (uint32_t)(NETMSG_HEAD + n_fields * 4 + n));
	p = put(p, m->kind);
	p = put(p, n_fields * 4);
	for (uint32_t i = 0; i < n_fields; i++)
		p = put(p, m->field[i]);
	r = net_send(sys, fd, head, (size_t)(p - head));
	return r || !n ? r : net_send(sys, fd, data, n);
}

void netmsg_refuse(const struct sys *sys, int fd, const char *why)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	if (sys->poll(sys, &p, 1, 0) == 1 && p.revents & POLLOUT)
		netmsg_send(sys, fd, &(struct netmsg){ .kind = NETMSG_NOT_SUPP }, 0, why, strlen(why));
}

/* Read the next bytes of a part of n bytes, which starts at `from` of the message. */
static int take_part(int fd, struct netmsg *m, uint8_t *part, uint32_t from, uint32_t n)
{
	while (m->have - from < n) {
		ssize_t got = net_take(fd, part + (m->have - from), n - (m->have - from), NULL);

		if (got <= 0)
			return got ? (int)got : -ENOTCONN;
		m->have += (uint32_t)got;
	}
	return 0;
}

static int parse_head(struct netmsg *m)
{
	struct cursor c = cur_from(m->head, sizeof(m->head));

	c.swap = true;
	m->size = cur_u32(&c);
	m->kind = cur_u32(&c);
	m->n = cur_u32(&c);
	return m->size < NETMSG_HEAD || m->size > NETMSG_MOST || m->n > m->size - NETMSG_HEAD ? -EBADMSG : 0;
}

static void parse(struct netmsg *m)
{
	uint32_t own = m->n;
	struct cursor c = cur_from(m->bytes, own);

	c.swap = true;
	for (size_t i = 0; i < ARRAY_SIZE(m->field); i++)
		m->field[i] = cur_left(&c) >= 4 ? cur_u32(&c) : 0;
	m->data = m->bytes + own;
	m->n = m->size - NETMSG_HEAD - own;
}

int netmsg_take(int fd, struct netmsg *m)
{
	int r;

	if (m->have >= NETMSG_HEAD && m->have == m->size)
		m->have = m->size = 0;
	r = take_part(fd, m, m->head, 0, NETMSG_HEAD);
	/* Parse in every call: a rejected head must be rejected again, as its announced length has no room. */
	if (!r)
		r = parse_head(m);
	if (!r)
		r = take_part(fd, m, m->bytes, NETMSG_HEAD, m->size - NETMSG_HEAD);
	if (r)
		return r == -EAGAIN ? 0 : r;
	parse(m);
	return 1;
}

int netmsg_receive(const struct sys *sys, int fd, struct netmsg *m, const struct net_wait *w)
{
	uint64_t until = sys->now(sys, CLOCK_MONOTONIC) + w->ms * UINT64_C(1000000);
	int r = 0;

	while (!r) {
		r = net_wait_for(sys, fd, until, w->stop);
		if (!r)
			r = netmsg_take(fd, m);
	}
	return r < 0 ? r : 0;
}

/* Receive exactly these bytes before the time is up. */
static int expect(const struct sys *sys, int fd, const char *want, size_t n, const struct net_wait *w)
{
	char got[16];
	int r = net_receive(sys, fd, got, n, w);

	return r ? r : memcmp(got, want, n) ? -EPROTO : 0;
}

static const struct {
	const char *text;
	size_t n;
} talk[] = { { "tracecmd", 8 }, { "-1V3", 5 }, { "V3", 3 }, { "766679\0", 8 }, { "OK", 2 } };

/* Exchange the greeting; the listener's lines are the even ones. */
static int speak(const struct sys *sys, int fd, size_t mine, const struct net_wait *w, struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && i < ARRAY_SIZE(talk); i++)
		r = i % 2 == mine ? net_send(sys, fd, talk[i].text, talk[i].n)
				  : expect(sys, fd, talk[i].text, talk[i].n, w);
	if (r == -ENOTCONN)
		return err_set(e, -r, "the other side has closed the connection");
	if (r)
		err_set(e, -r, "the other side does not speak version 3 of trace-cmd's protocol (%s)", err_name(-r));
	return r;
}

int netmsg_greet(const struct sys *sys, int fd, const struct net_wait *w, struct err *e)
{
	return speak(sys, fd, 1, w, e);
}

int netmsg_welcome(const struct sys *sys, int fd, const struct net_wait *w, struct err *e)
{
	return speak(sys, fd, 0, w, e);
}
