/* cmd_diff.c - sonde diff: compares newer recordings with an older one, the baseline, row by row. */
#include "cmd/cmd.h"

#include "cmd/diff/view.h"
#include "cmd/report/text.h"
#include "perf/attr.h"
#include "sys/tty.h"

#define USUAL_SORT "dso,sym"

enum { NO_COL = REPORT_COLS_MAX };   /* this recording lacks the field that the baseline's column shows */

static const char no_cycles[] = "cycles of basic blocks need branch stacks, which are not compared";

struct diff_compute {
	enum compare_how how;
	int64_t w_old, w_new;
};

struct want {
	struct session_want session;
	struct filter_want filter;
	struct budget_want budget;
	struct diff_compute compute;
	const char *sort, *sep, *percentage, *color;
	uint64_t order;
	unsigned verbose;
	bool baseline_only, periods, formula, quiet, json, ignored;
};

/* The weights of wdiff, "3,-2": of the old and the new period. */
static int set_weights(struct diff_compute *d, struct sv text, struct err *e)
{
	struct sv first;
	/* Without a comma sv_cut leaves an empty rest, which is no number. */
	bool good = sv_cut(&text, ',', &first) && str_i64(first, 10, &d->w_old) && str_i64(text, 10, &d->w_new) &&
		    d->w_old && d->w_new;

	if (good)
		return 0;
	err_set(e, EINVAL, "wdiff has two weights, of the old and the new period, neither of them 0");
	return err_hint(e, "-c wdiff:1,2");
}

static int set_compute(void *field, const char *value, struct err *e)
{
	struct diff_compute *d = field;
	struct sv rest = sv_from(value ? value : diff_hows[COMPARE_DELTA_ABS]), name;
	bool more = memchr(rest.s, ':', rest.n);

	sv_cut(&rest, ':', &name);
	for (d->how = COMPARE_DELTA; d->how <= COMPARE_WDIFF && !sv_eq(name, diff_hows[d->how]); d->how++)
		;
	if (sv_eq(name, "cycles"))
		return err_set(e, EOPNOTSUPP, "%s", no_cycles);
	if (d->how > COMPARE_WDIFF || (more && d->how != COMPARE_WDIFF))
		return err_set(e, EINVAL, "'%s' is none of delta, delta-abs, ratio and wdiff:W1,W2", value);
	return d->how == COMPARE_WDIFF ? set_weights(d, rest, e) : 0;
}

static int set_color(void *field, const char *value, struct err *e)
{
	*(const char **)field = value;
	return value && (!strcmp(value, "always") || !strcmp(value, "never") || !strcmp(value, "auto")) ? 0 :
	       err_set(e, EINVAL, "'%s' is none of always, never and auto", value ? value : "");
}

