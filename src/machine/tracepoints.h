/* tracepoints.h - find tracepoints in the tracing file system: events/SYSTEM/NAME/id. */
#ifndef MACHINE_TRACEPOINTS_H
#define MACHINE_TRACEPOINTS_H

#include "sys/sys.h"

/*
 * Call found(to, system, name, id) for every tracepoint that matches; both names may be globs, and without one only
 * that id is read. Returns how many there were, 0 for none; found's non-zero result; or -errno with e set: -EACCES may
 * not look, -ENOENT no tracefs. A glob for the system leaves "ftrace" out: its events are the function tracer's own.
 */
int tracepoints_each(const struct sys *sys, const char *system, const char *name,
		     int (*found)(void *to, const char *system, const char *name, uint64_t id), void *to,
		     struct err *e);

/* Every "system:name", for near names. The text is gone after the call. */
void tracepoints_names(const struct sys *sys, void (*feed)(void *to, const char *name), void *to);

#endif
