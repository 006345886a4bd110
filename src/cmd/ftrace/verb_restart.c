/* verb_restart.c - sonde ftrace restart: tracing_on becomes 1. */
#include "cmd/ftrace/buffers.h"
#include "cmd/ftrace/verbs.h"

struct restart_want {
	struct buffers_want buffers;
};

static const struct opt opts[] = {
	BUFFERS_NAMES(struct restart_want, buffers),
	BUFFERS_ALL(struct restart_want, buffers),
	BUFFERS_TOP(struct restart_want, buffers),
	OPT_END,
};

static int restart_one(void *arg UNUSED, const struct tfs *t, struct err *e)
{
	return tfs_put(t, "tracing_on", "1", e);
}

static int restart_run(struct ctx *c, void *want, int argc UNUSED, char **argv UNUSED)
{
	const struct restart_want *w = want;
	struct err e = { 0 };

	return buffers_done(c, buffers_each(c, &w->buffers, restart_one, NULL, &e), &e);
}

DEFINE_VERB(restart, "restart", .brief = "Resume tracing after stop",
	    .examples = PACKED(
		"sonde ftrace restart\tresume after stop\n"),
	    .opts = opts, .want_size = sizeof(struct restart_want), .run = restart_run);
