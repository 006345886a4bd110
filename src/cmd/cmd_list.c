/* cmd_list.c - `sonde list`: events as text, JSON or bare names. */
#include "cmd/cmd.h"
#include "machine/list.h"
#include "show/json.h"
#include "show/text.h"
#include "sys/output.h"
#include "tracefs/format.h"

#include <fcntl.h>

enum { NAME_COLUMNS = 38, FORMAT_MAX = 1 << 20 };

struct want {
	bool json, raw, all_cores, desc, details, deprecated;
	unsigned verbose;
	const char *core, *unit, *output;
};

static const struct opt opts[] = {
	OPT_COUNT('v', "verbose", struct want, verbose, "encodings; fields and print format of tracepoints"),
	OPT_FLAG('j', "json", struct want, json, "as JSON: an array of events"),
	OPT_FLAG(0, "raw-dump", struct want, raw, "names only, of what this machine has"),
	OPT_STR(0, "core", struct want, core, "<name>", "the event table of this core (neoverse-n1)"),
	OPT_FLAG(0, "all-cores", struct want, all_cores, "the event tables of all known cores"),
	OPT_FLAG(0, "details", struct want, details, "encodings of events, formulas of metrics"),
	OPT_STR(0, "unit", struct want, unit, "<pmu>", "only events of this PMU, and metrics of its cores; * and ? fit"),
	{ OPT_AT(0, "cputype", STR, struct want, unit), .flags = OPT_HIDDEN, .arg = "<pmu>" },
	OPT_STR('o', "output", struct want, output, "<file>", "write there instead of to standard output"),
	{ OPT_AT(0, "long-desc", COUNT, struct want, verbose), .flags = OPT_HIDDEN },
	OPT_IGNORED(0, "deprecated", FLAG, struct want, deprecated),
	OPT_REFUSED(0, "debug", OPT_NO_VALUE, NULL, "there is nothing to watch", "-v tells most of the events"),
	OPT_FLAG('d', "desc", struct want, desc, "what events mean (default; --no-desc: only their names)"),
	OPT_END
};

static void defaults(void *want)
{
	struct want *w = want;

	w->desc = true;
}

struct printer {
	struct ctx *c;
	struct out *o;         /* standard output, or the file of -o */
	const struct want *w;
	struct json json;
	enum list_kind kind;   /* of the heading that stands, LIST_KINDS: none yet */
	char group[128];
	size_t n;
};

static const char *const kind_names[LIST_KINDS] = {
	[LIST_HARDWARE] = "Hardware event", [LIST_SOFTWARE] = "Software event", [LIST_TOOL] = "Tool event",
	[LIST_CACHE] = "Hardware cache event",
	[LIST_PMU] = "Kernel PMU event", [LIST_CORE] = "Core event", [LIST_TRACEPOINT] = "Tracepoint event",
	[LIST_PROBE] = "Dynamic probe", [LIST_METRIC] = "Metric", [LIST_METRICGROUP] = "Metric Group",
	[LIST_OTHER] = "Other",
};

static void heading(struct printer *p, const struct list_item *it)
{
	struct out *o = p->o;
	/* The system of a tracepoint is in its name already. */
	const char *group = it->group && it->kind != LIST_TRACEPOINT ? it->group : "";

	if (p->kind == it->kind && !strcmp(p->group, group))
		return;
	out_printf(o, "%s%s%s%s%s\n", p->n ? "\n" : "", kind_names[it->kind], it->kind == LIST_OTHER ? "" : "s",
		   *group ? " of " : "", group);
	p->kind = it->kind;
	str_copy(p->group, sizeof(p->group), sv_from(group));
}

static const char *field_type(const struct tfield *t, char *buf, size_t size)
{
	if (t->kind == TFIELD_ARRAY && t->elem)
		snprintf(buf, size, "%s[%u]", t->type, t->size / t->elem);
	else
		snprintf(buf, size, "%s%s", t->type, t->kind == TFIELD_SCALAR || t->kind == TFIELD_POINTER ? "" : "[]");
	return buf;
}

static void print_fields(struct printer *p, const struct tfmt *f)
{
	struct out *o = p->o;

	for (uint32_t i = f->n_common; i < f->n_fields; i++) {
		const struct tfield *t = &f->fields[i];
		char type[160];

		out_str(o, "        ");
		out_left(o, t->name, 24);
		out_left(o, field_type(t, type, sizeof(type)), 24);
		out_printf(o, " offset %u size %u%s\n", t->offset, t->size, t->is_signed ? " signed" : "");
	}
	if (*f->print)
		out_printf(o, "        print fmt: %.900s\n", f->print);
}

