/* plan.c - chooses the buffer, and sets it up. */
#include "tracing/plan_parts.h"

#include "base/fmt.h"
#include "tracing/settings.h"

void plan_deinit(struct plan *p)
{
	plan_words *const words[] = { &p->functions, &p->notrace, &p->graph, &p->nograph, &p->options,
					&p->settings };

	for (size_t i = 0; i < p->events.n; i++)
		vec_free(&p->events.v[i].triggers);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		vec_free(words[i]);
	vec_free(&p->events);
	vec_free(&p->pids);
	vec_free(&p->not_pids);
	*p = (struct plan){ 0 };
}

/* --- which buffer --- */

static bool has_word(const char *list, const char *word)
{
	struct sv rest = sv_from(list), one;

	while (sv_cut(&rest, ' ', &one))
		if (sv_eq(one, word))
			return true;
	return false;
}

/* Does the buffer support the tracer? An instance only offers those that can run several times. */
static bool has_tracer(const struct tfs *t, const char *tracer)
{
	char list[512];

	return tfs_get(t, "available_tracers", list, sizeof(list)) <= 0 || has_word(list, tracer);
}

int plan_place(const struct plan *p, struct undo *u, const struct tfs *top, struct tfs *t, char why[160], struct err *e)
{
	char dir[PATH_MAX];
	int r;

	why[0] = '\0';
	*t = *top;
	if (p->instance)
		return undo_named_instance(u, t, top, p->instance, e);
	if (p->top)
		return 0;
	snprintf(dir, sizeof(dir), "%s/instances", top->root);
	if (!sys_exists(top->sys, dir)) {
		snprintf(why, 160, "this kernel has no other buffers");
		return 0;
	}
	r = undo_instance(u, t, top, e);
	if (r || !p->tracer || has_tracer(t, p->tracer))
		return r;
	/* The journal still has the instance that is removed here, which does no harm. */
	if (has_tracer(top, p->tracer))
		snprintf(why, 160, "on this kernel the tracer %s works only in the top buffer, which is emptied",
			 p->tracer);
	r = tfs_remove(t, e);
	*t = *top;
	return r;
}

/* --- settings --- */

static int put_number(struct undo *u, const struct tfs *t, const char *file, uint64_t v, struct err *e)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)v);
	return undo_put(u, t, file, text, e);
}

static int put_clock(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e)
{
	char list[512];

	if (tfs_get(t, "trace_clock", list, sizeof(list)) > 0) {
		/* The current clock is in brackets, which are not part of the name: "[local] global". */
		char *a = strchr(list, '['), *b = strchr(list, ']');

		if (a && b) {
			memmove(a, a + 1, (size_t)(b - a - 1));
			memmove(b - 1, b + 1, strlen(b));
		}
		if (!has_word(list, p->clock)) {
			err_set(e, EINVAL, "this kernel has no trace clock '%s'", p->clock);
			return err_hint(e, "it has: %s", list);
		}
	}
	return undo_put(u, t, "trace_clock", p->clock, e);
}

/* If CPUs have different sizes the file shows X, which cannot be restored: save and set each CPU's file. */
static int put_size(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e)
{
	char old[64], dir[PATH_MAX], file[TFS_PATH];
	struct sys_list cpus;
	int r = 0;

	if (tfs_get(t, "buffer_size_kb", old, sizeof(old)) > 0 && old[0] == 'X') {
		tfs_path(t, "per_cpu", dir);
		r = sys_list_dir(t->sys, dir, &cpus);
		if (r)
			return err_set(e, -r, "cannot read %s: %s", dir, err_name(-r));
		for (size_t i = 0; !r && i < cpus.n; i++) {
			snprintf(file, sizeof(file), "per_cpu/%s/buffer_size_kb", cpus.v[i]);
			r = put_number(u, t, file, p->buffer_kb, e);
		}
		sys_list_free(&cpus);
	} else {
		r = put_number(u, t, "buffer_size_kb", p->buffer_kb, e);
	}
	if (r == -ENOMEM)
		err_set(e, ENOMEM, "no memory for a buffer of %llu KB on every CPU", (unsigned long long)p->buffer_kb);
	return r;
}

