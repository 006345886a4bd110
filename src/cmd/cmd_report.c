/* cmd_report.c - sonde report: the profile of a recording. */
#include "cmd/cmd.h"

#include "cmd/browse/browse.h"
#include "cmd/report/header.h"
#include "cmd/report/records.h"
#include "perf/attr.h"
#include "sys/tty.h"

static int set_chains(void *field, const char *value, struct err *e)
{
	struct report_want *w = field;

	if (!value)
		return 0;
	return report_parse_chains(&w->chains, value, e);
}

static int set_limit(void *field, const char *value, struct err *e)
{
	struct report_want *w = field;
	struct sv text = sv_from(value ? value : "0");
	uint64_t millionths;

	if (text.n && text.s[text.n - 1] == '%')
		text.n--;
	if (!text.n || text.s[text.n - 1] > '9' || !str_time(text, 1000000, &millionths))
		return err_set(e, EINVAL, "'%s' is not a percentage", value);
	w->percent_limit = (double)millionths / 1000000;
	if (w->percent_limit > 100)
		return err_set(e, EINVAL, "'%s' is more than there is: no row has more than 100 %%", value);
	return 0;
}

static int set_quantum(void *field, const char *value, struct err *e)
{
	static const struct {
		const char *unit;
		uint64_t ns;
	} units[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };
	struct report_want *w = field;
	char *end;
	unsigned long long n = value ? strtoull(value, &end, 10) : 0;

	for (size_t i = 0; value && *value >= '0' && *value <= '9' && i < ARRAY_SIZE(units); i++)
		if (!strcmp(end, units[i].unit) && n && n <= UINT64_MAX / 2 / units[i].ns) {
			w->keys.quantum = n * units[i].ns;
			return 0;
		}
	return err_set(e, EINVAL, "'%s' is no time: 10ms, 500us, 1s", value ? value : "");
}

static int set_socket(void *field, const char *value, struct err *e)
{
	struct report_socket_want *w = field;
	uint64_t id = 0;

	w->chosen = value != NULL;
	if (value && (!str_u64(sv_from(value), 10, &id) || id > INT32_MAX))
		return err_set(e, EINVAL, "'%s' is not the number of a socket", value);
	w->id = (int32_t)id;
	return 0;
}

static int set_color(void *field UNUSED, const char *value, struct err *e)
{
	struct report_want *w = field;

	w->form.color = value = value ? value : "always";
	return !strcmp(value, "always") || !strcmp(value, "never") || !strcmp(value, "auto") ? 0 :
	       err_set(e, EINVAL, "'%s' is none of always, never and auto", value);
}

static int no_threads(void *want UNUSED, const char *value UNUSED, struct err *e)
{
	err_set(e, EOPNOTSUPP, "counters of each thread are not shown");
	return err_hint(e, "-s tid tells the samples of threads apart");
}

static int no_widths(void *want UNUSED, const char *value UNUSED, struct err *e)
{
	err_set(e, EOPNOTSUPP, "columns are as wide as what is in them");
	return err_hint(e, "-x SEP is for programs");
}

#define REFUSED(l, n, fn) OPT_CALL_WANT(l, n, OPT_HIDDEN | OPT_NO_VALUE, fn, "", "")
#define ACCEPTED(l, n, k, f)                                                                                          \
	{                                                                                                             \
		.letter = (l), .kind = (k), .flags = OPT_HIDDEN, .off = offsetof(struct report_want, f), .name = (n)  \
	}

static const struct opt header_opts[] = {
	OPT_FLAG(0, "header", struct report_header_want, on, "print the header of the recording, too"),
	OPT_FLAG(0, "header-only", struct report_header_want, only, "print only the header"),
	OPT_FLAG('I', "show-info", struct report_header_want, full,
		 "print the header with CPU topology, caches and NUMA nodes"),
	OPT_END,
};

static const struct opt parent_opts[] = {
	OPT_STR('p', "parent", struct report_parent_want, pattern, "<regex>",
		"add the sort key parent: the caller that matches this regex (default ^sys_|^do_page_fault)"),
	OPT_FLAG(0, "exclude-other", struct report_parent_want, alone,
		 "leave out samples without such a caller ([other])"),
	OPT_END,
};

