/* trace.c - sonde trace: print a line for each system call of a command, of tasks or of all; and sums. */
#include "syscalls/trace.h"

#include "sys/bpf.h"
#include "sys/child.h"
#include "sys/memory.h"

/* --- begin --- */

/* Programs must be attached before the events are opened, see texts.h. */
static int open_texts(struct prof *p, struct err *e)
{
	const struct trace_want *w = p->want;
	const struct target_want *target = &w->prof.target;
	struct trace *t = p->own;
	struct argmem_want of = {
		.sys = p->sys, .bpf = &bpf_making, .regs = arch_syscall_regs(arch_native()),
		.self = (uint32_t)sys_self(),
		.all = target->all || target->cpus || target->cgroups ||
		       !(p->argc || target->pids || target->tids || target->user),
		.children = !target->no_inherit,
	};
	enum texts_way way = w->strings.way;
	struct err why = { 0 }, told;

	if (w->prof.from.input || w->show.summary_only || w->show.no_syscalls || way == TEXTS_NONE)
		return 0;
	if (way != TEXTS_MEMORY && !program_has_our_tids(p->sys)) {
		err_set(&why, EOPNOTSUPP, "in a process namespace programs in the kernel know no task by its number");
		if (way == TEXTS_BPF)
			return err_set(e, EOPNOTSUPP, "--strings: %s", why.text);
		way = TEXTS_MEMORY;
	}
	if (texts_open(&t->texts, &of, way, way == TEXTS_BPF ? e : &why) && way == TEXTS_BPF)
		return err_wrap(e, "--strings");
	if (*why.text && !w->prof.form.quiet) {
		err_set(&told, 0, "what arguments point to is read late, and may have changed: %s", why.text);
		p->how->note(p->how->arg, told.text);
	}
	return 0;
}

/* Ring pages. Calls come in bursts, so perf's larger size is used unless memory is small; 0: sonde's usual size. */
static uint64_t usual_pages(const struct sys *sys)
{
	enum { PAGES = 1024, PART = 16 };
	struct cpus online = { 0 };
	uint64_t bytes = (uint64_t)PAGES * (uint64_t)sys->page_size(sys);

	if (sys_cpus_online(sys, &online, NULL) || cpus_count(&online) > sys_memory_available(sys) / PART / bytes)
		return 0;
	return PAGES;
}

static int prepare(struct prof *p, struct err *e)
{
	struct trace_want *w = p->want;
	struct trace *t = p->own;
	int r = trace_check(w, e);

	t->show = &w->show;
	/* Frame pointer chains are taken at sys_exit only, by /stack/; copies of the stack are for all events. */
	w->prof.chains.graph = w->chains.graph;
	w->prof.chains.graph.on = w->chains.graph.stack || w->chains.graph.lr;
	if (!w->prof.rings.pages)
		w->prof.rings.pages = usual_pages(p->sys);
	if (!r && w->show.duration && !str_time(sv_from(w->show.duration), 1000000, &t->longer_ns))
		r = err_set(e, EINVAL, "--duration %s: it is no number of ms", w->show.duration);
	r = r ? r : trace_read_ids(t, w->show.not_pids, e);
	r = r || w->prof.from.input ? r : trace_choose(t, arch_native(), &w->events, e);
	r = r ? r : open_texts(p, e);
	return r ? r : trace_add_events(p, e);
}

/* Tell the programs what to read, and from which tasks. */
static int plan(struct trace *t)
{
	const struct feed_targets who = feed_targets(&t->prof->feed);
	int r = 0;

	for (uint32_t nr = 0; !r && nr < ARGMEM_CALLS; nr++) {
		const struct call *c = arch_syscall_name(t->calls.arch, nr) && trace_wants(t, nr) ?
				       calltable_get(&t->calls, nr) : NULL;

		for (unsigned end = 0; c && !r && end < 2; end++) {
			struct argmem_what what[ARGMEM_MOST];

			for (unsigned i = 0; i < c->n_points[end]; i++)
				what[i] = c->points[end][i].what;
			if (c->n_points[end])
				r = argmem_plan(&t->texts.mem, nr, end, what, c->n_points[end]);
		}
	}
	for (size_t i = 0; !r && who.ids && i < who.n; i++)
		r = argmem_task(&t->texts.mem, (uint32_t)who.ids[i]);
	return r;
}

