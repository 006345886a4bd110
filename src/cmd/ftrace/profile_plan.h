/* profile_plan.h - what a profile of tasks needs to be traced: for `profile`, and --profile and -H of others. */
#ifndef CMD_FTRACE_PROFILE_PLAN_H
#define CMD_FTRACE_PROFILE_PLAN_H

#include "cmd/ftrace/want.h"

/*
 * After want_finish: with --profile add to the main plan the events and the tracer that the user did not choose (none
 * of them with -S); and the events of the hooks. What this kernel does not have is left out.
 */
int profile_plan(struct want *w, const struct tfs *top, struct err *e);

#endif
