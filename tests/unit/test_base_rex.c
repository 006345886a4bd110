/* base/rex: regular expressions, against those of the C library. */
#include "base/rex.h"

#include "t.h"

#include <regex.h>

static bool matches(const char *pattern, const char *text)
{
	struct arena a = { 0 };
	struct rex r;
	bool m = !rex_init(&r, &a, sv_from(pattern), NULL) &&
		 rex_match(&r, (struct sv){ guard_dup(text, strlen(text)), strlen(text) });

	arena_deinit(&a);
	return m;
}

static bool refused(const char *pattern)
{
	struct arena a = { 0 };
	struct err e = { 0 };
	struct rex r;
	bool bad = rex_init(&r, &a, sv_from(pattern), &e) == -EINVAL && e.text[0];

	arena_deinit(&a);
	return bad;
}

TEST(rex_finds_what_users_write)
{
	CHECK(matches("sched", "sched_switch"));
	CHECK(matches("^sched_.*", "SCHED_switch"));
	CHECK(!matches("^switch", "sched_switch"));
	CHECK(matches("^\\(kmalloc\\|kfree\\)$", "kfree"));
	CHECK(!matches("^\\(kmalloc\\|kfree\\)$", "kfree_skb"));
	CHECK(matches("^kworker/[0-9]\\+:[[:digit:]]$", "kworker/12:3"));
	CHECK(!matches("^kworker/[^0-9]", "kworker/1"));
	CHECK(matches("", ""));
	CHECK(matches("*x", "a*x"));
	CHECK(matches("a\\?b$", "b"));
	CHECK(matches("[]a]*$", "]a]"));
	CHECK(matches("a\\.b", "a.b"));
	CHECK(!matches("a\\.b", "axb"));
}

TEST(rex_takes_linear_time)
{
	char text[4001];

	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	CHECK(!matches("\\(a*\\)*\\(a*\\)*\\(a*\\)*b", text));
}

TEST(rex_refuses_what_it_cannot_do)
{
	CHECK(refused("a\\{2\\}"));
	CHECK(refused("\\(a\\)\\1"));
	CHECK(refused("\\(a"));
	CHECK(refused("a\\)"));
	CHECK(refused("[a"));
	CHECK(refused("\\w"));
	CHECK(refused("a\\"));

	char longer[1200];

	memset(longer, 'a', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	CHECK(refused(longer));
}

TEST(rex_extended_needs_no_backslashes)
{
	static const struct {
		const char *pattern, *text;
		bool is;
	} t[] = {
		{ "^(kmalloc|kfree)$", "kfree", true }, { "^(kmalloc|kfree)$", "kfree_skb", false },
		{ "a+b?c", "aac", true }, { "a+b?c", "bc", false }, { "a\\+", "a+", true }, { "a\\+", "aa", false },
		{ "\\(a\\)", "(a)", true }, { "(a(b|c)+)*d$", "abcbd", true },
	};
	static const char *const bad[] = { "(a", "a)", "a{2}", "+a", "a|*", "\\w" };
	struct arena a = { 0 };
	struct rex r;

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		CHECK_EQ(rex_init_extended(&r, &a, sv_from(t[i].pattern), NULL), 0);
		CHECK_EQ(rex_match(&r, sv_from(t[i].text)), t[i].is);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK_EQ(rex_init_extended(&r, &a, sv_from(bad[i]), NULL), -EINVAL);
	arena_deinit(&a);
}

static uint32_t next(uint32_t *seed)
{
	return (*seed = *seed * 1664525 + 1013904223) >> 16;
}

TEST(rex_agrees_with_regcomp)
{
	static const char pattern_of[] = "ab.*\\[]^$|()+?cA", text_of[] = "abcAB";
	uint32_t seed = 7, both = 0;

	for (int i = 0; i < 30000; i++) {
		char p[12] = "", t[8] = "";
		struct arena a = { 0 };
		struct rex r;
		regex_t c;

		for (uint32_t k = next(&seed) % 10; k; k--)
			p[k - 1] = pattern_of[next(&seed) % (sizeof(pattern_of) - 1)];
		for (uint32_t k = next(&seed) % 7; k; k--)
			t[k - 1] = text_of[next(&seed) % (sizeof(text_of) - 1)];
		/* What is repeated after ^, \( or \| is nothing: undefined, and the libraries differ. */
		if (strstr(p, "^\\+") || strstr(p, "^\\?") || strstr(p, "(\\+") || strstr(p, "(\\?") ||
		    strstr(p, "|\\+") || strstr(p, "|\\?"))
			continue;
		if (!rex_init(&r, &a, sv_from(p), NULL) && !regcomp(&c, p, REG_ICASE | REG_NOSUB)) {
			both++;
			if (rex_match(&r, sv_from(t)) != !regexec(&c, t, 0, NULL, 0))
				t_fail(__FILE__, __LINE__, "'%s' on '%s' is not what regexec says", p, t);
			regfree(&c);
		}
		arena_deinit(&a);
	}
	CHECK(both > 10000);
}
