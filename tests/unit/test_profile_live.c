/* test_profile_live.c - an hour of samples of a machine on which programs come and go: memory stays as it was. */
#include "profile_env.h"

#include <stdio.h>

enum { SHOTS = 600, EACH = 5000, WARM = 100, FUNCTIONS = 30000 };

static size_t resident_kib(void)
{
	unsigned long all, resident = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	CHECK(f && fscanf(f, "%lu %lu", &all, &resident) == 2);
	fclose(f);
	return resident * 4;
}

static uint32_t next(void)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return state >> 8;
}

/* A process that maps a few of some hundred files, runs for a moment, and ends; its number comes again one day. */
static void come_and_go(struct resolver *r, uint32_t shot)
{
	uint32_t pid = 1000 + shot * 7 % 4000;
	char name[40];

	CHECK_EQ(resolver_fork(r, pid, 1, pid, 1), 0);
	snprintf(name, sizeof(name), "job%u", shot % 50);
	CHECK_EQ(resolver_comm(r, pid, pid, name, true), 0);
	for (uint32_t i = 0; i < 4; i++) {
		struct sym_map m = { .pid = pid, .start = 0x10000000 * (i + 1), .len = 0x1000000, .name = name };

		snprintf(name, sizeof(name), "/lib/l%u.so", (shot + i * 31) % 300);
		CHECK_EQ(resolver_mmap(r, &m), 0);
	}
	for (uint32_t i = 0; i < EACH; i++) {
		bool kernel = next() % 3 == 0;
		struct sample s = {
			.ip = kernel ? 0xffffffff81000000 + next() % FUNCTIONS * 16 :
			      0x10000000 * (1 + next() % 4) + next() % FUNCTIONS * 8,
			.time = 1 + shot * UINT64_C(2000000000) + i, .period = 250000, .pid = pid, .tid = pid,
			.cpumode = kernel ? PERF_MISC_KERNEL : PERF_MISC_USER,
		};

		CHECK_EQ(profile_take(&profile, &head.events.v[0], &s), 0);
	}
	CHECK_EQ(resolver_exit(r, pid, pid), 0);
}

static void shoot(void)
{
	struct calltree tree;

	CHECK(profile_age(&profile, 7) >= 0);
	CHECK_EQ(profile_gather(&profile), 0);
	CHECK_EQ(profile_shot(&tree, &profile), 0);
	calltree_deinit(&tree);
}

/* The lightest is less than a millionth of all: the others are all there is, and their shares add up. */
TEST(what_is_too_light_to_be_seen_goes_from_a_profile_that_goes_on)
{
	uint64_t sum = 0;

	begin(HIST_COMM, HIST_DSO | HIST_SYM);
	take(0x1000, PERF_MISC_USER, 3000000);
	take(0x2000, PERF_MISC_USER, 1000000);
	take(0x3000, PERF_MISC_USER, 2);
	take(0x4000, PERF_MISC_USER, 400);
	CHECK_EQ(profile_gather(&profile), 0);
	CHECK_EQ(profile.tree.nodes.n, 6);
	shoot();
	CHECK_EQ(profile.tree.nodes.n, 5);
	for (size_t i = 0; i < profile.tree.nodes.n; i++)
		sum += profile.tree.nodes.v[i].self;
	CHECK_EQ(sum, 3000000 / 8 * 7 + 1000000 / 8 * 7 + 350);
	CHECK_EQ(profile.events.v[0].weight, sum);
	end_all();
}

/* More than are on their way at once: of what came since the last time all counts, wherever it is. */
TEST(only_what_was_gathered_before_loses_weight)
{
	enum { MANY = 100000 };

	begin(HIST_COMM, HIST_DSO | HIST_SYM);
	take(0x1000, PERF_MISC_USER, 8000);
	CHECK_EQ(profile_gather(&profile), 0);
	for (uint32_t i = 0; i < MANY; i++)
		take(0x1000, PERF_MISC_USER, 8);
	shoot();
	CHECK_EQ(profile.tree.nodes.n, 3);
	CHECK_EQ(profile.tree.nodes.v[2].self, 7000 + 8 * MANY);
	CHECK_EQ(profile.tree.nodes.v[2].samples, 1 + MANY);
	CHECK_EQ(profile.events.v[0].weight, 7000 + 8 * MANY);
	end_all();
}

/* So many addresses that branches are folded meanwhile: rows and their sum lose weight together, or not at all. */
TEST(what_was_folded_since_has_the_weight_of_all)
{
	enum { MANY = 20000 };
	uint64_t sum = 0;

	begin(HIST_COMM, HIST_SYM);
	for (uint32_t i = 0; i < 500; i++)
		take(0x1000 + 16 * i, PERF_MISC_USER, 8);
	take(0x80000, PERF_MISC_USER, 80000);
	CHECK_EQ(profile_gather(&profile), 0);
	profile.most_nodes = 1000;
	for (uint32_t i = 0; i < MANY; i++)
		take(0x100000 + 16 * i, PERF_MISC_USER, 8);
	CHECK(profile.folded.branches > 0);
	CHECK(profile_age(&profile, 7) >= 0);
	CHECK_EQ(profile_gather(&profile), 0);
	for (size_t i = 0; i < profile.tree.nodes.n; i++) {
		CHECK(profile.tree.nodes.v[i].self <= profile.events.v[0].weight);
		sum += profile.tree.nodes.v[i].self;
	}
	for (size_t i = 0; i < profile.folded.rows.n; i++)
		sum += profile.folded.rows.v[i].self;
	CHECK_EQ(sum, profile.events.v[0].weight);
	end_all();
}

TEST(a_profile_that_goes_on_takes_no_more_memory_with_time)
{
	size_t warm = 0, end;

	begin(HIST_COMM, HIST_DSO | HIST_SYM);
	for (uint32_t shot = 0; shot < SHOTS / (t_sparse() > 1 ? 4 : 1); shot++) {
		come_and_go(session.resolver, shot);
		shoot();
		if (shot == WARM)
			warm = resident_kib();
	}
	end = resident_kib();
#ifdef __SANITIZE_ADDRESS__
	/* What is freed is kept there for a while, to be found when it is used. */
	warm = end;
#endif
	CHECK_SAY(end < warm + 4096, "%zu KiB after %d screens, %zu in the end", warm, WARM, end);
	CHECK(profile.tree.nodes.n <= PROFILE_LIVE_NODES && profile.frames.v.n <= PROFILE_LIVE_FRAMES + EACH);
	end_all();
}
