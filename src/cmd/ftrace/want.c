/* want.c - trace-cmd's options that say what is traced. */
#include "cmd/ftrace/want.h"

#include "cmd/annotate/inline.h"
#include "tracefs/grammar/dynevent.h"
#include "tracing/settings.h"

enum { TASKS_MAX = 65536 };

/* Append a word; also called for options whose field is a list of words. */
static int add_word(void *words, const char *word, struct err *e)
{
	plan_words *l = words;
	const char **at;

	if (!word) {
		/* --no-nograph */
		l->n = 0;
		return 0;
	}
	at = vec_add(l);
	if (!at)
		return err_nomem(e);
	*at = word;
	return 0;
}

/* --- events --- */

static int add_event(void *field, const char *value, struct err *e)
{
	struct want *w = field;
	const char *s = value, *end;

	for (;; s = end + 1) {
		int r = inline_cut(s, &end, e);

		if (r)
			return r;
		if (end == s)
			return err_set(e, EINVAL, "an event's name is missing in '%s'", value);
		if (w->negate && inline_is(s))
			return err_set(e, EINVAL, "a probe cannot be left out: it is made by being named");

		struct plan_event *ev = vec_add(&w->now.events);

		if (!ev || !(ev->pattern = arena_dup(&w->arena, s, (size_t)(end - s))))
			return err_nomem(e);
		ev->exclude = w->negate;
		if (!*end)
			return 0;
	}
}

static struct plan_event *last_event(struct want *w, struct err *e)
{
	if (w->now.events.n)
		return &w->now.events.v[w->now.events.n - 1];
	err_set(e, EINVAL, "stands before any -e: it belongs to the event in front of it");
	return NULL;
}

/* Several filters of one event must all be true. */
static int add_filter(void *field, const char *value, struct err *e)
{
	struct want *w = field;
	struct plan_event *ev = last_event(w, e);
	const char *old = ev ? ev->filter : NULL;

	if (!ev)
		return -EINVAL;
	ev->filter = value;
	if (old) {
		size_t n = strlen(value) + strlen(old) + 16;
		char *both = arena_alloc(&w->arena, n);

		if (!both)
			return err_nomem(e);
		snprintf(both, n, "(%s)&&(%s)", old, value);
		ev->filter = both;
	}
	return 0;
}

static int add_trigger(void *field, const char *value, struct err *e)
{
	struct plan_event *ev = last_event(field, e);

	return ev ? add_word(&ev->triggers, value, e) : -EINVAL;
}

static int set_negate(void *field, const char *value UNUSED, struct err *e UNUSED)
{
	((struct want *)field)->negate = true;
	return 0;
}

/* --- buffers --- */

/* The options of a buffer end: store its plan. */
static int end_plan(struct want *w, struct err *e)
{
	struct plan *p = vec_add(&w->plans);

	if (!p)
		return err_nomem(e);
	*p = w->now;
	w->now = (struct plan){ 0 };
	return 0;
}

static int set_buffer(void *field, const char *value, struct err *e)
{
	struct want *w = field;
	bool deleted = w->negate;
	int r;

	w->negate = false;
	w->guest.inside = false;
	if (!*value || strchr(value, '/') || value[0] == '.')
		return err_set(e, EINVAL, "'%s' cannot be the name of a buffer", value);
	if (deleted)
		return add_word(&w->deleted, value, e);
	r = end_plan(w, e);
	for (size_t i = 1; !r && i < w->plans.n; i++)
		if (!strcmp(w->plans.v[i].instance, value))
			r = err_set(e, EINVAL, "the buffer '%s' was named before: its options stand together", value);
	w->now.instance = value;
	return r;
}

static int add_setting(void *field, const char *value, struct err *e)
{
	int r = value ? settings_check(value, e) : 0;

	return r ? r : add_word(field, value, e);
}

static int add_pid(plan_pids *p, int pid, struct err *e)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->v[i] == pid)
			return 0;

	int *at = vec_add(p);

	if (!at)
		return err_nomem(e);
	*at = pid;
	return 0;
}

