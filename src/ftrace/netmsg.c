/* netmsg.c - framing and greeting. */
#include "ftrace/netmsg.h"

#include <poll.h>

static uint8_t *put(uint8_t *p, uint32_t v)
{
	v = __builtin_bswap32(v);
	memcpy(p, &v, 4);
	return p + 4;
}

/* Both machines of this program are little-endian; the words are not. */
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

int netmsg_receive(const struct sys *sys, int fd, struct netmsg *m)
{
	uint8_t head[NETMSG_HEAD];
	struct cursor c = cur_from(head, sizeof(head));
	uint32_t size, own;
	int r = net_receive(sys, fd, head, sizeof(head));

	if (r)
		return r;
	c.swap = true;
	size = cur_u32(&c);
	m->kind = cur_u32(&c);
	own = cur_u32(&c);
	if (size < NETMSG_HEAD || size > NETMSG_MOST || own > size - NETMSG_HEAD)
		return -EBADMSG;
	r = net_receive(sys, fd, m->bytes, size - NETMSG_HEAD);
	c = cur_from(m->bytes, own);
	c.swap = true;
	for (size_t i = 0; i < ARRAY_SIZE(m->field); i++)
		m->field[i] = cur_left(&c) >= 4 ? cur_u32(&c) : 0;
	m->data = m->bytes + own;
	m->n = size - NETMSG_HEAD - own;
	return r;
}

/* Exactly these bytes, soon. */
static int expect(const struct sys *sys, int fd, const char *want, size_t n)
{
	char got[16];
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int r = sys->poll(sys, &p, 1, NETMSG_WAIT_MS);

	if (r <= 0)
		return r ? r : -ETIMEDOUT;
	r = net_receive(sys, fd, got, n);
	return r ? r : memcmp(got, want, n) ? -EPROTO : 0;
}

static int say(const struct sys *sys, int fd, const char *text, size_t n)
{
	return net_send(sys, fd, text, n);
}

static const struct {
	const char *text;
	size_t n;
} talk[] = { { "tracecmd", 8 }, { "-1V3", 5 }, { "V3", 3 }, { "766679\0", 8 }, { "OK", 2 } };

/* The listener has the even lines. */
static int speak(const struct sys *sys, int fd, size_t mine, struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && i < ARRAY_SIZE(talk); i++)
		r = i % 2 == mine ? say(sys, fd, talk[i].text, talk[i].n) : expect(sys, fd, talk[i].text, talk[i].n);
	if (r)
		err_set(e, -r, "the other side does not speak version 3 of trace-cmd's protocol (%s)", err_name(-r));
	return r;
}

int netmsg_greet(const struct sys *sys, int fd, struct err *e)
{
	return speak(sys, fd, 1, e);
}

int netmsg_welcome(const struct sys *sys, int fd, struct err *e)
{
	return speak(sys, fd, 0, e);
}
