/* cgroups.h - the hierarchy of control groups that events are counted by: v1's of perf_event, or v2's. */
#ifndef SYS_CGROUPS_H
#define SYS_CGROUPS_H

#include "sys/sys.h"

/* Where it is mounted; NULL: nowhere that is usual. */
const char *cgroups_mount(const struct sys *sys);

/*
 * Each group with its name from the mount on, "/" first, and its folder's status; groups that go meanwhile are passed
 * over. Not 0 from `each`: the end, and returned. -ENOENT: it is not mounted.
 */
int cgroups_each(const struct sys *sys, int (*each)(void *arg, const char *name, const struct stat *st), void *arg);

#endif
