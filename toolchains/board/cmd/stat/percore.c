/* percore.c - a board's sonde shows each CPU by itself. */
#include "cmd/stat/print_parts.h"

void stat_percore_keys(struct stat_table *t UNUSED, const struct sys *sys UNUSED)
{
}

void stat_percore_sums(struct stat_table *t UNUSED)
{
}

bool stat_line_is_core(const struct stat_print *p UNUSED, const struct stat_table *t UNUSED,
		       const struct stat_line *l UNUSED)
{
	return false;
}