static int add_pids(void *field, const char *value, struct err *e)
{
	struct sv rest = sv_from(value), one;
	plan_pids *p = field;
	uint64_t pid;
	int r = 0;

	while (!r && sv_cut(&rest, ',', &one))
		r = str_u64(one, 10, &pid) && pid && pid <= INT_MAX
			    ? add_pid(p, (int)pid, e)
			    : err_set(e, EINVAL, "'%s' is not a list of process ids", value);
	return r;
}

/* --- guests --- */

static int add_guest(void *field, const char *value, struct err *e)
{
	struct want *w = field;

	if (w->guest.n == WANT_GUESTS)
		return err_set(e, EINVAL, "more than %d guests", WANT_GUESTS);
	w->guest.v[w->guest.n++].where = value;
	w->guest.inside = true;
	return 0;
}

static int name_guest(void *field, const char *value, struct err *e)
{
	struct want *w = field;

	if (!w->guest.n)
		return err_set(e, EINVAL, "stands before any -A: it names the guest in front of it");
	if (!*value || strchr(value, '/') || value[0] == '.')
		return err_set(e, EINVAL, "'%s' cannot be part of a file's name", value);
	w->guest.v[w->guest.n - 1].name = value;
	return 0;
}

static int set_tsync(void *field, const char *value, struct err *e)
{
	struct want *w = field;

	w->guest.has_tsync = true;
	return str_i64(sv_from(value), 10, &w->guest.tsync_ms) && w->guest.tsync_ms <= 86400000
		       ? 0
		       : err_set(e, EINVAL, "'%s' is no number of milliseconds", value);
}

static bool is_one_of(const struct opt *o, const char *letters, const char *const *names)
{
	if (o->letter && strchr(letters, o->letter))
		return true;
	for (; o->name && *names; names++)
		if (!strcmp(o->name, *names))
			return true;
	return false;
}

static int add_arg(struct want *w, struct want_guest *g, const char *fmt, ...) PRINTF(3, 4);
static int add_arg(struct want *w, struct want_guest *g, const char *fmt, ...)
{
	char text[4096];
	const char **slot = vec_add(&g->args), *copy;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	copy = slot && n < (int)sizeof(text) ? arena_dup(&w->arena, text, (size_t)n) : NULL;
	if (slot)
		*slot = copy ? copy : "";
	return copy ? 0 : -ENOMEM;
}

/* Send an option after -A to the guest's agent, which has the same ones. 1: it was sent; 0: it is for this host. */
static int to_guest(void *want, const struct opt *o, bool negated, const char *value, struct err *e)
{
	static const char *const ours[] = { "name", "tsync-interval", NULL };
	static const char *const not_his[] = {
		"temp", "daemonize", "stderr", "user", "quiet", "proc-map", NULL,
	};
	struct want *w = want;
	struct want_guest *g = w->guest.n ? &w->guest.v[w->guest.n - 1] : NULL;
	int r;

	if (!w->guest.inside || is_one_of(o, "AB", ours))
		return 0;
	if (is_one_of(o, "oNVkF", not_his)) {
		err_set(e, EINVAL, "behind -A options are the guest's, and this one is not for it");
		return err_hint(e, "write it before -A");
	}
	g->has_clock |= o->letter == 'C';
	if (o->letter)
		r = add_arg(w, g, "-%c", o->letter);
	else if (value && o->flags & OPT_OPTIONAL)
		r = add_arg(w, g, "--%s=%s", o->name, value);
	else
		r = add_arg(w, g, "--%s%s", negated ? "no-" : "", o->name);
	if (!r && value && !(o->flags & OPT_OPTIONAL))
		r = add_arg(w, g, "%s", value);
	return r ? err_set(e, -r, "no room for the guest's options") : 1;
}

/* --- what trace-cmd has and this has not --- */

