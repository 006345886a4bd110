/*
 * cmd_probe.c - sonde probe: its options, and the action that defines probes, which stay until they are removed. The
 * other actions are in cmd/probe, one file each.
 */
#include "cmd/probe/probe.h"

#include "arch/arch.h"
#include "obj/demangle/demangle.h"
#include "probing/cost_trial.h"

static int set_action(struct probe_want *w, enum probe_action a, const char *filter)
{
	w->action |= a;
	if (filter)
		w->filter = filter;
	return 0;
}

static int set_list(void *field, const char *value, struct err *e UNUSED)
{
	return set_action(field, PROBE_LIST, value);
}

static int set_funcs(void *field, const char *value, struct err *e UNUSED)
{
	return set_action(field, PROBE_FUNCS, value);
}

static int set_place(struct probe_want *w, enum probe_action a, const char *value, struct err *e)
{
	if (w->point)
		return err_set(e, EINVAL, "one place only: '%s' is a second one", value);
	w->point = value;
	return set_action(w, a, NULL);
}

static int set_lines(void *field, const char *value, struct err *e)
{
	return set_place(field, PROBE_LINES, value, e);
}

static int set_vars(void *field, const char *value, struct err *e)
{
	return set_place(field, PROBE_VARS, value, e);
}

static int take(struct opt_list *l, const char *value, struct err *e)
{
	if (l->n >= OPT_LIST_MAX)
		return err_set(e, E2BIG, "at most %u at a time", (unsigned)OPT_LIST_MAX);
	l->v[l->n++] = value;
	return 0;
}

static int set_add(void *field, const char *value, struct err *e)
{
	struct probe_want *w = field;

	set_action(w, PROBE_ADD, NULL);
	return take(&w->add, value, e);
}

static int set_definition(void *field, const char *value, struct err *e)
{
	struct probe_want *w = field;

	set_action(w, PROBE_DEFINITION, NULL);
	return take(&w->add, value, e);
}

static int set_del(void *field, const char *value, struct err *e)
{
	struct probe_want *w = field;

	set_action(w, PROBE_DEL, NULL);
	return take(&w->del, value, e);
}

#define W struct probe_want
static const struct opt opts[] = {
	OPT_CALL_WANT('a', "add", 0, set_add, "<probe>", "define a probe; same as an argument"),
	OPT_CALL_WANT('d', "del", 0, set_del, "<[group:]event>", "remove probes that match"),
	OPT_CALL_WANT('l', "list", OPT_LAST_DEFAULT, set_list, "<filter>", "list all defined probes"),
	OPT_CALL_WANT('F', "funcs", OPT_LAST_DEFAULT, set_funcs, "<filter>",
		      "list functions; -v: with address, size and symbol source"),
	OPT_CALL_WANT('L', "line", 0, set_lines, "<func|file[:line[+n|-end]]>",
		      "show source lines, and which can be probed"),
	OPT_CALL_WANT('V', "vars", 0, set_vars, "<place>", "list variables that are available there"),
	OPT_CALL_WANT('D', "definition", 0, set_definition, "<probe>",
		      "print the kernel's definition, do not add it (without tracefs: for recent kernels)"),
	OPT_HEAD("Target (default: the kernel)"),
	OPT_STR('x', "exec", W, exec, "<file>",
		"program or library: a path, or a name in $PATH or the library folders"),
	OPT_STR('m', "module", W, module, "<name|file>", "kernel module"),
	OPT_STR('k', "vmlinux", W, vmlinux, "<file>", "vmlinux with debug information"),
	OPT_U64(0, "target-ns", W, target_ns, "<pid>", "resolve the path in the mount namespace of this process"),
	OPT_HEAD("How"),
	OPT_STR(0, "at", W, at, "ret",
		"with %return: probe every return instruction, do not patch the return address"),
	OPT_FLAG('f', "force", W, force, "add a number to a name that exists"),
	OPT_FLAG('n', "dry-run", W, dry_run, "do all but add the probe"),
	OPT_FLAG('q', "quiet", W, quiet, "print no notes"),
	OPT_COUNT('v', "verbose", W, verbose, "print more detail"),
	OPT_FLAG(0, "cost", W, cost, "count hits for 100 ms first, and print the expected overhead"),
	OPT_U64(0, "max-probes", W, max_probes, "<n>",
		"maximum addresses per probe (default 128; patterns: no limit)"),
	OPT_FLAG(0, "no-inlines", W, no_inlines, "leave out inlined copies"),
	OPT_STR(0, "filter", W, filter, "<filter>", "filter for -F, -V and -l: globs joined by & and |, ! negates"),
	OPT_FLAG(0, "no-demangle", W, no_demangle, "with -F: do not demangle"),
	OPT_FLAG(0, "unsafe", W, unsafe, "allow probes between ldxr and stxr, where a program may loop for ever"),
	OPT_SUB(probe_more_opts, W, action),
	OPT_END,
};
#undef W

