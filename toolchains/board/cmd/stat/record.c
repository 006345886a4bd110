/* record.c - a board's sonde keeps no counts. */
#include "cmd/stat/keep.h"

int stat_keeper_begin(struct stat_keeper *k UNUSED, const struct counters *c UNUSED, const struct target *t UNUSED,
		      int pid UNUSED, struct err *e UNUSED)
{
	return 0;
}

void stat_keeper_take(struct stat_keeper *k UNUSED, uint64_t ns UNUSED)
{
}

bool stat_keeper_is_silent(const struct stat_keeper *k UNUSED)
{
	return false;
}

int stat_verb_behind(struct ctx *c UNUSED, struct stat_want *w UNUSED, int argc UNUSED, char **argv UNUSED)
{
	return -1;
}
