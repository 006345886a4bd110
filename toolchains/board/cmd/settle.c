/* settle.c - there is no room for perf's way: what says two different things is refused. */
#include "cmd/settle.h"

void settle_target(struct ctx *c UNUSED, struct target_want *w UNUSED)
{
}
