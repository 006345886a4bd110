/* test_text_view.c - keys where instructions are looked at. */
#include "cmd/code_keys.h"
#include "t.h"

enum { PAGE = 3 };

static const char listing[] =
	" Percent         |\tSource code & Disassembly of a for b\n"
	"---------------\n"
	"                 :\n"
	"                 : 5      0000000000401130 <work>:\n"
	"    0.00    0.00 :   401130: cmp     %eax,%ebx\n"
	"                 : 20     x = a ? b : c;\n"
	"   10.00   20.00 :   401132: jne     401140 <work+0x10>\n"
	"   40.00    0.00 :   401134: lock cmpxchg %eax,(%rbx)\n"
	"    0.00   20.00 :   40113a: jmp     401132 <work+0x2>\n"
	"    5.00    1.00 :   401140: call    402000 <other>\n"
	"    0.00    0.00 :   401146: ret\n";

static void open_text(struct text_view *t, const char *text)
{
	*t = (struct text_view){ 0 };
	out_str(text_view_begin(t, "work"), text);
	CHECK_EQ(text_view_end(t), 0);
}

static size_t after(struct text_view *t, int key)
{
	text_view_key(t, key, PAGE);
	list_scroll(&t->list, t->starts.n - 1, PAGE);
	return t->list.selected;
}

/* Of events side by side the most counts; equal ones are in the order of lines. */
TEST(text_view_goes_from_hot_to_hot)
{
	struct text_view t;

	open_text(&t, listing);
	CHECK_EQ(after(&t, 'H'), 7);
	CHECK_EQ(after(&t, KEY_TAB), 6);
	CHECK_EQ(after(&t, KEY_TAB), 8);
	CHECK_EQ(after(&t, KEY_TAB), 9);
	CHECK_EQ(after(&t, KEY_TAB), 7);
	CHECK_EQ(after(&t, KEY_BACK_TAB), 9);
	CHECK_EQ(after(&t, KEY_BACK_TAB), 8);
	CHECK_EQ(after(&t, KEY_HOME), 0);
	CHECK_EQ(after(&t, KEY_BACK_TAB), 7);
	text_view_close(&t);
	open_text(&t, "no instruction\n: 1\n");
	CHECK_EQ(after(&t, KEY_TAB), 0);
	CHECK_STR(t.list.told, "no line has samples");
	text_view_close(&t);
}

TEST(text_view_follows_jumps)
{
	struct text_view t;

	open_text(&t, listing);
	CHECK_EQ(after(&t, KEY_ENTER), 0);
	CHECK_STR(t.list.told, "the line is no jump");
	t.list.selected = 6;
	CHECK_EQ(after(&t, KEY_ENTER), 9);
	CHECK_EQ(after(&t, KEY_ENTER), 9);
	CHECK_STR(t.list.told, "that is in another function");
	t.list.selected = 8;
	CHECK_EQ(after(&t, KEY_RIGHT), 6);
	text_view_close(&t);
}

TEST(text_view_searches_both_ways)
{
	struct text_view t;

	open_text(&t, listing);
	after(&t, '/');
	after(&t, 'j');
	CHECK_EQ(after(&t, KEY_ENTER), 6);
	CHECK_EQ(after(&t, 'n'), 8);
	after(&t, '?');
	after(&t, 'c');
	CHECK_EQ(after(&t, 'm'), 8);
	CHECK_EQ(after(&t, KEY_ENTER), 7);
	CHECK_EQ(after(&t, 'n'), 4);
	CHECK_EQ(after(&t, 'n'), 7);
	text_view_close(&t);
}

/* What was chosen stays so, wherever it stands now. */
TEST(text_view_stays_at_an_instruction)
{
	struct text_view t;

	open_text(&t, listing);
	t.list.selected = 8;
	out_str(text_view_again(&t, "work"), "head\n 1 :   401130: cmp a\n 2 :   40113a: jmp b\n");
	CHECK_EQ(text_view_end(&t), 0);
	CHECK_EQ(t.list.selected, 2);
	text_view_close(&t);
}

