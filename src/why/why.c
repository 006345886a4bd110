/* why.c - sonde why: turn events into causes of the ledger. */
#include "why/why.h"

#include "analyse/taskprof.h"
#include "engine/line.h"
#include "prof/tasks.h"

#include <fcntl.h>
#include <time.h>

enum { USUAL_SECONDS = 5, USUAL_FREQ = 499, USUAL_ROWS = 6, MAX_SECONDS = 86400 };

#define NS_PER_S UINT64_C(1000000000)

const struct opt why_options[] = {
	OPT_HEAD("Target and time"),
	OPT_STR('p', "pid", struct why_want, prof.target.pids, "<pids>",
		"only these processes, with all their threads"),
	OPT_STR('t', "tid", struct why_want, prof.target.tids, "<tids>", "only these threads, by TID: 12,34"),
	OPT_STR('d', "duration", struct why_want, duration, "<s>",
		"live: how long, in seconds, or as 500ms (default 5)"),
	OPT_STR('i', "input", struct why_want, prof.from.input, "<file>",
		"recording with sched:sched_switch and sched_waking, best with call chains"),
	OPT_STR(0, "time", struct why_want, time, "<from,to>",
		"of a recording: only this time range, in seconds; either end may be left out"),
	OPT_U64('F', "freq", struct why_want, freq, "<hz>", "live: samples per second and CPU (default 499)"),
	OPT_U64('m', "mmap-pages", struct why_want, prof.rings.pages, "<n>", "live: pages of each CPU's ring buffer"),
	OPT_HEAD("Output"),
	OPT_U64('n', "rows", struct why_want, rows, "<n>", "print at most <n> lines per cause (default 6)"),
	OPT_FLAG('j', "json", struct why_want, prof.form.json, "print as JSON"),
	OPT_STR('o', "output", struct why_want, prof.form.output, "<file>", "write here, not to standard output"),
	OPT_FLAG('q', "quiet", struct why_want, prof.form.quiet, "print results only"),
	OPT_HEAD("Symbols"),
	OPT_STR('k', "vmlinux", struct why_want, prof.session.vmlinux, "<file>", "vmlinux of the recorded kernel"),
	OPT_STR(0, "kallsyms", struct why_want, prof.session.kallsyms, "<file>",
		"copy of the recorded machine's /proc/kallsyms"),
	OPT_STR(0, "symfs", struct why_want, prof.session.symfs, "<dir>", "folder with the recorded machine's files"),
	OPT_END,
};

void why_defaults(void *want)
{
	struct why_want *w = want;

	w->freq = USUAL_FREQ;
	w->rows = USUAL_ROWS;
}

/* --- what is asked for --- */

static int check(const struct why_want *w, bool command, struct err *e)
{
	bool named = w->prof.target.pids || w->prof.target.tids || w->name;

	if (w->prof.target.pids && w->prof.target.tids)
		return err_set(e, EINVAL, "-p and -t: choose one of them");
	if (!named && !command) {
		err_set(e, EINVAL, "of which task?");
		return err_hint(e, "a number, a name, or -- and a command");
	}
	if (w->prof.from.input && command)
		return err_set(e, EINVAL, "-i %s: a recording goes with no command", w->prof.from.input);
	if (w->prof.from.input && w->duration) {
		err_set(e, EINVAL, "-d is of what runs: a recording is as long as it is");
		return err_hint(e, "--time FROM,TO takes a part of it");
	}
	if (w->time && !w->prof.from.input)
		return err_set(e, EINVAL, "--time is of a recording (-i); live it is -d");
	if (named && command)
		return err_set(e, EINVAL, "one task: a command, or one that runs already");
	if (w->duration && command)
		return err_set(e, EINVAL, "-d: a command is looked at until it ends");
	return w->freq > 100000 || !w->freq ? err_set(e, EINVAL, "-F is at most 100000 and not 0") : 0;
}

static int read_duration(struct why_want *w, struct err *e)
{
	uint64_t *ns = &w->prof.from.interval_ns;

	*ns = USUAL_SECONDS * NS_PER_S;
	if (!w->duration || (str_time(sv_from(w->duration), NS_PER_S, ns) && *ns && *ns <= MAX_SECONDS * NS_PER_S))
		return 0;
	err_set(e, EINVAL, "-d %.40s: no time, or none of at most a day", w->duration);
	return err_hint(e, "seconds (10, 0.5), or with a unit: 500ms, 2m");
}

