/* parts.h - what the files of this folder share. */
#ifndef C2C_PARTS_H
#define C2C_PARTS_H

#include "c2c/lines.h"

/* What samples of a word come to is in the totals. */
void c2c_settle_word(struct c2c_lines *c, struct c2c_known_word *w);

/* Over each part of it. */
void c2c_title(const char *title, struct out *o);

void c2c_totals(const struct c2c_lines *c, struct out *o);

#endif
