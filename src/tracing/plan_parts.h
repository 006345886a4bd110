/* plan_parts.h - the steps of plan_apply that have files of their own. */
#ifndef TRACING_PLAN_PARTS_H
#define TRACING_PLAN_PARTS_H

#include "tracing/plan.h"

/* Set filters and triggers, then enable the events. */
int plan_events(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e);

/*
 * Must `file` be cleared, since what an earlier user left there would hide what is asked for now? Graph settings are
 * shared by all buffers: an instance with another tracer must not touch them.
 */
bool plan_must_clear(const struct plan *p, const struct tfs *t, const char *file);

/* Set the function lists and function commands. */
int plan_functions(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e);

#endif
