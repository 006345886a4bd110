/* Batches of upcalls. */
#include "analyse/upcalls.h"
#include "t.h"

TEST(upcalls_in_batches)
{
	struct upcalls u = { 0 };
	const struct upcalls_thread *t;

	/* Three, then no more; decided for 50, told for 20. */
	for (uint64_t i = 0; i < 3; i++)
		CHECK_EQ(upcalls_read(&u, 5, 1000 + 10 * i, true), 0);
	CHECK_EQ(upcalls_read(&u, 5, 1025, false), 0);
	upcalls_tell(&u, 5, 1070);
	CHECK_EQ(upcalls_told(&u, 5, 1090), 0);
	/* The datapath is told of something else, by a thread that reads none, and by this one. */
	upcalls_tell(&u, 6, 1100);
	CHECK_EQ(upcalls_told(&u, 6, 1110), 0);
	upcalls_tell(&u, 5, 1120);
	CHECK_EQ(upcalls_told(&u, 5, 1130), 0);
	CHECK_EQ(u.threads.n, 1);
	t = &u.threads.v[0];
	CHECK_EQ(t->upcalls, 3);
	CHECK_EQ(t->reads, 4);
	CHECK_EQ(t->batch.n, 1);
	CHECK_EQ(t->batch.max, 3);
	CHECK_EQ(t->segments[UPCALLS_RECEIVE].max, 20);
	CHECK_EQ(t->segments[UPCALLS_DECIDE].max, 50);
	CHECK_EQ(t->segments[UPCALLS_INSTALL].max, 20);
	CHECK_EQ(t->segments[UPCALLS_TOTAL].max, 90);
	upcalls_deinit(&u);
}

TEST(upcalls_that_were_alone_on_their_way)
{
	struct upcalls u = { 0 };

	upcalls_raise(&u, 100);
	CHECK_EQ(upcalls_read(&u, 5, 130, true), 0);
	CHECK_EQ(u.threads.v[0].segments[UPCALLS_WAIT].max, 30);
	/* Of two nobody knows which one is read first, nor afterwards whether the other one was there first. */
	upcalls_raise(&u, 200);
	upcalls_raise(&u, 210);
	CHECK_EQ(upcalls_read(&u, 5, 220, true), 0);
	CHECK_EQ(upcalls_read(&u, 5, 230, true), 0);
	CHECK_EQ(u.on_their_way, 0);
	/* One that was lost is not waited for. */
	upcalls_raise(&u, 300);
	upcalls_lose(&u);
	upcalls_raise(&u, 400);
	CHECK_EQ(upcalls_read(&u, 5, 450, true), 0);
	CHECK_EQ(u.threads.v[0].segments[UPCALLS_WAIT].n, 2);
	CHECK_EQ(u.threads.v[0].segments[UPCALLS_WAIT].max, 50);
	/* That was raised before anybody looked. */
	CHECK_EQ(upcalls_read(&u, 5, 500, true), 0);
	CHECK_EQ(u.threads.v[0].segments[UPCALLS_WAIT].n, 2);
	upcalls_deinit(&u);
}

TEST(upcalls_of_which_nothing_is_told)
{
	struct upcalls u = { 0 };

	CHECK_EQ(upcalls_read(&u, 5, 1000, true), 0);
	CHECK_EQ(upcalls_read(&u, 5, 1010, false), 0);
	CHECK_EQ(upcalls_read(&u, 5, 2000, true), 0);
	upcalls_tell(&u, 5, 2010);
	CHECK_EQ(upcalls_told(&u, 5, 2020), 0);
	CHECK_EQ(u.untold, 1);
	CHECK_EQ(u.threads.v[0].segments[UPCALLS_TOTAL].max, 20);
	/* A loss: when the batch began, and how many there were, nobody knows. */
	CHECK_EQ(upcalls_read(&u, 5, 3000, true), 0);
	upcalls_break(&u);
	upcalls_tell(&u, 5, 3010);
	CHECK_EQ(upcalls_told(&u, 5, 3020), 0);
	CHECK_EQ(u.threads.v[0].segments[UPCALLS_TOTAL].n, 1);
	upcalls_forget(&u);
	CHECK_EQ(u.threads.v[0].upcalls, 0);
	upcalls_deinit(&u);
}
