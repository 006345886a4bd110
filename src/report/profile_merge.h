/* profile_merge.h - from a batch that was added up into the tree of the profile; for src/report/profile*.c only. */
#ifndef REPORT_PROFILE_MERGE_H
#define REPORT_PROFILE_MERGE_H

#include "report/profile.h"

/* Number of a group, which is new or not. NAMES_NONE: no memory. */
uint32_t profile_group(struct profile *p, const struct hist_group *g);

/* Does it take the names of frames to know which samples and frames count? */
bool profile_by_name(const struct profile *p);

/* The frames of all places: b->frame, b->lists. By the thread that reads the records. 0 or -ENOMEM. */
int profile_find_frames(struct profile *p, struct profile_batch *b);

/*
 * What was added up goes into the profile's tree. All its frames were found, unless names choose: then they are found
 * by and by. Otherwise by any thread, but by one at a time. 0 or -ENOMEM.
 */
int profile_merge(struct profile *p, struct profile_batch *b);

#endif
