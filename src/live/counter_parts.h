/* counter_parts.h - shared by counter.c and counter_scale.c only. */
#ifndef LIVE_COUNTER_PARTS_H
#define LIVE_COUNTER_PARTS_H

#include "live/counter.h"

/* Are these the same event, opened for different core types? */
bool counter_is_same(const struct counter *a, const struct counter *b);

/* Estimate of the value since the start as if there had been no pauses. */
double counter_whole(const struct counter_slot *s);

/* Add the period on that ends now to the statistics. */
void counter_window(struct counter_slot *s);

#endif
