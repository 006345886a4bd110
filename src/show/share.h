/* share.h - percentages in a column, without the sign: "12.34". */
#ifndef SHOW_SHARE_H
#define SHOW_SHARE_H

#include "base/fmt.h"

/* Right-aligned in width; coloured as by text_percent. */
void share_put(struct out *o, double percent, unsigned width);

#endif