static int set_debug(void *field, const char *value UNUSED, struct err *e UNUSED)
{
	((struct want *)field)->loglevel = LOGLEVEL_DEBUG;
	return 0;
}

static int no_notimeout(void *field UNUSED, const char *value UNUSED, struct err *e)
{
	err_set(e, EINVAL, "a listener that says nothing for a minute is given up");
	return err_hint(e, "leave it out; without it a slow listener is waited for as long");
}

static int no_vsock(void *field UNUSED, const char *value UNUSED, struct err *e)
{
	err_set(e, EINVAL, "a listener is reached by the network only");
	return err_hint(e, "-N HOST:PORT; or run 'ftrace agent' here, and 'ftrace record -A' there");
}

static int no_proxy(void *field UNUSED, const char *value UNUSED, struct err *e)
{
	err_set(e, EINVAL, "a host is not traced from inside of its guest");
	return err_hint(e, "record -A on the host, with 'ftrace agent' in the guest");
}

static int no_tsc(void *field UNUSED, const char *value UNUSED, struct err *e)
{
	err_set(e, EINVAL, "times are not converted from TSC counts");
	return err_hint(e, "the default clock counts nanoseconds; -C mono is that of other tools");
}

#define HIDDEN_VALUE(l, n, fn) OPT_CALL_WANT(l, n, OPT_HIDDEN, fn, "", "")
#define HIDDEN_FLAG(l, n) OPT_IGNORED(l, n, FLAG, struct want, ignored)
#define VALUE(l, n, fn, a, h) OPT_CALL_WANT(l, n, 0, fn, a, h)
#define ALONE(l, n, fn, h) OPT_CALL_WANT(l, n, OPT_NO_VALUE, fn, "", h)
#define WORDS(l, n, field, a, h) OPT_CALL(l, n, 0, struct want, now.field, add_word, a, h)
#define FLAG(l, n, field, h) OPT_FLAG(l, n, struct want, field, h)

