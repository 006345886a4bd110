/*
 * datfile.h - put a trace.dat together: description, then every ring out of its own file, moved by the kernel where
 * nothing is packed.
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
	const char *kallsyms;   /* path of the file; NULL: that of the blob */
	const struct sv *kept;  /* TDAT_KEPT of them; NULL: none */
	bool once;              /* the rings are not needed any more: their space is given back as they are copied */
	const char *text;       /* path of what a buffer with `latency` has in place of rings */
};

/* Can one be made there, as far as it can be told before? Not in a pipe: offsets are filled in later. */
int datfile_check(const struct sys *sys, const char *path, struct err *e);

/* What a recording says about itself that stays true for parts and copies of it, not where things lie in the file. */
bool datfile_keeps(const struct tdat_option *o);

/*
 * Write it: a ring's buffer is an index of want's buffers. Rings are in the order of buffers, those without a byte are
 * left out; `at` and `packed` of each are filled in. When the disk is too full for a second copy of everything, the
 * space of each piece is given back as soon as it is in the recording (where the file system can do that).
 * Failed: no recording is left, and the rings are as they were, unless their space had to be given back.
 */
int datfile_write(const struct datfile_want *w, struct ringfile *const *rings, size_t n, struct err *e);

/* The same out of a recording: all rings of `d`, whose buffers are want's, page by page as they are. */
int datfile_copy(const struct datfile_want *w, const struct tdat *d, struct err *e);

#endif
