/* sender.c - see netmsg.h and agentmsg.h for what is said. */
#include "tracing/transport/sender.h"

#include "tracefs/dat/stream.h"

#include <time.h>

enum {
	TRIES = 200, TRY_MS = 50,
	SILENT_MS = 60000,      /* a listener that neither reads nor answers for so long is given up */
};

void sender_init(struct sender *s, const struct sys *sys)
{
	*s = (struct sender){ .sys = sys, .fd = -1, .stop = -1, .whom = "listener" };
}

static int failed(const struct sender *s, int r, struct err *e)
{
	return err_set(e, -r, "the %s: %s", s->whom, err_name(-r));
}

static int refused(const struct sender *s, const struct netmsg *m, struct err *e)
{
	return err_set(e, ECONNREFUSED, "the %s has given up%s%.*s", s->whom, m->n ? ": " : "", (int)MIN(m->n, 300u),
		       (const char *)m->data);
}

/* Take the ports of our rings from the answer: text with a NUL each, in order of CPUs. */
static int take_ports(struct sender *s, const struct recorder *r, const struct netmsg *m, struct err *e)
{
	struct sv rest = { (const char *)m->data, m->n }, text;
	uint64_t port;

	for (uint32_t cpu = 0; s->n < r->rings.n && sv_cut(&rest, '\0', &text); cpu++) {
		if (!str_u64(text, 10, &port) || !port || port > 65535)
			return err_set(e, EPROTO, "the listener has no port for CPU %u", cpu);
		if (r->rings.v[s->n].file.cpu == cpu)
			s->ports[s->n++] = (uint16_t)port;
	}
	return s->n == r->rings.n ? 0 : err_set(e, EPROTO, "the listener has ports for too few CPUs");
}

/* Retry: trace-cmd's listener sends port numbers before it listens on the ports. */
static int connect_rings(struct sender *s, struct err *e)
{
	for (size_t i = 0; i < s->n; i++) {
		int tries = 0;

		net_set_port(&s->to, s->ports[i]);
		while ((s->rings[i] = net_connect(&s->to, e)) == -ECONNREFUSED && tries++ < TRIES)
			s->sys->poll(s->sys, NULL, 0, TRY_MS);
		if (s->rings[i] < 0)
			return s->rings[i];
	}
	return 0;
}

static int room_for_rings(struct sender *s, const struct recorder *r, struct err *e)
{
	s->rings = malloc(r->rings.n * sizeof(*s->rings));
	s->ports = malloc(r->rings.n * sizeof(*s->ports));
	if (!s->rings || !s->ports)
		return err_nomem(e);
	for (size_t i = 0; i < r->rings.n; i++)
		s->rings[i] = -1;
	return 0;
}

int sender_open(struct sender *s, const char *to, const struct recorder *r, uint32_t page_size, struct err *e)
{
	const struct net_wait wait = { .ms = SILENT_MS, .stop = -1 };
	struct netmsg *m = &s->msg;
	int ret = net_parse(&s->to, s->sys, to, e);

	if (ret)
		return ret;
	ret = room_for_rings(s, r, e);
	if (ret)
		return ret;
	s->fd = net_connect(&s->to, e);
	if (s->fd < 0)
		return err_wrap(e, "%s", to);
	net_patience(s->fd, SILENT_MS);
	ret = netmsg_greet(s->sys, s->fd, &wait, e);
	if (ret)
		return err_wrap(e, "%s", to);
	*m = (struct netmsg){ .kind = NETMSG_TINIT };
	m->field[0] = r->rings.v[r->rings.n - 1].file.cpu + 1;
	m->field[1] = page_size;
	m->field[2] = 1;
	ret = netmsg_send(s->sys, s->fd, m, 3, "tcp", 4);
	if (!ret)
		ret = netmsg_receive(s->sys, s->fd, m, &wait);
	if (ret)
		return failed(s, ret, e);
	if (m->kind == NETMSG_NOT_SUPP)
		return refused(s, m, e);
	if (m->kind != NETMSG_RINIT)
		return err_set(e, EPROTO, "the listener answers with a message of kind %u", m->kind);
	return take_ports(s, r, m, e);
}

/* --- as an agent --- */

static void close_port(struct sender *s, size_t i)
{
	if (s->waits[i] >= 0)
		s->sys->close(s->sys, s->waits[i]);
	s->waits[i] = -1;
}

static void close_ports(struct sender *s)
{
	for (size_t i = 0; i < s->n_waits; i++)
		close_port(s, i);
}

/* Open a listening socket for each CPU. A CPU without a ring gets one, too, through which nothing is sent. */
static int open_ports(struct sender *s, const struct recorder *r, uint32_t cpus, char text[NETMSG_DATA], size_t *n,
		      struct err *e)
{
	*n = 0;
	for (uint32_t cpu = 0, i = 0; cpu < cpus; cpu++) {
		unsigned port = 0;
		int fd = net_listen(net_kind_of(&s->to), &port, e);

		if (fd < 0)
			return err_wrap(e, "%u CPUs", cpus);
		s->waits[s->n_waits++] = fd;
		if (*n > NETMSG_DATA - 80)
			return err_set(e, E2BIG, "%u CPUs are more than an answer has room for", cpus);
		*n += (size_t)snprintf(text + *n, NETMSG_DATA - *n, "%u", port) + 1;
		if (r->rings.v[i].file.cpu == cpu)
			s->n = ++i;
	}
	s->missing = s->n;
	return 0;
}

