/*
 * recfile.h - the perf.data file of a recording: its header, and at the end the features: facts about the machine,
 * build-ids of all mapped files, formats of the tracepoints.
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
	struct perf_write_id id;          /* trailer of synthesised records */
	uint64_t data_off;
	char *blob;                       /* tracing data, malloc'ed */
	size_t n_blob;
	struct source *also;              /* source over the rings (tee.h): it gets synthesised records, too; or NULL */
	bool through;                     /* the reader of that source writes them to the file */
	struct sidelog *log;              /* synthesised records go there, not into the file; NULL: into the file */
	bool no_build_ids;                /* do not read build-ids of the mapped files at the end */
	bool no_symbols;                  /* do not add the names of sampled functions (FILE2) */
	struct err unnamed;               /* why these could not be added; code 0: no error */
};

/* Write the header (file) or the declarations (pipe). The recording is open; its ids are known. */
int recfile_begin(struct recfile *f, struct recording *r, struct sink *s, const char *tracefs, struct err *e);

/*
 * The same without a file: synthesised records go only to the reader of the rings (tee.h). Do not call recfile_end().
 */
int recfile_begin_unwritten(struct recfile *f, struct recording *r, const char *tracefs, struct err *e);

/* Write LOST records for losses that the kernel had no room to report. Once, when the rings are empty. */
void recfile_tell_lost(struct recfile *f);

/* After the last record: write features, build-ids, and the sizes in the header. Works on a full disk: the newest
 * records are given up for it, counted in the sink. */
int recfile_end(struct recfile *f, int argc, char **argv, struct err *e);

void recfile_deinit(struct recfile *f);

#endif
