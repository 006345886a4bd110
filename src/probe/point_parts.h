/* point_parts.h - shared by point.c and the inline form, which have the same words, places and arguments. */
#ifndef PROBE_POINT_PARTS_H
#define PROBE_POINT_PARTS_H

#include "probe/point.h"

struct point_scan {
	const char *text, *s;    /* the whole text, NUL-terminated in the arena; the current position */
	struct arena *arena;
	const char *stops;       /* characters that end a name or argument, beside white space */
	struct err *e;
};

int point_scan_init(struct point_scan *c, struct arena *a, const char *text, struct err *e);

bool point_is_space(char c);
bool point_is_word(char c);       /* a letter, a digit or _ */

/* Return -EINVAL with the text and a mark below the bad spot. */
int point_fail(const struct point_scan *c, const char *at, const char *fmt, ...) PRINTF(3, 4);

/* A name: "quoted", 'quoted', or up to one of stops outside brackets. Escapes are not undone. */
struct point_word {
	struct sv raw;
	bool is_quoted;
	bool is_wild, hides_wild;   /* has a wildcard; has one that is escaped or in parentheses */
};
int point_scan_word(struct point_scan *c, struct point_word *w);

/* Parts of a place, in the order of the text. */
int point_keep(const struct point_scan *c, struct sv *s);             /* copy it with a NUL to the arena */
int point_scan_name(struct point_scan *c, struct point *p);           /* function, file or address */
int point_scan_marker(struct point_scan *c, struct point *p);
int point_scan_option(struct point_scan *c, struct point *p);         /* begins with one of ;:@+% */
int point_check(const struct point_scan *c, const struct point *p, const char *at);

/* Arguments up to the end of the text, or to a '/' if that is in stops. */
int point_scan_args(struct point_scan *c, struct point *p);

#endif