int sender_answer(struct sender *s, const struct sender_asked *asked, const struct recorder *r,
		  struct agentmsg_answer *a, struct err *e)
{
	char *text = (char *)s->msg.bytes;
	int ret = room_for_rings(s, r, e);

	s->whom = "host";
	s->asked = asked;
	a->id = asked->id;
	s->to = asked->peer;
	s->fd = asked->fd;
	a->cpus = r->rings.v[r->rings.n - 1].file.cpu + 1;
	s->waits = calloc(a->cpus, sizeof(*s->waits));
	if (!ret && !s->waits)
		ret = err_nomem(e);
	if (!ret)
		ret = open_ports(s, r, a->cpus, text, &a->ports.n, e);
	if (ret)
		return ret;
	a->ports.s = text;
	ret = agentmsg_tell(s->sys, s->fd, a);
	return ret ? failed(s, ret, e) : 0;
}

int sender_port(const struct sender *s, uint32_t cpu)
{
	return cpu < s->n_waits ? s->waits[cpu] : -1;
}

/* Accept only the requesting host: other connections are closed. */
int sender_take(struct sender *s, uint32_t cpu)
{
	struct net_addr from;
	int fd;

	while ((fd = net_accept(s->waits[cpu], &from)) >= 0 && !net_same_host(&from, &s->to))
		s->sys->close(s->sys, fd);
	if (fd < 0)
		return fd;
	net_patience(fd, s->asked->timeout_ms);
	close_port(s, cpu);
	/* All rings are connected: closing the ports also drops connections to CPUs without a ring. */
	if (!--s->missing)
		close_ports(s);
	return fd;
}

int sender_patience(const struct sender *s, int most)
{
	uint64_t now = s->sys->now(s->sys, CLOCK_MONOTONIC), left;

	if (!s->missing)
		return most;
	left = s->until > now ? (s->until - now) / 1000000 + 1 : 0;
	return (int)MIN(left, most < 0 ? (uint64_t)INT_MAX : (uint64_t)most);
}

int sender_lacks(const struct sender *s, int code, struct err *e)
{
	return err_set(e, code, "the %s has not connected to %zu of %zu CPUs: what they hold is lost", s->whom,
		       s->missing, s->n);
}

int sender_late(const struct sender *s, struct err *e)
{
	bool late = s->missing && s->sys->now(s->sys, CLOCK_MONOTONIC) >= s->until;

	return late ? sender_lacks(s, ETIMEDOUT, e) : 0;
}

static int send_data(void *arg, const char *bytes, size_t n)
{
	const struct sender *s = arg;
	struct netmsg m = { .kind = NETMSG_SEND_DATA };
	int r = 0;

	for (size_t step; !r && n; bytes += step, n -= step) {
		step = MIN(n, (size_t)NETMSG_DATA);
		r = netmsg_send(s->sys, s->fd, &m, 0, bytes, step);
	}
	return r;
}

int sender_describe(struct sender *s, const struct tdat_write_want *want, struct err *e)
{
	char *buf = malloc(NETMSG_DATA);
	struct out o = { .write = send_data, .arg = s, .buf = buf, .cap = NETMSG_DATA };
	int r = buf ? tdat_stream_head(want, &o, e) : err_nomem(e);

	out_flush(&o);
	free(buf);
	return !r && o.error ? failed(s, o.error, e) : r;
}

int sender_described(struct sender *s, struct err *e)
{
	struct netmsg m = { .kind = NETMSG_FIN_DATA };
	int r = netmsg_send(s->sys, s->fd, &m, 0, NULL, 0);

	if (r)
		return failed(s, r, e);
	if (!s->asked)
		return connect_rings(s, e);
	s->until = s->sys->now(s->sys, CLOCK_MONOTONIC) + s->asked->timeout_ms * UINT64_C(1000000);
	return 0;
}

int sender_close(struct sender *s, struct err *e)
{
	struct netmsg m = { .kind = s->asked ? NETMSG_CLOSE_RESP : NETMSG_CLOSE };
	int r = netmsg_send(s->sys, s->fd, &m, 0, NULL, 0);

	s->closed = !r;
	return r ? failed(s, r, e) : 0;
}

int sender_heard(struct sender *s, struct err *e)
{
	int r = netmsg_take(s->fd, &s->msg);

	if (r == -ENOTCONN && s->closed)
		return 1;
	if (r == -ENOTCONN)
		return err_set(e, -r, "the %s has ended: what was sent may not be kept", s->whom);
	if (r < 0)
		return failed(s, r, e);
	if (r && s->msg.kind == NETMSG_NOT_SUPP)
		return refused(s, &s->msg, e);
	if (r && s->asked && s->msg.kind == NETMSG_CLOSE)
		s->closed = true;
	return s->asked && s->closed;
}

void sender_deinit(struct sender *s)
{
	if (s->fd >= 0 && !s->asked)
		s->sys->close(s->sys, s->fd);
	close_ports(s);
	free(s->waits);
	free(s->rings);
	free(s->ports);
	sender_init(s, s->sys);
}
