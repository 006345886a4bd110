/* built.h - the files of a recording, their build ids, and which of them samples hit. */
#ifndef RECORD_BUILT_H
#define RECORD_BUILT_H

#include "obj/elf/build_id.h"
#include "source/session.h"

struct built_file {
	const char *name;
	struct build_id id;        /* size 0: the recording does not have it */
	bool hit, kernel;
};

/* In the order in which they were found. A zeroed one is empty. */
struct built {
	struct names names;        /* their ids are indices of v */
	VEC(struct built_file) v;
};

/* TOLD: build ids only. HITS: also note files with sampled addresses, as perf does. CHAINS: also those with callers. */
enum built_what { BUILT_TOLD, BUILT_HITS, BUILT_CHAINS };

/* Add the build ids of the file's head; its records may have more. 0 or -ENOMEM. */
int built_head(struct built *b, const struct perf_head *h);

/* Add the build ids of all records; this reads the session to its end. 0 or -errno. */
int built_records(struct built *b, struct session *s, enum built_what what, struct err *e);

void built_deinit(struct built *b);

#endif
