/* What the kernel does to threads, in windows. */
#include "analyse/delays.h"
#include "t.h"

static struct delay_thread *thread(struct delays *d, uint32_t tid, enum delay_age age)
{
	int r;
	struct delay_thread *t = delays_thread(d, tid, age, &r);

	CHECK(t && !r);
	return t;
}

static const struct delay_row *row(const struct delays *d, enum delay_kind kind, uint64_t id)
{
	for (size_t i = 0; i < d->rows.n; i++)
		if (d->rows.v[i].kind == kind && d->rows.v[i].id == id)
			return &d->rows.v[i];
	return NULL;
}

static void is(const struct delays *d, enum delay_kind kind, uint64_t id, uint64_t n, uint64_t ns, uint64_t n_cut)
{
	const struct delay_row *r = row(d, kind, id);

	CHECK(r);
	CHECK_EQ(delay_count(r), n);
	CHECK_EQ((uint64_t)delay_total(r), ns);
	CHECK_EQ(r->cut, n_cut);
}

TEST(delays_that_lie_in_the_window)
{
	struct delays d = { .has_wakeups = true };
	struct delay_thread *t = thread(&d, 7, DELAY_IS_NEW);

	delays_open_window(&d, 1000, UINT64_MAX);
	CHECK_EQ(delays_woken(&d, t, 1100), 0);
	CHECK_EQ(delays_in(&d, t, 1150), 0);
	delays_begin(&d, t, 1200, DELAY_SYSCALL, 3);
	delays_begin(&d, t, 1210, DELAY_IRQ, 1);
	CHECK_EQ(delays_end(&d, t, 1215, DELAY_IRQ, 1), 0);
	CHECK_EQ(delays_end(&d, t, 1260, DELAY_SYSCALL, 3), 0);
	CHECK_EQ(delays_out(&d, t, 1300, DELAY_IS_STOPPED), 0);
	CHECK_EQ(delays_woken(&d, t, 1500), 0);
	CHECK_EQ(delays_in(&d, t, 1510), 0);
	CHECK_EQ(delays_out(&d, t, 1530, DELAY_COULD_RUN), 0);
	CHECK_EQ(delays_in(&d, t, 1600), 0);
	CHECK_EQ(delays_out(&d, t, 1700, DELAY_WAITS), 0);
	CHECK_EQ(delays_close_window(&d, 2000), 0);
	is(&d, DELAY_SYSCALL, 3, 1, 60, 0);
	is(&d, DELAY_IRQ, 1, 1, 5, 0);
	is(&d, DELAY_RUN, 0, 3, 150 + 20 + 100, 0);
	is(&d, DELAY_READY, 0, 3, 50 + 10 + 70, 0);
	is(&d, DELAY_STOPPED, 0, 1, 200, 0);
	CHECK_EQ(d.discarded, 0);
	CHECK_EQ(d.rows.n, 5);
	delays_deinit(&d);
}

TEST(delays_across_the_edges_count_with_what_is_inside)
{
	struct delays d = { .has_wakeups = true };
	struct delay_thread *a = thread(&d, 1, DELAY_RUNS_ALREADY);

	/* It ran, in a call, when it began: the first events tell. */
	delays_open_window(&d, 1000, 2000);
	CHECK_EQ(delays_end(&d, a, 1100, DELAY_SYSCALL, 9), 0);
	CHECK_EQ(delays_out(&d, a, 1200, DELAY_WAITS), 0);
	delays_begin(&d, a, 1200, DELAY_SYSCALL, 9);
	CHECK_EQ(delays_woken(&d, a, 1900), 0);
	/* The next window's event is there before this one is over. */
	CHECK_EQ(delays_in(&d, a, 2300), 0);
	CHECK_EQ(delays_close_window(&d, 2000), 0);
	is(&d, DELAY_SYSCALL, 9, 2, 100 + 800, 2);
	is(&d, DELAY_RUN, 0, 1, 200, 1);
	is(&d, DELAY_READY, 0, 1, 100, 1);
	delays_forget(&d);
	delays_open_window(&d, 2200, 2900);
	CHECK_EQ(delays_end(&d, a, 2500, DELAY_SYSCALL, 9), 0);
	CHECK_EQ(delays_close_window(&d, 2900), 0);
	is(&d, DELAY_SYSCALL, 9, 1, 300, 1);
	is(&d, DELAY_RUN, 0, 1, 600, 1);
	CHECK(!row(&d, DELAY_READY, 0));
	delays_deinit(&d);
}

