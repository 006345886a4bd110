/* cmd_annotate.c - sonde annotate: the instructions of functions, with the samples that hit each. */
#include "cmd/annotate/types.h"

#include "base/kept.h"
#include "perf/attr.h"
#include "report/profile_filter.h"
#include "report/sample_hits.h"
#include "sys/tty.h"

struct annotate_want {
	struct session_want session;
	struct filter_want filter;
	struct annotate_show show;
	struct annotate_types_want types;
	const char *symbol;
	double percent_limit;
	unsigned group, verbose;
	bool samples, period, quiet, ignored;
	const char *unused;
};

static int set_type(void *want, const char *value, struct err *e)
{
	static const struct {
		const char *name;
		bool of_all, by_hits;
	} types[] = {
		{ "local-period", false, false }, { "local-hits", false, true }, { "global-period", true, false },
		{ "global-hits", true, true },    { "period-local", false, false }, { "hits-local", false, true },
		{ "period-global", true, false }, { "hits-global", true, true },
	};
	struct annotate_want *w = want;

	for (size_t i = 0; value && i < ARRAY_SIZE(types); i++) {
		if (strcmp(value, types[i].name))
			continue;
		w->show.of_all = types[i].of_all;
		w->show.by_hits = types[i].by_hits;
		return 0;
	}
	return err_set(e, EINVAL, "'%s' is none of local-period, local-hits, global-period and global-hits",
		       value ? value : "");
}

static int set_limit(void *want, const char *value, struct err *e)
{
	struct annotate_want *w = want;
	struct sv text = sv_from(value ? value : "0");

	if (text.n && text.s[text.n - 1] == '%')
		text.n--;
	if (!str_double(text, &w->percent_limit) || w->percent_limit < 0 || w->percent_limit > 100)
		return err_set(e, EINVAL, "'%s' is not a percentage", value);
	return 0;
}

static const struct opt opts[] = {
	OPT_HEAD("Input"),
	OPT_SUB(session_opts, struct annotate_want, session),
	OPT_STR('s', "symbol", struct annotate_want, symbol, "<name>",
		"annotate only this function; same as the argument"),
	OPT_SUB(filter_opts, struct annotate_want, filter),
	OPT_CALL_WANT(0, "percent-limit", 0, set_limit, "<percent>",
		"leave out functions below this share of the samples"),
	OPT_HEAD("Columns"),
	OPT_CALL_WANT(0, "percent-type", 0, set_type, "<type>",
		      "percentages of the function's samples (local-hits) or periods (local-period, default), or of "
		      "the whole recording's (global-hits, global-period)"),
	OPT_FLAG('n', "show-nr-samples", struct annotate_want, samples, "show numbers of samples, not percentages"),
	OPT_FLAG(0, "show-total-period", struct annotate_want, period, "show sums of periods, not percentages"),
	OPT_COUNT(0, "group", struct annotate_want, group,
		  "show all events side by side, as a group's; --no-group: one after the other"),
	OPT_HEAD("Data"),
	OPT_SUB(annotate_types_opts, struct annotate_want, types),
	OPT_HEAD("Code"),
	OPT_FLAG('l', "print-line", struct annotate_want, show.lines,
		 "print source lines by their share, and after each instruction"),
	OPT_FLAG('P', "full-paths", struct annotate_want, show.full_paths, "print full paths of source files"),
	OPT_FLAG(0, "no-source", struct annotate_want, show.no_source, "print only instructions, no source"),
	OPT_FLAG(0, "asm-raw", struct annotate_want, show.raw, "print raw instruction encodings, too"),
	OPT_FLAG('q', "quiet", struct annotate_want, quiet, "do not report what cannot be shown"),
	OPT_COUNT('v', "verbose", struct annotate_want, verbose, "print more about the recording"),
	OPT_IGNORED(0, "stdio", FLAG, struct annotate_want, ignored),
	OPT_IGNORED(0, "stdio2", FLAG, struct annotate_want, ignored),
	OPT_IGNORED('f', "force", FLAG, struct annotate_want, ignored),
	OPT_IGNORED('m', "modules", FLAG, struct annotate_want, ignored),
	OPT_IGNORED(0, "skip-missing", FLAG, struct annotate_want, ignored),
	/* sonde disassembles by itself and prints GNU objdump's syntax, so the path of an objdump has no effect. */
	OPT_IGNORED(0, "objdump", STR, struct annotate_want, unused),
	OPT_REFUSED('M', "disassembler-style", 0, "", "instructions have one spelling, that of GNU objdump",
		    "leave it out"),
	OPT_REFUSED(0, "tui", OPT_NO_VALUE, "", "there is none: what is shown is text, and goes through $PAGER",
		    "leave it out"),
	OPT_END,
};

/* At most so many functions without code are listed by name; the others are only counted. */
enum { NAMED = 5 };

struct annotate {
	struct ctx *c;
	const struct annotate_want *want;
	struct session session;
	struct filter filter;
	struct hits hits;
	struct sources sources;
	struct annotate_types types;
	bool counts;              /* --type-stat: the first of two passes, which gathers numbers and prints no type */
	size_t shown;             /* number of functions that were printed */
	size_t missing;           /* number of functions whose code was not found */
	struct mem_out names;     /* names of the first NAMED of these functions */
	struct err why;           /* why the first of them has no code */
};

