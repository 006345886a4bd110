/* cut_find.c - a board's sonde has no option for it. */
#include "cmd/record/cut.h"

const char *record_cut_stem(const struct record_cut_want *w UNUSED, const char *path)
{
	return path;
}

void record_cut_hold(const struct record_cut_want *w UNUSED, const struct sys *sys UNUSED, int fd UNUSED)
{
}

int record_cut_place(const struct sys *sys, const char *path, const char *name)
{
	return sys_exists(sys, name) ? -EEXIST : sys->rename(sys, path, name);
}

int record_cut_find(struct record_cut *c UNUSED, const struct record_cut_want *w UNUSED, const struct sys *sys UNUSED,
		    const char *path UNUSED)
{
	return 0;
}
