/* obj/elf, obj/note, obj/build_id, obj/debuglink: headers and small sections, good and hostile. */
#include "base/crc.h"
#include "obj/elf/build_id.h"
#include "obj/elf/debuglink.h"
#include "obj/elf/note.h"
#include "obj_build.h"

static const uint8_t some_text[64];

static struct build *small(bool is32, bool msb)
{
	static struct build b;

	b = (struct build)BUILD_AARCH64;
	b.is32 = is32;
	b.msb = msb;

	uint32_t text = build_section(&b, ".text", (struct elf_section){
		.type = 1, .flags = ELF_ALLOC | ELF_EXECINSTR, .addr = 0x11000, .size = sizeof(some_text),
	}, some_text);

	build_segment(&b, (struct elf_segment){
		.type = ELF_PT_LOAD, .flags = ELF_PF_R | ELF_PF_X, .offset = b.section[text].offset,
		.vaddr = 0x11000, .filesz = sizeof(some_text), .memsz = sizeof(some_text), .align = 0x10000,
	});
	build_symbol(&b, "first", (struct elf_symbol){
		.type = ELF_FUNC, .bind = ELF_GLOBAL, .section = (uint16_t)text, .value = 0x11000, .size = 32,
	});
	build_symbols(&b, ELF_SYMTAB);
	build_finish(&b);
	return &b;
}

static void check_small(bool is32, bool msb)
{
	struct build *b = small(is32, msb);
	struct elf_section s;
	struct elf_segment p;
	struct elf_symbol sym;
	struct elf f;

	CHECK_EQ(elf_init(&f, guard_dup(b->v, b->n), b->n, NULL), 0);
	CHECK_EQ(f.is64, !is32);
	CHECK_EQ(f.machine, ELF_AARCH64);
	CHECK_EQ(f.n_segments, 1);
	CHECK(elf_section_find(&f, ".text", &s));
	CHECK_EQ(s.addr, 0x11000);
	CHECK_EQ(s.size, 64);
	CHECK(!elf_section_find(&f, ".tex", &s));
	CHECK(elf_segment(&f, 0, &p));
	CHECK_EQ(p.vaddr, 0x11000);
	CHECK_EQ(p.flags, ELF_PF_R | ELF_PF_X);
	CHECK_EQ(p.filesz, 64);
	CHECK_EQ(p.align, 0x10000);
	CHECK(!elf_segment(&f, 1, &p));
	CHECK(elf_symbol_named(&f, "first", &sym));
	CHECK_EQ(sym.value, 0x11000);
	CHECK_EQ(sym.size, 32);
	CHECK_EQ(sym.type, ELF_FUNC);
	CHECK_EQ(sym.bind, ELF_GLOBAL);
	CHECK(!elf_symbol_named(&f, "second", &sym));
}

TEST(elf_reads_both_classes_and_byte_orders)
{
	check_small(false, false);
	check_small(false, true);
	check_small(true, false);
	check_small(true, true);
}

TEST(elf_refuses_what_is_not_elf)
{
	struct build *b = small(false, false);
	struct err e = { 0 };
	struct elf f;

	CHECK_EQ(elf_init(&f, guard_dup("", 0), 0, &e), -EBADMSG);
	CHECK_STR(e.text, "not an ELF file (at offset 0x0)");
	CHECK_EQ(elf_init(&f, guard_dup("#!/bin/sh\n.......", 16), 16, NULL), -EBADMSG);
	CHECK_EQ(elf_init(&f, guard_dup(b->v, 16), 16, NULL), -EBADMSG);
	CHECK_EQ(elf_init(&f, guard_dup(b->v, 63), 63, NULL), -EBADMSG);
	b->v[4] = 3;
	CHECK_EQ(elf_init(&f, guard_dup(b->v, b->n), b->n, NULL), -EBADMSG);
	b->v[4] = 2;
	b->v[5] = 0;
	CHECK_EQ(elf_init(&f, guard_dup(b->v, b->n), b->n, NULL), -EBADMSG);
}

