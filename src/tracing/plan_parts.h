/* plan_parts.h - the steps of plan_apply that have files of their own. */
#ifndef TRACING_PLAN_PARTS_H
#define TRACING_PLAN_PARTS_H

#include "tracing/plan.h"

/* Filters, triggers, and then what is enabled. */
int plan_events(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e);

/*
 * What an earlier user has left there would hide what is asked for now. But what is set for graphs is the same for all
 * buffers: one whose tracer draws none has no business there.
 */
bool plan_must_clear(const struct plan *p, const struct tfs *t, const char *file);

/* The lists of functions and commands of functions. */
int plan_functions(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e);

#endif
