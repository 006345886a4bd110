/* below.h - programs of another machine, whose files are below a folder here (subject_want.symfs). */
#ifndef PROBING_BELOW_H
#define PROBING_BELOW_H

#include "probing/subject.h"

/*
 * The path of the wanted program there; from here on the subject's files are those, and links
 * lead to places there. -ENOENT: there is none.
 */
int below_find(struct subject *s, char path[PATH_MAX], struct err *e);

#endif
