/*
 * tracefs/print: texts of records, against those that a kernel printed, and the language of print fmts piece by
 * piece.
 */
#include "tracefs/format/events.h"

#include "t.h"

/*
 * data/formats/records.txt: "symbol ADDR NAME OFFSET SIZE MODULE", "string ADDR TEXT", "event SYSTEM/NAME", "raw
 * HEX", "text TEXT".
 */
struct known {
	uint64_t addr, offset, size;
	char name[64];
};

struct golden {
	struct tevents t;
	struct known symbols[64];
	size_t n_symbols, n_checked;
	struct tevent *ev;
	uint8_t raw[512];
	size_t n_raw;
};

static bool find_symbol(void *arg, uint64_t addr, struct tprint_symbol *s)
{
	const struct golden *g = arg;

	for (size_t i = 0; i < g->n_symbols; i++) {
		const struct known *k = &g->symbols[i];

		if (k->addr == addr) {
			*s = (struct tprint_symbol){ .name = k->name, .offset = k->offset, .size = k->size };
			return true;
		}
	}
	return false;
}

static const char *find_string(void *arg, uint64_t addr)
{
	return tevents_string(&((struct golden *)arg)->t, addr);
}

static void load_event(struct golden *g, const char *full)
{
	const char *name = strchr(full, '/') + 1;
	char path[128];
	size_t n;
	struct err e = { 0 };

	snprintf(path, sizeof(path), "data/formats/%s", name);

	char *text = t_read(path, &n);
	struct sv system = { full, (size_t)(name - full - 1) };

	CHECK_EQ(tevents_add(&g->t, system, (struct sv){ text, n }, &e), 0);
	g->ev = tevents_by_name(&g->t, system, sv_from(name));
	CHECK(g->ev != NULL);
	free(text);
}

static void load_raw(struct golden *g, const char *hex)
{
	uint64_t v;

	for (g->n_raw = 0; hex[0] && hex[1] && g->n_raw < sizeof(g->raw); hex += 2) {
		CHECK(str_u64((struct sv){ hex, 2 }, 16, &v));
		g->raw[g->n_raw++] = (uint8_t)v;
	}
}

static void check_text(struct golden *g, const char *want)
{
	struct tprint_names names = { g, find_symbol, find_string };
	struct mem_out m;

	CHECK(tevents_of(&g->t, g->raw, g->n_raw) == g->ev);
	mem_out_init(&m);
	tprint_record(tevents_print(&g->t, g->ev), &names, guard_dup(g->raw, g->n_raw), g->n_raw, &m.out);
	CHECK_STR(sv_trim(sv_from(mem_out_str(&m))).n ? mem_out_str(&m) : "", want);
	mem_out_deinit(&m);
	g->n_checked++;
}

static void golden_line(struct golden *g, char *line)
{
	char *at = strchr(line, ' ');
	struct known *k = &g->symbols[g->n_symbols];
	unsigned long long addr, offset, size;
	char text[256];

	if (!at || line[0] == '#')
		return;
	*at++ = '\0';
	if (!strcmp(line, "symbol")) {
		CHECK_EQ(sscanf(at, "%llx %63s %llx %llx", &addr, k->name, &offset, &size), 4);
		k->addr = addr;
		k->offset = offset;
		k->size = size;
		g->n_symbols++;
		CHECK(g->n_symbols < ARRAY_SIZE(g->symbols));
	} else if (!strcmp(line, "string")) {
		snprintf(text, sizeof(text), "0x%.16s : \"%s\"\n", at, at + 17);
		CHECK_EQ(tevents_add_printk(&g->t, sv_from(text)), 0);
	} else if (!strcmp(line, "event")) {
		load_event(g, at);
	} else if (!strcmp(line, "raw")) {
		load_raw(g, at);
	} else if (!strcmp(line, "text")) {
		check_text(g, at);
	}
}

TEST(tprint_agrees_with_the_kernels_own_text)
{
	static struct golden g;
	char *text = t_read("data/formats/records.txt", NULL), *end;

	tevents_init(&g.t, (struct tmachine){ .long_size = 8 });
	for (char *line = text; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		golden_line(&g, line);
	}
	CHECK_EQ(g.n_checked, 49);
	tevents_deinit(&g.t);
	free(text);
}

