/* listener.c - the greeting, and ports for the sender's rings. */
#include "tracing/transport/listener.h"

static bool wants_tcp(const struct netmsg *m)
{
	struct sv rest = { (const char *)m->data, m->n }, word;

	for (uint32_t i = 0; i < m->field[2] && sv_cut(&rest, '\0', &word); i++)
		if (sv_eq(word, "tcp"))
			return true;
	return false;
}

static int open_ports(struct receiver *l, uint32_t cpus, struct err *e)
{
	int r = 0;

	for (uint32_t cpu = 0; !r && cpu < cpus; cpu++) {
		unsigned number = 0;
		int fd = net_listen(l->w->kind, &number, e);

		r = fd < 0 ? fd : receiver_port(l, fd, l->w->kind != NET_UDP, e);
		if (!r)
			l->ports.v[cpu].number = number;
	}
	return r ? err_wrap(e, "%u CPUs", cpus) : 0;
}

static int answer(struct receiver *l, struct err *e)
{
	struct netmsg m = { .kind = NETMSG_RINIT, .field = { (uint32_t)l->ports.n } };
	char text[NETMSG_DATA];
	size_t n = 0;
	int r;

	for (size_t i = 0; i < l->ports.n && n < sizeof(text) - 8; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%u", l->ports.v[i].number) + 1;
	r = netmsg_send(l->sys, l->w->fd, &m, 1, text, n);
	return r ? err_set(e, -r, "the sender: %s", err_name(-r)) : 0;
}

/* Greet, and receive the number of CPUs. */
static int greet(const struct receiver_want *w, struct netmsg *m, uint32_t *cpus, struct err *e)
{
	const struct net_wait wait = { .ms = MIN(w->timeout_ms, (unsigned)NETMSG_WAIT_MS), .stop = w->stop };
	int r = netmsg_welcome(w->sys, w->fd, &wait, e);

	if (r)
		return r;
	r = netmsg_receive(w->sys, w->fd, m, &wait);
	*cpus = m->field[0];
	return r || m->kind != NETMSG_TINIT || !*cpus || *cpus > RECEIVER_CPUS
		       ? err_set(e, r ? -r : EPROTO, "the sender does not tell its CPUs")
		       : 0;
}

static int run(struct receiver *l, struct restore_result *res, struct err *e)
{
	int r = receiver_run(l, e);

	if (!r)
		r = receiver_make(l, NULL, 0, res, e);
	return r ? r : receiver_unfinished(l, e);
}

int listener_run(const struct listener_want *w, struct restore_result *res, struct err *e)
{
	struct receiver_want want = {
		.sys = w->sys, .output = w->output, .who = "sender", .fd = w->fd, .peer = w->peer,
		.timeout_ms = w->timeout_ms, .room = w->room, .stop = w->stop, .finish = -1,
	};
	struct receiver *l = calloc(1, sizeof(*l));
	uint32_t cpus;
	int r;

	if (!l)
		return err_nomem(e);
	net_patience(w->fd, w->timeout_ms);
	r = greet(&want, &l->msg, &cpus, e);
	if (!r) {
		want.kind = wants_tcp(&l->msg) ? NET_TCP : NET_UDP;
		r = receiver_init(l, &want, cpus, e);
		if (!r)
			r = open_ports(l, cpus, e);
		if (!r)
			r = answer(l, e);
		if (!r)
			r = run(l, res, e);
		receiver_deinit(l);
	}
	if (r)
		netmsg_refuse(w->sys, w->fd, e->text);
	free(l);
	return r;
}
