/* wipe.h - trace-cmd's reset: switch all tracing off, whoever has switched it on. */
#ifndef CMD_FTRACE_WIPE_H
#define CMD_FTRACE_WIPE_H

#include "tracing/tfs.h"

struct wipe {
	void (*say)(void *arg, const char *line);   /* what was removed; may be NULL */
	void *arg;
	unsigned keep;   /* kinds of dynamic events that are not removed: see wipe_keep() */
};

/* Add "kprobe", "synth" ... or "all". */
int wipe_keep(unsigned *keep, const char *name, struct err *e);

/* Set a buffer's tracer, events, filters, triggers, functions, pids, clock and CPUs to their defaults; clear it. */
int wipe_buffer(const struct wipe *w, const struct tfs *t, struct err *e);

/* Remove all kprobes, uprobes, synthetic and other dynamic events; those in use stay, and are reported. */
int wipe_probes(const struct wipe *w, const struct tfs *top, struct err *e);

#endif