void probe_note(struct ctx *c, const struct probe_want *w, const char *text)
{
	if (text[0] && !w->quiet)
		cmd_note(c, "%s", text);
}

int probe_subject(struct ctx *c, struct probe_want *w, struct subject *s, struct err *e)
{
	w->subject = (struct subject_want){
		.exec = w->exec,
		.debug = w->debug,
		.source = w->source,
		.symfs = w->symfs,
		.kernel = { .vmlinux = w->vmlinux, .module = w->module },
		.target_pid = (int)MIN(w->target_ns, (uint64_t)INT_MAX),
		.no_inlines = w->no_inlines,
	};

	const struct image *code = &s->program.code;
	int r = subject_open(s, c->sys, &w->subject, e);

	if (!r && !s->is_kernel && elf_end(&code->elf) > code->n) {
		char text[400];

		snprintf(text, sizeof(text), "%.200s is cut: %zu of %llu bytes are there%s", code->path, code->n,
			 (unsigned long long)elf_end(&code->elf), code->elf.n_sections ? "" : ", and no sections");
		probe_note(c, w, text);
	}
	return r;
}

/* Words without an option are joined to one probe definition, which was typed without quotes. */
static int take_words(struct probe_want *w, int argc, char **argv, char **joined, struct err *e)
{
	struct mem_out m;

	if (!argc)
		return 0;
	if (w->action & ~(PROBE_ADD | PROBE_DEFINITION)) {
		err_set(e, EINVAL, "'%s' is one word too many", argv[0]);
		return err_hint(e, "each name has an option of its own: -d NAME -d NAME");
	}
	for (int i = 1; i < argc; i++)
		if (argv[i][0] == '-' && (argv[i][1] == '-' || ((argv[i][1] | 32) >= 'a' && (argv[i][1] | 32) <= 'z')))
			return err_set(e, EINVAL, "'%s' stands behind the place: options go in front of it", argv[i]);
	mem_out_init(&m);
	for (int i = 0; i < argc; i++)
		out_printf(&m.out, "%s%s", i ? " " : "", argv[i]);
	*joined = strdup(mem_out_str(&m));
	mem_out_deinit(&m);
	if (!*joined)
		return err_nomem(e);
	if (w->action == PROBE_DEFINITION)
		return take(&w->add, *joined, e);
	return set_add(w, *joined, e);
}

/* Refuse options that have no effect on the chosen action. */
static int check_company(const struct probe_want *w, struct err *e)
{
	enum { PLACES = PROBE_ADD | PROBE_DEFINITION };
	const struct {
		const char *name, *with;
		bool is_set;
		unsigned actions;
	} its[] = {
		{ "--at", "-a and -D", w->at, PLACES },
		{ "--force", "-a and -D", w->force, PLACES },
		{ "--max-probes", "-a and -D", w->max_probes, PLACES },
		{ "--unsafe", "-a and -D", w->unsafe, PLACES },
		{ "--cost", "-a", w->cost, PROBE_ADD },
		{ "--no-inlines", "-a, -D and -V", w->no_inlines, PLACES | PROBE_VARS },
		/* -a and -D accept mangled and demangled names anyway, so the option is accepted there, too. */
		{ "--no-demangle", "-F", w->no_demangle, PLACES | PROBE_FUNCS | PROBE_VARS | PROBE_LINES },
	};

	for (size_t i = 0; i < ARRAY_SIZE(its); i++)
		if (its[i].is_set && !(w->action & its[i].actions))
			return err_set(e, EINVAL, "%s goes with %s", its[i].name, its[i].with);
	return 0;
}

