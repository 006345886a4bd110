/* perf_files.h - the files that the records of a perf.data are in, and how much of them is mapped. */
#ifndef SOURCE_PERF_FILES_H
#define SOURCE_PERF_FILES_H

#include "base/vec.h"
#include "perf/file.h"
#include "perf/pane.h"
#include "source/found.h"

/* One of the files that the records are in: its own, or those of its directory (perf record --threads: data.0 ...). */
struct perf_part {
	struct pane_file in;      /* up to the last record */
	struct pane reading;      /* of the next ones, if it is read */
	uint64_t off;             /* of the next one */
	uint64_t newest;          /* time of those that were read */
	uint64_t fetched;         /* its pages up to here were asked for */
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
	size_t keep, most;             /* bytes of the newest pages that stay; it grows up to that */
	uint64_t again;                /* bytes before those that go that are let go once more */
	bool is_small;                 /* one file, that stays mapped as it is: to let it go costs more than it takes */
};

/* f is all zero. found: stays borrowed, with its directory; file: its header read. 0, -ENOMEM, or why one cannot be. */
int perf_files_open(struct perf_files *f, const struct sys *sys, const struct found *found,
		    const struct perf_file *file, struct err *e);
void perf_files_close(struct perf_files *f);

/* What is gone through next is mapped at once, and not by a fault for every few pages. */
void perf_files_fetch(const struct perf_files *f, struct perf_part *of);
/* n bytes of records at an offset were read: pages far behind them go. */
void perf_files_touch(struct perf_files *f, struct perf_part *of, uint64_t off, size_t n);
void perf_files_forget(const struct perf_files *f);   /* all of them, headers too */

/* Another thread looks at what was read, and may be behind. */
void perf_files_shared(struct perf_files *f);
/* Records of several rings are looked at in turns. */
void perf_files_in_order(struct perf_files *f);

/* perf_file_walk.passed; arg: struct perf_files, whose sys and found are set. */
void perf_files_passed(void *arg, uint64_t from, uint64_t upto);

#endif
