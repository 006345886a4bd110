/* trace.c - sonde trace: each system call of a command, of tasks or of all, a line for one; and sums. */
#include "syscalls/trace.h"

#include "sys/child.h"

enum { FILTER_MOST = 32, NAMES_LAST = 512 };

const struct opt trace_opts[] = {
	OPT_HEAD("What is shown"),
	OPT_LIST('e', "event", struct trace_want, events, "<names>",
		 "of these system calls: openat,epoll_* or !futex,read; with a ':' events beside them: net:*"),
	OPT_LIST(0, "expr", struct trace_want, events, "<names>", "the same"),
	OPT_FLAG(0, "no-syscalls", struct trace_want, show.no_syscalls, "only events of -e"),
	OPT_STR(0, "duration", struct trace_want, show.duration, "<ms>", "only what takes longer: 0.5"),
	OPT_FLAG(0, "failure", struct trace_want, show.failures, "only what fails"),
	OPT_FLAG('s', "summary", struct trace_want, show.summary_only, "what each thread did in all, and no lines"),
	OPT_FLAG('S', "with-summary", struct trace_want, show.summary, "the same behind the lines"),
	OPT_FLAG(0, "errno-summary", struct trace_want, show.errnos, "how often which error, in sums"),
	OPT_FLAG('T', "time", struct trace_want, show.stamps, "times of the clock, not since the first line"),
	OPT_FLAG(0, "no-comm", struct trace_want, show.no_comm, "numbers of threads without their names"),
	OPT_U64(0, "max-events", struct trace_want, show.most, "<n>", "end after so many lines"),
	OPT_HEAD("Of whom"),
	OPT_FLAG('a', "all-cpus", struct trace_want, prof.target.all, "of all (nothing said and no command: the same)"),
	OPT_STR('C', "cpu", struct trace_want, prof.target.cpus, "<list>", "on these CPUs: 0,2-5"),
	OPT_STR('p', "pid", struct trace_want, prof.target.pids, "<pids>", "processes with their threads"),
	OPT_STR('t', "tid", struct trace_want, prof.target.tids, "<tids>", "single threads"),
	OPT_STR('u', "uid", struct trace_want, prof.target.user, "<user>", "threads of a user"),
	OPT_STR('G', "cgroup", struct trace_want, prof.target.cgroups, "<names>", "tasks of these control groups"),
	OPT_STR(0, "filter-pids", struct trace_want, show.not_pids, "<tids>", "not of these threads"),
	OPT_FLAG(0, "no-inherit", struct trace_want, prof.target.no_inherit, "not of new threads and children"),
	OPT_STR('i', "input", struct trace_want, prof.from.input, "<file>", "of a recording with raw_syscalls:*"),
	OPT_U64('m', "mmap-pages", struct trace_want, prof.rings.pages, "<n>", "pages of each CPU's ring"),
	OPT_HEAD("Output"),
	OPT_STR('o', "output", struct trace_want, prof.form.output, "<file>", "instead of standard output"),
	OPT_FLAG('j', "json", struct trace_want, prof.form.json, "sums as JSON"),
	OPT_STR('x', "field-separator", struct trace_want, prof.form.sep, "<sep>", "sums as CSV"),
	OPT_FLAG('q', "quiet", struct trace_want, prof.form.quiet, "results only"),
	OPT_COUNT('v', "verbose", struct trace_want, verbose, "taken, without effect"),
	OPT_IGNORED('f', "force", FLAG, struct trace_want, ignored),
	OPT_REFUSED('F', "pf", 0, "", "page faults are not told here", "sonde prof page-faults"),
	OPT_REFUSED(0, "sched", OPT_NO_VALUE, "", "run times are not told here", "sonde sched timehist -s"),
	OPT_REFUSED(0, "call-graph", 0, "", "no call chains here",
		    "sonde prof trace -e raw_syscalls:sys_enter//stack/ has them"),
	OPT_END,
};

/* --- which calls --- */

static bool is_event(struct sv name)
{
	return memchr(name.s, ':', name.n) || memchr(name.s, '/', name.n);
}

static int choose_one(struct trace *t, const struct arch *a, struct sv name, struct err *e)
{
	char pattern[80], text[160];
	struct nearest near;
	bool found = false;

	str_copy(pattern, sizeof(pattern), name);
	nearest_init(&near, name);
	for (uint64_t nr = 0; nr < NAMES_LAST; nr++) {
		const char *call = arch_syscall_name(a, nr);

		if (!call)
			continue;
		nearest_feed(&near, call);
		if (str_glob(pattern, sv_from(call)))
			found = t->wanted[nr] = true;
	}
	t->chosen |= found;
	return found ? 0 : err_set(e, EINVAL, "-e: there is no system call '%.*s'%s", (int)MIN(name.n, 40u), name.s,
				   nearest_text(&near, text, sizeof(text)));
}