static const struct opt opts[] = {
	OPT_HEAD("Input"),
	OPT_STR(0, "symfs", struct want, session.symfs, "<dir>", "folder with the recorded machines' files"),
	OPT_STR('k', "vmlinux", struct want, session.vmlinux, "<file>", "vmlinux of the recorded kernel"),
	OPT_STR(0, "kallsyms", struct want, session.kallsyms, "<file>",
		"copy of the recorded machine's /proc/kallsyms"),
	OPT_FLAG(0, "no-demangle", struct want, session.mangled, "do not demangle C++ and Rust symbols"),
	OPT_HEAD("Filters"),
	OPT_LIST('C', "comms", struct want, filter.comms, "<names>", "only these command names"),
	OPT_LIST('d', "dsos", struct want, filter.dsos, "<names>", "only these DSOs, by name or path"),
	OPT_LIST('S', "symbols", struct want, filter.symbols, "<names>", "only these symbols"),
	OPT_STR(0, "cpu", struct want, filter.cpus, "<list>", "only these CPUs: 0,2-5"),
	OPT_LIST(0, "pid", struct want, filter.pids, "<list>", "only these processes, by PID"),
	OPT_LIST(0, "tid", struct want, filter.tids, "<list>", "only these threads, by TID"),
	OPT_STR(0, "time", struct want, filter.time, "<from>,<to>",
		"only this time range, in seconds, or a part of each recording: 10%-20%; <from>,<to>:<from>,<to>: a "
		"range per recording"),
	OPT_HEAD("Rows"),
	OPT_STR('s', "sort", struct want, sort, "<keys>",
		"sort keys: pid tid comm dso symbol srcline srcfile cpu socket parent parallelism, of tracepoints "
		"FIELD, EVENT.FIELD (default dso,symbol; +cpu adds a key)"),
	OPT_CALL('c', "compute", 0, struct want, compute, set_compute, "<how>",
		 "delta-abs (default): difference of percentages, sorted by absolute value; delta: sorted by value; "
		 "ratio: of periods; wdiff:W1,W2: W2 * new period - W1 * old period"),
	OPT_U64('o', "order", struct want, order, "<n>",
		"sort rows by the <n>th recording's differences (default 1); 0: by the baseline's weights"),
	OPT_FLAG('b', "baseline-only", struct want, baseline_only,
		"only rows that are in the baseline and in another recording"),
	OPT_CALL(0, "percentage", 0, struct want, percentage, report_set_percentage, "<how>",
		 "percentages of all samples (absolute), or of those that pass the filters (relative)"),
	OPT_HEAD("Output"),
	OPT_FLAG('p', "period", struct want, periods, "show the periods, too"),
	OPT_FLAG('F', "formula", struct want, formula, "show the formula of each value, too (text only)"),
	OPT_FLAG('j', "json", struct want, json, "print as JSON"),
	OPT_STR('x', "csv", struct want, sep, "<sep>", "print as CSV with this separator"),
	OPT_FLAG('q', "quiet", struct want, quiet, "print no comment lines"),
	OPT_CALL(0, "stdio-color", 0, struct want, color, set_color, "<when>",
		 "use colors: always, never, auto (default: on a terminal)"),
	OPT_COUNT('v', "verbose", struct want, verbose, "print full paths of DSOs and function parameters"),
	OPT_HEAD("Effort"),
	OPT_SUB(budget_opts, struct want, budget),
	{ OPT_AT('t', "field-separator", STR, struct want, sep), .flags = OPT_HIDDEN },
	OPT_IGNORED('f', "force", FLAG, struct want, ignored),
	OPT_IGNORED('m', "modules", FLAG, struct want, ignored),
	OPT_REFUSED('D', "dump-raw-trace", OPT_NO_VALUE, "", "one recording at a time is dumped",
		    "sonde report -D -i FILE"),
	OPT_REFUSED(0, "cycles-hist", OPT_NO_VALUE, "", "branch stacks are not compared", "-c delta"),
	OPT_REFUSED(0, "stream", OPT_NO_VALUE, "", "branch stacks are not compared", "-c delta"),
	OPT_END,
};

static void defaults(void *want)
{
	struct want *w = want;

	w->order = 1;
	w->compute.how = COMPARE_DELTA_ABS;
}

struct diff {
	struct ctx *c;
	const struct want *want;
	struct report_want report;    /* the sort keys, as options of report */
	struct diff_show show;
	VEC(struct diff_event) events;
	struct names names;           /* interned event labels, heads and names of keys */
	struct mem_out key;
	bool any;                     /* at least one sample passed the filters */
};

/* The state of reading one of the recordings. */
struct part {
	struct diff *diff;
	size_t of;
	struct session session;
	struct values values;
	struct report_cols cols;
	struct filter_want filter;
	struct profile profile;
	struct profile_parent parent;
	struct arena arena;           /* memory of the compiled parent pattern */
};

static void note(void *arg, const char *line)
{
	const struct part *p = arg;

	cmd_note(p->diff->c, "%s: %s", p->diff->show.paths[p->of], line);
}

/* --- rows --- */

