/* event_env.h - the event grammar's view of the running machine, or of a copied tree of one. */
#ifndef LIVE_EVENT_ENV_H
#define LIVE_EVENT_ENV_H

#include "perf/event.h"
#include "sys/sys.h"

/* Reads nothing yet. sys is borrowed. NULL: no memory. Events keep pointers into it: free it after their list.
 * Probes that were defined for them go with it: close the events first. */
struct event_env *event_env_new(const struct sys *sys);
void event_env_free(struct event_env *env);

/* The probes that the events have made; NULL: none. */
const struct run_probes *event_env_probes(const struct event_env *env);

#endif