const struct opt want_opts[] = {
	OPT_WATCH(to_guest),
	OPT_HEAD("Events"),
	VALUE('e', NULL, add_event, "<event>",
	      "SYSTEM:EVENT, SYSTEM or EVENT, globs, all; temporary probes kprobe:F, uprobe:F@FILE, usdt:..., or by "
	      "the kernel's definitions 'r16:NAME F', 'e:NAME SYSTEM.EVENT' (one per -e)"),
	VALUE('f', NULL, add_filter, "<expr>", "filter of the last -e: \"prev_pid == 0 && next_prio < 100\""),
	VALUE('R', NULL, add_trigger, "<trigger>", "trigger of the last -e: stacktrace, traceoff, hist:keys=..."),
	ALONE('v', NULL, set_negate, "exclude the events of later -e; set: remove the buffer of a later -B"),
	FLAG('i', NULL, missing_ok, "ignore missing events"),
	FLAG('T', NULL, now.event_stacks, "a kernel stack trace for every event"),
	OPT_HEAD("Functions"),
	OPT_STR('p', "plugin", struct want, now.tracer, "<tracer>", "function, function_graph, wakeup ... (list -t)"),
	WORDS('l', NULL, functions, "<func>", "only these: glob, ^regex$, *:mod:X, FUNC:traceoff:5"),
	WORDS('n', NULL, notrace, "<func>", "not these functions"),
	WORDS('g', NULL, graph, "<func>", "function_graph: these and their callees"),
	WORDS(0, "nograph", nograph, "<func>", "function_graph: not these and their callees"),
	OPT_STR(0, "module", struct want, now.module, "<module>", "only functions of this module"),
	OPT_U64(0, "max-graph-depth", struct want, now.graph_depth, "<n>", "maximum call depth of function_graph"),
	FLAG(0, "func-stack", now.func_stack, "a stack trace for every function; needs -l"),
	FLAG('d', NULL, now.no_functions, "no function tracing in latency tracers"),
	FLAG('D', NULL, now.ftrace_off, "set ftrace_enabled to 0, for all users"),
	OPT_HEAD("Target"),
	FLAG('F', NULL, work.only_command, "only the command"),
	OPT_CALL('P', NULL, 0, struct want, now.pids, add_pids, "<pid>", "only this thread; repeatable"),
	OPT_CALL(0, "notrace-pid", 0, struct want, now.not_pids, add_pids, "<pid>", "not this thread; repeatable"),
	FLAG('c', NULL, work.follow, "with -F, -P, --notrace-pid: follow threads and children"),
	OPT_STR('M', NULL, struct want, now.cpumask, "<mask>", "only these CPUs: hexadecimal mask, -1 all, or 0-3,8"),
	OPT_STR(0, "user", struct want, work.user, "<name>", "run the command as this user"),
	OPT_HEAD("Buffer"),
	VALUE('B', NULL, set_buffer, "<name>", "use this buffer (instance) for the options after it"),
	FLAG(0, "top", top, "use the top buffer, not an instance of our own"),
	OPT_U64('b', NULL, struct want, now.buffer_kb, "<kb>", "buffer size per CPU"),
	OPT_U64(0, "subbuf-size", struct want, now.subbuf_kb, "<kb>", "sub-buffer size (Linux 6.8)"),
	OPT_STR('C', NULL, struct want, now.clock, "<clock>", "trace clock (list -C)"),
	OPT_CALL(0, "set", 0, struct want, now.settings, add_setting, "<name=value>",
		 "tracing_thresh, buffer_percent, cpuN/buffer_size_kb, or of osnoise, timerlat, hwlat: period_us, "
		 "width ... (list --settings)"),
	WORDS('O', NULL, options, "<option>", "set a trace option, noOPTION clears it (list -o)"),
	OPT_U64(0, "cmdlines-size", struct want, now.cmdlines, "<n>",
		"saved_cmdlines_size: thread names that the kernel keeps"),
	OPT_HEAD("Recording"),
	OPT_STR('o', NULL, struct want, file.output, "<file>", "file to write (default trace.dat)"),
	FLAG('k', NULL, keep, "do not restore buffers and settings at the end"),
	FLAG('q', "quiet", quiet, "print errors only"),
	OPT_U64('m', NULL, struct want, file.max_kb, "<kb>", "keep only the newest <kb> per CPU"),
	OPT_U64('s', NULL, struct want, interval_us, "<us>", "sleep time between reads of the buffers"),
	OPT_U64('r', NULL, struct want, priority, "<prio>", "real-time priority of the recorder threads"),
	OPT_STR('N', NULL, struct want, file.host, "<host:port>", "send the recording to 'listen' on this host"),
	FLAG('t', NULL, file.tcp, "with -N: use TCP, not UDP"),
	FLAG('a', NULL, all_formats, "save formats of all events, not only the traced ones"),
	FLAG(0, "date", file.date, "wall-clock timestamps (since 1970)"),
	OPT_STR(0, "compression", struct want, file.compression, "<name>", "none, zstd, zlib or any; makes version 7"),
	OPT_U64(0, "file-version", struct want, file.file_version, "<n>", "6 or 7"),
	OPT_STR(0, "temp", struct want, file.temp, "<dir>", "folder for temporary files"),
	OPT_STR(0, "ts-offset", struct want, file.ts_offset, "<ns>", "offset added to all timestamps of the file"),
	FLAG(0, "poll", poll, "poll buffers without sleeping"),
	FLAG(0, "proc-map", file.proc_map,
	     "record: save mappings of the command or of each -P, for symbols of user stacks"),
	FLAG(0, "daemonize", work.daemonize, "record: run in the background once recording"),
	FLAG(0, "stderr", prof.to_stderr, "print to standard error, not standard output"),
	OPT_HEAD("Guests"),
	VALUE('A', NULL, add_guest, "<guest>",
	      "record: record this guest's agent, too, with the options after it: NAME@CID:PORT, CID:PORT, or "
	      "HOST:PORT (default port 823); written to FILE-NAME.dat"),
	VALUE(0, "name", name_guest, "<name>", "name of that guest"),
	VALUE(0, "tsync-interval", set_tsync, "<ms>",
	      "synchronize clocks every <ms>; 0 (default): at start and end; negative: never"),
	OPT_HEAD("Profile"),
	FLAG(0, "profile", prof.on, "enable the events that a profile needs"),
	FLAG('S', NULL, prof.only_given, "with --profile: enable only the given events"),
	FLAG('G', NULL, prof.irqs_global, "profile: interrupts per CPU, not per task"),
	FLAG(0, "by-comm", prof.by_comm, "profile: merge tasks of the same name"),
	OPT_LIST('H', NULL, struct want, prof.hooks, "<hook>", "pair of events: START,MATCH[,PID]/END,MATCH[,FLAGS]"),
	OPT_LOGLEVEL(0, struct want, loglevel),
	/*
	 * Accepted without effect: sonde's own threads are always traced; guests' pages come by sockets, not by FIFOs;
	 * pages that cannot be spliced are read.
	 */
	HIDDEN_FLAG(0, "no-filter"), HIDDEN_FLAG(0, "nosplice"), HIDDEN_FLAG(0, "nofifos"),
	{ OPT_AT(0, "fork", FLAG, struct want, work.fork), .flags = OPT_HIDDEN },
	OPT_CALL_WANT(0, "debug", OPT_HIDDEN | OPT_NO_VALUE, set_debug, "", ""),
	/* Refused. */
	HIDDEN_VALUE('V', NULL, no_vsock), HIDDEN_VALUE(0, "proxy", no_proxy),
	OPT_CALL_WANT(0, "notimeout", OPT_HIDDEN | OPT_NO_VALUE, no_notimeout, "", ""),
	OPT_CALL_WANT(0, "tsc2nsec", OPT_HIDDEN | OPT_NO_VALUE, no_tsc, "", ""),
	OPT_END,
};