/* May we trace context switches of all CPUs? The only reliable check is to open the event. */
static bool may_watch(const struct sys *sys)
{
	struct perf_attr a = { .type = PERF_TRACEPOINT, .size = sizeof(struct perf_attr), .sample_period = 1,
			       .sample_type = PERF_SAMPLE_RAW, .flags = PERF_ATTR_DISABLED };
	const char *tracefs = sys_tracefs(sys);
	struct cpus online;
	struct err e = { 0 };
	int fd;

	if (!tracefs || sys_read_u64(sys, &a.config, "%s/events/sched/sched_switch/id", tracefs) ||
	    sys_cpus_online(sys, &online, &e))
		return false;
	fd = sys->perf_event_open(sys, &a, -1, cpus_next(&online, 0), -1, 0);
	if (fd >= 0)
		sys->close(sys, fd);
	return fd >= 0;
}

static int first(struct prof *p, struct err *e)
{
	struct why_want *w = p->want;
	struct why *own = p->own;
	int r = check(w, p->argc, e);

	if (r)
		return r;
	own->prof = p;
	own->want = w;
	own->polled = !w->prof.from.input && !may_watch(p->sys);
	return !w->prof.from.input && !p->argc ? read_duration(w, e) : 0;
}

static int add_all(struct prof *p, const char *const *v, size_t n, struct err *e)
{
	int r = 0;

	for (size_t i = 0; !r && i < n; i++)
		r = prof_add_optional(p, v[i], e);
	return r;
}

static int prepare(struct prof *p, struct err *e)
{
	static const char *const always[] = {
		"sched:sched_waking//stack/", "sched:sched_wakeup_new", "sched:sched_migrate_task",
		"irq:irq_handler_entry", "irq:irq_handler_exit", "irq:softirq_entry", "irq:softirq_exit",
	};
	static const char *const recorded[] = { "sched:sched_wakeup", "page-faults", "minor-faults", "major-faults" };
	const struct why_want *w = p->want;
	const struct why *own = p->own;
	char text[64];
	int r;

	if (own->polled)
		return 0;
	snprintf(text, sizeof(text), "profile/-F %llu -g/", (unsigned long long)w->freq);
	r = prof_add(p, "sched:sched_switch//stack/", e);
	r = r ? r : add_all(p, always, ARRAY_SIZE(always), e);
	r = r ? r : prof_add_optional(p, text, e);
	r = r || !p->argc ? r : prof_add_optional(p, "sched:sched_process_exec", e);
	return r || !w->prof.from.input ? r : add_all(p, recorded, ARRAY_SIZE(recorded), e);
}

/* --- which threads --- */

static int add_id(struct why *w, uint32_t id)
{
	uint32_t *to = vec_add(&w->ids);

	if (to)
		*to = id;
	return to ? 0 : -ENOMEM;
}

int why_ids(struct why *w, int child, struct err *e)
{
	const struct target_want *t = &w->want->prof.target;
	struct sv rest = sv_from(t->pids ? t->pids : t->tids ? t->tids : ""), one;
	int r = 0;

	w->are_threads = t->tids;
	w->with_children = child;
	while (!r && sv_cut(&rest, ',', &one)) {
		uint64_t id;

		if (!t->pids && !t->tids)
			break;
		if (!str_u64(sv_trim(one), 10, &id) || !id || id > INT32_MAX)
			return err_set(e, EINVAL, "'%.*s' is no number of a task", (int)MIN(one.n, (size_t)40), one.s);
		r = add_id(w, (uint32_t)id);
	}
	r = r || !child ? r : add_id(w, (uint32_t)child);
	return r ? err_nomem(e) : 0;
}

static bool is_id(const struct why *w, uint32_t id)
{
	size_t i = 0;

	while (i < w->ids.n && w->ids.v[i] != id)
		i++;
	return i < w->ids.n;
}

static int add_thread(struct why *w, uint32_t tid, uint64_t time, enum ledger_cause cause, uint32_t place)
{
	return ledger_thread(&w->ledger, tid, time, (struct ledger_guess){ cause, place });
}

