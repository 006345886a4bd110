/* delay_found.c - states of threads that have no events, because their state does not change: read from /proc. */
#include "poll/delay.h"

#include "poll/threads.h"

/* The state in /proc/TID/stat is behind the name, which may contain ')', too: search for the last one. */
static char state_of(const struct sys *sys, uint32_t tid)
{
	char text[1024];
	const char *p;

	if (sys_read_line(sys, text, sizeof(text), "/proc/%u/stat", tid) < 0)
		return 0;
	p = strrchr(text, ')');
	return p && p[1] == ' ' ? p[2] : 0;
}

/* /proc/TID/syscall: "7 0x7ffd... ..." has the call's number; "running" or "-1 ...": it is in no call. */
static bool call_of(const struct sys *sys, uint32_t tid, uint64_t *nr)
{
	char text[256];
	struct sv rest = { text, 0 }, word;

	if (sys_read_line(sys, text, sizeof(text), "/proc/%u/syscall", tid) < 0)
		return false;
	rest.n = strlen(text);
	return sv_cut(&rest, ' ', &word) && str_u64(word, 10, nr);
}

/* 0: the thread has ended; other code deals with that. */
static uint64_t schedstat(const struct sys *sys, uint32_t tid, enum poll_sched which)
{
	uint64_t v;

	return poll_thread_sched(sys, tid, which, &v) ? v : 0;
}

int delay_find(struct delay *d)
{
	const struct sys *sys = d->prof->sys;

	for (size_t i = 0; i < d->delays.threads.n; i++) {
		struct delay_found *f = vec_add(&d->found);
		uint32_t tid = d->delays.threads.v[i].tid;

		if (!f)
			return -ENOMEM;
		*f = (struct delay_found){ .state = state_of(sys, tid), .ran = schedstat(sys, tid, POLL_SCHED_RAN) };
		f->turns = schedstat(sys, tid, POLL_SCHED_TURNS);
		f->has_call = call_of(sys, tid, &f->call);
	}
	return 0;
}

/*
 * A runnable thread without a switch has either run or waited for its CPU all the time. If it ran, the timer tick has
 * increased its CPU time. On a nohz_full CPU the tick comes once a second only, but there it runs alone.
 */
static bool runs(struct delay *d, struct delay_found *f, uint32_t tid)
{
	const struct sys *sys = d->prof->sys;
	uint64_t before = f->ran, cpu;
	struct cpus full = { 0 };
	struct err e = { 0 };
	char text[1024];

	f->ran = schedstat(sys, tid, POLL_SCHED_RAN);
	if (f->ran > before)
		return true;
	if (sys_read_line(sys, text, sizeof(text), "/sys/devices/system/cpu/nohz_full") < 0 ||
	    cpus_parse(&full, sv_from(text), &e))
		return false;
	return poll_thread_stat(sys, (int)tid, (int)tid, POLL_STAT_CPU, &cpu) && cpu < CPUS_MAX &&
	       cpus_has(&full, (unsigned)cpu);
}

/* Is the initial state still valid? If events were lost, it is if the thread was not scheduled in since. */
static bool is_as_before(struct delay *d, const struct delay_found *f, const struct delay_thread *t, unsigned slot)
{
	if (t->open[slot].is == DELAY_UNKNOWN)
		return true;
	return t->open[slot].is == DELAY_DOUBTED && f->state != 'R' &&
	       schedstat(d->prof->sys, t->tid, POLL_SCHED_TURNS) == f->turns;
}

void delay_settle(struct delay *d)
{
	for (size_t i = 0; i < d->found.n && i < d->delays.threads.n; i++) {
		struct delay_thread *t = &d->delays.threads.v[i];
		struct delay_found *f = &d->found.v[i];

		if (f->has_call && is_as_before(d, f, t, DELAY_SLOT_SYSCALL))
			delays_is_in(t, DELAY_SYSCALL, f->call);
		if (!is_as_before(d, f, t, DELAY_SLOT_TASK))
			continue;
		if (f->state == 'T' || f->state == 't')
			delays_is_in(t, DELAY_STOPPED, 0);
		else if (f->state == 'R')
			delays_is_in(t, runs(d, f, t->tid) ? DELAY_RUN : DELAY_READY, 0);
	}
}
