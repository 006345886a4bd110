/*
 * write.h - bytes of a trace.dat, versions 6 and 7 (plain, or packed by zstd or zlib).
 *
 *   tdat_write_begin     everything before the ring data
 *   tdat_write_buffer    for each buffer of `want`, in that order:
 *     tdat_write_cpu       for each of its CPUs that has data, in any order: then either
 *       tdat_write_data      its bytes, piece by piece, or, where nothing is packed,
 *       tdat_write_moved     n bytes, which the caller itself put at tdat_write_at() (copy_file_range)
 *   tdat_write_end       the rest, and everything that was not known before
 *   tdat_write_deinit
 *
 * The file goes to `o` in sequence, from offset 0. Sizes and offsets that come to be known later are patched: `patch`
 * overwrites a few bytes far back (pwrite), after `o` was flushed. So nothing has to be known beforehand, and a file
 * whose writer died has no rings, rather than wrong ones. Byte order is this machine's, long the blob's. Errors of `o`
 * and `patch` come back from tdat_write_end.
 */
#ifndef TRACEFS_DAT_WRITE_H
#define TRACEFS_DAT_WRITE_H

#include "pack/pack.h"
#include "tracefs/dat/dat.h"

enum tdat_format {
	TDAT_V6,
	TDAT_V7,        /* not compressed: the caller may move ring data */
	TDAT_V7_ZSTD,   /* this and the next are compressed */
	TDAT_V7_ZLIB,
};

/* The format of an existing recording. */
enum tdat_format tdat_format_of(const struct tdat *d);

struct tdat_write_buffer {
	const char *name;        /* "" is the top-level buffer, which comes first, though it may be empty */
	const char *clock;
	uint32_t page_size;      /* of its sub-buffers; a shorter last one is padded with zeros */
	bool latency; /* a tracer's text in place of rings: give it to tdat_write_data, without tdat_write_cpu */
};

struct tdat_write_want {
	enum tdat_format format;
	const struct tblob *blob; /* page_size, headers, formats, texts; its version and swap are ignored */

	/*
	 * Writes the text of kallsyms, which is too large to be held in memory: 0 or -errno. NULL: the blob's text. It
	 * must have all symbols, data too: readers take the nearest symbol below an address, and would name all data
	 * after the last function.
	 */
	int (*kallsyms)(void *arg, struct out *o, struct err *e);
	int (*patch)(void *arg, uint64_t off, const void *bytes, size_t n);   /* 0 or -errno */
	void *arg;                             /* of both callbacks */

	/*
	 * DATE ("0x%llx", us), CPUSTAT (text for each CPU; "\nBuffer: NAME\n\n" before those of an instance),
	 * TRACECLOCK (the file trace_clock), UNAME, VERSION, PROCMAPS, TRACEID ...: text with its NUL counted. Not
	 * CPUCOUNT, BUFFER or offsets of sections: they are made here.
	 */
	const struct tdat_option *options;
	size_t n_options;
	const struct tdat_write_buffer *buffers;
	size_t n_buffers;                      /* at least one; in version 6 a latency text must be the only buffer */
	uint32_t ncpus;                        /* every CPU number is below this */
	struct sv kept[TDAT_KEPT];             /* version 7: from tdat_kept_file(); empty: none */
};

/* Whatever want and o refer to must live until tdat_write_deinit. */
struct tdat_writer {
	struct tdat_write_want want;
	struct out *o;
	int error;
	uint64_t start, moved;                 /* o->total at file offset 0; bytes that did not go through o */

	/* Offsets to be patched, and what is open now. */
	uint64_t table;                        /* 6: of the table of CPUs; 7: of the next options section's offset */
	VEC(uint64_t) instances;               /* 6: where the offsets of instances stand */
	size_t n_begun;                        /* buffers begun */
	uint64_t section;                      /* 7: of the open buffer's data */
	VEC(char) names;                       /* 7: names of sections, each with its NUL */
	bool in_cpu;
	VEC(struct tdat_cpu) cpus;             /* of the open buffer */

	/* Compression. */
	struct zstd_packer *zstd;              /* one of these two, or none */
	struct zlib_packer *zlib;
	uint32_t sum;                          /* zlib: checksum of the section so far */
	char *chunk, *packed;                  /* the chunk being gathered; room for it compressed */
	size_t n, cap, room;
	uint32_t chunks;
	uint64_t unpacked;
	bool heads;                            /* ring data: each chunk is preceded by its two sizes */
};

int tdat_write_begin(struct tdat_writer *w, const struct tdat_write_want *want, struct out *o, struct err *e);
int tdat_write_buffer(struct tdat_writer *w, struct err *e);
int tdat_write_cpu(struct tdat_writer *w, uint32_t cpu, struct err *e);
void tdat_write_data(struct tdat_writer *w, const void *bytes, size_t n);
uint64_t tdat_write_at(struct tdat_writer *w);                 /* flushes o; returns the offset in the file */
void tdat_write_moved(struct tdat_writer *w, uint64_t n);
uint64_t tdat_write_cpu_end(struct tdat_writer *w);            /* optional; returns the size of its data, bytes */
int tdat_write_end(struct tdat_writer *w, struct err *e);
void tdat_write_deinit(struct tdat_writer *w);

#endif
