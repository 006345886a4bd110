/*
 * starter.h - what start and set share: buffers are set up as asked for and stay so when the command ends; the journal
 * that is left lets `reset --ours` put everything back.
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
