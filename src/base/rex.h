/*
 * rex.h - regular expressions as trace-cmd's users write them: POSIX basic ones (. [a-z] [[:alpha:]] * ^ $ \( \)) and
 * GNU's \| \+ \?; case is ignored. \{n\} and back references are refused with an error.
 *
 * Compiled once into an arena, then matched without allocation in time O(length of text * length of pattern).
 */
#ifndef BASE_REX_H
#define BASE_REX_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

struct rex_ins;

struct rex {
	const struct rex_ins *v;
	unsigned n;
};

/* -EINVAL with the offset in the pattern, -ENOMEM. */
int rex_init(struct rex *r, struct arena *a, struct sv pattern, struct err *e);

/* The same for a POSIX extended expression, as perf takes them: ( ) | + ? are operators without a backslash. */
int rex_init_extended(struct rex *r, struct arena *a, struct sv pattern, struct err *e);

/* Does it match somewhere in the text? */
bool rex_match(const struct rex *r, struct sv text);

#endif
