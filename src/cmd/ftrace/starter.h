/*
 * starter.h - what start and set share: they set up buffers and leave them so when the command ends. The journal that
 * stays behind lets `reset --ours` restore the old settings.
 */
#ifndef CMD_FTRACE_STARTER_H
#define CMD_FTRACE_STARTER_H

#include "cmd/cmd.h"
#include "cmd/ftrace/want.h"

enum starter_how {
	STARTER_START,   /* clear the old trace and start tracing */
	STARTER_SET,     /* change only what the options name */
};

int starter_run(struct ctx *c, struct want *w, char **argv, enum starter_how how);

#endif
