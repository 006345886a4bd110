/* settle.h - options that contradict each other: perf's rule for which one counts. */
#ifndef CMD_SETTLE_H
#define CMD_SETTLE_H

#include "cmd/cmd.h"
#include "live/target.h"

/* Called as "perf": -p, -t and -u override -a and -C, with perf's warning. By any other name this does nothing. */
void settle_target(struct ctx *c, struct target_want *w);

#endif