/* A thread has an event: if it was asked for by pid, tid or name, add it from the account's beginning on. */
static int see_task(struct why *w, uint32_t pid, uint32_t tid, struct sv comm)
{
	/* Events of trace.dat have no pid. */
	uint32_t id = w->are_threads || pid == UINT32_MAX ? tid : pid;
	bool meant = w->want->name ? sv_eq(comm, w->want->name) : is_id(w, id);

	return meant ? add_thread(w, tid, w->ledger.from, LEDGER_UNKNOWN, 0) : 0;
}

/* FORK and COMM records: of new threads, and synthesized ones of threads that existed before the recording. */
static void see_record(void *arg, const struct source_rec *rec)
{
	struct why *w = arg;
	struct side d;
	bool begins;

	if ((rec->perf.type != PERF_REC_FORK && rec->perf.type != PERF_REC_COMM) ||
	    side_decode(&rec->perf, w->prof->feed.session.head->swap, &d) != 1)
		return;
	begins = d.type == PERF_REC_FORK && ((is_id(w, d.pid) && !w->are_threads) ||
		 (w->with_children && ledger_has(&w->ledger, d.task.ptid)));
	if (begins)
		w->failed |= add_thread(w, d.tid, rec->time, LEDGER_UNKNOWN, 0) < 0;
	else if (d.type == PERF_REC_COMM && !w->want->name)
		w->failed |= see_task(w, d.pid, d.tid, SV("")) < 0;
}

/* Add a thread that exists already, with its state from /proc. */
static int add_running(struct why *w, uint32_t tid)
{
	struct why_stat st;
	enum ledger_cause cause;
	uint32_t place = 0;
	char path[40];

	snprintf(path, sizeof(path), "/proc/%u/stat", tid);
	cause = why_stat(w->prof->sys, path, &st) ? why_cause_told(st.state) : LEDGER_UNKNOWN;
	if (cause != LEDGER_RUN && cause != LEDGER_UNKNOWN)
		place = why_place_told(w, tid);
	return place == NAMES_NONE ? -ENOMEM : add_thread(w, tid, w->ledger.from, cause, place);
}

/* --- begin --- */

static void look_at_taps(struct why *w)
{
	const struct feed *f = &w->prof->feed;

	for (size_t i = 0; i < f->taps.n; i++) {
		const struct tevent *ev = f->taps.v[i].event;

		w->has_waking |= ev && ev->kind == KIND_SCHED_WAKING;
		w->has_irqs |= ev && ev->kind == KIND_IRQ_ENTRY;
		w->has_samples |= !ev && !strstr(f->taps.v[i].label, "faults");
	}
}

static int begin(struct prof *p, struct err *e)
{
	struct why *w = p->own;
	struct view_span span = { 0, UINT64_MAX };
	int r = w->want->time ? view_span_read(&span, p, w->want->time, e) : 0;

	r = r ? r : why_ids(w, feed_is_live(&p->feed) ? p->feed.live.loop.child.pid : 0, e);
	if (r)
		return r;
	w->ledger.from = span.from;
	w->ledger.to = span.to == UINT64_MAX ? 0 : span.to;
	look_at_taps(w);
	p->feed.session.watch = (struct session_watch){ .see = see_record, .arg = w };
	r = callers_open(&w->callers, &p->feed);
	for (size_t i = 0; !r && !feed_is_live(&p->feed) && w->are_threads && i < w->ids.n; i++)
		r = add_thread(w, w->ids.v[i], w->ledger.from, LEDGER_UNKNOWN, 0);
	return r ? err_nomem(e) : 0;
}

static int started(struct prof *p, struct err *e)
{
	struct feed_targets of = feed_targets(&p->feed);
	struct why *w = p->own;
	int r = 0;

	/* The account of a command begins with its exec, see take_exec(). */
	if (!p->argc)
		ledger_begin(&w->ledger, p->sys->now(p->sys, CLOCK_MONOTONIC));
	for (size_t i = 0; !r && i < of.n; i++)
		r = add_running(w, (uint32_t)of.ids[i]);
	why_told_now(&w->told, p->sys, w->ids.v, w->ids.n, w->are_threads);
	return r ? err_nomem(e) : 0;
}