static int choose(struct trace *t, const struct arch *a, const struct opt_list *l, struct err *e)
{
	int r = 0;

	memset(t->wanted, 0, sizeof(t->wanted));
	for (size_t i = 0; !r && i < l->n; i++) {
		struct sv rest = sv_from(l->v[i]), name;

		if (is_event(rest))
			continue;
		if (sv_starts(rest, "!")) {
			t->is_not = true;
			rest.s++;
			rest.n--;
		}
		while (!r && sv_cut(&rest, ',', &name))
			r = choose_one(t, a, name, e);
	}
	return r;
}

static bool is_wanted(const struct trace *t, uint64_t nr)
{
	return !t->chosen || (nr < CALLS_MOST && t->wanted[nr]) != t->is_not;
}

/* For the kernel, as far as it is short; here each is looked at again. */
static void put_filter(const struct trace *t, bool all, uint32_t self, struct out *o)
{
	unsigned n = 0, some = 0;

	for (unsigned i = 0; i < CALLS_MOST; i++)
		n += t->wanted[i];
	if (all)
		out_printf(o, "common_pid!=%u", self);
	if (!t->chosen || n > FILTER_MOST)
		return;
	out_str(o, all ? "&&(" : "(");
	for (unsigned i = 0; i < CALLS_MOST; i++)
		if (t->wanted[i])
			out_printf(o, "%sid%s%u", !some++ ? "" : t->is_not ? "&&" : "||", t->is_not ? "!=" : "==", i);
	out_char(o, ')');
}

static int add_calls(struct prof *p, struct err *e)
{
	static const char *const events[] = { "raw_syscalls:sys_enter", "raw_syscalls:sys_exit" };
	const struct target_want *w = &prof_want(p)->target;
	const struct trace *t = p->own;
	bool all = !p->argc && !w->pids && !w->tids;
	struct mem_out m;
	int r = 0;

	for (size_t i = 0; !r && i < ARRAY_SIZE(events); i++) {
		mem_out_init(&m);
		out_printf(&m.out, "%s/", events[i]);
		if (!prof_want(p)->from.input)
			put_filter(t, all, (uint32_t)sys_self(), &m.out);
		out_char(&m.out, '/');
		r = prof_add(p, mem_out_str(&m), e);
		mem_out_deinit(&m);
	}
	return r;
}

/* --- begin --- */

static int read_ids(struct trace *t, const char *text, struct err *e)
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

static int check(const struct trace_want *w, struct err *e)
{
	const struct trace_show *s = &w->show;
	bool events = false;

	for (size_t i = 0; i < w->events.n; i++)
		events |= is_event(sv_from(w->events.v[i]));
	if ((w->prof.form.json || w->prof.form.sep) && !s->summary_only)
		return err_set(e, EINVAL, "lines are text: -j and -x go with -s");
	if (s->no_syscalls && !events)
		return err_set(e, EINVAL, "--no-syscalls: which events then? -e 'net:*'");
	return s->no_syscalls && (s->summary || s->summary_only) ?
	       err_set(e, EINVAL, "--no-syscalls: sums are of system calls") : 0;
}

static int prepare(struct prof *p, struct err *e)
{
	const struct trace_want *w = p->want;
	struct trace *t = p->own;
	int r = check(w, e);

	t->show = &w->show;
	if (!r && w->show.duration && !str_time(sv_from(w->show.duration), 1000000, &t->longer_ns))
		r = err_set(e, EINVAL, "--duration %s: it is no number of ms", w->show.duration);
	r = r ? r : read_ids(t, w->show.not_pids, e);
	r = r || w->prof.from.input ? r : choose(t, arch_native(), &w->events, e);
	r = r || w->show.no_syscalls ? r : add_calls(p, e);
	for (size_t i = 0; !r && i < w->events.n; i++)
		if (is_event(sv_from(w->events.v[i])))
			r = prof_add(p, w->events.v[i], e);
	return r;
}