static int check(const struct probe_want *w, struct err *e)
{
	if (!w->action) {
		err_set(e, EINVAL, "what is to be probed?");
		return err_hint(e, "a function: 'sonde probe do_sys_openat2'; -F lists them");
	}
	if (w->action & (w->action - 1))
		return err_set(e, EINVAL, "-a, -d, -l, -F, -L, -V and -D exclude each other");

	const char *const names[] = { w->exec, w->module, w->vmlinux, w->debug, w->source };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i] && !names[i][0])
			return err_set(e, EINVAL, "%s needs a name, which is empty here",
				       (const char *[]){ "-x", "-m", "-k", "--debug-file", "-s" }[i]);
	if (w->exec && w->module)
		return err_set(e, EINVAL, "-x is a program, -m a module of the kernel: one of them");
	if (w->filter && !(w->action & (PROBE_LIST | PROBE_FUNCS | PROBE_VARS)))
		return err_set(e, EINVAL, "--filter goes with -F, -V and -l");
	if (w->at && strcmp(w->at, "ret"))
		return err_set(e, EINVAL, "--at takes 'ret', not '%s'", w->at);
	if (w->target_ns && !w->exec)
		return err_set(e, EINVAL, "--target-ns goes with -x");
	int r = probe_more_check(w, e);

	return r ? r : check_company(w, e);
}

/* Definitions in the kernel's own syntax are complete: options that say where to probe are refused. */
static int check_verbatim(const struct probe_want *w, bool *verbatim, struct err *e)
{
	size_t n = 0;

	for (size_t i = 0; i < w->add.n; i++)
		n += dynevent_is_line(w->add.v[i]);
	*verbatim = n;
	if (n && n < w->add.n)
		return err_set(e, EINVAL, "'%s' and definitions in the kernel's own words do not go together",
			       w->add.v[dynevent_is_line(w->add.v[0])]);
	if (n && (w->exec || w->module || w->at || w->cost))
		return err_set(e, EINVAL, "%s is not for definitions in the kernel's own words",
			       w->exec ? "-x" : w->module ? "-m" : w->at ? "--at" : "--cost");
	return 0;
}

/* --- defining probes --- */

struct adding {
	struct ctx *c;
	struct probe_want *w;
	struct subject subject;
	struct tfs tfs;
	struct kernel_list list;
	struct define_want define;
	struct definer definer;
	char *readme;
	bool is_open, has_list;
};

static int open_all(struct adding *a, struct err *e)
{
	bool define_only = a->w->action == PROBE_DEFINITION;
	int r = probe_subject(a->c, a->w, &a->subject, e);

	if (r)
		return r;
	a->is_open = true;
	if (!define_only) {
		r = tfs_open(&a->tfs, a->c->sys, e);
		r = r ? r : kernel_list_read(&a->list, &a->tfs, e);
		if (r)
			return r;
		a->has_list = true;
	}
	a->readme = kernel_list_readme(a->c->sys);
	if (!a->readme)
		return err_nomem(e);
	a->define = (struct define_want){
		.force = a->w->force,
		.max_probes = (unsigned)MIN(a->w->max_probes, (uint64_t)1 << 20),
		.at_returns = a->w->at != NULL,
		.unsafe = a->w->unsafe,
	};
	definer_init(&a->definer, &a->subject, &a->define, a->readme);
	a->definer.there = a->has_list ? &a->list : NULL;
	return 0;
}

