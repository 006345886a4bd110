/* wipe.c - switch everything off. */
#include "cmd/ftrace/wipe.h"

#include "tracefs/grammar/dynevent.h"
#include "tracing/plan.h"

struct setting {
	const char *file, *value;
};

static void PRINTF(2, 3) say(const struct wipe *w, const char *fmt, ...)
{
	char line[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (w->say)
		w->say(w->arg, line);
}

/* Report the entries of a list, without the kernel's comments: the only one, or their number and the first. */
static void say_list(const struct wipe *w, const struct tfs *t, const char *file, const char *what)
{
	struct sv rest, line, first = { 0 };
	char *text;
	size_t n, lines = 0;

	if (!w->say || !tfs_has_own(t, file) || tfs_read_all(t, file, &text, &n, NULL))
		return;
	rest = (struct sv){ text, n };
	while (sv_cut(&rest, '\n', &line)) {
		if (!line.n || line.s[0] == '#' || sv_starts(line, "no pid"))
			continue;
		first = lines++ ? first : line;
	}
	if (lines == 1)
		say(w, "%s%s%s: %.*s", t->name, *t->name ? ": " : "", what, (int)MIN(first.n, 200u), first.s);
	else if (lines)
		say(w, "%s%s%s: %zu, the first %.*s", t->name, *t->name ? ": " : "", what, lines,
		    (int)MIN(first.n, 200u), first.s);
	free(text);
}

static void say_switched_off(const struct wipe *w, const struct tfs *t)
{
	static const char *const lists[][2] = {
		{ "set_event", "switched off events" }, { "set_ftrace_filter", "removed function filters" },
		{ "set_ftrace_notrace", "removed functions not to trace" },
		{ "set_graph_function", "removed functions to graph" },
		{ "set_graph_notrace", "removed functions not to graph" },
		{ "set_event_pid", "removed the tasks of events" },
		{ "set_ftrace_pid", "removed the tasks of functions" },
	};
	char tracer[64] = "";

	if (tfs_get(t, "current_tracer", tracer, sizeof(tracer)) > 0 && strcmp(tracer, "nop"))
		say(w, "%s%sswitched off the tracer %s", t->name, *t->name ? ": " : "", tracer);
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		say_list(w, t, lists[i][0], lists[i][1]);
}

/*
 * The line that removes an entry: "!f:traceoff:3" removes "f:traceoff:count=3", "!traceoff" "traceoff:unlimited if x".
 */
static void removal_of(struct sv shown, char *buf, size_t size)
{
	const char *condition = memmem(shown.s, shown.n, " if ", 4);
	char *count;

	snprintf(buf, size, "!%.*s", (int)(condition ? (size_t)(condition - shown.s) : MIN(shown.n, size - 2)),
		 shown.s);
	count = strrchr(buf, ':');
	if (count && !strcmp(count, ":unlimited"))
		*count = '\0';
	else if (count && !strncmp(count, ":count=", 7))
		memmove(count + 1, count + 7, strlen(count + 7) + 1);
}

/* Remove each line of a list for which is_one() is true. */
static int drop_lines(const struct tfs *t, const char *file, bool (*is_one)(struct sv line), struct err *e)
{
	char *text, removal[512];
	struct sv rest, line;
	size_t n;
	int r = tfs_read_all(t, file, &text, &n, e);

	if (r)
		return r;
	rest = (struct sv){ text, n };
	while (!r && sv_cut(&rest, '\n', &line)) {
		if (!line.n || line.s[0] == '#' || !is_one(line))
			continue;
		removal_of(line, removal, sizeof(removal));
		r = tfs_append(t, file, removal, e);
	}
	free(text);
	return r;
}

static bool is_command(struct sv line)
{
	return memchr(line.s, ':', line.n) && !memmem(line.s, line.n, ":mod:", 5);
}

/* Histograms are removed when the file is opened for truncation. */
static bool is_simple_trigger(struct sv line)
{
	return !sv_starts(line, "hist:");
}

/* Triggers may use variables of others, so what is busy at first is removed in a later round. */
static int drop_triggers(const struct wipe *w, const struct tfs *t, const char *event, struct err *e)
{
	char file[TFS_PATH], text[16], what[TFS_PATH];
	int r;

	snprintf(file, sizeof(file), "%s/trigger", event);
	if (tfs_get(t, file, text, sizeof(text)) <= 0 || text[0] == '#')
		return 0;
	snprintf(what, sizeof(what), "removed triggers of %s", event + strlen("events/"));
	say_list(w, t, file, what);
	r = tfs_put(t, file, "", e);
	r = r ? r : drop_lines(t, file, is_simple_trigger, e);
	/* For a histogram whose variables are in use the kernel returns no error; it just stays. */
	if (!r && tfs_get(t, file, text, sizeof(text)) > 0 && text[0] != '#')
		return err_set(e, EBUSY, "triggers of %s are in use and stay", event + strlen("events/"));
	return r;
}

static void say_filter(const struct wipe *w, const struct tfs *t, const char *event)
{
	char file[TFS_PATH], text[200];

	snprintf(file, sizeof(file), "%s/filter", event);
	if (w->say && tfs_has_own(t, file) && tfs_get(t, file, text, sizeof(text)) > 0 && strcmp(text, "none"))
		say(w, "%s%sremoved the filter of %s: %s", t->name, *t->name ? ": " : "", event + strlen("events/"),
		    text);
}

static int wipe_system(const struct wipe *w, const struct tfs *t, const char *dir, const char *system, struct err *e)
{
	char path[PATH_MAX], file[TFS_PATH];
	struct sys_list l;
	int r = 0;

	snprintf(path, sizeof(path), "%s/%s", dir, system);
	if (sys_list_dir(t->sys, path, &l))
		return 0;
	for (size_t i = 0; i < l.n; i++) {
		snprintf(file, sizeof(file), "events/%s/%s", system, l.v[i]);

		int one = drop_triggers(w, t, file, e);

		say_filter(w, t, file);
		r = r ? r : one;
	}
	sys_list_free(&l);
	snprintf(file, sizeof(file), "events/%s/filter", system);
	if (tfs_has_own(t, file))
		tfs_put(t, file, "0", NULL);
	return r;
}

static int wipe_events(const struct wipe *w, const struct tfs *t, struct err *e)
{
	enum { ROUNDS = 3 };
	char dir[PATH_MAX];
	struct wipe again = { 0 };   /* later rounds do not report again */
	struct sys_list l;
	int r = tfs_put(t, "events/enable", "0", e), left = -EBUSY;

	snprintf(dir, sizeof(dir), "%s/events", t->dir);
	if (r || sys_list_dir(t->sys, dir, &l))
		return r;
	for (int round = 0; left && round < ROUNDS; round++) {
		left = 0;
		for (size_t i = 0; i < l.n; i++) {
			int one = wipe_system(round ? &again : w, t, dir, l.v[i], e);

			left = left ? left : one;
		}
	}
	sys_list_free(&l);
	return left;
}

int wipe_buffer(const struct wipe *w, const struct tfs *t, struct err *e)
{
	static const struct setting settings[] = {
		{ "set_ftrace_filter", "" },	 { "set_ftrace_notrace", "" },	{ "set_graph_function", "" },
		{ "set_graph_notrace", "" },	 { "set_event_pid", "" },	{ "set_event_notrace_pid", "" },
		{ "set_ftrace_pid", "" },	 { "set_ftrace_notrace_pid", "" }, { "max_graph_depth", "0" },
		{ "options/event-fork", "0" },	 { "options/function-fork", "0" }, { "options/stacktrace", "0" },
		{ "options/func_stack_trace", "0" }, { "options/function-trace", "1" }, { "trace_clock", "local" },
		{ "set_event", "" }, /* entries that wait for modules */
		{ "tracing_max_latency", "0" },	 { "error_log", "" },		{ "trace", "" },
	};
	char mask[PLAN_MASK];
	int r = tfs_put(t, "tracing_on", "0", e);

	say_switched_off(w, t);
	r = r ? r : tfs_put(t, "current_tracer", "nop", e);
	r = r ? r : wipe_events(w, t, e);
	if (!r && tfs_has_own(t, "set_ftrace_filter"))
		r = drop_lines(t, "set_ftrace_filter", is_command, e);
	for (size_t i = 0; !r && i < ARRAY_SIZE(settings); i++)
		if (tfs_has_own(t, settings[i].file))
			r = tfs_put(t, settings[i].file, settings[i].value, e);
	if (!r && !plan_cpumask(t->sys, "-1", mask, NULL))
		r = tfs_put(t, "tracing_cpumask", mask, e);
	return r ? r : tfs_put(t, "tracing_on", "1", e);
}

/* --- probes --- */

/* "p:group/name ...", "r16:group/name ..."; a synthetic event in its own file is "name fields". */
static bool name_of(struct sv line, char *buf, size_t size)
{
	const char *colon = memchr(line.s, ':', line.n);
	struct sv rest = colon ? (struct sv){ colon + 1, line.n - (size_t)(colon + 1 - line.s) } : line, word;

	sv_cut(&rest, ' ', &word);
	rest = word;
	sv_cut(&rest, '\t', &word);
	str_copy(buf, size, word);
	return word.n && word.n < size;
}

static const struct {
	const char *name;
	enum dynevent_kind kind;
	bool is_return;
} kinds[] = {
	{ "kprobe", DYNEVENT_KPROBE, false }, { "kretprobe", DYNEVENT_KPROBE, true },
	{ "uprobe", DYNEVENT_UPROBE, false }, { "uretprobe", DYNEVENT_UPROBE, true },
	{ "eprobe", DYNEVENT_EPROBE, false }, { "synth", DYNEVENT_SYNTHETIC, false },
	{ "fprobe", DYNEVENT_FPROBE, false }, { "fprobe", DYNEVENT_FPROBE, true },
	{ "tprobe", DYNEVENT_TPROBE, false },
};

int wipe_keep(unsigned *keep, const char *name, struct err *e)
{
	unsigned bits = strcmp(name, "all") ? 0 : ~0u;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(name, kinds[i].name))
			bits |= 1u << i;
	if (!bits)
		return err_set(e, EINVAL,
			       "'%s' is none of kprobe kretprobe uprobe uretprobe eprobe synth fprobe tprobe all",
			       name);
	*keep |= bits;
	return 0;
}