const struct opt report_opts[] = {
	OPT_HEAD("Input"),
	OPT_SUB(session_opts, struct report_want, session),
	OPT_SUB(filter_opts, struct report_want, filter),
	OPT_CALL(0, "socket-filter", 0, struct report_want, socket, set_socket, "<n>",
		 "only CPUs of this socket; percentages stay those of all samples"),
	OPT_HEAD("Rows"),
	OPT_STR('s', "sort", struct report_want, sort, "<keys>",
		"sort keys: pid tid comm dso symbol symoff srcline srcfile cpu socket parent parallelism time "
		"local_weight; of memory accesses mem snoop tlb locked blocked symbol_daddr dso_daddr phys_daddr; of "
		"tracepoints FIELD EVENT.FIELD EVENT.* trace trace_fields, as numbers with /raw; of data types type "
		"typeoff typecln (default comm,dso,symbol; trace if all events are tracepoints; +cpu adds a key)"),
	OPT_STR('F', "fields", struct report_want, fields, "<columns>",
		"columns: overhead latency children sample period and the sort keys"),
	OPT_SUB(parent_opts, struct report_want, keys.parent),
	OPT_FLAG(0, "hierarchy", struct report_want, keys.levels,
		 "nest the rows, one level per sort key; each event separately, no rows of callers"),
	OPT_FLAG(0, "latency", struct report_want, keys.latency,
		 "latency profile: the more tasks run in parallel, the less a sample weighs"),
	OPT_FLAG(0, "mem-mode", struct report_want, keys.by_weight,
		 "show loads and stores by their latency in cycles (default keys local_weight mem sym dso symbol_daddr "
		 "dso_daddr snoop tlb locked blocked)"),
	OPT_CALL_WANT(0, "time-quantum", 0, set_quantum, "<time>", "time slice of the key time: 10ms (default 100ms)"),
	OPT_FLAG(0, "children", struct report_want, children,
		 "add the overhead of callees to their callers (default with call chains)"),
	OPT_FLAG('n', "show-nr-samples", struct report_want, samples, "show the number of samples of each row"),
	OPT_FLAG(0, "show-total-period", struct report_want, period, "show the sum of periods of each row"),
	OPT_FLAG(0, "showcpuutilization", struct report_want, keys.spaces,
		 "show the sys and user parts of the overhead (guests: -F overhead_guest_sys,overhead_guest_us)"),
	OPT_CALL_WANT(0, "percent-limit", 0, set_limit, "<percent>", "leave out rows below this overhead"),
	OPT_CALL(0, "percentage", 0, struct report_want, percentage, report_set_percentage, "<how>",
		 "percentages of all samples (absolute), or of those that pass the filters (relative)"),
	OPT_COUNT(0, "group", struct report_want, group,
		  "show all events side by side, as a group's; --no-group: one after the other"),
	OPT_HEAD("Call chains"),
	OPT_CALL_WANT('g', "call-graph", OPT_LAST_DEFAULT, set_chains, "<how>",
		      "comma-separated: graph, fractal, flat, folded or none; caller or callee; minimum percentage "
		      "(graph,0.5)"),
	OPT_FLAG('G', "inverted", struct report_want, inverted, "print call chains caller first"),
	OPT_U64(0, "max-stack", struct report_want, max_stack, "<n>",
		"use only the <n> innermost frames (default all)"),
	SESSION_OPT_INLINE(struct report_want),
	OPT_STR(0, "ignore-callees", struct report_want, ends, "<regex>",
		"add the callees of functions that match to these functions"),
	OPT_HEAD("Effort"),
	OPT_SUB(budget_opts, struct report_want, budget),
	OPT_HEAD("Output"),
	OPT_FLAG(0, "stdio", struct report_want, form.text, "print text, also on a terminal, through $PAGER"),
	OPT_FLAG(0, "tui", struct report_want, form.browser, "interactive browser (default on a terminal)"),
	OPT_FLAG('j', "json", struct report_want, json, "print as JSON, with call chains"),
	OPT_STR('x', "csv", struct report_want, sep, "<sep>", "print as CSV with this separator"),
	OPT_SUB(header_opts, struct report_want, head),
	OPT_SUB(records_opts, struct report_want, records),
	OPT_FLAG('q', "quiet", struct report_want, quiet, "print no comment lines and no column headers"),
	OPT_CALL_WANT(0, "stdio-color", 0, set_color, "<when>",
		"use colors: always, never, auto (default: on a terminal)"),
	OPT_COUNT('v', "verbose", struct report_want, verbose, "print full paths of DSOs and function parameters"),
	ACCEPTED('t', "field-separator", OPT_KIND_STR, sep),
	/* Options of perf for what is done anyway ... */
	ACCEPTED('f', "force", OPT_KIND_FLAG, form.ignored),
	ACCEPTED('m', "modules", OPT_KIND_FLAG, form.ignored),
	/* ... and for what is not done. */
	ACCEPTED(0, "demangle-kernel", OPT_KIND_FLAG, session.kernel_plain),
	REFUSED('T', "threads", no_threads),
	OPT_CALL_WANT('w', "column-widths", OPT_HIDDEN, no_widths, "", ""),
	OPT_END,
};

