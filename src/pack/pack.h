/*
 * pack.h - compressed data: zlib/gzip/raw deflate and zstd unpacked, zstd packed. Bytes in, bytes out; nothing here
 * trusts its input, and nothing is written beyond the output.
 *
 * Specifications: RFC 1950, 1951, 1952; RFC 8878.
 */
#ifndef PACK_PACK_H
#define PACK_PACK_H

#include "base/err.h"

/*
 * Unpack src into dst of `cap` bytes; *n is what it made, also when it fails: a stream that was never ended gives all
 * it has. -EBADMSG with the offset in src, -ENOSPC when dst is too small (dst then holds its first bytes), -ENOMEM.
 * Several zstd frames or gzip members one after the other are one stream; skippable frames are skipped; dictionaries
 * are refused (-EOPNOTSUPP). The sums of zlib and gzip are verified, that of zstd is not. What follows deflate data is
 * not looked at; what follows a zstd frame must be another one.
 */
int inflate_zlib(void *dst, size_t cap, const void *src, size_t len, size_t *n, struct err *e);
int inflate_gzip(void *dst, size_t cap, const void *src, size_t len, size_t *n, struct err *e);
int inflate_raw(void *dst, size_t cap, const void *src, size_t len, size_t *n, struct err *e);
int zstd_unpack(void *dst, size_t cap, const void *src, size_t len, size_t *n, struct err *e);

/* Pack into one zstd frame. State is reused between calls: about 100 KB. */
struct zstd_packer;
struct zstd_packer *zstd_packer_new(void);   /* NULL: no memory */
void zstd_packer_free(struct zstd_packer *p);

/* Most bytes that `len` bytes may become. */
size_t zstd_pack_bound(size_t len);

/* Returns the length of the frame written to dst (zstd_pack_bound(len) bytes long). */
size_t zstd_pack(struct zstd_packer *p, void *dst, const void *src, size_t len);

#endif
