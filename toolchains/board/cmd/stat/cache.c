/* cache.c - a board's sonde does not sum up by caches: nothing asks it to. */
#include "cmd/stat/table.h"

void stat_key_of_cache(struct stat_key *k UNUSED, const struct stat_table *t UNUSED, const struct sys *sys UNUSED,
		       int cpu UNUSED)
{
}