void report_defaults(void *want)
{
	struct report_want *w = want;

	w->children = true;
	w->group = 1;
	w->keys.quantum = VALUES_QUANTUM;
	w->chains.min_percent = 0.5;
}

static void note(void *arg, const char *line)
{
	cmd_note(arg, "%s", line);
}

/* Do chains begin at the caller? In a hierarchy with --children they do in perf, although callers have no rows. */
static bool callers_first(const struct report *r)
{
	return r->mode == HIST_CHILDREN || (r->want->keys.levels && r->want->children);
}

static struct report_view view_of(struct report *r, size_t event, struct hist *h, const struct report_cols *cols)
{
	const struct report_want *w = r->want;
	const struct profile_event *pe = &r->profile.events.v[event];
	bool relative = report_is_relative(w->percentage);
	struct report_view v = {
		.want = w,
		.profile = &r->profile,
		.cols = cols,
		.values = &r->values.events[event],
		.event = &r->session->head->events.v[event],
		.hist = h,
		.mode = r->mode,
		.part = r->part,
		.chains = w->chains,
		.samples = relative ? h->samples : pe->samples,
		.latency = relative ? report_latency_sum(h) : pe->latency,
		.weight = relative ? h->weight : pe->weight,
	};

	v.total = v.weight;
	if (!pe->with_chain)
		v.chains.graph = GRAPH_NONE;
	else if (v.chains.graph == GRAPH_DEFAULT)
		v.chains.graph = GRAPH_TREE;
	if (v.chains.order == ORDER_DEFAULT)
		v.chains.order = w->inverted || callers_first(r) ? ORDER_CALLER : ORDER_CALLEE;
	v.root = v.chains.order == ORDER_CALLER ? HIST_CALLER : HIST_CALLEE;
	return v;
}

bool report_worth_showing(const struct report *r, size_t event)
{
	const struct perf_event *ev = &r->session->head->events.v[event];

	return r->profile.events.v[event].samples || !(attr_is_dummy(&ev->attr) || ev->traced);
}

int report_shown_init(struct report *r, size_t event, struct report_shown_event *s, struct report_view *v)
{
	struct hist_input in = profile_input(&r->profile);
	struct hist_want hw = {
		.event = (uint32_t)event, .keys = report_keys(&r->cols), .mode = r->mode,
		.ties = r->want->chains.graph == GRAPH_NONE ? HIST_BY_TEXT : HIST_BY_DEPTH,
		.by_latency = r->want->keys.latency,
	};
	int err = hist_init(&s->hist, &in, &hw);

	if (err)
		return err;
	s->order = hist_order(&s->hist);
	if (!s->order)
		return -ENOMEM;
	s->cols = report_event_cols(&r->cols, &r->values.events[event]);
	*v = view_of(r, event, &s->hist, &s->cols);
	v->order = s->order;
	r->shown++;
	return 0;
}

void report_shown_deinit(struct report_shown_event *s)
{
	free(s->order);
	hist_deinit(&s->hist);
}

static int write_text(struct report *r, struct report_view *v, size_t n)
{
	struct report_rows rows = { .v = v->order, .n = v->hist->rows.n, .n_events = 1 };
	int err;

	if (r->want->keys.levels)
		return report_levels(v, r->c->out);
	if (n == 1)
		return report_text(v, &rows, r->c->out);
	err = report_join(&rows, v, n);
	if (!err)
		err = report_text(v, &rows, r->c->out);
	report_rows_deinit(&rows);
	return err;
}

