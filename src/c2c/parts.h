/* parts.h - what the files of this folder share of the text. */
#ifndef C2C_PARTS_H
#define C2C_PARTS_H

#include "c2c/lines.h"

/* Over each part of it. */
void c2c_title(const char *title, struct out *o);

void c2c_totals(const struct c2c_lines *c, struct out *o);

#endif
