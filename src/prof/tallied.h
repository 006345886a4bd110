/* tallied.h - counting by BPF programs for profilers with prof_kind.ask. */
#ifndef PROF_TALLIED_H
#define PROF_TALLIED_H

#include "prof/prof.h"

/* After begin, before events count: choose whether BPF programs count, and report the choice. 0 or -ENOMEM. */
int tallied_choose(struct prof *p, struct err *e);

/* Remove the programs; note what the kernel keeps. */
void tallied_end(struct prof *p);

/* Before each show: pass what was counted to `counted` and `bound`. 0 or -ENOMEM. */
int tallied_take(struct prof *p);

/* Behind a table: print what it lacks. */
void tallied_tell(const struct prof *p, struct out *o);

#endif
