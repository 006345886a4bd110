/* test_why_ledger.c - causes of threads' time add up to all of it, whatever comes. */
#include "why/ledger.h"
#include "t.h"

#include <stdlib.h>

enum { US = 1000 };

static void thread(struct ledger *l, uint32_t tid, uint64_t time, enum ledger_cause guess)
{
	CHECK_EQ(ledger_thread(l, tid, time, (struct ledger_guess){ guess, 77 }), 0);
}

/* off: LEDGER_RUN: it could go on; LEDGER_UNKNOWN: it has ended. */
static void change(struct ledger *l, uint64_t time, uint32_t cpu, uint32_t prev, uint32_t next, enum ledger_cause off)
{
	struct ledger_switch s = {
		.time = time, .cpu = cpu, .prev = prev, .next = next, .next_name = next ? 1000 + next : 0,
		.could_run = off == LEDGER_RUN, .ended = off == LEDGER_UNKNOWN, .off = off, .place = 500 + prev,
	};

	CHECK_EQ(ledger_switch(l, &s), 0);
}

static uint64_t ns(const struct ledger *l, enum ledger_cause cause, uint32_t what, uint32_t by)
{
	for (size_t i = 0; i < l->rows.n; i++)
		if (l->rows.v[i].cause == cause && l->rows.v[i].what == what && l->rows.v[i].by == by)
			return l->rows.v[i].ns;
	return 0;
}

static uint64_t all(const struct ledger *l)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < LEDGER_CAUSES; i++)
		sum += ledger_sum(l, (enum ledger_cause)i);
	return sum;
}

static struct ledger begin(void)
{
	struct ledger l = { 0 };

	ledger_begin(&l, 100 * US);
	l.to = 1100 * US;
	return l;
}

static void end(struct ledger *l)
{
	CHECK_EQ(ledger_end(l, 1100 * US), 0);
	CHECK_EQ(all(l), ledger_wall(l));
}

TEST(why_ledger_what_ran_slept_and_was_woken)
{
	struct ledger l = begin();

	thread(&l, 5, 0, LEDGER_UNKNOWN);
	change(&l, 300 * US, 0, 5, 0, LEDGER_SLEEP);
	CHECK_EQ(ledger_woken(&l, 5, 700 * US, 0, 42), 0);
	change(&l, 750 * US, 0, 0, 5, LEDGER_SLEEP);
	end(&l);
	CHECK_EQ(ledger_wall(&l), 1000 * US);
	CHECK_EQ(ledger_sum(&l, LEDGER_RUN), (200 + 350) * US);
	CHECK_EQ(ns(&l, LEDGER_SLEEP, 505, 42), 400 * US);
	CHECK_EQ(ledger_sum(&l, LEDGER_IDLE), 50 * US);
	ledger_deinit(&l);
}

TEST(why_ledger_behind_whom_it_waits)
{
	struct ledger l = begin();

	thread(&l, 5, 0, LEDGER_UNKNOWN);
	change(&l, 200 * US, 1, 5, 9, LEDGER_RUN);
	change(&l, 500 * US, 1, 9, 8, LEDGER_RUN);
	change(&l, 600 * US, 1, 8, 0, LEDGER_SLEEP);
	change(&l, 900 * US, 1, 0, 5, LEDGER_SLEEP);
	end(&l);
	CHECK_EQ(ns(&l, LEDGER_BEHIND, 1009, 0), 300 * US);
	CHECK_EQ(ns(&l, LEDGER_BEHIND, 1008, 0), 100 * US);
	CHECK_EQ(ledger_sum(&l, LEDGER_IDLE), 300 * US);
	CHECK_EQ(l.preempted, 1);
	ledger_deinit(&l);
}

/* Some machines hide when a task goes: another one goes from the CPU that it was on. */
TEST(why_ledger_who_has_gone_unseen_did_nobody_knows_what)
{
	struct ledger l = begin();

	thread(&l, 5, 0, LEDGER_UNKNOWN);
	CHECK_EQ(ledger_woken(&l, 5, 200 * US, 0, 42), 0);
	change(&l, 300 * US, 0, 0, 5, LEDGER_SLEEP);
	change(&l, 500 * US, 0, 9, 8, LEDGER_RUN);
	change(&l, 600 * US, 0, 8, 9, LEDGER_RUN);
	CHECK_EQ(ledger_woken(&l, 5, 800 * US, 0, 42), 0);
	change(&l, 850 * US, 0, 9, 5, LEDGER_SLEEP);
	change(&l, 950 * US, 0, 5, 9, LEDGER_SLEEP);
	end(&l);
	CHECK_EQ(ledger_sum(&l, LEDGER_UNKNOWN), 500 * US);
	CHECK_EQ(ledger_sum(&l, LEDGER_RUN), 100 * US);
	CHECK_EQ(ns(&l, LEDGER_SLEEP, 505, 0), 150 * US);
	ledger_deinit(&l);
}

TEST(why_ledger_who_moves_waits_behind_others)
{
	struct ledger l = begin();

	thread(&l, 5, 0, LEDGER_UNKNOWN);
	change(&l, 150 * US, 2, 7, 6, LEDGER_SLEEP);
	change(&l, 200 * US, 1, 5, 9, LEDGER_RUN);
	CHECK_EQ(ledger_moved(&l, 5, 400 * US, 2), 0);
	change(&l, 1000 * US, 2, 6, 5, LEDGER_RUN);
	end(&l);
	CHECK_EQ(ns(&l, LEDGER_BEHIND, 1009, 0), 200 * US);
	CHECK_EQ(ns(&l, LEDGER_BEHIND, 1006, 0), 600 * US);
	CHECK_EQ(l.moved, 1);
	ledger_deinit(&l);
}

