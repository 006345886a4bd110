/* flags.h - the GFP flags seen: their value, text and abbreviated text. */
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
	unsigned width;                  /* of the longest abbreviated text */
};

void gfp_flags_deinit(struct gfp_flags *g);

/* Adds the flags of this event if they are new. 0 or -ENOMEM. */
int gfp_flags_see(struct gfp_flags *g, struct feed *f, const struct hit *h, uint32_t flags);

/* The abbreviated text; never NULL. */
const char *gfp_flags_brief(const struct gfp_flags *g, uint32_t flags);

/* Sorts by value. Indices stay valid until new flags are seen. */
void gfp_flags_sort(struct gfp_flags *g);

#endif
