/*
 * run_probes.h - probes that a command defines inline (-e kprobe:f, -e uprobe:f@"file"/args/) and removes at its end.
 *
 * They are defined in tracefs (kprobe_events, uprobe_events), in groups named after this process, journalled and
 * removed by undo. Without permission to write there, probes without arguments are opened by the PMUs kprobe and
 * uprobe instead. That is slower: for the kernel each descriptor (for each CPU, and each task that inherits it) is a
 * probe of its own, and every hit runs through all of them.
 */
#ifndef LIVE_RUN_PROBES_H
#define LIVE_RUN_PROBES_H

#include "tracing/undo.h"
#include "perf/event.h"

struct run_probes;

struct run_probes *run_probes_new(const struct sys *sys, struct err *e);   /* NULL: no memory */

/*
 * For ftrace commands: define every probe in tracefs and leave its removal to u. To be called before the first probe is
 * added; u and top must outlive p.
 */
void run_probes_lend(struct run_probes *p, struct undo *u, const struct tfs *top);

/* Remove the probes. Their events must be closed. */
void run_probes_free(struct run_probes *p);

/* The next note for the user, a line; *at is 0 for the first call. NULL: no more. Valid as long as p. */
const char *run_probes_note(const struct run_probes *p, size_t *at);

/* See event_env.probe in perf/event.h. */
int run_probes_add(struct run_probes *p, const char *text, const struct event_probe_found *f, const char **end,
		   struct err *e);

#endif
