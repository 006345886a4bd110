/*
 * verbs.h - the verbs of the trace-cmd family: each a const struct cmd at the end of its file
 * src/cmd/ftrace/verb_NAME.c, found by the Makefile by that name ('_' in the file's name is '-' in the verb's).
 *
 *   DEFINE_VERB(show, "show", .brief = ..., .opts = opts, .want_size = sizeof(struct want), .run = show_run)
 */
#ifndef CMD_FTRACE_VERBS_H
#define CMD_FTRACE_VERBS_H

#include "cmd/cmd.h"

#define DEFINE_VERB(id, text, ...) \
	extern const struct cmd verb_##id; \
	const struct cmd verb_##id = { .name = text, .family = "ftrace", __VA_ARGS__ }

extern const struct cmd *const verbs[];   /* all, by name; NULL at the end */

#endif
