/* test_works.c - interrupts and work items, from raise to entry to exit. */
#include "analyse/works.h"
#include "t.h"

static struct work *work(struct works *w, uint64_t id, uint32_t cpu)
{
	struct work_key key = { .id = id, .cpu = cpu, .class = WORK_SOFTIRQ };
	uint32_t i;

	CHECK_EQ(works_add(w, &key, &i), 0);
	return &w->v.v[i];
}

TEST(works_are_told_apart_by_cpu)
{
	struct works w = { 0 };
	struct work_key key = { .id = 3, .cpu = 2, .class = WORK_SOFTIRQ };
	uint32_t i;

	work(&w, 1, 0);
	work(&w, 1, 1);
	work(&w, 1, 0);
	CHECK_EQ(w.v.n, 2);
	CHECK_EQ(works_find(&w, &key, &i), 1);
	works_deinit(&w);
}

TEST(works_that_are_raised_again_wait_from_then_on)
{
	struct works w = { 0 };
	struct work *of = work(&w, 1, 0);
	uint64_t skipped[WORK_STEPS];
	struct work_atom was;

	works_push(&w, of, WORK_RAISE, 100);
	works_push(&w, of, WORK_RAISE, 200);
	CHECK(works_pop(of, WORK_RAISE, WORK_ENTRY, &was));
	CHECK_EQ(was.time, 200);
	CHECK(!works_pop(of, WORK_RAISE, WORK_ENTRY, &was));
	works_push(&w, of, WORK_RAISE, 300);
	works_skipped(&w, skipped);
	/* One that another took the place of, one that nothing came of; an entry of none. */
	CHECK_EQ(skipped[WORK_RAISE], 2);
	CHECK_EQ(skipped[WORK_ENTRY], 1);
	CHECK_EQ(skipped[WORK_EXIT], 0);
	works_deinit(&w);
}

TEST(works_remember_the_longest)
{
	struct works w = { 0 };
	struct work *of = work(&w, 1, 0);

	works_count(of, 100, 150);
	works_count(of, 200, 290);
	works_count(of, 300, 310);
	/* Not seen to begin, or to end before that. */
	works_count(of, 0, 1000);
	works_count(of, 400, 300);
	CHECK_EQ(of->n, 3);
	CHECK_EQ(of->total, 150);
	CHECK_EQ(of->max, 90);
	CHECK_EQ(of->max_from, 200);
	CHECK_EQ(of->max_to, 290);
	works_forget(&w);
	CHECK_EQ(of->n + of->total + of->max, 0);
	works_deinit(&w);
}

TEST(works_across_a_loss_are_left_out)
{
	struct works w = { 0 };
	struct work_atom was;

	works_push(&w, work(&w, 1, 0), WORK_ENTRY, 100);
	works_push(&w, work(&w, 1, 1), WORK_ENTRY, 100);
	works_lose(&w, 1);
	CHECK_EQ(w.discarded, 1);
	CHECK(works_pop(work(&w, 1, 0), WORK_ENTRY, WORK_EXIT, &was));
	CHECK(!works_pop(work(&w, 1, 1), WORK_ENTRY, WORK_EXIT, &was));
	works_deinit(&w);
}
