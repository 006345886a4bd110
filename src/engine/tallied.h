/*
 * tallied.h - a profiler's events counted by programs in the kernel (bpf/tally.h) instead of by their hits, where that
 * gives the same: tracepoints and probes whose keys and numbers programs can tell.
 */
#ifndef ENGINE_TALLIED_H
#define ENGINE_TALLIED_H

#include "engine/feed.h"

/* asks: what is counted of each tap, but for its event, filter and CPUs. 0: f->tally is open, or why it is not. */
int tallied_open(struct tally *t, struct feed *f, struct tally_event *asks, struct err *why);
void tallied_close(struct feed *f);

/* What a sample of a tap would be of, by the tap's number; NULL: it has none. */
const struct perf_event *tallied_event(const struct feed *f, uint32_t tap);

/*
 * Before anything counts: what programs count has no perf events any more. Of a command they would count from its exec
 * on, too, and of all they cost time. 0 or -errno.
 */
int tallied_alone(struct feed *f, struct err *e);

#endif
