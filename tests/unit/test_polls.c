/* Turns of loops that poll. */
#include "analyse/polls.h"
#include "t.h"

static uint64_t now = 1000;

static void turn(struct polls *p, uint32_t tid, uint64_t packets, uint64_t ns)
{
	CHECK_EQ(polls_enter(p, tid, now), 0);
	CHECK_EQ(polls_return(p, tid, now + 10, packets), 0);
	now += ns;
}

TEST(polls_by_what_they_return)
{
	struct polls p = { 0 };
	double ns;

	for (unsigned i = 0; i < 100; i++) {
		turn(&p, 1, 0, 50);
		turn(&p, 1, 4, 50 + 4 * 25);
	}
	turn(&p, 1, 1000, 60);
	CHECK_EQ(p.polls, 201);
	CHECK_EQ(p.packets, 1400);
	CHECK_EQ(p.bursts[0].n, 100);
	CHECK_EQ(p.bursts[4].n, 100);
	CHECK_EQ(p.bursts[POLLS_MORE].n, 1);
	CHECK_EQ(p.bursts[4].call.max, 10);
	/* The last one's turn has not ended. */
	CHECK_EQ(p.bursts[POLLS_MORE].turn.n, 0);
	CHECK(polls_ns_per_packet(&p, 4, &ns));
	CHECK(ns > 24 && ns < 26);
	CHECK(!polls_ns_per_packet(&p, 5, &ns));
	CHECK(!polls_ns_per_packet(&p, 0, &ns));
	polls_deinit(&p);
}

TEST(polls_of_threads_and_across_breaks)
{
	struct polls p = { 0 };

	/* Two threads do not end each other's turns. */
	turn(&p, 1, 0, 100);
	turn(&p, 2, 0, 100);
	turn(&p, 1, 0, 100);
	CHECK_EQ(p.bursts[0].turn.n, 1);
	CHECK_EQ(p.bursts[0].turn.max, 200);
	/* A return whose entry nobody saw is none; a turn across a break neither. */
	polls_break(&p);
	CHECK_EQ(polls_return(&p, 1, now, 7), 0);
	CHECK_EQ(p.polls, 3);
	turn(&p, 1, 0, 100);
	CHECK_EQ(p.bursts[0].turn.n, 1);
	polls_forget(&p);
	CHECK_EQ(p.polls, 0);
	polls_deinit(&p);
}
