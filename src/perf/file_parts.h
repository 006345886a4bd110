/* file_parts.h - what the sources of the perf.data reader share; for src/perf/file*.c only. */
#ifndef PERF_FILE_PARTS_H
#define PERF_FILE_PARTS_H

#include "perf/file.h"

/* The whole file, or some of its bytes, in its byte order. */

/*
 * Keep a note and return it for err_hint(); NULL when there are enough of them. perf_file_missing: of
 * something that should be there and is lost.
 */
struct err *perf_file_note(struct perf_file *f, const char *fmt, ...) PRINTF(2, 3);
struct err *perf_file_missing(struct perf_file *f, const char *fmt, ...) PRINTF(2, 3);

/* Add an event whose perf_event_attr is at the cursor, which moves behind it. */
int perf_file_add_event(struct perf_file *f, struct cursor *c, struct err *e);

/* Ids of the newest event: all that the cursor has. */
int perf_file_add_ids(struct perf_file *f, struct cursor *c, struct err *e);

/* A build id record's header flags and body. -EBADMSG: not one; -ENOMEM. */
int perf_file_add_build_id(struct perf_file *f, uint16_t misc, struct bytes body);

/* Find the sections named by the header's bitmap at `table`, an offset in the file. */
void perf_file_find_features(struct perf_file *f, const uint64_t bits[4], uint64_t table);

/* Take in what the sections found say. 0 or -ENOMEM; what is damaged becomes a note. */
int perf_file_read_features(struct perf_file *f);

/* Read a header of size bytes, not a pipe's: attributes, ids, where the data is. */
int perf_file_read_header(struct perf_file *f, uint64_t size, struct err *e);

/* Take in the header-like records of a pipe-mode file. */
int perf_file_read_pipe(struct perf_file *f, const struct perf_file_walk *walk, struct err *e);

/* Give every event its label. 0 or -ENOMEM. */
int perf_file_set_labels(struct perf_file *f);

#endif
