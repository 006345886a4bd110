/* perf_files.h - the files with the records of a perf.data, and which of their pages stay resident. */
#ifndef SOURCE_PERF_FILES_H
#define SOURCE_PERF_FILES_H

#include "base/vec.h"
#include "perf/file.h"
#include "perf/pane.h"
#include "source/found.h"

/* One of these files: the perf.data itself, or one in its directory (perf record --threads: data.0 ...). */
struct perf_part {
	struct pane_file in;      /* the file up to its last record */
	struct pane reading;      /* the next records, if the file is read and not mapped */
	uint64_t off;             /* of the next record */
	uint64_t newest;          /* highest time of the records read so far */
	uint64_t fetched;         /* pages up to this offset were mapped in advance */
	uint64_t forgotten;       /* pages up to this offset were released */
	uint64_t touched;         /* bytes read below `forgotten` since */
	struct unpacker *unpacker;   /* of compressed records; NULL: none was read yet */
	uint64_t packed_at;       /* offset of the compressed record that is being unpacked */
	bool unpacking;
	bool borrowed;            /* the bytes are those of `found` */
	bool ended;
};

struct perf_files {
	const struct sys *sys;
	const struct found *found;     /* borrowed */
	VEC(struct perf_part) v;       /* the perf.data itself first */
	size_t keep, most;             /* bytes of the newest pages that stay resident; `keep` grows up to `most` */
	uint64_t again;                /* bytes before the pages to release that are released once more */
	bool is_small;                 /* a small file: releasing its pages would cost more than it saves */
};

/* f must be zeroed. found stays borrowed; file has the header. 0, -ENOMEM, or why a file cannot be opened. */
int perf_files_open(struct perf_files *f, const struct sys *sys, const struct found *found,
		    const struct perf_file *file, struct err *e);
void perf_files_close(struct perf_files *f);

/* Map the pages that are read next with one call, instead of a page fault for every few of them. */
void perf_files_fetch(const struct perf_files *f, struct perf_part *of);
/* n bytes of records at an offset were read: release pages that are far behind them. */
void perf_files_touch(struct perf_files *f, struct perf_part *of, uint64_t off, size_t n);
void perf_files_forget(const struct perf_files *f);   /* release all pages, headers too */

/* Another thread processes the records that were read, and may lag behind. */
void perf_files_shared(struct perf_files *f);
/* Records of several rings will be read in turns, so more pages must stay. */
void perf_files_in_order(struct perf_files *f);

/* For perf_file_walk.passed; arg: struct perf_files, with sys and found set. */
void perf_files_passed(void *arg, uint64_t from, uint64_t upto);

#endif
