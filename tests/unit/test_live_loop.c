/* What a run is told and in which order, on a machine whose time, signals and descriptors are invented. */
#include "live/loop.h"
#include "t.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>

#define MS UINT64_C(1000000)

enum { SIGNALS = 50, DATA = 51 };

/* What each poll brings, in this order; the last one again and again. */
static struct round {
	int took_ms;         /* -1: what it was told to wait at most */
	bool data;
	int signals[3];
} rounds[16];
static size_t n_rounds, at_round;
static uint64_t clock_ns;
static int waited[16];     /* what each poll was told */
static size_t n_waited;
static int pending[8];
static size_t n_pending;
static int alive;          /* a pid below /proc, 0 */
static unsigned looks;     /* for tasks */

static ssize_t fake_read(const struct sys *s UNUSED, int fd, void *p, size_t n)
{
	struct signalfd_siginfo *info = p;

	CHECK_EQ(fd, SIGNALS);
	CHECK_EQ(n, sizeof(*info));
	if (!n_pending)
		return -EAGAIN;
	info->ssi_signo = (uint32_t)pending[0];
	memmove(pending, pending + 1, --n_pending * sizeof(pending[0]));
	return (ssize_t)n;
}

static int fake_poll(const struct sys *s UNUSED, struct pollfd *fds, size_t n, int ms)
{
	const struct round *r = &rounds[MIN(at_round, n_rounds - 1)];
	int ready = 0;

	at_round++;
	if (n_waited < ARRAY_SIZE(waited))
		waited[n_waited++] = ms;
	for (size_t i = 0; i < ARRAY_SIZE(r->signals) && r->signals[i]; i++)
		pending[n_pending++] = r->signals[i];
	CHECK_EQ(fds[0].fd, SIGNALS);
	fds[0].revents = n_pending ? POLLIN : 0;
	ready += n_pending != 0;
	if (n > 1) {
		fds[1].revents = r->data ? POLLIN : 0;
		ready += r->data;
	}
	clock_ns += (uint64_t)MAX(r->took_ms < 0 && !ready ? ms : r->took_ms, 0) * MS;
	return ready;
}

static int fake_access(const struct sys *s UNUSED, const char *path, int mode UNUSED)
{
	char want[32];

	looks++;
	snprintf(want, sizeof(want), "/proc/%d", alive);
	return strcmp(path, want) ? -ENOENT : 0;
}

static uint64_t fake_now(const struct sys *s UNUSED, int clockid UNUSED)
{
	return clock_ns;
}

static const struct sys fake = {
	.root = "", .read = fake_read, .poll = fake_poll, .access = fake_access, .now = fake_now,
};
static struct loop l;

static void begin(const struct round *r, size_t n)
{
	memcpy(rounds, r, n * sizeof(*r));
	n_rounds = n;
	clock_ns = 1000 * MS;
	loop_init(&l, &fake);
	l.signals = SIGNALS;
}

#define BEGIN(...) \
	begin((const struct round[]){ __VA_ARGS__ }, sizeof((struct round[]){ __VA_ARGS__ }) / sizeof(struct round))

TEST(loop_sleeps_until_a_signal)
{
	BEGIN({ .signals = { SIGWINCH } }, { .took_ms = 5, .signals = { SIGTERM } });
	CHECK_EQ(loop_next(&l), LOOP_SIGNAL);
	CHECK_EQ(l.signal, SIGTERM);
	CHECK_EQ(l.n_signals, 1);
	CHECK_EQ(l.state, LOOP_SIGNALLED);
	CHECK_EQ(waited[0], -1);
	CHECK_EQ(waited[1], -1);
	CHECK_EQ(l.now, 1005 * MS);
}

TEST(loop_tells_each_signal_once_and_the_newest_of_several)
{
	BEGIN({ .signals = { SIGHUP, SIGINT } }, { .signals = { SIGTERM } });
	CHECK_EQ(loop_next(&l), LOOP_SIGNAL);
	CHECK_EQ(l.signal, SIGINT);
	CHECK_EQ(l.n_signals, 2);
	CHECK_EQ(loop_look(&l), LOOP_NOTHING);
	CHECK_EQ(loop_next(&l), LOOP_SIGNAL);
	CHECK_EQ(l.signal, SIGTERM);
	CHECK_EQ(l.n_signals, 3);
}

