/* trace_want.c - options of sonde trace, the calls that they choose, and the events to open. */
#include "syscalls/trace.h"

#include "sys/child.h"

enum { FILTER_MOST = 32, NAMES_LAST = 512 };

static int set_strings(void *field, const char *value, struct err *e)
{
	static const char *const ways[] = {
		[TEXTS_AUTO] = "auto", [TEXTS_BPF] = "bpf", [TEXTS_MEMORY] = "memory", [TEXTS_NONE] = "none",
	};
	enum texts_way *way = field;

	if (!value) {
		*way = TEXTS_NONE;
		return 0;
	}
	for (unsigned i = 0; i < ARRAY_SIZE(ways); i++)
		if (!strcmp(value, ways[i])) {
			*way = i;
			return 0;
		}
	return err_set(e, EINVAL, "'%.40s' is none of auto, bpf, memory, none", value);
}

static int set_faults(void *field, const char *value, struct err *e)
{
	enum trace_faults *to = field;

	*to = TRACE_NO_FAULTS;
	if (!value)
		return 0;
	if (!strcmp(value, "all"))
		*to = TRACE_ALL_FAULTS;
	else if (!strcmp(value, "maj"))
		*to = TRACE_MAJOR;
	else if (!strcmp(value, "min"))
		*to = TRACE_MINOR;
	return *to ? 0 : err_set(e, EINVAL, "'%.40s' is none of all, maj, min", value);
}

static int set_graph(void *field, const char *value, struct err *e)
{
	return callgraph_parse(field, value ? value : "no", e);
}

/* The default way to get call chains. */
static int use_dwarf(struct trace_want *w, struct err *e)
{
	return w->chains.graph.on ? 0 : callgraph_parse(&w->chains.graph, callgraph_can() ? "dwarf" : "fp", e);
}

static int set_depth(uint64_t *to, const char *value, struct err *e)
{
	enum { DEEPEST = 1024 };

	*to = 0;
	return value && (!str_u64(sv_from(value), 10, to) || !*to || *to > DEEPEST) ?
	       err_set(e, EINVAL, "'%.40s' is no number of frames, 1 to 1024", value) : 0;
}

static int set_most(void *want, const char *value, struct err *e)
{
	struct trace_want *w = want;
	int r = set_depth(&w->chains.most, value, e);

	return r || !value ? r : use_dwarf(w, e);
}

static int set_least(void *want, const char *value, struct err *e)
{
	struct trace_want *w = want;
	int r = set_depth(&w->chains.least, value, e);

	return r || !value ? r : use_dwarf(w, e);
}

static int set_kernel(void *want, const char *value UNUSED, struct err *e)
{
	struct trace_want *w = want;

	w->chains.kernel = true;
	return use_dwarf(w, e);
}

