/* cache.c - stat --per-cache: which CPUs share a cache. */
#include "cmd/stat/table.h"
#include "machine/caches.h"

/* As in perf: if the kernel does not say which CPUs share it, all CPUs of a die share cache -1. */
void stat_key_of_cache(struct stat_key *k, const struct stat_table *t, const struct sys *sys, int cpu)
{
	unsigned level = 0, id = 0, socket = (unsigned)(k->id >> 40), die = k->id >> 20 & 0xfffff;

	for (unsigned i = 0; i < CACHES_INDEXES; i++) {
		unsigned its = caches_level(sys, cpu, i);

		if (its > level && (its == t->cache_level || t->cache_level == STAT_LAST_CACHE)) {
			level = its;
			id = caches_first(sys, cpu, i);
		}
	}
	if (level)
		snprintf(k->label, sizeof(k->label), "S%u-D%u-L%u-ID%u", socket, die, level, id);
	else
		snprintf(k->label, sizeof(k->label), "S%u-D%u-L-1-ID-1", socket, die);
	k->id |= level ? id : 0xfffff;
}
