/*
 * replay.c - sonde sched replay: one thread per recorded task repeats what the task did: it burns as much CPU time, and
 * threads wait for and wake each other in the same way. The idle task's thread sleeps until as much time has passed.
 */
#include "analyse/replay.h"
#include "sched/common.h"
#include "sys/thread.h"

#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

#define MS 1e6
#define NS_PER_S UINT64_C(1000000000)

/* ROUNDS: perf's default. THREADS: more than any machine of today runs well. */
enum { ROUNDS = 10, LONGEST_H = 24, THREADS = 4096, STACK = 32768 };
enum { TRIES = 10, TEST_SLEEP = 10000, TEST_LONG = 1000000 };   /* calibration; TEST_*: ns */

struct want {
	struct view_want sched;
	uint64_t repeat;
};

static int set_repeat(void *field, const char *value, struct err *e)
{
	uint64_t *to = field;

	if (value && !strcmp(value, "-1"))
		*to = 0;
	else if (!value || !str_u64(sv_from(value), 10, to) || *to > UINT32_MAX)
		return err_set(e, EINVAL, "'%.40s' is no number of times", value ? value : "");
	return 0;
}

static const struct opt opts[] = {
	OPT_CALL('r', "repeat", 0, struct want, repeat, set_repeat, "<n>",
		"run <n> times (default 10; -1: until Ctrl-C)"),
	OPT_STR('i', "input", struct want, sched.prof.from.input, "<file>", "recording to read (default perf.data)"),
	OPT_SUB(view_opts, struct want, sched),
	OPT_END,
};

static void defaults(void *want)
{
	((struct want *)want)->repeat = ROUNDS;
}

struct replay_view {
	struct prof *prof;
	struct replay replay;
	const struct sys *sys;
	uint64_t run_cost, sleep_cost;   /* ns: to read the clock; by which a sleep is too long */
	uint64_t sum, avg, cpu_avg;
	pthread_mutex_t start;           /* held until all threads are created */
	uint64_t began;                  /* ns of CLOCK_MONOTONIC */
	bool stopped;                    /* not all threads could be created: do nothing */
	bool has_waking, no_memory;
	sem_t *sems;                     /* one per wake-up */
	struct actor {
		struct replay_view *v;
		const struct replay_task *task;
		pthread_t thread;
		uint64_t cpu;            /* ns of CPU time in this round */
	} *actors;
	size_t n_actors;
};

/* --- reading --- */

static int first(struct prof *p, struct err *e)
{
	const struct prof_want *w = prof_want(p);

	if (w->from.interval_ns || w->target.all || p->argc) {
		err_set(e, EINVAL, "a recording is replayed: neither a command nor -a goes with it");
		return err_hint(e, "sonde sched record -- command, then sonde sched replay");
	}
	return view_first(p, e);
}

static int begin(struct prof *p, struct err *e UNUSED)
{
	struct replay_view *v = p->own;

	v->prof = p;
	v->sys = p->sys;
	v->has_waking = sched_has_waking(p);
	return 0;
}

/* Index of the task in field `tid`; a new task is named by field `comm`, if the event has it. Errors: replay_task(). */
static int task_of(struct replay_view *v, const struct hit *h, unsigned tid, unsigned comm)
{
	const struct tfield *f = h->event->field[comm];
	char name[64] = "";

	if (f)
		str_copy(name, sizeof(name), tfmt_str(f, h->raw.p, h->raw.n));
	return replay_task(&v->replay, (uint32_t)hit_field(h, tid), name);
}

static int take_switch(struct replay_view *v, const struct hit *h)
{
	int prev = task_of(v, h, SWITCH_PREV_PID, SWITCH_PREV_COMM), next;

	if (prev < 0)
		return prev;
	next = task_of(v, h, SWITCH_NEXT_PID, SWITCH_NEXT_COMM);
	return next < 0 ? next : replay_switch(&v->replay, h->time, h->cpu, (uint32_t)prev);
}

