/* event_env.h - struct event_env (perf/event.h) for the running machine, or for a copy of another's /sys and /proc. */
#ifndef LIVE_EVENT_ENV_H
#define LIVE_EVENT_ENV_H

#include "perf/event.h"
#include "sys/sys.h"

/* Reads nothing yet. sys is borrowed. NULL: no memory. Events keep pointers into it: free it after the event list. That
 * also removes the probes that were defined for events, so close these first. */
struct event_env *event_env_new(const struct sys *sys);
void event_env_free(struct event_env *env);

/* The probes that were defined for events (kprobe:..., uprobe:...); NULL: none. */
const struct run_probes *event_env_probes(const struct event_env *env);

#endif
