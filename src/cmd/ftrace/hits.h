/* hits.h - how often the probes that are there were hit: both files of profiles, with the names of groups. */
#ifndef CMD_FTRACE_HITS_H
#define CMD_FTRACE_HITS_H

#include "base/fmt.h"
#include "tracing/tfs.h"

/* "mine:back  12  0  r8 vfs_read": event, hits, missed ("-" of a program's), where. */
int hits_put(const struct tfs *top, struct out *o, struct err *e);

#endif
