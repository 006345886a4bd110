/* command.h - a command: its help texts, its options, and the function that runs it. See cmd/cmd.h and prof/prof.h. */
#ifndef BASE_COMMAND_H
#define BASE_COMMAND_H

#include "base/opt.h"

struct ctx;

struct cmd {
	const char *name;
	const char *family;      /* NULL: "sonde NAME"; "ftrace": "sonde ftrace NAME" and "trace-cmd NAME",
				    "prof": "sonde prof NAME" and "perf-prof NAME" */
	const struct cmd *const *verbs;   /* subcommands, e.g. "stat record"; may be NULL */
	const char *brief;       /* one line for the list of commands */
	const char *synopsis;    /* what follows the name in the usage line; NULL: options only */
	const char *details;     /* paragraphs below the options, or NULL */
	const char *examples;    /* lines "sonde stat -a sleep 1\twhat it does", or NULL */
	const struct opt *opts;
	size_t want_size;
	void (*defaults)(void *want);   /* fill the zeroed want before parsing; may be NULL */
	void (*drop)(void *want);       /* free what options allocated, after a wrong option; may be NULL */
	/* argv[0..argc) are the words that are no options. Returns the exit code. NULL: the parent command runs it. */
	int (*run)(struct ctx *c, void *want, int argc, char **argv);
};

#endif
