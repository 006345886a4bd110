/* verb_stop.c - sonde ftrace stop: tracing_on becomes 0. */
#include "cmd/ftrace/buffers.h"
#include "cmd/ftrace/verbs.h"

struct stop_want {
	struct buffers_want buffers;
};

static const struct opt opts[] = {
	BUFFERS_NAMES(struct stop_want, buffers),
	BUFFERS_ALL(struct stop_want, buffers),
	BUFFERS_TOP(struct stop_want, buffers),
	OPT_END,
};

static int stop_one(void *arg UNUSED, const struct tfs *t, struct err *e)
{
	return tfs_put(t, "tracing_on", "0", e);
}

static int stop_run(struct ctx *c, void *want, int argc UNUSED, char **argv UNUSED)
{
	const struct stop_want *w = want;
	struct err e = { 0 };

	return buffers_done(c, buffers_each(c, &w->buffers, stop_one, NULL, &e), &e);
}

DEFINE_VERB(stop, "stop", .brief = "Stop tracing, keep the data in the buffer",
	    .examples = PACKED(
		"sonde ftrace stop; sonde ftrace show\tprint what was traced so far\n"),
	    .opts = opts, .want_size = sizeof(struct stop_want), .run = stop_run);