static int define_all(struct adding *a, struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && i < a->w->add.n; i++) {
		struct arena arena = { 0 };
		struct point p;

		r = point_parse(&p, &arena, a->w->add.v[i], e);
		if (!r)
			r = define_point(&a->definer, &p, e);
		point_deinit(&p);
		arena_deinit(&arena);
	}
	return r;
}

/* "  probe_test:func_2      (on func_2 in /usr/bin/test with number)", as perf prints it. */
static void put_defined(const struct adding *a, const struct defined *d, struct out *o)
{
	char name[140], plain[512];
	struct sv rest = sv_from(d->fetch);
	struct dynevent_arg arg;

	snprintf(name, sizeof(name), "%s:%s", d->group, d->event);
	out_str(o, "  ");
	out_left(o, name, 20);
	out_str(o, " (on ");
	if (d->inlined)
		out_printf(o, "%s, inlined in ", d->inlined);
	if (d->func[0])
		out_str(o, demangle(d->func, DEMANGLE_SHORT, plain, sizeof(plain)) ? plain : d->func);
	else
		out_printf(o, "0x%llx", (unsigned long long)d->addr);
	if (d->is_return)
		out_str(o, "%return");
	else if (d->offset && d->func[0])
		out_printf(o, "+%llu", (unsigned long long)d->offset);
	if (!a->subject.is_kernel)
		out_printf(o, " in %s", a->subject.program.code.path);
	else if (d->module[0])
		out_printf(o, " in %s", d->module);
	for (bool first = true; dynevent_next(DYNEVENT_UPROBE, &rest, &arg); first = false) {
		out_str(o, first ? " with " : " ");
		out_sv(o, arg.name.n ? arg.name : arg.fetch);
	}
	out_str(o, ")\n");
}

static void put_definitions(struct adding *a)
{
	for (size_t i = 0; i < a->definer.v.n; i++)
		out_printf(a->c->out, "%s\n", a->definer.v.v[i].line);
}

static void put_added(struct adding *a)
{
	struct out *o = a->c->msg;
	size_t n = a->definer.v.n;

	if (a->w->quiet || !n)
		return;
	out_printf(o, "Added new event%s:\n", n > 1 ? "s" : "");
	for (size_t i = 0; i < n; i++)
		put_defined(a, &a->definer.v.v[i], o);
	out_printf(o, "\nYou can now use it in all perf tools, such as:\n\n\t%s record -e %s:%s -aR sleep 1\n\n",
		   a->c->program, a->definer.v.v[n - 1].group, a->definer.v.v[n - 1].event);
	out_flush(o);
}

static void notes(struct adding *a)
{
	const char *note;

	for (size_t i = 0; (note = definer_note(&a->definer, i)); i++)
		probe_note(a->c, a->w, note);
}

/* With -n, report the probes that the kernel would refuse because of its own lists. */
static int check_lists(const struct adding *a, struct err *e)
{
	enum { LOOKED_AT = 8 };
	const struct definer *d = &a->definer;

	for (size_t i = 0; i < MIN(d->v.n, (size_t)LOOKED_AT); i++) {
		if (!kernel_list_foresee(d, i, e))
			continue;
		if (d->v.n <= d->points)
			return -EINVAL;
		probe_note(a->c, a->w, e->text);
		*e = (struct err){ 0 };
	}
	return 0;
}

/* Estimate the cost if --cost was given, or if a probe is in a loop; then print it above 5 % of a core only. */
static int check_cost(struct adding *a, struct err *e)
{
	struct cost_report report;
	bool in_loop = false;

	for (size_t i = 0; i < a->definer.v.n; i++)
		in_loop |= a->definer.v.v[i].in_loop;
	if (!a->w->cost && !in_loop)
		return 0;

	int r = cost_trial(&report, a->c->sys, &a->subject, &a->definer, e);

	if (r && a->w->cost)
		return r;
	if (!r && (a->w->cost || report.share > 0.05))
		cost_report_put(&report, a->c->msg);
	out_flush(a->c->msg);
	return 0;
}