const struct opt trace_opts[] = {
	OPT_HEAD("What is shown"),
	OPT_LIST('e', "event", struct trace_want, events, "<names>",
		 "system calls to trace: openat,epoll_*; !futex,read: all but these; classes: %file,%network; names "
		 "with ':' are other events to trace: net:*"),
	OPT_LIST(0, "expr", struct trace_want, events, "<names>", "same as -e"),
	OPT_STR(0, "filter", struct trace_want, filter, "<filter>",
		"filter for the other events of -e: prev_pid > 5; mode != HRTIMER_MODE_ABS (names of the kernel's "
		"enums)"),
	OPT_FLAG(0, "libtraceevent_print", struct trace_want, show.as_kernel,
		 "print these events by their print fmt, as the kernel does, not field by field"),
	OPT_FLAG(0, "no-syscalls", struct trace_want, show.no_syscalls,
		"trace no system calls, only the other events of -e"),
	OPT_STR(0, "duration", struct trace_want, show.duration, "<ms>",
		"only system calls that take longer than this: 0.5"),
	OPT_FLAG(0, "failure", struct trace_want, show.failures, "only system calls that fail"),
	OPT_CALL(0, "strings", 0, struct trace_want, strings.way, set_strings, "<how>",
		 "how to read what arguments point to: bpf: by BPF programs; memory: from the thread's memory when the "
		 "line is printed, where it may have changed; auto (default): by BPF, what that cannot read from "
		 "memory; none"),
	OPT_U64(0, "string-size", struct trace_want, strings.most, "<n>",
		"print at most <n> bytes of data (default 32, maximum 128)"),
	OPT_CALL('F', "pf", 0, struct trace_want, faults, set_faults, "all|maj|min",
		 "trace page faults, too: code and data address (with --no-syscalls: page faults only)"),
	OPT_CALL(0, "call-graph", 0, struct trace_want, chains.graph, set_graph, "fp|dwarf[,<size>]|lr",
		 "print the call chain of each system call, innermost frame first"),
	OPT_CALL_WANT(0, "max-stack", 0, set_most, "<n>",
		      "at most <n> frames per call chain (implies --call-graph dwarf)"),
	OPT_CALL_WANT(0, "min-stack", 0, set_least, "<n>",
		"only call chains of at least <n> frames (implies --call-graph dwarf)"),
	OPT_CALL_WANT(0, "kernel-syscall-graph", OPT_NO_VALUE, set_kernel, "",
		"print the kernel part of call chains, too (implies --call-graph dwarf)"),
	OPT_FLAG('s', "summary", struct trace_want, show.summary_only, "print only a summary per thread"),
	OPT_FLAG('S', "with-summary", struct trace_want, show.summary, "print the system calls, then the summary"),
	OPT_FLAG(0, "errno-summary", struct trace_want, show.errnos,
		"print errno counts per system call in the summary"),
	OPT_FLAG('T', "time", struct trace_want, show.stamps,
		"print absolute timestamps, not the time since the first line"),
	OPT_FLAG(0, "no-comm", struct trace_want, show.no_comm, "print TIDs without thread names"),
	OPT_U64(0, "max-events", struct trace_want, show.most, "<n>", "stop after <n> lines"),
	OPT_HEAD("Target"),
	OPT_FLAG('a', "all-cpus", struct trace_want, prof.target.all, "system-wide (default without a command)"),
	OPT_STR('C', "cpu", struct trace_want, prof.target.cpus, "<list>", "only these CPUs: 0,2-5"),
	OPT_STR('p', "pid", struct trace_want, prof.target.pids, "<pids>",
		"only these processes, with all their threads"),
	OPT_STR('t', "tid", struct trace_want, prof.target.tids, "<tids>", "only these threads, by TID: 12,34"),
	OPT_STR('u', "uid", struct trace_want, prof.target.user, "<user>", "only threads of this user, by name or UID"),
	OPT_STR('G', "cgroup", struct trace_want, prof.target.cgroups, "<names>", "tasks in these cgroups"),
	OPT_STR('D', "delay", struct trace_want, prof.target.delay, "<ms>",
		"start tracing this long after the command"),
	OPT_STR(0, "filter-pids", struct trace_want, show.not_pids, "<tids>", "leave out these threads"),
	OPT_FLAG(0, "no-inherit", struct trace_want, prof.target.no_inherit,
		"do not follow new threads and child processes"),
	OPT_STR('i', "input", struct trace_want, prof.from.input, "<file>", "read a recording with raw_syscalls:*"),
	OPT_U64('m', "mmap-pages", struct trace_want, prof.rings.pages, "<n>", "pages of each CPU's ring buffer"),
	OPT_HEAD("Output"),
	OPT_STR('o', "output", struct trace_want, prof.form.output, "<file>", "write here, not to standard output"),
	OPT_FLAG('j', "json", struct trace_want, prof.form.json,
		 "print one JSON object per line; with -s the summary as an array of them"),
	OPT_STR('x', "field-separator", struct trace_want, prof.form.sep, "<sep>",
		"print the summary as CSV with this separator"),
	OPT_FLAG('q', "quiet", struct trace_want, prof.form.quiet, "print results only"),
	OPT_COUNT('v', "verbose", struct trace_want, verbose, "taken, without effect"),
	OPT_IGNORED('f', "force", FLAG, struct trace_want, ignored),
	/* perf's options for our defaults: events in order, calls shown, names with the thread ids. */
	OPT_IGNORED(0, "sort-events", FLAG, struct trace_want, ignored),
	OPT_IGNORED(0, "syscalls", FLAG, struct trace_want, ignored),
	OPT_IGNORED(0, "comm", FLAG, struct trace_want, ignored),
	OPT_REFUSED(0, "sched", OPT_NO_VALUE, "", "run times are not told here", "sonde sched timehist -s"),
	OPT_REFUSED(0, "print-sample", OPT_NO_VALUE, "", "records are not dumped here", "sonde script -D"),
	OPT_REFUSED(0, "map-dump", 0, "", "programs of others are not looked into", "bpftool map dump"),
	OPT_REFUSED(0, "switch-on", 0, "", "events switch nothing here", "sonde script --switch-on of a recording"),
	OPT_REFUSED(0, "switch-off", 0, "", "events switch nothing here", "sonde script --switch-off of a recording"),
	OPT_REFUSED(0, "tool_stats", OPT_NO_VALUE, "", "what is lost or left out is told at the end anyway",
		    "leave it out"),
	OPT_END,
};

