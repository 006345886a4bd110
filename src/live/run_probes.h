/*
 * run_probes.h - probes that a command defines inline (-e kprobe:f, -e uprobe:f@"file"/args/) and that go with it.
 *
 * They are lines of the tracing file system in groups of this process, journalled and put back by undo. Where that
 * cannot be written, those without arguments are perf's PMU kprobe or uprobe: each descriptor of these is a probe of
 * its own to the kernel, of every CPU and of every task that inherits it, and every hit runs through all of them.
 */
#ifndef LIVE_RUN_PROBES_H
#define LIVE_RUN_PROBES_H

#include "tracing/undo.h"
#include "perf/event.h"

struct run_probes;

struct run_probes *run_probes_new(const struct sys *sys, struct err *e);   /* NULL: no memory */

/*
 * For who traces by files: every probe becomes a line of the tracing file system, and u takes it away again, not
 * run_probes_free. Before the first one; u and top outlive them.
 */
void run_probes_lend(struct run_probes *p, struct undo *u, const struct tfs *top);

/* Removes them. The events must be closed. */
void run_probes_free(struct run_probes *p);

/* What the user should know of them, a line each, from *at = 0 on; NULL: that was all. Valid as long as p. */
const char *run_probes_note(const struct run_probes *p, size_t *at);

/* event_env.probe */
int run_probes_add(struct run_probes *p, const char *text, const struct event_probe_found *f, const char **end,
		   struct err *e);

#endif
