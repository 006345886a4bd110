/* Fields of samples, and records beside them, as perf writes them. */
#include "t.h"

#include "cmd/sample_text.h"
#include "cmd/script/want.h"
#include "cmd/side_text.h"
#include "perf/data_src.h"

static const char *source_text(uint64_t v)
{
	static struct mem_out m;

	mem_out_deinit(&m);
	mem_out_init(&m);
	data_src_text(v, &m.out);
	return mem_out_str(&m);
}

enum { LOAD = 2, STORE = 4 };
#define LVL(bits) ((uint64_t)(bits) << 5)
#define NUMBER(n) ((uint64_t)(n) << 33)

TEST(data_src_names_where_data_came_from)
{
	CHECK_STR(source_text(LOAD | LVL(2 | 8) | 2u << 19 | 1u << 25 | 10u << 26 | UINT64_C(2) << 40),
		  "|OP LOAD|LVL L1 hit|SNP None|TLB L1 hit|LCK Yes|BLK  Data");
	CHECK_STR(source_text(STORE | LVL(4 | 0x40)), "|OP STORE|LVL L3 miss|SNP N/A|TLB N/A|LCK No|BLK  N/A");
	CHECK_STR(source_text(0), "|OP No|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  N/A");
	/* The level's number goes before its bits, but for the one that says that it is not known. */
	CHECK_STR(source_text(LOAD | LVL(2 | 8) | NUMBER(13)), "|OP LOAD|LVL RAM hit|SNP N/A|TLB N/A|LCK No|BLK  N/A");
	CHECK_STR(source_text(LOAD | LVL(2 | 8) | NUMBER(15)), "|OP LOAD|LVL L1 hit|SNP N/A|TLB N/A|LCK No|BLK  N/A");
	CHECK_STR(source_text(LOAD | LVL(2) | NUMBER(1) | UINT64_C(1) << 37 | UINT64_C(2) << 43),
		  "|OP LOAD|LVL Remote node, same socket L1 hit|SNP N/A|TLB N/A|LCK No|BLK  N/A");
	/* Hops and numbers that mean nothing yet name nothing. */
	for (uint64_t v = 0; v < 128; v++)
		CHECK(strstr(source_text(LOAD | (v & 15) << 33 | v >> 4 << 43), "|OP LOAD|LVL "));
}

TEST(sample_page_size_has_perfs_units)
{
	static const struct {
		uint64_t size;
		const char *text;
	} t[] = {
		{ 0, "N/A" }, { 4096, "4K" }, { 65536, "64K" }, { 1 << 20, "1024K" }, { 2 << 20, "2M" },
		{ UINT64_C(16) << 30, "16G" }, { UINT64_C(1) << 44, "16384G" },
	};
	struct mem_out m;

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		mem_out_init(&m);
		sample_page_size(t[i].size, &m.out);
		CHECK_STR(mem_out_str(&m), t[i].text);
		mem_out_deinit(&m);
	}
}

TEST(sample_regs_are_named_by_their_bits)
{
	static const uint64_t values[] = { 1, 2, 3 };
	struct sample_layout l = { .swap = false };
	struct sample_regs r = { .l = &l, .values = { (const uint8_t *)values, sizeof(values) },
				 .left = 1 | UINT64_C(1) << 23 | UINT64_C(1) << 35, .arch = arch_by_name("x86_64") };

	CHECK(sample_regs_next(&r));
	CHECK_STR(r.name, "AX");
	CHECK(sample_regs_next(&r));
	CHECK_STR(r.name, "R15");
	CHECK(sample_regs_next(&r));
	CHECK_STR(r.name, "XMM1");
	CHECK_EQ(r.value, 3);
	CHECK(!sample_regs_next(&r));
	r.arch = arch_by_name("aarch64");
	r.left = UINT64_C(1) << 30 | UINT64_C(1) << 60;
	r.values = (struct bytes){ guard_dup(values, 12), 12 };   /* cut */
	CHECK(sample_regs_next(&r));
	CHECK_STR(r.name, "lr");
	CHECK(!sample_regs_next(&r));
}

