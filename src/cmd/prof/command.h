/* command.h - run a profiler as a command: its output, its notes, its exit code. */
#ifndef CMD_PROF_COMMAND_H
#define CMD_PROF_COMMAND_H

#include "cmd/cmd.h"
#include "prof/prof.h"

int prof_command(struct ctx *c, const struct prof_kind *kind, void *want, int argc, char **argv);

#endif
