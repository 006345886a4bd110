/* built.h - the files of a recording, which builds of them they are, and which were hit. */
#ifndef RECORD_BUILT_H
#define RECORD_BUILT_H

#include "obj/elf/build_id.h"
#include "source/session.h"

struct built_file {
	const char *name;
	struct build_id id;        /* size 0: not told */
	bool hit, kernel;
};

/* In the order in which they were met. Zeroed: there are none. */
struct built {
	struct names names;        /* their ids are indices of v */
	VEC(struct built_file) v;
};

/* HITS: which of them samples are in, as perf asks: the places themselves. CHAINS: their callers' files, too. */
enum built_what { BUILT_TOLD, BUILT_HITS, BUILT_CHAINS };

/* Those of the head; more may come with the records. 0 or -ENOMEM. */
int built_head(struct built *b, const struct perf_head *h);

/* The session's records are used up. 0 or -errno. */
int built_records(struct built *b, struct session *s, enum built_what what, struct err *e);

void built_deinit(struct built *b);

#endif
