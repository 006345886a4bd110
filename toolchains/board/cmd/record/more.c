/* more.c - none of them on a board. */
#include "cmd/record/want.h"

const struct opt record_more_opts[] = { OPT_END };