/*
 * "7 (expanded: 1408)": a buffer that grows at its first use. Linux before 6.7 does not expand instances, which would
 * be left with two pages.
 */
static int expand(const struct tfs *t, struct err *e)
{
	char text[64];
	char *more = tfs_get(t, "buffer_size_kb", text, sizeof(text)) > 0 ? strstr(text, "(expanded: ") : NULL;

	if (!more)
		return 0;
	more += strlen("(expanded: ");
	more[strcspn(more, ")")] = '\0';
	return tfs_put(t, "buffer_size_kb", more, e);
}

static int put_subbuf(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e)
{
	if (!tfs_has(t, "buffer_subbuf_size_kb")) {
		err_set(e, EOPNOTSUPP, "this kernel cannot change the size of sub-buffers");
		return err_hint(e, "Linux 6.8 and newer can; a larger buffer (-b) is to be had everywhere");
	}
	return put_number(u, t, "buffer_subbuf_size_kb", p->subbuf_kb, e);
}

/* The kernel's format: 32-bit words in hex, separated by commas. */
static void mask_text(const struct cpus *c, char *buf, size_t size)
{
	int last = 0;
	size_t n = 0;

	for (int cpu = -1; (cpu = cpus_next(c, (unsigned)cpu + 1)) >= 0; )
		last = cpu;
	for (int w = last / 32; w >= 0 && n < size; w--)
		n += (size_t)snprintf(buf + n, size - n, w == last / 32 ? "%x" : ",%08x",
				      (unsigned)(c->w[w / 2] >> (w % 2 * 32) & UINT32_MAX));
}

/* Accepts a hex mask as trace-cmd does, -1 for all, or a list of CPUs, which is recognised by a '-' or short words. */
int plan_cpumask(const struct sys *sys, const char *want, char mask[PLAN_MASK], struct err *e)
{
	const char *comma = strchr(want, ',');
	char list[1024];
	struct cpus c;
	int r;

	if (!strncmp(want, "0x", 2))
		want += 2;
	if (!strcmp(want, "-1")) {
		if (sys_read_line(sys, list, sizeof(list), "/sys/devices/system/cpu/possible") <= 0)
			return err_set(e, ENOENT,
				       "cannot tell which CPUs there are: no /sys/devices/system/cpu/possible");
		want = list;
	} else if (!strchr(want, '-') && !(comma && strcspn(comma + 1, ",") != 8)) {
		snprintf(mask, PLAN_MASK, "%s", want);
		return 0;
	}
	r = cpus_parse(&c, sv_from(want), e);
	if (!r)
		mask_text(&c, mask, PLAN_MASK);
	return r;
}

static int put_cpumask(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e)
{
	char mask[PLAN_MASK];
	int r = plan_cpumask(t->sys, p->cpumask, mask, e);

	return r ? r : undo_put(u, t, "tracing_cpumask", mask, e);
}

int plan_option(struct undo *u, const struct tfs *t, const char *word, struct err *e)
{
	char file[TFS_PATH], dir[PATH_MAX], text[200];
	struct nearest near;
	struct sys_list l = { 0 };

	snprintf(file, sizeof(file), "options/%s", word);
	if (!strchr(word, '/') && tfs_has(t, file))
		return undo_put(u, t, file, "1", e);
	if (!strncmp(word, "no", 2)) {
		snprintf(file, sizeof(file), "options/%s", word + 2);
		if (!strchr(word, '/') && tfs_has(t, file))
			return undo_put(u, t, file, "0", e);
	}
	tfs_path(t, "options", dir);
	nearest_init(&near, sv_from(word));
	if (!sys_list_dir(t->sys, dir, &l))
		for (size_t i = 0; i < l.n; i++)
			nearest_feed(&near, l.v[i]);
	err_set(e, EINVAL, "no trace option '%s'%s", word, nearest_text(&near, text, sizeof(text)));
	sys_list_free(&l);
	return err_hint(e, "'list -o' shows them; a leading no switches one off");
}

