/*
 * tee.h - a source that reads a recording while it is made: records from its rings, and synthesized ones, go both into
 * its file and to the reader of the source.
 */
#ifndef RECORD_TEE_H
#define RECORD_TEE_H

#include "record/recfile.h"
#include "source/source.h"

/*
 * To be called after recfile_begin(); nobody else may drain the rings from now on. The recording and the file must
 * outlive the source; its wait() must call recfile_tell_lost() at the end. 0, -ENOMEM.
 */
int tee_open(struct source **to, struct recfile *f, struct err *e);

/*
 * The same for a caller that writes the file itself from what it pulls: each sweep of the rings is passed to `tap`, and
 * synthesized records come only through the source.
 */
int tee_open_through(struct source **to, struct recfile *f, int (*tap)(void *arg, struct bytes sweep, struct err *e),
		     struct err *e);

#endif