/* A symbol is compared by name alone: the rest of report's cell may differ between builds of the same function. */
static void put_cell(struct diff *d, const struct report_view *v, uint32_t row, size_t col)
{
	const struct hist_frame *f = &v->profile->frames.v.v[v->hist->rows.v[row].frame];
	char buf[1024];

	if (col != NO_COL && v->cols->v[col] != COL_SYM)
		out_str(&d->key.out, report_cell(v, row, col, buf, sizeof(buf)));
	else if (col != NO_COL && f->sym)
		out_str(&d->key.out, f->sym);
	out_char(&d->key.out, '\0');
}

/* The column of this recording that matches the baseline's key. Tracepoint fields match by name. */
static size_t col_of(const struct report_view *v, const struct diff_event *ev, size_t key)
{
	for (size_t i = 0; i < v->cols->n; i++)
		if (v->cols->v[i] == ev->keys.v[key] &&
		    (v->cols->v[i] != COL_VALUE || !strcmp(report_field(v, i)->name, ev->key[key].name)))
			return i;
	return NO_COL;
}

static const char *keep(struct diff *d, const char *text)
{
	uint32_t id = names_add(&d->names, text, strlen(text));

	return id == NAMES_NONE ? NULL : names_str(&d->names, id);
}

static int take_keys(struct diff *d, const struct report_view *v, struct diff_event *ev)
{
	ev->keys = *v->cols;
	for (size_t i = 0; i < ev->keys.n; i++) {
		bool is_value = ev->keys.v[i] == COL_VALUE;

		ev->key[i].head = keep(d, report_head_of(v, i));
		ev->key[i].name = is_value ? keep(d, report_field(v, i)->name) : report_col_key(ev->keys.v[i]);
		ev->key[i].number = is_value && report_field(v, i)->number;
		if (!ev->key[i].head || !ev->key[i].name)
			return -ENOMEM;
	}
	return 0;
}

static int add_rows(struct part *p, const struct report_view *v, struct diff_event *ev)
{
	struct diff *d = p->diff;
	size_t cols[REPORT_COLS_MAX];
	int r = p->of ? 0 : take_keys(d, v, ev);

	for (size_t k = 0; !r && k < ev->keys.n; k++)
		cols[k] = col_of(v, ev, k);
	for (uint32_t i = 0; !r && i < v->hist->rows.n; i++) {
		const struct hist_row *row = &v->hist->rows.v[i];
		bool kernel = v->profile->frames.v.v[row->frame].kernel;

		d->key.n = 0;
		for (size_t k = 0; k < ev->keys.n; k++)
			put_cell(d, v, i, cols[k]);
		mem_out_str(&d->key);
		r = d->key.out.error ? -ENOMEM :
		    compare_add(&ev->rows, p->of, (struct sv){ d->key.v, d->key.n },
				(struct compare_cell){ row->self, row->samples }, kernel ? 'k' : '.');
	}
	return r;
}

static int take_event(struct part *p, size_t event, struct diff_event *ev)
{
	bool relative = report_is_relative(p->diff->want->percentage);
	const struct profile_event *pe = &p->profile.events.v[event];
	struct hist_input in = profile_input(&p->profile);
	struct hist_want hw = {
		.event = (uint32_t)event, .keys = report_keys(&p->cols), .mode = HIST_SELF, .ties = HIST_BY_TEXT,
	};
	struct report_cols cols = report_event_cols(&p->cols, &p->values.events[event]);
	struct hist hist;
	struct report_view v = {
		.want = &p->diff->report, .profile = &p->profile, .cols = &cols, .hist = &hist,
		.values = &p->values.events[event], .event = &p->session.head->events.v[event],
	};
	int r = hist_init(&hist, &in, &hw);

	if (r)
		return r;
	ev->samples[p->of] = relative ? hist.samples : pe->samples;
	ev->weight[p->of] = ev->rows.total[p->of] = relative ? hist.weight : pe->weight;
	p->diff->any |= hist.rows.n > 0;
	r = add_rows(p, &v, ev);
	hist_deinit(&hist);
	return r;
}

/* --- events --- */

