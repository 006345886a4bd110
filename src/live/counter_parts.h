/* counter_parts.h - between the files of counter.h. */
#ifndef LIVE_COUNTER_PARTS_H
#define LIVE_COUNTER_PARTS_H

#include "live/counter.h"

/* The same event on another type of core. */
bool counter_is_same(const struct counter *a, const struct counter *b);

/* What the value would be without pauses. */
double counter_whole(const struct counter_slot *s);

/* A time on has ended. */
void counter_window(struct counter_slot *s);

#endif
