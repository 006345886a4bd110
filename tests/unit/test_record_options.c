/* test_record_options.c - the options of `sonde record` as what is asked of the kernel. */
#include "t.h"

#include "arch/arch.h"
#include "cmd/record/want.h"

enum { USER = 1, KERNEL = 2, ANY = 8, ANY_CALL = 16, ANY_RET = 32 };

static struct sampling_want sampling(const char *a, const char *b)
{
	char text[3][40] = { "record" };
	char *argv[] = { text[0], text[1], text[2], NULL };
	struct record_want w = { 0 };
	struct err e = { 0 };

	snprintf(text[1], sizeof(text[1]), "%s", a);
	snprintf(text[2], sizeof(text[2]), "%s", b ? b : "");
	CHECK_EQ(opt_parse(record_opts, &w, b ? 3 : 2, argv, &e), b ? 3 : 2);
	CHECK_EQ(record_want_check(&w, &e), 0);
	return w.sampling;
}

TEST(record_kinds_of_branches_are_bits)
{
	CHECK_EQ(sampling("-b", NULL).branches, ANY);
	CHECK_EQ(sampling("-b", NULL).extra, PERF_SAMPLE_BRANCH_STACK);
	CHECK_EQ(sampling("--branch-any", NULL).branches, ANY);
	CHECK_EQ(sampling("-j", "any_call,any_ret,u").branches, ANY_CALL | ANY_RET | USER);
	/* Which branches was not said: any, on that side. */
	CHECK_EQ(sampling("--branch-filter", "u,k").branches, ANY | USER | KERNEL);
}

TEST(record_extra_values_are_bits)
{
	CHECK_EQ(sampling("--phys-data", NULL).extra, PERF_SAMPLE_PHYS_ADDR);
	CHECK_EQ(sampling("-W", NULL).extra, PERF_SAMPLE_WEIGHT);
	CHECK_EQ(sampling("-d", NULL).extra, PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC);
	CHECK_EQ(sampling("-d", NULL).track & PERF_ATTR_MMAP_DATA, PERF_ATTR_MMAP_DATA);
	CHECK_EQ(sampling("-g", NULL).track & (PERF_ATTR_MMAP_DATA | PERF_ATTR_BPF_EVENT), PERF_ATTR_BPF_EVENT);
}

TEST(record_stacks_have_a_size)
{
	CHECK_EQ(sampling("--call-graph", "dwarf").stack, 8192);
	CHECK_EQ(sampling("--call-graph", "dwarf").user_regs, arch_native()->user_regs_mask);
	CHECK_EQ(sampling("--call-graph", "dwarf,4096").stack, 4096);
	CHECK_EQ(sampling("--call-graph", "dwarf,4K,keep").stack, 4096);
	/* The kernel takes words. */
	CHECK_EQ(sampling("--call-graph", "dwarf,1001").stack, 1008);
	CHECK_EQ(sampling("--call-graph", "dwarf,65528").stack, 65528);
	CHECK_EQ(sampling("--call-graph", "fp,4096").stack, 0);
}

TEST(record_stacks_are_kept_when_asked_for)
{
	struct callgraph c;

	CHECK_EQ(callgraph_parse(&c, "dwarf,keep", NULL), 0);
	CHECK(c.on && c.keep && c.stack == 8192);
	CHECK_EQ(callgraph_parse(&c, "dwarf", NULL), 0);
	CHECK(c.on && !c.keep);
	CHECK_EQ(callgraph_parse(&c, "no", NULL), 0);
	CHECK(!c.on);
}

TEST(record_stacks_of_no_size_are_refused)
{
	static const char *const bad[] = { "dwarf,0", "dwarf,65529", "dwarf,x", "dwarf,", "dwarf,4096,kept", "dwarfs" };
	struct callgraph c;
	struct err e;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		CHECK_EQ(callgraph_parse(&c, bad[i], &e), -EINVAL);
		CHECK(e.text[0]);
	}
}