/* --- the whole --- */

/* Add the threads of the processes in the list, and their children; these are appended, so they are walked as well. */
static int add_family(plan_pids *p, const struct sys *sys, struct err *e)
{
	char path[128], text[16384];
	struct sys_list tasks;
	struct sv rest, word;
	uint64_t child;
	int r = 0;

	for (size_t i = 0; !r && i < p->n && p->n < TASKS_MAX; i++) {
		snprintf(path, sizeof(path), "/proc/%d/task", p->v[i]);
		if (sys_list_dir(sys, path, &tasks))
			continue;
		for (size_t k = 0; !r && k < tasks.n; k++) {
			if (str_u64(sv_from(tasks.v[k]), 10, &child))
				r = add_pid(p, (int)child, e);
			if (sys_read_line(sys, text, sizeof(text), "%s/%s/children", path, tasks.v[k]) <= 0)
				continue;
			rest = sv_from(text);
			while (!r && sv_cut(&rest, ' ', &word))
				if (str_u64(word, 10, &child))
					r = add_pid(p, (int)child, e);
		}
		sys_list_free(&tasks);
	}
	return r;
}

static bool is_empty(const struct plan *p)
{
	return !p->tracer && !p->events.n && !p->functions.n && !p->notrace.n && !p->graph.n && !p->nograph.n &&
	       !p->options.n && !p->clock && !p->cpumask && !p->buffer_kb && !p->subbuf_kb && !p->pids.n &&
	       !p->not_pids.n && !p->settings.n &&
	       !p->module && !p->graph_depth && !p->cmdlines && !p->func_stack && !p->event_stacks &&
	       !p->no_functions && !p->ftrace_off;
}

bool want_traces_nothing(const struct want *w)
{
	return w->plans.n == 1 && !w->plans.v[0].tracer && !w->plans.v[0].events.n;
}

