/*
 * file.h - read a perf.data file that is in memory (mapped): header, attributes, feature sections,
 * records.
 *
 * Works for both byte orders, for pipe-mode files (`perf record -o -` stored in a file), and for
 * files whose writer died (data size 0, feature table missing, last record cut): what can be read
 * is read, and `notes` says what is missing. Layout: perf.data-file-format (Linux
 * tools/perf/Documentation), version PERFILE2.
 */
#ifndef PERF_FILE_H
#define PERF_FILE_H

#include "perf/head.h"

struct perf_file {
	struct bytes bytes;          /* borrowed: the whole file */
	struct perf_head head;
	bool pipe;
	uint64_t data_off, data_end; /* records are between these offsets */
	struct err end;              /* in pipe mode: why the records end before the file does; code 0: they do not */
};

/* Called while perf_file_init() walks a pipe-mode file: the bytes from `from` to `upto` are not needed for now. */
struct perf_file_walk {
	void (*passed)(void *arg, uint64_t from, uint64_t upto);
	void *arg;
};

/*
 * Read header and features. walk may be NULL. bytes stay borrowed until deinit. -EBADMSG, with the offset: not a
 * perf.data file, or one with impossible values; -ENOMEM. Nothing needs deinit after an error.
 */
int perf_file_init(struct perf_file *f, struct bytes bytes, const struct perf_file_walk *walk, struct err *e);
void perf_file_deinit(struct perf_file *f);

/*
 * Next record at *off (start with f->data_off): 1 and *off moved, 0 at the end, -EBADMSG for a cut
 * or impossible record (nothing after it can be trusted). Bytes outside records (tracing data, AUX
 * data) are stepped over. In pipe mode HEADER_ATTR, HEADER_FEATURE, TRACING_DATA, BUILD_ID and
 * EVENT_UPDATE records are returned, although init has already read them. Compressed records are
 * returned as they are.
 */
int perf_file_next(const struct perf_file *f, uint64_t *off, struct perf_record *r, struct err *e);

#endif
