/*
 * tee.h - read a recording while it is made: records swept from its rings, and synthesised ones, go both into its file
 * and to the reader of a source.
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
 * The same for a reader that writes the file itself: sweeps are only passed to `tap`, and synthesised records only come
 * through the source.
 */
int tee_open_through(struct source **to, struct recfile *f, int (*tap)(void *arg, struct bytes sweep, struct err *e),
		     struct err *e);

#endif
