/* cmd_ftrace.c - sonde ftrace: trace-cmd's verbs; without a verb perf ftrace: live text of the function tracers. */
#include "cmd/ftrace/func_want.h"
#include "cmd/ftrace/verbs.h"
#include "live/ftext.h"

struct ftrace_want {
	struct func_want func;   /* first: see func_want.h */
	const char *tracer;
	const char *list;        /* -F: a glob; NULL: -F was not given */
};

static int set_tracer(void *field, const char *value, struct err *e)
{
	if (!value || (strcmp(value, "function") && strcmp(value, "function_graph")))
		return err_set(e, EINVAL, "-t: '%s' is neither function_graph nor function", value ? value : "");
	*(const char **)field = value;
	return 0;
}

static int set_list(void *field, const char *value, struct err *e UNUSED)
{
	*(const char **)field = value ? value : "*";
	return 0;
}

static const struct opt opts[] = {
	OPT_CALL('t', "tracer", 0, struct ftrace_want, tracer, set_tracer, "<tracer>",
		 "function_graph (default) or function (default with -T, -N)"),
	OPT_SUB(func_filter_opts, struct ftrace_want, func),
	OPT_CALL('F', "funcs", OPT_LAST_DEFAULT, struct ftrace_want, list, set_list, "<glob>",
		 "list functions that can be traced"),
	OPT_CALL_WANT(0, "graph-opts", 0, func_graph_opts, "<opts>",
		      "comma-separated: nosleep-time, noirqs, verbose, thresh=<us>, depth=<n>, tail, args, retval, "
		      "retval-hex, retaddr"),
	OPT_U64(0, "graph-depth", struct ftrace_want, func.depth, "<n>", "maximum call depth"),
	OPT_CALL_WANT(0, "func-opts", 0, func_func_opts, "<opts>", "call-graph,irq-info"),
	OPT_SUB(func_target_opts, struct ftrace_want, func),
	OPT_STR('D', "delay", struct ftrace_want, func.target.delay, "<ms>",
		"start tracing this long after the command"),
	OPT_END,
};

struct text {
	struct ctx *c;
	struct func_run run;
	struct ftext text;
};

static int begin(struct text *t, struct err *e)
{
	struct live *l = &t->run.live;
	int r = func_begin(&t->run, e);

	r = r ? r : ftext_init(&t->text, l, 0, e);
	if (r)
		return r;
	ftext_head(l, 0, t->c->out);
	return live_go(l, e);
}

/* Returns the exit code. */
static int print_text(struct text *t)
{
	struct live *l = &t->run.live;
	struct out *o = t->c->out;
	struct source_rec rec;
	struct err e = { 0 };
	int r = begin(t, &e), what;

	while (!r && (what = source_next(&l->source, &rec, &e)) != SOURCE_END) {
		r = MIN(what, 0);
		if (what == SOURCE_RECORD)
			ktext_record(t->text.text, &rec.trace, o);
		else
			out_flush(o);
		/* The reader of the pipe went away, or the disk is full: end the trace. */
		if (o->error)
			live_enough(l);
	}
	out_flush(o);
	return func_finish(&t->run, NULL, r, &e);
}

static int list_functions(struct ctx *c, const char *glob)
{
	struct err e = { 0 };
	struct tfs top;
	struct sv rest, line, name;
	char *text;
	int r = tfs_open(&top, c->sys, &e);

	if (!r)
		r = tfs_read_all(&top, "available_filter_functions", &text, &rest.n, &e);
	if (r)
		return cmd_fail(c, &e);
	rest.s = text;
	while (sv_cut(&rest, '\n', &line)) {
		struct sv words = line;

		sv_cut(&words, ' ', &name);
		if (!name.n || !str_glob(glob, name))
			continue;
		out_sv(c->out, line);
		out_char(c->out, '\n');
	}
	free(text);
	return EXIT_DONE;
}

/* As perf does, except that -t has precedence over -T: perf uses the tracer function whenever -T is given. */
static const char *choose_tracer(const struct ftrace_want *w)
{
	bool graph = w->func.graph.n || w->func.nograph.n;

	if (w->tracer)
		return graph ? "function_graph" : w->tracer;
	return !graph && (w->func.trace.n || w->func.notrace.n) ? "function" : "function_graph";
}

static int check_tracer(const struct func_want *w, const char *tracer, struct err *e)
{
	bool graph = !strcmp(tracer, "function_graph");

	if (!graph && (w->graph_opts || w->depth || w->thresh)) {
		err_set(e, EINVAL, "--graph-opts and --graph-depth are for the tracer function_graph");
		return err_hint(e, "-t function_graph, or -G FUNCTION");
	}
	if (graph && (w->call_graph || w->irq_info)) {
		err_set(e, EINVAL, "--func-opts is for the tracer function");
		return err_hint(e, "-t function, or -T FUNCTION");
	}
	return 0;
}

/* "ftrace recrod" would run a command, but there is no such program, and the word resembles a verb. */
static bool is_verb_mistyped(const char *word, struct err *e)
{
	struct nearest near;
	char text[160];

	nearest_init(&near, sv_from(word));
	for (size_t i = 0; verbs[i]; i++)
		nearest_feed(&near, verbs[i]->name);
	if (!near.name[0] || strchr(word, '/') || child_in_path(word))
		return false;
	err_set(e, EINVAL, "there is no verb '%s' and no program of that name%s", word,
		nearest_text(&near, text, sizeof(text)));
	return true;
}

static int ftrace_run(struct ctx *c, void *want, int argc, char **argv)
{
	const struct ftrace_want *w = want;
	struct text t = { .c = c };
	struct err e = { 0 };
	int r, code;

	if (w->list)
		return list_functions(c, w->list);
	if (argc && is_verb_mistyped(argv[0], &e))
		return cmd_usage(c, cmd_find("ftrace"), &e);
	if (check_tracer(&w->func, choose_tracer(w), &e))
		return cmd_usage(c, cmd_find("ftrace"), &e);
	r = func_setup(&t.run, c, &w->func, choose_tracer(w), argv, &e);
	if (!r) {
		code = print_text(&t);
		ftext_deinit(&t.text);
	} else {
		code = r == -EINVAL ? cmd_usage(c, cmd_find("ftrace"), &e) : cmd_fail(c, &e);
	}
	func_end(&t.run);
	return code;
}

DEFINE_CMD(ftrace, .brief = "Trace functions and events: trace-cmd and perf ftrace",
	   .synopsis = "VERB | [options] [--] [command]",
	   .details = PACKED(
		      "Without a verb this is perf ftrace: it prints the function tracers' output until the command or "
		      "the processes of -p end, or Ctrl-C. -G shows the functions with all callees, -T only the "
		      "functions."),
	   .examples = PACKED(
		       "sonde ftrace -G vfs_read -- cat /etc/hostname\tcallees of vfs_read, with times\n"
		       "sonde ftrace -a -G vfs_read --graph-opts depth=3 -- sleep 1\tthree levels, system-wide\n"
		       "sonde ftrace -T 'vfs_*' -p 123\tcalls by a process, with caller\n"
		       "sonde ftrace -F '*sys_open*'\tfunctions that can be traced\n"
		       "sonde ftrace check-events\tcheck this kernel's event formats\n"),
	   .verbs = verbs, .opts = opts, .want_size = sizeof(struct ftrace_want), .run = ftrace_run);