TEST(tprint_of_cut_records_stays_inside_them)
{
	static struct golden g;
	char *text = t_read("data/formats/records.txt", NULL), *end;

	tevents_init(&g.t, (struct tmachine){ .long_size = 8 });
	for (char *line = text; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		if (strncmp(line, "text ", 5)) {
			golden_line(&g, line);
			continue;
		}
		for (size_t n = 0; n < g.n_raw; n++) {
			struct mem_out m;

			mem_out_init(&m);
			tprint_record(tevents_print(&g.t, g.ev), NULL, guard_dup(g.raw, n), n, &m.out);
			tprint_fields(&g.ev->fmt, guard_dup(g.raw, n), n, &m.out);
			mem_out_deinit(&m);
		}
	}
	tevents_deinit(&g.t);
	free(text);
}

/*
 * Small events: one field of each kind and the given print fmt.
 *  4 int i = -3    8 u64 u = 0x1122334455667788    16 char s[8] = "abc"    24 __data_loc char[] d = "dyn" at 48
 * 28 __rel_loc u16 r[] = { 0x10, 0x20 } at 52      32 u8 m[6] = 1..6       40 u32 w = 0xfffffffe    44 u8 b = 200
 */
static const char fields[] =
	"name: e\nID: 7\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	"\tfield:int i;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\tfield:u64 u;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:char s[8];\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc char[] d;\toffset:24;\tsize:4;\tsigned:0;\n"
	"\tfield:__rel_loc u16 r[];\toffset:28;\tsize:4;\tsigned:0;\n"
	"\tfield:u8 m[6];\toffset:32;\tsize:6;\tsigned:0;\n"
	"\tfield:u32 w;\toffset:40;\tsize:4;\tsigned:0;\n"
	"\tfield:u8 b;\toffset:44;\tsize:1;\tsigned:0;\n"
	"\nprint fmt: ";

static const uint8_t record[56] = {
	7, 0, 0, 0, 0xfd, 0xff, 0xff, 0xff, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11,
	'a', 'b', 'c', 0, 'x', 'x', 'x', 'x', 48, 0, 4, 0, 20, 0, 4, 0,
	1, 2, 3, 4, 5, 6, 0, 0, 0xfe, 0xff, 0xff, 0xff, 200, 0, 0, 0,
	'd', 'y', 'n', 0, 0x10, 0, 0x20, 0,
};

static enum tprint_state state;
static char reason[128];

static const char *render_of(const char *print, const uint8_t *raw, struct tmachine machine)
{
	static char got[2048];
	struct arena a = { 0 };
	struct mem_out m;
	struct tfmt f;
	char text[4096];
	struct tprint *p;

	snprintf(text, sizeof(text), "%s%s\n", fields, print);
	CHECK_EQ(tfmt_parse(&f, &a, sv_from(text), machine, NULL), 0);
	p = tprint_new(&f, &a);
	state = tprint_state(p);
	str_copy(reason, sizeof(reason), sv_from(tprint_reason(p)));
	mem_out_init(&m);
	tprint_record(p, NULL, guard_dup(raw, sizeof(record)), sizeof(record), &m.out);
	str_copy(got, sizeof(got), sv_from(mem_out_str(&m)));
	mem_out_deinit(&m);
	arena_deinit(&a);
	return got;
}

static const char *render(const char *print)
{
	return render_of(print, record, (struct tmachine){ .long_size = 8 });
}

#define WHOLE(print, want) \
	do { \
		CHECK_STR(render(print), want); \
		CHECK_EQ(state, TPRINT_WHOLE); \
		CHECK_STR(reason, ""); \
	} while (0)

