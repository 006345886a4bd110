/* agentmsg.c - requests and answers as messages, and back. */
#include "tracing/transport/agentmsg.h"

enum part { PART_ARGS, PART_PROTOS, PART_FILLER = 0x736f6e64 };

/*
 * Agents of trace-cmd 3.3 and 3.3.1 read the options from memory that they have already freed: its first bytes are
 * overwritten, and the rest survives only until memory of that size is allocated again. So a filler part comes first,
 * and requests have a size that is rarely allocated.
 */
enum { FILLER_LEAST = 40, REQUEST_SIZE = 1000 };

#define TRACES_AT_FIN (UINT32_C(1) << 31)

enum { REQUEST_FIELDS = 4, ANSWER_FIELDS = 10, SYNC_FIELDS = 5, NAME_FIELDS = AGENTMSG_NAME / 4 };

/* Put text into fields, which netmsg sends as big-endian numbers: the first byte is the highest. */
static void put_name(uint32_t *field, const char *name)
{
	char text[AGENTMSG_NAME] = "";

	memcpy(text, name, MIN(strlen(name), sizeof(text)));
	for (size_t i = 0; i < NAME_FIELDS; i++) {
		memcpy(&field[i], text + 4 * i, 4);
		field[i] = __builtin_bswap32(field[i]);
	}
}

static void take_name(char name[AGENTMSG_NAME + 1], const uint32_t *field)
{
	for (size_t i = 0; i < NAME_FIELDS; i++) {
		uint32_t v = __builtin_bswap32(field[i]);

		memcpy(name + 4 * i, &v, 4);
	}
	name[AGENTMSG_NAME] = '\0';
}

static void put_u64(uint32_t *field, uint64_t v)
{
	field[0] = (uint32_t)(v >> 32);
	field[1] = (uint32_t)v;
}

static uint64_t take_u64(const uint32_t *field)
{
	return (uint64_t)field[0] << 32 | field[1];
}

/* --- the request --- */

struct text {
	uint8_t bytes[NETMSG_DATA];
	size_t n;
	bool full;
};

static void add(struct text *t, const void *p, size_t n)
{
	if (n > sizeof(t->bytes) - t->n) {
		t->full = true;
		return;
	}
	memcpy(t->bytes + t->n, p, n);
	t->n += n;
}

static void add_u32(struct text *t, uint32_t v)
{
	v = __builtin_bswap32(v);
	add(t, &v, 4);
}

/* Append a part; its length is patched when it is complete. */
static void add_part(struct text *t, enum part kind, const char *const *words, size_t n)
{
	size_t at = t->n, length;

	add_u32(t, kind);
	add_u32(t, 0);
	if (kind == PART_ARGS)
		add_u32(t, (uint32_t)n);
	for (size_t i = 0; i < n; i++)
		add(t, words[i], strlen(words[i]) + 1);
	if (kind == PART_PROTOS)
		add(t, "", 1);
	if (t->full)
		return;
	length = t->n;
	t->n = at + 4;
	add_u32(t, (uint32_t)(length - at - 8));
	t->n = length;
}

static void add_filler(struct text *t, size_t n)
{
	static const char zeros[REQUEST_SIZE];

	add_u32(t, PART_FILLER);
	add_u32(t, (uint32_t)n - 8);
	add(t, zeros, n - 8);
}

static size_t words_size(const char *const *words, size_t n)
{
	size_t size = 0;

	for (size_t i = 0; i < n; i++)
		size += strlen(words[i]) + 1;
	return size;
}

int agentmsg_ask(const struct sys *sys, int fd, const struct agentmsg_request *q, struct err *e)
{
	struct netmsg m = { .kind = NETMSG_TRACE_REQ };
	struct text t = { .n = 0 };
	size_t n = 12 + words_size(q->args, q->n_args) + (q->n_protos ? 9 + words_size(q->protos, q->n_protos) : 0);
	int r;

	put_u64(m.field + 2, q->id);
	add_filler(&t, n + FILLER_LEAST < REQUEST_SIZE ? REQUEST_SIZE - n : FILLER_LEAST);
	add_part(&t, PART_ARGS, q->args, q->n_args);
	if (q->n_protos)
		add_part(&t, PART_PROTOS, q->protos, q->n_protos);
	if (t.full || t.n > NETMSG_DATA - REQUEST_FIELDS * 4)
		return err_set(e, E2BIG, "the options are longer than a request to an agent can be (%d bytes)",
			       NETMSG_DATA - REQUEST_FIELDS * 4);
	r = netmsg_send(sys, fd, &m, REQUEST_FIELDS, t.bytes, t.n);
	return r ? err_set(e, -r, "the agent: %s", err_name(-r)) : 0;
}

