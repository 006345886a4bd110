/* caches.c - /sys/devices/system/cpu/cpuN/cache. */
#include "machine/caches.h"

unsigned caches_level(const struct sys *s, int cpu, unsigned index)
{
	uint64_t level;

	if (sys_read_u64(s, &level, "/sys/devices/system/cpu/cpu%d/cache/index%u/level", cpu, index))
		return 0;
	return level > CACHES_LEVELS ? 0 : (unsigned)level;
}

/* The first CPU, 4 of "4-7,12". */
unsigned caches_first(const struct sys *s, int cpu, unsigned index)
{
	char text[1024];
	struct sv list, first;
	uint64_t v;

	if (sys_read_line(s, text, sizeof(text), "/sys/devices/system/cpu/cpu%d/cache/index%u/shared_cpu_list", cpu,
			  index) <= 0)
		return (unsigned)cpu;
	list = sv_from(text);
	first = (struct sv){ list.s, strcspn(list.s, ",-") };
	return str_u64(first, 10, &v) && v < CPUS_MAX ? (unsigned)v : (unsigned)cpu;
}

static int read_cpu(struct caches *c, const struct sys *s, int cpu)
{
	while (c->cpus.n <= (size_t)cpu)
		if (!vec_add(&c->cpus))
			return -ENOMEM;
	for (unsigned i = 0; i < CACHES_INDEXES; i++) {
		unsigned level = caches_level(s, cpu, i);

		if (!level)
			continue;
		c->cpus.v[cpu].first[level - 1] = caches_first(s, cpu, i) + 1;
		c->last = MAX(c->last, level);
	}
	return 0;
}

int caches_read(struct caches *c, const struct sys *s)
{
	struct cpus online;
	struct err e;
	int r = 0;

	*c = (struct caches){ .last = 0 };
	if (sys_cpus_online(s, &online, &e))
		return 0;
	for (int cpu = cpus_next(&online, 0); !r && cpu >= 0; cpu = cpus_next(&online, (unsigned)cpu + 1))
		r = read_cpu(c, s, cpu);
	return r;
}

void caches_deinit(struct caches *c)
{
	vec_free(&c->cpus);
}

bool caches_share(const struct caches *c, uint32_t a, uint32_t b, unsigned level)
{
	uint32_t first;

	if (!level || a >= c->cpus.n || b >= c->cpus.n)
		return false;
	first = c->cpus.v[a].first[level - 1];
	return first && first == c->cpus.v[b].first[level - 1];
}

unsigned caches_shared(const struct caches *c, uint32_t a, uint32_t b)
{
	for (unsigned level = 1; level <= c->last; level++)
		if (caches_share(c, a, b, level))
			return level;
	return 0;
}
