/*
 * profile_live.h - a live profile: a snapshot of it, and ageing, by which old samples lose weight as in perf top.
 * Memory is bounded: nodes without weight are removed, and if there are still too many, all are.
 */
#ifndef REPORT_PROFILE_LIVE_H
#define REPORT_PROFILE_LIVE_H

#include "report/profile.h"

enum { PROFILE_LIVE_NODES = 1 << 18, PROFILE_LIVE_FRAMES = 1 << 16, PROFILE_LIVE_GROUPS = 1 << 14 };

/* A settled copy of the present tree, to use in hist.h instead of its own; calltree_deinit() it. 0 or -ENOMEM. */
int profile_shot(struct calltree *to, const struct profile *p);

/*
 * Multiply the weight of all gathered samples by eighths / 8. 0; 1: there was too much, and all samples were dropped;
 * or -ENOMEM.
 */
int profile_age(struct profile *p, unsigned eighths);

/*
 * If files of programs take more than `most` bytes, unload those that no sample in the tree is in, but for the file
 * `also`, see resolver_trim(). Returns how many; -ENOMEM.
 */
long profile_trim(struct profile *p, uint64_t most, const char *also);

#endif
