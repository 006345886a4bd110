/* Untrusted names as text, and the JSON writer. */
#include "show/json.h"
#include "show/text.h"
#include "tests/t.h"

static struct sv guarded(const char *s)
{
	size_t n = strlen(s);

	return (struct sv){ guard_dup(s, n), n };
}

static void check_text(const char *in, size_t columns, enum text_as as, const char *want)
{
	struct mem_out m;

	mem_out_init(&m);
	text_put(&m.out, guarded(in), columns, as);
	CHECK_STR(mem_out_str(&m), want);
	mem_out_deinit(&m);
}

#define BAD "\xef\xbf\xbd"
#define MORE "\xe2\x80\xa6"

TEST(text_decodes_utf8_by_rfc_3629)
{
	static const struct {
		const char *bytes;
		uint32_t cp;
		size_t taken;
	} v[] = {
		{ "a", 'a', 1 }, { "\x7f", 0x7f, 1 }, { "\xc2\x80", 0x80, 2 },
		{ "\xdf\xbf", 0x7ff, 2 }, { "\xe0\xa0\x80", 0x800, 3 },
		{ "\xed\x9f\xbf", 0xd7ff, 3 }, { "\xee\x80\x80", 0xe000, 3 },
		{ "\xef\xbf\xbf", 0xffff, 3 }, { "\xf0\x90\x80\x80", 0x10000, 4 },
		{ "\xf4\x8f\xbf\xbf", 0x10ffff, 4 },
		/* lone continuation, overlong, surrogate */
		{ "\x80", 0xfffd, 1 }, { "\xc0\x80", 0xfffd, 1 }, { "\xc1\xbf", 0xfffd, 1 },
		{ "\xe0\x9f\xbf", 0xfffd, 1 }, { "\xed\xa0\x80", 0xfffd, 1 },
		{ "\xf0\x8f\xbf\xbf", 0xfffd, 1 },
		/* beyond the end of Unicode, cut, never valid */
		{ "\xf4\x90\x80\x80", 0xfffd, 1 }, { "\xe2\x82", 0xfffd, 1 }, { "\xc3", 0xfffd, 1 },
		{ "\xf8\x88\x80\x80\x80", 0xfffd, 1 }, { "\xff", 0xfffd, 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct sv s = guarded(v[i].bytes);
		size_t n = s.n;

		CHECK_EQ(text_next(&s), v[i].cp);
		CHECK_EQ(n - s.n, v[i].taken);
	}
}

TEST(text_cannot_drive_the_terminal)
{
	check_text("a\x1b[31mb\r\n\x7f", TEXT_ALL, TEXT_PLAIN, "a?[31mb???");
	check_text("\xc2\x9b" "2J", TEXT_ALL, TEXT_PLAIN, "?2J");
	check_text("x\xff", TEXT_ALL, TEXT_PLAIN, "x" BAD);
}

TEST(text_is_escaped_for_xml)
{
	check_text("<&>\"'", TEXT_ALL, TEXT_XML, "&lt;&amp;&gt;&quot;'");
	check_text("\x01\n\xef\xbf\xbf", TEXT_ALL, TEXT_XML, BAD BAD BAD);
}

TEST(text_is_cut_by_columns)
{
	check_text("abcdef", 6, TEXT_PLAIN, "abcdef");
	check_text("abcdef", 5, TEXT_PLAIN, "abcd" MORE);
	check_text("abcdef", 1, TEXT_PLAIN, MORE);
	check_text("abcdef", 0, TEXT_PLAIN, "");
	check_text("\xe6\x97\xa5\xe6\x9c\xac", 4, TEXT_PLAIN, "\xe6\x97\xa5\xe6\x9c\xac");
	check_text("\xe6\x97\xa5\xe6\x9c\xac", 3, TEXT_PLAIN, "\xe6\x97\xa5" MORE);
	check_text("\xe6\x97\xa5\xe6\x9c\xac", 2, TEXT_PLAIN, MORE);
	check_text("<<<", 2, TEXT_XML, "&lt;" MORE);
	CHECK_EQ(text_columns(SV("a\xc3\xb6\xe6\x97\xa5\xff")), 5);
}

enum color { PLAIN, COLOR };

static void check_percent(enum color color, double v, const char *want)
{
	struct mem_out m;

	mem_out_init(&m);
	m.out.color = color == COLOR;
	text_percent(&m.out, v, 8);
	CHECK_STR(mem_out_str(&m), want);
	mem_out_deinit(&m);
}

TEST(text_percent_is_coloured_by_weight)
{
	check_percent(PLAIN, 12.345, "  12.35%");
	check_percent(COLOR, 5, "   \x1b[31m5.00%\x1b[m");
	check_percent(COLOR, 4.99, "   \x1b[32m4.99%\x1b[m");
	check_percent(COLOR, 0.5, "   0.50%");
}

TEST(json_puts_the_commas_in)
{
	struct mem_out m;

	mem_out_init(&m);

	struct json j = json_on(&m.out);

	json_begin_object(&j);
	json_key(&j, "a\"");
	json_begin_array(&j);
	json_u64(&j, UINT64_MAX);
	json_i64(&j, INT64_MIN);
	json_begin_array(&j);
	json_end(&j);
	json_begin_object(&j);
	json_end(&j);
	json_str(&j, SV("x\n\xff"));
	json_end(&j);
	json_key(&j, "b");
	json_fixed(&j, 0.0 / 0.0, 2);
	json_key(&j, "c");
	json_fixed(&j, 2.0 / 3, 2);
	json_end(&j);
	CHECK_STR(mem_out_str(&m),
		  "{\"a\\\"\":[18446744073709551615,-9223372036854775808,[],{},"
		  "\"x\\u000a\\ufffd\"],"
		  "\"b\":null,\"c\":0.67}");
	CHECK_EQ(m.out.error, 0);
	mem_out_deinit(&m);
}

TEST(json_lines_separate_members)
{
	struct mem_out m;

	mem_out_init(&m);

	struct json j = json_on(&m.out);

	json_begin_array(&j);
	for (unsigned i = 1; i <= 3; i++) {
		json_line(&j);
		json_u64(&j, i);
	}
	json_end(&j);
	CHECK_STR(mem_out_str(&m), "[\n1,\n2,\n3]");
	mem_out_deinit(&m);
}

TEST(json_misuse_is_an_error_of_the_stream)
{
	struct mem_out m;

	mem_out_init(&m);

	struct json j = json_on(&m.out);

	for (unsigned i = 0; i < 64; i++)
		json_begin_array(&j);
	for (unsigned i = 0; i < 64; i++)
		json_end(&j);
	CHECK_EQ(m.out.error, 0);
	json_end(&j);
	CHECK_EQ(m.out.error, -EOVERFLOW);
	m.out.error = 0;
	for (unsigned i = 0; i < 65; i++)
		json_begin_array(&j);
	CHECK_EQ(m.out.error, -EOVERFLOW);
	mem_out_deinit(&m);
}