TEST(code_keys_change_how_code_is_shown)
{
	struct annotate_show s = { .column = ANNOTATE_PERCENT };

	CHECK(code_keys_show(&s, 't') && s.column == ANNOTATE_PERIOD);
	CHECK(code_keys_show(&s, 't') && s.column == ANNOTATE_SAMPLES);
	CHECK(code_keys_show(&s, 't') && s.column == ANNOTATE_PERCENT);
	CHECK(code_keys_show(&s, 'p') && s.of_all && code_keys_show(&s, 'b') && s.by_hits);
	CHECK(code_keys_show(&s, 's') && s.no_source && code_keys_show(&s, 'o') && s.raw);
	CHECK(code_keys_show(&s, 'l') && s.lines && s.full_paths);
	CHECK(!code_keys_show(&s, 'n') && !code_keys_show(&s, 'j'));
}

static bool says_fused(const char *cpuid, const struct arch *arch, size_t line)
{
	struct perf_head head = { .cpuid = cpuid };
	struct session s = { .arch = arch, .head = &head };
	struct text_view t;
	bool fused;

	open_text(&t, listing);
	t.list.selected = line;
	fused = !strncmp(code_keys_foot(&t, &s, "keys"), "fused", 5);
	text_view_close(&t);
	return fused;
}

TEST(code_keys_tell_what_is_fused)
{
	const struct arch *x86 = arch_by_name("x86_64");

	CHECK(says_fused("GenuineIntel,6,143,8", x86, 6));
	CHECK(says_fused("GenuineIntel,6,30,5", x86, 6));
	CHECK(!says_fused("GenuineIntel,6,15,5", x86, 6));
	CHECK(!says_fused("GenuineIntel,15,143,5", x86, 6));
	CHECK(says_fused("AuthenticAMD,25,17,1", x86, 6));
	CHECK(!says_fused("AuthenticAMD,16,17,1", x86, 6));
	CHECK(!says_fused("", x86, 6));
	CHECK(!says_fused("GenuineIntel", x86, 6));
	CHECK(!says_fused("GenuineIntel,6,143,8", x86, 8));
	CHECK(!says_fused("GenuineIntel,6,143,8", x86, 4));
	CHECK(!says_fused("GenuineIntel,6,143,8", x86, 0));
	CHECK(!says_fused("GenuineIntel,6,143,8", arch_by_name("aarch64"), 6));
	CHECK(!says_fused("GenuineIntel,6,143,8", NULL, 6));
}

TEST(x86_fuses_what_perf_says)
{
	static const char zen4[] = "AuthenticAMD,25,17,1", zen[] = "AuthenticAMD,23,1,1";
	static const char lake[] = "GenuineIntel,6,143,8", old[] = "GenuineIntel,6,30,5";
	bool (*fuses)(const char *cpuid, const char *first, size_t n, const char *branch) =
		arch_by_name("x86_64")->fuses;

	CHECK(fuses(lake, "subq", 4, "jb") && fuses(lake, "dec", 3, "je") && fuses(lake, "andb", 4, "js"));
	CHECK(!fuses(lake, "xor", 3, "je") && !fuses(lake, "cmpxchg", 7, "je") && !fuses(lake, "addsd", 5, "je"));
	CHECK(!fuses(lake, "mov", 3, "je") && !fuses(lake, "test", 4, "jmp") && !fuses(lake, "test", 4, "call"));
	CHECK(fuses(old, "testb", 5, "jne") && !fuses(old, "add", 3, "jne"));
	CHECK(fuses(zen4, "xor", 3, "je") && fuses(zen4, "or", 2, "jne") && !fuses(zen, "or", 2, "je"));
	CHECK(fuses(zen, "cmp", 3, "je"));
}