static void note(void *arg, const char *line)
{
	cmd_note(arg, "%s", line);
}

/* Filters look at the function (symbol and DSO), never at the address inside it. */
static bool is_chosen(void *arg, const struct sym_loc *l)
{
	const struct annotate *a = arg;
	struct hist_frame f = {
		.dso = l->dso, .dso_short = l->dso_short, .sym = l->sym, .label = l->sym, .addr = l->addr,
		.kernel = l->kernel, .known = true,
	};

	if (a->want->symbol && (!l->sym || strcmp(l->sym, a->want->symbol)))
		return false;
	return !a->filter.by_name || filter_frame(&a->filter, &f);
}

/* --- events side by side --- */

/* The events to show side by side with event `first`, which comes first in `events`. Returns their number. */
static size_t group_of(const struct annotate *a, size_t first, size_t events[ANNOTATE_EVENTS])
{
	const struct perf_event *ev = a->session.head->events.v;
	size_t n = 0;

	events[n++] = first;
	for (size_t i = first + 1; a->want->group && i < a->session.head->events.n && n < ANNOTATE_EVENTS; i++) {
		bool is_one = a->want->group > 1 || ev[i].group_leader == ev[first].group_leader;

		if (is_one && (a->hits.all[i].samples || !attr_is_dummy(&ev[i].attr)))
			events[n++] = i;
	}
	return n;
}

static bool is_hit(const struct annotate_view *v)
{
	for (size_t i = 0; i < v->n_events; i++)
		if (hits_func_sum(v->hits, v->func, v->event[i])->samples)
			return true;
	return false;
}

static bool is_heavy(const struct annotate *a, const struct annotate_view *v)
{
	uint64_t all = a->hits.all[v->event[0]].weight, own = hits_func_sum(&a->hits, v->func, v->event[0])->weight;

	return !all || 100.0 * (double)own / (double)all >= a->want->percent_limit;
}

static int show_func(struct annotate *a, struct annotate_view *v, struct err *e)
{
	struct err why = { 0 };
	struct func_code code;
	int r;

	if (!is_hit(v) || !is_heavy(a, v))
		return 0;
	r = code_of(&code, &a->session, &a->hits.funcs.v[v->func], &why);
	if (r == -ENOMEM)
		return err_nomem(e);
	if (r) {
		if (!a->missing)
			a->why = why;
		if (a->missing < NAMED)
			out_printf(&a->names.out, "%s%s", a->missing ? ", " : "", a->hits.funcs.v[v->func].at.sym);
		a->missing++;
		return 0;
	}
	a->shown++;
	v->code = &code;
	r = annotate_text(v, a->c->out);
	code_deinit(&code);
	return r ? err_nomem(e) : 0;
}

static int show_funcs(struct annotate *a, struct annotate_view *v, struct err *e)
{
	uint32_t *order = hits_order(&a->hits, v->event[0]);
	int r = order ? 0 : err_nomem(e);

	for (size_t i = 0; !r && i < a->hits.funcs.n; i++) {
		v->func = order[i];
		r = show_func(a, v, e);
	}
	free(order);
	return r;
}

static int show_events(struct annotate *a, const size_t *events, size_t n, struct err *e)
{
	struct annotate_view v = { .show = &a->want->show, .hits = &a->hits, .sources = &a->sources, .n_events = n };
	struct mem_out names;
	int r;

	mem_out_init(&names);
	annotate_name_events(a->session.head, events, n, &names.out);
	v.events = mem_out_str(&names);
	memcpy(v.event, events, n * sizeof(*events));
	if (a->want->types.on)
		r = annotate_types(&a->types, &v, a->counts ? NULL : a->c->out) ? err_nomem(e) : 0;
	else
		r = show_funcs(a, &v, e);
	mem_out_deinit(&names);
	return r;
}

static int show_all(struct annotate *a, struct err *e)
{
	size_t events[ANNOTATE_EVENTS], n;
	int r = 0;

	for (size_t i = 0; i < a->hits.n_events && !r; i = events[n - 1] + 1) {
		n = group_of(a, i, events);
		r = show_events(a, events, n, e);
	}
	return r;
}

/* Report which functions were not shown, and why. If none could be shown, that is an error. */
static int tell_missing(struct annotate *a, struct err *e)
{
	if (a->missing && !a->shown) {
		*e = a->why;
		return -ENODATA;
	}
	if (a->missing && !a->want->quiet) {
		cmd_note(a->c, "%zu function%s left out that %s no code here (%s%s): %s", a->missing,
			 a->missing == 1 ? "" : "s", a->missing == 1 ? "has" : "have", mem_out_str(&a->names),
			 a->missing > NAMED ? " ..." : "", a->why.text);
	}
	if (a->shown)
		return 0;
	if (a->want->symbol) {
		err_set(e, ENOENT, "no sample is in a function '%s'", a->want->symbol);
		return err_hint(e, "sonde report tells which functions have some");
	}
	cmd_note_chosen(a->c);
	return 0;
}

