/* Numbers, sizes, times, globs, CPU lists, nearest names. */
#include "base/str.h"
#include "t.h"

#include <fnmatch.h>

static uint64_t u64(const char *s, int base)
{
	uint64_t v = 0;

	return str_u64(sv_from(s), base, &v) ? v : UINT64_C(0xdead);
}

TEST(str_u64_takes_whole_numbers_only)
{
	CHECK_EQ(u64("123", 10), 123);
	CHECK_EQ(u64("0x1f", 0), 31);
	CHECK_EQ(u64("1F", 16), 31);
	CHECK_EQ(u64("017", 0), 15);
	CHECK_EQ(u64("0", 0), 0);
	CHECK_EQ(u64("18446744073709551615", 10), UINT64_MAX);
	CHECK_EQ(u64("18446744073709551616", 10), 0xdead);
	CHECK_EQ(u64("", 10), 0xdead);
	CHECK_EQ(u64("12x", 10), 0xdead);
	CHECK_EQ(u64("-1", 10), 0xdead);
	CHECK_EQ(u64("0x", 0), 0xdead);
}

TEST(str_size_knows_suffixes)
{
	uint64_t v;

	CHECK(str_size(sv_from("512K"), &v) && v == 524288);
	CHECK(str_size(sv_from("4m"), &v) && v == 4194304);
	CHECK(str_size(sv_from("10"), &v) && v == 10);
	CHECK(str_size(sv_from("10B"), &v) && v == 10);
	CHECK(!str_size(sv_from("18446744073709551615G"), &v));
	CHECK(!str_size(sv_from("K"), &v));
	CHECK(!str_size(sv_from(""), &v));
}

TEST(str_time_is_exact_to_the_nanosecond)
{
	uint64_t v;

	CHECK(str_time(sv_from("1.25"), 1000000000, &v) && v == 1250000000);
	CHECK(str_time(sv_from("0.000000001"), 1000000000, &v) && v == 1);
	CHECK(str_time(sv_from("123456.789012345"), 1000000000, &v) && v == 123456789012345);
	CHECK(str_time(sv_from("5ms"), 1, &v) && v == 5000000);
	CHECK(str_time(sv_from(".5s"), 1, &v) && v == 500000000);
	CHECK(!str_time(sv_from("99999999999999999999"), 1000000000, &v));
	CHECK(!str_time(sv_from("1.2.3"), 1000000000, &v));
	CHECK(!str_time(sv_from(""), 1, &v));
}

/* The C library's fnmatch is the oracle. */
TEST(str_glob_agrees_with_fnmatch)
{
	static const char *const patterns[] = {"*",      "a*",   "*b", "a?c",     "[a-c]*", "[!a]*",
					       "s*_s*h", "\\*x", "",   "a*b*c*d", "[]a]",   "[a-]"};
	static const char *const texts[] = {"",   "a",    "b",       "abc", "axc", "sched_switch",
					    "*x", "abcd", "axbxcxd", "]",   "-",   "aXbYcZdW"};

	for (size_t p = 0; p < ARRAY_SIZE(patterns); p++)
		for (size_t t = 0; t < ARRAY_SIZE(texts); t++)
			CHECK_SAY(str_glob(patterns[p], sv_from(texts[t])) == !fnmatch(patterns[p], texts[t], 0),
				  "'%s' against '%s'", patterns[p], texts[t]);
}

TEST(str_distance_counts_edits)
{
	CHECK_EQ(str_distance(SV("cycles"), SV("cycles"), 3), 0);
	CHECK_EQ(str_distance(SV("cycels"), SV("cycles"), 3), 1);
	CHECK_EQ(str_distance(SV("cycle"), SV("cycles"), 3), 1);
	CHECK_EQ(str_distance(SV("kitten"), SV("sitting"), 9), 3);
	CHECK_EQ(str_distance(SV("abc"), SV("xyz"), 2), 3);
}

TEST(nearest_offers_the_closest_first)
{
	struct nearest n;
	char buf[128];

	nearest_init(&n, SV("cycels"));
	nearest_feed(&n, "instructions");
	nearest_feed(&n, "cycle");
	nearest_feed(&n, "cycles");
	CHECK_STR(nearest_text(&n, buf, sizeof(buf)), ", did you mean 'cycles', 'cycle'?");
	nearest_init(&n, SV("zzz"));
	nearest_feed(&n, "cycles");
	CHECK_STR(nearest_text(&n, buf, sizeof(buf)), "");
}

static const char *cpus(const char *list, struct err *e)
{
	static char buf[256];
	struct cpus c;

	*e = (struct err){ 0 };
	return cpus_parse(&c, sv_from(list), e) ? "error" : cpus_text(&c, buf, sizeof(buf));
}

TEST(cpus_parse_and_print_the_kernels_list)
{
	struct err e;

	CHECK_STR(cpus("0,2-5\n", &e), "0,2-5");
	CHECK_STR(cpus("3,1,2", &e), "1-3");
	CHECK_STR(cpus("63-64,4095", &e), "63-64,4095");
	CHECK_STR(cpus("", &e), "");
}

TEST(cpus_errors_name_the_bad_piece)
{
	struct err e;

	CHECK_STR(cpus("0-x", &e), "error");
	CHECK(strstr(e.text, "'0-x'") != NULL);
	CHECK_STR(cpus("5-2", &e), "error");
	CHECK(strstr(e.text, "backwards") != NULL);
	CHECK_STR(cpus("0-99999", &e), "error");
	CHECK_STR(cpus("1,,2", &e), "error");
}

TEST(cpus_next_walks_over_word_borders)
{
	struct cpus c;
	int n = 0, last = -1;

	CHECK_EQ(cpus_parse(&c, SV("0,63-65,200,4095"), NULL), 0);
	for (int i = cpus_next(&c, 0); i >= 0; i = cpus_next(&c, (unsigned)i + 1)) {
		n++;
		last = i;
	}
	CHECK_EQ(n, 6);
	CHECK_EQ(last, 4095);
	CHECK_EQ(cpus_count(&c), 6);
}

TEST(sv_cut_gives_empty_pieces_and_ends)
{
	struct sv rest = SV("a,,b"), p;
	size_t lengths[4], n = 0;

	while (n < 4 && sv_cut(&rest, ',', &p))
		lengths[n++] = p.n;
	CHECK_EQ(n, 3);
	CHECK_EQ(lengths[1], 0);
	CHECK_EQ(lengths[2], 1);
}

/* The C library is the oracle. */
TEST(str_double_agrees_with_strtod)
{
	static const char *const good[] = {"1",
					   "0.5",
					   "-2.25",
					   "1e-6",
					   "2.3283064365386962890625e-10",
					   "6.103515625e-5",
					   "+3E+2",
					   ".5",
					   "0",
					   "123456789012345678901234567890",
					   "0.000000000000000000000000001234"};
	static const char *const bad[] = { "", ".", "e5", "1e", "1x", "1.2.3", "1e999999", "-", "1e5.5" };
	double v;

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		double want = strtod(good[i], NULL), least = want < 0 ? -want : want;

		CHECK(str_double(sv_from(good[i]), &v));
		if ((v > want ? v - want : want - v) > least * 1e-15)
			t_fail(__FILE__, __LINE__, "%s is %.17g, not %.17g", good[i], v, want);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		if (str_double(sv_from(bad[i]), &v))
			t_fail(__FILE__, __LINE__, "'%s' was taken for a number", bad[i]);
}
