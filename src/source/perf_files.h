/*
 * perf_files.h - the files that a perf.data's records are in: its own, and those of its directory (perf record
 * --threads: data.0, data.1 ..., records without any header).
 *
 * What was read stays resident though nothing needs it any more: it is let go from time to time, but for the newest
 * stretch, whose records wait for their turn in time. Older ones that come back are read again from the page cache.
 */
#ifndef SOURCE_PERF_FILES_H
#define SOURCE_PERF_FILES_H

#include "perf/file.h"
#include "source/found.h"

struct unpacker;

struct perf_part {
	struct bytes bytes;       /* up to the last record */
	uint64_t off;             /* of the next one */
	uint64_t newest;          /* time of those that were read */
	uint64_t forgotten;       /* its pages up to here were given back */
	uint64_t touched;         /* bytes read below that since */
	struct unpacker *unpacker;   /* of what is compressed; NULL: nothing was */
	uint64_t packed_at;       /* offset of the compressed record that is being unpacked */
	bool unpacking;
	bool borrowed;            /* the bytes that were found */
	bool ended;
};

struct perf_files {
	const struct sys *sys;
	const struct found *found;     /* borrowed */
	VEC(struct perf_part) v;       /* the recording's own first */
};

/* f is all zero. file: what was found, its header read. */
int perf_files_open(struct perf_files *f, const struct sys *sys, const struct found *found,
		    const struct perf_file *file, struct err *e);
void perf_files_close(struct perf_files *f);

/* This record was read: pages far behind it go. */
void perf_files_touch(const struct perf_files *f, struct perf_part *of, const struct perf_record *r);
/* All was read: all pages go. */
void perf_files_forget(const struct perf_files *f);

#endif