/* --- hits --- */

/* "comm[tid]" */
static uint32_t name_task(struct why *w, struct sv comm, uint32_t tid)
{
	char text[64];

	snprintf(text, sizeof(text), "%.*s[%u]", (int)MIN(comm.n, (size_t)32), comm.s, tid);
	return why_name(w, text, strlen(text));
}

static struct sv comm_of(const struct hit *h, unsigned field)
{
	const struct tfield *f = h->event->field[field];

	return f ? tfmt_str(f, h->raw.p, h->raw.n) : SV("");
}

/* Bits of prev_state: TASK_REPORT, since Linux 4.14. */
enum { STATE_S = 1, STATE_D = 2, STATE_STOPPED = 4 | 8 | 0x40, STATE_ENDED = 0x30, STATE_I = 0x80 };

static int why_off(struct why *w, const struct hit *h, uint64_t state, struct ledger_switch *s)
{
	uint32_t stack = callers_of(&w->callers, h);
	const struct why_place *p = stack == CALLTREE_NONE ? NULL : why_place(w, stack);

	if (!p)
		return -ENOMEM;
	s->place = p->what;
	s->off = state & STATE_STOPPED ? LEDGER_STOPPED
		 : p->is_fault	       ? LEDGER_FAULT
		 : !(state & STATE_D)  ? LEDGER_SLEEP
		 : p->is_disk	       ? LEDGER_DISK
				       : LEDGER_BLOCKED;
	return 0;
}

static int take_switch(struct why *w, const struct hit *h)
{
	uint64_t state = hit_field(h, SWITCH_PREV_STATE);
	struct ledger_switch s = {
		.time = h->time, .cpu = h->cpu, .prev = (uint32_t)hit_field(h, SWITCH_PREV_PID),
		.next = (uint32_t)hit_field(h, SWITCH_NEXT_PID), .ended = state & STATE_ENDED,
		.could_run = !(state & ~(uint64_t)TASKPROF_PREEMPTED),
	};
	int r = see_task(w, h->pid, s.prev, comm_of(h, SWITCH_PREV_COMM));

	if (!r && w->want->name)
		r = see_task(w, 0, s.next, comm_of(h, SWITCH_NEXT_COMM));
	if (!r && ledger_has(&w->ledger, s.prev) && !s.could_run && !s.ended)
		r = why_off(w, h, state, &s);
	if (!r && s.next)
		s.next_name = name_task(w, comm_of(h, SWITCH_NEXT_COMM), s.next);
	return r || s.next_name == NAMES_NONE ? -ENOMEM : ledger_switch(&w->ledger, &s);
}

/* linux/trace_events.h. With these flags an interrupt has woken the task, not the current thread. */
enum { FLAG_HARDIRQ = 8, FLAG_SOFTIRQ = 16 };

static uint32_t waker_of(struct why *w, const struct hit *h)
{
	uint64_t flags = tfmt_value(h->event->common[COMMON_FLAGS], h->raw.p, h->raw.n);
	uint32_t stack = callers_of(&w->callers, h), within = ledger_within(&w->ledger, h->cpu);
	const struct why_place *p = stack == CALLTREE_NONE ? NULL : why_place(w, stack);
	const char *comm = feed_comm(&w->prof->feed, h->tid);
	char who[64], text[160];

	if (!p)
		return NAMES_NONE;
	if (within && flags & (FLAG_HARDIRQ | FLAG_SOFTIRQ))
		snprintf(who, sizeof(who), "%s", why_text(w, within));
	else if (flags & (FLAG_HARDIRQ | FLAG_SOFTIRQ))
		snprintf(who, sizeof(who), flags & FLAG_HARDIRQ ? "an interrupt" : "a soft interrupt");
	else
		snprintf(who, sizeof(who), "%s[%u]", comm, h->tid);
	snprintf(text, sizeof(text), p->by ? "%s (%s)" : "%s", who, why_text(w, p->by));
	return why_name(w, text, strlen(text));
}

