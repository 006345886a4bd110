/*
 * ringset.h - the rings of some buffers of the tracing file system, open, as one stream in order of time. Memory is one
 * sub-buffer for each CPU.
 */
#ifndef LIVE_RINGSET_H
#define LIVE_RINGSET_H

#include "tracefs/ring/stream.h"
#include "tracing/tfs.h"

struct ringset_file {
	int fd;
	uint32_t size;                 /* of a sub-buffer */
	uint8_t *page;
};

/* Zeroed but for sys: empty. It must not move once it has a stream. */
struct ringset {
	const struct sys *sys;
	struct tstream_ring *rings;    /* rings[rec->ring]: cpu, buffer */
	struct ringset_file *files;    /* one for each of them */
	size_t n;
	struct tstream *stream;        /* once ringset_stream was called */
};

/* The rings of one buffer more; number: what records of it have as `buffer`. */
int ringset_add(struct ringset *s, const struct tfs *t, uint32_t number, struct err *e);

int ringset_stream(struct ringset *s, struct err *e);

/* The next page of ring i, valid until the one after it: 1, or 0: there is none now, or -errno. A tstream_page_fn. */
int ringset_page(void *set, uint32_t i, const uint8_t **page, size_t *n, struct err *e);

void ringset_close(struct ringset *s);

#endif
