/*
 * inject.h - a recording with what its recorder did not put in: build ids of its files, code made at run time as
 * files of its own.
 */
#ifndef RECORD_INJECT_H
#define RECORD_INJECT_H

#include "record/sink.h"
#include "source/session.h"

/* Which files get their build ids: those that samples are in, or all that are mapped; or their mappings do. */
enum inject_ids { INJECT_NO_IDS, INJECT_HITS, INJECT_ALL, INJECT_IN_MAPS };

struct inject_want {
	enum inject_ids ids;
	const char *known;       /* "ID PATH", commas or newlines between: instead of what the files say; or NULL */
	bool jit;
};

struct inject_stats {
	uint64_t records;
	uint64_t build_ids;      /* put in */
	uint64_t unknown;        /* files that have none, or are gone */
	uint64_t dumps, functions;   /* of made code: jit-PID.dump, files made of them */
	uint64_t bad_dumps;      /* that could not be read, or break off */
};

/* The session's source is used up. 0 or -errno. */
int inject_write(struct session *s, struct sink *to, const struct inject_want *w, struct inject_stats *stats,
		 struct err *e);

#endif