static int begin(struct prof *p, struct err *e)
{
	enum { USUAL_STRING = 32 };
	const struct trace_want *w = p->want;
	struct trace *t = p->own;
	int r;

	t->prof = p;
	t->out = p->feed.expr.out;
	t->json = w->prof.form.json;
	t->calls.sys = p->sys;
	t->calls.arch = p->feed.session.arch;
	t->calls.events = p->feed.session.trace;
	t->shown = (struct pointee_show){ t->calls.arch, w->strings.most ? (uint32_t)w->strings.most : USUAL_STRING };
	mem_out_init(&t->text);
	r = trace_choose(t, t->calls.arch, &w->events, e);
	r = r ? r : trace_chains_open(t, e);
	if (!r && feed_is_live(&p->feed) && !w->show.summary_only) {
		t->fds.sys = p->sys;
		t->fds.learns = trace_sees_fds(t, t->calls.arch);
	}
	if (!r && t->texts.programs) {
		r = plan(t);
		if (r)
			err_set(e, -r, "the kernel does not take what programs are to read: %s", err_name(-r));
	}
	return r;
}

/* --- hits --- */

/* The thread's index + 1; 0: there are too many threads; -ENOMEM. */
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

/* Print the beginning of a call when another line comes? Not if lines are chosen by duration, failure or chain. */
static bool tells_begins(const struct trace *t)
{
	const struct trace_want *w = t->prof->want;

	return has_lines(t) && !t->longer_ns && !t->show->failures && !w->chains.least;
}

/* Another thread's line comes: print a line with the beginning of the call that began last. */
static void interrupt(struct trace *t, uint32_t by)
{
	struct trace_thread *thread = t->current && t->current != by ? &t->threads.v[t->current - 1] : NULL;

	if (!thread || !thread->call || thread->shown || t->json || !tells_begins(t))
		return;
	trace_put_begin(t, thread);
	thread->shown = true;
	count_line(t);
}

static struct texts_rec *take_text(struct trace *t, const struct trace_thread *thread, enum argmem_when when,
				   const struct hit *h, int64_t ret)
{
	bool at_end = when == ARGMEM_END;
	const struct texts_want w = {
		.tid = thread->tid, .nr = (uint32_t)thread->nr, .when = when, .arg = thread->arg, .ret = ret,
		.v = thread->call->points[at_end], .n = thread->call->n_points[at_end],
		.after = thread->last, .time = h->time,
	};

	return has_lines(t) ? texts_take(&t->texts, &w) : NULL;
}

static void forget_text(struct trace_thread *thread)
{
	for (unsigned i = 0; i < ARRAY_SIZE(thread->text); i++) {
		texts_free(thread->text[i]);
		thread->text[i] = NULL;
	}
}