TEST(tprint_computes_as_c_does)
{
	WHOLE("\"%d %u %x\", REC->i, REC->i, REC->i", "-3 4294967293 fffffffd");
	WHOLE("\"%llx %lld\", REC->u, REC->u", "1122334455667788 1234605616436508552");
	WHOLE("\"%d\", REC->i < 0", "1");
	WHOLE("\"%d\", REC->i < 0U", "0");                       /* int meets unsigned */
	WHOLE("\"%d\", REC->i < REC->w", "1");                   /* 0xfffffffd < 0xfffffffe */
	WHOLE("\"%lld\", REC->w + 3", "1");                      /* wraps at 32 bits */
	WHOLE("\"%lld\", REC->w + 3UL", "4294967297");
	WHOLE("\"%lld\", (long)REC->w + 3", "4294967297");
	WHOLE("\"%d\", (char)REC->b", "-56");
	WHOLE("\"%d\", (u8)REC->i", "253");
	WHOLE("\"%d %d\", REC->i / 2, REC->i % 2", "-1 -1");
	WHOLE("\"%d %d\", REC->i >> 1, -7 >> 1", "-2 -4");
	WHOLE("\"%llx\", ~0U", "ffffffff");
	WHOLE("\"%llx\", ~0UL", "ffffffffffffffff");
	WHOLE("\"%lld\", 1 << 31", "-2147483648");
	WHOLE("\"%llx\", 0x80000000", "80000000");
	WHOLE("\"%d\", 2 + 3 * 4 - 10 / 2 % 3", "12");
	WHOLE("\"%d\", 1 | 2 ^ 3 & 5 == 5 << 1 < 4", "3");
	WHOLE("\"%d\", !REC->i || REC->b && 0", "0");
	WHOLE("\"%s\", REC->i > 0 ? \"pos\" : REC->i ? \"neg\" : \"zero\"", "neg");
	WHOLE("\"%d\", REC->b ?: 5", "200");
	WHOLE("\"%c%c\", 'a', '\\x41'", "aA");
	WHOLE("\"%zu %zu %zu\", sizeof(REC->s), sizeof(u32), sizeof(void *)", "8 4 8");
	WHOLE("\"%x\", ((u16 *)REC->m)[1]", "403");
	WHOLE("\"%x\", *(u32 *)&REC->m[1]", "5040302");
	WHOLE("\"%d\", REC->m[5] + (REC)->m[0]", "7");
	WHOLE("\"%x\", __fswab16(REC->w)", "feff");
	WHOLE("\"%lx\", REC->u & (((1UL) << (12)) - 1)", "788");
	WHOLE("\"%u\", __builtin_constant_p(REC->b) ? 1 : __builtin_expect(!!(REC->b), 1)", "1");
	WHOLE("\"%x\", ((( __u32)(__be32)(REC->w)))", "fffffffe");
	WHOLE("\"%d %d\", ({ int x = (REC->b); int y = (128); ((x) < (y) ? (x) : (y)); }), REC->i", "128 -3");
	WHOLE("\"%d\", ({ int x = 2; unsigned long y = ({ int x = x + 5; x; }); x * y; })", "14");
}

TEST(tprint_lays_out_as_printf_does)
{
	WHOLE("\"[%5d|%-5d|%05d|%+d]\", 42, 42, -42, 42", "[   42|42   |-0042|+42]");
	WHOLE("\"[%#x|%#o|%08x|%.4x|%8.3d]\", 255, 8, 255, 255, 7", "[0xff|010|000000ff|00ff|     007]");
	WHOLE("\"[%X|%hhx|%hx|%02x]\", 0xabc, 0x1ff, 0x1ffff, 5", "[ABC|ff|ffff|05]");
	WHOLE("\"[%s|%6s|%-6s|%.2s|%*s|%.*s]\", REC->s, REC->s, REC->s, REC->s, 5, REC->s, 1, REC->s",
	      "[abc|   abc|abc   |ab|  abc|a]");
	WHOLE("\"100%% \" \"%d\" \"\\t\\\"\\\\\", 1", "100% 1\t\"\\");
	WHOLE("\"[%6s|%-6s|%.3s]\", __print_symbolic(REC->b, { 200, \"yes\" }), "
	      "__print_flags(3, \"|\", {1, \"a\"}, {2, \"b\"}), __print_hex(REC->m, 6)", "[   yes|a|b   |01 ]");
	WHOLE("\"%p %p\", REC->u, (void *)0", "0x1122334455667788 (nil)");
	WHOLE("\"%Lu %Lx\", REC->u, REC->u", "1234605616436508552 1122334455667788");
}

