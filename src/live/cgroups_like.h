/* cgroups_like.h - control groups whose names match a regular expression, anywhere in the name, as in perf. */
#ifndef LIVE_CGROUPS_LIKE_H
#define LIVE_CGROUPS_LIKE_H

#include "sys/sys.h"

/*
 * Call each(arg, name) for all groups that a POSIX extended expression matches (case is ignored); the name has no
 * leading slash. A result other than 0 ends it and is returned (each() has set its error), but for -ENOENT, a group
 * that was just removed. -ENOENT: no group matches, or no hierarchy is mounted; -EINVAL: bad expression.
 */
int cgroups_like(const struct sys *sys, struct sv pattern, int (*each)(void *arg, const char *name), void *arg,
		 struct err *e);

#endif