static bool is_kept(unsigned keep, struct sv line)
{
	char *text = strndup(line.s, line.n);
	struct dynevent d;
	bool kept = keep == ~0u;

	if (text && !dynevent_parse(&d, text, NULL))
		for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
			if (d.kind == kinds[i].kind && d.is_return == kinds[i].is_return)
				kept |= keep >> i & 1;
	free(text);
	return kept;
}

/* The last first: later events may be built on earlier ones. */
static int drop_all(const struct wipe *w, const struct tfs *top, const char *file, struct err *e)
{
	VEC(struct sv) lines = { 0 };
	struct sv rest, line;
	char *text, name[200], removal[224];
	size_t n;
	int r = tfs_read_all(top, file, &text, &n, e);

	if (r)
		return r;
	rest = (struct sv){ text, n };
	while (!r && sv_cut(&rest, '\n', &line)) {
		struct sv *at = line.n ? vec_add(&lines) : NULL;

		if (at)
			*at = line;
		else if (line.n)
			r = err_nomem(e);
	}
	for (size_t i = lines.n; !r && i--;) {
		struct err busy = { 0 };

		if (is_kept(w->keep, lines.v[i]) || !name_of(lines.v[i], name, sizeof(name)))
			continue;
		snprintf(removal, sizeof(removal), "-:%s", name);
		if (tfs_append(top, file, removal, &busy))
			say(w, "%s is in use and stays: %.200s", name, busy.text);
		else
			say(w, "removed the probe %.*s", (int)MIN(lines.v[i].n, 300u), lines.v[i].s);
	}
	vec_free(&lines);
	free(text);
	return r;
}

int wipe_probes(const struct wipe *w, const struct tfs *top, struct err *e)
{
	static const char *const files[] = { "dynamic_events", "kprobe_events", "uprobe_events" };
	int r = 0;

	for (size_t i = 0; !r && i < ARRAY_SIZE(files); i++) {
		if (!tfs_has_own(top, files[i]))
			continue;
		r = drop_all(w, top, files[i], e);
		/* dynamic_events has all of them. */
		if (!i)
			break;
	}
	return r;
}
