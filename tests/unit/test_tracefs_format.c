/*
 * tracefs/format, blob, events: what is where in a record, and tables of events. Format files are of an arm64
 * Linux 6.12.
 */
#include "tracefs/format/events.h"

#include "t.h"

static const struct tmachine here = { .long_size = 8 };

static struct sv text_of(const char *name)
{
	char path[128];
	size_t n;

	snprintf(path, sizeof(path), "data/formats/%s", name);

	char *text = t_read(path, &n);

	return (struct sv){ guard_dup(text, n), n };
}

static struct tfmt parse(struct sv text, struct tmachine m)
{
	static struct arena a;
	struct tfmt f;
	struct err e = { 0 };

	CHECK_EQ(tfmt_parse(&f, &a, text, m, &e), 0);
	CHECK_STR(e.text, "");
	return f;
}

/* An event of one field, its declaration as given. */
static struct tfield field(const char *decl)
{
	char text[256];

	snprintf(text, sizeof(text), "name: e\nID: 1\nformat:\n\tfield:%s\n\nprint fmt: \"\"\n", decl);

	struct tfmt f = parse(sv_from(text), here);

	CHECK_EQ(f.n_fields, 1);
	return f.fields[0];
}

TEST(tfmt_reads_name_id_and_fields)
{
	struct tfmt f = parse(text_of("sched_switch"), here);

	CHECK_STR(f.name, "sched_switch");
	CHECK(f.id > 20);
	CHECK_EQ(f.n_common, 4);
	CHECK_EQ(f.n_fields, 11);
	CHECK(sv_starts(sv_from(f.print), "\"prev_comm=%s prev_pid=%d"));

	const struct tfield *comm = tfmt_field(&f, "next_comm"), *pid = tfmt_field(&f, "common_pid");

	CHECK_STR(comm->type, "char");
	CHECK_EQ(comm->kind, TFIELD_ARRAY);
	CHECK_EQ(comm->offset, 40);
	CHECK_EQ(comm->size, 16);
	CHECK(comm->is_string);
	CHECK_EQ(pid->offset, 4);
	CHECK(pid->is_signed);
	CHECK(!tfmt_field(&f, "nothing"));
}

