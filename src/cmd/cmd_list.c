/* cmd_list.c - sonde list: prints the events of this machine as text, JSON or bare names. */
#include "cmd/cmd.h"
#include "cmd/list/more.h"
#include "machine/list.h"
#include "show/json.h"
#include "show/text.h"
#include "tracefs/format/format.h"

enum { NAME_COLUMNS = 38, FORMAT_MAX = 1 << 20 };

struct want {
	bool json, raw, all_cores, desc;
	unsigned verbose;
	const char *core;
	struct list_more_want more;
};

static const struct opt opts[] = {
	OPT_COUNT('v', "verbose", struct want, verbose, "print encodings; of tracepoints fields and print fmt"),
	OPT_FLAG('j', "json", struct want, json, "print as JSON: an array of events"),
	OPT_FLAG(0, "raw-dump", struct want, raw, "print only names, of events on this machine"),
	OPT_STR(0, "core", struct want, core, "<name>", "list the event table of this core (neoverse-n1)"),
	OPT_FLAG(0, "all-cores", struct want, all_cores, "list the event tables of all known cores"),
	OPT_SUB(list_more_opts, struct want, more),
	OPT_FLAG('d', "desc", struct want, desc, "print descriptions (default; --no-desc: only names)"),
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
	enum list_kind kind;   /* of the last heading; LIST_KINDS: none yet */
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
	/* No heading for a tracepoint's group, the subsystem: it is part of the event's name. */
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

/* Print a tracepoint's fields from its format file, or nothing if the file cannot be read. */
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
	const char *encoding = (p->w->verbose || p->w->more.details) && it->kind != LIST_PROBE ? it->encoding : NULL;
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

static void event_json(struct json *j, const struct list_item *it)
{
	json_member_if(j, "Unit", it->group);
	json_member_if(j, "EventName", it->name);
	json_member_if(j, "EventAlias", it->alias);
	json_member_if(j, "EventType", kind_names[it->kind]);
}

/* Keys have the names of perf list -j, where that has the same thing. */
static void item_json(struct printer *p, const struct list_item *it)
{
	static const char *const there[] = { [LIST_THERE] = "yes", [LIST_ABSENT] = "no", [LIST_UNSURE] = "unknown" };
	struct json *j = &p->json;
	bool is_metric;

	json_line(j);
	json_begin_object(j);
	is_metric = list_metric_json(j, it);
	if (!is_metric)
		event_json(j, it);
	json_member_if(j, "BriefDescription", it->text);
	json_member_if(j, "ScaleUnit", it->unit);
	json_member_if(j, "Encoding", is_metric ? NULL : it->encoding);
	json_member_if(j, "Present", there[it->there]);
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
	else if (it->there != LIST_ABSENT && it->kind != LIST_OTHER && !it->is_form)
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

/* As in perf, options may follow words: move the words to the front. Returns their number or -errno. */
static int words_first(struct want *w, int argc, char **argv, struct err *e)
{
	int n = 0;

	for (int i = 0; i < argc;) {
		/* opt_parse skips argv[0], the command's name: here a word takes its place. */
		int skip = opt_parse(opts, w, argc - i, argv + i, e);

		if (skip < 0)
			return skip;
		argv[n++] = argv[i];
		i += skip;
	}
	return n;
}

struct listing {
	struct ctx *c;
	const struct want *w;
	char **words;
	size_t n_words;
};

static int list_to(void *arg, struct out *o)
{
	const struct listing *l = arg;
	struct ctx *c = l->c;
	const struct want *w = l->w;
	struct list_want lw = {
		.words = l->words, .n_words = l->n_words, .unit = w->more.unit, .core = w->core,
		.all_cores = w->all_cores,
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

	struct listing l = { .c = c, .w = w, .words = argv, .n_words = (size_t)n };

	return list_elsewhere(c, &w->more, argv, n, list_to, &l);
}

DEFINE_CMD(list,
	.brief = "List the events that can be counted, sampled and traced here",
	.synopsis = "[-v] [-j] [--core NAME] "
		    "[hw|sw|cache|pmu|arm|tracepoint|probe|metric|metricgroup|GLOB|TEXT ...]",
	.opts = opts,
	.want_size = sizeof(struct want),
	.defaults = defaults,
	.details = PACKED(
		   "A word with * or ? matches whole names, others match a part. Events that this machine lacks are "
		   "marked. On arm64 the text after a generic name is what it counts."),
	.examples = list_examples,
	.run = list_run);