static int take_args(struct agentmsg_request *q, struct cursor *c)
{
	uint32_t n = cur_u32(c);

	if (c->bad || n > AGENTMSG_ARGS)
		return -EBADMSG;
	for (q->n_args = 0; q->n_args < n; q->n_args++)
		q->args[q->n_args] = cur_str(c);
	return c->bad ? -EBADMSG : 0;
}

static int take_protos(struct agentmsg_request *q, struct cursor *c)
{
	for (q->n_protos = 0; cur_left(c) && q->n_protos < AGENTMSG_PROTOS; q->n_protos++) {
		q->protos[q->n_protos] = cur_str(c);
		if (!*q->protos[q->n_protos])
			break;
	}
	return c->bad ? -EBADMSG : 0;
}

int agentmsg_request(struct agentmsg_request *q, const struct netmsg *m, struct err *e)
{
	struct cursor c = cur_from(m->data, m->n);
	int r = m->kind == NETMSG_TRACE_REQ ? 0 : -EBADMSG;

	c.swap = true;
	*q = (struct agentmsg_request){ .id = take_u64(m->field + 2) };
	while (!r && cur_left(&c) > 8) {
		uint32_t kind = cur_u32(&c), n = cur_u32(&c);
		struct cursor part = cur_from(c.pos, MIN(n, cur_left(&c)));

		part.swap = true;
		if (n > cur_left(&c))
			r = -EBADMSG;
		else if (kind == PART_ARGS)
			r = take_args(q, &part);
		else if (kind == PART_PROTOS)
			r = take_protos(q, &part);
		cur_skip(&c, n);
	}
	return r ? err_set(e, -r, "what came is no request for a trace") : 0;
}

/* --- the answer --- */

int agentmsg_tell(const struct sys *sys, int fd, const struct agentmsg_answer *a)
{
	struct netmsg m = { .kind = NETMSG_TRACE_RESP, .field = { 0, a->cpus, a->page_size } };

	m.field[0] = a->traces ? TRACES_AT_FIN : 0;
	put_u64(m.field + 3, a->id);
	put_name(m.field + 5, a->proto);
	m.field[9] = a->proto_port;
	return netmsg_send(sys, fd, &m, ANSWER_FIELDS, a->ports.s, a->ports.n);
}

int agentmsg_answer(struct agentmsg_answer *a, const struct netmsg *m, struct err *e)
{
	if (m->kind == NETMSG_NOT_SUPP)
		return err_set(e, ECONNREFUSED, "the agent has refused%s%.*s", m->n ? ": " : "",
			       (int)MIN(m->n, 300u), (const char *)m->data);
	if (m->kind != NETMSG_TRACE_RESP)
		return err_set(e, EPROTO, "the agent answers with a message of kind %u", m->kind);
	*a = (struct agentmsg_answer){
		.id = take_u64(m->field + 3), .cpus = m->field[1], .page_size = m->field[2], .proto_port = m->field[9],
		.traces = m->field[0] & TRACES_AT_FIN,
		.ports = { (const char *)m->data, m->n },
	};
	take_name(a->proto, m->field + 5);
	return a->cpus && a->cpus <= CPUS_MAX
		       ? 0
		       : err_set(e, EPROTO, "the agent has %u CPUs, which is not believable", a->cpus);
}

bool agentmsg_port(struct sv *ports, uint32_t *port)
{
	struct sv text;
	uint64_t v;

	if (!sv_cut(ports, '\0', &text) || !str_u64(text, 10, &v) || v > UINT32_MAX)
		return false;
	*port = (uint32_t)v;
	return true;
}

/* --- clocks --- */

int agentmsg_sync_send(const struct sys *sys, int fd, const char *proto, uint32_t kind, const void *data, size_t n)
{
	struct netmsg m = { .kind = NETMSG_TIME_SYNC };

	put_name(m.field, proto);
	m.field[NAME_FIELDS] = kind;
	return netmsg_send(sys, fd, &m, SYNC_FIELDS, data, n);
}

int64_t agentmsg_sync(const struct netmsg *m, const char *proto)
{
	char name[AGENTMSG_NAME + 1];

	take_name(name, m->field);
	return m->kind == NETMSG_TIME_SYNC && !strcmp(name, proto) ? (int64_t)m->field[NAME_FIELDS] : -EBADMSG;
}
