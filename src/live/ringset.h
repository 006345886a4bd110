/*
 * ringset.h - the open per-CPU rings of several tracefs buffers as one stream in time order. Memory use is one
 * sub-buffer per CPU.
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

/* Empty when zeroed except for sys. It must not move once it has a stream. */
struct ringset {
	const struct sys *sys;
	struct tstream_ring *rings;    /* rings[rec->ring]: cpu, buffer */
	struct ringset_file *files;    /* one for each ring */
	size_t n;
	struct tstream *stream;        /* set by ringset_stream */
};

/* Adds the rings of a buffer; number: the `buffer` value of its records. */
int ringset_add(struct ringset *s, const struct tfs *t, uint32_t number, struct err *e);

int ringset_stream(struct ringset *s, struct err *e);

/* The next page of ring i, valid until the next call for it. 1; 0: none now; or -errno. A tstream_page_fn. */
int ringset_page(void *set, uint32_t i, const uint8_t **page, size_t *n, struct err *e);

void ringset_close(struct ringset *s);

#endif
