/*
 * Flame graphs: the tree, folded text, and the SVG as a static picture. The script is tested in
 * tests/browser.
 */
#include "show/flame.h"
#include "tests/t.h"

#define BAD "\xef\xbf\xbd"   /* U+FFFD */

static void add(struct flame *f, const char *line)
{
	size_t n = strlen(line);
	struct err e = { 0 };

	/* without its NUL, against an unmapped page */
	CHECK_EQ(flame_add_folded(f, (struct sv){ guard_dup(line, n), n }, &e), 0);
}

static const char *folded(const struct flame *f, struct mem_out *m)
{
	mem_out_init(m);
	flame_folded(f, &m->out);
	return mem_out_str(m);
}

static const char *svg(const struct flame *f, const struct flame_want *w, struct mem_out *m)
{
	mem_out_init(m);
	flame_svg(f, w, &m->out);
	return mem_out_str(m);
}

static unsigned count(const char *text, const char *part)
{
	unsigned n = 0;

	for (; *text; text++)
		n += *text == *part && !strncmp(text, part, strlen(part));
	return n;
}

TEST(flame_adds_equal_stacks_up)
{
	struct flame *f = flame_new();
	struct mem_out m;

	add(f, "a;b;c 3");
	add(f, "a;b 2");
	add(f, "a;b;c 4");
	CHECK_EQ(flame_total(f), 9);
	CHECK_STR(folded(f, &m), "a;b 2\na;b;c 7\n");
	mem_out_deinit(&m);
	flame_free(f);
}

TEST(flame_folded_does_not_depend_on_the_order_of_adding)
{
	static const char *const lines[] = { "b;x 1", "a;z;q 2", "a 3", "a;y 4", "b 5", "a;z;p 6" };
	static const char want[] = "a 3\na;y 4\na;z;p 6\na;z;q 2\nb 5\nb;x 1\n";

	for (size_t from = 0; from < ARRAY_SIZE(lines); from++) {
		struct flame *f = flame_new();
		struct mem_out m;

		for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
			add(f, lines[(from + i * 5) % ARRAY_SIZE(lines)]);
		CHECK_STR(folded(f, &m), want);
		mem_out_deinit(&m);
		flame_free(f);
	}
}

TEST(flame_folded_keeps_separators_out_of_names)
{
	const struct flame_frame frames[] = {
		{ "a;b\n c", FLAME_USER }, { "", FLAME_KERNEL }, { "\x1b[2J", FLAME_PLAIN },
	};
	struct flame *f = flame_new();
	struct mem_out m;

	CHECK_EQ(flame_add(f, frames, 3, 5), 0);
	CHECK_STR(folded(f, &m), "a:b? c;[unknown];?[2J 5\n");
	mem_out_deinit(&m);
	flame_free(f);
}

TEST(flame_keeps_kernel_and_user_frames_of_one_name_apart)
{
	const struct flame_frame user = { "read", FLAME_USER }, kernel = { "read", FLAME_KERNEL };
	struct flame *f = flame_new();
	struct mem_out m;
	const char *s;

	CHECK_EQ(flame_add(f, &kernel, 1, 1), 0);
	CHECK_EQ(flame_add(f, &user, 1, 1), 0);
	s = svg(f, &(struct flame_want){ 0 }, &m);
	CHECK_EQ(count(s, "<title>read\n"), 2);
	CHECK(strstr(s, ">program</text>"));
	CHECK(strstr(s, ">kernel</text>"));
	CHECK(!strstr(s, ">library</text>"));
	mem_out_deinit(&m);
	flame_free(f);
}

TEST(flame_folded_line_without_weight_is_refused)
{
	static const char *const bad[] = {
		"", " ", "a;b", "a;b x", "a;b -1", "12", "a;b 99999999999999999999",
	};
	struct flame *f = flame_new();

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		size_t n = strlen(bad[i]);
		struct err e = { 0 };

		CHECK_EQ(flame_add_folded(f, (struct sv){ guard_dup(bad[i], n), n }, &e), -EBADMSG);
		CHECK(e.text[0]);
	}
	CHECK_EQ(flame_total(f), 0);
	flame_free(f);
}

