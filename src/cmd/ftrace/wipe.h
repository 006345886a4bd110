/* wipe.h - all tracing off, whoever has switched it on: trace-cmd's reset. */
#ifndef CMD_FTRACE_WIPE_H
#define CMD_FTRACE_WIPE_H

#include "ftrace/tfs.h"

struct wipe {
	void (*say)(void *arg, const char *line);   /* what was removed; may be NULL */
	void *arg;
};

/* Tracer, events, filters, triggers, functions, pids, clock, CPUs as the kernel has them at first; the text is gone. */
int wipe_buffer(const struct wipe *w, const struct tfs *t, struct err *e);

/* Every kprobe, uprobe and synthetic event; those in use stay, and are told. */
int wipe_probes(const struct wipe *w, const struct tfs *top, struct err *e);

#endif
