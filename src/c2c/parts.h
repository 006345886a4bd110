/* parts.h - functions shared by the files of this folder only. */
#ifndef C2C_PARTS_H
#define C2C_PARTS_H

#include "c2c/lines.h"

/* Add the samples of a cache entry to the totals. */
void c2c_settle_word(struct c2c_lines *c, struct c2c_known_word *w);

/* Print the title of a section, as perf does. */
void c2c_title(const char *title, struct out *o);

void c2c_totals(const struct c2c_lines *c, struct out *o);

#endif
