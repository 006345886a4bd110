/* Output: numbers, buffering, JSON strings, sticky errors. */
#include "base/fmt.h"
#include "t.h"

#include <arpa/inet.h>

static const char *shown;

#define SHOW(...) \
	do { \
		struct mem_out m; \
		struct out *o = &m.out; \
		mem_out_init(&m); \
		__VA_ARGS__; \
		shown = strdup(mem_out_str(&m)); \
		mem_out_deinit(&m); \
	} while (0)

TEST(fmt_numbers)
{
	SHOW(out_u64(o, UINT64_MAX); out_char(o, ' '); out_i64(o, INT64_MIN); out_char(o, ' '); out_hex(o, 0xdeadbeef));
	CHECK_STR(shown, "18446744073709551615 -9223372036854775808 deadbeef");
	SHOW(out_u64w(o, 42, 6); out_zero(o, 7, 3); out_hexw(o, 0xa, 4); out_u64w(o, 1234, 2));
	CHECK_STR(shown, "    42007   a1234");
	SHOW(out_point(o, 12345, 3, 9); out_point(o, 7, 6, 0); out_point(o, 99, 1, 4);
	     out_point(o, UINT64_MAX, 18, 24));
	CHECK_STR(shown, "   12.3450.000007 9.9   18.446744073709551615");
	SHOW(out_grouped(o, 0); out_char(o, ' '); out_grouped(o, 999); out_char(o, ' '); out_grouped(o, 1234567));
	CHECK_STR(shown, "0 999 1,234,567");
}

/* A condition of a trigger may be as long as a page: nothing is cut. */
TEST(fmt_printf_has_no_limit)
{
	static char text[100001];

	memset(text, 'x', sizeof(text) - 1);
	for (size_t n = 1020; n <= 1026; n++) {
		text[n] = '\0';
		SHOW(out_printf(o, "%s", text));
		CHECK_STR(shown, text);
		text[n] = 'x';
	}
	SHOW(out_printf(o, "%s", text));
	CHECK_STR(shown, text);
}

TEST(fmt_bytes_has_three_digits)
{
	char b[32];

	CHECK_STR(fmt_bytes(b, sizeof(b), 512), "512 B");
	CHECK_STR(fmt_bytes(b, sizeof(b), 1536), "1.50 KB");
	CHECK_STR(fmt_bytes(b, sizeof(b), 83 * 1048576), "83.0 MB");
	CHECK_STR(fmt_bytes(b, sizeof(b), UINT64_C(1) << 40), "1.00 TB");
}

/* The examples of RFC 5952; any other text must be read as the same address. */
TEST(fmt_ip_addresses)
{
	static const char *const texts[] = {
		"::", "::1", "1::", "2001:db8::1", "2001:db8::1:0:0:1", "2001:db8:0:1:1:1:1:1", "2001:0:0:1::1",
		"fe80::a:b", "::ffff:192.0.2.128", "fe80::200:5efe:10.0.0.1", "1:2:3:4:5:6:7:8", "1:0:3:4:5:6:7:0",
	};
	uint8_t p[16], back[16];
	uint32_t state = 1;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		CHECK_EQ(inet_pton(AF_INET6, texts[i], p), 1);
		SHOW(out_ip6(o, p));
		CHECK_STR(shown, texts[i]);
	}
	for (size_t i = 0; i < 2000; i++) {
		for (size_t k = 0; k < sizeof(p); k++) {
			state = state * 1103515245 + 12345;
			p[k] = state >> 28 > 8 ? (uint8_t)(state >> 16) : 0;
		}
		SHOW(out_ip6(o, p));
		CHECK_EQ(inet_pton(AF_INET6, shown, back), 1);
		CHECK(!memcmp(p, back, sizeof(p)));
	}
	SHOW(out_ip4(o, (const uint8_t[]){ 192, 0, 2, 255 }));
	CHECK_STR(shown, "192.0.2.255");
}

