/* verb_stat.c - sonde ftrace stat: what is enabled, as trace-cmd prints it. */
#include "cmd/ftrace/buffers.h"
#include "cmd/ftrace/verbs.h"

struct stat_want {
	struct opt_list names;
	bool top, options;
};

static const struct opt opts[] = {
	OPT_LIST('B', NULL, struct stat_want, names, "<name>", "of this trace buffer (instance); repeatable"),
	OPT_FLAG('t', "top", struct stat_want, top, "the top buffer, too (with -B)"),
	OPT_FLAG('o', NULL, struct stat_want, options, "print the trace options, too"),
	OPT_END,
};

struct stat {
	struct ctx *c;
	const struct tfs *t;
	bool options;
};

/* The contents of this buffer's own file, trimmed; malloc'ed. NULL: it does not exist. */
static char *own(const struct tfs *t, const char *file)
{
	char path[PATH_MAX], *text;
	size_t n;

	snprintf(path, sizeof(path), "%s/%s", t->dir, file);
	if (sys_read_all(t->sys, path, 64 << 20, &text, &n, NULL))
		return NULL;
	while (n && strchr(" \t\n", text[n - 1]))
		text[--n] = '\0';
	return text;
}

/* Print a setting unless it has its usual value. */
static void value(const struct stat *s, const char *file, const char *usual, const char *title)
{
	char *text = own(s->t, file);

	if (text && *text && strcmp(text, usual))
		out_printf(s->c->out, "\n%s", title), out_str(s->c->out, text), out_char(s->c->out, '\n');
	free(text);
}

/* Print, indented, the lines that begin with one of `begin` (NULL: all); lines with # are comments. */
static void lines_of(const struct stat *s, const char *file, const char *begin, const char *title)
{
	char *text = own(s->t, file);
	struct sv rest = sv_from(text ? text : ""), line;
	bool first = true;

	while (sv_cut(&rest, '\n', &line)) {
		if (!line.n || line.s[0] == '#' || (begin && !strchr(begin, line.s[0])))
			continue;
		if (first)
			out_printf(s->c->out, "\n%s:\n", title);
		first = false;
		out_str(s->c->out, "   ");
		out_sv(s->c->out, line);
		out_char(s->c->out, '\n');
	}
	free(text);
}

static void lines(const struct stat *s, const char *file, const char *title)
{
	lines_of(s, file, NULL, title);
}

/* --- events --- */

struct walk {
	const struct stat *s;
	const char *title;     /* printed before the first entry */
	bool begun;
};

static void head(struct walk *w)
{
	if (!w->begun)
		out_str(w->s->c->out, w->title);
	w->begun = true;
}

static char state_of(const struct tfs *t, const char *dir)
{
	char path[PATH_MAX], state[16];

	snprintf(path, sizeof(path), "%s/enable", dir);
	return sys_read_line(t->sys, state, sizeof(state), "%s", path) > 0 ? state[0] : 0;
}

/* Call each for the folders in events/, or in one of these. */
static void each_entry(const struct stat *s, const char *below,
		       void (*each)(void *arg, const char *below, const char *name), void *arg)
{
	char dir[PATH_MAX];
	struct sys_list l;

	snprintf(dir, sizeof(dir), "%s/events%s%s", s->t->dir, *below ? "/" : "", below);
	if (sys_list_dir(s->t->sys, dir, &l))
		return;
	for (size_t i = 0; i < l.n; i++)
		each(arg, below, l.v[i]);
	sys_list_free(&l);
}

static void whole_system(void *arg, const char *below UNUSED, const char *name)
{
	struct walk *w = arg;
	char dir[PATH_MAX];

	snprintf(dir, sizeof(dir), "%s/events/%s", w->s->t->dir, name);
	if (state_of(w->s->t, dir) != '1')
		return;
	head(w);
	out_printf(w->s->c->out, "   %s\n", name);
}

