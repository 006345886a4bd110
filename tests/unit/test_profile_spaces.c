/* test_profile_spaces.c - whose code the samples of a row are in. */
#include "analyse/hist.h"
#include "profile_env.h"

/* One row, whose parts are those of the four; what is in none of them is in the row alone. */
static void take_all(struct hist_row *row)
{
	struct hist_want hw = { .keys = HIST_COMM };
	struct calltree tree;
	struct hist_input in;
	struct hist h;

	for (unsigned i = 0; i < 2; i++) {
		take(0x1000, PERF_MISC_GUEST_USER, 1000);
		take(0x1000, PERF_MISC_KERNEL, 1);
		take(0x1000, PERF_MISC_USER, 10);
		take(0x1000, PERF_MISC_GUEST_KERNEL, 100);
		take(0x1000, PERF_MISC_HYPERVISOR, 10000);
		take(0x1000, 0, 100000);
		take(0x1000, 7, 1000000);
	}
	CHECK_EQ(profile_gather(&profile), 0);
	CHECK_EQ(profile_shot(&tree, &profile), 0);
	in = profile_input(&profile);
	in.tree = &tree;
	CHECK_EQ(hist_init(&h, &in, &hw), 0);
	CHECK_EQ(h.rows.n, 1);
	*row = h.rows.v[0];
	hist_deinit(&h);
	calltree_deinit(&tree);
}

TEST(profile_tells_whose_code_samples_are_in)
{
	struct hist_row row;

	begin(HIST_COMM | HIST_SPACE, 0);
	take_all(&row);
	CHECK_EQ(row.self, 2222222);
	CHECK_EQ(row.in_space[HIST_KERNEL], 2);
	CHECK_EQ(row.in_space[HIST_USER], 20);
	CHECK_EQ(row.in_space[HIST_GUEST_KERNEL], 200);
	CHECK_EQ(row.in_space[HIST_GUEST_USER], 2000);
	end_all();
}

TEST(profile_does_not_tell_samples_apart_by_space_unasked)
{
	struct hist_row row;

	begin(HIST_COMM, 0);
	take_all(&row);
	CHECK_EQ(row.self, 2222222);
	CHECK_EQ(profile.groups.n, 1);
	end_all();
}