TEST(loop_keeps_the_rhythm_and_leaves_late_intervals_out)
{
	BEGIN({ .took_ms = -1 }, { .took_ms = 250 }, { .took_ms = -1 });
	loop_every(&l, clock_ns, 100 * MS);
	CHECK_EQ(loop_next(&l), LOOP_TICK);
	CHECK_EQ(l.time, LOOP_INTERVAL);
	CHECK_EQ(l.now, 1100 * MS);
	CHECK_EQ(loop_next(&l), LOOP_TICK);
	CHECK_EQ(l.now, 1350 * MS);
	CHECK_EQ(loop_next(&l), LOOP_TICK);
	CHECK_EQ(l.now, 1400 * MS);
	CHECK_EQ(waited[0], 100);
	CHECK_EQ(waited[2], 50);
}

TEST(loop_tells_an_interval_before_the_limit_of_the_same_moment)
{
	BEGIN({ .took_ms = -1 });
	loop_every(&l, clock_ns, 100 * MS);
	loop_in(&l, LOOP_LIMIT, 100 * MS);
	loop_in(&l, LOOP_OTHER, 100 * MS);
	CHECK_EQ(loop_next(&l), LOOP_TICK);
	CHECK_EQ(l.time, LOOP_INTERVAL);
	CHECK_EQ(loop_next(&l), LOOP_END);
	CHECK_EQ(l.time, LOOP_LIMIT);
	CHECK_EQ(l.state, LOOP_TIME_UP);
	CHECK_EQ(loop_next(&l), LOOP_TICK);
	CHECK_EQ(l.time, LOOP_OTHER);
}

TEST(loop_sees_a_signal_when_a_time_is_always_due)
{
	BEGIN({ 0 }, { 0 }, { 0 }, { .signals = { SIGINT } });
	for (int i = 0; i < 3; i++) {
		loop_in(&l, LOOP_OTHER, 0);
		CHECK_EQ(loop_next(&l), LOOP_TICK);
	}
	loop_in(&l, LOOP_OTHER, 0);
	CHECK_EQ(loop_next(&l), LOOP_SIGNAL);
}

TEST(loop_grace_is_an_end_that_the_signal_has_asked_for)
{
	BEGIN({ .signals = { SIGINT } }, { .took_ms = -1 });
	CHECK_EQ(loop_next(&l), LOOP_SIGNAL);
	loop_in(&l, LOOP_GRACE, 2000 * MS);
	CHECK_EQ(loop_next(&l), LOOP_END);
	CHECK_EQ(l.state, LOOP_SIGNALLED);
	CHECK_EQ(l.now, 3000 * MS);
}

TEST(loop_tells_data_behind_times_and_asks_again_for_it)
{
	struct pollfd fds[2] = { [1] = { .fd = DATA, .events = POLLIN } };

	BEGIN({ .took_ms = 30, .data = true }, { .data = true },
	      { .took_ms = 1, .signals = { SIGCHLD }, .data = true });
	loop_watch_fds(&l, fds, ARRAY_SIZE(fds));
	loop_in(&l, LOOP_OTHER, 20 * MS);
	CHECK_EQ(loop_next(&l), LOOP_TICK);
	CHECK_EQ(loop_next(&l), LOOP_DATA);
	CHECK_EQ(fds[1].revents, POLLIN);
	CHECK_EQ(loop_next(&l), LOOP_CHILD);
	CHECK_EQ(l.wakeups, 3);
	CHECK_EQ(l.state, LOOP_RUNS);
}

TEST(loop_without_descriptors_tells_no_data)
{
	struct pollfd fds[2] = { [1] = { .fd = DATA, .events = POLLIN } };

	BEGIN({ .took_ms = 30, .data = true }, { .took_ms = -1 });
	loop_watch_fds(&l, fds, ARRAY_SIZE(fds));
	loop_in(&l, LOOP_OTHER, 20 * MS);
	CHECK_EQ(loop_next(&l), LOOP_TICK);
	loop_watch_fds(&l, NULL, 0);
	loop_in(&l, LOOP_OTHER, 5 * MS);
	CHECK_EQ(loop_next(&l), LOOP_TICK);
	CHECK_EQ(waited[1], 5);
}