/* A stack trace for every function of the kernel would stop the machine: require a function filter. */
static int put_func_stack(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e)
{
	bool filtered = false;

	for (size_t i = 0; i < p->functions.n; i++)
		filtered |= !strchr(p->functions.v[i], ':') || strstr(p->functions.v[i], ":mod:");
	if (!filtered && !p->module) {
		err_set(e, EINVAL, "a stack for every function there is could lock up the machine");
		return err_hint(e, "--func-stack needs a filter: -l FUNCTION");
	}
	return plan_option(u, t, "func_stack_trace", e);
}

static int put_no_functions(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e)
{
	bool option = tfs_has(t, "options/function-trace");
	int r = option ? undo_put(u, t, "options/function-trace", "0", e) : 0;

	return !r && (p->ftrace_off || !option) ? undo_put(u, t, "/proc/sys/kernel/ftrace_enabled", "0", e) : r;
}

static int put_options(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && i < p->options.n; i++)
		r = plan_option(u, t, p->options.v[i], e);
	if (!r && p->event_stacks)
		r = plan_option(u, t, "stacktrace", e);
	if (!r && (p->no_functions || p->ftrace_off))
		r = put_no_functions(p, u, t, e);
	return r;
}

/* --- pids --- */

/* One filters events, the other functions. */
static const char *const pid_files[] = { "set_event_pid", "set_ftrace_pid" };
static const char *const not_pid_files[] = { "set_event_notrace_pid", "set_ftrace_notrace_pid" };

/* A locked-down kernel may allow events and forbid all function files; without a tracer these are not needed. */
static bool is_needless(const struct plan *p, int r, const char *file)
{
	return (r == -EPERM || r == -EACCES) && (!p || !p->tracer) && !strncmp(file, "set_ftrace_", 11);
}

static int put_pid_list(const struct plan *p, struct undo *u, const struct tfs *t, const plan_pids *pids,
			const char *const files[2], struct err *e)
{
	struct mem_out m;
	int r = 0;

	mem_out_init(&m);
	for (size_t i = 0; i < pids->n; i++)
		out_printf(&m.out, "%d\n", pids->v[i]);
	for (size_t i = 0; !r && i < 2; i++) {
		if ((pids->n || !p->add) && tfs_has(t, files[i]))
			r = undo_put(u, t, files[i], mem_out_str(&m), e);
		r = is_needless(p, r, files[i]) ? 0 : r;
	}
	mem_out_deinit(&m);
	return r;
}

static int put_pids(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e)
{
	int r = put_pid_list(p, u, t, &p->pids, pid_files, e);

	if (!r && p->not_pids.n && !tfs_has(t, not_pid_files[0])) {
		err_set(e, EOPNOTSUPP, "this kernel cannot leave threads out: it has no %s", not_pid_files[0]);
		return err_hint(e, "Linux 5.7 and newer have it; -P names those that are wanted");
	}
	r = r ? r : put_pid_list(p, u, t, &p->not_pids, not_pid_files, e);
	if (!r && p->follow && tfs_has(t, "options/event-fork"))
		r = undo_put(u, t, "options/event-fork", "1", e);
	if (!r && p->follow && tfs_has(t, "options/function-fork"))
		r = undo_put(u, t, "options/function-fork", "1", e);
	return r;
}

static int add_pid(const struct plan *p, struct undo *u, const struct tfs *t, const char *file, int pid, struct err *e)
{
	char *list = NULL, *text;
	size_t n = 0;
	int r = tfs_has(t, file) ? tfs_read_all(t, file, &list, &n, e) : -ENOENT;

	if (r)
		return r == -ENOENT || is_needless(p, r, file) ? 0 : r;
	text = malloc(n + 32);
	if (!text) {
		r = err_nomem(e);
	} else {
		/* "no pid" means an empty list. */
		snprintf(text, n + 32, "%s%d", strncmp(list, "no pid", 6) ? list : "", pid);
		r = undo_put(u, t, file, text, e);
	}
	free(text);
	free(list);
	return r;
}

