/* cgroups_like.h - select cgroups by a regular expression that matches anywhere in the name, like perf. */
#ifndef LIVE_CGROUPS_LIKE_H
#define LIVE_CGROUPS_LIKE_H

#include "sys/sys.h"

/*
 * Calls each(arg, name) for every cgroup that the POSIX extended regular expression matches (ignoring case); name has
 * no leading slash. A non-zero result stops the walk and is returned, with the callback's own e, except -ENOENT: that
 * cgroup was removed meanwhile. Returns -ENOENT: no match, or no cgroup file system is mounted; -EINVAL: not a valid
 * regular expression.
 */
int cgroups_like(const struct sys *sys, struct sv pattern, int (*each)(void *arg, const char *name), void *arg,
		 struct err *e);

#endif
