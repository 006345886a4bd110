/* obj/dwarf_line: rows of line tables, names of files, the code of a line. */
#include "obj/dwarf/line.h"

#include "dwarf_build.h"

/* What was told of the rows, as text. */
struct told {
	char text[2048];
	size_t n;
};

static int tell(void *arg, const struct dwarf_row *r)
{
	struct told *t = arg;

	t->n += (size_t)snprintf(t->text + t->n, sizeof(t->text) - t->n, "%llx:%u.%u.%u%s%s%s ",
				 (unsigned long long)r->addr, r->file, r->line, r->column, r->is_stmt ? "s" : "",
				 r->prologue_end ? "p" : "", r->end_sequence ? "e" : "");
	return 0;
}

enum { OPCODE_BASE = 13, LINE_BASE = -5, LINE_RANGE = 14 };

/* Special opcode: addr advances by `insns` instructions of 4 bytes, the line by `lines`. */
static uint8_t special(unsigned insns, int lines)
{
	return (uint8_t)(lines - LINE_BASE + (int)(LINE_RANGE * insns) + OPCODE_BASE);
}

/* Version 5 with folders and files in .debug_line_str, and MD5 of each file. */
static void put_tables_5(struct dwarf_build *b)
{
	PUT_STR(&b->line_str, "/src");
	PUT_STR(&b->line_str, "mm");
	PUT_STR(&b->line_str, "slub.c");
	PUT_STR(&b->line_str, "slab.h");
	PUT(&b->line, "\x01\x01\x1f\x02");
	put(&b->line, 0, 4);
	put(&b->line, 5, 4);
	PUT(&b->line, "\x03\x01\x1f\x02\x0b\x05\x1e\x02");
	for (unsigned i = 0; i < 2; i++) {
		put(&b->line, i ? 15 : 8, 4);
		put(&b->line, 1, 1);
		PUT(&b->line, "0123456789abcdef");
	}
}

/* Before: folders by name, files with folder, time and size. */
static void put_tables_2(struct dwarf_build *b)
{
	PUT_STR(&b->line, "mm");
	put(&b->line, 0, 1);
	PUT_STR(&b->line, "slub.c");
	PUT(&b->line, "\1\0\0");
	PUT_STR(&b->line, "slab.h");
	PUT(&b->line, "\1\x80\x01\0");
	put(&b->line, 0, 1);
}

/* Up to where the program begins. Returns what end_length wants. */
static size_t put_header(struct dwarf_build *b, unsigned version)
{
	size_t from = put_length(&b->line), header;

	put(&b->line, version, 2);
	if (version >= 5)
		put(&b->line, 8, 2);
	header = put_length(&b->line);
	put(&b->line, 4, 1);
	if (version >= 4)
		put(&b->line, 1, 1);
	put(&b->line, 1, 1);
	put(&b->line, (uint64_t)LINE_BASE, 1);
	put(&b->line, LINE_RANGE, 1);
	put(&b->line, OPCODE_BASE, 1);
	PUT(&b->line, "\0\1\1\1\1\0\0\0\1\0\0\1");
	if (version >= 5)
		put_tables_5(b);
	else
		put_tables_2(b);
	end_length(&b->line, header);
	return from;
}

static void put_address(struct dwarf_build *b, uint64_t addr)
{
	PUT(&b->line, "\0\x09\x02");
	put(&b->line, addr, 8);
}

static void put_special(struct dwarf_build *b, unsigned insns, int lines)
{
	put(&b->line, special(insns, lines), 1);
}

static void put_end(struct dwarf_build *b, unsigned insns)
{
	put(&b->line, 2, 1);
	put(&b->line, insns, 1);
	PUT(&b->line, "\0\1\1");
}

