/*
 * inject.h - add to a recording what its recorder did not write: build-ids of its files, and ELF files with JIT code.
 */
#ifndef RECORD_INJECT_H
#define RECORD_INJECT_H

#include "record/sink.h"
#include "source/session.h"

/* Which build-ids to add: of files with samples, of all mapped files, or in the MMAP2 records themselves. */
enum inject_ids { INJECT_NO_IDS, INJECT_HITS, INJECT_ALL, INJECT_IN_MAPS };

struct inject_want {
	enum inject_ids ids;
	const char *known;       /* "ID PATH", separated by commas or newlines: used instead of the files'; or NULL */
	bool jit;
};

struct inject_stats {
	uint64_t records;
	uint64_t build_ids;      /* added */
	uint64_t unknown;        /* files without one, or that are gone */
	uint64_t dumps, functions;   /* JIT code: jit-PID.dump files read, ELF files written */
	uint64_t bad_dumps;      /* dumps that are unreadable or truncated */
};

/* Reads all of the session. 0 or -errno. */
int inject_write(struct session *s, struct sink *to, const struct inject_want *w, struct inject_stats *stats,
		 struct err *e);

#endif
