/* help.h - "help" behind a profiler's command line: the events' fields, and a command line to begin with. */
#ifndef CMD_PROF_HELP_H
#define CMD_PROF_HELP_H

#include "cmd/cmd.h"
#include "prof/prof.h"

/* Returns the exit code. */
int prof_help(struct ctx *c, struct prof *p);

#endif
