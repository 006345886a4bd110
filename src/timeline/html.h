/*
 * html.h - the page around the data: what is there without a script, its looks, and the script (page_*.js).
 *
 * What recordings tell is only in the data, which is base64, and shown by the script as text, never as HTML.
 */
#ifndef TIMELINE_HTML_H
#define TIMELINE_HTML_H

#include "base/fmt.h"

/* Behind it comes the data. */
void html_begin(struct out *o, const char *title);

/* 0 or -ENOMEM. */
int html_end(struct out *o);

#endif
