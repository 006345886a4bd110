/*
 * html.h - the page around the data: static HTML, style, and the script (page_*.js).
 *
 * Texts from recordings are only in the data, which is base64, and the script shows them as text, never as HTML.
 */
#ifndef TIMELINE_HTML_H
#define TIMELINE_HTML_H

#include "base/fmt.h"

/* Write the part before the data; then the caller writes the data as base64. */
void html_begin(struct out *o, const char *title);

/* Write everything after the data. 0 or -ENOMEM. */
int html_end(struct out *o);

#endif
