/* topology.c - the sections CPU_TOPOLOGY and NUMA_TOPOLOGY. */
#include "perf/topology.h"

#include "base/str.h"
#include "perf/feature_parts.h"
#include "perf/file_parts.h"
#include "perf/write_parts.h"

static void write_lists(struct out *o, const char *const *v, size_t n)
{
	write_u32(o, (uint32_t)n);
	for (size_t i = 0; i < n; i++)
		perf_write_string(o, v[i]);
}

void feature_topology(struct feature_set *s, const struct cpu_places *p, const struct topology_lists *l)
{
	struct out *o = feature_begin(s, PERF_FEAT_CPU_TOPOLOGY);

	write_lists(o, l->sockets, l->n_sockets);
	write_lists(o, l->cores, l->n_cores);
	for (size_t i = 0; i < p->v.n; i++) {
		write_u32(o, p->v.v[i].core);
		write_u32(o, p->v.v[i].socket);
	}
	write_lists(o, l->dies, l->n_dies);
	for (size_t i = 0; i < p->v.n; i++)
		write_u32(o, p->v.v[i].die);
	feature_end(s);
	if (!l->n_nodes)
		return;
	o = feature_begin(s, PERF_FEAT_NUMA_TOPOLOGY);
	write_u32(o, (uint32_t)l->n_nodes);
	for (size_t i = 0; i < l->n_nodes; i++) {
		write_u32(o, l->nodes[i].node);
		write_u64(o, l->nodes[i].kib);
		write_u64(o, l->nodes[i].free_kib);
		perf_write_string(o, l->nodes[i].cpus);
	}
	feature_end(s);
}

void topology_skip_lists(struct cursor *c)
{
	for (uint32_t n = cur_u32(c); n && !c->bad; n--)
		perf_head_string(c);
}

static void read_cpus(struct cpu_places *p, struct cursor *c)
{
	topology_skip_lists(c);
	topology_skip_lists(c);
	for (size_t i = 0; i < p->v.n; i++) {
		p->v.v[i].core = cur_u32(c);
		p->v.v[i].socket = cur_u32(c);
	}
	if (!cur_left(c))
		return;
	topology_skip_lists(c);
	for (size_t i = 0; i < p->v.n && cur_left(c); i++)
		p->v.v[i].die = cur_u32(c);
}

static void read_nodes(struct cpu_places *p, struct cursor *c)
{
	for (uint32_t n = cur_u32(c); n && !c->bad; n--) {
		uint32_t node = cur_u32(c);
		struct cpus cpus;

		cur_skip(c, 2 * sizeof(uint64_t));

		const char *text = perf_head_string(c);

		if (c->bad || cpus_parse(&cpus, sv_from(text), NULL))
			continue;
		for (int cpu = cpus_next(&cpus, 0); cpu >= 0; cpu = cpus_next(&cpus, (unsigned)cpu + 1))
			if ((size_t)cpu < p->v.n)
				p->v.v[cpu].node = node;
	}
}

int topology_read(struct cpu_places *p, const struct perf_head *h)
{
	struct cursor cpus = perf_head_feature(h, PERF_FEAT_CPU_TOPOLOGY);
	struct cursor nodes = perf_head_feature(h, PERF_FEAT_NUMA_TOPOLOGY);

	*p = (struct cpu_places){ 0 };
	if (cpus.bad)
		return 0;
	for (uint32_t i = 0; i < MIN(h->cpus_available, (uint32_t)CPUS_MAX); i++) {
		struct cpu_place *place = vec_add(&p->v);

		if (!place)
			return -ENOMEM;
		*place = (struct cpu_place){ 0 };
	}
	read_cpus(p, &cpus);
	if (cpus.bad)
		cpu_places_deinit(p);
	else if (!nodes.bad)
		read_nodes(p, &nodes);
	return 0;
}

void cpu_places_deinit(struct cpu_places *p)
{
	vec_free(&p->v);
}