static int take_wakeup(struct replay_view *v, const struct hit *h)
{
	int by = replay_task(&v->replay, h->tid, "<unknown>"), whom;

	if (by < 0)
		return by;
	whom = task_of(v, h, WAKEUP_PID, WAKEUP_COMM);
	return whom < 0 ? whom : replay_wakeup(&v->replay, (uint32_t)by, (uint32_t)whom);
}

static int told(int r, struct err *e)
{
	if (r != -ENOSPC)
		return r == -ENOMEM ? err_nomem(e) : r;
	err_set(e, ENOSPC, "the recording is too large to be replayed: %d tasks and %d steps are the most",
		REPLAY_TASKS, REPLAY_STEPS);
	return err_hint(e, "record for a shorter time, or some CPUs: sonde sched record -C 0-3");
}

static int hit(struct prof *p, const struct hit *h, struct err *e)
{
	struct replay_view *v = p->own;
	enum tkind kind = hit_kind(h);

	if (v->no_memory)
		return err_nomem(e);
	if (kind == KIND_SCHED_SWITCH)
		return told(take_switch(v, h), e);
	if (kind == KIND_SCHED_WAKING || kind == KIND_SCHED_WAKEUP_NEW || (kind == KIND_SCHED_WAKEUP && !v->has_waking))
		return told(take_wakeup(v, h), e);
	return 0;
}

static int record(struct prof *p, const struct session_item *item)
{
	const struct side *d = &item->side;
	struct replay_view *v = p->own;
	const char *name;
	int r;

	if (d->type != PERF_REC_FORK)
		return 0;
	r = replay_task(&v->replay, d->task.ptid, feed_comm(&p->feed, d->task.ptid));
	/* Until a COMM record names it, a new task has its parent's name, if that is known. */
	name = feed_comm(&p->feed, d->tid);
	if (*name == ':' && *feed_comm(&p->feed, d->task.ptid) != ':')
		name = feed_comm(&p->feed, d->task.ptid);
	r = r < 0 ? r : replay_task(&v->replay, d->tid, name);
	v->no_memory |= r == -ENOMEM;
	return 0;
}

static int prepare(struct prof *p, struct err *e)
{
	return sched_add(p, e);
}

/* --- the cost of measuring --- */

static uint64_t now(const struct replay_view *v)
{
	return v->sys->now(v->sys, CLOCK_MONOTONIC);
}

/* Burn CPU time: on a shared CPU that takes longer. perf burns elapsed time, and so does less work there. */
static void burn(const struct replay_view *v, uint64_t ns)
{
	uint64_t from = v->sys->now(v->sys, CLOCK_THREAD_CPUTIME_ID), at;

	do
		at = v->sys->now(v->sys, CLOCK_THREAD_CPUTIME_ID);
	while (at - from < ns && ns - (at - from) > v->run_cost);
}

static uint64_t time_of(const struct replay_view *v, bool sleeps, uint64_t ns)
{
	uint64_t from = now(v);

	if (sleeps)
		thread_sleep(ns);
	else
		burn(v, ns);
	return now(v) - from;
}

static uint64_t least_of(const struct replay_view *v, bool sleeps, uint64_t ns)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		uint64_t one = time_of(v, sleeps, ns);

		least = MIN(least, one);
	}
	return least - MIN(least, ns);
}

static void calibrate(struct replay_view *v, struct out *o)
{
	v->run_cost = least_of(v, false, 0);
	out_printf(o, "run measurement overhead: %llu nsecs\n", (unsigned long long)v->run_cost);
	v->sleep_cost = least_of(v, true, TEST_SLEEP);
	out_printf(o, "sleep measurement overhead: %llu nsecs\n", (unsigned long long)v->sleep_cost);
	out_printf(o, "the run test took %llu nsecs\n", (unsigned long long)time_of(v, false, TEST_LONG));
	out_printf(o, "the sleep test took %llu nsecs\n", (unsigned long long)time_of(v, true, TEST_LONG));
}

/* --- the steps --- */

static void put_more(struct out *o, const char *what, size_t n)
{
	if (n)
		out_printf(o, "%s%zu\n", what, n);
}

