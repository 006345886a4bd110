/* hit.h - one occurrence of an event of a profiler. Everything is borrowed until the next hit. */
#ifndef ENGINE_HIT_H
#define ENGINE_HIT_H

#include "perf/head.h"
#include "tracefs/format/events.h"

struct tap;

struct hit {
	const struct tap *tap;           /* the event as it was given: engine/feed.h */
	uint64_t record;                 /* number of the record; the same in the hits of several taps */
	uint64_t time;                   /* ns, of the events' clock */
	uint32_t cpu, pid, tid;          /* UINT32_MAX: unknown */
	struct bytes raw;                /* of a tracepoint */
	const struct tevent *event;      /* its format; NULL: not a tracepoint */
	const struct perf_event *perf;
	const struct sample *sample;
};

#endif
