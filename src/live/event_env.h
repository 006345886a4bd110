/* event_env.h - the event parser's view of the running machine, or of a copy of its /sys and /proc tree. */
#ifndef LIVE_EVENT_ENV_H
#define LIVE_EVENT_ENV_H

#include "perf/event.h"
#include "sys/sys.h"

/* Reads nothing yet. sys is borrowed. NULL: no memory. Events keep pointers into it: free it after the event list.
 * Freeing it removes the probes that were defined for the events: close the events first. */
struct event_env *event_env_new(const struct sys *sys);
void event_env_free(struct event_env *env);

/* The probes that were defined by events; NULL: none. */
const struct run_probes *event_env_probes(const struct event_env *env);

#endif
