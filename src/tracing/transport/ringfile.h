/*
 * ringfile.h - a file of its own for the pages of one ring, beside the recording it will be part of: TRACE.cpuN, for an
 * instance TRACE.INSTANCE.cpuN, the names that trace-cmd's recorder uses.
 *
 * It holds whole sub-buffers. With a limit of its size it is a ring itself: its oldest page is at `start`.
 */
#ifndef TRACING_TRANSPORT_RINGFILE_H
#define TRACING_TRANSPORT_RINGFILE_H

#include "base/err.h"
#include "sys/sys.h"

struct ringfile {
	uint32_t buffer, cpu;   /* buffer: as the owner numbers them */
	int fd;                 /* -1: none */
	char *path;             /* NULL: no file to be removed */
	uint64_t start, size;   /* bytes */
	uint64_t at, packed;    /* in the recording, after datfile_ring: offset and bytes there */
};

/* For buffer and cpu as set; instance "" for the main one. */
int ringfile_make(struct ringfile *f, const struct sys *s, const char *of, const char *instance, struct err *e);

/* Another file beside the recording. */
int ringfile_make_at(struct ringfile *f, const struct sys *s, const char *path, struct err *e);

/* One that is there: size as it is, cut to whole sub-buffers. flags: O_RDONLY, or O_RDWR. */
int ringfile_open(struct ringfile *f, const struct sys *s, const char *path, int flags, uint32_t subbuf,
		  struct err *e);

/* Close, and remove what was made. */
void ringfile_drop(struct ringfile *f, const struct sys *s);

/* It stays when it is dropped. */
void ringfile_keep(struct ringfile *f);

#endif