TEST(loop_ends_when_no_task_lives_any_more)
{
	static const int pids[] = { 7, 8 };

	BEGIN({ .took_ms = -1 });
	alive = 8;
	loop_watch_tasks(&l, pids, ARRAY_SIZE(pids));
	loop_in(&l, LOOP_OTHER, 350 * MS);
	CHECK_EQ(loop_next(&l), LOOP_TICK);
	/* Three looks at two tasks each, and none between them. */
	CHECK_EQ(looks, 6);
	CHECK_EQ(waited[0], 100);
	alive = 0;
	CHECK_EQ(loop_next(&l), LOOP_END);
	CHECK_EQ(l.state, LOOP_TASKS_ENDED);
	CHECK_EQ(l.now, 1400 * MS);
	loop_in(&l, LOOP_OTHER, 500 * MS);
	CHECK_EQ(loop_next(&l), LOOP_TICK);
}

TEST(loop_of_no_tasks_does_not_end_for_them)
{
	CHECK(!loop_tasks_ended(&fake, NULL, 0));
	BEGIN({ .took_ms = -1 });
	loop_watch_tasks(&l, NULL, 0);
	loop_in(&l, LOOP_OTHER, 5000 * MS);
	CHECK_EQ(loop_next(&l), LOOP_TICK);
	CHECK_EQ(waited[0], 5000);
}

TEST(loop_rounds_what_it_sleeps_up)
{
	BEGIN({ .took_ms = -1 });
	loop_in(&l, LOOP_OTHER, MS / 2);
	CHECK_EQ(loop_next(&l), LOOP_TICK);
	CHECK_EQ(n_waited, 1);
	CHECK_EQ(waited[0], 1);
	loop_in(&l, LOOP_LIMIT, UINT64_MAX - 1);
	CHECK_EQ(l.at[LOOP_LIMIT], LOOP_NEVER);
}

TEST(loop_begun_again_has_forgotten_the_run)
{
	BEGIN({ .signals = { SIGINT, SIGCHLD } }, { .took_ms = -1 });
	loop_in(&l, LOOP_LIMIT, 10 * MS);
	CHECK_EQ(loop_next(&l), LOOP_SIGNAL);
	loop_begin(&l);
	CHECK_EQ(l.signals, SIGNALS);
	CHECK_EQ(l.n_signals, 0);
	CHECK_EQ(l.state, LOOP_RUNS);
	loop_in(&l, LOOP_OTHER, 50 * MS);
	CHECK_EQ(loop_next(&l), LOOP_TICK);
	CHECK_EQ(l.now, 1050 * MS);
}

/* --- with a command that there is --- */

static struct err e;

static void hold(const char *script)
{
	static char sh[] = "sh", c[] = "-c", text[64];
	static char *argv[] = { sh, c, text, NULL };

	snprintf(text, sizeof(text), "%s", script);
	loop_init(&l, &sys_live);
	CHECK_EQ(loop_open(&l, &e), 0);
	CHECK_EQ(loop_hold(&l, argv, NULL, &e), 0);
}

TEST(loop_holds_the_command_and_ends_with_it)
{
	hold("exit 3");
	loop_in(&l, LOOP_OTHER, 20 * MS);
	CHECK_EQ(loop_next(&l), LOOP_TICK);
	CHECK(l.child.pid > 0);
	CHECK_EQ(loop_go(&l, &e), 0);
	CHECK_EQ(loop_next(&l), LOOP_END);
	CHECK_EQ(l.state, LOOP_COMMAND_ENDED);
	CHECK(l.has_status);
	CHECK_EQ(l.status, 3);
	CHECK_EQ(l.child.pid, 0);
	loop_close(&l);
	CHECK_EQ(l.status, 3);
}

TEST(loop_tells_a_signal_before_the_end_of_the_command_that_it_has_killed)
{
	hold("kill -INT $PPID; exit 4");
	CHECK_EQ(loop_go(&l, &e), 0);
	CHECK_EQ(loop_next(&l), LOOP_SIGNAL);
	CHECK_EQ(l.state, LOOP_SIGNALLED);
	CHECK_EQ(loop_next(&l), LOOP_END);
	CHECK_EQ(l.state, LOOP_SIGNALLED);
	CHECK_EQ(l.status, 4);
	loop_close(&l);
}

TEST(loop_closed_early_leaves_no_command)
{
	int pid;

	hold("sleep 100");
	pid = l.child.pid;
	CHECK_EQ(loop_go(&l, &e), 0);
	loop_close(&l);
	CHECK_EQ(l.signals, -1);
	CHECK(loop_tasks_ended(&sys_live, &pid, 1));
}
