/* obj/cfi: which function has an address, and its canonical frame address there. */
#include "obj/dwarf/cfi_index.h"

#include "obj_build.h"

enum { TEXT = 0x10000, FRAMES = 0x20000 };

/* Bytes of a section, growing. */
struct bytes {
	uint8_t v[1024];
	size_t n;
};

static void put(struct bytes *b, uint64_t v, size_t size)
{
	for (size_t i = 0; i < size; i++)
		b->v[b->n++] = (uint8_t)(v >> 8 * i);
}

static void put_bytes(struct bytes *b, const char *s, size_t n)
{
	memcpy(b->v + b->n, s, n);
	b->n += n;
}

/* Length in front of what was written since `at`, which has room for it. */
static void close_entry(struct bytes *b, size_t at)
{
	while (b->n % 4)
		b->v[b->n++] = 0;
	b->v[at] = (uint8_t)(b->n - at - 4);
	b->v[at + 1] = (uint8_t)((b->n - at - 4) >> 8);
}

#define CIE(b, augmentation, data, insns) \
	put_cie(b, augmentation, sizeof(augmentation), data, sizeof(data) - 1, insns, sizeof(insns) - 1)

/* Version 1, code alignment 4, data alignment -8, return address in 30. */
static size_t put_cie(struct bytes *b, const char *letters, size_t n_letters, const char *data, size_t n_data,
		      const char *insns, size_t n_insns)
{
	size_t at = b->n;

	put(b, 0, 4);
	put(b, 0, 4);
	put(b, 1, 1);
	put_bytes(b, letters, n_letters);
	put_bytes(b, "\x04\x78\x1e", 3);
	if (letters[0] == 'z')
		put(b, n_data, 1);
	put_bytes(b, data, n_data);
	put_bytes(b, insns, n_insns);
	close_entry(b, at);
	return at;
}

#define FDE(b, cie, start, size, insns) put_fde(b, cie, start, size, insns, sizeof(insns) - 1)

/* Addresses as sdata4|pcrel, 0x1b. */
static size_t put_fde(struct bytes *b, size_t cie, uint64_t start, uint64_t size, const char *insns, size_t n)
{
	size_t at = b->n;

	put(b, 0, 4);
	put(b, b->n - cie, 4);
	put(b, start - (FRAMES + b->n), 4);
	put(b, size, 4);
	put(b, 0, 1);
	put_bytes(b, insns, n);
	close_entry(b, at);
	return at;
}

static struct cfi frames(const struct bytes *b)
{
	return (struct cfi){
		.bytes = cur_from(guard_dup(b->v, b->n), b->n), .addr = FRAMES, .is_eh = true, .is64 = true,
		.machine = ELF_AARCH64,
	};
}

static void check_cfa(const struct cfi *c, uint64_t pc, unsigned reg, int64_t off)
{
	struct cfi_fde fde = { 0 };
	struct cfi_row row = { 0 };

	CHECK_EQ(cfi_find(c, pc, &fde, NULL), 1);
	CHECK_EQ(cfi_row(c, &fde, pc, &row, NULL), 0);
	CHECK_EQ(row.cfa.how, CFI_VALUE);
	CHECK_EQ(row.cfa.reg, reg);
	CHECK_EQ(row.cfa.off, off);
}

/* A function of GCC for aarch64: two ways out, the first with the state kept around it. */
static const char usual[] =
	"\x41\x0e\x30\x9d\x06\x9e\x05"	/* +4: CFA sp+48, x29 and x30 saved */
	"\x42\x0d\x1d"			/* +12: CFA x29+48 */
	"\x42\x0a\xde\xdd\x0c\x1f\x00"	/* +20: remember; restored; CFA sp+0 */
	"\x41\x0b"			/* +24: as before */
	"\x02\x03\x2d";			/* +36: negate_ra_state */

