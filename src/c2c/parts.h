/* parts.h - internal interfaces shared by the files of this folder. */
#ifndef C2C_PARTS_H
#define C2C_PARTS_H

#include "c2c/lines.h"

/* Adds the samples of a word to the totals. */
void c2c_settle_word(struct c2c_lines *c, struct c2c_known_word *w);

/* Prints the title of a section. */
void c2c_title(const char *title, struct out *o);

void c2c_totals(const struct c2c_lines *c, struct out *o);

#endif
