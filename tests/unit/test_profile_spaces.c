/* test_profile_spaces.c - whose code the samples of a row are in. */
#include "analyse/hist.h"
#include "report/profile_live.h"
#include "source/session.h"
#include "t.h"

static const struct source_kind no_kind;
static struct source no_source = { .kind = &no_kind };
static struct perf_head head;
static struct session session = { .head = &head, .source = &no_source, .arch = &arch_x86_64 };
static struct profile profile;

static void begin(unsigned keys)
{
	static const struct sym_want want = { .arch = &arch_x86_64 };
	static const struct filter_want none;
	struct profile_want pw = {
		.keys = keys, .chains = PROFILE_FLAT, .budget = { .jobs = 1, .memory = UINT64_C(64) << 20 },
	};

	session.resolver = resolver_new(&want, NULL);
	CHECK(vec_add(&head.events) != NULL);
	head.events.v[0].layout.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	CHECK_EQ(profile_begin(&profile, &session, &pw, &none, NULL), 0);
}

static void end_all(void)
{
	profile_deinit(&profile);
	resolver_free(session.resolver);
	vec_free(&head.events);
}

static void take(uint16_t cpumode, uint64_t period)
{
	struct sample s = { .ip = 0x1000, .time = 1, .period = period, .pid = 1, .tid = 1, .cpumode = cpumode };

	CHECK_EQ(profile_take(&profile, &head.events.v[0], &s), 0);
}

/* One row, whose parts are those of the four; what is in none of them is in the row alone. */
static void take_all(struct hist_row *row)
{
	struct hist_want hw = { .keys = HIST_COMM };
	struct calltree tree;
	struct hist_input in;
	struct hist h;

	for (unsigned i = 0; i < 2; i++) {
		take(PERF_MISC_GUEST_USER, 1000);
		take(PERF_MISC_KERNEL, 1);
		take(PERF_MISC_USER, 10);
		take(PERF_MISC_GUEST_KERNEL, 100);
		take(PERF_MISC_HYPERVISOR, 10000);
		take(0, 100000);
		take(7, 1000000);
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

	begin(HIST_COMM | HIST_SPACE);
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

	begin(HIST_COMM);
	take_all(&row);
	CHECK_EQ(row.self, 2222222);
	CHECK_EQ(profile.groups.n, 1);
	end_all();
}
