/*
 * profile_batch.h - samples on their way into a profile: taken in while the address spaces are as they were, added up
 * by any thread, and merged into the profile's tree, where each place becomes a frame. A batch keeps the address spaces
 * of its samples: by then the records have gone on.
 */
#ifndef REPORT_PROFILE_BATCH_H
#define REPORT_PROFILE_BATCH_H

#include "analyse/batch.h"
#include "base/map.h"
#include "sym/resolver.h"

struct profile;

enum { PROFILE_SPACES = 64 };

/* Which spaces a process had, while no record changes any. */
struct profile_process {
	uint64_t changes;                    /* of the resolver */
	uint32_t pid;
	uint32_t user, kernel;               /* indices of the spaces + 1; 0: free */
};

struct profile_batch {
	struct batch samples;
	VEC(struct resolver_space) spaces;
	struct map space_of;                 /* generation -> index of the space */
	struct resolver_space recent[PROFILE_SPACES];   /* by a hash of the generation */
	uint32_t recent_id[PROFILE_SPACES];
	struct profile_process process[PROFILE_SPACES];   /* by the pid */
};

int profile_batch_init(struct profile_batch *b, size_t bytes, size_t max_frames);   /* 0 or -ENOMEM */
void profile_batch_deinit(struct profile_batch *b);

/* 1: taken in; 0: there is no room; -ENOMEM. */
int profile_batch_put(struct profile_batch *b, struct resolver *r, const struct sample_layout *l,
		      const struct sample *s, uint32_t group);

/* What was added up goes into the profile, and the batch is empty. 0 or -ENOMEM. */
int profile_batch_merge(struct profile_batch *b, struct profile *p);

#endif
