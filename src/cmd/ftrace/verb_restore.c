/* verb_restore.c - sonde ftrace restore: makes a recording of the files that a killed recorder left. */
#include "cmd/ftrace/input.h"
#include "cmd/ftrace/verbs.h"
#include "tracing/transport/restore.h"

struct want {
	bool create;
	const char *output, *input, *tracing, *kallsyms;
};

static const struct opt opts[] = {
	OPT_STR('o', "output", struct want, output, "<file>",
		"file to write (default trace.dat; with -c trace-partial.dat)"),
	OPT_STR('i', "input", struct want, input, "<file>",
		"take the metadata from this recording, or from a file of -c"),
	OPT_FLAG('c', "create", struct want, create, "write only the metadata of the running kernel"),
	OPT_STR('t', NULL, struct want, tracing, "<dir>", "copy of the kernel's tracing folder"),
	OPT_STR('k', NULL, struct want, kallsyms, "<file>", "read kernel symbols from this copy of /proc/kallsyms"),
	OPT_END,
};

static int check(const struct want *w, int argc, struct err *e)
{
	if (w->create && w->input)
		return err_set(e, EINVAL, "-c and -i exclude each other");
	if (!w->create && !argc) {
		err_set(e, EINVAL, "no files of CPUs are named");
		return err_hint(e, "a killed recorder of trace.dat left trace.dat.cpu0, trace.dat.cpu1 ...");
	}
	if (w->input && (w->tracing || w->kallsyms)) {
		err_set(e, EINVAL, "%s has no effect beside -i, which describes the kernel that was traced",
			w->tracing ? "-t" : "-k");
		return err_hint(e, "-c with it makes such a description");
	}
	if (w->input && w->output && !strcmp(w->input, w->output))
		return err_set(e, EINVAL, "input and output are the same file");
	return 0;
}

static int run(struct ctx *c, const struct want *w, const struct tdat *like, int argc, char **argv)
{
	struct restore_want rw = {
		.sys = c->sys,
		.like = like,
		.tracing = w->tracing,
		.kallsyms = w->kallsyms ? w->kallsyms : DATFILE_KALLSYMS,
		.files = argv,
		.n_files = w->create ? 0 : (size_t)argc,
		.output = w->output   ? w->output
			  : w->create ? "trace-partial.dat"
				      : "trace.dat",
		.format = like ? tdat_format_of(like) : TDAT_V6,
	};
	struct restore_result res;
	struct err e = { 0 };

	/* Only the default, the running kernel's kallsyms, may be missing. */
	if (w->kallsyms && !sys_exists(c->sys, w->kallsyms))
		err_set(&e, ENOENT, "there is no file %s", w->kallsyms);
	if (e.code || restore_run(&rw, &res, &e))
		return cmd_fail(c, &e);
	if (!w->create)
		cmd_note(c, "%s: %llu pages of %zu files", rw.output, (unsigned long long)res.pages, res.rings);
	return EXIT_DONE;
}

static int restore_verb(struct ctx *c, void *want, int argc, char **argv)
{
	const struct want *w = want;
	struct input in;
	struct err e = { 0 };
	int r;

	if (check(w, argc, &e))
		return cmd_usage(c, cmd_verb(verbs, "restore"), &e);
	if (!w->input)
		return run(c, w, NULL, argc, argv);
	if (input_open(&in, c->sys, w->input, &e))
		return cmd_fail(c, &e);
	input_notes(&in, c, w->input);
	r = run(c, w, &in.dat, argc, argv);
	input_close(&in);
	return r;
}

DEFINE_VERB(restore, "restore", .brief = "Make a recording from the files of a killed recorder",
	    .synopsis = "[options] [<file>.cpu0 ...]",
	    .examples = PACKED(
			"sonde ftrace restore -o saved.dat trace.dat.cpu*\ton the traced kernel, still running\n"
			"sonde ftrace restore -c -o this-kernel.dat\tin advance: metadata for another machine\n"
			"sonde ftrace restore -i this-kernel.dat -o saved.dat trace.dat.cpu*\ton that machine\n"),
	    .opts = opts, .want_size = sizeof(struct want), .run = restore_verb);