static int probe_add(struct ctx *c, struct probe_want *w, struct err *e)
{
	struct adding a = { .c = c, .w = w };
	int r = open_all(&a, e);

	r = r ? r : define_all(&a, e);
	if (!r && w->action == PROBE_DEFINITION)
		put_definitions(&a);
	if (!r)
		notes(&a);
	if (!r && w->action == PROBE_ADD)
		r = w->dry_run ? check_lists(&a, e) : 0;
	if (!r && w->action == PROBE_ADD && (!w->dry_run || w->cost))
		r = check_cost(&a, e);
	if (!r && w->action == PROBE_ADD && !w->dry_run)
		r = kernel_list_add(&a.list, &a.definer, e);
	if (!r && w->action == PROBE_ADD) {
		probe_note(c, w, a.definer.note.refused);
		put_added(&a);
	}
	definer_deinit(&a.definer);
	if (a.has_list)
		kernel_list_deinit(&a.list);
	if (a.is_open)
		subject_close(&a.subject);
	free(a.readme);
	return r;
}

/* --- the command --- */

static int probe_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct probe_want *w = want;
	char *joined = NULL;
	struct err e = { 0 };
	int r = take_words(w, argc, argv, &joined, &e), code;
	bool verbatim = false;

	if (r || check(w, &e) || check_verbatim(w, &verbatim, &e)) {
		code = cmd_usage(c, cmd_find("probe"), &e);
		free(joined);
		return code;
	}
	switch (w->action) {
	case PROBE_DEL: r = probe_del(c, w, &e); break;
	case PROBE_LIST: r = probe_list(c, w, &e); break;
	case PROBE_FUNCS: r = probe_funcs(c, w, &e); break;
	case PROBE_VARS: r = probe_vars(c, w, &e); break;
	case PROBE_LINES: r = probe_lines(c, w, &e); break;
	default: r = verbatim ? probe_verbatim(c, w, &e) : probe_add(c, w, &e);
	}
	free(joined);
	return r ? cmd_fail(c, &e) : EXIT_DONE;
}

DEFINE_CMD(probe, .brief = "Define, list and remove probes of kernel and programs",
	   .synopsis = "[options] 'place [argument ...]'",
	   .details = PACKED(
		      "Place: [[GROUP:]EVENT=]FUNC[@FILE][:LINE|;TEXT|+OFFSET|%return], FILE:LINE, FILE;TEXT, "
		      "0xADDRESS, %PROVIDER:MARKER; globs; names of C++, Rust and Go in source form. Argument: "
		      "[NAME=]EXPRESSION[:TYPE], with variables (skb->dev->name, bufs[2].len), $vars, $params, $argN, "
		      "$retval, %REGISTER, +OFFSET(...). A probe stays until it is removed; a probe in -e of another "
		      "command ends with that command. The kernel's definitions work, too: p: r: rMAX: (functions, "
		      "PATH:OFFSET(COUNTER)), e: events, f: fprobes, t: tracepoints, s: synthetic."),
	   .examples = PACKED(
		       "sonde probe -x ./test func_2 n\tfunction func_2 of a program, variable n\n"
		       "sonde probe 'do_sys_openat2 filename:string how->flags'\ta kernel function, with struct "
		       	"members\n"
		       "sonde probe -x ./test 'func_2%return $retval'\treturn value\n"
		       "sonde probe -x ./app 'main.(*Store).Save'\ta method of a Go program\n"
		       "sonde probe -x libc.so.6 -F 'mem*'\tlist functions\n"
		       "sonde probe 'e:my/switch sched.sched_switch pid=$next_pid:s32'\tevent probe in the kernel's "
		       	"syntax\n"
		       "sonde probe -d 'probe_test:*'\tremove probes\n"),
	   .opts = opts, .want_size = sizeof(struct probe_want), .run = probe_run);
