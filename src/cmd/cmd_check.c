/* cmd_check.c - sonde check feature: is a feature built in? Scripts ask perf the same way. */
#include "cmd/cmd.h"

#include "cmd/features.h"

struct want {
	bool quiet;
};

static const struct opt opts[] = {
	OPT_FLAG('q', "quiet", struct want, quiet, "print nothing, only set the exit status"),
	OPT_END,
};

static int unknown(struct ctx *c, struct sv name)
{
	struct nearest near;
	char text[160];

	nearest_init(&near, name);
	for (const struct feature_here *f = features_here; f->name; f++)
		nearest_feed(&near, f->name);
	cmd_note(c, "unknown feature '%.*s'%s", (int)MIN(name.n, (size_t)80), name.s,
		 nearest_text(&near, text, sizeof(text)));
	out_printf(c->msg, "  %s version --build-options lists them\n", c->program);
	return cmd_is_perf(c) ? EXIT_FAILED : EXIT_USAGE;
}

/* list: "a,b". Succeeds only if every feature of the list is built in. */
static int check(struct ctx *c, const struct want *w, const char *list)
{
	struct sv rest = sv_from(list), name;
	int code = EXIT_DONE;

	while (sv_cut(&rest, ',', &name)) {
		const struct feature_here *f = feature_find(sv_trim(name));

		if (!f)
			return unknown(c, name);
		if (!w->quiet)
			feature_print(f, c->out);
		code = f->is_here ? code : EXIT_FAILED;
	}
	return code;
}

static int check_run(struct ctx *c, void *want, int argc, char **argv)
{
	const struct cmd *self = cmd_find("check");
	struct want *w = want;
	struct err e = { 0 };
	int at = 0;

	if (argc && !strcmp(argv[0], "feature"))
		at = opt_parse(opts, w, argc, argv, &e);
	else
		err_set(&e, EINVAL, "there is one thing to check: check feature NAME");
	if (at == -ECANCELED) {
		cmd_help(c, self, c->out);
		return EXIT_DONE;
	}
	if (!e.code && argc - at != 1)
		err_set(&e, EINVAL, at < argc ? "one list of features: a,b" : "which feature?");
	return e.code ? cmd_usage(c, self, &e) : check(c, w, argv[at]);
}

DEFINE_CMD(check, .brief = "Tell whether a feature of perf is supported", .synopsis = "[-q] feature NAME[,NAME...]",
	   .examples = PACKED(
		       "sonde check feature dwarf\texit status 0 if supported\n"
		       "sonde check -q feature libtraceevent,zstd && echo both\tfor scripts\n"),
	   .opts = opts, .want_size = sizeof(struct want), .run = check_run);
