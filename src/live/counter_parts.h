/* counter_parts.h - internal interface between the files that implement counter.h. */
#ifndef LIVE_COUNTER_PARTS_H
#define LIVE_COUNTER_PARTS_H

#include "live/counter.h"

/* The same event on another type of core. */
bool counter_is_same(const struct counter *a, const struct counter *b);

/* Estimated value without pauses. */
double counter_whole(const struct counter_slot *s);

/* Account for a period when on that has just ended. */
void counter_window(struct counter_slot *s);

#endif
