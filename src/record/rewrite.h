/*
 * rewrite.h - a recording written anew from a session: its head, the records that are given, its features. Into a file,
 * or through a pipe in that form.
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
	/* What is changed; NULL: nothing. Features: is it written? Those of form are made anew in any case. */
	void (*change)(struct perf_attr *attr);
	bool (*keeps)(unsigned feature);
	struct perf_write_event *events;     /* those of the head */
	uint64_t *ids;
	struct names id_names;               /* files whose build ids are told */
	VEC(struct perf_build_id) build_ids;
	uint64_t records;
	struct out out;
	char buf[32768];
	struct err *err;
};

/*
 * Session, sink and what is changed are set, all else is zeroed; the head is written. The build ids that it tells are
 * told again. 0 or -errno.
 */
int rewrite_begin(struct rewrite *w, struct err *e);

/* Of a file that has none yet; its name is copied. 1: it is told, 0: it was before, -ENOMEM. */
int rewrite_build_id(struct rewrite *w, const struct perf_build_id *id);

/* Is it made anew with the head, or of form only? */
bool rewrite_makes(const struct perf_record *r);

/* As it is; what an AUXTRACE record announces goes with it. */
void rewrite_record(struct rewrite *w, const struct perf_record *r);

/* Between two records a round ends now and then. For those who write records themselves. */
void rewrite_count(struct rewrite *w);

int rewrite_end(struct rewrite *w, struct err *e);
void rewrite_deinit(struct rewrite *w);

#endif
