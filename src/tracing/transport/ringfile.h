/*
 * ringfile.h - a temporary file for the pages of one ring, beside the recording it will become part of: TRACE.cpuN, for
 * an instance TRACE.INSTANCE.cpuN, the names of trace-cmd's recorder.
 *
 * It holds whole sub-buffers. With a size limit it is itself a ring: its oldest page is at `start`.
 */
#ifndef TRACING_TRANSPORT_RINGFILE_H
#define TRACING_TRANSPORT_RINGFILE_H

#include "base/err.h"
#include "sys/sys.h"

struct ringfile {
	uint32_t buffer, cpu;   /* buffer: number chosen by the owner */
	int fd;                 /* -1: none */
	char *path;             /* to be removed; NULL: keep the file */
	uint64_t start, size;   /* bytes */
	uint64_t at, packed;    /* offset and size in the recording, set by datfile_write */
};

/* Create the file for f->buffer and f->cpu; instance "" for the main buffer. */
int ringfile_make(struct ringfile *f, const struct sys *s, const char *of, const char *instance, struct err *e);

/* Create another temporary file beside the recording. */
int ringfile_make_at(struct ringfile *f, const struct sys *s, const char *path, struct err *e);

/* Open an existing one: its size is rounded down to whole sub-buffers. flags: O_RDONLY or O_RDWR. */
int ringfile_open(struct ringfile *f, const struct sys *s, const char *path, int flags, uint32_t subbuf,
		  struct err *e);

/* Close it, and remove it if ringfile_make* made it. */
void ringfile_drop(struct ringfile *f, const struct sys *s);

/* Keep the file at ringfile_drop. */
void ringfile_keep(struct ringfile *f);

#endif
