/* cgroups_like.h - control groups by an expression, as perf takes them: any that it matches somewhere in its name. */
#ifndef LIVE_CGROUPS_LIKE_H
#define LIVE_CGROUPS_LIKE_H

#include "sys/sys.h"

/*
 * each(arg, name) of all that a POSIX extended expression matches (capitals are not told from others), the name without
 * the slash in front; not 0: the end, and returned with its own e, but for -ENOENT: one that went meanwhile. -ENOENT:
 * none, or they are mounted nowhere; -EINVAL: it is no expression.
 */
int cgroups_like(const struct sys *sys, struct sv pattern, int (*each)(void *arg, const char *name), void *arg,
		 struct err *e);

#endif
