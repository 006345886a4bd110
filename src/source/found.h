/*
 * found.h - a recording's bytes: of the file that was named, of the one that is there when none was, or of a pipe.
 */
#ifndef SOURCE_FOUND_H
#define SOURCE_FOUND_H

#include "perf/record.h"
#include "sys/sys.h"

struct found {
	const char *path;
	const char *dir;      /* folder of the recording; NULL: it is one file */
	struct bytes bytes;
	int fd;               /* of the file that they are mapped from; -1: none */
	bool owned;           /* malloc'ed, of a pipe: there is no file behind the bytes */
};

/* path as in struct session_want; borrowed. -EISDIR, -ENOENT ... with the path in e. After an error nothing is held. */
int found_open(struct found *f, const struct sys *sys, const char *path, struct err *e);
/* Is it standard input that is meant? And all of that, of which this was read before: malloc'ed, taken over. */
bool found_is_pipe(const struct sys *sys, const char *path);
int found_rest(struct found *f, const struct sys *sys, struct bytes first, struct err *e);
void found_close(struct found *f, const struct sys *sys);

#endif
