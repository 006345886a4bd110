/*
 * cmd.h - a subcommand: a const struct at the end of its file src/cmd/cmd_NAME.c, found by the Makefile by that name.
 *
 *   DEFINE_CMD(stat, .brief = "count events", .synopsis = "[options] [-- command]",
 *	      .opts = opts, .want_size = sizeof(struct want), .run = stat_run)
 *
 * cmd/ is the only folder that prints errors and decides exit codes: 0 done, 1 failed, 2 wrong usage, or the workload's
 * exit status. When the program is called as "perf", wrong usage is 129 and a failure 255, as with perf itself.
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include "base/command.h"
#include "base/err.h"
#include "base/fmt.h"
#include "base/opt.h"
#include "sys/sys.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_USAGE_PERF = 129, EXIT_FAILED_PERF = 255 };

#define SONDE_VERSION "0.1"
#define SONDE_DATE "2026-11-23"

struct ctx {
	const struct sys *sys;
	struct out *out;       /* standard output, buffered */
	struct out *msg;       /* standard error, flushed at every line's end */
	const char *program;   /* the name it was called by: "sonde", "perf", "trace-cmd", "perf-prof" */
	unsigned verbose;
	enum { SAY_ALL, SAY_ERRORS, SAY_NOTHING } says;   /* what is written to msg */
	bool incomplete;       /* a part of an input file is lost or unreadable: the exit code is not 0 */
	const struct cmd *cmd; /* the command that runs */
	int argc;              /* the whole command line, as main() got it */
	char **argv;
};

#define DEFINE_CMD(id, ...) \
	extern const struct cmd cmd_##id; \
	const struct cmd cmd_##id = { .name = #id, __VA_ARGS__ }

/* For a command whose name is no C identifier: "buildid-list". */
#define DEFINE_CMD_NAMED(id, text, ...) \
	extern const struct cmd cmd_##id; \
	const struct cmd cmd_##id = { .name = text, __VA_ARGS__ }

extern const struct cmd *const cmds[];   /* all commands, sorted by name; NULL at the end */
const struct cmd *cmd_find(const char *name);
const struct cmd *cmd_verb(const struct cmd *const *verbs, const char *name);

/*
 * Parse the command's options and run it. A verb without a `run` is run by `parent`, the command that has the verb.
 * Returns the exit code.
 */
int cmd_start(struct ctx *c, const struct cmd *cmd, const struct cmd *parent, int argc, char **argv);

/* The same with a `want` that options in front of the verb have filled in part; it does not call cmd_finish(). */
int cmd_go_on(struct ctx *c, const struct cmd *cmd, const struct cmd *parent, void *want, int argc, char **argv);

void cmd_help(struct ctx *c, const struct cmd *cmd, struct out *o);

/* "  NAME  brief": the brief starts at `column` and is wrapped to the width of the output. */
void cmd_brief(const struct cmd *cmd, unsigned column, struct out *o);

/* "sonde: text" and "  hint" on c->msg; returns EXIT_FAILED, or EXIT_USAGE for usage errors, or perf's numbers. */
int cmd_fail(struct ctx *c, const struct err *e);

/* The same for events that do not exist or cannot be parsed: perf returns its code for wrong usage then. */
int cmd_fail_events(struct ctx *c, const struct err *e);
int cmd_usage(struct ctx *c, const struct cmd *cmd, const struct err *e);

/* Sets the error "this build has no `what`", with a hint where to get it; returns -EOPNOTSUPP. */
int cmd_elsewhere(const char *what, struct err *e);

void cmd_note(struct ctx *c, const char *fmt, ...) PRINTF(2, 3);   /* "sonde: ..." one line on c->msg */

/* Note that the filters left no sample. Not as "perf": that is silent then, and scripts take any note for an error. */
void cmd_note_chosen(struct ctx *c);

/* Was the program called as "perf"? Then it keeps perf's habits that scripts rely on. */
static inline bool cmd_is_perf(const struct ctx *c)
{
	return !strcmp(c->program, "perf");
}

static inline int cmd_usage_code(const struct ctx *c)
{
	return cmd_is_perf(c) ? EXIT_USAGE_PERF : EXIT_USAGE;
}

/* Flush c->out and turn a write error into the exit code; EPIPE is none: the reader has seen enough. */
int cmd_finish(struct ctx *c, int code);

#endif