static int begin(struct prof *p, struct err *e)
{
	const struct trace_want *w = p->want;
	struct trace *t = p->own;

	t->prof = p;
	t->out = p->feed.expr.out;
	t->calls.sys = p->sys;
	t->calls.arch = p->feed.session.arch;
	t->calls.events = p->feed.session.trace;
	mem_out_init(&t->text);
	return choose(t, t->calls.arch, &w->events, e);
}

/* --- hits --- */

/* Index + 1; 0: there is no room; -ENOMEM. */
static int find(struct trace *t, uint32_t tid)
{
	uint64_t *at = map_get(&t->of, tid);
	struct trace_thread *thread;

	if (at)
		return (int)*at;
	if (t->threads.n >= TRACE_THREADS) {
		t->dropped++;
		return 0;
	}
	at = vec_reserve(&t->threads, 1) ? NULL : map_add(&t->of, tid, NULL);
	thread = at ? vec_add(&t->threads) : NULL;
	if (!thread)
		return -ENOMEM;
	*at = t->threads.n;
	thread->tid = tid;
	return (int)*at;
}

static bool has_lines(const struct trace *t)
{
	return !t->show->summary_only;
}

static void count_line(struct trace *t)
{
	if (++t->lines == t->show->most)
		feed_stop(&t->prof->feed);
}

static bool is_over(const struct trace *t)
{
	return t->show->most && t->lines >= t->show->most;
}

/* Lines of those that take long, or fail, stand alone. */
static bool tells_begins(const struct trace *t)
{
	return has_lines(t) && !t->longer_ns && !t->show->failures;
}

/* Somebody else's line comes: the call that was begun last has one of its own now. */
static void interrupt(struct trace *t, uint32_t by)
{
	struct trace_thread *thread = t->current && t->current != by ? &t->threads.v[t->current - 1] : NULL;

	if (!thread || !thread->call || thread->shown || !tells_begins(t))
		return;
	trace_put_begin(t, thread);
	thread->shown = true;
	count_line(t);
}

static void read_args(const struct hit *h, uint64_t arg[CALLS_ARGS])
{
	const struct tfield *f = h->event->field[SYS_ENTER_ARGS];
	struct traw raw = f ? tfmt_bytes(f, h->raw.p, h->raw.n) : (struct traw){ 0 };

	for (unsigned i = 0; i < CALLS_ARGS; i++) {
		arg[i] = 0;
		if ((i + 1) * sizeof(*arg) > raw.n)
			continue;
		memcpy(&arg[i], raw.p + i * sizeof(*arg), sizeof(*arg));
		if (f->swap)
			arg[i] = __builtin_bswap64(arg[i]);
	}
}

static int enter(struct trace *t, const struct hit *h, uint32_t at)
{
	struct trace_thread *thread = &t->threads.v[at - 1];
	uint64_t nr = hit_field(h, SYS_ENTER_ID);

	interrupt(t, at);
	thread->call = calltable_get(&t->calls, nr);
	if (!thread->call)
		return -ENOMEM;
	thread->nr = nr;
	thread->since = h->time;
	thread->shown = false;
	read_args(h, thread->arg);
	t->current = at;
	if (!thread->call->never_returns)
		return 0;
	if (tells_begins(t) && !is_over(t)) {
		trace_put_begin(t, thread);
		count_line(t);
	}
	thread->call = NULL;
	return 0;
}

static int add_error(struct trace *t, uint32_t row, int64_t ret)
{
	uint64_t *at = map_add(&t->errors_of, (uint64_t)row << 16 | (uint64_t)-ret, NULL);
	struct trace_error *x = at && !*at ? vec_add(&t->errors) : NULL;

	if (!at || (!*at && !x))
		return -ENOMEM;
	if (x) {
		*x = (struct trace_error){ .row = row, .number = (uint32_t)-ret };
		*at = t->errors.n;
	}
	t->errors.v[*at - 1].n++;
	return 0;
}

static int add(struct trace *t, const struct trace_end *e, uint64_t nr)
{
	uint64_t key = (uint64_t)e->thread->tid << 32 | (uint32_t)nr, *at = map_get(&t->rows_of, key);
	struct trace_row *r;

	if (!at && t->rows.n >= TRACE_ROWS) {
		t->dropped++;
		return 0;
	}
	at = at ? at : map_add(&t->rows_of, key, NULL);
	r = at && !*at ? vec_add(&t->rows) : NULL;
	if (!at || (!*at && !r))
		return -ENOMEM;
	if (r) {
		*r = (struct trace_row){ .tid = e->thread->tid, .nr = (uint32_t)nr };
		*at = t->rows.n;
	}
	r = &t->rows.v[*at - 1];
	stats_add(&r->time, (double)e->ns);
	if (!value_is_error(e->ret))
		return 0;
	r->errors++;
	return t->show->errnos ? add_error(t, (uint32_t)*at - 1, e->ret) : 0;
}