static int take_wakeup(struct why *w, const struct hit *h)
{
	uint32_t tid = (uint32_t)hit_field(h, WAKEUP_PID), by = 0;
	int r = w->want->name ? see_task(w, 0, tid, comm_of(h, WAKEUP_COMM)) : 0;

	if (r || !ledger_has(&w->ledger, tid) || (hit_kind(h) == KIND_SCHED_WAKEUP && w->has_waking))
		return r;
	if (hit_kind(h) == KIND_SCHED_WAKEUP_NEW)
		ledger_born(&w->ledger, tid, h->time);
	by = waker_of(w, h);
	return by == NAMES_NONE ? -ENOMEM : ledger_woken(&w->ledger, tid, h->time,
							  (uint32_t)hit_field(h, WAKEUP_TARGET_CPU), by);
}

static int take_irq(struct why *w, const struct hit *h)
{
	struct sv name = comm_of(h, IRQ_NAME);
	char text[80];
	uint32_t id;

	if (hit_kind(h) == KIND_IRQ_EXIT)
		return ledger_leave(&w->ledger, h->cpu, h->time, LEDGER_IRQ);
	snprintf(text, sizeof(text), "irq %llu %.*s", (unsigned long long)hit_field(h, IRQ_IRQ),
		 (int)MIN(name.n, (size_t)40), name.s);
	id = why_name(w, text, strlen(text));
	return id == NAMES_NONE ? -ENOMEM : ledger_enter(&w->ledger, h->cpu, h->time, LEDGER_IRQ, id);
}

static int take_softirq(struct why *w, const struct hit *h)
{
	const char *name = tkind_softirq(hit_field(h, SOFTIRQ_VEC));
	char text[80];
	uint32_t id;

	if (hit_kind(h) == KIND_SOFTIRQ_EXIT)
		return ledger_leave(&w->ledger, h->cpu, h->time, LEDGER_SOFTIRQ);
	snprintf(text, sizeof(text), "softirq %s", name ? name : "?");
	id = why_name(w, text, strlen(text));
	return id == NAMES_NONE ? -ENOMEM : ledger_enter(&w->ledger, h->cpu, h->time, LEDGER_SOFTIRQ, id);
}

static int count_function(struct why *w, const char *label, bool kernel)
{
	uint32_t id = why_name(w, label, strlen(label));
	struct why_function *f;
	uint64_t *at;

	if (!id || id == NAMES_NONE)
		return id ? -ENOMEM : 0;
	at = map_add(&w->function_of, (uint64_t)id << 1 | kernel, NULL);
	f = at && !*at ? vec_add(&w->functions) : NULL;
	if (!at || (!*at && !f))
		return -ENOMEM;
	if (f) {
		f->name = id;
		f->kernel = kernel;
		*at = w->functions.n;
	}
	w->functions.v[*at - 1].n++;
	return 0;
}

/* Count a sample of the task's own code; samples of interrupts are left out. */
static int take_sample(struct why *w, const struct hit *h)
{
	const struct ledger *a = &w->ledger;
	struct chain_frame f;
	const struct why_place *p;
	const struct sym_loc *l;
	char label[96];
	uint32_t stack;

	if (!ledger_has(a, h->tid) || ledger_is_interrupted(a, h->cpu) || h->time < a->from ||
	    (a->to && h->time > a->to) || !sample_frames(&h->perf->layout, h->sample, &f, 1))
		return 0;
	stack = callers_of(&w->callers, h);
	p = stack == CALLTREE_NONE ? NULL : why_place(w, stack);
	l = resolver_find(w->prof->feed.session.resolver, h->pid, f.cpumode, f.ip);
	if (!p || !l)
		return -ENOMEM;
	w->samples.n++;
	w->samples.kernel += chain_in_kernel(&f);
	w->samples.fault += p->is_fault;
	snprintf(label, sizeof(label), l->sym ? "%s" : "(in %s)", l->sym ? l->sym : l->dso_short);
	return count_function(w, label, chain_in_kernel(&f));
}

static int take_other(struct why *w, const struct hit *h)
{
	const char *label = h->tap->label;

	if (!strstr(label, "faults"))
		return take_sample(w, h);
	if (!ledger_has(&w->ledger, h->tid))
		return 0;
	/* The event page-faults counts both kinds, and is taken as minor; major-faults counts the major ones. */
	*(strstr(label, "major") ? &w->major : &w->minor) += h->sample->period ? h->sample->period : 1;
	return 0;
}