/* Print n events side by side; n is 1 for all formats but text. */
static int write_views(struct report *r, struct report_view *v, size_t n)
{
	double least = v->chains.min_percent / 100 * (double)v->total;
	int err = v->chains.graph == GRAPH_NONE ? 0 : hist_index(v->hist, (uint64_t)least);

	if (err)
		return err;
	if (r->want->json)
		err = report_json(v, &r->json);
	else
		err = r->want->sep ? report_csv(v, r->c->out) : write_text(r, v, n);
	branches_deinit(&v->branches);
	return err;
}

static int show_events(struct report *r, const size_t *events, size_t n)
{
	struct report_shown_event shown[REPORT_GROUP_MAX] = { 0 };
	struct report_view views[REPORT_GROUP_MAX];
	int err = 0;

	for (size_t i = 0; i < n && !err; i++)
		err = report_shown_init(r, events[i], &shown[i], &views[i]);
	if (!err)
		err = write_views(r, views, n);
	for (size_t i = 0; i < n; i++)
		report_shown_deinit(&shown[i]);
	return err;
}

/* Columns of tracepoint fields belong to one event, so such a report shows each event by itself. */
static bool side_by_side(const struct report *r)
{
	const struct report_want *w = r->want;

	return w->group && !w->keys.levels && !w->json && !w->sep && !(report_keys(&r->cols) & HIST_VALUES);
}

size_t report_group_of(const struct report *r, size_t first, size_t events[REPORT_GROUP_MAX])
{
	const struct perf_event *ev = r->session->head->events.v;
	bool all = r->want->group > 1;
	size_t n = 0;

	events[n++] = first;
	for (size_t i = first + 1; side_by_side(r) && i < r->session->head->events.n && n < REPORT_GROUP_MAX; i++)
		if (report_worth_showing(r, i) && (all || ev[i].group_leader == ev[first].group_leader))
			events[n++] = i;
	return n;
}

static void text_head(struct report *r)
{
	struct out *o = r->c->out;

	if (r->want->quiet)
		return;
	if (!r->want->head.on)
		out_str(o, "# To display the perf.data header info, please use --header/--header-only options.\n#\n");
	out_printf(o, "#\n# Total Lost Samples: %llu\n#\n", (unsigned long long)r->session->stats.lost_samples);
}

static int show_all(struct report *r, struct err *e)
{
	bool text = !r->want->json && !r->want->sep;
	int err = 0;

	if (text)
		text_head(r);
	if (r->want->json) {
		r->json = json_on(r->c->out);
		json_begin_array(&r->json);
	}
	for (size_t i = 0, n; i < r->session->head->events.n && !err; i++) {
		size_t events[REPORT_GROUP_MAX];

		if (!report_worth_showing(r, i))
			continue;
		n = report_group_of(r, i, events);
		err = show_events(r, events, n);
		i = events[n - 1];
	}
	if (r->want->json) {
		json_end(&r->json);
		out_char(r->c->out, '\n');
	}
	return err ? err_nomem(e) : 0;
}

/* As in perf: if callers have rows, --symbol-filter selects rows, not samples, as only a caller may have the name. */
static void choose_rows(struct report *r)
{
	r->filter = r->want->filter;
	if (r->mode != HIST_CHILDREN || !(report_keys(&r->cols) & HIST_SYM))
		return;
	r->part = r->filter.symbol_part;
	r->filter.symbol_part = NULL;
}

/* As in perf, a sample's parent is the first match in the order in which chains are shown. */
static int tell_by_parent(struct report *r, struct profile_want *pw, struct err *e)
{
	const struct report_want *w = r->want;

	r->parent.from_outside = w->chains.order == ORDER_CALLER ||
				 (!w->chains.order && (w->inverted || callers_first(r)));
	return report_tell_parent(&w->keys.parent, r->session, &r->arena, &r->parent, pw, e);
}

/* Levels are nested JSON objects, whose depth is limited. */
static int check_levels(const struct report *r, struct err *e)
{
	for (size_t i = 0; r->want->keys.levels && r->want->json && i < r->session->head->events.n; i++)
		if (report_event_cols(&r->cols, &r->values.events[i]).n > REPORT_JSON_LEVELS)
			return err_set(e, EINVAL, "-s: no more than %u levels of JSON", REPORT_JSON_LEVELS - 1u);
	return 0;
}

