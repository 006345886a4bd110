#include "cmd/prof/command.h"

#include "cmd/prof/help.h"
#include "sys/output.h"

static void note(void *arg, const char *line)
{
	cmd_note(arg, "%s", line);
}

static int run_into(struct ctx *c, struct prof *p, struct prof_run_how *how, struct err *e)
{
	const char *path = prof_want(p)->form.output;
	char buf[65536];
	struct output_late file;
	struct out out;
	int r;

	if (!path || !strcmp(path, "-"))
		return prof_run(p, how, e);
	r = output_late(&file, c->sys, path, &out, buf, sizeof(buf), e);
	if (r)
		return r;
	how->out = &out;
	return output_late_end(&file, &out, prof_run(p, how, e), e);
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
	/* A live run only reports what was lost; with a recording it makes the command fail, as elsewhere. */
	c->incomplete |= p.incomplete && (prof_want(&p)->from.input || prof_want(&p)->from.recorded);
	code = r ? cmd_fail(c, &e) : p.status;
	return code;
}
