/* buffers.h - which buffers a verb is for: -B NAME, -a all of them, -t the top one, which is the default. */
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

/* One: the top one without a name. */
int buffers_one(const struct ctx *c, const char *name, struct tfs *t, struct err *e);

/* The exit code of a verb that is all done. */
int buffers_done(struct ctx *c, int r, const struct err *e);

/* A file as it is, to standard output. 0 or -errno. */
int buffers_cat(const struct ctx *c, const struct tfs *t, const char *file, struct err *e);

/* The error of a buffer that has none. */
int buffers_no_snapshot(const struct tfs *t, struct err *e);

/* The trace options, one in a line behind `before`; "no" stands before those that are off. */
void buffers_options(const struct ctx *c, const struct tfs *t, const char *before);

#endif
