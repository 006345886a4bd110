/* guests.h - record -A: the guests of a recording, from their options to their files. */
#ifndef CMD_FTRACE_GUESTS_H
#define CMD_FTRACE_GUESTS_H

#include "cmd/cmd.h"
#include "cmd/ftrace/want.h"
#include "tracing/transport/guest.h"

struct guests {
	struct ctx *c;
	const struct want *w;
	uint64_t id;                   /* trace id of the host's recording */
	struct guest v[WANT_GUESTS];
	struct mem_out text[WANT_GUESTS];   /* their options in the host's recording */
	size_t n;
};

/* Connect to all guests and set them up, ready to trace. output: path of the host's recording. */
int guests_begin(struct guests *gs, struct ctx *c, const struct want *w, const char *output, struct err *e);

/* The options that name the guests in the host's recording, borrowed; at most WANT_GUESTS. Returns their number. */
size_t guests_options(struct guests *gs, struct tdat_option *to);

/* Tell the guests to stop; does not wait. */
void guests_stop(struct guests *gs);

/* Finish the guests' recordings and print what went wrong. Returns the exit code. */
int guests_finish(struct guests *gs);
void guests_deinit(struct guests *gs);

/* If the host traces nothing: run the command, or wait for a signal. The command's exit status, or -errno. */
int guests_wait(const struct guests *gs, char **argv, struct err *e);

#endif