static int leave(struct trace *t, const struct hit *h, uint32_t at)
{
	struct trace_thread *thread = &t->threads.v[at - 1];
	uint64_t nr = hit_field(h, SYS_EXIT_ID);
	struct trace_end e = {
		.thread = thread, .hit = h, .ret = (int64_t)hit_field(h, SYS_EXIT_RET),
		.began = thread->call && thread->nr == nr,
	};
	int r;

	e.call = e.began ? thread->call : calltable_get(&t->calls, nr);
	if (!e.call)
		return -ENOMEM;
	e.ns = e.began ? h->time - MIN(h->time, thread->since) : 0;
	r = add(t, &e, nr);
	if (has_lines(t) && !is_over(t) && (!t->longer_ns || (e.began && e.ns > t->longer_ns)) &&
	    (!t->show->failures || value_is_error(e.ret))) {
		trace_put_end(t, &e);
		count_line(t);
	}
	thread->call = NULL;
	return r;
}

static bool is_left_out(const struct trace *t, uint32_t tid)
{
	for (size_t i = 0; i < t->not_pids.n; i++)
		if (t->not_pids.v[i] == tid)
			return true;
	return false;
}

static int take_call(struct trace *t, const struct hit *h)
{
	bool is_enter = hit_kind(h) == KIND_SYS_ENTER;
	uint64_t nr = hit_field(h, is_enter ? (unsigned)SYS_ENTER_ID : (unsigned)SYS_EXIT_ID);
	int at;

	/* -1: it came from a signal's handler, or a tracer has forbidden it. */
	if (nr == UINT64_MAX || !is_wanted(t, nr))
		return 0;
	at = find(t, h->tid);
	if (at <= 0)
		return at;
	t->threads.v[at - 1].events++;
	t->events++;
	return is_enter ? enter(t, h, (uint32_t)at) : leave(t, h, (uint32_t)at);
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct trace *t = p->own;
	enum tkind kind = hit_kind(h);

	if (is_over(t) || is_left_out(t, h->tid))
		return 0;
	if (!t->base)
		t->base = h->time;
	if (kind == KIND_SYS_ENTER || kind == KIND_SYS_EXIT)
		return take_call(t, h);
	if (!has_lines(t))
		return 0;
	interrupt(t, 0);
	trace_put_event(t, h);
	count_line(t);
	return 0;
}

/* What threads are in now is not known any more. */
static int lost(struct prof *p, uint32_t cpu UNUSED)
{
	struct trace *t = p->own;

	for (size_t i = 0; i < t->threads.n; i++) {
		t->discarded += t->threads.v[i].call != NULL;
		t->threads.v[i].call = NULL;
	}
	return 0;
}

static void note(const struct prof *p, uint64_t n, const char *what)
{
	char line[160];

	if (!n || prof_want(p)->form.quiet)
		return;
	snprintf(line, sizeof(line), "%llu %s", (unsigned long long)n, what);
	p->how->note(p->how->arg, line);
}

static int show(struct prof *p, bool last, struct out *o UNUSED, struct err *e)
{
	struct trace *t = p->own;
	int r = 0;

	if (!last)
		return 0;
	if (t->show->summary || t->show->summary_only || t->show->errnos)
		r = trace_sum(t);
	note(p, t->discarded, "calls are without their beginning: events are missing within them");
	note(p, t->dropped, "events are left out: too many threads or rows");
	return r ? err_nomem(e) : 0;
}

static void close(struct prof *p)
{
	struct trace *t = p->own;

	calltable_deinit(&t->calls);
	map_deinit(&t->of);
	map_deinit(&t->rows_of);
	map_deinit(&t->errors_of);
	vec_free(&t->threads);
	vec_free(&t->rows);
	vec_free(&t->errors);
	vec_free(&t->not_pids);
	mem_out_deinit(&t->text);
}

const struct prof_kind syscalls_trace = {
	.cmd = {
		.name = "trace", .brief = "System calls as they occur: perf trace, strace without stopping anything",
		.opts = trace_opts, .want_size = sizeof(struct trace_want),
	},
	.own = sizeof(struct trace), .prepare = prepare, .begin = begin, .hit = hit, .lost = lost, .show = show,
	.close = close,
};
