/* cmd_version.c - sonde version: --build-options lists which of perf's features are built in. */
#include "cmd/cmd.h"

#include "cmd/features.h"

struct want {
	bool options;
	unsigned verbose;
};

static const struct opt opts[] = {
	OPT_FLAG(0, "build-options", struct want, options, "print the features, by perf's names"),
	OPT_COUNT('v', "verbose", struct want, verbose, "same as --build-options"),
	OPT_END,
};

static int version_run(struct ctx *c, void *want, int argc UNUSED, char **argv UNUSED)
{
	const struct want *w = want;

	out_printf(c->out, "sonde %s\n", SONDE_VERSION);
	for (const struct feature_here *f = features_here; (w->options || w->verbose) && f->name; f++)
		feature_print(f, c->out);
	return EXIT_DONE;
}

DEFINE_CMD(version, .brief = "Show the version", .opts = opts, .want_size = sizeof(struct want), .run = version_run,
	   .examples =
		"sonde version --build-options\tfeatures, by perf's names\n");
