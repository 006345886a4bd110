/*
 * sink.h - the file or pipe of a recording. Writes in order, and remembers the last offsets that are ends of records,
 * to be able to go back to one of them when the disk is full.
 */
#ifndef RECORD_SINK_H
#define RECORD_SINK_H

#include "perf/record.h"
#include "sys/output.h"

enum { SINK_MARKS = 16 };

struct sink {
	const struct sys *sys;
	const char *path;        /* for messages */
	int fd;
	struct output file;      /* unless it is standard output */
	bool pipe;               /* cannot seek: pipe form */
	bool full;               /* a write failed with ENOSPC, EDQUOT or EFBIG */
	uint64_t pos;            /* bytes written */
	uint64_t marks[SINK_MARKS];   /* newest last; 0: none */
	uint64_t dropped;        /* bytes given up to make room at the end */
};

/* Choose the path; *path NULL: standard output if it is a pipe, as perf does, else perf.data. -EINVAL: standard output
 * is a terminal. */
int sink_choose(const struct sys *sys, const char **path, struct err *e);

/* Open for writing; an existing regular file is kept as PATH.old, as perf does. */
int sink_open(struct sink *s, const struct sys *sys, const char *path, struct err *e);
void sink_close(struct sink *s);

/* Give up: close and remove the file, and restore the one that was there before. Pipes are only closed. */
void sink_discard(struct sink *s);

/* Append 1 or 2 pieces. -ENOSPC (and full): a part that was written is cut off again; only the end of the file may be
 * appended after that. */
int sink_write(struct sink *s, const struct bytes *pieces, size_t n, struct err *e);

/* Remember this offset as an end of records. */
void sink_mark(struct sink *s);

/* After -ENOSPC: cut the file off at the last mark before the current offset. False: there is none. */
bool sink_step_back(struct sink *s);

/* Truncate to an earlier offset and go on writing there. */
void sink_cut(struct sink *s, uint64_t pos);

/* Write at an offset without moving. */
int sink_patch(struct sink *s, uint64_t off, const void *p, size_t n, struct err *e);

#endif
