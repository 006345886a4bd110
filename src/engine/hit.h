/* hit.h - one occurrence of an event that a profiler asked for. Everything is borrowed until the next one. */
#ifndef ENGINE_HIT_H
#define ENGINE_HIT_H

#include "perf/head.h"
#include "tracefs/format/events.h"

struct tap;

struct hit {
	const struct tap *tap;           /* which of those that were asked for: engine/feed.h */
	uint64_t record;                 /* the same for all taps that one record is for */
	uint64_t time;                   /* ns, of the events' clock */
	uint32_t cpu, pid, tid;          /* UINT32_MAX: not known */
	struct bytes raw;                /* of a tracepoint */
	const struct tevent *event;      /* its format; NULL: it is no tracepoint */
	const struct perf_event *perf;
	const struct sample *sample;
};

#endif
