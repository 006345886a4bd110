/*
 * dat_stream.h - everything of a trace.dat before its rings, for an output that cannot be patched afterwards: a
 * connection to another machine. The head is generated twice, the first time only to collect the patches.
 */
#ifndef TRACEFS_DAT_STREAM_H
#define TRACEFS_DAT_STREAM_H

#include "tracefs/dat/write.h"

/* The callbacks of want are not used: the text of kallsyms is the blob's. Errors of `o` stay in `o`. */
int tdat_stream_head(const struct tdat_write_want *want, struct out *o, struct err *e);

#endif
