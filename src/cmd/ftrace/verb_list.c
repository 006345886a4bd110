/* verb_list.c - sonde ftrace list: events, tracers, options, functions, buffers and clocks of this kernel. */
#include "base/rex.h"
#include "cmd/ftrace/buffers.h"
#include "cmd/ftrace/hits.h"
#include "cmd/ftrace/plugin_options.h"
#include "cmd/ftrace/verbs.h"
#include "pack/pack.h"
#include "tracing/settings.h"

struct list_want {
	const char *event_rex, *function_rex;
	bool events, functions;   /* -e, -f, with or without an expression */
	bool systems, tracers, tracers_too, options, buffers, clocks, packers, plugins, plugin_options, settings;
	const char *enabled_rex, *touched_rex;
	bool hits, enabled, touched;   /* --enabled-functions and --touched-functions, with or without an expression */
	bool format, whole, filters, triggers;
};

static int set_events(void *field, const char *value, struct err *e UNUSED)
{
	struct list_want *w = field;

	w->events = true;
	w->event_rex = value;
	return 0;
}

static int set_functions(void *field, const char *value, struct err *e UNUSED)
{
	struct list_want *w = field;

	w->functions = true;
	w->function_rex = value;
	return 0;
}

static int set_enabled(void *field, const char *value, struct err *e UNUSED)
{
	struct list_want *w = field;

	w->enabled = true;
	w->enabled_rex = value;
	return 0;
}

static int set_touched(void *field, const char *value, struct err *e UNUSED)
{
	struct list_want *w = field;

	w->touched = true;
	w->touched_rex = value;
	return 0;
}

static const struct opt opts[] = {
	OPT_CALL_WANT('e', NULL, OPT_LAST_DEFAULT, set_events, "<regex>", "events as SYSTEM:EVENT"),
	OPT_FLAG('F', NULL, struct list_want, format, "with -e: their fields"),
	OPT_FLAG(0, "full", struct list_want, whole, "with -F: the print fmt, too"),
	OPT_FLAG('l', NULL, struct list_want, filters, "with -e: their filters"),
	OPT_FLAG('R', NULL, struct list_want, triggers, "with -e: their triggers"),
	OPT_FLAG('s', NULL, struct list_want, systems, "event systems"),
	OPT_FLAG('t', NULL, struct list_want, tracers, "tracers"),
	OPT_FLAG('o', NULL, struct list_want, options, "trace options"),
	OPT_CALL_WANT('f', NULL, OPT_LAST_DEFAULT, set_functions, "<regex>", "functions that can be traced"),
	OPT_FLAG('B', NULL, struct list_want, buffers, "buffers (instances), without the top one"),
	OPT_FLAG('C', NULL, struct list_want, clocks, "trace clocks, the current one in brackets"),
	OPT_FLAG('c', NULL, struct list_want, packers, "compression algorithms"),
	OPT_FLAG('P', NULL, struct list_want, plugins, "plugins of report"),
	OPT_FLAG('O', NULL, struct list_want, plugin_options, "options of report -O"),
	OPT_FLAG(0, "hits", struct list_want, hits, "hit and miss counts of probes"),
	OPT_CALL_WANT(0, "enabled-functions", OPT_LAST_DEFAULT, set_enabled, "<regex>",
		      "functions that are traced now, and how"),
	OPT_CALL_WANT(0, "touched-functions", OPT_LAST_DEFAULT, set_touched, "<regex>",
		      "functions that were ever traced"),
	OPT_FLAG(0, "settings", struct list_want, settings, "names and values for --set"),
	/* The same as -t. */
	{ OPT_AT('p', NULL, FLAG, struct list_want, tracers_too), .flags = OPT_HIDDEN },
	OPT_END,
};

struct list {
	struct ctx *c;
	const struct tfs *t;
	const struct list_want *w;
};

/* --- events --- */

/* Print the format file; without --full not its print fmt. */
static int show_format(const struct list *l, const char *system, const char *dir, struct err *e)
{
	char file[TFS_PATH], *text, *fmt;
	size_t n;
	int r;

	snprintf(file, sizeof(file), "%s/format", dir);
	r = tfs_read_all(l->t, file, &text, &n, e);
	if (r)
		return r;
	fmt = strstr(text, "print fmt:");
	if (!l->w->whole && fmt)
		*fmt = '\0';
	out_printf(l->c->out, "system: %s\n", system);
	out_str(l->c->out, text);
	free(text);
	return 0;
}

