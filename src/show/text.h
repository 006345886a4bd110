/*
 * text.h - prints untrusted names of files and kernels as UTF-8 that cannot break the terminal or surrounding XML.
 * Malformed UTF-8 (RFC 3629) becomes U+FFFD, one per bad byte.
 */
#ifndef SHOW_TEXT_H
#define SHOW_TEXT_H

#include "base/fmt.h"
#include "base/str.h"

enum text_as {
	TEXT_PLAIN,   /* control characters become '?' */
	TEXT_XML,     /* markup escaped; control characters and XML's non-characters: U+FFFD */
};

enum { TEXT_ALL = UINT_MAX };   /* for text_put: do not cut */

/* Take the next code point off the front of *s, which is not empty. */
uint32_t text_next(struct sv *s);

/* Width in terminal columns: East Asian wide characters take two, all others one. */
size_t text_columns(struct sv s);

/* Write s; if it is longer than `columns` cut it with an ellipsis. 0 columns writes nothing. */
void text_put(struct out *o, struct sv s, size_t columns, enum text_as as);

/* "12.34%", right-aligned in width; on a colour terminal red from 5 %, green above 0.5 %, as in perf. */
void text_percent(struct out *o, double percent, unsigned width);

#endif