TEST(elf_cut_anywhere_is_read_without_going_beyond)
{
	struct build *b = small(false, false);
	unsigned with_section = 0;

	for (size_t n = 0; n < b->n; n++) {
		struct elf_section s;
		struct elf_symbol sym;
		struct elf f;

		if (elf_init(&f, guard_dup(b->v, n), n, NULL))
			continue;
		with_section += elf_section_find(&f, ".text", &s) || elf_symbol_named(&f, "first", &sym);
	}
	CHECK_EQ(with_section, 0);   /* the section table is at the end */
}

TEST(elf_takes_big_counts_from_section_zero)
{
	struct build *b = small(false, false);
	struct elf_section s;
	struct elf f;
	uint64_t table = 0;

	memcpy(&table, b->v + 40, 8);
	build_put(b, b->v + 60, 0, 2);                          /* e_shnum */
	build_put(b, b->v + table + 32, b->n_sections + 1, 8);  /* sh_size of section 0 */
	build_put(b, b->v + table + 40, b->n_sections, 4);      /* sh_link: names */
	build_put(b, b->v + 62, 0xffff, 2);
	CHECK_EQ(elf_init(&f, guard_dup(b->v, b->n), b->n, NULL), 0);
	CHECK_EQ(f.n_sections, b->n_sections + 1);
	CHECK(elf_section_find(&f, ".text", &s));
}

TEST(elf_program_headers_outside_are_an_error_and_sections_outside_are_none)
{
	struct build *b = small(false, false);
	struct elf f;

	build_put(b, b->v + 56, 1000, 2);
	CHECK_EQ(elf_init(&f, guard_dup(b->v, b->n), b->n, NULL), -EBADMSG);
	build_put(b, b->v + 56, 1, 2);
	build_put(b, b->v + 60, 1000, 2);
	CHECK_EQ(elf_init(&f, guard_dup(b->v, b->n), b->n, NULL), 0);
	CHECK_EQ(f.n_sections, 0);
	CHECK(elf_end(&f) > b->n);
}

TEST(elf_end_tells_of_every_cut)
{
	for (int is32 = 0; is32 < 2; is32++) {
		struct build *b = small(is32, false);
		struct elf f;
		size_t opened = 0;

		CHECK_EQ(elf_init(&f, b->v, b->n, NULL), 0);
		CHECK_EQ(elf_end(&f), b->n);
		for (size_t n = 0; n < b->n; n++) {
			if (elf_init(&f, guard_dup(b->v, n), n, NULL))
				continue;
			opened++;
			CHECK(elf_end(&f) > n);
		}
		CHECK(opened > b->n / 2);
	}
}

TEST(elf_end_is_not_that_of_what_is_empty)
{
	struct build *b = small(false, false);
	struct elf f;
	uint64_t table = 0;

	memcpy(&table, b->v + 40, 8);
	build_put(b, b->v + table + 64 + 24, 1 << 30, 8);   /* sh_offset of section 1 */
	CHECK_EQ(elf_init(&f, b->v, b->n, NULL), 0);
	CHECK(elf_end(&f) > 1 << 30);
	build_put(b, b->v + table + 64 + 4, ELF_NOBITS, 4);
	CHECK_EQ(elf_end(&f), b->n);
}

TEST(elf_code_is_found_by_section_and_ends_there)
{
	struct build *b = small(false, false);
	struct elf_code code;
	struct elf f;

	CHECK_EQ(elf_init(&f, b->v, b->n, NULL), 0);
	elf_code_init(&code, &f);
	CHECK_EQ(code.n, 1);
	CHECK(!elf_code_find(&code, 0x10fff));
	CHECK(elf_code_find(&code, 0x11000));
	CHECK(elf_code_find(&code, 0x1103f));
	CHECK(!elf_code_find(&code, 0x11040));
}

/* One note: name GNU, type, id bytes. */
static size_t put_note(uint8_t *to, uint32_t type, const uint8_t *id, uint32_t n)
{
	const uint32_t head[] = { 4, n, type };

	memcpy(to, head, 12);
	memcpy(to + 12, "GNU", 4);
	memcpy(to + 16, id, n);
	return 16 + ((n + 3) & ~3u);
}

static const uint8_t an_id[20] = { 0xab, 0xcd, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18 };

