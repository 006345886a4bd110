/* test_derived.c - ratios and rates as perf stat shows them for the same counts. */
#include "abi/perf_event.h"
#include "analyse/derived.h"
#include "t.h"

#define C(r, v) { .role = (r), .counted = true, .value = (v) }

/* "value suffix unit" of the k-th value beside all[i], as text prints it. */
static const char *shown(const struct derived_count *all, size_t n, size_t i, unsigned k, const struct arch *arch)
{
	static char text[128];
	struct derived d[DERIVED_MAX];
	unsigned got = derived_of(all, n, i, 2e9, arch, d);

	if (k >= got)
		return "none";
	snprintf(text, sizeof(text), "%.*f%s %s", d[k].prec, d[k].value, d[k].suffix, d[k].unit);
	return text;
}

TEST(derived_default_set)
{
	const struct derived_count all[] = {
		C(DERIVED_CLOCK, 1e9), C(DERIVED_OTHER, 1500), C(DERIVED_OTHER, 2500000), C(DERIVED_CYCLES, 3e9),
		C(DERIVED_INSTRUCTIONS, 4.5e9), C(DERIVED_BRANCHES, 2e9), C(DERIVED_BRANCH_MISSES, 5e7),
	};
	static const char *const want[] = {
		"0.500 CPUs utilized", "1.500 K/sec", "2.500 M/sec", "3.000 GHz", "1.50  insn per cycle", "2.000 G/sec",
		"2.50% of all branches",
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		CHECK_STR(shown(all, ARRAY_SIZE(all), i, 0, NULL), want[i]);
}

TEST(derived_stalls_per_instruction_is_a_second_value)
{
	const struct derived_count all[] = {
		C(DERIVED_CYCLES, 100), C(DERIVED_INSTRUCTIONS, 50), C(DERIVED_STALL_FRONT, 10),
			C(DERIVED_STALL_BACK, 25),
	};

	CHECK_STR(shown(all, 4, 1, 0, NULL), "0.50  insn per cycle");
	CHECK_STR(shown(all, 4, 1, 1, NULL), "0.50  stalled cycles per insn");
	CHECK_STR(shown(all, 4, 2, 0, NULL), "10.00% frontend cycles idle");
	CHECK_STR(shown(all, 4, 3, 0, NULL), "25.00% backend cycles idle");
}

TEST(derived_nothing_without_a_partner)
{
	const struct derived_count alone[] = { C(DERIVED_CYCLES, 100) }, other[] = { C(DERIVED_OTHER, 7) };

	CHECK_STR(shown(alone, 1, 0, 0, NULL), "none");
	CHECK_STR(shown(other, 1, 0, 0, NULL), "none");
}

TEST(derived_nothing_from_what_was_not_counted)
{
	struct derived_count all[] = { C(DERIVED_CYCLES, 100), C(DERIVED_INSTRUCTIONS, 50) };

	all[0].counted = false;
	CHECK_STR(shown(all, 2, 1, 0, NULL), "none");
	CHECK_STR(shown(all, 2, 0, 0, NULL), "none");
}

TEST(derived_keeps_modifiers_and_core_types_apart)
{
	struct derived_count all[] = {
		C(DERIVED_CYCLES, 100), C(DERIVED_INSTRUCTIONS, 50), C(DERIVED_CYCLES, 1000), C(DERIVED_CYCLES, 10),
	};

	all[0].context = 1;    /* cycles:u */
	all[2].pmu = 9;        /* another core type */
	CHECK_STR(shown(all, 4, 1, 0, NULL), "5.00  insn per cycle");
	all[1].pmu = 9;
	CHECK_STR(shown(all, 4, 1, 0, NULL), "0.05  insn per cycle");
}

TEST(derived_prefers_the_own_group)
{
	struct derived_count all[] = { C(DERIVED_CYCLES, 100), C(DERIVED_CYCLES, 200), C(DERIVED_INSTRUCTIONS, 100) };

	all[1].group = all[2].group = 1;
	CHECK_STR(shown(all, 3, 2, 0, NULL), "0.50  insn per cycle");
}

TEST(derived_cache_misses_are_l1d_on_arm64)
{
	const struct derived_count all[] = { C(DERIVED_CACHE_REFS, 200), C(DERIVED_CACHE_MISSES, 10) };

	CHECK_STR(shown(all, 2, 1, 0, &arch_aarch64), "5.00% of all L1D accesses");
	CHECK_STR(shown(all, 2, 1, 0, &arch_x86_64), "5.00% of all cache refs");
}

TEST(derived_roles_of_attributes)
{
	CHECK_EQ(derived_role(PERF_HARDWARE, PERF_HW_CYCLES), DERIVED_CYCLES);
	CHECK_EQ(derived_role(PERF_HARDWARE, (8ull << 32) | PERF_HW_INSTRUCTIONS), DERIVED_INSTRUCTIONS);
	CHECK_EQ(derived_role(PERF_SOFTWARE, PERF_SW_TASK_CLOCK), DERIVED_CLOCK);
	CHECK_EQ(derived_role(PERF_SOFTWARE, PERF_SW_PAGE_FAULTS), DERIVED_OTHER);
	CHECK_EQ(derived_role(PERF_HW_CACHE, 0x10002), DERIVED_LL_MISSES);
	CHECK_EQ(derived_role(PERF_HW_CACHE, 0x00000), DERIVED_L1D);
	CHECK_EQ(derived_role(PERF_HW_CACHE, 0x00100), DERIVED_OTHER);   /* a store */
	CHECK_EQ(derived_role(PERF_HW_CACHE, 0x20003), DERIVED_OTHER);
	CHECK_EQ(derived_role(PERF_RAW, 0x11), DERIVED_OTHER);
}