/* Fields of a tracepoint from its format file; one that cannot be read shows nothing more. */
static void tracepoint_format(struct printer *p, const char *name)
{
	const struct sys *s = p->c->sys;
	struct sv rest = sv_from(name), system;
	struct arena arena = { 0 };
	struct tfmt f;
	char path[PATH_MAX], *text;
	size_t n;

	sv_cut(&rest, ':', &system);
	if (!sys_tracefs(s))
		return;
	snprintf(path, sizeof(path), "%s/events/%.*s/%.*s/format", sys_tracefs(s), (int)system.n, system.s, (int)rest.n,
		 rest.s ? rest.s : "");
	if (sys_read_all(s, path, FORMAT_MAX, &text, &n, NULL))
		return;
	if (!tfmt_parse(&f, &arena, (struct sv){ text, n }, (struct tmachine){ .long_size = sizeof(long) }, NULL))
		print_fields(p, &f);
	arena_deinit(&arena);
	free(text);
}

static void item_text(struct printer *p, const struct list_item *it)
{
	struct out *o = p->o;
	char name[700];
	int n = snprintf(name, sizeof(name), "%s%s%s", it->name, it->alias ? " OR " : "", it->alias ? it->alias : "");
	const char *encoding = (p->w->verbose || p->w->details) && it->kind != LIST_PROBE ? it->encoding : NULL;
	bool more = it->text || it->unit || encoding || it->there == LIST_ABSENT;

	heading(p, it);
	out_str(o, "  ");
	text_put(o, sv_from(name), TEXT_ALL, TEXT_PLAIN);
	if (more && n > NAME_COLUMNS)
		out_char(o, '\n');
	if (more)
		out_fill(o, ' ', n > NAME_COLUMNS ? NAME_COLUMNS + 2 : (size_t)(NAME_COLUMNS - n));
	if (it->there == LIST_ABSENT)
		out_printf(o, " [not on this machine]");
	if (it->text)
		out_printf(o, " %s", it->text);
	if (it->unit)
		out_printf(o, " [%s]", it->unit);
	if (encoding)
		out_printf(o, " (%s)", encoding);
	out_char(o, '\n');
	if (it->kind == LIST_PROBE && it->encoding) {
		out_str(o, "        ");
		text_put(o, sv_from(it->encoding), TEXT_ALL, TEXT_PLAIN);
		out_char(o, '\n');
	}
	if (p->w->verbose && (it->kind == LIST_TRACEPOINT || it->kind == LIST_PROBE))
		tracepoint_format(p, it->name);
}

static void json_pair(struct json *j, const char *key, const char *text)
{
	if (!text)
		return;
	json_key(j, key);
	json_str(j, sv_from(text));
}

static void metric_json(struct json *j, const struct list_item *it)
{
	bool is_group = it->kind == LIST_METRICGROUP;

	json_pair(j, "MetricGroup", is_group ? it->name : it->groups);
	json_pair(j, "MetricName", is_group ? NULL : it->name);
	json_pair(j, "MetricExpr", it->encoding);
}

static void event_json(struct json *j, const struct list_item *it)
{
	json_pair(j, "Unit", it->group);
	json_pair(j, "EventName", it->name);
	json_pair(j, "EventAlias", it->alias);
	json_pair(j, "EventType", kind_names[it->kind]);
}

/* The keys are those of perf list -j, where it has them. */
static void item_json(struct printer *p, const struct list_item *it)
{
	static const char *const there[] = { [LIST_THERE] = "yes", [LIST_ABSENT] = "no", [LIST_UNSURE] = "unknown" };
	struct json *j = &p->json;
	bool is_metric = it->kind == LIST_METRIC || it->kind == LIST_METRICGROUP;

	json_line(j);
	json_begin_object(j);
	is_metric ? metric_json(j, it) : event_json(j, it);
	json_pair(j, "BriefDescription", it->text);
	json_pair(j, "ScaleUnit", it->unit);
	json_pair(j, "Encoding", is_metric ? NULL : it->encoding);
	json_pair(j, "Present", there[it->there]);
	json_end(j);
}

static int item(void *to, const struct list_item *it)
{
	struct printer *p = to;
	struct list_item shown = *it;

	if (!p->w->desc)
		shown.text = NULL;
	if (p->w->json)
		item_json(p, &shown);
	else if (!p->w->raw)
		item_text(p, &shown);
	else if (it->there != LIST_ABSENT && it->kind != LIST_OTHER)
		out_printf(p->o, "%s ", it->name);
	p->n++;
	return p->o->error;
}

static bool core_known(const char *name, struct nearest *near)
{
	const struct arch_core *core;

	for (size_t i = 0; (core = arch_core_at(i)); i++) {
		if (list_core_named(core, name))
			return true;
		nearest_feed(near, core->name);
	}
	return false;
}

