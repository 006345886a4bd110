#include "cmd/prof_command.h"

#include "cmd/prof_help.h"
#include "sys/output.h"

#include <fcntl.h>

static void note(void *arg, const char *line)
{
	cmd_note(arg, "%s", line);
}

static int run_into(struct ctx *c, struct prof *p, struct prof_run_how *how, struct err *e)
{
	const char *path = prof_want(p)->form.output;
	char buf[65536];
	struct output file;
	struct out out;
	int r;

	if (!path || !strcmp(path, "-"))
		return prof_run(p, how, e);
	r = output_open(&file, c->sys, path, OUTPUT_REPLACE, OUTPUT_PUBLIC, O_WRONLY, e);
	if (r)
		return r;
	output_text(&file, &out, buf, sizeof(buf));
	how->out = &out;
	r = prof_run(p, how, e);
	out_end(&out);
	if (!r && out.error)
		r = err_set(e, -out.error, "cannot write %s: %s", path, err_name(-out.error));
	return output_close(&file) && !r ? err_set(e, EIO, "cannot write %s", path) : r;
}

int prof_command(struct ctx *c, const struct prof_kind *kind, void *want, int argc, char **argv)
{
	struct prof p = { .kind = kind, .want = want, .sys = c->sys };
	struct prof_run_how how = { .argc = argc, .argv = argv, .out = c->out, .note = note, .arg = c };
	struct err e = { 0 };
	int r, code;

	/* "perf-prof trace -e sched:sched_switch help" */
	if (argc && !strcmp(argv[argc - 1], "help") && argc == 1)
		return prof_help(c, &p);
	r = run_into(c, &p, &how, &e);
	/* Live, what was lost is told; of a recording it is no success, as elsewhere. */
	c->incomplete |= p.incomplete && (prof_want(&p)->from.input || prof_want(&p)->from.recorded);
	code = r ? cmd_fail(c, &e) : p.status;
	return code;
}