TEST(tfmt_understands_every_form_of_declaration)
{
	static const struct {
		const char *decl, *type, *name;
		enum tfield_kind kind;
		uint32_t elem;
		bool string;
	} want[] = {
		{ "__data_loc char[] name;\toffset:8;\tsize:4;\tsigned:0;", "char", "name", TFIELD_DATA_LOC, 1, true },
		{ "__rel_loc char name[];\toffset:8;\tsize:4;\tsigned:0;", "char", "name", TFIELD_REL_LOC, 1, true },
		{ "__data_loc cpumask_t m;\toffset:8;\tsize:4;\tsigned:0;",
		  "cpumask_t", "m", TFIELD_DATA_LOC, 1, false },
		{ "__data_loc unsigned long[] v;\toffset:8;\tsize:4;\tsigned:0;",
		  "unsigned long", "v", TFIELD_DATA_LOC, 8, false },
		{ "const char *const * argv;\toffset:8;\tsize:8;\tsigned:0;",
		  "const char *const *", "argv", TFIELD_POINTER, 8, false },
		{ "unsigned long *p;\toffset:8;\tsize:8;\tsigned:0;",
		  "unsigned long *", "p", TFIELD_POINTER, 8, false },
		{ "char comm[TASK_COMM_LEN];\toffset:8;\tsize:16;\tsigned:1;", "char", "comm", TFIELD_ARRAY, 1, true },
		{ "unsigned long args[6];\toffset:16;\tsize:48;\tsigned:0;",
		  "unsigned long", "args", TFIELD_ARRAY, 8, false },
		{ "u32 x[2][3];\toffset:8;\tsize:24;\tsigned:0;", "u32", "x", TFIELD_ARRAY, 4, false },
		{ "u8 buf[];\toffset:8;\tsize:0;\tsigned:0;", "u8", "buf", TFIELD_TRAILING, 1, true },
		{ "struct page * page;\toffset:8;\tsize:8;\tsigned:0;\tnewer:7;",
		  "struct page *", "page", TFIELD_POINTER, 8, false },
		{ "enum zone_type z; size:4; offset:12; signed:0;", "enum zone_type", "z", TFIELD_SCALAR, 4, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		struct tfield f = field(want[i].decl);

		CHECK_STR(f.type, want[i].type);
		CHECK_STR(f.name, want[i].name);
		CHECK_EQ(f.kind, want[i].kind);
		CHECK_EQ(f.elem, want[i].elem);
		CHECK_EQ(f.is_string, want[i].string);
	}
}

TEST(tfmt_refuses_what_is_no_format)
{
	static const char *const bad[] = {
		"", "name: x\n", "ID: 3\n", "name: x\nID: y\n", "name: x\nID: 4294967296\n",
		"name: x\nID: 3\nformat:\n\tfield:int a;\tsize:4;\n", "name: x\nID: 3\nformat:\n\tfield:int a\n",
		"name: x\nID: 3\nformat:\n\tfield:;\toffset:0;\tsize:4;\n",
		"name: x\nID: 3\nformat:\n\tfield:int a;\toffset:99999999;\tsize:4;\n",
	};
	struct arena a = { 0 };
	struct tfmt f;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct err e = { 0 };

		size_t n = strlen(bad[i]);

		CHECK_EQ(tfmt_parse(&f, &a, (struct sv){ guard_dup(bad[i], n), n }, here, &e), -EBADMSG);
		CHECK(e.text[0]);
	}
	arena_deinit(&a);
}

TEST(tfmt_signed_fields_are_extended)
{
	struct tfield f = field("short v;\toffset:2;\tsize:2;\tsigned:1;");
	uint64_t v = 0;

	CHECK(tfmt_u64(&f, guard_dup("\0\0\xfe\xff", 4), 4, &v));
	CHECK_EQ(v, -2);
	f.is_signed = false;
	CHECK(tfmt_u64(&f, guard_dup("\0\0\xfe\xff", 4), 4, &v));
	CHECK_EQ(v, 0xfffe);
	f.swap = true;
	CHECK(tfmt_u64(&f, guard_dup("\0\0\xfe\xff", 4), 4, &v));
	CHECK_EQ(v, 0xfeff);
	CHECK(!tfmt_u64(&f, guard_dup("\0\0\xfe", 3), 3, &v));
}

TEST(tfmt_dynamic_fields_end_with_the_record)
{
	struct tfield data = field("__data_loc char[] s;\toffset:4;\tsize:4;\tsigned:0;");
	struct tfield rel = field("__rel_loc char s[];\toffset:4;\tsize:4;\tsigned:0;");
	struct sv s;

	/* offset 10 from the start; offset 2 from the field's end: the same place. The length is a lie. */
	s = tfmt_str(&data, guard_dup("....\x0a\0\x40\0xxabc", 13), 13);
	CHECK_EQ(s.n, 3);
	CHECK(s.n == 3 && !memcmp(s.s, "abc", 3));
	s = tfmt_str(&rel, guard_dup("....\x02\0\x40\0xxabc", 13), 13);
	CHECK(s.n == 3 && !memcmp(s.s, "abc", 3));
	CHECK_EQ(tfmt_str(&data, guard_dup("....\xff\xff\xff\xffxx", 10), 10).n, 0);
	CHECK_EQ(tfmt_str(&rel, guard_dup("....\xff\xff\xff\xffxx", 10), 10).n, 0);
	CHECK_EQ(tfmt_bytes(&data, guard_dup("....\x08\0\x02", 7), 7).n, 0);
	s = tfmt_str(&data, guard_dup("....\x08\0\x05\0a\0b", 11), 11);
	CHECK_EQ(s.n, 1);
}

