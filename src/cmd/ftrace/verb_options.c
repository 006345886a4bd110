/* verb_options.c - sonde ftrace options: what report -O takes. */
#include "cmd/ftrace/plugin_options.h"
#include "cmd/ftrace/verbs.h"

struct options_want {
	bool none;   /* the command takes no options */
};

static const struct opt opts[] = { OPT_END };

static int options_run(struct ctx *c, void *want UNUSED, int argc UNUSED, char **argv UNUSED)
{
	plugin_options_out(c->out);
	return EXIT_DONE;
}

DEFINE_VERB(options, "options", .brief = "List the options of report -O",
	    .examples = PACKED(
		"sonde ftrace options\tuse one: report -O fgraph:tailprint\n"), .opts = opts,
	    .want_size = sizeof(struct options_want), .run = options_run);
