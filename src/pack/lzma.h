/*
 * lzma.h - LZMA2: chunks of literals and matches, each coded bit by bit with probabilities that adapt. Internal to
 * src/pack; see xz.c for what is around it.
 */
#ifndef PACK_LZMA_H
#define PACK_LZMA_H

#include "pack/pack_bytes.h"

/*
 * Unpack chunks up to their end mark from c to dst of `cap` bytes; *n is what was made, also when it fails. What was
 * made is the window. 0, -EBADMSG (c stands where it was found), -ENOSPC: dst is full, -ENOMEM.
 */
int lzma2_unpack(struct cursor *c, uint8_t *dst, size_t cap, size_t *n);

#endif