static void put_events(const struct replay_view *v, struct out *o)
{
	const struct replay *r = &v->replay;

	out_printf(o, "nr_run_events:        %zu\nnr_sleep_events:      %zu\nnr_wakeup_events:     %zu\n", r->runs,
		   r->sleeps, r->wakeups);
	put_more(o, "target-less wakeups:  ", r->targetless);
	put_more(o, "multi-target wakeups: ", r->multitarget);
	put_more(o, "run atoms optimized: ", r->merged);
	for (size_t i = 0; i < r->tasks.n; i++) {
		const struct replay_task *t = &r->tasks.v[i];

		out_str(o, "task ");
		out_u64w(o, i, 6);
		out_str(o, " (");
		out_right(o, names_str(&r->names, t->name), 20);
		out_char(o, ':');
		out_u64w(o, t->tid, 10);
		out_printf(o, "), nr_events: %zu\n", t->steps.n);
	}
	out_str(o, "------------------------------------------------------------\n");
}

/* --- doing it --- */

/* A run of the idle task ends when as much time has passed since the start as in the recording. */
static void idle_until(const struct replay_view *v, uint64_t ns)
{
	uint64_t passed = now(v) - v->began;

	if (ns > passed && ns - passed > v->sleep_cost)
		thread_sleep(ns - passed - v->sleep_cost);
}

static void act(struct replay_view *v, const struct replay_task *t, const struct replay_step *s)
{
	sem_t *sem = s->link ? &v->sems[s->link - 1] : NULL;

	if (s->what == REPLAY_RUN && t->tid)
		burn(v, s->ns);
	else if (s->what == REPLAY_RUN)
		idle_until(v, s->ns);
	else if (sem && s->what == REPLAY_WAKE)
		sem_post(sem);
	else
		while (sem && sem_wait(sem) && errno == EINTR)
			;
}

static void *play(void *arg)
{
	struct actor *a = arg;
	struct replay_view *v = a->v;
	char name[16];
	uint64_t from;

	snprintf(name, sizeof(name), ":%s", names_str(&v->replay.names, a->task->name));
	thread_name(name);
	pthread_mutex_lock(&v->start);
	pthread_mutex_unlock(&v->start);
	from = v->sys->now(v->sys, CLOCK_THREAD_CPUTIME_ID);
	for (size_t i = 0; i < a->task->steps.n && !v->stopped; i++)
		act(v, a->task, &a->task->steps.v[i]);
	a->cpu = v->sys->now(v->sys, CLOCK_THREAD_CPUTIME_ID) - from;
	return NULL;
}

/* Create the threads; *n: how many exist. 0 or -errno. They wait for v->start, so on error none does anything. */
static int start_all(struct replay_view *v, size_t *n)
{
	int r = 0;

	for (*n = 0; !r && *n < v->n_actors; *n += !r)
		r = thread_start(&v->actors[*n].thread, STACK, play, &v->actors[*n]);
	return r;
}

static int play_once(struct replay_view *v, uint64_t *ns, uint64_t *cpu, struct err *e)
{
	size_t n;
	int r;

	for (size_t i = 0; i < v->replay.wakeups; i++)
		sem_init(&v->sems[i], 0, 0);
	pthread_mutex_lock(&v->start);
	r = start_all(v, &n);
	v->stopped = r;
	v->began = now(v);
	pthread_mutex_unlock(&v->start);
	*cpu = 0;
	for (size_t i = 0; i < n; i++) {
		pthread_join(v->actors[i].thread, NULL);
		*cpu += v->actors[i].cpu;
	}
	*ns = now(v) - v->began;
	if (!r)
		return 0;
	err_set(e, -r, "only %zu of %zu threads can be made: %s", n, v->n_actors, err_name(-r));
	return err_hint(e, "ulimit -u, the pids of the control group and kernel.threads-max say how many there may be");
}

/* perf's running average: the newest value has the weight 1 / rounds. */
static uint64_t average(uint64_t avg, uint64_t one, uint64_t rounds)
{
	uint64_t n = rounds ? rounds : UINT32_MAX;

	return avg ? (uint64_t)(((double)avg * (double)(n - 1) + (double)one) / (double)n) : one;
}

