/* probe/probe_name: as perf names, and legal names for what perf cannot. */
#include "probe/probe_name.h"

#include "t.h"

TEST(probe_name_of_a_function_is_as_perf_has_it)
{
	static const struct { const char *func; bool is_return; const char *event; } cases[] = {
		{ "func", false, "func" }, { "func", true, "func__return" }, { "foo.isra.0", false, "foo" },
		{ "foo.constprop.0.isra.0", true, "foo__return" }, { "foo.cold", false, "foo" },
		{ "foo.llvm.123", false, "foo" }, { "malloc@GLIBC_2.2.5", false, "malloc" },
		{ "_x", false, "_x" }, { "func_L2", false, "func_L2" }, { "ns::f(int)_L12", false, "ns_f_L12" },
		{ "foo.isra.0_L3", false, "foo_L3" }, { "main.(*T).M_L1", false, "main_T_M_L1" },
		{ "_L1", false, "_L1" },
		{ "x_L", false, "x_L" }, { "main.(*T).M", false, "main_T_M" },
		{ "main.main", false, "main_main" },
		{ "git.com/paas/x/pkg/storage.(*Store).Save", true, "storage_Store_Save__return" },
		{ "ns::klass::f(int, char)", false, "ns_klass_f" },
		{ "ns::klass::f(int) const", false, "ns_klass_f" }, { "ns::tf<int>(int)", false, "ns_tf_int" },
		{ "<T as Trait>::f", false, "T_as_Trait_f" },
		{ "(anonymous namespace)::f(int)", false, "anonymous_namespace_f" },
		{ "operator()", false, "operator" }, { "foo::{{closure}}", false, "foo_closure" },
		{ "1st", false, "_1st" }, { "???", false, "probe" }, { "", false, "probe" },
		{ "main.Map[...]", false, "main_Map" }, { "_ZN2ns1fEv", false, "_ZN2ns1fEv" },
		{ "__x64_sys_read", false, "__x64_sys_read" },
	};
	char buf[PROBE_NAME_SIZE];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		probe_event(sv_from(guard_dup(cases[i].func, strlen(cases[i].func) + 1)), cases[i].is_return, buf);
		CHECK_STR(buf, cases[i].event);
		CHECK(probe_name_is_legal(sv_from(buf)));
	}
}

TEST(probe_name_of_a_program_is_as_perf_has_it)
{
	static const struct { const char *file, *group; } cases[] = {
		{ "", "probe" }, { "/lib/libc.so.6", "probe_libc" }, { "/usr/bin/x-y", "probe_x" },
		{ "prog0", "probe_prog0" }, { "./a.out", "probe_a" }, { "/x/", "probe_" },
		{ "/bin/_a", "probe__a" },
	};
	char buf[PROBE_NAME_SIZE];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		probe_group(sv_from(cases[i].file), buf);
		CHECK_STR(buf, cases[i].group);
	}
}

TEST(probe_name_keeps_to_its_size)
{
	char buf[PROBE_NAME_SIZE], text[300];

	memset(text, 'a', sizeof(text));
	for (size_t n = 50; n < 80; n++) {
		probe_event((struct sv){ text, n }, true, buf);
		CHECK_EQ(strlen(buf), MIN(n + 8, 63u));
		CHECK_STR(buf + strlen(buf) - 8, "__return");
		probe_event((struct sv){ text, n }, false, buf);
		CHECK_EQ(strlen(buf), MIN(n, 63u));
		probe_group((struct sv){ text, n }, buf);
		CHECK(probe_name_is_legal(sv_from(buf)));
	}
}

static bool taken(void *arg, const char *name)
{
	unsigned *n = arg;

	CHECK(probe_name_is_legal(sv_from(name)));
	return (*n)-- > 0;
}

TEST(probe_name_is_made_unique)
{
	char buf[PROBE_NAME_SIZE] = "func";
	unsigned n = 0;

	CHECK(probe_unique(buf, taken, &n));
	CHECK_STR(buf, "func");
	n = 3;
	CHECK(probe_unique(buf, taken, &n));
	CHECK_STR(buf, "func_3");
	memset(buf, 'a', 63);
	buf[63] = '\0';
	n = 100;
	CHECK(probe_unique(buf, taken, &n));
	CHECK_STR(buf + 59, "_100");
	n = UINT_MAX;
	CHECK(!probe_unique(buf, taken, &n));
}

TEST(probe_name_legality_is_the_kernels)
{
	CHECK(probe_name_is_legal(SV("a_1B")));
	CHECK(!probe_name_is_legal(SV("")) && !probe_name_is_legal(SV("1a")) && !probe_name_is_legal(SV("a.b")) &&
	      !probe_name_is_legal(SV("a-b")));
	CHECK(!probe_name_is_legal(SV("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")));
}
