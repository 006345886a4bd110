/* test_prof_calls.c - entries and returns as calls within one another. */
#include "prof/calls.h"
#include "t.h"

enum { A, B, C };

static void enter(struct calls *c, uint32_t function, uint64_t key, uint64_t time)
{
	struct hit h = { .time = time, .cpu = (uint32_t)key };

	CHECK(!calls_enter(c, &(struct calls_event){ .hit = &h, .function = function, .key = key }));
}

/* How long it took; UINT64_MAX: none ended. */
static uint64_t leave(struct calls *c, uint32_t function, uint64_t key, uint64_t time)
{
	struct hit h = { .time = time, .cpu = (uint32_t)key };
	struct stages_pair p;
	int r = calls_leave(c, &(struct calls_event){ .hit = &h, .function = function, .key = key }, &p);

	CHECK(r >= 0);
	return r ? p.to - p.from : UINT64_MAX;
}

static const char *name(void *arg UNUSED, uint32_t function)
{
	return function == A ? "a" : function == B ? "b" : "c";
}

/* Its rows as CSV, with CHECK_STR. */
static void shows(const struct calls *c, const char *want)
{
	static const struct table_col cols[] = { { "call", NULL, TABLE_LEFT, 0 }, { "R", NULL, TABLE_LEFT, 0 },
						 { "calls", NULL, TABLE_RIGHT, 0 } };
	const struct table_want form = { .form = TABLE_CSV, .head = TABLE_NO_HEAD };
	const struct calls_show how = { .name = name, .flat = true };
	struct table *t = table_new(cols, ARRAY_SIZE(cols));
	struct mem_out m;

	mem_out_init(&m);
	CHECK(t && !calls_put(c, &how, t) && !table_print(t, &form, &m.out));
	CHECK_STR(mem_out_str(&m), want);
	mem_out_deinit(&m);
	table_free(t);
}

TEST(prof_calls_lie_within_their_callers)
{
	struct calls c;

	CHECK(!calls_init(&c));
	enter(&c, A, 1, 100);
	enter(&c, B, 1, 110);
	enter(&c, A, 2, 115);
	enter(&c, C, 1, 120);
	CHECK_EQ(leave(&c, C, 1, 130), 10);
	CHECK_EQ(leave(&c, B, 1, 150), 40);
	CHECK_EQ(leave(&c, A, 1, 200), 100);
	CHECK_EQ(leave(&c, A, 2, 116), 1);
	CHECK_EQ(c.n_open, 0);
	shows(&c, "a,,2\na;b,,1\na;b;c,,1\n");
	/* 61 of both a, 30 of b, 10 of c. */
	CHECK_EQ(c.tree.nodes.v[1].self, 61);
	CHECK_EQ(c.tree.nodes.v[2].self, 30);
	CHECK_EQ(c.tree.nodes.v[3].self, 10);
	calls_deinit(&c);
}

TEST(prof_calls_of_the_same_function_are_recursive)
{
	struct calls c;

	CHECK(!calls_init(&c));
	enter(&c, A, 1, 100);
	enter(&c, A, 1, 110);
	CHECK_EQ(leave(&c, A, 1, 120), 10);
	CHECK_EQ(leave(&c, A, 1, 130), 30);
	CHECK_EQ(leave(&c, A, 1, 140), UINT64_MAX);
	CHECK_EQ(c.stats.unstarted, 1);
	shows(&c, "a,,1\na;a,R,1\n");
	calls_deinit(&c);
}

TEST(prof_calls_that_never_return_end_with_their_callers)
{
	struct calls c;

	CHECK(!calls_init(&c));
	enter(&c, A, 1, 100);
	enter(&c, B, 1, 110);
	enter(&c, C, 1, 120);
	CHECK_EQ(leave(&c, A, 1, 130), 30);
	CHECK_EQ(c.stats.replaced, 2);
	CHECK_EQ(c.n_open, 0);
	shows(&c, "a,,1\n");
	calls_deinit(&c);
}

TEST(prof_calls_across_a_loss_are_left_out_and_counted)
{
	struct calls c;

	CHECK(!calls_init(&c));
	enter(&c, A, 1, 100);
	enter(&c, B, 1, 110);
	CHECK(!calls_lose(&c, 1));
	CHECK_EQ(leave(&c, B, 1, 120), UINT64_MAX);
	/* Whether it is still within a is not known. */
	enter(&c, C, 1, 130);
	CHECK_EQ(leave(&c, C, 1, 140), 10);
	CHECK_EQ(leave(&c, A, 1, 150), UINT64_MAX);
	CHECK_EQ(c.stats.discarded, 2);
	CHECK_EQ(c.stats.unstarted, 1);
	shows(&c, "c,,1\n");
	calls_deinit(&c);
}

TEST(prof_calls_are_bounded)
{
	struct calls c;

	CHECK(!calls_init(&c));
	for (unsigned i = 0; i < 2 * CALLS_DEEP; i++)
		enter(&c, i % 3, 1, 100 + i);
	CHECK_EQ(c.n_open, CALLS_DEEP);
	CHECK_EQ(c.stats.dropped, CALLS_DEEP);
	CHECK_EQ(c.tree.nodes.n, CALLS_DEEP + 1);
	calls_clear(&c);
	shows(&c, "");
	calls_deinit(&c);
}
