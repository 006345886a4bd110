/* share.h - shares in percent in a column, without the sign: "12.34". */
#ifndef SHOW_SHARE_H
#define SHOW_SHARE_H

#include "base/fmt.h"

/* Right-aligned in width; coloured as text_percent does it. */
void share_put(struct out *o, double percent, unsigned width);

#endif