TEST(flame_reads_the_kernel_mark_of_folded_names)
{
	struct flame *f = flame_new();
	struct mem_out m;
	const char *s;

	add(f, "main;vfs_read_[k] 5");
	s = svg(f, &(struct flame_want){ 0 }, &m);
	CHECK(strstr(s, "<title>vfs_read\n"));
	CHECK(strstr(s, ">kernel</text>"));
	mem_out_deinit(&m);
	CHECK_STR(folded(f, &m), "main;vfs_read 5\n");
	mem_out_deinit(&m);
	flame_free(f);
}

TEST(flame_total_stays_at_64_bits)
{
	struct flame *f = flame_new();
	struct mem_out m;

	add(f, "a 18446744073709551615");
	add(f, "b 7");
	CHECK(flame_total(f) == UINT64_MAX);
	CHECK_STR(folded(f, &m), "a 18446744073709551615\n");
	mem_out_deinit(&m);
	svg(f, &(struct flame_want){ 0 }, &m);
	CHECK_EQ(m.out.error, 0);
	mem_out_deinit(&m);
	flame_free(f);
}

TEST(flame_takes_stacks_of_any_depth)
{
	enum { DEPTH = 20000 };
	struct flame_frame *frames = calloc(DEPTH, sizeof(*frames));
	struct flame *f = flame_new();
	struct mem_out m;
	const char *s;

	for (size_t i = 0; i < DEPTH; i++)
		frames[i].name = "r";
	CHECK_EQ(flame_add(f, frames, DEPTH, 1), 0);
	s = folded(f, &m);
	CHECK_EQ(strlen(s), DEPTH * 2 - 1 + strlen(" 1\n"));
	mem_out_deinit(&m);
	CHECK_EQ(count(svg(f, &(struct flame_want){ 0 }, &m), "<g class=\"row\""), DEPTH + 1);
	mem_out_deinit(&m);
	free(frames);
	flame_free(f);
}

/*
 * The golden file was looked at in a browser and passed through xmllint; the style and the script
 * are not in it.
 */
TEST(flame_svg_of_a_small_tree_is_as_looked_at)
{
	const struct flame_want want = {
		.title = "T & <co>", .subtitle = "sub", .unit = "cycles", .width = 1020,
	};
	struct flame *f = flame_new();
	struct mem_out m;

	add(f, "main;parse;memcpy_[k] 2500");
	add(f, "main;parse 500");
	add(f, "main;a_rather_long_function_name 1000");
	add(f, "idle_[k] 6000");

	char *s = strdup(svg(f, &want, &m));
	char *style = strstr(s, "<style>"), *rest = strstr(s, "</style>\n");
	char *script = strstr(s, "<script>"), *got = calloc(1, strlen(s) + 1);

	CHECK(style && rest && script);
	rest += strlen("</style>\n");
	snprintf(got, strlen(s), "%.*s%.*s</svg>\n", (int)(style - s), s,
		 (int)(script - rest), rest);
	CHECK_STR(got, t_read("golden/show/small.svg", NULL));
	CHECK(strstr(script, "]]></script>\n</svg>\n"));
	mem_out_deinit(&m);
	free(s);
	free(got);
	flame_free(f);
}

TEST(flame_svg_escapes_names_everywhere)
{
	const struct flame_frame frame = { "<b>&\"\x01\xff\xed\xa0\x80]]>", FLAME_PLAIN };
	const struct flame_want want = { .title = "<t>", .subtitle = "s&s", .unit = "\"u\"" };
	struct flame *f = flame_new();
	struct mem_out m;
	const char *s;

	CHECK_EQ(flame_add(f, &frame, 1, 1), 0);
	s = svg(f, &want, &m);
	CHECK(strstr(s, "&lt;b&gt;&amp;&quot;" BAD BAD BAD BAD BAD "]]&gt;\n"));
	CHECK(strstr(s, "data-unit=\"&quot;u&quot;\""));
	CHECK(strstr(s, ">s&amp;s \xc2\xb7 "));
	CHECK(!strstr(s, "<b>") && !strstr(s, "<t>"));
	CHECK_EQ(count(s, "]]>"), 1);
	mem_out_deinit(&m);
	flame_free(f);
}