static int count_types(struct annotate *a, struct err *e)
{
	int r;

	a->counts = true;
	r = show_all(a, e);
	a->counts = false;
	if (!r)
		annotate_types_stat(&a->types, a->c->out);
	return r;
}

/* Fail if no data type was shown: no sample accessed the requested type, or any known type. */
static int tell_no_types(struct annotate *a, struct err *e)
{
	if (a->types.shown)
		return 0;
	if (a->want->types.name)
		err_set(e, ENOENT, "no sample touches a type '%s' that is known", a->want->types.name);
	else
		err_set(e, ENODATA, "of no sample is known which data it touches");
	return err_hint(e, "programs need debug information (-g), the kernel BTF or -k vmlinux; "
			"--type-stat tells more");
}

static int types_begin(struct annotate *a, struct err *e)
{
	const struct annotate_want *w = a->want;

	if (!w->types.on)
		return 0;
	a->types = (struct annotate_types){
		.want = &w->types, .least = w->percent_limit, .touched = touched_new(&a->session),
	};
	return a->types.touched ? 0 : err_nomem(e);
}

static int annotate(struct annotate *a, struct err *e)
{
	const struct sample_hits_want samples = { .filter = &a->filter, .chosen = is_chosen, .arg = a };
	int r = filter_init(&a->filter, &a->want->filter, &a->session, e), pager;

	if (r)
		return r;
	if (hits_init(&a->hits, a->session.head->events.n, a->session.arch))
		return err_nomem(e);
	a->sources = (struct sources){ .sys = a->c->sys, .prefix = a->want->session.symfs };
	if (a->want->symbol)
		resolver_only(a->session.resolver, a->want->symbol);
	r = types_begin(a, e);
	r = r ? r : sample_hits_read(&a->hits, &a->session, &samples, e);
	if (r)
		return r;
	pager = tty_pager_begin(a->c->out);
	r = a->want->types.stat ? count_types(a, e) : 0;
	r = r ? r : show_all(a, e);
	tty_pager_end(a->c->out, pager);
	if (r)
		return r;
	return a->want->types.on ? tell_no_types(a, e) : tell_missing(a, e);
}

static void clean_up(struct annotate *a)
{
	mem_out_deinit(&a->names);
	hits_deinit(&a->hits);
	sources_deinit(&a->sources);
	touched_free(a->types.touched);
	filter_deinit(&a->filter);
}

static void defaults(void *want)
{
	struct annotate_want *w = want;

	w->group = 1;
}

static int annotate_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct annotate_want *w = want;
	struct annotate a = { .c = c, .want = w };
	struct err e = { 0 };
	int r = 0;

	if (argc > 1 || (argc && w->symbol))
		r = err_set(&e, EINVAL, "what is '%s'? One function at a time, or -S with several", argv[argc - 1]);
	else if (w->samples && w->period)
		r = err_set(&e, EINVAL,
			    "--show-nr-samples and --show-total-period are both what the columns have: one of them");
	else if (w->types.stat && !w->types.on)
		r = err_set(&e, EINVAL, "--type-stat is about --data-type, which is not asked for");
	if (r)
		return cmd_usage(c, c->cmd, &e);
	/* Reuse freed memory: growing tables cause page faults, half the time of a function of 1,000 instructions. */
	kept_begin();
	if (argc)
		w->symbol = argv[0];
	w->show.column = w->samples ? ANNOTATE_SAMPLES : w->period ? ANNOTATE_PERIOD : ANNOTATE_PERCENT;
	if (session_open(&a.session, c->sys, &w->session, &e))
		return cmd_fail(c, &e);
	mem_out_init(&a.names);
	r = annotate(&a, &e);
	clean_up(&a);
	session_footer(&a.session, w->verbose ? SESSION_ALL : SESSION_LOSSES, note, c);
	c->incomplete |= session_incomplete(&a.session);
	session_close(&a.session);
	if (r == -EINVAL)
		return cmd_usage(c, c->cmd, &e);
	return r ? cmd_fail(c, &e) : EXIT_DONE;
}

DEFINE_CMD(annotate, .brief = "Show the instructions of functions with their share of the samples",
	   .synopsis = "[options] [-i file] [function]",
	   .examples = PACKED(
		       "sonde annotate\tall functions with samples, the heaviest first\n"
		       "sonde annotate -l --no-source memcpy\tone function, with its hottest source lines\n"
		       "sonde annotate --percent-limit 5 --percent-type global-period\tfunctions with at least 5 % of "
		       	"all periods\n"
		       "sonde annotate -i board.data --symfs rootfs -k vmlinux\ta recording of another machine\n"
		       "sonde annotate --data-type --type-stat\tstruct members that the samples access\n"
		       "sonde annotate -n -d libc.so.6 -C 2\tnumbers of samples, one DSO on one CPU\n"),
	   .opts = opts, .defaults = defaults, .want_size = sizeof(struct annotate_want), .run = annotate_run);
