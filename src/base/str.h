/* str.h - strings as (pointer, length): numbers, sizes, globs, nearest names, CPU lists. Nothing here allocates. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include "base/base.h"
#include "base/err.h"

/* A borrowed piece of text; no NUL need follow it. */
struct sv {
	const char *s;
	size_t n;
};

#define SV(lit) ((struct sv){ (lit), sizeof(lit) - 1 })

struct sv sv_from(const char *s);
bool sv_eq(struct sv a, const char *b);
bool sv_starts(struct sv a, const char *prefix);

/* Cut the next piece up to `sep` off the front of *rest; false at the end. "a,,b" gives "a","","b". */
bool sv_cut(struct sv *rest, char sep, struct sv *piece);

size_t sv_plain(struct sv a);      /* number of bytes at its front that are printable ASCII: mostly all */
struct sv sv_trim(struct sv a);   /* without white space at both ends */

/* Copy with a NUL, cutting what does not fit; returns the length that was wanted. */
size_t str_copy(char *dst, size_t size, struct sv src);

/* The whole text as a number. With base 0, "0x" means hexadecimal and "0" octal. False: empty, other text, overflow. */
bool str_u64(struct sv a, int base, uint64_t *v);
bool str_i64(struct sv a, int base, int64_t *v);

/* Bytes with an optional suffix B K M G (powers of 1024, either case). */
bool str_size(struct sv a, uint64_t *bytes);

/* Seconds as "1.25" or ms/us/ns/s/m suffix, in nanoseconds. A bare number is multiplied by unit_ns. */
bool str_time(struct sv a, uint64_t unit_ns, uint64_t *ns);

/*
 * Decimal number with fraction and exponent: "2.33e-10". 18 digits count, which is more than a double holds; the result
 * may differ from the nearest double in its last bit.
 */
bool str_double(struct sv a, double *v);

/* Shell pattern: * ? [a-z] and \x. Takes O(length of pattern * length of text) at worst, by retries after a '*'. */
bool str_glob(const char *pattern, struct sv text);
bool str_is_glob(struct sv pattern);

/* Case-insensitive substring. */
bool str_contains(struct sv text, struct sv part);

/* Edit distance (insert, delete, replace, swap neighbours) of two names, at most max + 1. For "did you mean". */
unsigned str_distance(struct sv a, struct sv b, unsigned max);

/* The names nearest to a mistyped one: call nearest_feed() with every candidate, then read `name`. */
struct nearest {
	struct sv want;
	const char *name[3];   /* borrowed from the candidates; closest first */
	unsigned dist[3];
};
void nearest_init(struct nearest *n, struct sv want);
void nearest_feed(struct nearest *n, const char *candidate);
/* Write ", did you mean 'a', 'b'?" or "" into buf; returns buf. */
const char *nearest_text(const struct nearest *n, char *buf, size_t size);

enum { CPUS_MAX = 4096 };

/* Set of CPU numbers. */
struct cpus {
	uint64_t w[CPUS_MAX / 64];
};

/* Kernel list syntax "0,2-5". Empty text is an empty set. */
int cpus_parse(struct cpus *c, struct sv text, struct err *e);
bool cpus_has(const struct cpus *c, unsigned cpu);
void cpus_set(struct cpus *c, unsigned cpu);
unsigned cpus_count(const struct cpus *c);
/* The smallest member >= from, or -1. */
int cpus_next(const struct cpus *c, unsigned from);
/* Write the set in the list syntax into buf; returns buf. */
const char *cpus_text(const struct cpus *c, char *buf, size_t size);

#endif
