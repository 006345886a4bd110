/* wipe.h - all tracing off, whoever has switched it on: trace-cmd's reset. */
#ifndef CMD_FTRACE_WIPE_H
#define CMD_FTRACE_WIPE_H

#include "tracing/tfs.h"

struct wipe {
	void (*say)(void *arg, const char *line);   /* what was removed; may be NULL */
	void *arg;
	unsigned keep;   /* kinds of made events that stay: wipe_keep() */
};

/* Add "kprobe", "synth" ... or "all". */
int wipe_keep(unsigned *keep, const char *name, struct err *e);

/* Tracer, events, filters, triggers, functions, pids, clock, CPUs as the kernel has them at first; the text is gone. */
int wipe_buffer(const struct wipe *w, const struct tfs *t, struct err *e);

/* Every kprobe, uprobe, synthetic event and their like; those in use stay, and are told. */
int wipe_probes(const struct wipe *w, const struct tfs *top, struct err *e);

#endif
