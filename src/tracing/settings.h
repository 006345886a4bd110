/* settings.h - control files without an option of their own: the table for --set and list. */
#ifndef TRACING_SETTINGS_H
#define TRACING_SETTINGS_H

#include "tracing/undo.h"

struct setting {
	const char *file;        /* "osnoise/period_us" */
	const char *needs;       /* kernel configuration or version */
	const char *what;
};

extern const struct setting settings[];   /* ends with an empty file name */

/*
 * typed: "NAME=VALUE"; NAME is the file, or its part behind the slash; cpuN/buffer_size_kb is the buffer of one CPU.
 * -EINVAL: no such name, with the nearest one; -EOPNOTSUPP: this kernel has no such file.
 */
int settings_check(const char *typed, struct err *e);
int settings_put(struct undo *u, const struct tfs *t, const char *typed, struct err *e);

#endif