TEST(flame_svg_counts_what_it_leaves_out)
{
	const struct flame_want want = { .width = 1020, .min_width = 1 };
	struct flame *f = flame_new();
	struct mem_out m;
	const char *s;

	add(f, "big 9990");
	add(f, "exactly;one 10");
	s = svg(f, &want, &m);
	CHECK(!strstr(s, "left out"));
	mem_out_deinit(&m);
	add(f, "less;than;one 9");
	s = svg(f, &want, &m);
	CHECK(strstr(s, "5 frames narrower than 1 px left out"));
	CHECK_EQ(count(s, "<g><title>"), 2);
	mem_out_deinit(&m);
	flame_free(f);
}

TEST(flame_svg_without_samples_has_a_root)
{
	struct flame *f = flame_new();
	struct mem_out m;
	const char *s = svg(f, &(struct flame_want){ .order = FLAME_GROW_DOWN }, &m);

	CHECK(strstr(s, "<title>all\n0 samples, 100.00%</title><rect x=\"10\" width=\"1179.5\""));
	mem_out_deinit(&m);
	flame_free(f);
}

TEST(flame_svg_of_equal_trees_is_equal)
{
	struct flame *f = flame_new(), *g = flame_new();
	struct mem_out a, b;

	add(f, "a;b 1");
	add(f, "c;d_[k] 2");
	add(g, "c;d_[k] 2");
	add(g, "a;b 1");
	CHECK_STR(svg(f, &(struct flame_want){ 0 }, &a), svg(g, &(struct flame_want){ 0 }, &b));
	mem_out_deinit(&a);
	mem_out_deinit(&b);
	flame_free(f);
	flame_free(g);
}

static int refuse(void *arg UNUSED, const char *bytes UNUSED, size_t n UNUSED)
{
	return -ENOSPC;
}

TEST(flame_output_keeps_the_first_error)
{
	char buf[16];
	struct out o = { .write = refuse, .buf = buf, .cap = sizeof(buf) };
	struct flame *f = flame_new();

	add(f, "a 1");
	flame_svg(f, &(struct flame_want){ 0 }, &o);
	flame_folded(f, &o);
	CHECK_EQ(o.error, -ENOSPC);
	flame_free(f);
}

static void add_old(struct flame *f, const char *a, const char *b, uint64_t weight)
{
	const struct flame_frame frames[] = { { a, FLAME_PLAIN }, { b, FLAME_KERNEL } };

	CHECK_EQ(flame_add_old(f, frames, b ? 2 : 1, weight), 0);
}

/* Shares are compared: the older one has a tenth of the samples. */
TEST(flame_compares_with_an_older_profile)
{
	struct flame *f = flame_new();
	struct mem_out m;
	const char *s;

	add(f, "a;b_[k] 50");
	add(f, "a;c_[k] 30");
	add(f, "a 20");
	add_old(f, "a", "b", 2);
	add_old(f, "a", "c", 5);
	add_old(f, "a", "gone", 1);
	add_old(f, "a", NULL, 2);
	CHECK_STR(folded(f, &m), "a 2 20\na;b 2 50\na;c 5 30\na;gone 1 0\n");
	mem_out_deinit(&m);
	s = svg(f, &(struct flame_want){ 0 }, &m);
	CHECK(strstr(s, "b\n50 samples, 50.00% (+30.00, itself +30.00)</title>"
		     "<rect x=\"10\" width=\"589.5\" height=\"17\" class=\"m7\""));
	CHECK(strstr(s, "30.00% (-20.00, itself -20.00)</title>"));
	CHECK(strstr(s, "class=\"w5\""));
	CHECK(strstr(s, "a\n100 samples, 100.00% (+0.00, itself +0.00)</title>"));
	CHECK(strstr(s, "10.00% of what was before is gone</text>"));
	CHECK_EQ(count(s, "<title>gone"), 0);
	mem_out_deinit(&m);
	flame_free(f);
}
