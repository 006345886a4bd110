/*
 * profile_live.h - a profile that goes on: what it is at the moment, and how the past loses weight, as perf top has it.
 * Memory is bounded: what weighs nothing any more goes, and where there is still too much, all begins anew.
 */
#ifndef REPORT_PROFILE_LIVE_H
#define REPORT_PROFILE_LIVE_H

#include "report/profile.h"

enum { PROFILE_LIVE_NODES = 1 << 18, PROFILE_LIVE_FRAMES = 1 << 16, PROFILE_LIVE_GROUPS = 1 << 14 };

/* Its tree as it is now, settled: for hist.h in the place of its own. calltree_deinit after it. 0 or -ENOMEM. */
int profile_shot(struct calltree *to, const struct profile *p);

/*
 * All that was gathered counts for `eighths` of it from now on; 0: for nothing. 0; 1: there was too much, and all was
 * forgotten; or -ENOMEM.
 */
int profile_age(struct profile *p, unsigned eighths);

/*
 * When more than `most` bytes are kept of programs' files, those that no sample of now is in, and that are not `also`,
 * are given back, see resolver_trim. How many; -ENOMEM.
 */
long profile_trim(struct profile *p, uint64_t most, const char *also);

#endif
