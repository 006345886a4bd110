/*
 * html.h - the page around the data: what is there without a script, its looks, and the script (script_*.c).
 *
 * What recordings tell is only in the data, which is base64, and shown by the script as text, never as HTML.
 */
#ifndef TIMELINE_HTML_H
#define TIMELINE_HTML_H

#include "base/fmt.h"

/* Behind it comes the data. */
void html_begin(struct out *o, const char *title);
void html_end(struct out *o);

/* The parts of the script, in this order: numbers and lanes, pictures, what a user does. */
extern const char script_data[], script_draw[], script_find[], script_user[];

#endif