TEST(build_id_is_found_behind_other_notes)
{
	uint8_t notes[128] = { 0 };
	size_t n = put_note(notes, 1, an_id, 16);
	struct build_id id, same = build_id_from(an_id, 20);
	char text[41];

	n += put_note(notes + n, 3, an_id, 20);
	CHECK(build_id_of_notes(cur_from(guard_dup(notes, n), n), &id));
	CHECK_EQ(id.size, 20);
	CHECK(build_id_same(&id, &same));
	CHECK_STR(build_id_text(&id, text, sizeof(text)), "abcd0102030405060708090a0b0c0d0e0f101112");
	for (size_t cut = 0; cut < n; cut++)
		CHECK(!build_id_of_notes(cur_from(guard_dup(notes, cut), cut), &id));
	CHECK_EQ(id.size, 0);
	CHECK(!build_id_same(&id, &id));
}

TEST(build_id_is_found_by_segment_or_section)
{
	uint8_t note[64] = { 0 };
	size_t n = put_note(note, 3, an_id, 20);

	for (int by_segment = 0; by_segment < 2; by_segment++) {
		struct build b = BUILD_AARCH64;
		struct build_id id;
		struct elf f;
		uint32_t at = build_section(&b, ".note.gnu.build-id", (struct elf_section){
			.type = by_segment ? 1 : ELF_NOTE, .size = n,
		}, note);

		if (by_segment)
			build_segment(&b, (struct elf_segment){
				.type = ELF_PT_NOTE, .offset = b.section[at].offset, .filesz = n,
			});
		build_finish(&b);
		CHECK_EQ(elf_init(&f, b.v, b.n, NULL), 0);
		CHECK(build_id_of(&f, &id));
		CHECK_EQ(id.v[1], 0xcd);
	}
}

TEST(build_id_padding_of_short_ids_is_dropped)
{
	uint8_t padded[20] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	struct build_id a = build_id_from(padded, 20), b = build_id_from(padded, 8);
	char path[128];

	CHECK_EQ(a.size, 8);
	CHECK(build_id_same(&a, &b));
	CHECK_STR(build_id_path(&a, "/fs", path, sizeof(path)),
		  "/fs/usr/lib/debug/.build-id/01/02030405060708.debug");
	CHECK_EQ(build_id_from((uint8_t[20]){ 0 }, 20).size, 0);
	CHECK_EQ(build_id_from(an_id, 32).size, 20);
}

TEST(debuglink_gives_name_checksum_and_places)
{
	struct build b = BUILD_AARCH64;
	struct debuglink_buf buf;
	struct debuglink d;
	struct elf f;
	const char section[] = "ls.debug\0\0\0\0\x26\x39\xf4\xcb";   /* CRC-32 of "123456789" */

	build_section(&b, ".gnu_debuglink", (struct elf_section){ .type = 1, .size = 16 }, section);
	build_finish(&b);
	CHECK_EQ(elf_init(&f, b.v, b.n, NULL), 0);
	CHECK(debuglink_of(&f, &d));
	CHECK_STR(d.name, "ls.debug");
	CHECK_EQ(d.crc, crc32_of(0, (const uint8_t *)"123456789", 9));
	CHECK_STR(debuglink_path(&d, NULL, "/usr/bin/ls", 0, &buf), "/usr/bin/ls.debug");
	CHECK_STR(debuglink_path(&d, NULL, "/usr/bin/ls", 1, &buf), "/usr/bin/.debug/ls.debug");
	CHECK_STR(debuglink_path(&d, "/fs", "/usr/bin/ls", 2, &buf), "/fs/usr/lib/debug/usr/bin/ls.debug");
	CHECK(!debuglink_path(&d, NULL, "/usr/bin/ls", 3, &buf));
}

TEST(debuglink_with_a_path_in_its_name_is_refused)
{
	struct build b = BUILD_AARCH64;
	struct debuglink d;
	struct elf f;

	build_section(&b, ".gnu_debuglink", (struct elf_section){ .type = 1, .size = 16 }, "../../etc/x\0abcd");
	build_finish(&b);
	CHECK_EQ(elf_init(&f, b.v, b.n, NULL), 0);
	CHECK(!debuglink_of(&f, &d));
}

TEST(debuglink_crc_is_that_of_the_standard_check_string)
{
	CHECK_EQ(crc32_of(0, (const uint8_t *)"123456789", 9), 0xcbf43926);
	CHECK_EQ(crc32_of(0, NULL, 0), 0);
}
