/*
 * session_files.h - the files that a perf.data's records are in: its own, and those of its directory (perf record
 * --threads: data.0, data.1 ..., records without any header).
 *
 * What was read stays resident though nothing needs it any more: it is let go from time to time, but for the newest
 * stretch, whose records wait for their turn in time. Older ones that come back are read again from the page cache.
 */
#ifndef SOURCE_SESSION_FILES_H
#define SOURCE_SESSION_FILES_H

#include "source/session.h"

struct unpacker;

struct session_file {
	struct bytes bytes;       /* up to the last record */
	uint64_t off;             /* of the next one */
	uint64_t newest;          /* time of those that were read */
	uint64_t forgotten;       /* its pages up to here were given back */
	uint64_t touched;         /* bytes read below that since */
	struct unpacker *unpacker;   /* of what is compressed; NULL: nothing was */
	uint64_t packed_at;       /* offset of the compressed record that is being unpacked */
	bool unpacking;
	bool borrowed;            /* the session's own bytes */
	bool ended;
};

struct session_files {
	VEC(struct session_file) v;   /* the recording's own first */
};

int session_files_open(struct session_files *f, struct session *s, struct err *e);
void session_files_close(struct session_files *f, const struct session *s);

/* This record was read: pages far behind it go. */
void session_file_touch(struct session_file *f, const struct session *s, const struct perf_record *r);
/* All was read: all pages go. */
void session_files_forget(const struct session_files *f, const struct session *s);

#endif
