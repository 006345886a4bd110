/*
 * text.h - names from files and kernels are untrusted bytes: show them as UTF-8 that cannot break
 * the terminal or the XML around it. Malformed UTF-8 (RFC 3629) becomes U+FFFD, one per bad byte.
 */
#ifndef SHOW_TEXT_H
#define SHOW_TEXT_H

#include "base/fmt.h"
#include "base/str.h"

enum text_as {
	TEXT_PLAIN,   /* control characters become '?' */
	TEXT_XML,     /* markup escaped; control characters and XML's non-characters: U+FFFD */
};

enum { TEXT_ALL = UINT_MAX };   /* `columns` of text_put: do not cut */

/* Take the next code point off the front of *s, which is not empty. */
uint32_t text_next(struct sv *s);

/* Terminal columns: East Asian wide characters take two, everything else one. */
size_t text_columns(struct sv s);

/*
 * Write s, cut to `columns` with a trailing ellipsis when it is longer. 0 columns writes nothing.
 */
void text_put(struct out *o, struct sv s, size_t columns, enum text_as as);

/*
 * "12.34%", right-aligned in width; where colours are shown red from 5 %, green above 0.5 %, as
 * perf does.
 */
void text_percent(struct out *o, double percent, unsigned width);

#endif