TEST(cfi_follows_the_frame_of_a_function)
{
	struct bytes b = { 0 };
	size_t cie = CIE(&b, "zR", "\x1b", "\x0c\x1f\x00");
	struct cfi c;

	FDE(&b, cie, TEXT, 64, usual);
	FDE(&b, cie, TEXT + 64, 32, "");
	put(&b, 0, 4);
	c = frames(&b);
	check_cfa(&c, TEXT, 31, 0);
	check_cfa(&c, TEXT + 4, 31, 48);
	check_cfa(&c, TEXT + 8, 31, 48);
	check_cfa(&c, TEXT + 12, 29, 48);
	check_cfa(&c, TEXT + 16, 29, 48);
	check_cfa(&c, TEXT + 20, 31, 0);
	check_cfa(&c, TEXT + 24, 29, 48);
	check_cfa(&c, TEXT + 60, 29, 48);
	check_cfa(&c, TEXT + 64, 31, 0);
}

static struct cfi_row row_at(const struct cfi *c, uint64_t pc)
{
	struct cfi_fde fde = { 0 };
	struct cfi_row row = { 0 };

	CHECK_EQ(cfi_find(c, pc, &fde, NULL), 1);
	CHECK_EQ(cfi_row(c, &fde, pc, &row, NULL), 0);
	return row;
}

static void check_rule(const struct cfi_row *row, unsigned reg, enum cfi_how how, int64_t off)
{
	CHECK_EQ(row->reg[reg].how, how);
	CHECK_EQ(row->reg[reg].off, off);
}

TEST(cfi_tells_where_registers_are_and_for_how_long)
{
	struct bytes b = { 0 };
	size_t cie = CIE(&b, "zR", "\x1b", "\x0c\x1f\x00");
	struct cfi_row row;
	struct cfi c;

	FDE(&b, cie, TEXT, 64, usual);
	put(&b, 0, 4);
	c = frames(&b);
	row = row_at(&c, TEXT);
	CHECK(row.start == TEXT && row.end == TEXT + 4 && row.ret == 30 && !row.is_signed && !row.is_signal);
	check_rule(&row, 30, CFI_SAME, 0);
	row = row_at(&c, TEXT + 8);
	CHECK(row.start == TEXT + 4 && row.end == TEXT + 12);
	check_rule(&row, 29, CFI_SAVED, -48);
	check_rule(&row, 30, CFI_SAVED, -40);
	row = row_at(&c, TEXT + 20);
	CHECK(row.start == TEXT + 20 && row.end == TEXT + 24);
	check_rule(&row, 29, CFI_SAME, 0);
	check_rule(&row, 30, CFI_SAME, 0);
	row = row_at(&c, TEXT + 24);
	CHECK(row.start == TEXT + 24 && row.end == TEXT + 36 && !row.is_signed);
	check_rule(&row, 30, CFI_SAVED, -40);
	row = row_at(&c, TEXT + 63);
	CHECK(row.start == TEXT + 36 && row.end == TEXT + 64 && row.is_signed);
}

TEST(cfi_tells_every_kind_of_rule)
{
	struct bytes b = { 0 };
	/* x30 undefined, x19 at CFA-16; the state of the common entry is what is restored. */
	size_t cie = CIE(&b, "zRS", "\x1b", "\x0c\x1f\x10\x07\x1e\x93\x02");
	struct cfi_row row;
	struct cfi c;

	FDE(&b, cie, TEXT, 64,
	    "\x05\x14\x03\x14\x15\x04\x11\x16\x7e\x15\x17\x7f" /* x20 at -24, x21 is CFA-32, x22 at 16, x23 is CFA+8 */
	    "\x2f\x18\x05\x09\x19\x1a\x09\x1b\x60"             /* x24 at 40, x25 in x26, x27 in v0 */
	    "\x10\x1c\x02\x8f\x08\x16\x1d\x01\x31"             /* x28 at sp+8, x29 is 1 */
	    "\x08\x1e\x08\x13\x41\xd3\x06\x1e");                /* x30, x19 as they are; +4: as in the beginning */
	put(&b, 0, 4);
	c = frames(&b);
	row = row_at(&c, TEXT);
	CHECK(row.is_signal);
	check_rule(&row, 20, CFI_SAVED, -24);
	check_rule(&row, 21, CFI_VALUE, -32);
	check_rule(&row, 22, CFI_SAVED, 16);
	check_rule(&row, 23, CFI_VALUE, 8);
	check_rule(&row, 24, CFI_SAVED, 40);
	check_rule(&row, 25, CFI_REGISTER, 0);
	CHECK_EQ(row.reg[25].reg, 26);
	check_rule(&row, 27, CFI_UNDEFINED, 0);
	CHECK_EQ(row.reg[28].how, CFI_SAVED_EXPR);
	CHECK(sv_eq(cfi_expression(&c, &row.reg[28]), "\x8f\x08"));
	CHECK_EQ(row.reg[29].how, CFI_VALUE_EXPR);
	CHECK(sv_eq(cfi_expression(&c, &row.reg[29]), "\x31"));
	check_rule(&row, 30, CFI_SAME, 0);
	check_rule(&row, 19, CFI_SAME, 0);
	row = row_at(&c, TEXT + 4);
	check_rule(&row, 30, CFI_UNDEFINED, 0);
	check_rule(&row, 19, CFI_SAVED, -16);
	check_rule(&row, 20, CFI_SAVED, -24);
}