static int show_event(const struct list *l, struct sv name, struct err *e)
{
	const char *colon = memchr(name.s, ':', name.n);
	char system[128], dir[TFS_PATH], file[TFS_PATH + 16];
	int r;

	if (!l->w->format) {
		out_sv(l->c->out, name);
		out_char(l->c->out, '\n');
	}
	if (!colon || (!l->w->format && !l->w->filters && !l->w->triggers))
		return 0;
	str_copy(system, sizeof(system), (struct sv){ name.s, (size_t)(colon - name.s) });
	snprintf(dir, sizeof(dir), "events/%s/%.*s", system, (int)(name.s + name.n - colon - 1), colon + 1);
	r = l->w->format ? show_format(l, system, dir, e) : 0;
	snprintf(file, sizeof(file), "%s/filter", dir);
	r = !r && l->w->filters ? buffers_cat(l->c, l->t, file, e) : r;
	snprintf(file, sizeof(file), "%s/trigger", dir);
	r = !r && l->w->triggers ? buffers_cat(l->c, l->t, file, e) : r;
	if (!l->w->format)
		out_char(l->c->out, '\n');
	return r;
}

/* Pass the lines of a file that match the pattern (NULL: all) to show; NULL: print them as they are. */
static int show_lines(const struct list *l, const char *file, const char *pattern,
		      int (*show)(const struct list *l, struct sv line, struct err *e), struct err *e)
{
	struct arena arena = { 0 };
	struct rex rex = { 0 };
	struct sv rest, line;
	char *text = NULL;
	size_t n = 0;
	int r = pattern ? rex_init(&rex, &arena, sv_from(pattern), e) : 0;

	r = r ? r : tfs_read_all(l->t, file, &text, &n, e);
	rest = (struct sv){ text, n };
	while (!r && sv_cut(&rest, '\n', &line)) {
		if (!line.n || (pattern && !rex_match(&rex, line)))
			continue;
		if (show) {
			r = show(l, line, e);
		} else {
			out_sv(l->c->out, line);
			out_char(l->c->out, '\n');
		}
	}
	free(text);
	arena_deinit(&arena);
	return r;
}

static int show_systems(const struct list *l, struct err *e)
{
	char dir[PATH_MAX], path[PATH_MAX];
	struct sys_list names;
	int r;

	snprintf(dir, sizeof(dir), "%s/events", l->t->dir);
	r = sys_list_dir(l->t->sys, dir, &names);
	if (r)
		return err_set(e, -r, "cannot read %s: %s", dir, err_name(-r));
	for (size_t i = 0; i < names.n; i++)
		if (snprintf(path, sizeof(path), "%s/%s/enable", dir, names.v[i]) > 0 && sys_exists(l->t->sys, path))
			out_printf(l->c->out, "%s\n", names.v[i]);
	sys_list_free(&names);
	return 0;
}

/* --- the rest --- */

static void show_buffers(const struct list *l)
{
	char dir[PATH_MAX];
	struct sys_list names = { 0 };

	snprintf(dir, sizeof(dir), "%s/instances", l->t->root);
	sys_list_dir(l->t->sys, dir, &names);
	for (size_t i = 0; i < names.n; i++)
		out_printf(l->c->out, "%s\n", names.v[i]);
	if (!names.n)
		out_str(l->c->out, "No buffer instances defined\n");
	sys_list_free(&names);
}

static void show_settings(const struct list *l)
{
	char value[256];

	for (const struct setting *s = settings; s->file; s++) {
		if (tfs_get(l->t, s->file, value, sizeof(value)) < 0)
			continue;
		out_printf(l->c->out, "%s=%s\n\t%s\n", s->file, value, s->what);
	}
}

static void show_packers(const struct list *l)
{
	out_str(l->c->out, "Supported compression algorithms:\n");
	if (pack_can())
		out_str(l->c->out, "\tzstd, 1\n\tzlib, 1\n");
}