/* Drop the main buffer: all options were for others. */
static void drop_main(struct want *w)
{
	plan_deinit(&w->plans.v[0]);
	w->plans.n--;
	memmove(&w->plans.v[0], &w->plans.v[1], w->plans.n * sizeof(w->plans.v[0]));
}

int want_finish(struct want *w, const struct sys *sys, enum want_least least, struct err *e)
{
	bool something = w->prof.on || w->prof.hooks.n;
	int r = end_plan(w, e);

	if (r)
		return r;
	if (w->plans.n > 1 && is_empty(&w->plans.v[0]) && !w->prof.on)
		drop_main(w);
	for (size_t i = 0; !r && i < w->plans.n; i++) {
		struct plan *p = &w->plans.v[i];

		something |= p->tracer || p->events.n;
		p->top = w->top && !p->instance;
		/* As in trace-cmd: the graph tracer leaves out the callees of functions not to trace, too. */
		if (p->tracer && !strcmp(p->tracer, "function_graph") && !p->nograph.n) {
			plan_words none = p->nograph;

			p->nograph = p->notrace;
			p->notrace = none;
		}
		p->missing_ok |= w->missing_ok;
		p->follow |= w->work.follow;
		if (w->work.follow)
			r = add_family(&p->pids, sys, e);
		if (!r && w->work.follow)
			r = add_family(&p->not_pids, sys, e);
	}
	if (r)
		return r;
	if (least == WANT_SOMETHING && !something) {
		err_set(e, EINVAL, "no event and no tracer was given");
		return err_hint(e, "-e EVENT or -p TRACER; 'list -e' and 'list -t' show what there is");
	}
	if (w->file.file_version && w->file.file_version != 6 && w->file.file_version != 7)
		return err_set(e, EINVAL, "--file-version: 6 and 7 there are, not %llu",
			       (unsigned long long)w->file.file_version);
	if (w->priority > 99)
		return err_set(e, EINVAL, "-r: priorities are 1 to 99");
	if (!w->work.user)
		return 0;
	w->work.child.as = &w->work.account;
	return account_find(&w->work.account, sys, w->work.user, e);
}

/* --- probes --- */

struct naming {
	struct want *w;
	struct plan_event *ev;
};

/*
 * A probe's events have a group of their own. A definition in the kernel's syntax may name a group with other events,
 * so only this event is meant.
 */
static int name_group(void *arg, const char *name, const char *shown UNUSED, struct err *e)
{
	struct naming *n = arg;
	int colon = (int)strcspn(name, ":");
	char pattern[160];

	if (dynevent_is_line(n->ev->pattern))
		snprintf(pattern, sizeof(pattern), "%s", name);
	else
		snprintf(pattern, sizeof(pattern), "%.*s:*", MIN(colon, 70), name);
	n->ev->pattern = arena_dup(&n->w->arena, pattern, strlen(pattern));
	return n->ev->pattern ? 0 : err_nomem(e);
}

int want_probes(struct want *w, const struct sys *sys, struct undo *u, const struct tfs *top, struct err *e)
{
	struct inline_to to = { sys, u, top };
	int r = 0;

	for (size_t i = 0; !r && i < w->plans.n; i++)
		for (size_t k = 0; !r && k < w->plans.v[i].events.n; k++) {
			struct naming n = { w, &w->plans.v[i].events.v[k] };

			if (inline_is(n.ev->pattern))
				r = inline_define(&w->probes, &to, n.ev->pattern, name_group, &n, e);
		}
	return r;
}

int want_before(void *want, struct run *r, struct err *e)
{
	return want_probes(want, r->sys, r->undo, &r->top, e);
}

void want_deinit(struct want *w)
{
	run_probes_free(w->probes);
	for (size_t i = 0; i < w->plans.n; i++)
		plan_deinit(&w->plans.v[i]);
	plan_deinit(&w->now);
	vec_free(&w->plans);
	vec_free(&w->deleted);
	for (size_t i = 0; i < w->guest.n; i++)
		vec_free(&w->guest.v[i].args);
	arena_deinit(&w->arena);
}
