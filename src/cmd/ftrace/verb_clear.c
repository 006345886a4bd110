/* verb_clear.c - sonde ftrace clear: empty the buffers. */
#include "cmd/ftrace/buffers.h"
#include "cmd/ftrace/verbs.h"

struct clear_want {
	struct buffers_want buffers;
};

static const struct opt opts[] = {
	BUFFERS_NAMES(struct clear_want, buffers),
	OPT_FLAG('a', NULL, struct clear_want, buffers.all, "all buffers, including the top one"),
	OPT_END,
};

static int clear_one(void *arg UNUSED, const struct tfs *t, struct err *e)
{
	return tfs_put(t, "trace", "", e);
}

static int clear_run(struct ctx *c, void *want, int argc UNUSED, char **argv UNUSED)
{
	struct clear_want *w = want;
	struct err e = { 0 };

	w->buffers.top = w->buffers.all;
	return buffers_done(c, buffers_each(c, &w->buffers, clear_one, NULL, &e), &e);
}

DEFINE_VERB(clear, "clear", .brief = "Empty the trace buffers",
	    .examples = PACKED(
	    	"sonde ftrace clear\tthe top buffer\nsonde ftrace clear -a\tall of them\n"), .opts = opts,
	    .want_size = sizeof(struct clear_want), .run = clear_run);