/* Events from set_event; those of systems that are wholly enabled were printed already. */
static void single_events(const struct stat *s, struct walk *w)
{
	char *text = own(s->t, "set_event"), system[128] = "", dir[PATH_MAX];
	struct sv rest = sv_from(text ? text : ""), line, word;
	bool whole = false;

	while (sv_cut(&rest, '\n', &line)) {
		if (!sv_cut(&line, ':', &word) || !line.s)
			continue;
		if (!sv_eq(word, system)) {
			str_copy(system, sizeof(system), word);
			snprintf(dir, sizeof(dir), "%s/events/%s", s->t->dir, system);
			whole = state_of(s->t, dir) == '1';
			if (!whole) {
				head(w);
				out_printf(s->c->out, "    %s\n", system);
			}
		}
		if (!whole)
			out_printf(s->c->out, "        %.*s\n", (int)line.n, line.s);
	}
	free(text);
}

static void events(const struct stat *s)
{
	char dir[PATH_MAX], state;
	struct walk systems = { .s = s, .title = " Individual systems:\n" };
	struct walk single = { .s = s, .title = " Individual events:\n" };

	snprintf(dir, sizeof(dir), "%s/events", s->t->dir);
	state = state_of(s->t, dir);
	out_str(s->c->out, "\nEvents:\n");
	if (state == '0' || state == '1') {
		out_printf(s->c->out, " All %sabled\n", state == '1' ? "en" : "dis");
		return;
	}
	each_entry(s, "", whole_system, &systems);
	single_events(s, &single);
	if (!systems.begun && !single.begun)
		out_str(s->c->out, "  (none enabled)\n");
}

struct extra {
	struct walk walk;
	const char *file;    /* "filter" or "trigger" */
};

static void one_extra(void *arg, const char *below, const char *name)
{
	struct extra *x = arg;
	char file[TFS_PATH], *text;

	if (!*below) {
		each_entry(x->walk.s, name, one_extra, x);
		return;
	}
	snprintf(file, sizeof(file), "events/%s/%s/%s", below, name, x->file);
	text = own(x->walk.s->t, file);
	if (text && *text && *text != '#' && strcmp(text, "none")) {
		head(&x->walk);
		out_printf(x->walk.s->c->out, "  %s:%s \"", below, name);
		out_str(x->walk.s->c->out, text);
		out_str(x->walk.s->c->out, "\"\n");
	}
	free(text);
}

/* --- buffers --- */

static void sizes(const struct stat *s)
{
	char *text = own(s->t, "buffer_size_kb"), *total, file[64];

	if (!text || strstr(text, "expanded")) {
		free(text);
		return;
	}
	if (strcmp(text, "X"))
		out_printf(s->c->out, "\nBuffer size in kilobytes (per cpu):\n   %s\n", text);
	free(text);
	for (unsigned cpu = 0; text && cpu < CPUS_MAX; cpu++) {
		snprintf(file, sizeof(file), "per_cpu/cpu%u/buffer_size_kb", cpu);
		total = own(s->t, "buffer_size_kb");
		text = total && !strcmp(total, "X") ? own(s->t, file) : NULL;
		if (text)
			out_printf(s->c->out, "%sCPU %u buffer size (kb): %s\n", cpu ? "" : "\n", cpu, text);
		free(total);
		free(text);
	}
	total = own(s->t, "buffer_total_size_kb");
	if (total)
		out_printf(s->c->out, "\nBuffer total size in kilobytes:\n   %s\n", total);
	free(total);
}

static void clock_and_cpus(const struct stat *s)
{
	char clock[64], mask[1024], list[1024];
	struct cpus possible;
	struct err e;
	unsigned set = 0;

	if (!tfs_chosen(s->t, "trace_clock", clock, sizeof(clock)) && strcmp(clock, "local"))
		out_printf(s->c->out, "\nClock: %s\n", clock);
	if (tfs_get(s->t, "tracing_cpumask", mask, sizeof(mask)) <= 0)
		return;
	for (const char *p = mask; *p; p++) {
		uint64_t v = 0;

		if (str_u64((struct sv){ p, 1 }, 16, &v))
			set += (unsigned)__builtin_popcountll(v);
	}
	if (sys_read_line(s->t->sys, list, sizeof(list), "/sys/devices/system/cpu/possible") > 0 &&
	    !cpus_parse(&possible, sv_from(list), &e) && set < cpus_count(&possible))
		out_printf(s->c->out, "\nCPU mask: %s\n", mask);
}

