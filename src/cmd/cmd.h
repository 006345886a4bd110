/*
 * cmd.h - a subcommand: a const struct at the end of its file src/cmd/cmd_NAME.c, found by the Makefile by that name.
 *
 *   DEFINE_CMD(stat, .brief = "count events", .synopsis = "[options] [-- command]",
 *	      .opts = opts, .want_size = sizeof(struct want), .run = stat_run)
 *
 * cmd/ is the only folder that prints errors and decides exit codes: 0 done, 1 failed, 2 wrong usage, or the workload's
 * own status. Under the name perf wrong usage is 129, as perf's own.
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
	const char *program;   /* "sonde", "perf", "trace-cmd", "perf-prof": as it was called */
	unsigned verbose;
	enum { SAY_ALL, SAY_ERRORS, SAY_NOTHING } says;   /* on msg */
	bool incomplete;       /* of a file that was read, something is lost or could not be read: no success */
	const struct cmd *cmd; /* that runs */
	int argc;              /* the whole command line, as it was called */
	char **argv;
};

#define DEFINE_CMD(id, ...) \
	extern const struct cmd cmd_##id; \
	const struct cmd cmd_##id = { .name = #id, __VA_ARGS__ }

/* One whose name is no word of C: "buildid-list". */
#define DEFINE_CMD_NAMED(id, text, ...) \
	extern const struct cmd cmd_##id; \
	const struct cmd cmd_##id = { .name = text, __VA_ARGS__ }

extern const struct cmd *const cmds[];   /* all, by name; NULL at the end */
const struct cmd *cmd_find(const char *name);
const struct cmd *cmd_verb(const struct cmd *const *verbs, const char *name);

/* Read its options and run it; `parent` has it as a verb, and runs it where it has no `run`. The exit code. */
int cmd_start(struct ctx *c, const struct cmd *cmd, const struct cmd *parent, int argc, char **argv);

/* The same with a want that has something in it already, of options that stood in front of a verb. */
int cmd_go_on(struct ctx *c, const struct cmd *cmd, const struct cmd *parent, void *want, int argc, char **argv);

void cmd_help(struct ctx *c, const struct cmd *cmd, struct out *o);

/* "  NAME  brief", the brief from `column` on; a line or more. */
void cmd_brief(const struct cmd *cmd, unsigned column, struct out *o);

/* "sonde: text" and "  hint" on c->msg; returns EXIT_FAILED, or EXIT_USAGE for usage errors, or perf's numbers. */
int cmd_fail(struct ctx *c, const struct err *e);

/* The same of events that are not there or cannot be understood: for perf that is wrong usage. */
int cmd_fail_events(struct ctx *c, const struct err *e);
int cmd_usage(struct ctx *c, const struct cmd *cmd, const struct err *e);

/* -EOPNOTSUPP: this build leaves out `what`, and where to get it. */
int cmd_elsewhere(const char *what, struct err *e);

void cmd_note(struct ctx *c, const char *fmt, ...) PRINTF(2, 3);   /* "sonde: ..." one line on c->msg */

/* That nothing is left of what was chosen; perf says nothing then, and its scripts take a word of it for an error. */
void cmd_note_chosen(struct ctx *c);

/* Called by that name: what people's scripts know of it is what it does. */
static inline bool cmd_is_perf(const struct ctx *c)
{
	return !strcmp(c->program, "perf");
}

static inline int cmd_usage_code(const struct ctx *c)
{
	return cmd_is_perf(c) ? EXIT_USAGE_PERF : EXIT_USAGE;
}

/* Flush c->out; a full disk or a closed pipe becomes the exit code (a reader that went away is not an error). */
int cmd_finish(struct ctx *c, int code);

#endif
