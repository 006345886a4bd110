/* file_parts.h - what the sources of the perf.data reader share; for src/perf/file*.c only. */
#ifndef PERF_FILE_PARTS_H
#define PERF_FILE_PARTS_H

#include "perf/file.h"

/* The whole file, or some of its bytes, in its byte order. */

/*
 * Add a note and return it for err_hint(); NULL when there are NOTES_MAX already. perf_file_missing() also marks the
 * recording as incomplete.
 */
struct err *perf_file_note(struct perf_file *f, const char *fmt, ...) PRINTF(2, 3);
struct err *perf_file_missing(struct perf_file *f, const char *fmt, ...) PRINTF(2, 3);

/* Add an event whose perf_event_attr is at the cursor, which moves behind it. */
int perf_file_add_event(struct perf_file *f, struct cursor *c, struct err *e);

/* Give the newest event all ids up to the cursor's end. */
int perf_file_add_ids(struct perf_file *f, struct cursor *c, struct err *e);

/* Add the build id of a BUILD_ID record with these misc flags and body. -EBADMSG: malformed; -ENOMEM. */
int perf_file_add_build_id(struct perf_file *f, uint16_t misc, struct bytes body);

/* Locate the sections of the header's bitmap by the table at file offset `table`. */
void perf_file_find_features(struct perf_file *f, const uint64_t bits[4], uint64_t table);

/* Parse the sections that were found. 0 or -ENOMEM; a damaged one becomes a note. */
int perf_file_read_features(struct perf_file *f);

/* Read a file-mode header of `size` bytes: attributes, ids, and where the data section is. */
int perf_file_read_header(struct perf_file *f, uint64_t size, struct err *e);

/* Read the records that stand for the header in a pipe-mode file. */
int perf_file_read_pipe(struct perf_file *f, const struct perf_file_walk *walk, struct err *e);

/* Give every event its label. 0 or -ENOMEM. */
int perf_file_set_labels(struct perf_file *f);

#endif
