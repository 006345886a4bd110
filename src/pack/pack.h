/*
 * pack.h - compressed data: zlib/gzip/raw deflate, zstd and xz unpacked, zlib and zstd packed. Bytes in, bytes out;
 * nothing here trusts its input, and nothing is written beyond the output.
 *
 * Specifications: RFC 1950, 1951, 1952; RFC 8878; The .xz File Format 1.2.1.
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

/*
 * The same of xz: all streams of it, LZMA2 without other filters (-EOPNOTSUPP). CRC-32 and CRC-64 are verified, SHA-256
 * is not.
 */
int xz_unpack(void *dst, size_t cap, const void *src, size_t len, size_t *n, struct err *e);

/* How large its indices say that it becomes. 0 or -EBADMSG. */
int xz_size(const void *src, size_t len, uint64_t *size, struct err *e);

/*
 * zstd that comes in pieces, cut anywhere: give one, take until there is nothing more of it. Memory is what a frame
 * needs of its window, at most 1/8 above 128 MiB; frames that ask for more are refused, skippable ones, too.
 */
struct zstd_stream;
struct zstd_stream *zstd_stream_new(void);   /* NULL: no memory */
void zstd_stream_free(struct zstd_stream *s);

/* Borrowed until it is taken. */
void zstd_stream_give(struct zstd_stream *s, const void *p, size_t n);

/* 1: the next bytes, at most 128 KiB, borrowed until the next call; 0: give more; or as zstd_unpack(). */
int zstd_stream_take(struct zstd_stream *s, const uint8_t **p, size_t *n, struct err *e);

/* False in a build that packs nothing: what follows is not to be called then. */
bool pack_can(void);

/* Pack into one zstd frame. State is reused between calls: about 100 KB. */
struct zstd_packer;
struct zstd_packer *zstd_packer_new(void);   /* NULL: no memory */
void zstd_packer_free(struct zstd_packer *p);

/* Most bytes that `len` bytes may become. */
size_t zstd_pack_bound(size_t len);

/* Returns the length of the frame written to dst (zstd_pack_bound(len) bytes long). */
size_t zstd_pack(struct zstd_packer *p, void *dst, const void *src, size_t len);

/* The same as one zlib stream: about 260 KB of state. */
struct zlib_packer;
struct zlib_packer *zlib_packer_new(void);   /* NULL: no memory */
void zlib_packer_free(struct zlib_packer *p);
size_t zlib_pack_bound(size_t len);
size_t zlib_pack(struct zlib_packer *p, void *dst, const void *src, size_t len);

/*
 * The same, as it comes: head, parts, end with the sum of all bytes (that of none is 1). A part is whole bytes long,
 * and no longer than zlib_pack_bound(len). A fixed part is not packed: its bytes lie from ZLIB_FIXED_AT on, n <= 65535,
 * and may be changed until the sum is written; dst has 16 bytes more.
 */
enum { ZLIB_FIXED_AT = 5 };
size_t zlib_pack_head(void *dst);
size_t zlib_pack_part(struct zlib_packer *p, void *dst, const void *src, size_t len);
size_t zlib_pack_fixed(void *dst, const void *bytes, size_t n);
size_t zlib_pack_end(void *dst, uint32_t sum);
uint32_t zlib_sum(uint32_t sum, const void *bytes, size_t n);

/* As gzip: the same parts between another head and end, which has the sum (0: of none) and number of all bytes. */
enum { GZIP_HEAD = 10, GZIP_END = 10 };
size_t gzip_pack_head(void *dst);
size_t gzip_pack_end(void *dst, uint32_t sum, uint64_t n);
uint32_t gzip_sum(uint32_t sum, const void *bytes, size_t n);

/* The sum of bytes with the sum `first` and n more with the sum `second`. */
uint32_t zlib_sums(uint32_t first, uint32_t second, uint64_t n);

#endif
