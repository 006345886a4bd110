/* verb_report.c - sonde ftrace report: a recording of trace-cmd as text. */
#include "cmd/ftrace/treport.h"
#include "cmd/ftrace/verbs.h"

#include "sys/tty.h"

/* The open recordings. */
struct report {
	struct treport_file *v;
	size_t n;
};

static int open_all(struct report *p, struct ctx *c, const struct treport_want *w, struct err *e)
{
	int r = 0;

	p->v = calloc(w->n_inputs, sizeof(*p->v));
	if (!p->v)
		return err_nomem(e);
	while (!r && p->n < w->n_inputs) {
		r = treport_open(&p->v[p->n], c, w, &w->inputs[p->n], e);
		p->n++;
		if (!r)
			r = treport_prepare(&p->v[p->n - 1], e);
	}
	return r;
}

static int show(struct report *p, struct ctx *c, struct err *e)
{
	int pager = tty_pager_begin(c->out), r = treport_show(p->v, p->n, c->out, e);

	tty_pager_end(c->out, pager);
	/* It is no error if the reader closes the pipe early. */
	return r == c->out->error ? 0 : r;
}

static int profile_all(struct report *p, struct err *e)
{
	int r = 0;

	for (size_t i = 0; i < p->n && !r; i++)
		r = treport_profile(&p->v[i], e);
	return r;
}

static int report_run(struct ctx *c, void *want, int argc, char **argv)
{
	const struct cmd *self = cmd_verb(verbs, "report");
	struct treport_want *w = want;
	struct report p = { 0 };
	struct err e = { 0 };
	int r;

	loglevel_apply(c, w->quiet ? LOGLEVEL_ERR : w->loglevel);
	if (argc && (w->n_inputs || argc > TREPORT_INPUTS)) {
		err_set(&e, EINVAL, "what is '%s'? Recordings stand behind an -i each, or all without", argv[argc - 1]);
		return cmd_usage(c, self, &e);
	}
	for (int i = 0; i < argc; i++)
		w->inputs[w->n_inputs++].path = argv[i];
	if (!w->n_inputs)
		w->inputs[w->n_inputs++].path = "trace.dat";
	if (w->n_inputs > 1 && w->wakeup) {
		err_set(&e, EINVAL, "-w takes one recording");
		return cmd_usage(c, self, &e);
	}
	for (size_t i = 0; i < w->unknown.n; i++)
		cmd_note(c, "-O %s: no plugin has it, and nothing is changed by it", w->unknown.v[i]);
	r = open_all(&p, c, w, &e);
	if (!r && (w->info || w->format_of))
		r = treport_info(&p.v[0], &e);
	else if (!r && w->prof.on)
		r = profile_all(&p, &e);
	else if (!r && !(w->only.test_filters && w->only.n_filters))
		r = show(&p, c, &e);
	for (size_t i = 0; i < p.n; i++)
		treport_close(&p.v[i]);
	free(p.v);
	return r < 0 ? cmd_fail(c, &e) : r;
}

DEFINE_VERB(
	report, "report", .brief = "Show the events of a recording", .synopsis = "[options] [file ...]",
	.details = PACKED(
		"Filters are EVENTS:EXPRESSION. EVENTS are regular expressions, SYSTEM/EVENT or a name of either, with "
		"commas between them. EXPRESSION compares fields (and COMM, CPU, TIMESTAMP) by == != < <= > >=, texts "
		"by =~ !~ (regular expressions) and ~ (shell patterns), and joins by && || ! ( ); && and || are taken "
		"from left to right. A comparison with a field that the event does not have is false.\n"
		"Strings of events are written unchanged to files and pipes; on a terminal control characters are "
		"shown as \\x1b."),
	.examples = PACKED(
		    "sonde ftrace report\tall events of trace.dat\n"
		    "sonde ftrace report -F 'sched_switch: prev_prio < 100'\tfiltered\n"
		    "sonde ftrace report --cpu 1 -t -O fgraph:tailprint graph.dat\tone CPU, nanoseconds, function "
		    	"names at closing braces\n"
		    "sonde ftrace report -i host.dat --ts-offset -1000 -i guest.dat\tboth, merged by time\n"),
	.opts = treport_opts, .want_size = sizeof(struct treport_want), .run = report_run);
