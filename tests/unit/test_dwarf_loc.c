/* obj/dwarf_loc, obj/dwarf_expr: where a variable is, by expression, list or constant. */
#include "dwarf_build.h"

enum { START = 0x10000, SIZE = 0x100 };

enum how { BY_EXPRESSION, BY_LIST, BY_DATA, BY_SIGNED, BY_BLOCK, BY_TEXT, BY_NOTHING };

/* A function with one variable, an integer. */
struct want {
	unsigned version;
	enum how how;
	struct bytes at;              /* expression, offset of the list, constant */
	const char *frame_base;       /* one byte; NULL: DW_OP_call_frame_cfa */
	const char *producer;
	uint64_t pc;
	uint8_t size;                 /* of the variable, 0: 4 */
	uint8_t encoding;             /* DW_ATE_* of its type, 0: 5, signed */
};

/* Where its type is in the unit, and that as a ULEB. */
enum { TYPE = 0x1f };
#define TYPE_REF "\x1f"

static const uint8_t form_of[] = { 0x18, 0x17, 0x0b, 0x0d, 0x0a, 0x08, 0 };

static void put_abbrevs(struct bytes *b, const struct want *w)
{
	PUT(b, "\x02\x2e\x01\x11\x01\x12\x06\x40\x18\0\0");       /* subprogram */
	PUT(b, "\x03\x24\0\x0b\x0b\x3e\x0b\x03\x08\0\0");        /* base_type */
	PUT(b, "\x04\x05\0\x03\x08\x49\x13");                   /* formal_parameter, its type by ref4 */
	if (w->how != BY_NOTHING) {
		put(b, w->how <= BY_LIST ? 0x02 : 0x1c, 1);
		put(b, form_of[w->how], 1);
	}
	PUT(b, "\0\0");
}

/* CFA: sp, from the second instruction on sp+48, from the fourth x29+48. */
static void put_frames(struct bytes *b)
{
	size_t from = put_length(b);

	put(b, UINT32_MAX, 4);
	PUT(b, "\x03\0\x04\x78\x1e\x0c\x1f\0\0\0\0\0");
	end_length(b, from);
	from = put_length(b);
	put(b, 0, 4);
	put(b, START, 8);
	put(b, SIZE, 8);
	PUT(b, "\x41\x0e\x30\x42\x0d\x1d\0\0");
	end_length(b, from);
}

struct found {
	struct dwarf *d;
	struct dwarf_func f;
	struct dwarf_var v;
};

static struct found build(struct dwarf_build *b, const struct want *w)
{
	size_t from = dbuild_unit(b, w->version ? w->version : 4, START, w->producer ? w->producer : "C");
	uint64_t type = b->info.n;
	struct found found = { .f.entry = START };
	struct die unit;

	put_abbrevs(&b->abbrev, w);
	CHECK_EQ(type, w->producer || w->version ? type : TYPE);
	put(&b->info, 3, 1);
	put(&b->info, w->size ? w->size : 4, 1);
	put(&b->info, w->encoding ? w->encoding : 5, 1);
	PUT(&b->info, "int");
	put(&b->info, 0, 1);
	put(&b->info, 2, 1);
	put(&b->info, START, 8);
	put(&b->info, SIZE, 4);
	put(&b->info, 1, 1);
	PUT(&b->info, "");
	put_bytes(&b->info, w->frame_base ? w->frame_base : "\x9c", 1);
	put(&b->info, 4, 1);
	PUT_STR(&b->info, "n");
	put(&b->info, type, 4);
	if (w->how == BY_EXPRESSION || w->how == BY_BLOCK)
		put(&b->info, w->at.n, 1);
	put_bytes(&b->info, w->at.v, w->at.n);
	put(&b->info, 0, 1);
	dbuild_unit_end(b, from);
	put_frames(&b->frame);
	found.d = dbuild_open(b);

	const struct dwarf_unit *u = dwarf_unit_at(found.d, 0, NULL);