TEST(cfi_finds_no_function_outside_of_them)
{
	struct bytes b = { 0 };
	size_t cie = CIE(&b, "zR", "\x1b", "\x0c\x1f\x00");
	struct cfi_fde fde;
	struct cfi c;

	FDE(&b, cie, TEXT + 4, 8, "");
	put(&b, 0, 4);
	/* Behind the end of .eh_frame there may be anything. */
	put_bytes(&b, "\xff\xee\xdd\xcc\xbb", 5);
	c = frames(&b);
	CHECK_EQ(cfi_find(&c, TEXT + 3, &fde, NULL), 0);
	CHECK_EQ(cfi_find(&c, TEXT + 12, &fde, NULL), 0);
	CHECK_EQ(cfi_find(&c, TEXT + 11, &fde, NULL), 1);
	CHECK_EQ(fde.start, TEXT + 4);
	CHECK_EQ(fde.end, TEXT + 12);
}

TEST(cfi_reads_every_augmentation)
{
	struct bytes b = { 0 };
	/* Personality sdata4|pcrel|indirect, language's data, our pointers; signal frame; key B. */
	size_t cie = CIE(&b, "zPLRSB", "\x9b\x44\x33\x22\x11\x1b\x1b", "\x0c\x1f\x10");
	struct cfi c;

	FDE(&b, cie, TEXT, 8, "");
	put(&b, 0, 4);
	c = frames(&b);
	check_cfa(&c, TEXT + 4, 31, 16);
}

TEST(cfi_reads_the_other_rules_of_a_frame_address)
{
	struct bytes b = { 0 };
	size_t cie = CIE(&b, "zR", "\x1b", "\x12\x1f\x7e");   /* def_cfa_sf sp, -2 * -8 */
	struct cfi_fde fde;
	struct cfi_row row;
	struct cfi c;

	FDE(&b, cie, TEXT, 64,
	    "\x41\x13\x7c"                         /* +4: def_cfa_offset_sf -4 */
	    "\x03\x01\x00\x0e\x80\x01"             /* +8: def_cfa_offset 128 */
	    "\x04\x01\x00\x00\x00\x0f\x02\x8f\x08" /* +12: an expression */
	    "\x41\x0c\x1d\x10"                     /* +16: x29+16 */
	    /* What does not matter: offset_extended, same, undefined, register, expressions, args_size ... */
	    "\x05\x40\x01\x08\x01\x07\x02\x09\x01\x02\x10\x03\x01\x96\x16\x03\x01\x96\x2e\x08\x06\x01\x11\x01\x7f\x14"
	    "\x01"
	    "\x01\x15\x01\x7f\x41\x0e\x18"); /* +20: x29+24 */
	c = frames(&b);
	check_cfa(&c, TEXT, 31, 16);
	check_cfa(&c, TEXT + 4, 31, 32);
	check_cfa(&c, TEXT + 8, 31, 128);
	CHECK_EQ(cfi_find(&c, TEXT + 12, &fde, NULL), 1);
	CHECK_EQ(cfi_row(&c, &fde, TEXT + 12, &row, NULL), 0);
	CHECK_EQ(row.cfa.how, CFI_VALUE_EXPR);
	CHECK(sv_eq(cfi_expression(&c, &row.cfa), "\x8f\x08"));
	check_cfa(&c, TEXT + 16, 29, 16);
	check_cfa(&c, TEXT + 20, 29, 24);
}

