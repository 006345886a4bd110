/*
 * datfile.h - assembles a trace.dat: the description, then each ring from its own file, moved by copy_file_range where
 * nothing is compressed.
 */
#ifndef TRACING_TRANSPORT_DATFILE_H
#define TRACING_TRANSPORT_DATFILE_H

#include "tracefs/dat/write.h"
#include "tracing/transport/ringfile.h"

#define DATFILE_KALLSYMS "/proc/kallsyms"

struct datfile_want {
	const struct sys *sys;
	const char *path;
	enum tdat_format format;
	const struct tblob *blob;
	const struct tdat_option *options;
	size_t n_options;
	const struct tdat_write_buffer *buffers;
	size_t n_buffers;
	uint32_t ncpus;
	const char *kallsyms;   /* path of the file; NULL: the blob's text is used */
	const struct sv *kept;  /* array of TDAT_KEPT; NULL: none */
	bool once;              /* the ring files are not needed any more: punch holes in them while copying */
	const char *text;       /* path of a tracer's text, for a buffer with `latency` set */
};

/* Can a recording be written there, as far as that can be checked early? Not to a pipe: offsets are patched later. */
int datfile_check(const struct sys *sys, const char *path, struct err *e);

/* Does the option hold for parts and copies of a recording, too? Not so offsets in the file. */
bool datfile_keeps(const struct tdat_option *o);

/*
 * Write it. ringfile.buffer is an index into want's buffers. Rings are in the order of buffers; empty ones are left
 * out; `at` and `packed` of each are filled in. When the disk is too full for a second copy of everything, the space of
 * each piece is released as soon as it is in the recording (if the file system can do that). On failure no recording is
 * left, and the rings are unchanged, unless their space had to be released.
 */
int datfile_write(const struct datfile_want *w, struct ringfile *const *rings, size_t n, struct err *e);

/* The same from a recording: all rings of `d`, whose buffers are want's, page by page. */
int datfile_copy(const struct datfile_want *w, const struct tdat *d, struct err *e);

#endif