static int show_all(const struct list *l, struct err *e)
{
	int r;

	out_str(l->c->out, "event systems:\n");
	r = show_systems(l, e);
	out_str(l->c->out, "\nevents:\n");
	r = r ? r : show_lines(l, "available_events", NULL, NULL, e);
	out_str(l->c->out, "\ntracers:\n");
	r = r ? r : show_lines(l, "available_tracers", NULL, NULL, e);
	out_str(l->c->out, "\noptions:\n");
	buffers_options(l->c, l->t, "");
	show_packers(l);
	return r;
}

static int show_if_there(const struct list *l, const char *file, const char *rex, const char *since, struct err *e)
{
	if (tfs_has(l->t, file))
		return show_lines(l, file, rex, NULL, e);
	err_set(e, EOPNOTSUPP, "this kernel has no %s", file);
	return err_hint(e, "it needs %s", since);
}

static int show_counts(const struct list *l, struct err *e)
{
	const struct list_want *w = l->w;
	int r = w->hits ? hits_put(l->t, l->c->out, e) : 0;

	if (!r && w->enabled)
		r = show_if_there(l, "enabled_functions", w->enabled_rex, "CONFIG_DYNAMIC_FTRACE", e);
	if (!r && w->touched)
		r = show_if_there(l, "touched_functions", w->touched_rex, "Linux 6.4 and CONFIG_DYNAMIC_FTRACE", e);
	return r;
}

static int show_chosen(const struct list *l, struct err *e)
{
	const struct list_want *w = l->w;
	int r = w->events ? show_lines(l, "available_events", w->event_rex, show_event, e) : 0;

	if (!r && w->systems)
		r = show_systems(l, e);
	if (!r && (w->tracers || w->tracers_too))
		r = show_lines(l, "available_tracers", NULL, NULL, e);
	if (!r && w->options)
		buffers_options(l->c, l->t, "");
	if (!r && w->functions)
		r = show_lines(l, "available_filter_functions", w->function_rex, NULL, e);
	if (!r && w->clocks)
		r = show_lines(l, "trace_clock", NULL, NULL, e);
	if (!r && w->buffers)
		show_buffers(l);
	if (!r && w->settings)
		show_settings(l);
	return r ? r : show_counts(l, e);
}

static int check(const struct list_want *w, struct err *e)
{
	if ((w->format || w->filters || w->triggers) && !w->events)
		return err_set(e, EINVAL, "%s goes with -e", w->format ? "-F" : w->filters ? "-l" : "-R");
	if (w->whole && !w->format)
		return err_set(e, EINVAL, "--full goes with -F");
	return 0;
}

static int list_run(struct ctx *c, void *want, int argc UNUSED, char **argv UNUSED)
{
	const struct list_want *w = want;
	bool builtin = w->packers || w->plugins || w->plugin_options;
	bool chosen = w->events || w->systems || w->tracers || w->tracers_too || w->options || w->functions ||
		      w->buffers || w->clocks || w->settings || w->hits || w->enabled || w->touched;
	struct list l = { .c = c, .w = w };
	struct err e = { 0 };
	struct tfs t;
	int r;

	if (check(w, &e))
		return cmd_usage(c, cmd_verb(verbs, "list"), &e);
	l.t = &t;
	r = chosen || !builtin ? tfs_open(&t, c->sys, &e) : 0;
	if (!r && (chosen || !builtin))
		r = chosen ? show_chosen(&l, &e) : show_all(&l, &e);
	if (!r && w->packers)
		show_packers(&l);
	if (!r && w->plugins)
		out_str(c->out, "No plugins loaded: what they would do is built in\n");
	if (!r && w->plugin_options)
		plugin_options_out(c->out);
	return buffers_done(c, r, &e);
}

DEFINE_VERB(list, "list", .brief = "List events, tracers, options, functions and buffers of this kernel",
	    .details = PACKED("Regular expressions are basic ones, as grep's, and ignore case."),
	    .examples = PACKED(
			"sonde ftrace list -e sched -F\tscheduler events with their fields\n"
			"sonde ftrace list -f ^vfs_\tfunctions for -l\n"
			"sonde ftrace list -t -C -o\ttracers, clocks, options\n"),
	    .opts = opts, .want_size = sizeof(struct list_want), .run = list_run);