TEST(tprint_helpers)
{
	WHOLE("\"%s %s\", __get_str(d), REC->s", "dyn abc");
	WHOLE("\"%s\", __print_flags(0, \"|\", {1, \"a\"})", "");
	WHOLE("\"%s\", __print_flags(13, \"|\", {1, \"a\"}, {4, \"c\"})", "a|c|0x8");
	WHOLE("\"%s\", __print_flags(8, \"|\", {1, \"a\"}, )", "0x8");
	WHOLE("\"%s\", __print_flags(7, \"\", {3, \"x\"}, {1, \"y\"}, {4, \"z\"})", "xz");
	WHOLE("\"%s\", __print_symbolic(REC->i, {-3, \"minus\" \" three\"}, {0, \"zero\"})", "minus three");
	WHOLE("\"%s\", __print_symbolic(REC->b, {1, \"one\"})", "0xc8");
	WHOLE("\"%s\", __print_symbolic(REC->b, {200, \"\"})", "0xc8");
	WHOLE("\"%s %s\", __print_hex(REC->m, 3), __print_hex_str(REC->m, 6)", "01 02 03 010203040506");
	WHOLE("\"%s\", __print_array(__get_rel_dynamic_array(r), __get_rel_dynamic_array_len(r) / 2, 2)",
	      "{0x10,0x20}");
	WHOLE("\"%s\", __print_array(REC->m, 100, sizeof(u16))", "{0x201,0x403,0x605}");
	WHOLE("\"%s\", __print_dynamic_array(r, 2)", "{0x10,0x20}");
	WHOLE("\"%d\", __get_dynamic_array_len(d)", "4");
	WHOLE("\"%x\", ((u16 *)__get_rel_dynamic_array(r))[1]", "20");
	WHOLE("\"%llu.%09u\", __print_ns_to_secs(5000000007ULL), __print_ns_without_secs(5000000007ULL)",
	      "5.000000007");
	WHOLE("\"%s\", __get_bitmask(d)", "");   /* four bytes are no long */
	WHOLE("\"%s\", __print_hex_dump(\"p: \", 2, 16, 1, REC->m, 6, false)", "\np: 00000000: 01 02 03 04 05 06");
}

TEST(tprint_pointer_extensions)
{
	WHOLE("\"%pM %pm %pMR %pMF\", REC->m, REC->m, REC->m, REC->m",
	      "01:02:03:04:05:06 010203040506 06:05:04:03:02:01 01-02-03-04-05-06");
	WHOLE("\"%pI4 %pi4 %pI4l\", &REC->w, REC->m, REC->m", "254.255.255.255 001.002.003.004 4.3.2.1");
	WHOLE("\"%*ph %*phC %*phN\", 3, REC->m, 2, REC->m, 6, REC->m", "01 02 03 01:02 010203040506");
	WHOLE("\"%6phD\", REC->m", "01-02-03-04-05-06");
	WHOLE("\"%*pbl %*pb\", 64, &REC->u, 12, &REC->u",
	      "3,7-10,12-14,17-18,21-22,24,26,28,30,34,38,40-41,44-45,49,53,56,60 788");
	WHOLE("\"%pad\", &REC->u", "0x1122334455667788");
	WHOLE("\"%ps %pS\", REC->u, REC->u", "0x1122334455667788 0x1122334455667788");
}

/* Examples of RFC 5952, sections 4 and 5. */
TEST(tprint_ipv6_addresses)
{
	static const struct { uint8_t a[16]; const char *text; } all[] = {
		{ { 0x20, 1, 0xd, 0xb8, [15] = 1 }, "2001:db8::1" },
		{ { 0x20, 1, 0xd, 0xb8, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1 }, "2001:db8:0:1:1:1:1:1" },
		{ { 0x20, 1, [7] = 1, [14] = 0, 1 }, "2001:0:0:1::1" },
		{ { 0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1 }, "2001:db8::1:0:0:1" },
		{ { 0x20, 1, 0xd, 0xb8, [14] = 0xaa, 0xbb }, "2001:db8::aabb" },
		{ { [10] = 0xff, 0xff, 192, 0, 2, 1 }, "::ffff:192.0.2.1" },
		{ { 0xfe, 0x80, [10] = 0x5e, 0xfe, 192, 0, 2, 1 }, "fe80::5efe:192.0.2.1" },
		{ { 0 }, "::" },
		{ { [0] = 0xff, 2 }, "ff02::" },
	};

	struct tmachine m = { .long_size = 8 };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		uint8_t raw[sizeof(record)];

		memcpy(raw, record, sizeof(raw));
		memcpy(raw + 8, all[i].a, 16);
		/* d: 16 bytes at offset 8 */
		memcpy(raw + 24, "\x08\0\x10\0", 4);
		CHECK_STR(render_of("\"%pI6c\", __get_dynamic_array(d)", raw, m), all[i].text);
	}
	WHOLE("\"%pI6\", __get_dynamic_array(d)", "?");
}

