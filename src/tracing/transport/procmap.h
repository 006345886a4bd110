/* procmap.h - what a process has mapped, as the option PROCMAPS of a trace.dat tells it. */
#ifndef TRACING_TRANSPORT_PROCMAP_H
#define TRACING_TRANSPORT_PROCMAP_H

#include "base/fmt.h"
#include "sys/sys.h"

/*
 * "PID LINES COMMAND" (both in hex), then that many lines "START END FILE", of what has a name; nothing for a process
 * that has gone.
 */
void procmap_put(const struct sys *sys, int pid, struct out *o);

#endif