static int choose_socket(struct report *r, struct profile_want *pw, struct err *e)
{
	const struct report_want *w = r->want;
	struct cpu_places places;
	int err = w->socket.chosen ? topology_read(&places, r->session->head) : 0;

	if (!w->socket.chosen || err)
		return err ? err_nomem(e) : 0;
	pw->by_socket = true;
	pw->socket = w->socket.id;
	if (!places.v.n)
		err = err_set(e, EOPNOTSUPP, "--socket-filter: the recording does not tell which CPUs a socket has");
	cpu_places_deinit(&places);
	return err ? err_hint(e, "-C CPUS chooses by CPU") : 0;
}

/* 1: browser; 0: text, CSV or JSON; -EINVAL: --tui was given, but a browser is impossible. */
static int form(const struct report *r, struct err *e)
{
	const struct report_want *w = r->want;
	bool other = w->json || w->sep || w->quiet || w->head.on || w->keys.levels || w->form.text ||
		     w->chains.graph == GRAPH_FLAT || w->chains.graph == GRAPH_FOLDED;

	if (!other && browse_can())
		return 1;
	return !w->form.browser ? 0 :
	       other ? err_set(e, EINVAL, "--tui: what else is asked for is a form of text") :
	       err_set(e, EINVAL, "--tui: that takes a terminal, on both input and output, and TERM");
}

static int print(struct report *r, struct err *e)
{
	const struct report_want *w = r->want;
	int pager = tty_pager_begin(r->c->out), err;

	if (w->head.on && !w->json && !w->sep)
		report_header(r->session, w->head.full, r->c->out);
	err = show_all(r, e);
	tty_pager_end(r->c->out, pager);
	return err;
}

static int report(struct report *r, struct err *e)
{
	struct report_want *w = r->want;
	struct profile_want pw = { .max_stack = w->max_stack, .values = &r->values, .by_weight = w->keys.by_weight,
				   .budget = budget_of(&w->budget, r->c->sys) };
	bool browses = form(r, e) > 0;
	int err = w->form.browser && !browses ? -EINVAL : 0;
	char text[32];

	if (w->form.color && strcmp(w->form.color, "auto"))
		r->c->out->color = !strcmp(w->form.color, "always");
	if (!err && w->ends) {
		err = rex_init_extended(&r->ends, &r->arena, sv_from(w->ends), e);
		pw.ends = &r->ends;
	}
	if (err)
		return err;
	r->chains = report_has_chains(r->session);
	r->mode = w->children && r->chains && !w->keys.levels && !w->keys.latency ? HIST_CHILDREN : HIST_SELF;
	err = report_parse_cols(&r->cols, w, r->mode, &r->values, e);
	if (err)
		return err;
	pw.keys = report_keys(&r->cols) & HIST_GROUP_KEYS;
	pw.rows = report_keys(&r->cols) & ~HIST_GROUP_KEYS;
	pw.inlines = !w->session.outlined && r->chains;
	pw.keys |= report_spaces(&r->cols);
	err = check_levels(r, e);
	err = err ? err : report_tell_running(&r->cols, r->session, &pw, e);
	err = err ? err : tell_by_parent(r, &pw, e);
	err = err ? err : choose_socket(r, &pw, e);
	if (err)
		return err;
	pw.chains = r->mode == HIST_SELF && w->chains.graph == GRAPH_NONE && !w->ends && !pw.parent ? PROFILE_FLAT
												     : PROFILE_CHAINS;
	pw.nowhere = !pw.rows && (pw.chains == PROFILE_FLAT || !r->chains);
	choose_rows(r);
	err = profile_init(&r->profile, r->session, &pw, &r->filter, e);
	if (err)
		return err;
	err = browses ? browse(r, e) : print(r, e);
	if (!err && !r->session->stats.samples)
		cmd_note(r->c, "no samples in %s", r->session->path);
	else if (!err && r->profile.tree.nodes.n == 1 && r->profile.filtered)
		cmd_note_chosen(r->c);
	if (!err && r->values.others)
		cmd_note(r->c, "%s samples have more different values than are kept: they are [other]",
			 fmt_grouped(text, sizeof(text), r->values.others));
	session_footer(r->session, w->verbose || w->head.on ? SESSION_ALL : SESSION_LOSSES, note, r->c);
	profile_footer(&r->profile, note, r->c);
	profile_deinit(&r->profile);
	return err;
}

