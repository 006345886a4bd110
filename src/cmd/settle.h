/* settle.h - options that say two different things, as perf takes them. */
#ifndef CMD_SETTLE_H
#define CMD_SETTLE_H

#include "cmd/cmd.h"
#include "live/target.h"

/* Who calls it perf knows that -p, -t and -u go before -a and -C, with a warning. By any other name nothing is done. */
void settle_target(struct ctx *c, struct target_want *w);

#endif
