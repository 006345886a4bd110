/* verb_convert.c - sonde ftrace convert: a recording in another version or compression. */
#include "cmd/ftrace/input.h"
#include "cmd/ftrace/trecord.h"
#include "cmd/ftrace/verbs.h"
#include "tracing/transport/convert.h"

struct convert_want {
	const char *input, *output;
	struct trecord_format format;
};

static const struct opt opts[] = {
	OPT_STR('i', "input", struct convert_want, input, "<file>", "recording to read (default trace.dat)"),
	OPT_STR('o', "output", struct convert_want, output, "<file>", "file to write"),
	OPT_SUB(trecord_format_opts, struct convert_want, format),
	OPT_END,
};

static int check(struct convert_want *w, int argc, char **argv, struct err *e)
{
	if (argc > 1 || (argc && w->output))
		return err_set(e, EINVAL, "what is '%s'? One file is made", argv[argc - 1]);
	if (argc)
		w->output = argv[0];
	w->input = w->input ? w->input : "trace.dat";
	if (!w->output)
		return err_set(e, EINVAL, "which file is to be made? -o names it");
	return strcmp(w->input, w->output) ? 0 : err_set(e, EINVAL, "input and output are the same file");
}

/* As trace-cmd: version 7, compressed, unless other options are given. */
static int choose(const struct convert_want *w, enum tdat_format *f, struct err *e)
{
	struct trecord_format given = w->format;

	given.version = given.version ? given.version : 7;
	if (given.version == 7 && !given.compression)
		given.compression = "any";
	return trecord_format(&given, f, e);
}

static int convert_verb(struct ctx *c, void *want, int argc, char **argv)
{
	struct convert_want *w = want;
	enum tdat_format format;
	struct input in;
	struct err e = { 0 };
	int r = check(w, argc, argv, &e);

	if (!r)
		r = choose(w, &format, &e);
	if (r)
		return cmd_usage(c, cmd_verb(verbs, "convert"), &e);
	if (input_open(&in, c->sys, w->input, &e))
		return cmd_fail(c, &e);
	input_notes(&in, c, w->input);
	r = convert_run(c->sys, &in.dat, w->output, format, &e);
	input_close(&in);
	return r ? cmd_fail(c, &e) : EXIT_DONE;
}

DEFINE_VERB(convert, "convert", .brief = "Convert a trace.dat to another version or compression",
	    .synopsis = "[options] [<output>]",
	    .examples = PACKED(
			"sonde ftrace convert --file-version 6 -o old.dat\tfor old readers\n"
			"sonde ftrace convert -i big.dat small.dat\tversion 7, compressed\n"),
	    .opts = opts, .want_size = sizeof(struct convert_want), .run = convert_verb);