int report_session(struct ctx *c, struct report_want *w, struct session *s, struct err *e)
{
	struct report r = { .c = c, .want = w, .session = s };
	int err = 0;

	if (w->head.only) {
		report_header(s, w->head.full, c->out);
		session_footer(s, SESSION_LOSSES, note, c);
	} else if (records_wanted(&w->records)) {
		if (w->head.on)
			report_header(s, w->head.full, c->out);
		err = report_records(c, &w->records, s, e);
		session_footer(s, SESSION_LOSSES, note, c);
	} else {
		err = values_init(&r.values, s, e);
		r.values.quantum = w->keys.quantum;
		err = err ? err : report(&r, e);
		values_deinit(&r.values);
		arena_deinit(&r.arena);
	}
	c->incomplete |= session_incomplete(s);
	return err;
}

/* Listings of records cover all of them: true if no option restricts or formats samples, and only one is given. */
static bool all_records(const struct report_want *w)
{
	static const struct filter_want none;
	bool two = w->records.dump + w->records.stats + (w->records.tasks || w->records.mmaps) > 1;

	return !two && !memcmp(&w->filter, &none, sizeof(none)) && !w->json && !w->sep && !w->sort && !w->fields &&
	       !w->head.only && !w->socket.chosen;
}

static int report_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct report_want *w = want;
	struct session session;
	struct err e = { 0 };
	int err;

	if (argc > 1 || (argc && w->session.path)) {
		err_set(&e, EINVAL, "what is '%s'? One recording at a time", argv[argc - 1]);
		return cmd_usage(c, cmd_find("report"), &e);
	}
	if (argc)
		w->session.path = argv[0];
	w->session.full = w->verbose > 0;
	w->keys.as_perf = cmd_is_perf(c);
	if (records_wanted(&w->records) && !all_records(w)) {
		err_set(&e, EINVAL,
			"%s tells of all records, as text: it goes without choices, rows, -j and -x",
			records_wanted(&w->records));
		return cmd_usage(c, cmd_find("report"), &e);
	}
	if (w->keys.levels && (w->sep || w->fields)) {
		err_set(&e, EINVAL, "--hierarchy is a layout of text, or of JSON, by -s: it goes without %s",
			w->sep ? "-x" : "-F");
		return cmd_usage(c, cmd_find("report"), &e);
	}
	w->session.rounds = w->records.dump;
	if (session_open(&session, c->sys, &w->session, &e))
		return cmd_fail(c, &e);
	err = report_session(c, w, &session, &e);
	session_close(&session);
	if (err == -EINVAL)
		return cmd_usage(c, cmd_find("report"), &e);
	return err ? cmd_fail(c, &e) : EXIT_DONE;
}

DEFINE_CMD(report, .brief = "Show the profile of a recording", .synopsis = "[options] [-i file]",
	   .examples = PACKED(
		       "sonde report\tby command, DSO and symbol, with call chains if recorded\n"
		       "sonde report --no-children -g none\ta flat profile\n"
		       "sonde report -s dso,symbol --comms nginx\tone command, all its processes\n"
		       "sonde report --no-children -g caller,0.1 -S memcpy\tcallers of memcpy\n"
		       "sonde report -s srcline --no-children\tby source line (needs debug information)\n"
		       "sonde report -s cpu,comm -n\twhich command ran on which CPU\n"
		       "sonde report --no-children -p '^vfs_' -s sym\talso by the callers that match\n"
		       "sonde report -s socket,comm --socket-filter 1\tthe CPUs of one socket\n"
		       "sonde report --header-only -I\tthe recorded machine, with caches and NUMA nodes\n"
		       "sonde report -s time,comm --time-quantum 1s\tcommands in each second\n"
		       "sonde report -s comm,sched_switch.prev_state\ttask state at the switches of each command\n"
		       "sonde report --hierarchy -s comm,dso,sym --percent-limit 1\tsymbols below DSOs below commands\n"
		       "sonde report --latency -s parallelism,comm\twall-clock time rather than CPU time\n"
		       "sonde report --mem-mode --itrace=M -s mem,symbol_daddr\tdata symbols by latency\n"
		       "sonde report -D\tdump each record\n"
		       "sonde report --mmaps\ttasks with their parents and mappings\n"
		       "sonde report -j | jq '.[0].rows[:5]'\tfor scripts\n"),
	   .details = PACKED(
		   "Percentages refer to all samples that pass the process, thread, CPU and time filters. EVENT may be "
		   "a pattern, or a part of the name that only one event has."),
	   .opts = report_opts, .want_size = sizeof(struct report_want), .defaults = report_defaults,
	   .run = report_run);