/* Every opcode, and a sequence of code that the linker threw away. */
static void put_program(struct dwarf_build *b)
{
	put_address(b, 0x10000);
	PUT(&b->line, "\x03\x09\x05\x07\x01");   /* line 10, column 7, copy */
	PUT(&b->line, "\x0a");                  /* prologue_end */
	put_special(b, 2, 3);                   /* 10008, line 13 */
	PUT(&b->line, "\x06\x07\x0b\x0c\x81\x01"); /* no statement, basic_block, epilogue_begin, isa 129 */
	put_special(b, 0, -5);                  /* 10008, line 8 */
	PUT(&b->line, "\x06\0\x02\x04\x05");    /* statement again; discriminator 5 */
	PUT(&b->line, "\x08\x09\x10\x00\x01");  /* const_add_pc 17 * 4, fixed_advance_pc 16, copy: 1005c */
	PUT(&b->line, "\x04\x02\x02\x01\x01");  /* file 2, advance_pc 1, copy: 10060 */
	PUT(&b->line, "\0\x03\x80\x12\x34");    /* of an unknown vendor */
	put_end(b, 4);
	put_address(b, 0);
	put_special(b, 1, 1);
	put_end(b, 1);
	put_address(b, 0xf000);
	put_special(b, 0, 1);
	put_end(b, 2);
}

static const char rows[] =
	"10000:1.10.7s 10008:1.13.7sp 10008:1.8.7 1005c:1.8.7s 10060:2.8.7s 10070:2.8.7se f000:1.2.0s f008:1.2.0se ";

static const struct dwarf_unit *one_unit(struct dwarf_build *b, unsigned version, struct dwarf **d)
{
	size_t unit = dbuild_unit(b, version, 0x10000, "C"), table;

	dbuild_unit_end(b, unit);
	table = put_header(b, version);
	put_program(b);
	end_length(&b->line, table);
	*d = dbuild_open(b);
	return dwarf_unit_at(*d, 0, NULL);
}

static void check_version(unsigned version)
{
	static struct dwarf_build b;
	struct told t = { .n = 0 };
	struct dwarf_row r;
	struct dwarf *d;
	char path[64];
	const struct dwarf_unit *u;

	b = (struct dwarf_build){ .info.n = 0 };
	u = one_unit(&b, version, &d);
	CHECK_EQ(dwarf_each_row(u, tell, &t, NULL), 0);
	CHECK_STR(t.text, rows);
	CHECK_STR(dwarf_file(u, 1, path, sizeof(path)), version >= 5 ? "/src/mm/slab.h" : "/src/mm/slub.c");
	CHECK_STR(dwarf_file(u, version >= 5 ? 0 : 2, path, sizeof(path)),
		  version >= 5 ? "/src/mm/slub.c" : "/src/mm/slab.h");
	CHECK_STR(dwarf_file(u, 3, path, sizeof(path)), "");
	CHECK_STR(dwarf_file(u, UINT32_MAX, path, sizeof(path)), "");
	CHECK_EQ(dwarf_row_at(u, 0x1000c, &r, NULL), 1);
	CHECK_EQ(r.line, 8);
	CHECK_EQ(dwarf_row_at(u, 0xf007, &r, NULL), 1);
	CHECK_EQ(r.line, 2);
	CHECK_EQ(dwarf_row_at(u, 0xf008, &r, NULL), 0);
	CHECK_EQ(dwarf_row_at(u, 0x10070, &r, NULL), 0);
	dwarf_free(d);
}

TEST(dwarf_line_reads_version_2)
{
	check_version(2);
}

TEST(dwarf_line_reads_version_3)
{
	check_version(3);
}

TEST(dwarf_line_reads_version_4)
{
	check_version(4);
}

TEST(dwarf_line_reads_version_5)
{
	check_version(5);
}

TEST(dwarf_line_matches_whole_parts_of_a_path)
{
	CHECK(dwarf_file_is("/src/mm/slub.c", SV("slub.c")));
	CHECK(dwarf_file_is("/src/mm/slub.c", SV("mm/slub.c")));
	CHECK(dwarf_file_is("/src/mm/slub.c", SV("./mm/slub.c")));
	CHECK(dwarf_file_is("/src/mm/slub.c", SV("/src/mm/slub.c")));
	CHECK(!dwarf_file_is("/src/mm/slub.c", SV("lub.c")));
	CHECK(!dwarf_file_is("/src/mm/slub.c", SV("m/slub.c")));
	CHECK(!dwarf_file_is("slub.c", SV("mm/slub.c")));
	CHECK(!dwarf_file_is("/src/mm/slub.c", SV("")));
}

