/* plan_parts.h - the steps of plan_apply that have files of their own. */
#ifndef FTRACE_PLAN_PARTS_H
#define FTRACE_PLAN_PARTS_H

#include "ftrace/plan.h"

/* Filters, triggers, and then what is enabled. */
int plan_events(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e);

/* The lists of functions and commands of functions. */
int plan_functions(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e);

#endif