TEST(branch_reads_each_flag)
{
	static const uint64_t words[] = { 0x10, 0x20, 2 | 4 | 77 << 4 | 1 << 20 | 1 << 24, 0x30, 0x40,
					  1 | 8 | 15 << 20 | 2 << 26 };
	struct sample_layout l = { .swap = false };
	struct sample s = { .n_branch = 2, .branch = { guard_dup(words, sizeof(words)), sizeof(words) } };
	struct branch b;

	CHECK(branch_at(&l, &s, 0, &b));
	CHECK_EQ(b.from, 0x10);
	CHECK_EQ(b.to, 0x20);
	CHECK_EQ(b.cycles, 77);
	CHECK(b.predicted && b.in_tx && !b.missed && !b.abort);
	CHECK_STR(b.type, "COND");
	CHECK_STR(b.spec, "SPEC_WRONG_PATH");
	CHECK(branch_at(&l, &s, 1, &b));
	CHECK(b.missed && b.abort);
	CHECK_STR(b.type, "FAULT_INST");
	CHECK(!branch_at(&l, &s, 2, &b));
}

static const char *side_of(uint32_t type, const void *bytes, size_t n)
{
	static struct mem_out m;
	struct perf_record r = { .type = type, .body = { guard_dup(bytes, n), n } };
	struct side_names names = { .resolver = NULL };

	mem_out_deinit(&m);
	mem_out_init(&m);
	return side_text(&r, &names, &m.out) ? mem_out_str(&m) : NULL;
}

/* Of each type, whole and cut anywhere: what is there is told, in one or more whole lines. */
TEST(side_text_is_whole_lines_wherever_a_record_is_cut)
{
	uint8_t bytes[200];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * 7 + 1);
	for (uint32_t type = 1; type < SIDE_NAMES; type++)
		for (size_t n = 0; n <= sizeof(bytes); n++) {
			const char *text = side_of(type, bytes, n);

			CHECK(!text || (*text && text[strlen(text) - 1] == '\n'));
		}
	/* 64 thousand namespaces are announced, and none is there. */
	CHECK_STR(side_of(PERF_REC_NAMESPACES, "\7\0\0\0\7\0\0\0\0\0\1\0\0\0\0\0", 16),
		  " 7/7 - nr_namespaces: 65536\n\t\t[]\n");
	CHECK_STR(side_of(PERF_REC_SWITCH, "", 0), " IN         \n");
}

TEST(script_fields_know_kinds_of_events)
{
	struct script_fields f = script_default_fields();
	struct script_want w = { .fields = f };
	struct perf_event hw = { .attr = { .type = PERF_HARDWARE }, .label = "cycles" };
	struct perf_head h = { .events = { .v = &hw, .n = 1 } };
	struct err e = { 0 };

	CHECK_EQ(script_parse_fields(&w.fields, "sw:comm,brstack", NULL), 0);
	CHECK_EQ(w.fields.v[PERF_SOFTWARE], FIELD_COMM | FIELD_BRSTACK);
	CHECK_EQ(w.fields.v[PERF_HARDWARE], f.v[PERF_HARDWARE]);
	CHECK_EQ(script_fields_fit(&w, &h, &e), -EINVAL);
	CHECK(strstr(e.text, "software events do not exist"));
	CHECK_EQ(script_parse_fields(&w.fields, "hw:trace", &e), -EINVAL);
	CHECK_EQ(script_parse_fields(&w.fields, "warm:comm", &e), -EINVAL);
	CHECK(strstr(e.hint, "hw sw"));
	CHECK_EQ(script_parse_fields(&w.fields, "comm,callindent", &e), -EINVAL);
	CHECK(strstr(e.text, "instruction traces"));
	w.fields = f;
	CHECK_EQ(script_parse_fields(&w.fields, "+tod", NULL), 0);
	CHECK_EQ(script_fields_fit(&w, &h, &e), -EINVAL);
	CHECK(strstr(e.hint, "-k"));
}
