/* record_cut_find.c - a board's sonde has no option for it. */
#include "cmd/record_cut.h"

int record_cut_find(struct record_cut *c UNUSED, const struct record_cut_want *w UNUSED, const struct sys *sys UNUSED,
		    const char *path UNUSED)
{
	return 0;
}
