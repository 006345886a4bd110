/* input.h - a trace.dat that a verb reads: mapped and taken apart. */
#ifndef CMD_FTRACE_INPUT_H
#define CMD_FTRACE_INPUT_H

#include "cmd/cmd.h"
#include "tracefs/dat/dat.h"

struct input {
	const struct sys *sys;
	const uint8_t *bytes;
	size_t n;
	struct tdat dat;
};

/* -ENOENT, -EBADMSG ... with the path in e, and what to do. Closing is then allowed, not needed. */
int input_open(struct input *in, const struct sys *sys, const char *path, struct err *e);
void input_close(struct input *in);

/* What is not as it should be in the file, a line each. The command fails in the end when something is lost. */
void input_notes(const struct input *in, struct ctx *c, const char *path);

/* The same of its pages, after they were read: so many end in something impossible. name: the file's, or a buffer's. */
void input_bad_pages(struct ctx *c, const char *name, uint64_t pages);

#endif