TEST(cfi_stops_at_what_it_does_not_know)
{
	struct bytes b = { 0 };
	size_t cie = CIE(&b, "zR", "\x1b", "\x0c\x1f\x00");
	struct cfi_fde fde;
	struct cfi_row row;
	struct cfi c;

	FDE(&b, cie, TEXT, 8, "\x41\x3f");
	FDE(&b, cie, TEXT + 8, 8, "\x0b");    /* a state that was not kept */
	c = frames(&b);
	check_cfa(&c, TEXT, 31, 0);
	CHECK_EQ(cfi_find(&c, TEXT + 4, &fde, NULL), 1);
	CHECK_EQ(cfi_row(&c, &fde, TEXT + 4, &row, NULL), -EBADMSG);
	CHECK_EQ(cfi_find(&c, TEXT + 8, &fde, NULL), 1);
	CHECK_EQ(cfi_row(&c, &fde, TEXT + 8, &row, NULL), -EBADMSG);
}

/* A common entry that would lie one byte before the section: the number that stands for none. */
TEST(cfi_refuses_a_common_entry_that_is_nowhere)
{
	struct bytes b = { 0 };
	struct cfi_fde fde = { .start = TEXT, .end = TEXT + 8, .off = 0 };
	struct cfi_row row;
	struct cfi c;

	put(&b, 16, 4);
	put(&b, 5, 4);
	put(&b, TEXT, 4);
	put(&b, 8, 4);
	put(&b, 0, 4);
	c = frames(&b);
	CHECK_EQ(cfi_find(&c, TEXT, &fde, NULL), -EBADMSG);
	CHECK_EQ(cfi_row(&c, &fde, TEXT, &row, NULL), -EBADMSG);
}

TEST(cfi_index_has_functions_in_order)
{
	struct bytes b = { 0 };
	size_t cie = CIE(&b, "zR", "\x1b", "\x0c\x1f\x00");
	struct cfi_index x;
	struct cfi_fde fde;
	struct cfi c;

	FDE(&b, cie, TEXT + 32, 16, "");
	FDE(&b, cie, TEXT, 8, "");
	FDE(&b, cie, TEXT + 8, 8, "");
	put(&b, 0, 4);
	c = frames(&b);
	CHECK_EQ(cfi_index_init(&x, &c), 0);
	CHECK(cfi_index_find(&x, TEXT + 7, &fde) && fde.start == TEXT);
	CHECK(cfi_index_find(&x, TEXT + 8, &fde) && fde.start == TEXT + 8);
	CHECK(cfi_index_find(&x, TEXT + 47, &fde) && fde.start == TEXT + 32 && fde.end == TEXT + 48);
	CHECK(!cfi_index_find(&x, TEXT - 1, &fde) && !cfi_index_find(&x, TEXT + 16, &fde));
	CHECK(!cfi_index_find(&x, TEXT + 48, &fde));
	cfi_index_deinit(&x);
}

/* .debug_frame with lengths of 64 bits, version 4. */
TEST(cfi_reads_debug_frame)
{
	struct bytes b = { 0 };
	struct cfi_fde fde;
	struct cfi c;

	put(&b, UINT32_MAX, 4);
	put(&b, 20, 8);
	put(&b, UINT64_MAX, 8);
	put_bytes(&b, "\x04\0\x08\0\x04\x78\x1e\x0c\x1f\0\0", 12);
	put(&b, UINT32_MAX, 4);
	put(&b, 28, 8);
	put(&b, 0, 8);
	put(&b, TEXT, 8);
	put(&b, 16, 8);
	put_bytes(&b, "\x42\x0e\x20", 4);
	c = (struct cfi){ .bytes = cur_from(guard_dup(b.v, b.n), b.n), .is64 = true, .machine = ELF_AARCH64 };
	check_cfa(&c, TEXT + 4, 31, 0);
	check_cfa(&c, TEXT + 8, 31, 32);
	CHECK_EQ(cfi_find(&c, TEXT + 16, &fde, NULL), 0);
}

