/*
 * stream.h - everything of a trace.dat before its rings, to where nothing can be patched: another machine. It is
 * made twice, the first time only to learn what would be patched.
 */
#ifndef TRACEFS_DAT_STREAM_H
#define TRACEFS_DAT_STREAM_H

#include "tracefs/dat/write.h"

/* want's functions are not used: kallsyms' text is the blob's. Errors of `o` stay in it. */
int tdat_stream_head(const struct tdat_write_want *want, struct out *o, struct err *e);

#endif
