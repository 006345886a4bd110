/* parts.h - an input of several texts: each stands behind its length, two bytes; the last is what is left. */
#ifndef TESTS_FUZZ_PARTS_H
#define TESTS_FUZZ_PARTS_H

#include "base/cursor.h"
#include "perf/file.h"

static inline struct bytes part_take(struct cursor *c)
{
	size_t n = cur_u16(c), left = cur_left(c);

	n = MIN(n, left);
	return (struct bytes){ cur_bytes(c, n), n };
}

static inline struct bytes part_rest(struct cursor *c)
{
	return (struct bytes){ c->pos, cur_left(c) };
}

#endif