static int count(void *arg, const struct cfi_fde *fde)
{
	*(unsigned *)arg += fde->end > fde->start;
	return 0;
}

/* Cut anywhere it ends in an error, or with what was whole; nothing is read beyond the end. */
TEST(cfi_survives_being_cut)
{
	struct bytes b = { 0 };
	size_t cie = CIE(&b, "zPLR", "\x1b\1\2\3\4\x1b\x1b", "\x0c\x1f\x00");
	size_t fde = FDE(&b, cie, TEXT, 64, usual);

	for (size_t n = 0; n < b.n; n++) {
		struct bytes part = b;
		unsigned functions = 0;
		struct cfi c;

		part.n = n;
		c = frames(&part);
		CHECK_EQ(cfi_each(&c, count, &functions, NULL), n && n != fde ? -EBADMSG : 0);
		CHECK_EQ(functions, 0);
	}
}

/* A file in memory, of which only segments are known: the table that is searched comes with it. */
TEST(cfi_without_sections_goes_by_the_header)
{
	static struct build file;
	struct bytes b = { 0 }, h = { 0 };
	size_t cie = CIE(&b, "zR", "\x1b", "\x0c\x1f\x00"), fde[3];
	struct cfi_fde found;
	struct elf f;
	struct cfi c;

	for (unsigned i = 0; i < 3; i++)
		fde[i] = FDE(&b, cie, TEXT + 32 * i, 16, usual);
	put(&b, 0, 4);
	file = (struct build)BUILD_AARCH64;
	build_section(&file, "", (struct elf_section){ .type = 1, .size = b.n }, b.v);

	/* The header lies at 0x30000: version 1, pointer sdata4|pcrel, count udata4, pairs sdata4|datarel. */
	put_bytes(&h, "\x01\x1b\x03\x3b", 4);
	put(&h, (uint64_t)FRAMES - 0x30004, 4);
	put(&h, 3, 4);
	for (unsigned i = 0; i < 3; i++) {
		put(&h, TEXT + 32 * i - 0x30000, 4);
		put(&h, FRAMES + fde[i] - 0x30000, 4);
	}
	build_section(&file, "", (struct elf_section){ .type = 1, .size = h.n }, h.v);
	build_segment(&file, (struct elf_segment){
		.type = ELF_PT_LOAD, .offset = file.section[1].offset, .vaddr = FRAMES, .filesz = b.n, .memsz = b.n,
	});
	build_segment(&file, (struct elf_segment){
		.type = 0x6474e550, .offset = file.section[2].offset, .vaddr = 0x30000, .filesz = h.n, .memsz = h.n,
	});
	build_finish_bare(&file);
	CHECK_EQ(elf_init(&f, guard_dup(file.v, file.n), file.n, NULL), 0);
	CHECK_EQ(cfi_init(&c, &f, NULL), 0);
	CHECK_EQ(cur_left(&c.table), 24);
	for (unsigned i = 0; i < 3; i++) {
		check_cfa(&c, TEXT + 32 * i + 12, 29, 48);
		CHECK_EQ(cfi_find(&c, TEXT + 32 * i + 16, &found, NULL), 0);
	}
	CHECK_EQ(cfi_find(&c, TEXT - 1, &found, NULL), 0);
	/* What lies between functions, or in front of all, is not searched for: a search would come to what is cut. */
	c.bytes.end -= 8;
	CHECK_EQ(cfi_find(&c, TEXT + 16, &found, NULL), 0);
	CHECK_EQ(cfi_find(&c, TEXT - 1, &found, NULL), 0);
	/* A table that tells wrong things is not believed: what it should have is searched. */
	c.table_addr += 8;
	CHECK_EQ(cfi_find(&c, TEXT + 16, &found, NULL), -EBADMSG);
	c.bytes.end += 8;
	check_cfa(&c, TEXT + 12, 29, 48);
	file.segment[1].filesz = 0;
	build_finish_bare(&file);
	CHECK_EQ(elf_init(&f, guard_dup(file.v, file.n), file.n, NULL), 0);
	CHECK_EQ(cfi_init(&c, &f, NULL), -ENODATA);
}
