/* procmap.h - the maps of a process in the format of the option PROCMAPS of a trace.dat. */
#ifndef TRACING_TRANSPORT_PROCMAP_H
#define TRACING_TRANSPORT_PROCMAP_H

#include "base/fmt.h"
#include "sys/sys.h"

/*
 * "PID LINES COMMAND" (numbers in hex), then that many lines "START END FILE" of file mappings; nothing for a process
 * that has ended.
 */
void procmap_put(const struct sys *sys, int pid, struct out *o);

#endif