TEST(delays_of_who_does_nothing)
{
	struct delays d = { .has_wakeups = true };
	struct delay_thread *t = thread(&d, 1, DELAY_RUNS_ALREADY);

	/* Others know that it sleeps in a call, all the time. */
	delays_open_window(&d, 1000, 1500);
	delays_is_in(t, DELAY_SYSCALL, 7);
	CHECK_EQ(delays_close_window(&d, 1500), 0);
	is(&d, DELAY_SYSCALL, 7, 1, 500, 1);
	CHECK_EQ(d.rows.n, 1);
	/* What an event has told already is not told otherwise. */
	delays_begin(&d, t, 1600, DELAY_IRQ, 4);
	delays_is_in(t, DELAY_IRQ, 5);
	CHECK_EQ(t->open[DELAY_SLOT_IRQ].id, 4);
	delays_deinit(&d);
}

TEST(delays_waits_for_a_cpu_need_wakeups)
{
	struct delays d = { 0 };
	struct delay_thread *t = thread(&d, 1, DELAY_RUNS_ALREADY);

	delays_open_window(&d, 1000, UINT64_MAX);
	CHECK_EQ(delays_in(&d, t, 1100), 0);
	CHECK_EQ(delays_out(&d, t, 1200, DELAY_WAITS), 0);
	CHECK_EQ(delays_in(&d, t, 1300), 0);
	CHECK_EQ(delays_close_window(&d, 1400), 0);
	is(&d, DELAY_RUN, 0, 2, 200, 1);
	CHECK(!row(&d, DELAY_READY, 0));
	delays_deinit(&d);
}

TEST(delays_within_a_loss_are_none)
{
	struct delays d = { .has_wakeups = true };
	struct delay_thread *t, *other;

	/* The second may move the first. */
	thread(&d, 1, DELAY_RUNS_ALREADY);
	other = thread(&d, 2, DELAY_RUNS_ALREADY);
	t = thread(&d, 1, DELAY_RUNS_ALREADY);
	delays_open_window(&d, 1000, UINT64_MAX);
	CHECK_EQ(delays_in(&d, t, 1100), 0);
	delays_begin(&d, t, 1110, DELAY_SYSCALL, 1);
	delays_lose(&d);
	CHECK_EQ(d.discarded, 2);
	/* Nor of the thread whose events were to come. */
	CHECK_EQ(other->open[DELAY_SLOT_SYSCALL].is, DELAY_DOUBTED);
	CHECK_EQ(delays_end(&d, other, 1190, DELAY_SYSCALL, 7), 0);
	/* Neither of these is known to be what began before. */
	CHECK_EQ(delays_end(&d, t, 1200, DELAY_SYSCALL, 1), 0);
	CHECK_EQ(delays_out(&d, t, 1210, DELAY_WAITS), 0);
	/* An end of another call than the one that began. */
	delays_begin(&d, t, 1300, DELAY_SYSCALL, 1);
	CHECK_EQ(delays_end(&d, t, 1310, DELAY_SYSCALL, 2), 0);
	CHECK_EQ(d.discarded, 3);
	CHECK_EQ(delays_close_window(&d, 1400), 0);
	is(&d, DELAY_READY, 0, 1, 100, 1);
	CHECK_EQ(d.rows.n, 1);
	delays_deinit(&d);
}