/* Add an event of the baseline. NULL: no memory. */
static struct diff_event *new_event(struct diff *d, const struct perf_event *from)
{
	const struct diff_compute *how = &d->want->compute;
	struct compare_want cw = {
		.how = how->how, .w_old = how->w_old, .w_new = how->w_new, .by = (size_t)d->want->order,
		.common = d->want->baseline_only,
	};
	struct diff_event *ev = vec_add(&d->events);
	uint32_t label = names_add(&d->names, from->label, strlen(from->label));

	if (!ev || label == NAMES_NONE)
		return NULL;
	*ev = (struct diff_event){
		.label = names_str(&d->names, label), .type = from->attr.type, .config = from->attr.config,
	};
	compare_init(&ev->rows, d->show.n_paths, &cw);
	return ev;
}

/* By name, else by type and config; not for tracepoints and PMUs, whose numbers may differ from boot to boot. */
static struct diff_event *find_event(struct diff *d, const struct perf_event *want)
{
	enum { BY_NAME, BY_KIND, WAYS };

	for (unsigned way = BY_NAME; way < WAYS; way++)
		for (size_t i = 0; i < d->events.n; i++) {
			struct diff_event *ev = &d->events.v[i];
			bool same = way == BY_NAME ? !strcmp(ev->label, want->label) :
				    ev->type == want->attr.type && ev->config == want->attr.config &&
				    ev->type <= PERF_RAW && ev->type != PERF_TRACEPOINT;

			if (same && !ev->taken)
				return ev;
		}
	return NULL;
}

static int take_events(struct part *p)
{
	struct diff *d = p->diff;
	int r = 0;

	for (size_t i = 0; i < d->events.n; i++)
		d->events.v[i].taken = false;
	for (size_t i = 0; !r && i < p->session.head->events.n; i++) {
		const struct perf_event *from = &p->session.head->events.v[i];
		struct diff_event *ev;

		/* A dummy event that only carries side-band records has no samples: give it no table. */
		if (!p->profile.events.v[i].samples && attr_is_dummy(&from->attr))
			continue;
		ev = p->of ? find_event(d, from) : new_event(d, from);
		if (!ev && !p->of)
			return -ENOMEM;
		if (!ev) {
			cmd_note(d->c, "%s has no event '%s', which %s has: it is left out", d->show.paths[0],
				 from->label, d->show.paths[p->of]);
			continue;
		}
		ev->taken = true;
		r = take_event(p, i, ev);
	}
	for (size_t i = 0; p->of && !r && i < d->events.n; i++)
		if (!d->events.v[i].taken)
			cmd_note(d->c, "%s has no event '%s'", d->show.paths[p->of], d->events.v[i].label);
	return r;
}

/* --- recordings --- */

/* "FROM,TO:FROM,TO": a time range per recording, as their clocks differ; the last one also for those after it. */
static int part_time(struct part *p, struct err *e)
{
	struct sv rest = sv_from(p->diff->want->filter.time ? p->diff->want->filter.time : ""), piece = { 0 };
	uint32_t id;

	p->filter = p->diff->want->filter;
	if (!p->filter.time || !memchr(rest.s, ':', rest.n))
		return 0;
	for (size_t i = 0; i <= p->of && rest.n; i++)
		sv_cut(&rest, ':', &piece);
	id = names_add(&p->diff->names, piece.s, piece.n);
	if (id == NAMES_NONE)
		return err_nomem(e);
	p->filter.time = names_str(&p->diff->names, id);
	return 0;
}

static int part_keys(struct part *p, struct err *e)
{
	int r = report_parse_cols(&p->cols, &p->diff->report, HIST_SELF, &p->values, e);

	for (size_t i = 0; !r && i < p->cols.n; i++)
		if (p->cols.v[i] <= COL_PERIOD || (p->cols.v[i] >= COL_TYPE && p->cols.v[i] <= COL_SYMOFF))
			r = err_set(e, EINVAL, "-s %s: that is no key of diff", p->diff->want->sort);
	return r == -EINVAL && !*e->hint ?
	       err_hint(e, "keys: pid tid comm dso symbol srcline srcfile cpu socket parent parallelism, and fields of "
			"tracepoints") : r;
}

