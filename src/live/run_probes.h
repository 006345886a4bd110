/*
 * run_probes.h - probes that a command defines inline (-e kprobe:f, -e uprobe:f@"file"/args/), removed when it ends.
 *
 * They are defined in tracefs in groups named after this process, journalled and removed by undo. If tracefs cannot be
 * written, probes without arguments use perf's kprobe or uprobe PMU: there each descriptor is a separate probe for the
 * kernel, one per CPU and per task that inherits it, and every hit runs through all of them.
 */
#ifndef LIVE_RUN_PROBES_H
#define LIVE_RUN_PROBES_H

#include "tracing/undo.h"
#include "perf/event.h"

struct run_probes;

struct run_probes *run_probes_new(const struct sys *sys, struct err *e);   /* NULL: no memory */

/*
 * For callers that trace through tracefs: every probe is defined in tracefs, and u removes it, not run_probes_free.
 * Call before the first probe is added; u and top must outlive p.
 */
void run_probes_lend(struct run_probes *p, struct undo *u, const struct tfs *top);

/* Removes them. The events must be closed. */
void run_probes_free(struct run_probes *p);

/* The notes for the user about them, one line per call, starting with *at = 0; NULL: no more. Valid as long as p. */
const char *run_probes_note(const struct run_probes *p, size_t *at);

/* event_env.probe */
int run_probes_add(struct run_probes *p, const char *text, const struct event_probe_found *f, const char **end,
		   struct err *e);

#endif
