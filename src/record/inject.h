/*
 * inject.h - copy a recording and add what its recorder did not write: build ids of files, and JIT code as ELF files.
 */
#ifndef RECORD_INJECT_H
#define RECORD_INJECT_H

#include "record/sink.h"
#include "source/session.h"

/* Add build ids to the table, for files with samples (HITS) or all mapped ones (ALL); or to the MMAP2 records. */
enum inject_ids { INJECT_NO_IDS, INJECT_HITS, INJECT_ALL, INJECT_IN_MAPS };

struct inject_want {
	enum inject_ids ids;
	const char *known;       /* "ID PATH", separated by commas or newlines: instead of the files' own; or NULL */
	bool jit;
};

struct inject_stats {
	uint64_t records;
	uint64_t build_ids;      /* added */
	uint64_t unknown;        /* files that have no build id, or are gone */
	uint64_t dumps, functions;   /* of JIT code: jit-PID.dump files read, ELF files made of them */
	uint64_t bad_dumps;      /* unreadable or truncated */
};

/* Reads the session to its end. 0 or -errno. */
int inject_write(struct session *s, struct sink *to, const struct inject_want *w, struct inject_stats *stats,
		 struct err *e);

#endif
