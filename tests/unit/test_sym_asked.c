/* sym/asked: functions that the kernel is asked for, one at a time. */
#include "sym/asked.h"
#include "t.h"

static struct {
	const char *text;
	uint64_t addr;
	unsigned n;
} told;

static int answer(void *arg UNUSED, uint64_t addr, char *text, size_t n)
{
	told.addr = addr;
	told.n++;
	snprintf(text, n, "%s", told.text);
	return *told.text ? 0 : -EINVAL;
}

static const struct kernel_namer who = { answer, NULL, NULL };

static bool find(struct asked *a, uint64_t addr, const char *text, struct kernel_symbol *s)
{
	told.text = text;
	told.n = 0;
	return asked_find(a, &who, addr, s);
}

TEST(kernel_is_asked_once_for_each_function)
{
	struct asked a = { 0 };
	struct kernel_symbol s;

	CHECK(find(&a, 0xffff0010, "vfs_read+0x10/0x340", &s));
	CHECK_STR(s.name, "vfs_read");
	CHECK(!s.module);
	CHECK_EQ(s.start, 0xffff0000);
	CHECK_EQ(s.len, 0x340);
	CHECK_EQ(told.addr, 0xffff0010);
	CHECK(find(&a, 0xffff033f, "", &s));
	CHECK_STR(s.name, "vfs_read");
	CHECK_EQ(told.n, 0);
	CHECK(find(&a, 0xfffe0008, "ext4_map+0x8/0x20 [ext4]", &s));
	CHECK_STR(s.module, "ext4");
	CHECK(find(&a, 0xffff0000, "", &s));
	CHECK(find(&a, 0xffff0340, "vfs_write+0x0/0x10", &s));
	CHECK_EQ(told.n, 1);
	CHECK(find(&a, 0xfffe001f, "", &s));
	CHECK_EQ(s.start, 0xfffe0000);
	CHECK_EQ(a.v.n, 3);
	asked_deinit(&a);
}

/* Its module went, and another one came. */
TEST(function_in_the_place_of_others_is_asked_for_once)
{
	struct asked a = { 0 };
	struct kernel_symbol s;

	CHECK(find(&a, 0x1000, "before+0x0/0x100 [old]", &s));
	CHECK(find(&a, 0x1100, "first+0x0/0x10 [old]", &s));
	CHECK(find(&a, 0x1120, "second+0x0/0x10 [old]", &s));
	CHECK(find(&a, 0x1200, "behind+0x0/0x10 [old]", &s));
	CHECK(find(&a, 0x1180, "large+0x100/0x180 [new]", &s));
	CHECK_EQ(a.v.n, 3);
	for (unsigned i = 0; i < 3; i++) {
		CHECK(find(&a, 0x1080 + i * 0x80, "", &s));
		CHECK_STR(s.name, "large");
		CHECK_EQ(told.n, 0);
	}
	CHECK(find(&a, 0x107f, "", &s));
	CHECK_STR(s.name, "before");
	CHECK(find(&a, 0x1200, "", &s));
	CHECK_STR(s.name, "behind");
	asked_deinit(&a);
}

TEST(kernel_may_answer_what_it_likes)
{
	static const char *const answers[] = {
		"", "0xffff800010000000", "+0x0/0x10", "f+0x10/0x10", "f+0x8", "f+0x8/", "f+/0x10",
		"f+0x100000001/0x200000000", "f+x/0x10", "f",
		"f+0x0/0xffffffffffffffff",
	};
	struct asked a = { 0 };
	struct kernel_symbol s;

	for (size_t i = 0; i < ARRAY_SIZE(answers); i++)
		CHECK_SAY(!find(&a, 0x100000000, answers[i], &s), "'%s' is a function", answers[i]);
	CHECK(find(&a, 0x100, "f+0x0/0x10 [", &s));
	CHECK(!s.module);
	CHECK_EQ(a.v.n, 1);
	asked_deinit(&a);
}
