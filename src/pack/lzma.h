/*
 * lzma.h - LZMA2: chunks of literals and matches, which are coded bit by bit with adaptive probabilities. Internal to
 * src/pack; xz.c reads the container.
 */
#ifndef PACK_LZMA_H
#define PACK_LZMA_H

#include "pack/pack_bytes.h"

/*
 * Unpack chunks up to their end mark from c to dst of `cap` bytes; *n is the number of bytes written, also on error.
 * The output is the window. 0, -EBADMSG (c is at the error), -ENOSPC: dst is full, -ENOMEM.
 */
int lzma2_unpack(struct cursor *c, uint8_t *dst, size_t cap, size_t *n);

#endif
