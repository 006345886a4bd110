/* record_more.c - none of them on a board. */
#include "cmd/record_want.h"

const struct opt record_more_opts[] = { OPT_END };