static int unknown_core(const char *name, struct err *e)
{
	struct nearest near;
	char text[160];

	nearest_init(&near, sv_from(name));
	if (core_known(name, &near))
		return 0;
	return err_set(e, ENOENT, "unknown core '%s'%s", name, nearest_text(&near, text, sizeof(text)));
}

static void notes(struct ctx *c, const struct err *tracefs)
{
	if (!tracefs->code)
		return;
	cmd_note(c, "%s", tracefs->text);
	if (tracefs->hint[0])
		out_printf(c->msg, "  %s\n", tracefs->hint);
	out_flush(c->msg);
}

/* perf takes options behind words too: move the words to the front. Returns their number or -errno. */
static int words_first(struct want *w, int argc, char **argv, struct err *e)
{
	int n = 0;

	for (int i = 0; i < argc;) {
		/* The word stands where the command's name does for the parser. */
		int skip = opt_parse(opts, w, argc - i, argv + i, e);

		if (skip < 0)
			return skip;
		argv[n++] = argv[i];
		i += skip;
	}
	return n;
}

static int list_to(struct ctx *c, const struct want *w, struct out *o, char **words, size_t n)
{
	struct list_want lw = {
		.words = words, .n_words = n, .unit = w->unit, .core = w->core, .all_cores = w->all_cores,
	};
	struct printer p = { .c = c, .o = o, .w = w, .json = json_on(o), .kind = LIST_KINDS };
	struct err tracefs = { 0 };

	if (w->json)
		json_begin_array(&p.json);
	list_events(c->sys, &lw, item, &p, &tracefs);
	if (w->json)
		json_end(&p.json);
	if (w->json || (w->raw && p.n))
		out_char(o, '\n');
	notes(c, &tracefs);
	if (p.n || tracefs.code)
		return EXIT_DONE;
	cmd_note(c, "no event has such a name");
	return EXIT_FAILED;
}

static int list_to_file(struct ctx *c, const struct want *w, char **words, size_t n)
{
	struct output file;
	struct out o;
	char buf[4096];
	struct err e = { 0 };
	int code;

	if (output_open(&file, c->sys, w->output, OUTPUT_REPLACE, OUTPUT_PUBLIC, O_WRONLY, &e))
		return cmd_fail(c, &e);
	output_text(&file, &o, buf, sizeof(buf));
	code = list_to(c, w, &o, words, n);
	out_end(&o);
	output_close(&file);
	if (!o.error)
		return code;
	err_set(&e, -o.error, "cannot write %s: %s", w->output, err_name(-o.error));
	return cmd_fail(c, &e);
}

static int no_markers(struct ctx *c)
{
	struct err e = { 0 };

	err_set(&e, EOPNOTSUPP, "sdt: no list is kept of programs' markers");
	err_hint(&e, "one of a program is named so: -e 'usdt:PROVIDER:NAME@\"PROGRAM\"'");
	return cmd_fail(c, &e);
}

static int list_run(struct ctx *c, void *arg, int argc, char **argv)
{
	struct want *w = arg;
	struct err e = { 0 };
	int n = words_first(w, argc, argv, &e);

	if (n == -ECANCELED) {
		cmd_help(c, cmd_find("list"), c->out);
		return EXIT_DONE;
	}
	if (n < 0 || (w->core && unknown_core(w->core, &e)))
		return cmd_usage(c, cmd_find("list"), &e);

	for (int i = 0; i < n; i++)
		if (!strcmp(argv[i], "sdt"))
			return no_markers(c);
	return w->output ? list_to_file(c, w, argv, (size_t)n) : list_to(c, w, c->out, argv, (size_t)n);
}

DEFINE_CMD(list,
	.brief = "List the events that can be counted, sampled and traced here",
	.synopsis = "[-v] [-j] [--core NAME] [hw|sw|cache|pmu|arm|tracepoint|probe|metric|metricgroup|GLOB|TEXT ...]",
	.opts = opts,
	.want_size = sizeof(struct want),
	.defaults = defaults,
	.details = "A word with * or ? must fit the whole name, another one a part of it. What this machine lacks is "
		   "marked. On arm64 the text beside a generic name says what is really counted.",
	.examples = "sonde list hw cache\twhat the portable names mean here\n"
		    "sonde list --core neoverse-n2 --details metric\tratios of counts that stat -M takes, with their formulas\n"
		    "sonde list --unit 'arm_dsu*' -o dsu.txt\tof these PMUs, into a file\n"
		    "sonde list 'sched:*' -v\ttracepoints with their fields\n"
		    "sonde list --core neoverse-n1 tlb\tfrom the table of a core that need not be here\n",
	.run = list_run);
