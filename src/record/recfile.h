/*
 * recfile.h - a perf.data file around a recording: its beginning, and at the end what readers need beside the records:
 * facts about the machine, build ids of all that was mapped, formats of the tracepoints.
 */
#ifndef RECORD_RECFILE_H
#define RECORD_RECFILE_H

#include "record/recording.h"
#include "perf/feature.h"

struct recfile {
	const struct sys *sys;
	struct sink *sink;                /* NULL: nothing is written */
	struct recording *rec;
	struct out out;                   /* to the sink */
	char buf[32768];
	struct perf_write_event *events;  /* one per event of the recording */
	uint64_t *ids;                    /* their ids, one array */
	struct perf_write_id id;          /* trailer of made-up records */
	uint64_t data_off;
	char *blob;                       /* tracing data, malloc'ed */
	size_t n_blob;
	struct source *also;              /* reads the rings: it is given what is made up, too. NULL: nobody does */
	bool through;                     /* that one writes it, in its turn */
	struct sidelog *log;              /* what is made up goes there instead of into the file. NULL: into the file */
	bool no_build_ids;                /* of the mapped files: they need not be read at the end */
	bool no_symbols;                  /* what was hit need not be named in it */
	struct err unnamed;               /* why it is not though it should be; code 0: nothing was in the way */
};

/* Write the header (file) or the declarations (pipe). The recording is open; its ids are known. */
int recfile_begin(struct recfile *f, struct recording *r, struct sink *s, const char *tracefs, struct err *e);

/*
 * The same without a file: nothing is written, and what is made up goes to who pulls from the rings (tee.h) alone.
 * recfile_end is not for it.
 */
int recfile_begin_unwritten(struct recfile *f, struct recording *r, const char *tracefs, struct err *e);

/* LOST records for what the kernel has counted but had no room to tell. When the rings are empty; once is enough. */
void recfile_tell_lost(struct recfile *f);

/* Behind the last record: features, build ids, the sizes in the header. Works on a full disk: old records make room,
 * counted in the sink. */
int recfile_end(struct recfile *f, int argc, char **argv, struct err *e);

void recfile_deinit(struct recfile *f);

#endif
