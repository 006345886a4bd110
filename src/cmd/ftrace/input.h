/* input.h - a trace.dat that a verb reads: mapped and parsed. */
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

/* 0 or -errno with the path and a hint in e. After an error input_close() is allowed, but not needed. */
int input_open(struct input *in, const struct sys *sys, const char *path, struct err *e);
void input_close(struct input *in);

/* Print a note for each defect of the file. If data is lost the command's exit code becomes a failure. */
void input_notes(const struct input *in, struct ctx *c, const char *path);

/* The same after the pages were read: the number of sub-buffers that end in invalid data. name: of file or buffer. */
void input_bad_pages(struct ctx *c, const char *name, uint64_t pages);

#endif