	CHECK_EQ(die_at(u, u->first, &unit, NULL), 0);
	CHECK_EQ(die_child(&unit, &found.f.die, NULL), 1);
	CHECK_EQ(die_sibling(&found.f.die, &found.f.die, NULL), 1);
	CHECK_EQ(die_child(&found.f.die, &found.v.die, NULL), 1);
	found.f.outer = found.f.die;
	found.v.name = "n";
	found.v.is_param = true;
	return found;
}

static const char *spell(const struct loc *l, char *buf, size_t size)
{
	static const char *const kinds[] = { "gone", "reg", "mem", "addr", "value", "const", "pieces" };
	int n = snprintf(buf, size, "%s ", kinds[l->kind]);

	for (unsigned i = 0; l->kind == LOC_PIECES && i < l->n_pieces; i++) {
		const struct loc_piece *p = &l->piece[i];
		struct loc part = { .kind = p->kind, .reg = p->reg, .off = p->off, .shift = p->shift, .why = p->why };

		n += snprintf(buf + n, size - (size_t)n, "%s%u+%u ", i ? ", " : "", (unsigned)p->at, (unsigned)p->size);
		spell(&part, buf + n, size - (size_t)n);
		n += (int)strlen(buf + n);
	}
	if (l->kind == LOC_PIECES)
		return buf;

	if (l->kind == LOC_GONE) {
		snprintf(buf + n, size - (size_t)n, "%s", l->why);
		return buf;
	}
	if (l->kind != LOC_ADDR && l->kind != LOC_CONST)
		n += snprintf(buf + n, size - (size_t)n, "%u%s", l->reg, l->kind == LOC_REG ? "" : " ");
	if (l->kind != LOC_REG)
		n += snprintf(buf + n, size - (size_t)n, "%lld", (long long)l->off);
	if (l->shift)
		n += snprintf(buf + n, size - (size_t)n, " >>%u", l->shift);
	for (unsigned i = 0; i < l->n_derefs; i++)
		n += snprintf(buf + n, size - (size_t)n, " *%+lld", (long long)l->deref[i]);
	return buf;
}

static void check(const struct want *w, const struct bytes *lists, const char *told)
{
	static struct dwarf_build b;
	struct err e = { 0 };
	struct found f;
	struct loc loc;
	char text[400];

	b = (struct dwarf_build){ .info.n = 0 };
	if (lists && w->version >= 5)
		b.loclists = *lists;
	else if (lists)
		b.loc = *lists;
	f = build(&b, w);

	int err = dwarf_locate(&f.f, &f.v, w->pc, &loc, &e);

	if (err)
		CHECK_STR(err == -EBADMSG ? "broken" : e.text, told);
	else
		CHECK_STR(spell(&loc, text, sizeof(text)), told);
	dwarf_free(f.d);
}

#define IN_BODY(code, told) check_code(code, sizeof(code) - 1, START + 16, told)
#define AT_ENTRY(code, told) check_code(code, sizeof(code) - 1, START, told)
#define OF_SIZE(bytes, code, told) check_size(bytes, code, sizeof(code) - 1, told)

static void check_code(const char *code, size_t n, uint64_t pc, const char *told)
{
	struct want w = { .pc = pc };

	put_bytes(&w.at, code, n);
	check(&w, NULL, told);
}

static void check_size(uint8_t size, const char *code, size_t n, const char *told)
{
	struct want w = { .pc = START + 16, .size = size };

	put_bytes(&w.at, code, n);
	check(&w, NULL, told);
}

TEST(dwarf_loc_in_registers_and_memory)
{
	IN_BODY("\x50", "reg 0");
	IN_BODY("\x90\xc0\x00", "reg 64");
	IN_BODY("\x6f\x93\x04", "reg 31");
	IN_BODY("\x83\x78", "mem 19 -8");
	IN_BODY("\x92\x1f\x08", "mem 31 8");
	IN_BODY("\x83\x00\x06\x23\x10", "mem 19 0 *+16");
	IN_BODY("\x83\x08\x06\x23\x10\x06", "mem 19 8 *+16 *+0");
	IN_BODY("\x03\0\0\x42\0\0\0\0\0", "addr 4325376");
	IN_BODY("\x03\0\0\x42\0\0\0\0\0\x06\x38\x1c", "addr 4325376 *-8");
	IN_BODY("\x34\x83\x08\x22", "mem 19 12");
	IN_BODY("\x83\x08\x34\x16\x22\x96", "mem 19 12");
	IN_BODY("\x83\x08\x12\x13", "mem 19 8");
	IN_BODY("\x83\x08\x84\x00\x14\x15\x01\x13", "mem 19 8");
}

