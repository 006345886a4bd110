/* verb_show.c - sonde ftrace show: the trace as the kernel prints it, and single settings. */
#include "cmd/ftrace/buffers.h"
#include "cmd/ftrace/verbs.h"

struct show_want {
	const char *buffer, *cpu;
	struct opt_list files;   /* single settings to show */
	const char *hist, *trigger;
	bool pipe, snapshot, name;
};

/* The options that show one setting each: their names, and the files. */
#define SETTINGS(S)                                                                                                    \
	S(tracing_on, "tracing_on")                                                                                    \
	S(current_tracer, "current_tracer") S(buffer_size, "buffer_size_kb")                                           \
		S(buffer_total_size, "buffer_total_size_kb") S(buffer_subbuf_size, "buffer_subbuf_size_kb")            \
			S(buffer_percent, "buffer_percent") S(ftrace_filter, "set_ftrace_filter")                      \
				S(ftrace_notrace, "set_ftrace_notrace") S(ftrace_pid, "set_ftrace_pid")                \
					S(graph_function, "set_graph_function") S(graph_notrace, "set_graph_notrace")  \
						S(cpumask, "tracing_cpumask") S(max_latency, "tracing_max_latency")    \
							S(kprobe_events, "kprobe_events")                              \
								S(uprobe_events, "uprobe_events")                      \
									S(error_log, "error_log")

#define SETTER(id, file) \
	static int show_##id(void *field, const char *value UNUSED, struct err *e) \
	{ \
		return add_file(field, file, e); \
	}
#define OPTION(id, file) OPT_CALL(0, #id, OPT_NO_VALUE, struct show_want, files, show_##id, "", file),

static int add_file(struct opt_list *l, const char *file, struct err *e)
{
	if (l->n == OPT_LIST_MAX)
		return err_set(e, EINVAL, "too many settings at a time");
	l->v[l->n++] = file;
	return 0;
}

SETTINGS(SETTER)

static const struct opt opts[] = {
	OPT_FLAG('p', NULL, struct show_want, pipe,
		 "read trace_pipe: consumes what it prints, and waits for more"),
	OPT_FLAG('s', NULL, struct show_want, snapshot, "print the snapshot"),
	OPT_STR('c', NULL, struct show_want, cpu, "<cpu>", "only this CPU"),
	OPT_STR('B', NULL, struct show_want, buffer, "<name>", "of this trace buffer (instance)"),
	OPT_FLAG('f', NULL, struct show_want, name, "print the path of the file first"),
	OPT_STR(0, "hist", struct show_want, hist, "<event>", "histogram of SYSTEM:EVENT"),
	OPT_STR(0, "trigger", struct show_want, trigger, "<event>", "triggers of SYSTEM:EVENT"),
	OPT_HEAD("Settings, by the names of their files"),
	SETTINGS(OPTION) OPT_END,
};

struct show {
	const struct ctx *c;
	const struct show_want *w;
	struct tfs t;
};

static int show_file(const struct show *s, const char *file, struct err *e)
{
	char path[PATH_MAX];

	if (s->w->name) {
		tfs_path(&s->t, file, path);
		out_printf(s->c->out, "%s\n", path);
	}
	return buffers_cat(s->c, &s->t, file, e);
}

/* "sched:sched_switch", or an event's name alone: the first system that has it. */
static int show_event(const struct show *s, const char *event, const char *file, struct err *e)
{
	size_t at = strcspn(event, ":/");
	char path[TFS_PATH], dir[PATH_MAX];
	struct sys_list l;
	int r = -ENOENT;

	if (strstr(event, ".."))
		return err_set(e, EINVAL, "'%s' is no event", event);
	if (event[at]) {
		snprintf(path, sizeof(path), "events/%.*s/%s/%s", (int)at, event, event + at + 1, file);
		return show_file(s, path, e);
	}
	tfs_path(&s->t, "events", dir);
	if (sys_list_dir(s->t.sys, dir, &l))
		return err_set(e, ENOENT, "cannot read %s", dir);
	for (size_t i = 0; r == -ENOENT && i < l.n; i++) {
		snprintf(path, sizeof(path), "events/%s/%s/%s", l.v[i], event, file);
		if (tfs_has(&s->t, path))
			r = show_file(s, path, e);
	}
	sys_list_free(&l);
	return r == -ENOENT ? err_set(e, ENOENT, "no event '%s' with a %s", event, file) : r;
}

static int show_trace(const struct show *s, struct err *e)
{
	const char *file = s->w->pipe ? "trace_pipe" : s->w->snapshot ? "snapshot" : "trace";
	char path[64];
	uint64_t cpu;

	snprintf(path, sizeof(path), "%s", file);
	if (s->w->cpu) {
		if (!str_u64(sv_from(s->w->cpu), 0, &cpu) || cpu >= CPUS_MAX)
			return err_set(e, EINVAL, "-c: '%s' is not a CPU", s->w->cpu);
		snprintf(path, sizeof(path), "per_cpu/cpu%u/%s", (unsigned)cpu, file);
		if (!tfs_has_own(&s->t, path))
			return err_set(e, ENOENT, "there is no CPU %u", (unsigned)cpu);
	}
	if (s->w->snapshot && !tfs_has_own(&s->t, path))
		return buffers_no_snapshot(&s->t, e);
	return show_file(s, path, e);
}

static int show(const struct show *s, struct err *e)
{
	const struct show_want *w = s->w;
	int r = 0;

	if (!w->files.n && !w->hist && !w->trigger)
		return show_trace(s, e);
	for (size_t i = 0; !r && i < w->files.n; i++)
		r = show_file(s, w->files.v[i], e);
	if (!r && w->hist)
		r = show_event(s, w->hist, "hist", e);
	if (!r && w->trigger)
		r = show_event(s, w->trigger, "trigger", e);
	return r;
}

static int check(const struct show_want *w, struct err *e)
{
	const char *of_trace = w->pipe ? "-p" : w->snapshot ? "-s" : w->cpu ? "-c" : NULL;

	if (w->pipe && w->snapshot)
		return err_set(e, EINVAL, "-p and -s are two files: one at a time");
	if (of_trace && (w->files.n || w->hist || w->trigger))
		return err_set(e, EINVAL, "%s is for the trace, not for single settings", of_trace);
	return 0;
}

static int show_run(struct ctx *c, void *want, int argc UNUSED, char **argv UNUSED)
{
	struct show s = { .c = c, .w = want };
	struct err e = { 0 };
	int r;

	if (check(s.w, &e))
		return cmd_usage(c, cmd_verb(verbs, "show"), &e);
	r = buffers_one(c, s.w->buffer, &s.t, &e);
	return buffers_done(c, r ? r : show(&s, &e), &e);
}

DEFINE_VERB(show, "show", .brief = "Show a trace buffer, as the kernel prints it",
	    .examples = PACKED(
		    "sonde ftrace show\tthe top buffer\n"
		    "sonde ftrace show -p\tcontinuously, until Ctrl-C\n"
		    "sonde ftrace show --hist sched:sched_switch\ta histogram trigger\n"),
	    .opts = opts, .want_size = sizeof(struct show_want), .run = show_run);
