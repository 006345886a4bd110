/* flags.h - the flags of allocations that were seen: their number, their text, and that in short. */
#ifndef KMEM_FLAGS_H
#define KMEM_FLAGS_H

#include "base/map.h"
#include "engine/feed.h"

struct gfp_flag {
	uint32_t flags;
	const char *text, *brief;        /* "GFP_KERNEL|__GFP_ZERO", "K|Z" */
};

struct gfp_flags {
	struct map of;                   /* flags -> index + 1 */
	VEC(struct gfp_flag) v;
	struct names texts;
	unsigned width;                  /* of the longest one in short */
};

void gfp_flags_deinit(struct gfp_flags *g);

/* The event that has them, if nobody had before. 0 or -ENOMEM. */
int gfp_flags_see(struct gfp_flags *g, struct feed *f, const struct hit *h, uint32_t flags);

/* In short; never NULL. */
const char *gfp_flags_brief(const struct gfp_flags *g, uint32_t flags);

/* By their numbers. Indices stay as they are until the next one is seen. */
void gfp_flags_sort(struct gfp_flags *g);

#endif
