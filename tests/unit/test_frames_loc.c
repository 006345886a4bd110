/* source/frames: which function an address of a chain is in. */
#include "source/frames.h"
#include "file2_build.h"

#include "abi/perf_event.h"
#include "arch/arch.h"

/* Where ip is told to be, in a file mapped at 0xaaaa0000 that has two functions, one behind the other. */
static const char *told_at(uint64_t ip, bool returns, unsigned *behind)
{
	static const struct sym_map map = { .pid = 7, .start = 0xaaaa0000, .len = 0x1000, .name = "/bin/p" };
	struct told_made m = { 0 };
	struct sym_want want = { .arch = &arch_aarch64 };
	struct chain_frame at = { ip, PERF_MISC_USER, returns };
	struct resolver_spaces in;
	struct frames f = { .arch = &arch_aarch64 };
	static char name[16];
	const struct sym_loc *l;

	TOLD(&m, "/bin/p", FILE2_ELF, 0, 0, { 0x400, 0x20, "stops" }, { 0x420, 0x1c, "next" });
	want.file2 = told_section(&m);
	f.resolver = resolver_new(&want, NULL);
	resolver_mmap(f.resolver, &map);
	in = resolver_spaces(f.resolver, 7, 0);
	l = frames_loc(&f, &in, &at, behind);
	snprintf(name, sizeof(name), "%s", l && l->sym ? l->sym : "-");
	resolver_free(f.resolver);
	pb_deinit(&m.section);
	return name;
}

/* abort() is often the last thing that a function calls: what it would return to is no part of it. */
TEST(frames_a_call_at_the_end_of_a_function_belongs_to_it)
{
	unsigned behind;

	CHECK_STR(told_at(0xaaaa0420, true, &behind), "stops");
	CHECK_EQ(behind, 1);
	CHECK_STR(told_at(0xaaaa0420, false, &behind), "next");
	CHECK_EQ(behind, 0);
	CHECK_STR(told_at(0xaaaa0424, true, &behind), "next");
	CHECK_EQ(behind, 0);
	CHECK_STR(told_at(0xaaaa0400, true, &behind), "stops");
	CHECK_EQ(behind, 0);
	/* What stands behind it is no function. */
	CHECK_STR(told_at(0xaaaa043c, true, &behind), "next");
	CHECK_EQ(behind, 1);
	CHECK_STR(told_at(0xaaaa043c, false, &behind), "-");
	CHECK_EQ(behind, 0);
	CHECK_STR(told_at(0xaaaa0440, true, &behind), "-");
	CHECK_EQ(behind, 0);
}
