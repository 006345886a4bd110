/* share.c - separate from show/text.c, which the board's binary does not need. */
#include "show/share.h"

void share_put(struct out *o, double percent, unsigned width)
{
	const char *color = percent >= 5 ? "\x1b[31m" : percent > 0.5 ? "\x1b[32m" : NULL;

	if (o->color && color)
		out_control(o, color);
	out_near(o, percent, width, 2);
	if (o->color && color)
		out_control(o, "\x1b[m");
}