/* A call ends: take what could not be read at its beginning, and what is read at its end. */
static void take_rest(struct trace *t, struct trace_thread *thread, const struct hit *h, int64_t ret)
{
	struct texts_rec *again, *was = thread->text[0];
	bool lacks = false;

	for (unsigned i = 0; i < thread->call->n_points[0] && t->texts.programs; i++)
		lacks |= !argmem_is_list(thread->call->points[0][i].what.how) &&
			 thread->arg[thread->call->points[0][i].what.arg] && (!was || was->got[i] < 0);
	/* After an execve the addresses belong to another program. */
	again = lacks && thread->call->fds != CALL_FDS_EXECS ? take_text(t, thread, ARGMEM_AGAIN, h, ret) : NULL;
	if (again) {
		texts_free(was);
		thread->text[0] = again;
	}
	thread->text[1] = take_text(t, thread, ARGMEM_END, h, ret);
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

/* A call that never returns is printed when it begins. */
static void put_endless(struct trace *t, const struct trace_thread *thread, const struct hit *h)
{
	const struct trace_end e = { .thread = thread, .call = thread->call, .hit = h, .began = true };

	if (t->json)
		trace_json_end(t, &e);
	else
		trace_put_begin(t, thread);
}

static int enter(struct trace *t, const struct hit *h, uint32_t at)
{
	struct trace_thread *thread = &t->threads.v[at - 1];
	uint64_t nr = hit_field(h, SYS_ENTER_ID);

	interrupt(t, at);
	forget_text(thread);
	thread->call = calltable_get(&t->calls, nr);
	if (!thread->call)
		return -ENOMEM;
	thread->nr = nr;
	thread->since = h->time;
	thread->shown = false;
	thread->pid = h->pid;
	read_args(h, thread->arg);
	thread->text[0] = take_text(t, thread, ARGMEM_BEGIN, h, 0);
	thread->last = h->time;
	t->current = at;
	if (!thread->call->never_returns)
		return 0;
	if (tells_begins(t) && !is_over(t)) {
		put_endless(t, thread, h);
		count_line(t);
	}
	forget_text(thread);
	thread->call = NULL;
	return fds_forget(&t->fds, thread->pid);
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
	uint32_t chain;
	int r;

	e.call = e.began ? thread->call : calltable_get(&t->calls, nr);
	if (!e.call)
		return -ENOMEM;
	e.ns = e.began ? h->time - MIN(h->time, thread->since) : 0;
	r = add(t, &e, nr);
	if (e.began)
		take_rest(t, thread, h, e.ret);
	if (has_lines(t) && !is_over(t) && (!t->longer_ns || (e.began && e.ns > t->longer_ns)) &&
	    (!t->show->failures || value_is_error(e.ret)) && trace_chain_of(t, h, &chain)) {
		(t->json ? trace_json_end : trace_put_end)(t, &e);
		trace_put_chain(t, chain);
		count_line(t);
	}
	if (!r && e.began)
		r = trace_follow_fds(t, &e);
	forget_text(thread);
	thread->last = h->time;
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

	/* -1: rt_sigreturn, or a tracer has skipped the call. */
	if (nr == UINT64_MAX || !trace_wants(t, nr))
		return 0;
	at = find(t, h->tid);
	if (at <= 0)
		return at;
	t->threads.v[at - 1].events++;
	t->events++;
	return is_enter ? enter(t, h, (uint32_t)at) : leave(t, h, (uint32_t)at);
}

static void put_other(struct trace *t, const struct hit *h)
{
	uint32_t chain;

	if (!trace_chain_of(t, h, &chain))
		return;
	interrupt(t, 0);
	if (t->json)
		trace_json_other(t, h);
	else if (trace_is_fault(t, h))
		trace_put_fault(t, h);
	else
		trace_put_event(t, h);
	trace_put_chain(t, chain);
	count_line(t);
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
	put_other(t, h);
	return 0;
}

/* Events were lost: it is not known any more which calls the threads are in. */
static int lost(struct prof *p, uint32_t cpu UNUSED)
{
	struct trace *t = p->own;

	for (size_t i = 0; i < t->threads.n; i++) {
		t->discarded += t->threads.v[i].call != NULL;
		t->threads.v[i].call = NULL;
	}
	/* Descriptors may have been closed or opened by lost calls. */
	fds_deinit(&t->fds);
	t->fds = (struct fds){ .sys = t->fds.sys, .learns = t->fds.learns };
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
	note(p, argmem_lost(&t->texts.mem) + t->texts.dropped, "calls are without what their arguments pointed to");
	note(p, t->dropped, "events are left out: too many threads or rows");
	return r ? err_nomem(e) : 0;
}

static void close(struct prof *p)
{
	struct trace *t = p->own;

	for (size_t i = 0; i < t->threads.n; i++)
		forget_text(&t->threads.v[i]);
	callers_close(&t->callers);
	texts_close(&t->texts);
	fds_deinit(&t->fds);
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

#define KIND \
	.cmd = { \
		.name = "trace", .brief = "System calls as they occur: perf trace, strace without stopping anything", \
		.opts = trace_opts, .want_size = sizeof(struct trace_want), \
	}, \
	.own = sizeof(struct trace), .prepare = prepare, .begin = begin, .hit = hit, .lost = lost, .show = show, \
	.close = close, .monotonic = true

const struct prof_kind syscalls_trace = { KIND };
const struct prof_kind syscalls_trace_faults = { KIND, .sample = PERF_SAMPLE_ADDR, .period = 1 };
