/* sender.c - see netmsg.h for what is said. */
#include "ftrace/sender.h"

enum {
	TRIES = 200, TRY_MS = 50,
	SILENT_MS = 60000,      /* a listener that takes nothing or says nothing for that long is not there any more */
};

void sender_init(struct sender *s, const struct sys *sys)
{
	*s = (struct sender){ .sys = sys, .fd = -1 };
}

static int failed(int r, struct err *e)
{
	return err_set(e, -r, "the listener: %s", err_name(-r));
}

static int refused(const struct netmsg *m, struct err *e)
{
	return err_set(e, ECONNREFUSED, "the listener has given up%s%.*s", m->n ? ": " : "", (int)MIN(m->n, 300u),
		       (const char *)m->data);
}

/* The ports of the answer, each as text with a NUL, in order of CPUs: take those of our rings. */
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

/* trace-cmd's listener tells ports before anybody waits at them. */
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

int sender_open(struct sender *s, const char *to, const struct recorder *r, uint32_t page_size, struct err *e)
{
	const struct net_wait wait = { .ms = SILENT_MS, .stop = -1 };
	struct netmsg *m = &s->msg;
	int ret = net_parse(&s->to, s->sys, to, e);

	if (ret)
		return ret;
	s->rings = malloc(r->rings.n * sizeof(*s->rings));
	s->ports = malloc(r->rings.n * sizeof(*s->ports));
	if (!s->rings || !s->ports)
		return err_nomem(e);
	for (size_t i = 0; i < r->rings.n; i++)
		s->rings[i] = -1;
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
		return failed(ret, e);
	if (m->kind == NETMSG_NOT_SUPP)
		return refused(m, e);
	if (m->kind != NETMSG_RINIT)
		return err_set(e, EPROTO, "the listener answers with a message of kind %u", m->kind);
	return take_ports(s, r, m, e);
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
	struct netmsg m = { .kind = NETMSG_FIN_DATA };
	struct tdat_writer w = { 0 };
	int r = buf ? tdat_write_begin(&w, want, &o, e) : err_nomem(e);

	tdat_write_deinit(&w);
	out_flush(&o);
	free(buf);
	if (r)
		return r;
	r = o.error ? o.error : netmsg_send(s->sys, s->fd, &m, 0, NULL, 0);
	return r ? failed(r, e) : connect_rings(s, e);
}

int sender_close(struct sender *s, struct err *e)
{
	struct netmsg m = { .kind = NETMSG_CLOSE };
	int r = netmsg_send(s->sys, s->fd, &m, 0, NULL, 0);

	s->closed = !r;
	return r ? failed(r, e) : 0;
}

int sender_heard(struct sender *s, struct err *e)
{
	int r = netmsg_take(s->fd, &s->msg);

	if (r == -ENOTCONN && s->closed)
		return 1;
	if (r == -ENOTCONN)
		return err_set(e, -r, "the listener has ended: what was sent may not be kept");
	if (r < 0)
		return failed(r, e);
	return r && s->msg.kind == NETMSG_NOT_SUPP ? refused(&s->msg, e) : 0;
}

void sender_deinit(struct sender *s)
{
	if (s->fd >= 0)
		s->sys->close(s->sys, s->fd);
	free(s->rings);
	free(s->ports);
	sender_init(s, s->sys);
}
