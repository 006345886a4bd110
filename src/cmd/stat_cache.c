/* stat_cache.c - which CPUs share a cache. */
#include "cmd/stat_table.h"

static unsigned level_of(const struct sys *s, int cpu, unsigned index)
{
	uint64_t level;

	if (sys_read_u64(s, &level, "/sys/devices/system/cpu/cpu%d/cache/index%u/level", cpu, index))
		return 0;
	return level > STAT_CACHES_MAX ? 0 : (unsigned)level;
}

/* Of "4-7,12": 4. */
static unsigned first_sharing(const struct sys *s, int cpu, unsigned index)
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

/* As perf has it: where the kernel does not tell, all CPUs of a die share the cache -1. */
void stat_key_of_cache(struct stat_key *k, const struct stat_table *t, const struct sys *sys, int cpu)
{
	enum { INDEXES_MAX = 16 };
	unsigned level = 0, id = 0, socket = (unsigned)(k->id >> 40), die = k->id >> 20 & 0xfffff;

	for (unsigned i = 0; i < INDEXES_MAX; i++) {
		unsigned its = level_of(sys, cpu, i);

		if (its > level && (its == t->cache_level || t->cache_level == STAT_LAST_CACHE)) {
			level = its;
			id = first_sharing(sys, cpu, i);
		}
	}
	if (level)
		snprintf(k->label, sizeof(k->label), "S%u-D%u-L%u-ID%u", socket, die, level, id);
	else
		snprintf(k->label, sizeof(k->label), "S%u-D%u-L-1-ID-1", socket, die);
	k->id |= level ? id : 0xfffff;
}
