/* test_schedstat.c - copies of /proc/schedstat of each version, and texts that are none. */
#include "analyse/schedstat.h"
#include "t.h"

static int next(struct schedstat *s, const char *text)
{
	struct sv rest = sv_from(text);
	struct err e = { 0 };

	return schedstat_next(s, &rest, &e);
}

#define CPU0 "cpu0 1 0 30 15 20 5 1000 250 40\n"
#define REST " 100 101 102 103 104 105 106 107 108 109 110 111\n"
#define OLD " 1 2 3 4 5 6 7 8 11 12 13 14 15 16 17 18 21 22 23 24 25 26 27 28" REST
#define NEW " 1 2 3 4 5 6 7 8 9 10 11 21 22 23 24 25 26 27 28 29 30 31 41 42 43 44 45 46 47 48 49 50 51" REST

enum { BUSY, IDLE = SCHEDSTAT_WAY, NEWIDLE = 2 * SCHEDSTAT_WAY, AFTER = 3 * SCHEDSTAT_WAY };
enum { COUNT, IMBALANCE = 3, GAINED = 7, NO_GROUP = 10 };

TEST(schedstat_versions_have_their_order)
{
	struct schedstat s = { 0 };
	const uint64_t *n;

	CHECK_EQ(next(&s, "version 15\ntimestamp 77\n" CPU0 "domain0 ff" OLD), 1);
	CHECK_EQ(s.jiffies, 77);
	CHECK_EQ(s.rows.n, 2);
	CHECK_EQ(s.rows.v[0].n[2], 30);
	CHECK_EQ(s.rows.v[0].n[8], 40);
	n = s.rows.v[1].n;
	CHECK_EQ(n[IDLE + COUNT], 1);
	CHECK_EQ(n[IDLE + IMBALANCE], 4);
	CHECK_EQ(n[IDLE + GAINED], 5);
	CHECK_EQ(n[BUSY + NO_GROUP], 18);
	CHECK_EQ(n[NEWIDLE + COUNT], 21);
	CHECK_EQ(n[AFTER], 100);
	CHECK_EQ(next(&s, "version 16\ntimestamp 77\n" CPU0 "domain0 ff,ffffffff" OLD), 1);
	n = s.rows.v[1].n;
	CHECK_EQ(n[BUSY + COUNT], 1);
	CHECK_EQ(n[IDLE + NO_GROUP], 18);
	CHECK_EQ(n[AFTER + 11], 111);
	CHECK_EQ(next(&s, "version 17\ntimestamp 77\n" CPU0 "domain0 MC ff" NEW), 1);
	n = s.rows.v[1].n;
	CHECK_EQ(n[BUSY + IMBALANCE + 3], 7);
	CHECK_EQ(n[IDLE + GAINED], 28);
	CHECK_EQ(n[NEWIDLE + NO_GROUP], 51);
	CHECK_EQ(n[AFTER + 9], 109);
	CHECK_STR(s.rows.v[1].name, "MC");
	CHECK_EQ(s.rows.v[1].cpu, 0);
	schedstat_deinit(&s);
}

TEST(schedstat_copies_stand_one_behind_the_other)
{
	static const char text[] = "version 17\ntimestamp 10\ncpu3 4294967295 0 30 15 20 5 1000 250 40\n"
				   "version 17\ntimestamp 16\ncpu3 1 0 31 15 20 5 1500 4294968000 40\n";
	struct sv rest = sv_from(text);
	struct schedstat a = { 0 }, b = { 0 };
	struct err e = { 0 };

	CHECK_EQ(schedstat_next(&a, &rest, &e), 1);
	CHECK_EQ(schedstat_next(&b, &rest, &e), 1);
	CHECK_EQ(schedstat_since(&b, &a, &e), 0);
	CHECK_EQ(b.jiffies, 6);
	/* Of 32 bits, but for times. */
	CHECK_EQ(b.rows.v[0].n[0], 2);
	CHECK_EQ(b.rows.v[0].n[2], 1);
	CHECK_EQ(b.rows.v[0].n[6], 500);
	CHECK_EQ(b.rows.v[0].n[7], 4294967750);
	CHECK_EQ(schedstat_next(&b, &rest, &e), 0);
	CHECK_EQ(b.rows.n, 1);
	a.rows.v[0].cpu = 4;
	CHECK_EQ(schedstat_since(&b, &a, &e), -EINVAL);
	schedstat_deinit(&a);
	schedstat_deinit(&b);
}

TEST(schedstat_refuses_what_it_does_not_know)
{
	static const char *const bad[] = {
		"version 17\n", "version\n", "version 17\ntimestamp x\n" CPU0, "cpu0 1 2\n", "version 17 x\ncpux 1\n",
		"version 17\ncpu0 1 0 30 15 20 5 1000 250\n", "version 17\ncpu0 1 0 30 15 20 5 1000 250 40 41\n",
		"version 17\ncpu0 1 0 30 15 20 5 1000 250 -4\n", "version 17\ndomain0 MC ff" NEW,
		"version 17\n" CPU0 "domain0 ff" OLD, "version 16\n" CPU0 "domain0 MC ff" OLD,
		"version 17\n" CPU0 "irq 3\n",
		"version 17\n" CPU0 "domain0 MC\n", "version 17\ncpu4294967295 1 0 30 15 20 5 1000 250 40\n",
	};
	struct schedstat s = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK_EQ(next(&s, bad[i]), -EBADMSG);
	CHECK_EQ(next(&s, "version 14\n" CPU0), -EOPNOTSUPP);
	CHECK_EQ(next(&s, "version 18\n" CPU0), -EOPNOTSUPP);
	CHECK_EQ(next(&s, "\n\n"), 0);
	schedstat_deinit(&s);
}

/* Cut anywhere it is an error or a shorter text, and no byte behind it is read (the sanitizers see that). */
TEST(schedstat_cut_anywhere)
{
	static const char text[] = "version 17\ntimestamp 77\n" CPU0 "domain0 MC ff" NEW
				   "cpu1 1 0 30 15 20 5 1000 250 40\n";
	struct schedstat s = { 0 };
	unsigned good = 0;

	for (size_t n = 0; n < sizeof(text); n++) {
		char *piece = malloc(n + 1);
		struct sv rest = { piece, n };
		struct err e = { 0 };
		int r;

		memcpy(piece, text, n);
		r = schedstat_next(&s, &rest, &e);
		CHECK(r <= 1);
		good += r == 1;
		free(piece);
	}
	CHECK(good > 2 && good < 12);
	schedstat_deinit(&s);
}
