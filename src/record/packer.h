/*
 * packer.h - compresses records on their way into a recording, as perf record -z: COMPRESSED records, each with a zstd
 * frame. A frame may end within a record; readers join the contents of the frames.
 */
#ifndef RECORD_PACKER_H
#define RECORD_PACKER_H

#include "record/sink.h"

struct packer;

struct packer *packer_new(void);   /* NULL: no memory */
void packer_free(struct packer *p);

/* As sink_write(), for any length. */
int packer_write(struct packer *p, struct sink *s, const struct bytes *pieces, size_t n, struct err *e);

/* Number of bytes before and after compression. */
uint64_t packer_given(const struct packer *p);
uint64_t packer_made(const struct packer *p);

#endif
