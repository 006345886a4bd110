/*
 * found.h - find a recording and bring its bytes into memory: a named file, the default one, or a pipe.
 */
#ifndef SOURCE_FOUND_H
#define SOURCE_FOUND_H

#include "perf/record.h"
#include "sys/sys.h"

struct found {
	const char *path;
	const char *dir;      /* directory of the recording (perf record --threads); NULL: it is a single file */
	struct bytes bytes;
	int fd;               /* of the file that bytes are mapped from; -1: none */
	bool owned;           /* bytes are malloc'ed, read from a pipe, and not mapped from a file */
};

/* path is borrowed, see struct session_want. -EISDIR, -ENOENT ... with the path in e; then nothing needs closing. */
int found_open(struct found *f, const struct sys *sys, const char *path, struct err *e);
/* Does path mean standard input, a pipe? found_rest() reads it to its end; `first`, already read, is taken over. */
bool found_is_pipe(const struct sys *sys, const char *path);
int found_rest(struct found *f, const struct sys *sys, struct bytes first, struct err *e);
void found_close(struct found *f, const struct sys *sys);

#endif