TEST(dwarf_loc_by_frame)
{
	AT_ENTRY("\x91\x6c", "mem 31 -20");
	IN_BODY("\x91\x6c", "mem 29 28");
	check_code("\x91\x6c", 2, START + 8, "mem 31 28");
	check_code("\x9c\x23\x08", 3, START + 8, "mem 31 56");
	check_code("\x91\x6c", 2, START + SIZE, "gone nothing tells where the function's frame is");

	struct want w = { .pc = START, .frame_base = "\x6d" };   /* x29 */

	PUT(&w.at, "\x91\x6c");
	check(&w, NULL, "mem 29 -20");
	w.frame_base = "\x9f";
	check(&w, NULL, "broken");
	w.frame_base = "\x91";
	check(&w, NULL, "broken");
}

TEST(dwarf_loc_of_what_the_prologue_stores)
{
	static const struct { const char *code; uint64_t pc; const char *told; } cases[] = {
		{ "\x91\x6c", START, "gone not yet stored at the function's first instruction" },
		{ "\x8d\x08", START, "gone not yet stored at the function's first instruction" },
		{ "\x91\x6c", START + 16, "mem 29 28" }, { "\x8d\x08", START + 16, "mem 29 8" },
		{ "\x91\x08", START, "mem 31 8" }, { "\x80\x08", START, "mem 16 8" },
		{ "\x91\x6c\x06", START, "mem 31 -20 *+0" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct want w = { .pc = cases[i].pc, .producer = "GNU C17 12.2.0 -g -O2" };

		put_bytes(&w.at, cases[i].code, strlen(cases[i].code));
		check(&w, NULL, cases[i].told);
	}
}

TEST(dwarf_loc_that_is_only_a_value)
{
	IN_BODY("\x35\x9f", "const 5");
	IN_BODY("\x08\xff\x9f", "const 255");
	IN_BODY("\x09\xff\x9f", "const -1");
	IN_BODY("\x0b\xfe\xff\x9f", "const -2");
	IN_BODY("\x0c\xff\xff\xff\xff\x9f", "const 4294967295");
	IN_BODY("\x0f\xff\xff\xff\xff\xff\xff\xff\xff\x9f", "const -1");
	IN_BODY("\x10\x80\x01\x9f", "const 128");
	IN_BODY("\x11\x7f\x9f", "const -1");
	IN_BODY("\x9e\x02\x34\x12", "const 4660");
	IN_BODY("\x9e\x09\1\2\3\4\5\6\7\x08\x09", "gone a constant of more than 8 bytes");
	IN_BODY("\x83\x7f\x9f", "value 19 -1");
	IN_BODY("\x83\x08\x06\x9f", "mem 19 8");
	IN_BODY("\x83\x08\x94\x04\x9f", "mem 19 8");
	IN_BODY("\x83\x08\x94\x02\x9f", "gone computed in a way that a probe cannot follow");
	IN_BODY("\x83\x08\x06\x31\x22\x9f", "gone computed in a way that a probe cannot follow");
	IN_BODY("\x83\x08\x32\x24\x9f", "gone computed in a way that a probe cannot follow");
}

TEST(dwarf_loc_that_cannot_be_fetched_says_why)
{
	IN_BODY("", "gone optimised out here");
	IN_BODY("\x0e\x10\0\0\0\0\0\0\0\xe0", "gone thread local");
	IN_BODY("\x0e\x10\0\0\0\0\0\0\0\x9b", "gone thread local");
	IN_BODY("\xa3\x01\x51\x9f", "gone optimised out (entry value)");
	AT_ENTRY("\xa3\x01\x51\x9f", "value 1 0");
	AT_ENTRY("\xf3\x01\x51\x23\x08\x9f", "value 1 8");
	IN_BODY("\xf2\x10\0\0\0\0", "gone optimised out (a pointer to what is nowhere)");
	IN_BODY("\x03\0\0\x42\0\0\0\0\0\x9f", "gone the address of a variable, worked out by the compiler");
	IN_BODY("\x06", "broken");
	IN_BODY("\x22", "broken");
	IN_BODY("\x24", "broken");
	IN_BODY("\x35\x25", "broken");
	IN_BODY("\x1a", "broken");
	IN_BODY("\xa8", "broken");
	IN_BODY("\x0e\x10", "broken");
	IN_BODY("\x83", "broken");
}

#define COMPUTED "gone computed in a way that a probe cannot follow"
#define OUT "gone optimised out here"

TEST(dwarf_loc_in_pieces)
{
	OF_SIZE(16, "\x50\x93\x08\x51\x93\x08", "pieces 0+8 reg 0, 8+8 reg 1");
	OF_SIZE(16, "\x50\x93\x10", "reg 0");
	OF_SIZE(4, "\x50\x93\x08", "reg 0");
	OF_SIZE(8, "\x50\x93\x02", "pieces 0+2 reg 0");
	OF_SIZE(8, "\x93\x04\x51\x93\x04", "pieces 0+4 " OUT ", 4+4 reg 1");
	OF_SIZE(8, "\x93\x04\x93\x04", OUT);
	OF_SIZE(8, "\x9d\x20\x00\x51\x9d\x20\x00", "pieces 0+4 " OUT ", 4+4 reg 1");
	OF_SIZE(8, "\x50\x9d\x03\x00\x51\x93\x04", "pieces 0+0 gone in pieces of bits, 0+4 reg 1");
	OF_SIZE(24, "\x83\x08\x93\x08\x35\x9f\x93\x08\x03\0\0\x42\0\0\0\0\0\x93\x08",
		"pieces 0+8 mem 19 8, 8+8 const 5, 16+8 addr 4325376");
	/* Through a pointer is more than a piece has room for. */
	OF_SIZE(16, "\x83\x08\x06\x93\x08\x51\x93\x08", "pieces 0+8 " COMPUTED ", 8+8 reg 1");
	OF_SIZE(80, "\x50\x93\x08\x51\x93\x08\x52\x93\x08\x53\x93\x08\x54\x93\x08\x55\x93\x08\x56\x93\x08"
		"\x57\x93\x08\x58\x93\x08", "pieces 0+8 reg 0, 8+8 reg 1, 16+8 reg 2, 24+8 reg 3, 32+8 reg 4, "
		"40+8 reg 5, 48+8 reg 6, 56+8 reg 7");
	OF_SIZE(16, "\x50\x93\xff\xff\xff\xff\xff\x01\x51\x93\x08", "broken");
	OF_SIZE(16, "\x22\x93\x08\x51\x93\x08", "broken");
}

/* What cannot be followed costs its piece only: its operands are passed. */
TEST(dwarf_loc_passes_pieces_that_are_gone)
{
	static const struct { const char *code; size_t n; } gone[] = {
#define GONE(code) { code, sizeof(code) - 1 }
		GONE("\xa3\x01\x51\x9f"), GONE("\xf2\x10\0\0\0\x7f"), GONE("\xa0\x10\0\0\0\0"),
		GONE("\x0e\x10\0\0\0\0\0\0\0\xe0"), GONE("\x83\x08\x35\x24\x9f"), GONE("\x83\x08\x28\1\0\x9f"),
		GONE("\x98\1\0"), GONE("\xfa\1\2\3\4\x9f"), GONE("\x99\1\0\0\0"), GONE("\x9a\1\0\0\0"),
		GONE("\x83\x08\xa9\x81\1"),
		GONE("\x9b\x03\0\0\0\0\0\0\0\0\x0a\1\1\x0b\1\1\x08\1\x0c\1\1\1\1\x10\x80\1\x11\x80\1"),
		GONE("\x9b\x83\x80\1\x91\x80\1\x92\1\x80\1\x90\x80\1\x94\1\x15\1\x23\x80\1\xa1\1\xa2\1\x9e\2\1\1"),
		GONE("\x9b\xa4\1\2\1\1\xa5\x80\1\x80\1\xa6\1\x80\1\xf3\1\x51\xf7\1\x30\x50\x9c\x96\x12"),
	};
	char text[400];

	for (size_t i = 0; i < ARRAY_SIZE(gone); i++) {
		struct want w = { .pc = START + 16, .size = 16 };
		static struct dwarf_build b;
		struct found f;
		struct loc loc;

		put_bytes(&w.at, gone[i].code, gone[i].n);
		PUT(&w.at, "\x93\x08\x51\x93\x08");
		b = (struct dwarf_build){ .info.n = 0 };
		f = build(&b, &w);
		CHECK_EQ(dwarf_locate(&f.f, &f.v, w.pc, &loc, NULL), 0);
		CHECK_EQ(loc.n_pieces, 2);
		CHECK_EQ(loc.piece[0].kind, LOC_GONE);
		CHECK_STR(spell(&loc, text, sizeof(text)) + strlen(text) - 9, "8+8 reg 1");
		dwarf_free(f.d);
	}
	/* Of an operation that nobody knows the end is not known. */
	OF_SIZE(24, "\x50\x93\x08\xee\x93\x08\x51\x93\x08", "pieces 0+8 reg 0");
	OF_SIZE(24, "\xee\x93\x08\x51\x93\x08", COMPUTED);
}

/* Of a word whose upper bytes were cut off, the lower ones are as they were. */
TEST(dwarf_loc_of_a_part_of_a_word)
{
	OF_SIZE(1, "\x75\0\x08\xff\x1a\x9f", "value 5 0");
	OF_SIZE(2, "\x75\0\x08\xff\x1a\x9f", COMPUTED);
	OF_SIZE(4, "\x75\0\x0c\xff\xff\xff\xff\x1a\x9f", "value 5 0");
	OF_SIZE(2, "\x75\0\x0c\xff\xff\xff\xff\x1a\x0a\xff\xff\x1a\x9f", "value 5 0");
	OF_SIZE(1, "\x75\0\x08\x7f\x1a\x9f", COMPUTED);
	OF_SIZE(1, "\x75\0\x75\0\x1a\x9f", COMPUTED);
	OF_SIZE(1, "\x35\x08\xff\x1a\x9f", COMPUTED);
	OF_SIZE(2, "\x75\x08\x94\x02\x9f", "mem 5 8");
	OF_SIZE(1, "\x75\x08\x94\x02\x08\xff\x1a\x9f", "mem 5 8");
	OF_SIZE(4, "\x75\x08\x94\x02\x9f", COMPUTED);
	OF_SIZE(4, "\x75\x08\x94\x04\x23\x01\x9f", COMPUTED);
	OF_SIZE(4, "\x75\x08\x94\x04", COMPUTED);
	OF_SIZE(4, "\x75\x08\x94\x09\x9f", COMPUTED);
	/* To the variable's own type; 0 is as it was. */
	OF_SIZE(4, "\x75\0\xa8\x00\xa8" TYPE_REF "\x9f", "value 5 0");
	OF_SIZE(4, "\x75\0\xf7" TYPE_REF "\x0c\xff\xff\xff\xff\x1a\x9f", "value 5 0");
	OF_SIZE(4, "\xa5\x05" TYPE_REF "\x9f", "value 5 0");
	OF_SIZE(4, "\x75\x08\xa6\x04" TYPE_REF "\x9f", "mem 5 8");
	OF_SIZE(4, "\x75\0\xa8" TYPE_REF "\x23\x01\x9f", COMPUTED);
	OF_SIZE(4, "\x75\0\xa8\x7f\x9f", COMPUTED);
	OF_SIZE(8, "\x75\0\xa8" TYPE_REF "\xa8\x00\x9f", "value 5 0");
	OF_SIZE(8, "\x75\0\xa8" TYPE_REF "\x9f\x93\x04\x56\x93\x04", "pieces 0+4 value 5 0, 4+4 reg 6");

	struct want w = { .pc = START + 16, .encoding = 4 };   /* floating point */

	PUT(&w.at, "\x75\0\xa8" TYPE_REF "\x9f");
	check(&w, NULL, COMPUTED);
}

/* As clang tells of structs in registers. */
TEST(dwarf_loc_of_an_upper_part_of_a_register)
{
	OF_SIZE(8, "\x55\x93\x04\x75\0\x10\x20\x25\x9f\x93\x02\x75\0\x10\x30\x25\x9f\x93\x02",
		"pieces 0+4 reg 5, 4+2 value 5 0 >>32, 6+2 value 5 0 >>48");
	OF_SIZE(4, "\x75\0\x10\x20\x25\x9f", "value 5 0 >>32");
	OF_SIZE(1, "\x75\0\x38\x25\x38\x25\x9f", "value 5 0 >>16");
	OF_SIZE(4, "\x75\0\x10\x28\x25\x9f", COMPUTED);
	OF_SIZE(1, "\x75\0\x10\x38\x25\x9f", "value 5 0 >>56");
	OF_SIZE(1, "\x75\0\x10\x39\x25\x9f", COMPUTED);
	OF_SIZE(1, "\x75\0\x09\xff\x25\x9f", COMPUTED);
	OF_SIZE(1, "\x75\x08\x38\x25\x9f", COMPUTED);
	OF_SIZE(1, "\x75\x08\x06\x38\x25\x9f", COMPUTED);
	OF_SIZE(4, "\x75\0\x38\x25", COMPUTED);
	OF_SIZE(8, "\x33\x08\x3f\x24\x9f", "const -9223372036854775808");
	OF_SIZE(8, "\x33\x08\x40\x24\x9f", COMPUTED);
	OF_SIZE(8, "\x75\0\x33\x24\x9f", COMPUTED);
}

TEST(dwarf_loc_by_constant)
{
	struct want w = { .how = BY_NOTHING, .pc = START };

	check(&w, NULL, "gone optimised out");
	w.how = BY_DATA;
	put(&w.at, 200, 1);
	check(&w, NULL, "const 200");
	w.how = BY_SIGNED;
	w.at = (struct bytes){ .v = "\x7e", .n = 1 };
	check(&w, NULL, "const -2");
	w.how = BY_BLOCK;
	w.at = (struct bytes){ .v = "\x39\x30\0", .n = 3 };
	check(&w, NULL, "const 12345");
	w.at.n = 9;
	check(&w, NULL, "gone a constant of more than 8 bytes");
	w.how = BY_TEXT;
	w.at = (struct bytes){ .v = "abc", .n = 4 };
	check(&w, NULL, "gone a constant text");
}

static void check_list(unsigned version, const struct bytes *list, uint64_t off, const char *told)
{
	struct want w = { .version = version, .how = BY_LIST, .pc = START + off };

	put(&w.at, 16, 4);
	check(&w, list, told);
}

/* Before DWARF 5: pairs from the unit's start. */
TEST(dwarf_loc_by_list_of_pairs)
{
	struct bytes list = { .n = 16 };

	put(&list, 0, 8);
	put(&list, 4, 8);
	PUT(&list, "\x01\0\x50");
	put(&list, 8, 8);
	put(&list, 8, 8);
	PUT(&list, "\x01\0\x51");
	put(&list, UINT64_MAX, 8);
	put(&list, START + 8, 8);
	put(&list, 0, 8);
	put(&list, 4, 8);
	PUT(&list, "\x02\0\x91\x08");
	check_list(4, &list, 12, "broken");
	put(&list, 0, 8);
	put(&list, 0, 8);
	check_list(4, &list, 0, "reg 0");
	check_list(4, &list, 3, "reg 0");
	check_list(4, &list, 4, "gone optimised out here");
	check_list(4, &list, 8, "mem 31 56");
	check_list(4, &list, 12, "gone optimised out here");
}

TEST(dwarf_loc_by_list_of_entries)
{
	struct bytes list = { .n = 16 };

	PUT(&list, "\x09\x01\x02\x04\x00\x04\x01\x50");   /* view pair; offset_pair */
	PUT(&list, "\x06");                               /* base_address */
	put(&list, START + 16, 8);
	PUT(&list, "\x04\x00\x04\x01\x51");
	PUT(&list, "\x07");                               /* start_end */
	put(&list, START + 32, 8);
	put(&list, START + 36, 8);
	PUT(&list, "\x01\x52\x08");                       /* start_length */
	put(&list, START + 36, 8);
	PUT(&list, "\x04\x01\x53");
	check_list(5, &list, 8, "broken");
	PUT(&list, "\x05\x01\x54");                       /* default_location */
	check_list(5, &list, 39, "reg 3");
	put(&list, 0, 1);
	check_list(5, &list, 3, "reg 0");
	check_list(5, &list, 16, "reg 1");
	check_list(5, &list, 35, "reg 2");
	check_list(5, &list, 36, "reg 3");
	check_list(5, &list, 8, "reg 4");
}

/* Rows at the start of the function, 8 behind it, and at 16 a third one that ends the prologue. */
static void put_line_table(struct bytes *b, const char *between)
{
	size_t from = put_length(b), header;

	put(b, 2, 2);
	header = put_length(b);
	PUT(b, "\x04\x01\xfb\x0e\x0d\0\1\1\1\1\0\0\0\1\0\0\1\0a.c\0\0\0\0\0");
	end_length(b, header);
	PUT(b, "\0\x09\2");
	put(b, START, 8);
	PUT(b, "\1");              /* START */
	put_bytes(b, between, strlen(between));
	PUT(b, "\2\2\1");          /* START + 8 */
	PUT(b, "\2\2\x0a\1");       /* START + 16, prologue_end */
	PUT(b, "\2\x3c\0\1\1");
	end_length(b, from);
}

static void check_prologue(const char *producer, const char *code, bool optimised, uint64_t after)
{
	static struct dwarf_build b;
	struct want w = { .producer = producer };
	struct found f;

	put_bytes(&w.at, code, 2);
	b = (struct dwarf_build){ .info.n = 0 };
	put_line_table(&b.line, "");
	f = build(&b, &w);
	CHECK_EQ(dwarf_is_optimised(&f.f), optimised);
	CHECK_EQ(dwarf_after_prologue(&f.f), after);
	f.f.is_inlined = true;
	CHECK_EQ(dwarf_after_prologue(&f.f), START);
	dwarf_free(f.d);
}

TEST(dwarf_after_prologue_is_the_second_row_of_unoptimised_code)
{
	check_prologue("GNU C17 12.2.0 -g", "\x91\x6c", false, START + 8);
	check_prologue("GNU C17 12.2.0 -g -O2 -O0", "\x91\x6c", false, START + 8);
	check_prologue("GNU C17 12.2.0 -g -O2", "\x91\x6c", true, START);
	check_prologue("GNU C17 12.2.0 -g -Og", "\x91\x6c", true, START);
}

/* Compilers that do not write their options are known by where they say that a parameter is. */
TEST(dwarf_after_prologue_asks_the_parameters)
{
	check_prologue("clang version 14.0.6", "\x91\x6c", false, START + 8);
	check_prologue("clang version 14.0.6", "\x8d\x08", false, START + 8);
	check_prologue("clang version 14.0.6", "\x91\x08", true, START);   /* the caller put it there */
	check_prologue("clang version 14.0.6", "\x50\x96", true, START);
}

TEST(dwarf_after_prologue_goes_to_its_mark)
{
	static struct dwarf_build b;
	struct want w = { .producer = "clang" };
	struct found f;

	PUT(&w.at, "\x91\x6c");
	b = (struct dwarf_build){ .info.n = 0 };
	put_line_table(&b.line, "\x0a\1");   /* a second row at the start, marked */
	f = build(&b, &w);
	CHECK_EQ(dwarf_after_prologue(&f.f), START);
	dwarf_free(f.d);
}
