/*
 * symbols.h - collect the names of all sampled functions from the finished file on the recording machine, for the
 * section FILE2 (layout: sym/file2.h): so the recording can be reported on any other machine.
 */
#ifndef RECORD_SYMBOLS_H
#define RECORD_SYMBOLS_H

#include "record/dsos.h"

/* False: this build (make board) has no reader of recordings, and so cannot collect symbols. */
bool symbols_can(void);

/*
 * The section's body, malloc'ed; *n 0: no names. dsos: to check that files are still those that were mapped. 0, perhaps
 * with a note in e->text; -ECANCELED: interrupted by the user; or another -errno.
 */
int symbols_collect(char **body, size_t *n, const struct sys *sys, const char *path, const struct dsos *dsos,
		    struct err *e);

#endif
