/* The words of sqlhist, as its manual page has them. */
#include "t.h"
#include "tracefs/hsql.h"

static struct hsql of(const char *text)
{
	struct hsql q;
	struct err e = { 0 };

	CHECK_EQ(hsql_parse(&q, guard_dup(text, strlen(text) + 1), &e), 0);
	CHECK_STR(e.text, "");
	return q;
}

TEST(hsql_join_of_two_events)
{
	struct hsql q = of("SELECT end.next_comm AS comm, (end.TIMESTAMP_USECS - start.TIMESTAMP_USECS) AS lat "
			   "FROM sched.sched_waking AS start JOIN sched_switch AS end ON start.pid = end.next_pid "
			   "WHERE start.prio < 100 && end.prev_prio >= 50 and start.target_cpu == 1");

	CHECK_STR(q.from, "sched:sched_waking");
	CHECK_STR(q.to, "sched_switch");
	CHECK_STR(q.key, "pid");
	CHECK_STR(q.to_key, "next_pid");
	CHECK_EQ(q.n_keys, 1);
	CHECK_STR(q.keys[0], "next_comm");
	CHECK_STR(q.from_if, "prio < 100 && target_cpu == 1");
	CHECK_STR(q.to_if, "prev_prio >= 50");
	CHECK(!q.ns);
	q = of("select TIMESTAMP_DELTA as d from irq_disable a join irq_enable b on b.common_pid = a.common_pid");
	CHECK(q.ns);
	CHECK_STR(q.to_key, "common_pid");
}

TEST(hsql_one_event)
{
	struct hsql q = of("select CAST(common_pid as execname), cast(id as SYM-offset), cast(x as counter), y "
			   "from sys_enter where id == 173");

	CHECK_STR(q.from, "sys_enter");
	CHECK_STR(q.to, "");
	CHECK_EQ(q.n_keys, 3);
	CHECK_STR(q.keys[0], "common_pid.execname");
	CHECK_STR(q.keys[2], "y");
	CHECK_EQ(q.n_vals, 1);
	CHECK_STR(q.vals[0], "x");
	CHECK_STR(q.from_if, "id == 173");
}

TEST(hsql_mistakes_are_marked)
{
	static const char *const bad[][2] = {
		{ "selec x from y", "'select' is missing\n  selec x from y\n  ^" },
		{ "select x y", "'from' is missing\n  select x y\n            ^" },
		{ "select x from y join z as b",
		  "'on' is missing\n  select x from y join z as b\n                             ^" },
		{ "select b.x from y as a join z as b on a.k = b.k",
		  "a join measures a time: (B.TIMESTAMP_USECS - A.TIMESTAMP_USECS)\n"
		  "  select b.x from y as a join z as b on a.k = b.k\n             ^" },
		{ "select a.x, TIMESTAMP_DELTA from y as a join z as b on a.k = b.k",
		  "only fields of the event that is joined can be shown\n"
		  "  select a.x, TIMESTAMP_DELTA from y as a join z as b on a.k = b.k\n           ^" },
		{ "select x from y where",
		  "a condition is missing\n  select x from y where\n                       ^" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct hsql q;
		struct err e = { 0 };

		CHECK_EQ(hsql_parse(&q, guard_dup(bad[i][0], strlen(bad[i][0]) + 1), &e), -EINVAL);
		CHECK_STR(e.text, bad[i][1]);
	}
}
