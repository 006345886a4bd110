/* settings.h - control files that have no option of their own: the table of those that --set and list know. */
#ifndef TRACING_SETTINGS_H
#define TRACING_SETTINGS_H

#include "tracing/undo.h"

struct setting {
	const char *file;        /* "osnoise/period_us" */
	const char *needs;       /* of the kernel */
	const char *what;
};

extern const struct setting settings[];   /* an empty file ends it */

/*
 * "NAME=VALUE": NAME is the file, or what stands behind its slash; cpuN/buffer_size_kb is the buffer of one CPU.
 * -EINVAL: no such name, with the nearest one; -EOPNOTSUPP: this kernel has no such file.
 */
int settings_check(const char *typed, struct err *e);
int settings_put(struct undo *u, const struct tfs *t, const char *typed, struct err *e);

#endif
