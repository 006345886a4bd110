/* sym/jit: the names of code made at run time; how much of a hostile file is read. And the resolver with them. */
#include "sym/jit.h"

#include "sym/resolver.h"
#include "t.h"

static const char text[] =
	"7000 10 first\n"
	"0x7010 0X20 two words(int, char *)\n"
	"7000 10 again\n"
	"\n"
	"7100\n"
	"7100 10\n"
	"7100 10 \n"
	"zz 10 no number\n"
	"7200 0 empty\n"
	"ffffffffffffffff 10 beyond the end\n"
	"11111111111111111 10 too long\n"
	"7300 10 last\r\n"
	"7400 10 half a li";

static const char *name_at(const struct symtab *t, uint64_t addr)
{
	const struct sym *s = symtab_find(t, addr);

	return s ? symtab_name(t, s) : "none";
}

TEST(jit_lines_are_read_whatever_the_pieces)
{
	size_t n = sizeof(text) - 1;

	for (size_t piece = 1; piece <= n; piece++) {
		struct symtab t = { 0 };
		struct jit j = { .to = &t };

		for (size_t at = 0; at < n; at += piece)
			CHECK_EQ(jit_feed(&j, guard_dup(text + at, MIN(piece, n - at)), MIN(piece, n - at)), 0);
		CHECK_EQ(jit_finish(&j), 0);
		CHECK(!j.is_cut);
		CHECK_EQ(t.syms.n, 3);
		CHECK_STR(name_at(&t, 0x700f), "again");
		CHECK_STR(name_at(&t, 0x702f), "two words(int, char *)");
		CHECK_STR(name_at(&t, 0x7030), "none");
		CHECK_STR(name_at(&t, 0x7300), "last");
		symtab_deinit(&t);
	}
}

TEST(jit_line_without_end_is_bounded)
{
	static char line[5000];
	struct symtab t = { 0 };
	struct jit j = { .to = &t };

	memset(line, 'x', sizeof(line));
	memcpy(line, "7000 10 ", 8);
	line[sizeof(line) - 1] = '\n';
	CHECK_EQ(jit_feed(&j, line, sizeof(line)), 0);
	CHECK_EQ(jit_feed(&j, "8000 10 b\n", 10), 0);
	CHECK_EQ(jit_finish(&j), 0);
	CHECK_EQ(strlen(name_at(&t, 0x7000)), sizeof(j.line) - 1 - 8);
	CHECK_STR(name_at(&t, 0x8000), "b");
	symtab_deinit(&t);
}

/* Ten million lines; how many are read is counted. */
static size_t feed_many(struct jit *j, const char *name)
{
	char line[600];

	for (size_t i = 0; i < 10000000; i++) {
		size_t n = (size_t)snprintf(line, sizeof(line), "%llx 8 %s\n", 0x10000 + (unsigned long long)i * 8,
					    name);

		if (jit_feed(j, line, n))
			return i;
	}
	return 10000000;
}

TEST(jit_file_with_ten_million_lines_is_cut)
{
	static char longer[500];
	struct symtab t = { 0 }, u = { 0 };
	struct jit j = { .to = &t }, k = { .to = &u };

	CHECK_EQ(feed_many(&j, "f"), JIT_NAMES_MAX);
	CHECK(j.is_cut);
	CHECK_EQ(jit_finish(&j), 0);
	CHECK_EQ(t.syms.n, JIT_NAMES_MAX);
	symtab_deinit(&t);
	/* Long names: there is an end to their bytes, too. */
	memset(longer, 'y', sizeof(longer) - 1);
	CHECK(feed_many(&k, longer) < JIT_BYTES_MAX / sizeof(longer));
	CHECK(k.is_cut);
	symtab_deinit(&u);
}

TEST(jit_file_without_a_name_ends)
{
	static char junk[1 << 16];
	struct symtab t = { 0 };
	struct jit j = { .to = &t };
	size_t pieces = 0;

	memset(junk, '\n', sizeof(junk));
	while (pieces < 100000 && !jit_feed(&j, junk, sizeof(junk)))
		pieces++;
	CHECK_EQ(pieces, JIT_BYTES_MAX / sizeof(junk));
	CHECK(j.is_cut);
	symtab_deinit(&t);
}

/* --- the resolver --- */

static unsigned n_asked;
static int answer;
static uint8_t running_id[20] = { 1, 2, 3 };

static int give_jit(void *arg UNUSED, uint32_t pid, int (*feed)(void *to, const char *p, size_t n), void *to)
{
	n_asked++;
	CHECK_EQ(pid, 7);
	return answer ? answer : feed(to, text, sizeof(text) - 1);
}

static int kernel_id(void *arg UNUSED, uint8_t id[20])
{
	memcpy(id, running_id, 20);
	return 0;
}

static struct resolver *with_jit(const char *mapping)
{
	struct sym_want want = { .files = { .jit = give_jit, .kernel_build_id = kernel_id } };
	struct resolver *r = resolver_new(&want, NULL);
	struct sym_map m = { .pid = 7, .start = 0x7000, .len = 0x1000, .name = mapping };

	CHECK_EQ(resolver_mmap(r, &m), 0);
	return r;
}

static const char *shown(struct resolver *r, uint64_t ip)
{
	static char buf[200];
	const struct sym_loc *l = resolver_find(r, 7, 2, ip);

	snprintf(buf, sizeof(buf), "%s %s", l->sym ? l->sym : "?", l->dso_short);
	return buf;
}

TEST(jit_code_has_the_names_of_its_file)
{
	static const char *const mappings[] = { "//anon", "/dev/zero", "/anon_hugepage", "[anon:v8]" };

	for (size_t i = 0; i < ARRAY_SIZE(mappings); i++) {
		struct resolver *r = with_jit(mappings[i]);

		CHECK_STR(shown(r, 0x7011), "two words(int, char *) [JIT] tid 7");
		CHECK_STR(shown(r, 0x7001), "again [JIT] tid 7");
		CHECK_STR(shown(r, 0x7801), "? [JIT] tid 7");
		CHECK_EQ(n_asked, i + 1);
		resolver_free(r);
	}
}

static char said[400];

static void keep(void *arg UNUSED, const char *line)
{
	str_copy(said, sizeof(said), sv_from(line));
}

TEST(jit_file_of_another_user_is_told)
{
	struct resolver *r;

	answer = -EPERM;
	r = with_jit("//anon");
	CHECK_STR(shown(r, 0x7011), "? [JIT] tid 7");
	resolver_warnings(r, keep, NULL);
	CHECK(strstr(said, "/tmp/perf-7.map belongs neither"));
	resolver_free(r);
}

TEST(jit_file_of_another_machine_is_not_taken)
{
	static const uint8_t other[20] = { 9 };
	struct resolver *r = with_jit("//anon");

	resolver_build_id(r, "[kernel.kallsyms]", other, 20);
	CHECK_STR(shown(r, 0x7011), "? [JIT] tid 7");
	CHECK_EQ(n_asked, 0);
	resolver_free(r);
}
