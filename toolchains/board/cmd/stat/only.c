/* only.c - a board's sonde has no option that asks for it. */
#include "cmd/stat/print_parts.h"

void stat_only_columns(const struct stat_print *p UNUSED, struct stat_table *t UNUSED)
{
}

void stat_only_rows(const struct stat_print *p UNUSED, struct stat_table *t UNUSED)
{
}
