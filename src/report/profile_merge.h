/* profile_merge.h - merge a summed-up batch into the profile's tree; for src/report/profile*.c only. */
#ifndef REPORT_PROFILE_MERGE_H
#define REPORT_PROFILE_MERGE_H

#include "report/profile.h"

/* Index of a group, which is added if it is new. NAMES_NONE: no memory. */
uint32_t profile_group(struct profile *p, const struct hist_group *g);

/* Do filters need the names of frames? */
bool profile_by_name(const struct profile *p);

/* Resolve all places of a batch: b->frame, b->lists. Only in the thread that reads the records. 0 or -ENOMEM. */
int profile_find_frames(struct profile *p, struct profile_batch *b);

/*
 * Merge a batch into the profile's tree. With profile_by_name() it resolves places itself, so it must run in the thread
 * that reads; else they were resolved before, and it may run in any thread, one at a time. 0 or -ENOMEM.
 */
int profile_merge(struct profile *p, struct profile_batch *b);

#endif