static int play_all(struct replay_view *v, struct out *o, struct err *e)
{
	uint64_t repeat = ((struct want *)v->prof->want)->repeat, ns, cpu;
	int r = 0;

	for (uint64_t i = 1; !r && (!repeat || i <= repeat) && !o->error; i++) {
		r = play_once(v, &ns, &cpu, e);
		if (r)
			break;
		v->avg = average(v->avg, ns, repeat);
		v->cpu_avg = average(v->cpu_avg, cpu, repeat);
		out_printf(o, "#%-3llu: ", (unsigned long long)i);
		out_fixed(o, (double)ns / MS, 0, 3);
		out_str(o, ", ravg: ");
		out_fixed(o, (double)v->avg / MS, 0, 2);
		out_str(o, ", cpu: ");
		out_fixed(o, (double)cpu / MS, 0, 2);
		out_str(o, " / ");
		out_fixed(o, (double)v->cpu_avg / MS, 0, 2);
		out_char(o, '\n');
		out_flush(o);
	}
	return r;
}

/* Choose the tasks that get a thread: one whose only step is the sleep that all begin with has nothing to do. */
static int cast(struct replay_view *v, struct err *e)
{
	const struct replay *r = &v->replay;

	if (r->end - r->begin > LONGEST_H * 3600 * NS_PER_S)
		return err_set(e, EFBIG, "the recording is of %llu hours: it would take as long, and %d are the most",
			       (unsigned long long)((r->end - r->begin) / NS_PER_S / 3600), LONGEST_H);
	v->actors = calloc(r->tasks.n + 1, sizeof(*v->actors));
	v->sems = calloc(r->wakeups + 1, sizeof(*v->sems));
	if (!v->actors || !v->sems)
		return err_nomem(e);
	for (size_t i = 0; i < r->tasks.n; i++)
		if (r->tasks.v[i].steps.n > 1)
			v->actors[v->n_actors++] = (struct actor){ .v = v, .task = &r->tasks.v[i] };
	if (v->n_actors <= THREADS)
		return 0;
	err_set(e, E2BIG, "%zu tasks do something: at most %d threads are made", v->n_actors, THREADS);
	return err_hint(e, "record for a shorter time, or some CPUs: sonde sched record -C 0-3");
}

static int show(struct prof *p, bool last, struct out *o, struct err *e)
{
	struct replay_view *v = p->own;
	int r;

	if (!last)
		return 0;
	if (!v->replay.runs)
		return err_set(e, ENODATA, "no switches in the recording: sonde sched record makes such");
	pthread_mutex_init(&v->start, NULL);
	calibrate(v, o);
	put_events(v, o);
	out_flush(o);
	r = cast(v, e);
	return r ? r : play_all(v, o, e);
}

static void close(struct prof *p)
{
	struct replay_view *v = p->own;

	replay_deinit(&v->replay);
	free(v->actors);
	free(v->sems);
}

const struct prof_kind sched_replay = {
	.cmd = {
		.name = "replay", .family = "sched", .brief = "Replay the load of a recording with threads",
		.synopsis = "[-r <n>] [-i <file>]",
		.details = PACKED(
			"One thread per recorded task runs as long as the task did, sleeps until the threads of the "
			"tasks that woke it reach that point, and wakes the threads that the task woke: a scheduler "
			"load like the recorded one, on another kernel or machine. Lines are perf's: elapsed time, its "
			"running average, and CPU time. For the idle task's run times sonde sleeps; perf burns CPU for "
			"them."),
		.examples = PACKED(
			"sonde sched record -- make && sonde sched replay\tten times\n"
			"sonde sched replay -r 1 -i perf.data\tonce"),
		.opts = opts, .want_size = sizeof(struct want), .defaults = defaults,
	},
	.own = sizeof(struct replay_view), .first = first, .prepare = prepare, .begin = begin, .hit = hit,
	.record = record, .show = show, .close = close, .everywhere = true, .lines = true,
};