TEST(why_ledger_interrupts_are_not_the_tasks_own_time)
{
	struct ledger l = begin();

	thread(&l, 5, 0, LEDGER_UNKNOWN);
	change(&l, 200 * US, 0, 0, 5, LEDGER_SLEEP);
	CHECK_EQ(ledger_enter(&l, 0, 300 * US, LEDGER_SOFTIRQ, 61), 0);
	CHECK_EQ(ledger_enter(&l, 0, 400 * US, LEDGER_IRQ, 62), 0);
	CHECK_EQ(ledger_within(&l, 0), 62);
	CHECK(ledger_is_interrupted(&l, 0));
	CHECK(!ledger_is_interrupted(&l, 1));
	CHECK_EQ(ledger_leave(&l, 0, 450 * US, LEDGER_IRQ), 0);
	CHECK_EQ(ledger_leave(&l, 0, 500 * US, LEDGER_SOFTIRQ), 0);
	CHECK_EQ(ledger_within(&l, 0), 0);
	/* Of another CPU. */
	CHECK_EQ(ledger_enter(&l, 1, 600 * US, LEDGER_IRQ, 63), 0);
	end(&l);
	CHECK_EQ(ns(&l, LEDGER_SOFTIRQ, 61, 0), 150 * US);
	CHECK_EQ(ns(&l, LEDGER_IRQ, 62, 0), 50 * US);
	CHECK_EQ(ledger_sum(&l, LEDGER_RUN), 700 * US);
	CHECK_EQ(ledger_sum(&l, LEDGER_UNKNOWN), 100 * US);
	ledger_deinit(&l);
}

TEST(why_ledger_what_spans_a_loss_is_not_known)
{
	struct ledger l = begin();

	thread(&l, 5, 0, LEDGER_UNKNOWN);
	change(&l, 200 * US, 0, 0, 5, LEDGER_SLEEP);
	ledger_lose(&l);
	change(&l, 600 * US, 0, 5, 0, LEDGER_SLEEP);
	end(&l);
	CHECK_EQ(ledger_sum(&l, LEDGER_UNKNOWN), 500 * US);
	CHECK_EQ(ledger_sum(&l, LEDGER_SLEEP), 500 * US);
	ledger_deinit(&l);
}

TEST(why_ledger_who_does_nothing_is_in_what_proc_told)
{
	struct ledger l = begin();

	thread(&l, 5, 0, LEDGER_BLOCKED);
	thread(&l, 6, 0, LEDGER_RUN);
	thread(&l, 7, 0, LEDGER_UNKNOWN);
	CHECK_EQ(ledger_woken(&l, 7, 400 * US, 0, 3), 0);
	end(&l);
	CHECK_EQ(ns(&l, LEDGER_BLOCKED, 77, 0), 1000 * US);
	CHECK_EQ(ledger_sum(&l, LEDGER_RUN), 1000 * US);
	CHECK_EQ(ns(&l, LEDGER_SLEEP, 0, 3), 300 * US);
	ledger_deinit(&l);
}

TEST(why_ledger_threads_live_as_long_as_they_do)
{
	struct ledger l = begin();

	thread(&l, 5, 300 * US, LEDGER_UNKNOWN);
	change(&l, 400 * US, 0, 5, 0, LEDGER_UNKNOWN);
	CHECK(!ledger_has(&l, 5));
	/* Its number is another's now. */
	thread(&l, 5, 450 * US, LEDGER_UNKNOWN);
	ledger_born(&l, 5, 500 * US);
	CHECK_EQ(ledger_woken(&l, 5, 600 * US, 0, 3), 0);
	ledger_born(&l, 5, 700 * US);
	end(&l);
	CHECK_EQ(ledger_wall(&l), 700 * US);
	CHECK_EQ(l.threads.n, 2);
	ledger_deinit(&l);
}

/* Any order of events, with losses, unknown CPUs, ends of what never began: all time is counted once. */
TEST(why_ledger_anything_adds_up)
{
	for (unsigned seed = 0; seed < 200; seed++) {
		struct ledger l = begin();
		uint64_t time = 50 * US, rnd = hash_u64(seed);

		for (uint32_t i = 1; i < 6; i++)
			thread(&l, i, 0, (enum ledger_cause)(rnd >> i & 1 ? LEDGER_UNKNOWN : LEDGER_RUN));
		for (unsigned i = 0; i < 400; i++) {
			static const uint32_t cpus[] = { 0, 1, 2, UINT32_MAX };
			uint32_t a, b, cpu;

			rnd = hash_u64(rnd + i);
			time += rnd % 7 ? rnd % (6 * US) : 0;
			a = rnd >> 20 & 7;
			b = rnd >> 24 & 7;
			cpu = cpus[rnd >> 30 & 3];
			switch (rnd >> 40 & 7) {
			case 0:
				CHECK_EQ(ledger_woken(&l, a, time, cpu, b), 0);
				break;
			case 1:
				CHECK_EQ(ledger_moved(&l, a, time, cpu), 0);
				break;
			case 2:
				CHECK_EQ(ledger_enter(&l, cpu, time, LEDGER_IRQ, b), 0);
				break;
			case 3:
				CHECK_EQ(ledger_leave(&l, cpu, time, rnd >> 50 & 1 ? LEDGER_IRQ : LEDGER_SOFTIRQ), 0);
				break;
			case 4:
				if (!(rnd >> 51 & 15))
					ledger_lose(&l);
				break;
			default:
				change(&l, time, cpu, a, b,
				       rnd >> 54 & 31 ? (b & 1 ? LEDGER_SLEEP : LEDGER_RUN) : LEDGER_UNKNOWN);
			}
		}
		end(&l);
		ledger_deinit(&l);
	}
}
