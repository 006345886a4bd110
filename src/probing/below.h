/* below.h - programs of another machine whose files are in a folder here (subject_want.symfs). */
#ifndef PROBING_BELOW_H
#define PROBING_BELOW_H

#include "probing/subject.h"

/*
 * Find the wanted program in that folder. From then on the subject opens files there, and links are followed within the
 * folder. -ENOENT: there is no such program.
 */
int below_find(struct subject *s, char path[PATH_MAX], struct err *e);

#endif