TEST(tprint_socket_addresses)
{
	uint8_t raw[sizeof(record)] = { 7 };
	struct tmachine m = { .long_size = 8 };
	uint16_t four = 2, six = 10;

	memcpy(raw + 24, "\x1c\0\x1c\0", 4);
	memcpy(raw + 28, &four, 2);
	memcpy(raw + 30, "\x1f\x90\x7f\0\0\1", 6);
	CHECK_STR(render_of("\"%pISpc %pIS\", __get_sockaddr(d), __get_sockaddr(d)", raw, m),
		  "127.0.0.1:8080 127.0.0.1");
	memcpy(raw + 28, &six, 2);
	memset(raw + 32, 0, 24);
	raw[51] = 1;
	CHECK_STR(render_of("\"%pISpc %pISc\", __get_sockaddr(d), __get_sockaddr(d)", raw, m), "[::1]:8080 ::1");
	raw[28] = raw[29] = 99;
	CHECK_STR(render_of("\"%pISpc\", __get_sockaddr(d)", raw, m), "(einval)");
}

TEST(tprint_follows_the_writers_machine)
{
	static uint8_t swapped[sizeof(record)];
	struct tmachine narrow = { .long_size = 4 }, foreign = { .long_size = 8, .swap = true };

	CHECK_STR(render_of("\"%lx %llx %lu\", REC->u, REC->u, -1L", record, narrow),
		  "55667788 1122334455667788 4294967295");
	CHECK_STR(render_of("\"%llx %zu\", ~0UL, sizeof(long)", record, narrow), "ffffffff 4");
	memcpy(swapped, record, sizeof(swapped));
	memcpy(swapped + 4, "\xff\xff\xff\xfd\x11\x22\x33\x44\x55\x66\x77\x88", 12);
	memcpy(swapped + 24, "\0\4\0\x30\0\4\0\x14", 8);
	memcpy(swapped + 52, "\0\x10\0\x20", 4);
	CHECK_STR(render_of("\"%d %llx %s %s\", REC->i, REC->u, __get_str(d), __print_dynamic_array(r, 2)", swapped,
			    foreign),
		  "-3 1122334455667788 dyn {0x10,0x20}");
	CHECK_STR(render_of("\"%*pb\", 64, &REC->u", swapped, foreign), "11223344,55667788");
}

/* A text of a probe without a NUL at its end has its length beside it. */
static const char *render_counted(const char *where, const char *print, uint8_t len)
{
	static char got[256];
	uint8_t raw[32] = { 7, [16] = 'h', 'e', 'l', 'l', 'o', 'w' };
	struct arena a = { 0 };
	struct mem_out m;
	struct tfmt f;
	char text[1024];

	raw[24] = len;
	snprintf(text, sizeof(text), "name: e\nID: 7\nformat:\n"
		 "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
		 "\tfield:unsigned long %s;\toffset:8;\tsize:8;\tsigned:0;\n"
		 "\tfield:u8 s[6];\toffset:16;\tsize:6;\tsigned:0;\n"
		 "\tfield:s64 s_len;\toffset:24;\tsize:8;\tsigned:1;\n\nprint fmt: %s\n", where, print);
	CHECK_EQ(tfmt_parse(&f, &a, sv_from(text), (struct tmachine){ .long_size = 8 }, NULL), 0);
	mem_out_init(&m);
	tprint_record(tprint_new(&f, &a), NULL, guard_dup(raw, sizeof(raw)), sizeof(raw), &m.out);
	str_copy(got, sizeof(got), sv_from(mem_out_str(&m)));
	mem_out_deinit(&m);
	arena_deinit(&a);
	return got;
}

