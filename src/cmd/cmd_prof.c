/* cmd_prof.c - sonde prof: the profilers of src/prof, as perf-prof has them. */
#include "cmd/cmd.h"
#include "cmd/inline.h"
#include "cmd/prof_help.h"
#include "prof/list.h"
#include "sys/output.h"

#include <fcntl.h>

struct want {
	struct opt_list ignored;
};

static const struct opt opts[] = {
	OPT_END,
};

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

static int prof_command(struct ctx *c, void *want, int argc, char **argv)
{
	struct prof p = { .kind = prof_of(c->cmd), .want = want, .sys = c->sys };
	struct prof_run_how how = { .argc = argc, .argv = argv, .out = c->out, .note = note, .arg = c };
	struct err e = { 0 };
	int r, code;

	/* "perf-prof trace -e sched:sched_switch help" */
	if (argc && !strcmp(argv[argc - 1], "help") && argc == 1)
		return prof_help(c, &p);
	r = run_into(c, &p, &how, &e);
	/* Live, what was lost is told; of a recording it is no success, as elsewhere. */
	c->incomplete |= p.incomplete && prof_want(&p)->from.input;
	code = r ? cmd_fail(c, &e) : p.status;
	return code;
}

static int prof_cmd_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct err e = { 0 };
	struct nearest near;
	char text[160];

	if (c->cmd != cmd_find("prof"))
		return prof_command(c, want, argc, argv);
	nearest_init(&near, sv_from(argc ? argv[0] : ""));
	for (size_t i = 0; profs[i]; i++)
		nearest_feed(&near, profs[i]->name);
	if (argc)
		err_set(&e, EINVAL, "there is no profiler '%s'%s", argv[0], nearest_text(&near, text, sizeof(text)));
	else
		err_set(&e, EINVAL, "which profiler? --help lists them");
	return cmd_usage(c, c->cmd, &e);
}

DEFINE_CMD(prof,
	.brief = "Ask events as they come, or a recording: latencies, leaks, states, tops",
	.synopsis = "PROFILER [options] [help] [-- command [arguments]]",
	.details = "What perf-prof does, with its command lines; -i takes an interval in ms, or a recording.",
	.examples =
		"sonde prof multi-trace -e irq:softirq_entry -e irq:softirq_exit -k vec -i 1000\tof softirqs\n"
		"sonde prof trace -e sched:sched_wakeup help\tfields of an event, and what can be said of them",
	.verbs = profs, .opts = opts, .want_size = sizeof(struct want), .run = prof_cmd_run);
