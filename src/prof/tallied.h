/* tallied.h - profilers whose events programs in the kernel can count: struct prof_kind's ask. */
#ifndef PROF_TALLIED_H
#define PROF_TALLIED_H

#include "prof/prof.h"

/* After begin, before the events count: choose, and tell which it is. 0 or -ENOMEM. */
int tallied_choose(struct prof *p, struct err *e);

/* What was chosen goes; what the kernel keeps of it is noted. */
void tallied_end(struct prof *p);

/* Before each show: what was counted, to `counted` and `bound`. 0 or -ENOMEM. */
int tallied_take(struct prof *p);

/* Behind a table: what is not in it. */
void tallied_tell(const struct prof *p, struct out *o);

#endif
