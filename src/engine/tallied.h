/*
 * tallied.h - a profiler's events counted by programs in the kernel (bpf/tally.h) instead of by their hits, where that
 * gives the same: tracepoints of whole CPUs, whose keys and numbers programs can tell.
 */
#ifndef ENGINE_TALLIED_H
#define ENGINE_TALLIED_H

#include "engine/feed.h"

/* asks: what is counted of each tap, but for its event, filter and CPUs. 0: f->tally is open, or why it is not. */
int tallied_open(struct tally *t, struct feed *f, struct tally_event *asks, struct err *why);
void tallied_close(struct feed *f);

#endif
