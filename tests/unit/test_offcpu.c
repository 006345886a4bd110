/* offcpu: switches by hand, and what they add up to. */
#include "record/offcpu.h"

#include "t.h"

static const uint64_t inner[] = { 0x1000, 0x2000 }, outer[] = { 0x1008, 0x2000, 0x3000 };

#define STACK(v) ((struct bytes){ (const uint8_t *)(v), sizeof(v) })

static void leaves(struct offcpu *o, uint32_t tid, uint64_t state, uint64_t time, struct bytes stack)
{
	struct offcpu_out w = { .pid = 7, .tid = tid, .state = state, .time = time, .stack = stack };

	CHECK_EQ(offcpu_leaves(o, &w), 0);
}

TEST(offcpu_adds_up_by_task_stack_and_state)
{
	struct offcpu o = { 0 };

	leaves(&o, 8, OFFCPU_SLEEPS, 100, STACK(inner));
	leaves(&o, 9, OFFCPU_SLEEPS, 110, STACK(inner));
	offcpu_returns(&o, 8, 150);
	offcpu_returns(&o, 9, 1110);
	leaves(&o, 8, OFFCPU_SLEEPS, 200, STACK(inner));
	offcpu_returns(&o, 8, 207);
	leaves(&o, 8, OFFCPU_BLOCKED, 300, STACK(inner));
	offcpu_returns(&o, 8, 301);
	leaves(&o, 8, OFFCPU_SLEEPS, 400, STACK(outer));
	offcpu_returns(&o, 8, 410);
	CHECK_EQ(o.rows.n, 4);
	CHECK_EQ(o.rows.v[0].ns, 57);
	CHECK_EQ(o.rows.v[0].times, 2);
	CHECK_EQ(o.rows.v[0].tid, 8);
	CHECK_EQ(o.rows.v[0].pid, 7);
	CHECK_EQ(o.rows.v[1].ns, 1000);
	CHECK_EQ(o.rows.v[1].tid, 9);
	CHECK_EQ(o.rows.v[2].ns, 1);
	CHECK_EQ(o.rows.v[2].state, OFFCPU_BLOCKED);
	CHECK_EQ(o.rows.v[3].ns, 10);
	CHECK_EQ(offcpu_stack(&o, &o.rows.v[3]).n, sizeof(outer));
	CHECK(!memcmp(offcpu_stack(&o, &o.rows.v[3]).p, outer, sizeof(outer)));
	CHECK_EQ(o.stacks.list.n, 2);
	offcpu_deinit(&o);
}

TEST(offcpu_is_not_what_did_not_wait_or_was_not_seen_to_leave)
{
	struct offcpu o = { 0 };

	leaves(&o, 8, 0, 100, STACK(inner));          /* preempted */
	leaves(&o, 8, 0x10, 100, STACK(inner));       /* ended */
	leaves(&o, 8, 0x80 | 2, 100, STACK(inner));   /* idle */
	offcpu_returns(&o, 8, 200);
	offcpu_returns(&o, 99, 200);
	CHECK_EQ(o.rows.n, 0);
	leaves(&o, 8, OFFCPU_SLEEPS, 300, (struct bytes){ NULL, 0 });
	offcpu_returns(&o, 8, 310);
	/* It runs; and a clock that goes back tells nothing. */
	offcpu_returns(&o, 8, 320);
	CHECK_EQ(o.rows.v[0].ns, 10);
	leaves(&o, 8, OFFCPU_SLEEPS, 400, (struct bytes){ NULL, 0 });
	offcpu_returns(&o, 8, 390);
	CHECK_EQ(o.rows.v[0].ns, 10);
	CHECK_EQ(o.rows.v[0].times, 2);
	CHECK_EQ(o.dropped, 0);
	offcpu_deinit(&o);
}

TEST(offcpu_counts_what_it_has_no_room_for)
{
	struct offcpu o = { 0 };
	uint64_t at[2] = { 0, 1 };

	for (uint64_t i = 0; i < OFFCPU_ROWS_MAX + 5; i++) {
		at[0] = i;
		leaves(&o, 8, OFFCPU_SLEEPS, 1 + i, STACK(at));
	}
	CHECK_EQ(o.rows.n, OFFCPU_ROWS_MAX);
	CHECK_EQ(o.dropped, 5);
	/* One that is there already still counts. */
	at[0] = 3;
	leaves(&o, 8, OFFCPU_SLEEPS, 1000000, STACK(at));
	offcpu_returns(&o, 8, 1000007);
	CHECK_EQ(o.rows.v[3].ns, 7);
	offcpu_deinit(&o);
}