int plan_add_pid(const struct plan *p, struct undo *u, const struct tfs *t, int pid, struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && i < ARRAY_SIZE(pid_files); i++)
		r = add_pid(p, u, t, pid_files[i], pid, e);
	return r;
}

int plan_ignore_pid(struct undo *u, const struct tfs *t, int pid, struct err *e)
{
	int r = add_pid(NULL, u, t, not_pid_files[0], pid, e);

	return r ? r : add_pid(NULL, u, t, not_pid_files[1], pid, e);
}

/* --- the whole plan --- */

int plan_tracer(const struct tfs *t, const char *tracer, struct err *e)
{
	char list[512], text[200];
	struct nearest near;
	struct sv rest, word;

	if (has_tracer(t, tracer) || tfs_get(t, "available_tracers", list, sizeof(list)) <= 0)
		return 0;
	nearest_init(&near, sv_from(tracer));
	rest = sv_from(list);
	while (sv_cut(&rest, ' ', &word)) {
		list[word.s + word.n - list] = '\0';
		nearest_feed(&near, word.s);
	}
	err_set(e, EINVAL, "this %s no tracer '%s'%s", tfs_is_top(t) ? "kernel has" : "buffer can have", tracer,
		nearest_text(&near, text, sizeof(text)));
	return err_hint(e, "'list -t' shows them");
}

static int put_tracer(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e)
{
	int r = plan_tracer(t, p->tracer, e);

	r = r ? r : undo_put(u, t, "current_tracer", p->tracer, e);
	if (r == -EBUSY)
		err_hint(e, "somebody reads trace_pipe: the tracer cannot be changed meanwhile");
	return r;
}

/* Settings of the ring: changing the clock or a size clears it. */
static int put_buffer(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e)
{
	int r = p->clock ? put_clock(p, u, t, e) : 0;

	if (!r && p->subbuf_kb)
		r = put_subbuf(p, u, t, e);
	if (!r)
		r = p->buffer_kb ? put_size(p, u, t, e) : expand(t, e);
	if (!r && p->cmdlines)
		r = put_number(u, t, "saved_cmdlines_size", p->cmdlines, e);
	if (!r && p->cpumask)
		r = put_cpumask(p, u, t, e);
	return r;
}

/* Clear a buffer that others used before: its old events would be taken for ours. */
static int forget_old(const struct plan *p, const struct tfs *t, struct err *e)
{
	return p->add || !(p->instance || tfs_is_top(t)) ? 0 : tfs_put(t, "trace", "", e);
}

bool plan_must_clear(const struct plan *p, const struct tfs *t, const char *file)
{
	return p->tracer && !p->add && tfs_has(t, file) &&
	       (tfs_is_top(t) || !strstr(file, "graph") || !strcmp(p->tracer, "function_graph"));
}

int plan_apply(const struct plan *p, struct undo *u, const struct tfs *t, struct err *e)
{
	int r = p->add ? 0 : undo_put(u, t, "tracing_on", "0", e);

	r = r ? r : put_buffer(p, u, t, e);
	r = r ? r : forget_old(p, t, e);
	r = r ? r : put_options(p, u, t, e);
	for (size_t i = 0; !r && i < p->settings.n; i++)
		r = settings_put(u, t, p->settings.v[i], e);
	r = r ? r : plan_functions(p, u, t, e);
	if (!r && p->func_stack)
		r = put_func_stack(p, u, t, e);
	if (!r && (p->graph_depth || plan_must_clear(p, t, "max_graph_depth")))
		r = put_number(u, t, "max_graph_depth", p->graph_depth, e);
	r = r ? r : put_pids(p, u, t, e);
	/* Set the tracer before events: it fails early if it fails, and a latency tracer clears the buffer. */
	if (!r && p->tracer)
		r = put_tracer(p, u, t, e);
	return r ? r : plan_events(p, u, t, e);
}

int plan_start(struct undo *u, const struct tfs *t, struct err *e)
{
	return undo_put(u, t, "tracing_on", "1", e);
}

int plan_stop(const struct tfs *t, struct err *e)
{
	return tfs_put(t, "tracing_on", "0", e);
}
