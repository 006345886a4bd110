/*
 * unpacker.h - the records within compressed records (perf record -z). The zstd data of a file's compressed records is
 * one stream, whose bytes are records again, cut anywhere.
 */
#ifndef SOURCE_UNPACKER_H
#define SOURCE_UNPACKER_H

#include "perf/record.h"
#include "base/err.h"

struct unpacker;

struct unpacker *unpacker_new(void);
void unpacker_free(struct unpacker *u);   /* NULL is fine */

/* The data of the next compressed record; those before it were taken to their end. Borrowed until that. */
void unpacker_give(struct unpacker *u, struct bytes packed);

/*
 * 1: a whole record, its header included, valid until the next call. 0: all was taken; what is left is the beginning of
 * one that goes on in the next compressed record. -EBADMSG, -ENOMEM.
 */
int unpacker_next(struct unpacker *u, bool swap, struct bytes *record, struct err *e);

#endif