TEST(tfmt_page_tells_the_size_of_long)
{
	struct tpage_layout p;
	struct err e;

	CHECK_EQ(tfmt_page(&p, text_of("header_page"), &e), 0);
	CHECK_EQ(p.commit_offset, 8);
	CHECK_EQ(p.commit_size, 8);
	CHECK_EQ(p.data_offset, 16);
	CHECK_EQ(p.data_size, 4080);
	CHECK_EQ(tfmt_page(&p, SV("\tfield: u64 timestamp;\toffset:0;\tsize:8;\n"), &e), -EBADMSG);
}

TEST(tfmt_type_sizes_follow_the_writer)
{
	CHECK_EQ(tfmt_type_size(SV("unsigned long"), 8), 8);
	CHECK_EQ(tfmt_type_size(SV("unsigned long"), 4), 4);
	CHECK_EQ(tfmt_type_size(SV("unsigned long long"), 4), 8);
	CHECK_EQ(tfmt_type_size(SV("const char *"), 4), 4);
	CHECK_EQ(tfmt_type_size(SV("unsigned short"), 8), 2);
	CHECK_EQ(tfmt_type_size(SV("__le16"), 8), 2);
	CHECK_EQ(tfmt_type_size(SV("struct page"), 8), 0);
	CHECK_EQ(tfmt_type_size(SV("unheard_of"), 8), 0);
}

/* The layout of perf's tools/perf/util/trace-event-read.c, by hand, big-endian and little-endian. */
static size_t build_blob(uint8_t *to, size_t room, const char *format)
{
	static const char page[] = "\tfield: local_t commit;\toffset:8;\tsize:4;\n"
				   "\tfield: char data;\toffset:12;\tsize:4;\n";
	size_t n = 0, len = strlen(format);

#define PUT(bytes, count) \
	do { \
		CHECK((count) <= room - n); \
		memcpy(to + n, (bytes), (count)); \
		n += (count); \
	} while (0)
#define BE(size, v) \
	for (int i_ = (size) - 1; i_ >= 0; i_--) \
		to[n++] = (uint8_t)((uint64_t)(v) >> i_ * 8)

	PUT("\x17\x08\x44tracing0.6\0\x01\x08", 16);
	BE(4, 65536);
	PUT("header_page\0", 12);
	BE(8, sizeof(page) - 1);
	PUT(page, sizeof(page) - 1);
	PUT("header_event\0", 13);
	BE(8, 0);
	BE(4, 0);
	BE(4, 1);
	PUT("mine\0", 5);
	BE(4, 1);
	BE(8, len);
	PUT(format, len);
	BE(4, 2);
	PUT("ks", 2);
	BE(4, 11);
	PUT("0xa : \"b%s\"", 11);
	BE(8, 9);
	PUT("12 a b c\n", 9);
	return n;
}

