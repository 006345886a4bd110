/* The words of sqlhist, as its manual page has them. */
#include "t.h"
#include "tracefs/grammar/hsql.h"

static struct hsql_hist hist;

/* Parsed, and as a histogram. */
static struct hsql of(const char *text)
{
	struct hsql q;
	struct err e = { 0 };

	CHECK_EQ(hsql_parse(&q, guard_dup(text, strlen(text) + 1), &e), 0);
	CHECK_EQ(hsql_hist(&q, &hist, &e), 0);
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
	CHECK_STR(q.match[0].from.name, "pid");
	CHECK_STR(q.match[0].to.name, "next_pid");
	CHECK_EQ(hist.n_keys, 1);
	CHECK_STR(hist.keys[0], "next_comm");
	CHECK_STR(q.from_if, "prio < 100 && target_cpu == 1");
	CHECK_STR(q.to_if, "prev_prio >= 50");
	CHECK(!hist.ns);
	q = of("select TIMESTAMP_DELTA as d from irq_disable a join irq_enable b on b.common_pid = a.common_pid");
	CHECK(hist.ns);
	CHECK_STR(q.match[0].to.name, "common_pid");
}

TEST(hsql_one_event)
{
	struct hsql q = of("select CAST(common_pid as execname), cast(id as SYM-offset), cast(x as counter), y "
			   "from sys_enter where id == 173");

	CHECK_STR(q.from, "sys_enter");
	CHECK_STR(q.to, "");
	CHECK_EQ(hist.n_keys, 3);
	CHECK_STR(hist.keys[0], "common_pid.execname");
	CHECK_STR(hist.keys[2], "y");
	CHECK_EQ(hist.n_vals, 1);
	CHECK_STR(hist.vals[0], "x");
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

		int r = hsql_parse(&q, guard_dup(bad[i][0], strlen(bad[i][0]) + 1), &e);

		CHECK_EQ(r ? r : hsql_hist(&q, &hist, &e), -EINVAL);
		CHECK_STR(e.text, bad[i][1]);
	}
}

TEST(hsql_items_of_both_events)
{
	struct hsql q;
	struct err e = { 0 };

	CHECK_EQ(hsql_parse(&q,
			    "select s.pid AS this_pid, (b.TIMESTAMP - s.TIMESTAMP) lat, b.x + s.y as sum, "
			    "s.STACKTRACE, cast(a.c as LOG), s.\\from from a.c as s join sys.b on s.k = b.l, "
			    "sys.b.m = s.n "
			    "where (b.x == 1 && b.y & 2) || b.z < 3 && s.pid != 7",
			    &e),
		 0);
	CHECK_STR(e.text, "");
	CHECK_EQ(q.n_items, 6);
	CHECK_STR(q.items[0].as, "this_pid");
	CHECK_EQ(q.items[0].x.side, HSQL_FROM);
	CHECK_STR(q.items[1].as, "lat");
	CHECK(q.items[1].op == '-' && q.items[1].x.kind == HSQL_NS && q.items[1].y.side == HSQL_FROM);
	CHECK(q.items[2].op == '+' && q.items[2].x.side == HSQL_TO);
	CHECK_STR(q.items[2].y.name, "y");
	CHECK_EQ(q.items[3].x.kind, HSQL_STACK);
	CHECK_STR(q.items[4].mod, "log2");
	CHECK_STR(q.items[5].x.name, "from");
	CHECK_EQ(q.n_matches, 2);
	CHECK_STR(q.match[1].from.name, "n");
	CHECK_STR(q.to_if, "(x == 1 && y & 2) || z < 3");
	CHECK_STR(q.from_if, "pid != 7");
}
