/* stat_more.c - none of them on a board. */
#include "cmd/stat_more.h"

const struct opt stat_more_opts[] = { OPT_END };
