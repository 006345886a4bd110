/*
 * profile_plan.h - adds to a plan the events that a profile of tasks needs: for `profile`, and --profile and -H
 * elsewhere.
 */
#ifndef CMD_FTRACE_PROFILE_PLAN_H
#define CMD_FTRACE_PROFILE_PLAN_H

#include "cmd/ftrace/want.h"

/*
 * Call it after want_finish(). With --profile (without -S) it adds the usual events that this kernel has, and a tracer
 * if the user chose none, to the main plan; with -H the events of the hooks.
 */
int profile_plan(struct want *w, const struct tfs *top, struct err *e);

#endif