static void instances(const struct stat *s)
{
	char dir[PATH_MAX];
	struct sys_list l;

	snprintf(dir, sizeof(dir), "%s/instances", s->t->root);
	if (sys_list_dir(s->t->sys, dir, &l))
		return;
	if (l.n)
		out_str(s->c->out, "\nInstances:\n");
	for (size_t i = 0; i < l.n; i++)
		out_printf(s->c->out, " %s\n", l.v[i]);
	sys_list_free(&l);
}

static void one_buffer(const struct stat *s)
{
	static const struct {
		const char *file, *title;
	} lists[] = {
		{ "set_ftrace_filter", "Function Filter" },	      { "set_ftrace_notrace", "Function No Trace" },
		{ "set_graph_function", "Function Graph Filter" }, { "set_graph_notrace", "Function Graph No Trace" },
	}, probes[] = {
		{ "kprobe_events", "Kprobe events" }, { "uprobe_events", "Uprobe events" },
		{ "synthetic_events", "Synthetic events" },
	}, pids[] = {
		{ "set_event_pid", "Filtered event PIDs:\n" },
		{ "set_event_notrace_pid", "Filtered notrace event PIDs:\n" },
		{ "set_ftrace_pid", "Filtered function tracer PIDs:\n" },
		{ "set_ftrace_notrace_pid", "Filtered function tracer notrace PIDs:\n" },
	};
	struct extra filters = { { .s = s, .title = "\nFilters:\n" }, "filter" };
	struct extra triggers = { { .s = s, .title = "\nTriggers:\n" }, "trigger" };
	char on[16] = "";

	value(s, "current_tracer", "nop", "Tracer: ");
	events(s);
	each_entry(s, "", one_extra, &filters);
	each_entry(s, "", one_extra, &triggers);
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		lines(s, lists[i].file, lists[i].title);
	sizes(s);
	clock_and_cpus(s);
	value(s, "tracing_max_latency", "0", "Max Latency: ");
	for (size_t i = 0; i < ARRAY_SIZE(probes); i++)
		lines(s, probes[i].file, probes[i].title);
	lines_of(s, "dynamic_events", "eft", "Event, function and tracepoint probes");
	for (size_t i = 0; i < ARRAY_SIZE(pids); i++)
		value(s, pids[i].file, i < 2 ? "" : "no pid", pids[i].title);
	if (s->options) {
		out_str(s->c->out, "\nOptions:\n");
		buffers_options(s->c, s->t, "   ");
	}
	tfs_get(s->t, "tracing_on", on, sizeof(on));
	out_printf(s->c->out, "\nTracing is %sabled\n\n", strcmp(on, "0") ? "en" : "dis");
	value(s, "error_log", "", "Error log:\n");
	if (tfs_is_top(s->t))
		instances(s);
}

static int stat_run(struct ctx *c, void *want, int argc UNUSED, char **argv UNUSED)
{
	const struct stat_want *w = want;
	struct stat s = { .c = c, .options = w->options };
	struct err e = { 0 };
	struct tfs top, t;
	char on[16] = "";
	int r = tfs_open(&top, c->sys, &e);

	s.t = &top;
	if (!r && (w->top || !w->names.n))
		one_buffer(&s);
	s.t = &t;
	for (size_t i = 0; !r && i < w->names.n; i++) {
		r = tfs_instance(&t, &top, w->names.v[i], &e);
		if (r)
			break;
		out_printf(c->out, "%sInstance: %s\n", i || w->top ? "---------------\n" : "", t.name);
		one_buffer(&s);
	}
	if (!r && tfs_get(&top, "/proc/sys/kernel/stack_tracer_enabled", on, sizeof(on)) > 0 && strcmp(on, "0"))
		out_str(c->out, "Stack tracing is enabled\n\n");
	return buffers_done(c, r, &e);
}

DEFINE_VERB(stat, "stat", .brief = "Show the current tracing setup: tracer, events, filters, probes, buffers",
	    .examples = PACKED(
	    	"sonde ftrace stat\tthe top buffer\n"
	    	"sonde ftrace stat -B mine\tan instance\n"), .opts = opts,
	    .want_size = sizeof(struct stat_want), .run = stat_run);
