/* buffers.h - the trace buffers (instances) a verb works on: -B NAME, -a all, -t the top one, which is the default. */
#ifndef CMD_FTRACE_BUFFERS_H
#define CMD_FTRACE_BUFFERS_H

#include "cmd/cmd.h"
#include "tracing/tfs.h"

struct buffers_want {
	struct opt_list names;
	bool all, top;
};

#define BUFFERS_NAMES(type, field) \
	OPT_LIST('B', NULL, type, field.names, "<name>", "this buffer (instance); repeatable")
#define BUFFERS_ALL(type, field) \
	OPT_FLAG('a', NULL, type, field.all, "all buffers; with -B, all but the top one")
#define BUFFERS_TOP(type, field) OPT_FLAG('t', "top", type, field.top, "the top buffer, with -B or -a")

/*
 * Opens the tracing file system and calls each(arg, buffer, e) until it fails; once for each buffer, the top one
 * first. As trace-cmd has it, -a leaves the top one out where names are given.
 */
int buffers_each(const struct ctx *c, const struct buffers_want *w,
		 int (*each)(void *arg, const struct tfs *t, struct err *e), void *arg, struct err *e);

/* Open one buffer; name NULL: the top one. */
int buffers_one(const struct ctx *c, const char *name, struct tfs *t, struct err *e);

/* The exit code of a verb that ended with r; prints the error. */
int buffers_done(struct ctx *c, int r, const struct err *e);

/* Copy a file of the buffer to standard output. 0 or -errno. */
int buffers_cat(const struct ctx *c, const struct tfs *t, const char *file, struct err *e);

/* Sets and returns the error for a buffer without a snapshot file. */
int buffers_no_snapshot(const struct tfs *t, struct err *e);

/* Print the trace options, one a line, each after `before`; those that are off begin with "no". */
void buffers_options(const struct ctx *c, const struct tfs *t, const char *before);

#endif
