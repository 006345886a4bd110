/*
 * recfile.h - the perf.data file of a recording: its header, and at the end the feature sections that readers need:
 * facts about the machine, build ids of mapped files, formats of the tracepoints.
 */
#ifndef RECORD_RECFILE_H
#define RECORD_RECFILE_H

#include "record/recording.h"
#include "perf/feature.h"

struct recfile {
	const struct sys *sys;
	struct sink *sink;                /* NULL: no file is written */
	struct recording *rec;
	struct out out;                   /* to the sink */
	char buf[32768];
	struct perf_write_event *events;  /* one per event of the recording */
	uint64_t *ids;                    /* their ids, one array */
	struct perf_write_id id;          /* sample_id trailer of synthesized records */
	uint64_t data_off;
	char *blob;                       /* tracing data, malloc'ed */
	size_t n_blob;
	struct source *also;              /* source over the rings (tee.h), gets synthesized records, too; or NULL */
	bool through;                     /* synthesized records go to `also` only, whose reader writes the file */
	struct sidelog *log;              /* synthesized records go there instead; NULL: into the file */
	bool no_build_ids;                /* do not read the build ids of mapped files at the end */
	bool no_symbols;                  /* do not write the symbols of sampled functions (symbols.h) */
	struct err unnamed;               /* why the symbols could not be written; code 0: no error */
};

/* Write the header (file) or the declarations (pipe). The recording is open; its ids are known. */
int recfile_begin(struct recfile *f, struct recording *r, struct sink *s, const char *tracefs, struct err *e);

/*
 * The same without a file: nothing is written, and synthesized records go only to the source over the rings (tee.h). Do
 * not call recfile_end for it.
 */
int recfile_begin_unwritten(struct recfile *f, struct recording *r, const char *tracefs, struct err *e);

/* Write a LOST record for losses that the kernel counted but had no room to report. To be called with empty rings. */
void recfile_tell_lost(struct recfile *f);

/* Complete the file: features, build ids, the sizes in the header. On a full disk the newest records are dropped to
 * make room, and counted in the sink. */
int recfile_end(struct recfile *f, int argc, char **argv, struct err *e);

void recfile_deinit(struct recfile *f);

#endif
