/*
 * pack.h - compression: unpack zlib/gzip/raw deflate, zstd and xz; pack zlib, gzip and zstd. Bytes in, bytes out; the
 * input is not trusted, and nothing is written beyond the output.
 *
 * Specifications: RFC 1950, 1951, 1952; RFC 8878; The .xz File Format 1.2.1.
 */
#ifndef PACK_PACK_H
#define PACK_PACK_H

#include "base/err.h"

/*
 * Unpack src into dst of `cap` bytes; *n is the number of bytes written, also on error: a truncated stream gives all
 * that it has. -EBADMSG with the offset in src; -ENOSPC if dst is too small (it then has the first bytes); -ENOMEM.
 * Several zstd frames or gzip members one after the other are one stream; skippable frames are skipped; dictionaries
 * are refused (-EOPNOTSUPP). Checksums of zlib and gzip are verified, that of zstd is not. Bytes behind deflate data
 * are ignored; behind a zstd frame there may only be another frame.
 */
int inflate_zlib(void *dst, size_t cap, const void *src, size_t len, size_t *n, struct err *e);
int inflate_gzip(void *dst, size_t cap, const void *src, size_t len, size_t *n, struct err *e);
int inflate_raw(void *dst, size_t cap, const void *src, size_t len, size_t *n, struct err *e);
int zstd_unpack(void *dst, size_t cap, const void *src, size_t len, size_t *n, struct err *e);

/*
 * The same for xz: all of its streams; LZMA2 only, other filters are refused (-EOPNOTSUPP). CRC-32 and CRC-64 are
 * verified, SHA-256 is not.
 */
int xz_unpack(void *dst, size_t cap, const void *src, size_t len, size_t *n, struct err *e);

/* The unpacked size, according to the indexes of its streams. 0 or -EBADMSG. */
int xz_size(const void *src, size_t len, uint64_t *size, struct err *e);

/*
 * Unpack zstd that comes in arbitrary pieces: give a piece, then take until it returns 0. Memory is that of the frame's
 * window, at most 1/8 more than 128 MiB; frames with a larger window are refused, and so are skippable frames.
 */
struct zstd_stream;
struct zstd_stream *zstd_stream_new(void);   /* NULL: no memory */
void zstd_stream_free(struct zstd_stream *s);

/* The piece is borrowed until zstd_stream_take() returns 0. */
void zstd_stream_give(struct zstd_stream *s, const void *p, size_t n);

/* 1: the next bytes, at most 128 KiB, borrowed until the next call; 0: give more; or as zstd_unpack(). */
int zstd_stream_take(struct zstd_stream *s, const uint8_t **p, size_t *n, struct err *e);

/* False in a build without packers: then functions below must not be called. */
bool pack_can(void);

/* Pack into one zstd frame. The packer's state, about 100 KB, is reused by all calls. */
struct zstd_packer;
struct zstd_packer *zstd_packer_new(void);   /* NULL: no memory */
void zstd_packer_free(struct zstd_packer *p);

/* The largest size to which `len` bytes may be packed. */
size_t zstd_pack_bound(size_t len);

/* Returns the length of the frame written to dst (zstd_pack_bound(len) bytes long). */
size_t zstd_pack(struct zstd_packer *p, void *dst, const void *src, size_t len);

/* The same for a zlib stream; the state is about 260 KB. */
struct zlib_packer;
struct zlib_packer *zlib_packer_new(void);   /* NULL: no memory */
void zlib_packer_free(struct zlib_packer *p);
size_t zlib_pack_bound(size_t len);
size_t zlib_pack(struct zlib_packer *p, void *dst, const void *src, size_t len);

/*
 * The same in parts: head, any number of parts, end with the Adler-32 of all bytes (1 for no bytes). A part ends at a
 * byte boundary and has at most zlib_pack_bound(len) bytes. A fixed part is stored, not packed: its n <= 65535 bytes
 * begin at ZLIB_FIXED_AT and may still be changed until the sum is computed; dst needs n + 16 bytes.
 */
enum { ZLIB_FIXED_AT = 5 };
size_t zlib_pack_head(void *dst);
size_t zlib_pack_part(struct zlib_packer *p, void *dst, const void *src, size_t len);
size_t zlib_pack_fixed(void *dst, const void *bytes, size_t n);
size_t zlib_pack_end(void *dst, uint32_t sum);
uint32_t zlib_sum(uint32_t sum, const void *bytes, size_t n);

/* A gzip stream: the same parts, with another head and end; sum is a CRC-32 (0 for no bytes), n the number of bytes. */
enum { GZIP_HEAD = 10, GZIP_END = 10 };
size_t gzip_pack_head(void *dst);
size_t gzip_pack_end(void *dst, uint32_t sum, uint64_t n);
uint32_t gzip_sum(uint32_t sum, const void *bytes, size_t n);

/* The Adler-32 of two byte strings joined: sum `first`, and n bytes of sum `second`. */
uint32_t zlib_sums(uint32_t first, uint32_t second, uint64_t n);

#endif
