/* test_text_view.c - keys where instructions are looked at. */
#include "cmd/annotate/code_keys.h"
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

/* "@NAME": in another file. */
static const char *called(struct text_view *t, size_t line, char name[LISTING_NAME + 1])
{
	bool near = false;

	t->list.selected = line;
	name[0] = '@';
	if (!text_view_calls(t, KEY_ENTER, name + 1, LISTING_NAME, &near))
		return "nothing";
	return name + near;
}

TEST(text_view_tells_what_is_called)
{
	static const char calls[] =
		" : 5      0000000000401130 <work>:\n"
		"  10.00  :   401130: bl      402000 <other>\n"
		"   0.00  :   401134: call    402010 <malloc@plt>\n"
		"   0.00  :   401138: b.ne    402004 <std::pair<int, A>::swap(A)+0x4> // a.c:3\n"
		"   0.00  :   40113c: 94 0a   bl      402000 <operator+(A)>\n"
		"   0.00  :   401140: adrp    x0, 402000 <other>\n"
		"   0.00  :   401144: bl      401130 <work>\n"
		"   0.00  :   401148: blr     x1\n"
		"   0.00  :   40114c: jmp     402000 <\n";
	struct text_view t;
	char name[LISTING_NAME + 1];

	open_text(&t, calls);
	CHECK_STR(called(&t, 0, name), "nothing");
	CHECK_STR(called(&t, 1, name), "other");
	CHECK_STR(called(&t, 2, name), "@malloc");
	CHECK_STR(called(&t, 3, name), "std::pair<int, A>::swap(A)");
	CHECK_STR(called(&t, 4, name), "operator+(A)");
	for (size_t i = 5; i < 10; i++)
		CHECK_STR(called(&t, i, name), "nothing");
	t.typing = true;
	CHECK_STR(called(&t, 1, name), "nothing");
	text_view_close(&t);
}

/* As it is painted. */
static const char *line_as(const struct text_view *t, size_t i, const struct insn_form *f, struct mem_out *m)
{
	struct sv line = { t->m.v + t->starts.v[i], t->starts.v[i + 1] - 1 - t->starts.v[i] };

	m->n = m->out.n = 0;
	insn_lines_put(&t->insns, insn_lines_at(&t->insns, i), f, line, &m->out);
	return mem_out_str(m);
}

TEST(code_keys_choose_what_stands_in_front)
{
	struct insn_form f = { .level = INSN_ADDRESSES };
	struct text_view t;
	struct mem_out m;

	mem_out_init(&m);
	open_text(&t, listing);
	CHECK(!insn_lines_at(&t.insns, 0) && !insn_lines_at(&t.insns, 3) && !insn_lines_at(&t.insns, 5));
	CHECK(!insn_lines_at(&t.insns, 11));
	CHECK_STR(line_as(&t, 6, &f, &m), "   10.00   20.00 :   401132: jne     401140 <work+0x10>");
	CHECK(code_keys_act(&t, &f, NULL, 'O'));
	CHECK_STR(line_as(&t, 6, &f, &m), "   10.00   20.00 :        2: jne     401140 <work+0x10>");
	CHECK_STR(line_as(&t, 7, &f, &m), "   40.00    0.00 :           lock cmpxchg %eax,(%rbx)");
	CHECK_STR(line_as(&t, 9, &f, &m), "    5.00    1.00 :       10: call    402000 <other>");
	CHECK_STR(line_as(&t, 10, &f, &m), "    0.00    0.00 :           ret");
	CHECK(code_keys_act(&t, &f, NULL, 'f'));
	CHECK_STR(line_as(&t, 6, &f, &m), "   10.00   20.00 :   401132: jne     401140 <work+0x10>");
	CHECK_STR(line_as(&t, 7, &f, &m), "   40.00    0.00 :           lock cmpxchg %eax,(%rbx)");
	CHECK(code_keys_act(&t, &f, NULL, 'f') && code_keys_act(&t, &f, NULL, 'J'));
	CHECK_STR(line_as(&t, 6, &f, &m), "   10.00   20.00 : 1      2: jne     401140 <work+0x10>");
	CHECK_STR(line_as(&t, 10, &f, &m), "    0.00    0.00 :           ret");
	CHECK(code_keys_act(&t, &f, NULL, 'J') && code_keys_act(&t, &f, NULL, 'O') && f.level == INSN_AT_CALLS);
	CHECK(code_keys_act(&t, &f, NULL, 'O'));
	CHECK_STR(line_as(&t, 10, &f, &m), "    0.00    0.00 :       16: ret");
	CHECK(code_keys_act(&t, &f, NULL, 'O'));
	CHECK_STR(line_as(&t, 10, &f, &m), "    0.00    0.00 :   401146: ret");
	/* From whole addresses: offsets at all. */
	CHECK(code_keys_act(&t, &f, NULL, 'f') && f.level == INSN_AT_ALL && !f.full);
	text_view_close(&t);
	mem_out_deinit(&m);
}

/* Jumps from another function are not counted, nor what only names an address. */
TEST(insn_lines_tell_jumps_from_calls)
{
	static const char two[] =
		" : 5      0000000000400100 <f>:\n"
		" 0 :   400100: bl      400104 <f+0x4>\n"
		" 0 :   400104: cbz     x0, 40010c <f+0xc>\n"
		" 0 :   400108: adr     x0, 40010c <f+0xc>\n"
		" 0 :   40010c: b       400200 <g>\n"
		" : 5      0000000000400200 <g>:\n"
		" 0 :   400200: b.ne    400204 <g+0x4>\n"
		" 0 :   400204: tbnz    w0, #2, 400204 <g+0x4>\n"
		" 0 :   400208: ret\n";
	static const struct { size_t line; uint32_t jumps; } want[] = {
		{ 1, 0 }, { 2, 0 }, { 3, 0 }, { 4, 1 }, { 6, 0 }, { 7, 2 }, { 8, 0 },
	};
	struct insn_form f = { .level = INSN_AT_CALLS };
	struct text_view t;
	struct mem_out m;

	mem_out_init(&m);
	open_text(&t, two);
	CHECK_EQ(insn_lines_at(&t.insns, 1)->kind, INSN_CALL);
	CHECK_EQ(insn_lines_at(&t.insns, 2)->kind, INSN_JUMP);
	CHECK_EQ(insn_lines_at(&t.insns, 3)->kind, INSN_OTHER);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		CHECK_EQ(insn_lines_at(&t.insns, want[i].line)->jumps, want[i].jumps);
	CHECK_STR(line_as(&t, 1, &f, &m), " 0 :        0: bl      400104 <f+0x4>");
	CHECK_STR(line_as(&t, 2, &f, &m), " 0 :           cbz     x0, 40010c <f+0xc>");
	CHECK_STR(line_as(&t, 7, &f, &m), " 0 :        4: tbnz    w0, #2, 400204 <g+0x4>");
	text_view_close(&t);
	mem_out_deinit(&m);
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
	out_str(text_view_again(&t, "work"),
		"head\n : 5  401130 <work>:\n 1 :   401130: cmp a\n 2 :   40113a: jmp b\n");
	CHECK_EQ(text_view_end(&t), 0);
	CHECK_EQ(t.list.selected, 3);
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
