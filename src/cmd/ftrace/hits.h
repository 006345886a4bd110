/* hits.h - hit counts of the defined probes: kprobe_profile and uprobe_profile, with the probes' groups. */
#ifndef CMD_FTRACE_HITS_H
#define CMD_FTRACE_HITS_H

#include "base/fmt.h"
#include "tracing/tfs.h"

/* Print "mine:back  12  0  r8 vfs_read": event, hits, misses ("-" for a uprobe), place. */
int hits_put(const struct tfs *top, struct out *o, struct err *e);

#endif
