/*
 * rewrite.h - write a recording anew from a session: header, records, features. Into a file, or in pipe mode.
 */
#ifndef RECORD_REWRITE_H
#define RECORD_REWRITE_H

#include "base/map.h"
#include "perf/feature.h"
#include "record/sink.h"
#include "source/session.h"

struct rewrite {
	struct session *session;
	struct sink *sink;
	/* Change an attr; keep a feature? NULL: no change. Features about the form of the file are always made anew. */
	void (*change)(struct perf_attr *attr);
	bool (*keeps)(unsigned feature);
	struct perf_write_event *events;     /* of the head */
	uint64_t *ids;
	struct names id_names;               /* names of the files in build_ids */
	VEC(struct perf_build_id) build_ids;
	uint64_t records;
	struct out out;
	char buf[32768];
	struct err *err;
};

/*
 * Write the header. Set session, sink and the callbacks before, and zero all else. The head's build-ids are kept. 0 or
 * -errno.
 */
int rewrite_begin(struct rewrite *w, struct err *e);

/* Add the build-id of a file; the name is copied. 1: added, 0: the file has one already, -ENOMEM. */
int rewrite_build_id(struct rewrite *w, const struct perf_build_id *id);

/* Is it a record that rewrite makes itself (header records, rounds ...), and that is not to be copied? */
bool rewrite_makes(const struct perf_record *r);

/* Copy a record, with the data behind it if it is an AUXTRACE record. */
void rewrite_record(struct rewrite *w, const struct perf_record *r);

/* To be called after each record that the caller writes itself: writes a FINISHED_ROUND now and then. */
void rewrite_count(struct rewrite *w);

int rewrite_end(struct rewrite *w, struct err *e);
void rewrite_deinit(struct rewrite *w);

#endif