TEST(tblob_of_another_byte_order_is_read)
{
	uint8_t bytes[1024];
	size_t n = build_blob(bytes, sizeof(bytes),
			      "name: e\nID: 258\nformat:\n\tfield:u16 v;\toffset:2;\tsize:2;\tsigned:0;\n");
	struct tblob b;
	struct tevents t;
	struct err e = { 0 };
	uint64_t v;

	CHECK_EQ(tblob_init(&b, guard_dup(bytes, n), n, &e), 0);
	CHECK_EQ(b.used, n);
	CHECK_EQ(b.page_size, 65536);
	CHECK_EQ(b.machine.long_size, 4);
	CHECK_EQ(b.machine.swap, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	CHECK_EQ(b.formats.n, 1);
	CHECK(sv_eq(b.formats.v[0].system, "mine"));
	CHECK(sv_eq(b.kallsyms, "ks"));
	tevents_init(&t, here);
	CHECK_EQ(tevents_add_blob(&t, &b, &e), 0);

	struct tevent *ev = tevents_of(&t, "\x01\x02\x03\x04", 4);

	CHECK(ev && ev == tevents_by_name(&t, SV("mine"), SV("e")));
	CHECK(ev && tfmt_u64(&ev->fmt.fields[0], "\x01\x02\x03\x04", 4, &v) && v == 0x304);
	CHECK_STR(tevents_string(&t, 10), "b%s");
	CHECK_STR(tevents_comm(&t, 12), "a b c");
	CHECK(!tevents_comm(&t, 13));
	tevents_deinit(&t);
	tblob_deinit(&b);
}

TEST(tblob_cut_anywhere_is_an_error)
{
	uint8_t bytes[1024];
	size_t n = build_blob(bytes, sizeof(bytes), "name: e\nID: 258\nformat:\n");

	/* All but the last list (8 bytes of length, 9 of text), whose absence is how version 0.5 ended. */
	for (size_t i = 0; i < n; i++) {
		struct tblob b;
		int r = tblob_init(&b, guard_dup(bytes, i), i, NULL);

		CHECK_EQ(r, i >= n - 17 && i < n - 9 ? 0 : -EBADMSG);
		tblob_deinit(&b);
	}
}

TEST(tblob_written_is_read_back)
{
	struct sv sched = text_of("sched_switch"), fork = text_of("sched_process_fork");
	struct sv irq = text_of("irq_handler_entry");
	struct tblob c, b = {
		.machine = here, .page_size = 4096, .header_page = text_of("header_page"),
		.cmdlines = SV("1 init\n"), .printk_formats = SV("0x10 : \"x\"\n"),
	};
	struct mem_out m;
	struct err e = { 0 };

	CHECK_EQ(tblob_add(&b, SV("sched"), sched), 0);
	CHECK_EQ(tblob_add(&b, SV("irq"), irq), 0);
	CHECK_EQ(tblob_add(&b, SV("sched"), fork), 0);
	CHECK_EQ(tblob_add(&b, SV("ftrace"), text_of("function")), 0);
	mem_out_init(&m);
	tblob_write(&b, &m.out);
	out_flush(&m.out);
	CHECK_EQ(tblob_init(&c, guard_dup(m.v, m.n), m.n, &e), 0);
	CHECK_EQ(c.formats.n, 4);
	CHECK(sv_eq(c.version, "0.6"));
	CHECK(sv_eq(c.formats.v[0].system, "ftrace"));
	CHECK(c.formats.v[2].text.n == fork.n && !memcmp(c.formats.v[2].text.s, fork.s, fork.n));
	CHECK(sv_eq(c.formats.v[3].system, "irq"));
	CHECK(sv_eq(c.cmdlines, "1 init\n"));
	CHECK(sv_eq(c.printk_formats, "0x10 : \"x\"\n"));
	CHECK_EQ(c.used, m.n);
	mem_out_deinit(&m);
	tblob_deinit(&b);
	tblob_deinit(&c);
}

TEST(tevents_leave_out_bad_formats_and_count_them)
{
	struct tblob b = { .machine = here };
	struct tevents t;
	struct err e = { 0 };

	CHECK_EQ(tblob_add(&b, SV("x"), SV("rubbish")), 0);
	CHECK_EQ(tblob_add(&b, SV("sched"), text_of("sched_switch")), 0);
	tevents_init(&t, here);
	CHECK_EQ(tevents_add_blob(&t, &b, &e), 0);
	CHECK_EQ(t.bad, 1);
	CHECK(t.first_bad.text[0]);
	CHECK_EQ(t.list.n, 1);
	CHECK(tevents_by_name(&t, SV("sched"), SV("sched_switch")) == t.list.v[0]);
	CHECK(!tevents_by_name(&t, SV("sched"), SV("sched")));
	CHECK(!tevents_of(&t, "\0", 1));
	tevents_deinit(&t);
	tblob_deinit(&b);
}
