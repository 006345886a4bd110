/* facts_places.c - the machine's topology for a recording. */
#include "base/map.h"
#include "machine/facts.h"
#include "machine/places.h"

#define CPU_DIR "/sys/devices/system/cpu/cpu%d/"
#define NODE_DIR "/sys/devices/system/node/node%u"

struct lists {
	struct names sockets, cores, dies;
	struct names node_cpus;
	VEC(struct topology_node) nodes;
	VEC(const char *) texts;       /* concatenated texts of the first three lists */
};

static int add_list(struct names *to, const struct sys *sys, int cpu, const char *file)
{
	char text[1024];

	if (sys_read_line(sys, text, sizeof(text), CPU_DIR "topology/%s", cpu, file) <= 0)
		return 0;
	return names_add(to, text, strlen(text)) == NAMES_NONE ? -ENOMEM : 0;
}

/* "Node 0 MemTotal:  24683620 kB" */
static uint64_t node_kib(const char *text, const char *key)
{
	const char *at = strstr(text, key);
	struct sv rest = sv_trim(sv_from(at ? at + strlen(key) : "")), word;
	uint64_t kib = 0;

	return sv_cut(&rest, ' ', &word) && str_u64(word, 10, &kib) ? kib : 0;
}

static int add_node(struct lists *l, const struct sys *sys, unsigned node)
{
	char cpus[1024], path[96], text[4096];
	struct topology_node *n;
	uint32_t id;

	if (sys_read_line(sys, cpus, sizeof(cpus), NODE_DIR "/cpulist", node) <= 0)
		return 0;
	snprintf(path, sizeof(path), NODE_DIR "/meminfo", node);
	if (sys_read_text(sys, path, text, sizeof(text)) <= 0)
		text[0] = '\0';
	id = names_add(&l->node_cpus, cpus, strlen(cpus));
	n = id == NAMES_NONE ? NULL : vec_add(&l->nodes);
	if (!n)
		return -ENOMEM;
	*n = (struct topology_node){
		.node = node, .kib = node_kib(text, "MemTotal:"), .free_kib = node_kib(text, "MemFree:"),
		.cpus = names_str(&l->node_cpus, id),
	};
	return 0;
}

static int collect(struct cpu_places *p, struct lists *l, const struct sys *sys)
{
	struct cpus online, nodes;
	char text[256];
	int r = sys_cpus_online(sys, &online, NULL);

	for (int cpu = cpus_next(&online, 0); !r && cpu >= 0; cpu = cpus_next(&online, (unsigned)cpu + 1)) {
		struct cpu_place *place = NULL;

		while (p->v.n <= (size_t)cpu && (place = vec_add(&p->v)))
			*place = (struct cpu_place){ 0 };
		r = place ? add_list(&l->sockets, sys, cpu, "core_siblings_list") : -ENOMEM;
		r = r ? r : add_list(&l->cores, sys, cpu, "thread_siblings_list");
		r = r ? r : add_list(&l->dies, sys, cpu, "die_cpus_list");
		if (!r)
			cpu_place_read(place, sys, cpu);
	}
	if (!r && sys_read_line(sys, text, sizeof(text), "/sys/devices/system/node/online") > 0 &&
	    !cpus_parse(&nodes, sv_from(text), NULL))
		for (int n = cpus_next(&nodes, 0); !r && n >= 0; n = cpus_next(&nodes, (unsigned)n + 1))
			r = add_node(l, sys, (unsigned)n);
	return r;
}

/* Readers expect as many entries as NRCPUS has possible CPUs. */
static int fill_up(struct cpu_places *p, const struct sys *sys)
{
	uint32_t online, all;

	facts_cpus(sys, &all, &online);
	while (p->v.n < all)
		if (!vec_add(&p->v))
			return -ENOMEM;
	p->v.n = MIN(p->v.n, (size_t)all);
	return 0;
}

static int put(struct feature_set *f, const struct cpu_places *p, struct lists *l)
{
	const struct names *const all[] = { &l->sockets, &l->cores, &l->dies };
	struct topology_lists t = { .nodes = l->nodes.v, .n_nodes = l->nodes.n };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		for (uint32_t k = 0; k < all[i]->list.n; k++) {
			const char **text = vec_add(&l->texts);

			if (!text)
				return -ENOMEM;
			*text = names_str(all[i], k);
		}
	t.n_sockets = all[0]->list.n;
	t.n_cores = all[1]->list.n;
	t.n_dies = all[2]->list.n;
	t.sockets = l->texts.v;
	t.cores = t.sockets + t.n_sockets;
	t.dies = t.cores + t.n_cores;
	feature_topology(f, p, &t);
	return 0;
}

int facts_places(struct feature_set *f, const struct sys *sys)
{
	struct cpu_places p = { 0 };
	struct lists l = { 0 };
	int r = collect(&p, &l, sys);

	r = r ? r : fill_up(&p, sys);
	r = r ? r : put(f, &p, &l);
	cpu_places_deinit(&p);
	names_deinit(&l.sockets);
	names_deinit(&l.cores);
	names_deinit(&l.dies);
	names_deinit(&l.node_cpus);
	vec_free(&l.nodes);
	vec_free(&l.texts);
	return r;
}
