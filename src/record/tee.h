/*
 * tee.h - a recording that is read while it is made: what is swept from its rings, and what is made up, goes into its
 * file and to who pulls.
 */
#ifndef RECORD_TEE_H
#define RECORD_TEE_H

#include "record/recfile.h"
#include "source/source.h"

/*
 * After recfile_begin; from now on nobody else drains the rings. The recording and the file outlive the source; who
 * waits for it ends with recfile_tell_lost. 0, -ENOMEM.
 */
int tee_open(struct source **to, struct recfile *f, struct err *e);

/*
 * The same for one who writes the file from what he pulls: each sweep is only shown to `tap`, and what is made up comes
 * through the source alone.
 */
int tee_open_through(struct source **to, struct recfile *f, int (*tap)(void *arg, struct bytes sweep, struct err *e),
		     struct err *e);

#endif