TEST(tprint_cuts_a_probes_text_at_its_length)
{
	static const char chars[] = "\"(%lx) s={'%c','%c','%c','%c','%c','%c'} s_len=%lld\", REC->__probe_ip, "
				    "REC->s[0], REC->s[1], REC->s[2], REC->s[3], REC->s[4], REC->s[5], REC->s_len";
	static const char hex[] = "\"s={0x%x,0x%x,0x%x,0x%x,0x%x,0x%x}\", REC->s[0], REC->s[1], REC->s[2], REC->s[3], "
				  "REC->s[4], REC->s[5]";
	static const char others[] = "\"s={'%c','%c'} n=%lld\", REC->s[0], REC->s[1], REC->s_len";

	CHECK_STR(render_counted("__probe_ip", chars, 5), "(0) s=\"hello\" s_len=5");
	CHECK_STR(render_counted("__probe_ip", chars, 0), "(0) s=\"\" s_len=0");
	CHECK_STR(render_counted("__probe_ip", chars, 9), "(0) s=\"hellow\"... s_len=9");
	CHECK_STR(render_counted("__probe_func", hex, 5), "s=\"hello\"");
	CHECK_STR(render_counted("other", hex, 5), "s={0x68,0x65,0x6c,0x6c,0x6f,0x77}");
	CHECK_STR(render_counted("__probe_ip", others, 5), "s={'h','e'} n=5");
}

