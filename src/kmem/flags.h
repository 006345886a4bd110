/* flags.h - the values of gfp_flags that occurred, with their text and perf's abbreviation of it. */
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
	unsigned width;                  /* length of the longest abbreviation */
};

void gfp_flags_deinit(struct gfp_flags *g);

/* Note the flags of h, an mm_page_alloc. If they are new, their text is made from the event. 0 or -ENOMEM. */
int gfp_flags_see(struct gfp_flags *g, struct feed *f, const struct hit *h, uint32_t flags);

/* The abbreviation, "?" for flags that were not noted. */
const char *gfp_flags_brief(const struct gfp_flags *g, uint32_t flags);

/* Sort by the flags' value. gfp_flags_see() may append after that. */
void gfp_flags_sort(struct gfp_flags *g);

#endif
