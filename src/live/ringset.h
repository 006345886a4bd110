/*
 * ringset.h - the open per-CPU rings of some ftrace buffers, read as one stream in order of time. Memory is one
 * sub-buffer for each ring.
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

/* Empty if all but sys is zero. Must not move after ringset_stream. */
struct ringset {
	const struct sys *sys;
	struct tstream_ring *rings;    /* rings[rec->ring]: cpu, buffer */
	struct ringset_file *files;    /* one for each ring */
	size_t n;
	struct tstream *stream;        /* set by ringset_stream */
};

/* Add the rings of a buffer; its records will have `number` as their `buffer`. */
int ringset_add(struct ringset *s, const struct tfs *t, uint32_t number, struct err *e);

int ringset_stream(struct ringset *s, struct err *e);

/* A tstream_page_fn: read the next page of ring i, valid until the next call for that ring. 1; 0: no data; -errno. */
int ringset_page(void *set, uint32_t i, const uint8_t **page, size_t *n, struct err *e);

void ringset_close(struct ringset *s);

#endif