TEST(tprint_knows_the_sign_that_a_probes_name_tells)
{
	static const struct { const char *where, *type; int size; const char *name, *conv; unsigned raw;
			      const char *want; } all[] = {
		{ "__probe_ip", "u32", 4, "y_s16", "%u", 65531, "(0) y_s16=-5" },
		{ "__probe_ip", "u32", 4, "y_s16", "%u", 5, "(0) y_s16=5" },
		{ "__probe_func", "u8", 1, "tilt_s4", "%u", 13, "(0) tilt_s4=-3" },
		{ "__probe_ip", "u64", 8, "w_s33", "%Lu", 7, "(0) w_s33=7" },
		{ "__probe_ip", "u8", 1, "tilt_s9", "%u", 13, "(0) tilt_s9=13" },
		{ "__probe_ip", "u32", 4, "y_x16", "%u", 65531, "(0) y_x16=65531" },
		{ "__probe_ip", "s32", 4, "y_s16", "%d", 65531, "(0) y_s16=65531" },
		{ "other", "u32", 4, "y_s16", "%u", 65531, "(0) y_s16=65531" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		uint8_t raw[24] = { 7, [16] = all[i].raw & 255, all[i].raw >> 8 & 255 };
		struct arena a = { 0 };
		struct mem_out m;
		struct tfmt f;
		char text[1024];

		snprintf(text, sizeof(text), "name: e\nID: 7\nformat:\n"
			 "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
			 "\tfield:unsigned long %s;\toffset:8;\tsize:8;\tsigned:0;\n"
			 "\tfield:%s %s;\toffset:16;\tsize:%d;\tsigned:%d;\n\nprint fmt: \"(%%lx) %s=%s\", REC->%s, "
			 "REC->%s\n", all[i].where, all[i].type, all[i].name, all[i].size,
			 all[i].type[0] == 's', all[i].name, all[i].conv, all[i].where, all[i].name);
		CHECK_EQ(tfmt_parse(&f, &a, sv_from(text), (struct tmachine){ .long_size = 8 }, NULL), 0);
		mem_out_init(&m);
		tprint_record(tprint_new(&f, &a), NULL, guard_dup(raw, sizeof(raw)), sizeof(raw), &m.out);
		CHECK_STR(mem_out_str(&m), all[i].want);
		mem_out_deinit(&m);
		arena_deinit(&a);
	}
}

TEST(tprint_falls_back_to_fields_and_says_why)
{
	static const struct { const char *print, *why; } bad[] = {
		{ "\"%s\", kernel_knows(REC->i)", "kernel function 'kernel_knows'" },
		{ "\"%d\", REC->gone", "no field 'gone'" },
		{ "\"%d %d\", REC->i", "fewer arguments than conversions" },
		{ "\"%y\", REC->i", "conversion '%y'" },
		{ "\"%d\", (REC->i", "expected ) before 'end'" },
		{ "\"%d\", REC->i + ", "the text ends inside an expression" },
		{ "\"%d\", ({ int x; x; })", "expected ; before 'x'" },
		{ "nonsense", "print fmt does not start with a string" },
		{ "", "no print fmt" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		CHECK_STR(render(bad[i].print), "i=-3 u=1234605616436508552 s=abc d=dyn r=ARRAY[10, 00, 20, 00] "
			  "m=ARRAY[01, 02, 03, 04, 05, 06] w=4294967294 b=200");
		CHECK_EQ(state, TPRINT_FIELDS);
		CHECK_STR(reason, bad[i].why);
	}
}

TEST(tprint_marks_values_that_only_the_kernel_knows)
{
	CHECK_STR(render("\"page=%p n=%d\", REC->i ? (struct page *)vmemmap + REC->u : 0, REC->b"), "page=? n=200");
	CHECK_EQ(state, TPRINT_PARTLY);
	CHECK_STR(reason, "vmemmap");
	CHECK_STR(render("\"%p\", REC->i > 0 ? (struct page *)vmemmap + REC->u : 0"), "(nil)");
	CHECK_STR(render("\"%d\", sizeof(struct page) - 1"), "?");
	CHECK_STR(reason, "sizeof(struct page)");
	CHECK_STR(render("\"%s\", __print_symbolic(REC->b, {UNHEARD_OF, \"a\"}, {200, \"b\"})"), "b");
	CHECK_EQ(state, TPRINT_PARTLY);
	CHECK_STR(render("\"%d\", REC->b / 0"), "?");
}

static void nested(char *text, size_t size, const char *open, const char *close, size_t n)
{
	size_t at = (size_t)snprintf(text, size, "\"%%d\", ");

	for (size_t i = 0; i < n; i++)
		at += (size_t)snprintf(text + at, size - at, "%s", open);
	at += (size_t)snprintf(text + at, size - at, "1");
	for (size_t i = 0; i < n; i++)
		at += (size_t)snprintf(text + at, size - at, "%s", close);
}

TEST(tprint_bounds_nesting)
{
	char text[4096];

	nested(text, sizeof(text), "(", ")", 60);
	WHOLE(text, "1");
	nested(text, sizeof(text), "(", ")", 1000);
	render(text);
	CHECK_EQ(state, TPRINT_FIELDS);
	CHECK_STR(reason, "expression is nested too deeply");
	nested(text, sizeof(text), "-", "", 1000);
	render(text);
	CHECK_EQ(state, TPRINT_FIELDS);
	nested(text, sizeof(text), "1?2:", "", 500);
	render(text);
	CHECK_EQ(state, TPRINT_FIELDS);
	nested(text, sizeof(text), "", "+REC->i", 400);   /* a chain is as deep as it is long */
	render(text);
	CHECK_EQ(state, TPRINT_FIELDS);
	CHECK_STR(reason, "expression is too deep");
}

/* Each format file there is in the data folder, and what its print fmt's state is. */
TEST(tprint_compiles_the_formats_of_a_kernel)
{
	static const struct { const char *name, *why; } all[] = {
		{ "bprint", "" }, { "function", "" }, { "func_repeats", "" }, { "kernel_stack", "" },
		{ "kvm_sys_access", "" }, { "myup", "" }, { "sys_enter_openat", "" }, { "tcp_probe", "" },
		{ "hrtimer_start", "" },
		{ "mm_page_alloc", "sizeof(struct page)" },
		{ "xhci_handle_event", "kernel function 'xhci_ring_type_string'" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		struct tevents t;
		char path[128];
		size_t n;

		snprintf(path, sizeof(path), "data/formats/%s", all[i].name);

		char *text = t_read(path, &n);

		tevents_init(&t, (struct tmachine){ .long_size = 8 });
		CHECK_EQ(tevents_add(&t, SV("x"), (struct sv){ text, n }, NULL), 0);
		CHECK_STR(tprint_reason(tevents_print(&t, t.list.v[0])), all[i].why);
		tevents_deinit(&t);
		free(text);
	}
}
