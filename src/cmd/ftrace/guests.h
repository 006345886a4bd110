/* guests.h - record -A: the guests of a recording, from their options to their files. */
#ifndef CMD_FTRACE_GUESTS_H
#define CMD_FTRACE_GUESTS_H

#include "cmd/cmd.h"
#include "cmd/ftrace/want.h"
#include "tracing/transport/guest.h"

struct guests {
	struct ctx *c;
	const struct want *w;
	uint64_t id;                   /* of the host's recording */
	struct guest v[WANT_GUESTS];
	struct mem_out text[WANT_GUESTS];   /* their options in the host's recording */
	size_t n;
};

/* All of them are about to trace. output: the host's recording. */
int guests_begin(struct guests *gs, struct ctx *c, const struct want *w, const char *output, struct err *e);

/* Who belongs to it, for the host's recording: at most WANT_GUESTS options, borrowed. How many. */
size_t guests_options(struct guests *gs, struct tdat_option *to);

/* They are told to end; returns at once. */
void guests_stop(struct guests *gs);

/* Their recordings are made, and what went wrong is told: an exit code. */
int guests_finish(struct guests *gs);
void guests_deinit(struct guests *gs);

/* Where nothing is traced here: the command, or until a signal. Its exit status, or -errno. */
int guests_wait(const struct guests *gs, char **argv, struct err *e);

#endif
