/* dpdk_text.c - read DPDK's answers: an object with one member, whose name is the question. */
#include "packets/dpdk_text.h"

static const struct json_node *answer(const struct json_doc *d)
{
	return d->v.n && d->v.v[0].kind == JSON_OBJECT ? json_first(d, &d->v.v[0]) : NULL;
}

static uint64_t number(const struct json_doc *d, const struct json_node *of, const char *key)
{
	uint64_t v;

	return json_u64_of(json_get(d, of, key), &v) ? v : 0;
}

/* Read a list of numbers; returns its length, or -errno. */
static int list(const struct json_doc *d, unsigned *ids, int most, struct err *e)
{
	const struct json_node *of = answer(d);
	int n = 0;

	if (!of || of->kind != JSON_ARRAY)
		return err_set(e, EBADMSG, "the answer is no list");
	for (const struct json_node *i = json_first(d, of); i; i = json_next(d, i)) {
		uint64_t v;

		if (!json_u64_of(i, &v) || v > UINT16_MAX)
			return err_set(e, EBADMSG, "the answer is no list of numbers");
		if (n == most)
			return err_set(e, E2BIG, "more than %d", most);
		ids[n++] = (unsigned)v;
	}
	return n;
}

int dpdk_read_ports(struct dpdk_stats *s, const struct json_doc *d, struct err *e)
{
	unsigned ids[DPDK_PORTS];
	int n = list(d, ids, DPDK_PORTS, e);

	for (int i = 0; i < n; i++) {
		struct dpdk_port *p = vec_add(&s->ports);

		if (!p)
			return err_nomem(e);
		p->id = ids[i];
	}
	return MIN(n, 0);
}

int dpdk_read_cores(struct dpdk_stats *s, const struct json_doc *d, struct err *e)
{
	unsigned ids[DPDK_CORES];
	int n = list(d, ids, DPDK_CORES, e);

	for (int i = 0; i < n; i++) {
		struct dpdk_core *c = vec_add(&s->cores);

		if (!c)
			return err_nomem(e);
		*c = (struct dpdk_core){ .id = ids[i], .cpu = -1 };
	}
	return MIN(n, 0);
}

static const struct { const char *key, *name; } drops[DPDK_DROPS] = {
	[DPDK_MISSED] = { "imissed", "rx missed" }, [DPDK_NO_BUFFER] = { "rx_nombuf", "rx no buffer" },
	[DPDK_RX_ERRORS] = { "ierrors", "rx errors" }, [DPDK_TX_ERRORS] = { "oerrors", "tx errors" },
};

const char *dpdk_drop_name(enum dpdk_drop d)
{
	return drops[d].name;
}

void dpdk_read_port_stats(struct dpdk_port *p, const struct json_doc *d)
{
	const struct json_node *of = answer(d);

	p->received = number(d, of, "ipackets");
	p->sent = number(d, of, "opackets");
	for (unsigned i = 0; i < DPDK_DROPS; i++)
		p->dropped[i] = number(d, of, drops[i].key);
}

void dpdk_read_port_info(struct dpdk_port *p, const struct json_doc *d)
{
	const struct json_node *name = json_get(d, answer(d), "name");

	if (name && name->kind == JSON_STRING)
		str_copy(p->name, sizeof(p->name), name->text);
}

static void take_usage(struct dpdk_core *c, const struct json_node *busy, const struct json_node *total)
{
	c->has_usage = json_u64_of(busy, &c->busy) && json_u64_of(total, &c->total);
}

void dpdk_read_core_info(struct dpdk_core *c, const struct json_doc *d)
{
	const struct json_node *of = answer(d), *cpu = json_first(d, json_get(d, of, "cpuset"));
	uint64_t v;

	c->cpu = cpu && !cpu->next && json_u64_of(cpu, &v) && v < CPUS_MAX ? (int)v : -1;
	take_usage(c, json_get(d, of, "busy_cycles"), json_get(d, of, "total_cycles"));
}

/* { "lcore_ids": [3, 4], "total_cycles": [100, 100], "busy_cycles": [10, 20] } */
void dpdk_read_usage(struct dpdk_stats *s, const struct json_doc *d)
{
	const struct json_node *of = answer(d), *id = json_first(d, json_get(d, of, "lcore_ids"));
	const struct json_node *total = json_first(d, json_get(d, of, "total_cycles"));
	const struct json_node *busy = json_first(d, json_get(d, of, "busy_cycles"));
	uint64_t v;

	while (id && total && busy) {
		for (size_t i = 0; i < s->cores.n && json_u64_of(id, &v); i++)
			if (s->cores.v[i].id == v)
				take_usage(&s->cores.v[i], busy, total);
		id = json_next(d, id);
		total = json_next(d, total);
		busy = json_next(d, busy);
	}
}

void dpdk_clear(struct dpdk_stats *s)
{
	s->ports.n = s->cores.n = 0;
}

void dpdk_deinit(struct dpdk_stats *s)
{
	vec_free(&s->ports);
	vec_free(&s->cores);
}