static int part_read(struct part *p, struct err *e)
{
	struct profile_want pw = {
		.values = &p->values, .chains = PROFILE_FLAT,
		.budget = budget_of(&p->diff->want->budget, p->diff->c->sys),
	};
	int r = part_keys(p, e);

	r = r ? r : part_time(p, e);
	if (r)
		return r;
	pw.keys = report_keys(&p->cols) & HIST_GROUP_KEYS;
	pw.rows = report_keys(&p->cols) & ~HIST_GROUP_KEYS;
	pw.nowhere = !pw.rows;
	r = report_tell_running(&p->cols, &p->session, &pw, e);
	r = r ? r : report_tell_parent(&p->diff->report.keys.parent, &p->session, &p->arena, &p->parent, &pw, e);
	if (r)
		return r;
	if (pw.parent)
		pw.chains = PROFILE_CHAINS;
	r = profile_init(&p->profile, &p->session, &pw, &p->filter, e);
	if (r)
		return r;
	r = take_events(p) ? err_nomem(e) : 0;
	session_footer(&p->session, p->diff->want->verbose ? SESSION_ALL : SESSION_LOSSES, note, p);
	profile_footer(&p->profile, note, p);
	if (p->values.others)
		note(p, "samples have more different values than are kept: some are [other]");
	profile_deinit(&p->profile);
	return r;
}

/* Read one recording. Only its rows are kept, so memory does not grow with the number of samples. */
static int take_part(struct diff *d, size_t of, struct err *e)
{
	struct session_want sw = d->want->session;
	struct part p = { .diff = d, .of = of };
	int r;

	sw.path = d->show.paths[of];
	sw.full = d->want->verbose > 0;
	r = session_open(&p.session, d->c->sys, &sw, e);
	if (r == -ENOENT)
		return err_hint(e, "'sonde record' makes one; sonde diff OLD NEW names others");
	if (r)
		return r;
	r = values_init(&p.values, &p.session, e);
	if (!r) {
		r = part_read(&p, e);
		values_deinit(&p.values);
	}
	arena_deinit(&p.arena);
	d->c->incomplete |= session_incomplete(&p.session);
	session_close(&p.session);
	return r;
}

/* --- output --- */

static int write_all(struct diff *d)
{
	struct out *o = d->c->out;
	struct json j = json_on(o);
	int r = 0;

	if (d->want->json)
		json_begin_array(&j);
	for (size_t i = 0; !r && i < d->events.n; i++) {
		if (d->want->json) {
			r = diff_json(&d->show, &d->events.v[i], &j);
		} else if (d->want->sep) {
			r = diff_csv(&d->show, &d->events.v[i], o);
		} else {
			if (i && !d->want->quiet)
				out_char(o, '\n');
			r = diff_text(&d->show, &d->events.v[i], o);
		}
	}
	if (d->want->json) {
		json_end(&j);
		out_char(o, '\n');
	}
	return r;
}

static int show(struct diff *d, struct err *e)
{
	int pager, r;

	if (d->want->color && strcmp(d->want->color, "auto"))
		d->c->out->color = !strcmp(d->want->color, "always");
	pager = tty_pager_begin(d->c->out);
	r = write_all(d);
	tty_pager_end(d->c->out, pager);
	if (!r && !d->any)
		cmd_note_chosen(d->c);
	return r ? err_nomem(e) : 0;
}

/* "+cpu" adds keys to the default ones. */
static int keys_text(struct diff *d, struct err *e)
{
	const char *sort = d->want->sort ? d->want->sort : USUAL_SORT;
	uint32_t id;

	d->key.n = 0;
	if (*sort == '+')
		out_str(&d->key.out, USUAL_SORT ",");
	out_str(&d->key.out, sort + (*sort == '+'));
	mem_out_str(&d->key);
	id = d->key.out.error ? NAMES_NONE : names_add(&d->names, d->key.v, d->key.n);
	if (id == NAMES_NONE)
		return err_nomem(e);
	d->report = (struct report_want){ .fields = names_str(&d->names, id), .verbose = d->want->verbose };
	d->report.keys.as_perf = cmd_is_perf(d->c);
	return 0;
}