/* --- which calls --- */

static bool is_event(const char *name)
{
	return strchr(name, ':') || strchr(name, '/');
}

/* Mark all calls whose names match the pattern. */
static bool mark(struct trace *t, const struct arch *a, const char *pattern, bool wanted)
{
	bool found = false;

	for (uint64_t nr = 0; nr < NAMES_LAST; nr++) {
		const char *call = arch_syscall_name(a, nr);

		if (call && str_glob(pattern, sv_from(call))) {
			t->wanted[nr] = wanted;
			found = true;
		}
	}
	return found;
}

/* The patterns of a class; NULL: there is no such class. */
static const char *class_of(struct sv name)
{
	static const struct {
		const char *name, *calls;
	} classes[] = {
#define CLASS(name, calls) { #name, calls },
#include "syscalls/classes.def"
	};

	for (size_t i = 0; i < ARRAY_SIZE(classes); i++)
		if (sv_eq(name, classes[i].name))
			return classes[i].calls;
	return sv_eq(name, "net") ? class_of(SV("network")) : NULL;
}

static void mark_class(struct trace *t, const struct arch *a, const char *calls, bool wanted)
{
	struct sv rest = sv_from(calls), one;
	char pattern[80];

	while (sv_cut(&rest, ' ', &one)) {
		str_copy(pattern, sizeof(pattern), one);
		mark(t, a, pattern, wanted);
	}
}

static int no_such(const struct arch *a, struct sv name, struct err *e)
{
	struct nearest near;
	char text[160];

	nearest_init(&near, name);
	for (uint64_t nr = 0; nr < NAMES_LAST; nr++)
		if (arch_syscall_name(a, nr))
			nearest_feed(&near, arch_syscall_name(a, nr));
	return err_set(e, EINVAL, "-e: there is no system call '%.*s'%s", (int)MIN(name.n, 40u), name.s,
		       nearest_text(&near, text, sizeof(text)));
}

static int choose_one(struct trace *t, const struct arch *a, struct sv name, bool wanted, struct err *e)
{
	bool is_class = sv_starts(name, "%");
	struct sv bare = { name.s + is_class, name.n - is_class };
	const char *calls = class_of(bare);
	char pattern[80];

	if (calls) {
		mark_class(t, a, calls, wanted);
		return 0;
	}
	if (is_class) {
		err_set(e, EINVAL, "-e: there is no class of calls '%.*s'", (int)MIN(name.n, 40u), name.s);
		return err_hint(e, "%%file, %%desc, %%process, %%network, %%signal, %%memory, %%ipc, %%clock, %%creds");
	}
	str_copy(pattern, sizeof(pattern), name);
	return mark(t, a, pattern, wanted) ? 0 : no_such(a, name, e);
}

/* "!a,b": all but these; "a*,!ab": those of a* without ab. */
static int choose_list(struct trace *t, const struct arch *a, const char *text, struct err *e)
{
	struct sv rest = sv_from(text), name;
	bool none = sv_starts(rest, "!");
	int r = 0;

	if (!t->chosen && none) {
		memset(t->wanted, 1, sizeof(t->wanted));
		t->others = true;
	}
	t->chosen = true;
	while (!r && sv_cut(&rest, ',', &name)) {
		bool not = sv_starts(name, "!");

		r = choose_one(t, a, (struct sv){ name.s + not, name.n - not }, !none && !not, e);
	}
	return r;
}

int trace_choose(struct trace *t, const struct arch *a, const struct opt_list *l, struct err *e)
{
	int r = 0;

	memset(t->wanted, 0, sizeof(t->wanted));
	t->chosen = t->others = false;
	for (size_t i = 0; !r && i < l->n; i++)
		if (!is_event(l->v[i]))
			r = choose_list(t, a, l->v[i], e);
	return r;
}

bool trace_sees_fds(const struct trace *t, const struct arch *a)
{
	for (uint64_t nr = 0; nr < NAMES_LAST; nr++) {
		const char *call = arch_syscall_name(a, nr);

		if (call && calltable_changes_fds(call) && !trace_wants(t, nr))
			return false;
	}
	return true;
}