/* The first exec of the command's process: until then it ran our own code, so the account begins here. */
static void take_exec(struct why *w, const struct hit *h)
{
	if (!w->with_children || w->has_begun || !is_id(w, h->tid))
		return;
	w->has_begun = true;
	ledger_begin(&w->ledger, h->time);
	w->samples = (struct why_samples){ 0 };
	w->functions.n = 0;
	map_deinit(&w->function_of);
}

static int take(struct why *w, const struct hit *h)
{
	switch (hit_kind(h)) {
	case KIND_SCHED_SWITCH:
		return take_switch(w, h);
	case KIND_SCHED_WAKING:
	case KIND_SCHED_WAKEUP:
	case KIND_SCHED_WAKEUP_NEW:
		return take_wakeup(w, h);
	case KIND_SCHED_MIGRATE:
		return ledger_moved(&w->ledger, (uint32_t)hit_field(h, MIGRATE_PID), h->time,
				     (uint32_t)hit_field(h, MIGRATE_DEST_CPU));
	case KIND_SCHED_EXEC:
		take_exec(w, h);
		return 0;
	case KIND_IRQ_ENTRY:
	case KIND_IRQ_EXIT:
		return take_irq(w, h);
	case KIND_SOFTIRQ_ENTRY:
	case KIND_SOFTIRQ_EXIT:
		return take_softirq(w, h);
	default:
		return h->event ? 0 : take_other(w, h);
	}
}

static int hit(struct prof *p, const struct hit *h, struct err *e UNUSED)
{
	struct why *w = p->own;

	if (!w->ledger.from)
		ledger_begin(&w->ledger, h->time);
	return w->failed ? -ENOMEM : take(w, h);
}

static int lost(struct prof *p, uint32_t cpu UNUSED)
{
	struct why *w = p->own;

	/* This is called for throttled sampling, too; then stats.lost has not grown, and no switch is missing. */
	if (p->feed.stats.lost != w->lost)
		ledger_lose(&w->ledger);
	w->lost = p->feed.stats.lost;
	return 0;
}

/* --- end --- */

void why_told_end(struct why *w, const struct loop *l)
{
	why_told_since(&w->told, w->prof->sys, w->ids.v, w->ids.n, w->are_threads);
	if (!l->has_status)
		return;
	w->told.minor = (uint64_t)l->usage.ru_minflt;
	w->told.major = (uint64_t)l->usage.ru_majflt;
	w->told.has_faults = true;
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	bool live = feed_is_live(&p->feed);
	struct why *w = p->own;
	int r;

	if (live && !w->ledger.to) {
		uint64_t now = p->sys->now(p->sys, CLOCK_MONOTONIC), ns = prof_want(p)->from.interval_ns;

		/* We may be late: events after the end of the window are not part of it. */
		w->ledger.to = ns ? MIN(now, w->ledger.from + ns) : now;
		why_told_end(w, &p->feed.live.loop);
		feed_stop(&p->feed);
	}
	if (!last)
		return 0;
	if (!live && !w->ledger.to)
		w->ledger.to = p->feed.stats.last;
	r = ledger_end(&w->ledger, w->ledger.to);
	if (!r && !w->ledger.threads.n)
		return err_set(e, ESRCH, "%s: nothing of it is in %s", w->want->task ? w->want->task : "the command",
			       live ? "what happened" : "the recording");
	r = r ? r : why_show(w, o);
	return r ? err_nomem(e) : 0;
}

void why_close(struct why *w)
{
	ledger_deinit(&w->ledger);
	names_deinit(&w->names);
	callers_close(&w->callers);
	vec_free(&w->places);
	vec_free(&w->functions);
	map_deinit(&w->function_of);
	vec_free(&w->ids);
}

static void close(struct prof *p)
{
	why_close(p->own);
}

const struct prof_kind why_kind = {
	.cmd = { .name = "why" },
	.own = sizeof(struct why), .first = first, .prepare = prepare, .begin = begin, .started = started, .hit = hit,
	.lost = lost, .show = show, .alone = why_alone, .close = close, .everywhere = true, .monotonic = true,
};
