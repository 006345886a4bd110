/*
 * unpacker.h - unpack compressed records (perf record -z). The zstd data of all compressed records of a file is one
 * stream; unpacked it is a sequence of records, which may continue from one compressed record to the next.
 */
#ifndef SOURCE_UNPACKER_H
#define SOURCE_UNPACKER_H

#include "perf/record.h"
#include "base/err.h"

struct unpacker;

struct unpacker *unpacker_new(void);
void unpacker_free(struct unpacker *u);   /* NULL is fine */

/* Set the data of the next compressed record, after unpacker_next() has returned 0. Borrowed until it does so again. */
void unpacker_give(struct unpacker *u, struct bytes packed);

/*
 * 1: a whole record, header included, valid until the next call. 0: the data is used up; the beginning of a record that
 * continues in the next compressed record is kept. -EBADMSG, -ENOMEM.
 */
int unpacker_next(struct unpacker *u, bool swap, struct bytes *record, struct err *e);

#endif