/* A filter for the kernel, if it is short enough; events are checked again in user space. */
static void put_filter(const struct trace *t, bool all, uint32_t self, struct out *o)
{
	unsigned n = 0, some = 0;

	for (unsigned i = 0; i < CALLS_MOST; i++)
		n += t->wanted[i] != t->others;
	if (all)
		out_printf(o, "common_pid!=%u", self);
	if (!t->chosen || !n || n > FILTER_MOST)
		return;
	out_str(o, all ? "&&(" : "(");
	for (unsigned i = 0; i < CALLS_MOST; i++)
		if (t->wanted[i] != t->others)
			out_printf(o, "%sid%s%u", !some++ ? "" : t->others ? "&&" : "||", t->others ? "!=" : "==", i);
	out_char(o, ')');
}

static int add_calls(struct prof *p, struct err *e)
{
	static const char *const events[] = { "raw_syscalls:sys_enter", "raw_syscalls:sys_exit" };
	const struct target_want *target = &prof_want(p)->target;
	const struct trace_want *w = p->want;
	const struct trace *t = p->own;
	bool all = !p->argc && !target->pids && !target->tids;
	struct mem_out m;
	int r = 0;

	for (size_t i = 0; !r && i < ARRAY_SIZE(events); i++) {
		mem_out_init(&m);
		out_printf(&m.out, "%s/", events[i]);
		if (!prof_want(p)->from.input)
			put_filter(t, all, (uint32_t)sys_self(), &m.out);
		/* Take the call chain at the end only: it is the same as at the beginning. */
		out_str(&m.out, i && w->chains.graph.on && !w->prof.chains.graph.on ? "/stack/" : "/");
		r = prof_add(p, mem_out_str(&m), e);
		mem_out_deinit(&m);
	}
	return r;
}

static int add_faults(struct prof *p, enum trace_faults which, struct err *e)
{
	int r = which & TRACE_MAJOR ? prof_add(p, "major-faults", e) : 0;

	return r || !(which & TRACE_MINOR) ? r : prof_add(p, "minor-faults", e);
}

static int add_event(struct prof *p, const char *name, const char *filter, struct err *e)
{
	struct mem_out m;
	int r;

	if (!filter)
		return prof_add(p, name, e);
	if (strchr(name, '/'))
		return err_set(e, EINVAL, "--filter: '%.60s' has one of its own", name);
	mem_out_init(&m);
	out_printf(&m.out, "%s/%s/", name, filter);
	r = prof_add(p, mem_out_str(&m), e);
	mem_out_deinit(&m);
	return r;
}

int trace_add_events(struct prof *p, struct err *e)
{
	const struct trace_want *w = p->want;
	int r = w->show.no_syscalls ? 0 : add_calls(p, e);

	r = r ? r : add_faults(p, w->faults, e);
	for (size_t i = 0; !r && i < w->events.n; i++)
		if (is_event(w->events.v[i]))
			r = add_event(p, w->events.v[i], w->filter, e);
	return r;
}

/* --- checks of options --- */

int trace_read_ids(struct trace *t, const char *text, struct err *e)
{
	struct sv rest = sv_from(text ? text : ""), piece;

	while (text && sv_cut(&rest, ',', &piece)) {
		uint64_t id;
		uint32_t *to;

		if (!str_u64(sv_trim(piece), 10, &id) || id > INT32_MAX)
			return err_set(e, EINVAL, "--filter-pids: '%.*s' is no number of a thread",
				       (int)MIN(piece.n, 40u), piece.s);
		to = vec_add(&t->not_pids);
		if (!to)
			return err_nomem(e);
		*to = (uint32_t)id;
	}
	return 0;
}

int trace_check(const struct trace_want *w, struct err *e)
{
	const struct trace_show *s = &w->show;
	bool events = s->no_syscalls && w->faults;

	for (size_t i = 0; i < w->events.n; i++)
		events |= is_event(w->events.v[i]);
	if (w->prof.form.sep && !s->summary_only)
		return err_set(e, EINVAL, "lines are text or JSON: -x goes with -s");
	if (w->prof.form.json && !s->summary_only && (s->summary || s->errnos || w->chains.graph.on))
		return err_set(e, EINVAL, "lines as JSON (-j) have no sums behind them, and no call chains");
	if (w->strings.most > ARGMEM_BYTES)
		return err_set(e, EINVAL, "--string-size: at most %u", ARGMEM_BYTES);
	if (w->filter && (!events || !w->events.n))
		return err_set(e, EINVAL, "--filter: of which events? -e sched:sched_switch; -e alone chooses calls");
	if (s->no_syscalls && !events)
		return err_set(e, EINVAL, "--no-syscalls: which events then? -e 'net:*', -F all");
	return s->no_syscalls && (s->summary || s->summary_only) ?
	       err_set(e, EINVAL, "--no-syscalls: sums are of system calls") : 0;
}