static int diff(struct diff *d, struct err *e)
{
	int r = keys_text(d, e);

	for (size_t i = 0; !r && i < d->show.n_paths; i++)
		r = take_part(d, i, e);
	r = r ? r : show(d, e);
	for (size_t i = 0; i < d->events.n; i++)
		compare_deinit(&d->events.v[i].rows);
	vec_free(&d->events);
	names_deinit(&d->names);
	return r;
}

static int check(const struct want *w, size_t n, const char *const *paths, struct err *e)
{
	size_t pipes = 0;

	for (size_t i = 0; i < n; i++)
		pipes += !strcmp(paths[i], "-");
	if (n > COMPARE_MAX)
		return err_set(e, EINVAL, "%zu recordings: %d at most", n, COMPARE_MAX);
	if (pipes > 1)
		return err_set(e, EINVAL, "one recording at most comes from standard input");
	if (w->order >= n)
		return err_set(e, EINVAL, "-o %llu: the last recording is number %zu", (unsigned long long)w->order,
			       n - 1);
	return w->json && w->sep ? err_set(e, EINVAL, "-j and -x are two forms of the same") : 0;
}

/* As in perf, options may follow recordings. Moves the recordings to the front; returns their number or -EINVAL. */
static int take_words(const struct ctx *c, void *want, int argc, char **argv, struct err *e)
{
	int n = 0;

	for (int i = 0; i < argc; ) {
		if (argv[i][0] == '-' && argv[i][1]) {
			int next = opt_parse(c->cmd->opts, want, argc - i + 1, argv + i - 1, e);

			if (next < 0)
				return next;
			i += next - 1;
		} else {
			argv[n++] = argv[i++];
		}
	}
	return n;
}

static int diff_run(struct ctx *c, void *want, int argc, char **argv)
{
	const struct want *w = want;
	const char *usual[] = { "perf.data.old", argc ? argv[0] : "perf.data" };
	struct diff d = { .c = c, .want = w };
	struct err e = { 0 };
	int r;

	argc = take_words(c, want, argc, argv, &e);
	if (argc < 0)
		return cmd_usage(c, c->cmd, &e);
	d.show = (struct diff_show){
		.paths = argc > 1 ? (const char *const *)argv : usual, .n_paths = argc > 1 ? (size_t)argc : 2,
		.sep = w->sep, .periods = w->periods, .formula = w->formula, .quiet = w->quiet,
		.verbose = w->verbose > 0,
	};
	if (check(w, d.show.n_paths, d.show.paths, &e))
		return cmd_usage(c, c->cmd, &e);
	mem_out_init(&d.key);
	r = diff(&d, &e);
	mem_out_deinit(&d.key);
	return r == -EINVAL ? cmd_usage(c, c->cmd, &e) : r ? cmd_fail(c, &e) : EXIT_DONE;
}

DEFINE_CMD(diff, .brief = "Compare recordings: differences in overhead, row by row",
	   .synopsis = "[options] [old] [new ...]",
	   .details = PACKED(
		      "Compares perf.data.old with perf.data; a single argument replaces perf.data. Functions are "
		      "matched by name, not by address. A column is empty if that recording has no sample of the row."),
	   .examples = PACKED(
		       "sonde diff\tthe last recording and the one before it\n"
		       "sonde diff before.data after.data\ttwo other recordings\n"
		       "sonde diff -c ratio -p -s comm,dso before.data after.data\tratios, with the periods\n"
		       "sonde diff -d nginx -b v1.data v2.data v3.data\tthree recordings, one DSO, only rows of the "
		       	"baseline\n"
		       "sonde diff -j before.data after.data\tfor scripts\n"),
	   .opts = opts, .want_size = sizeof(struct want), .defaults = defaults, .run = diff_run);
