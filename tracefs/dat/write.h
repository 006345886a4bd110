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
	TDAT_V7,        /* not packed: the caller may move ring data */
	TDAT_V7_ZSTD,   /* these are packed */
	TDAT_V7_ZLIB,
};

/* That of a recording. */
enum tdat_format tdat_format_of(const struct tdat *d);

struct tdat_write_buffer {
	const char *name;        /* "" is the top one, which stands first, though it may be empty */
	const char *clock;
	uint32_t page_size;      /* of its sub-buffers; a last piece that is shorter is filled up with zeros */
	bool latency; /* a tracer's text in place of rings: give it to tdat_write_data, without tdat_write_cpu */
};

struct tdat_write_want {
	enum tdat_format format;
	const struct tblob *blob; /* page_size, headers, formats, texts; its version and swap are ignored */

	/*
	 * Writes kallsyms' text, which is too large to be held: 0 or -errno. NULL: that of the blob. All of it, data
	 * too: readers take the last symbol below an address, and the end of the code would swallow all data.
	 */
	int (*kallsyms)(void *arg, struct out *o, struct err *e);
	int (*patch)(void *arg, uint64_t off, const void *bytes, size_t n);   /* 0 or -errno */
	void *arg;                             /* of both */

	/*
	 * DATE ("0x%llx", us), CPUSTAT (text for each CPU; "\nBuffer: NAME\n\n" before those of an instance),
	 * TRACECLOCK (the file trace_clock), UNAME, VERSION, PROCMAPS, TRACEID ...: text with its NUL counted. Not
	 * CPUCOUNT, BUFFER or offsets of sections: they are made here.
	 */
	const struct tdat_option *options;
	size_t n_options;
	const struct tdat_write_buffer *buffers;
	size_t n_buffers;                      /* at least one; version 6 has text instead of rings only alone */
	uint32_t ncpus;                        /* CPUs are below this */
	struct sv kept[TDAT_KEPT];             /* 7: tdat_kept_file()'s; empty: not there */
};

/* What it refers to must live until the end. */
struct tdat_writer {
	struct tdat_write_want want;
	struct out *o;
	int error;
	uint64_t start, moved;                 /* o->total at offset 0; bytes that did not go through o */

	/* What is to be patched, and what is open now. */
	uint64_t table;                        /* 6: of CPUs; 7: the offset of the next options section */
	VEC(uint64_t) instances;               /* 6: where their offsets stand */
	size_t n_begun;                        /* buffers */
	uint64_t section;                      /* 7: of the buffer */
	VEC(char) names;                       /* 7: of sections, each with its NUL */
	bool in_cpu;
	VEC(struct tdat_cpu) cpus;             /* of the buffer */

	/* Packing. */
	struct zstd_packer *zstd;              /* one of these two */
	struct zlib_packer *zlib;
	uint32_t sum;                          /* zlib: of the section so far */
	char *chunk, *packed;                  /* gathered so far; room for it packed */
	size_t n, cap, room;
	uint32_t chunks;
	uint64_t unpacked;
	bool heads;                            /* ring data: each chunk has its sizes in front */
};

int tdat_write_begin(struct tdat_writer *w, const struct tdat_write_want *want, struct out *o, struct err *e);
int tdat_write_buffer(struct tdat_writer *w, struct err *e);
int tdat_write_cpu(struct tdat_writer *w, uint32_t cpu, struct err *e);
void tdat_write_data(struct tdat_writer *w, const void *bytes, size_t n);
uint64_t tdat_write_at(struct tdat_writer *w);                 /* flushes; the offset in the file */
void tdat_write_moved(struct tdat_writer *w, uint64_t n);
uint64_t tdat_write_cpu_end(struct tdat_writer *w);            /* may be left out; bytes that it takes in the file */
int tdat_write_end(struct tdat_writer *w, struct err *e);
void tdat_write_deinit(struct tdat_writer *w);

#endif
