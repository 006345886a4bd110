/* cgroups.h - the cgroup hierarchy of perf events: the controller perf_event of v1, or v2. */
#ifndef SYS_CGROUPS_H
#define SYS_CGROUPS_H

#include "sys/sys.h"

/* Mount point; NULL: not mounted in a usual place. */
const char *cgroups_mount(const struct sys *sys);

/*
 * Call `each` for every cgroup with its path from the mount, "/" first, and the folder's status; vanished groups are
 * skipped. Ends when `each` returns non-zero, which is returned. -ENOENT: not mounted.
 */
int cgroups_each(const struct sys *sys, int (*each)(void *arg, const char *name, const struct stat *st), void *arg);

#endif
