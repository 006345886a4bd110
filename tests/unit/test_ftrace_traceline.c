/* Lines of the kernel's text: which have a name, and what is in them. */
#include "tracing/traceline.h"
#include "t.h"

#define HEAD "           <...>-187     [001] ..... "

static struct traceline l;

static bool parse(const char *text)
{
	size_t n = strlen(text);

	l = (struct traceline){ 0 };
	return traceline_parse((struct sv){ guard_dup(text, n), n }, &l);
}

TEST(traceline_of_a_function_that_prints)
{
	CHECK(parse(HEAD "    9.693385: my_probe: took: 5"));
	CHECK_EQ(l.ts, 9693385000);
	CHECK_EQ(l.cpu, 1);
	CHECK_EQ(l.pid, 187);
	CHECK(sv_eq(l.name, "my_probe") && sv_eq(l.text, "took: 5"));
	CHECK(parse("              sh-9       (      7) [000]     9.693385: my_probe+0x12: x"));
	CHECK(sv_eq(l.name, "my_probe") && sv_eq(l.text, "x"));
	CHECK(parse(HEAD "9.693385: my_probe <ffff800080003000>: x"));
	CHECK(sv_eq(l.name, "my_probe") && sv_eq(l.text, "x"));
	CHECK(parse(HEAD "9.693385: my_probe:"));
	CHECK(sv_eq(l.name, "my_probe") && !l.text.n);
}

TEST(traceline_of_nobody)
{
	CHECK(parse(HEAD "9.693385: <stack trace>"));
	CHECK(!l.name.n);
	CHECK(parse(HEAD "9.693385: vfs_read <-ksys_read"));
	CHECK(!l.name.n);
	CHECK(parse(HEAD "9.693385: Unknown type 1500"));
	CHECK(!l.name.n);
}

TEST(traceline_that_is_none)
{
	static const char *const others[] = {
		"", " => vfs_read", "# tracer: nop", "CPU:1 [LOST 5 EVENTS]", HEAD, HEAD "9.69", HEAD "text: more",
		"           <...>-187     [9999] ..... 9.693385: my_probe: x",
		"second line of a text, perhaps: with this",
	};

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		CHECK(!parse(others[i]));
	CHECK(traceline_is_remark(SV("CPU:1 [LOST 5 EVENTS]")));
	CHECK(traceline_is_remark(SV("##### CPU 1 buffer started ####")));
	CHECK(!traceline_is_remark(SV("text")));
}
