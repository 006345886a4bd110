/* probe_kinds.h - which events of a list are probes, of tracefs or of a probe PMU, and of which kind: the cost of a hit
 * differs between kinds. */
#ifndef LIVE_PROBE_KINDS_H
#define LIVE_PROBE_KINDS_H

#include "perf/event.h"
#include "probe/cost.h"
#include "sys/sys.h"

/* One enum probe_kind for each event, malloc'ed; NULL: no memory. */
uint8_t *probe_kinds(const struct sys *sys, const struct event_list *l);

static inline bool probe_kinds_have(const uint8_t *kinds, size_t events, enum probe_kind kind)
{
	return events && memchr(kinds, kind, events);
}

#endif