TEST(fmt_json_escapes_and_repairs)
{
	SHOW(out_json(o, SV("a\"b\\c\n\x01\x7f")));
	CHECK_STR(shown, "\"a\\\"b\\\\c\\u000a\\u0001\\u007f\"");
	SHOW(out_json(o, SV("gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80")));
	CHECK_STR(shown, "\"gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80\"");
	/* Cut, overlong, surrogate, beyond U+10FFFF. */
	SHOW(out_json(o, SV("\xc3")));
	CHECK_STR(shown, "\"\\ufffd\"");
	SHOW(out_json(o, SV("\xc0\x80")));
	CHECK_STR(shown, "\"\\ufffd\\ufffd\"");
	SHOW(out_json(o, SV("\xed\xa0\x80")));
	CHECK_STR(shown, "\"\\ufffd\\ufffd\\ufffd\"");
	SHOW(out_json(o, SV("\xf4\x90\x80\x80")));
	CHECK_STR(shown, "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
}

struct far_end {
	size_t calls, bytes, fail_at;
};

static int far_write(void *arg, const char *bytes, size_t n)
{
	struct far_end *f = arg;

	(void)bytes;
	f->calls++;
	f->bytes += n;
	return f->calls >= f->fail_at ? -ENOSPC : 0;
}

TEST(fmt_hands_over_full_buffers_and_keeps_the_first_error)
{
	char buf[16];
	struct far_end f = { .fail_at = 3 };
	struct out o = { .write = far_write, .arg = &f, .buf = buf, .cap = sizeof(buf) };

	out_str(&o, "0123456789");
	CHECK_EQ(f.calls, 0);
	out_str(&o, "0123456789");
	CHECK_EQ(f.bytes, 10);
	out_bytes(&o, "this is longer than the buffer", 30);
	CHECK_EQ(f.calls, 3);
	CHECK_EQ(o.error, -ENOSPC);
	out_str(&o, "0123456789012345");
	out_flush(&o);
	CHECK_EQ(f.calls, 3);
	CHECK_EQ(o.total, 66);
}

static const char *on_terminal(struct mem_out *m, const char *text, size_t piece)
{
	size_t n = strlen(text);

	mem_out_init(m);
	m->out.terminal = true;
	for (size_t i = 0; i < n; i += piece) {
		size_t left = n - i;

		out_bytes(&m->out, text + i, MIN(piece, left));
		out_flush(&m->out);
	}
	out_end(&m->out);
	return mem_out_str(m);
}

TEST(fmt_a_terminal_gets_no_control_characters)
{
	static const struct {
		const char *text, *shown;
	} is[] = {
		{ "a\tb\n", "a\tb\n" },
		{ "\x1b[31mred\x07\r\x7f", "\\x1b[31mred\\x07\\x0d\\x7f" },
		{ "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80" },
		{ "\x9b" "31m\xff", "\\x9b31m\\xff" },
		{ "\xc2\x9b" "31m \xc2\xa0", "\\xc2\\x9b31m \xc2\xa0" },
		/* Overlong, a surrogate, cut, and one cut in front of another. */
		{ "\xc0\x9b \xe0\x82\x9b \xed\xa0\x80", "\\xc0\\x9b \\xe0\\x82\\x9b \\xed\\xa0\\x80" },
		{ "\xe2\x82", "\\xe2\\x82" },
		{ "\xe2\x82\xc3\xa9\xe2\x1b", "\\xe2\\x82\xc3\xa9\\xe2\\x1b" },
	};
	struct mem_out m;

	for (size_t i = 0; i < ARRAY_SIZE(is); i++)
		for (size_t piece = 1; piece < 20; piece++) {
			CHECK_STR(on_terminal(&m, is[i].text, piece), is[i].shown);
			mem_out_deinit(&m);
		}
}

TEST(fmt_pieces_of_all_kinds_keep_their_order_on_a_terminal)
{
	struct mem_out m;

	mem_out_init(&m);
	m.out.terminal = true;
	out_char(&m.out, '\xe2');
	out_fill(&m.out, '.', 3);
	out_u64w(&m.out, 7, 3);
	out_left(&m.out, "\x1b", 3);
	out_char(&m.out, '\xe2');
	out_control(&m.out, "\x1b[m");
	out_printf(&m.out, "%s", "\x1b");
	out_end(&m.out);
	CHECK_STR(mem_out_str(&m), "\\xe2...  7\\x1b  \\xe2\x1b[m\\x1b");
	mem_out_deinit(&m);
}

/* What is rounded at once is what each digit worked out comes to; halves, and what is next to them, are among it. */
TEST(fmt_near_is_rounded_as_digits_are)
{
	uint64_t seed = 3;

	for (int i = 0; i < 40000; i++) {
		unsigned prec = (unsigned)i % 5, width = (unsigned)i % 9;
		const char *near;
		double v;

		seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		v = (double)(seed >> 40) / (i % 3 ? 2000 : (double)(seed % 997 + 1));
		v = i % 7 ? v : -v;
		v = i % 11 ? v : __builtin_nextafter(v, i % 2 ? 0 : 1e9);
		SHOW(out_near(o, v, width, prec));
		near = shown;
		SHOW(out_printf(o, "%*.*f", (int)width, (int)prec, v));
		CHECK_STR(near, shown);
		free((void *)(uintptr_t)near);
		free((void *)(uintptr_t)shown);
	}
	SHOW(out_near(o, -0.0, 0, 2); out_near(o, __builtin_inf(), 6, 1); out_near(o, __builtin_nan(""), 0, 0));
	CHECK_STR(shown, "-0.00   infnan");
}
