/*
 * tallied.h - count a profiler's events with BPF programs (bpf/tally.h) instead of hits, if the result is the same: for
 * tracepoints and probes whose keys and numbers a program can read.
 */
#ifndef ENGINE_TALLIED_H
#define ENGINE_TALLIED_H

#include "engine/feed.h"

/* asks: what to count for each tap; event, filter and CPUs are filled in. 0: f->tally is open; else why it is not. */
int tallied_open(struct tally *t, struct feed *f, struct tally_event *asks, struct err *why);
void tallied_close(struct feed *f);

/* The perf event that samples of a tap (by index) would have; NULL: none. */
const struct perf_event *tallied_event(const struct feed *f, uint32_t tap);

/*
 * Before counting starts: close the perf events of what programs count. For a command they would be enabled at its exec
 * and count as well, and in any case they cost time. 0 or -errno.
 */
int tallied_alone(struct feed *f, struct err *e);

#endif