/* Blocks of addresses, as text. */
static int tell_line(void *arg, const struct dwarf_unit *u, const struct dwarf_row *r)
{
	CHECK_STR(u->comp_dir, "/src");
	return tell(arg, r);
}

static void check_line(struct dwarf *d, const char *file, unsigned line, const char *want, unsigned want_near)
{
	struct told t = { .n = 0 };
	unsigned near = 99;
	int got = dwarf_each_line(d, sv_from(file), line, tell_line, &t, &near, NULL);

	CHECK_EQ(got, want[0] ? 0 : -ENOENT);
	CHECK_STR(t.text, want);
	CHECK_EQ(near, want_near);
}

TEST(dwarf_line_tells_each_block_of_a_line_once)
{
	static struct dwarf_build b;
	size_t unit = dbuild_unit(&b, 4, 0x10000, "C"), table;
	struct dwarf *d;

	dbuild_unit_end(&b, unit);
	table = put_header(&b, 4);
	put_address(&b, 0x10000);
	put_special(&b, 0, 4);          /* 10000: 5 */
	put_special(&b, 1, 0);          /* 10004: 5 */
	PUT(&b.line, "\x06");
	put_special(&b, 1, 3);          /* 10008: 8, no statement */
	PUT(&b.line, "\x06");
	put_special(&b, 1, -3);         /* 1000c: 5 */
	put_special(&b, 0, 2);          /* 1000c: 7 */
	put_special(&b, 0, -2);         /* 1000c: 5, the same place again */
	put_special(&b, 1, -5);         /* 10010: 0 */
	put_special(&b, 1, 5);          /* 10014: 5 */
	PUT(&b.line, "\x04\x02");
	put_special(&b, 1, 0);          /* 10018: 5 of the other file */
	put_special(&b, 1, 3);          /* 1001c: 8 */
	put_end(&b, 1);
	end_length(&b.line, table);
	d = dbuild_open(&b);
	check_line(d, "slub.c", 5, "10000:1.5.0s 1000c:1.5.0s ", 0);
	check_line(d, "mm/slub.c", 7, "1000c:1.7.0s ", 0);
	check_line(d, "slab.h", 5, "10018:2.5.0s ", 0);
	check_line(d, "slub.c", 6, "", 7);
	check_line(d, "slub.c", 8, "", 0);
	check_line(d, "slab.h", 1, "", 5);
	check_line(d, "none.c", 1, "", 0);
	check_line(d, "slub.c", DWARF_EVERY_LINE, "10000:1.5.0s 1000c:1.5.0s 1000c:1.7.0s 1000c:1.5.0s ", 0);
	check_line(d, "slab.h", DWARF_EVERY_LINE, "10018:2.5.0s 1001c:2.8.0s ", 0);
	check_line(d, "none.c", DWARF_EVERY_LINE, "", 0);
	dwarf_free(d);
}

static int nothing(void *arg, const struct dwarf_row *r)
{
	(void)arg;
	(void)r;
	return 0;
}

/* Any cut of the table, any byte of it changed: rows or an error, never a read outside. */
TEST(dwarf_line_survives_broken_tables)
{
	static struct dwarf_build b, broken;
	struct dwarf *d;

	one_unit(&b, 5, &d);
	dwarf_free(d);
	for (size_t i = 0; i < b.line.n; i++) {
		char path[64];

		broken = b;
		broken.line.v[i] ^= 0x81;
		d = dbuild_open(&broken);
		dwarf_each_row(dwarf_unit_at(d, 0, NULL), nothing, NULL, NULL);
		dwarf_file(dwarf_unit_at(d, 0, NULL), 1, path, sizeof(path));
		dwarf_free(d);
		broken = b;
		broken.line.n = i;
		d = dbuild_open(&broken);
		CHECK(dwarf_each_row(dwarf_unit_at(d, 0, NULL), nothing, NULL, NULL) < 0);
		dwarf_free(d);
	}
}
