/*
 * symbols.h - the functions that a recording has hit, collected from the finished file on the machine where it was
 * made: what names it on any other (sym/file2.h has the layout).
 */
#ifndef RECORD_SYMBOLS_H
#define RECORD_SYMBOLS_H

#include "record/dsos.h"

/* False: this sonde cannot, it has no reader of recordings. */
bool symbols_can(void);

/*
 * The section's body, malloc'ed; *n 0: nothing has a name. dsos: which of the files are still those that were mapped.
 * 0, perhaps with a note in e->text; -ECANCELED: the user does not want to wait; or another -errno.
 */
int symbols_collect(char **body, size_t *n, const struct sys *sys, const char *path, const struct dsos *dsos,
		    struct err *e);

#endif
