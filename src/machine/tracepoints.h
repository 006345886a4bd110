/* tracepoints.h - finds tracepoints in tracefs: events/SYSTEM/NAME/id. */
#ifndef MACHINE_TRACEPOINTS_H
#define MACHINE_TRACEPOINTS_H

#include "sys/sys.h"

/*
 * Call found(to, system, name, id) for every matching tracepoint; both names may be globs; without a glob only that id
 * is read. Returns the number found, 0 for none; found's non-zero result; or -errno with e set: -EACCES no permission,
 * -ENOENT no tracefs. A glob for the system excludes "ftrace": its events are internal to tracers.
 */
int tracepoints_each(const struct sys *sys, const char *system, const char *name,
		     int (*found)(void *to, const char *system, const char *name, uint64_t id), void *to,
		     struct err *e);

/* Every "system:name", to offer near names. The text is only valid during the call. */
void tracepoints_names(const struct sys *sys, void (*feed)(void *to, const char *name), void *to);

#endif
