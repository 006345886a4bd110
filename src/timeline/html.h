/*
 * html.h - the HTML page around the data: static content, styles, and the script (page_*.js).
 *
 * Text from recordings is only in the data, which is base64; the script shows it as text, never as HTML.
 */
#ifndef TIMELINE_HTML_H
#define TIMELINE_HTML_H

#include "base/fmt.h"

/* Write everything before the data. */
void html_begin(struct out *o, const char *title);

/* Write everything after the data. 0 or -ENOMEM. */
int html_end(struct out *o);

#endif
