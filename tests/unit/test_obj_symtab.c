/* obj/symtab and obj/plt: which symbols, which name for an address, where they end. */
#include "image/symtab.h"

#include "image/plt.h"
#include "obj_build.h"

enum { TEXT = 0x11000, TEXT_SIZE = 0x1000 };

#define FUNCTION(at, n, how) \
	((struct elf_symbol){ .type = ELF_FUNC, .bind = how, .section = 1, .value = TEXT + (at), .size = n })
#define LABEL(at) \
	((struct elf_symbol){ .type = ELF_NOTYPE, .bind = ELF_GLOBAL, .section = 1, .value = TEXT + (at) })

static struct build *with_text(void)
{
	static struct build b;
	static const uint8_t text[TEXT_SIZE];

	b = (struct build)BUILD_AARCH64;
	build_section(&b, ".text", (struct elf_section){
		.type = 1, .flags = ELF_ALLOC | ELF_EXECINSTR, .addr = TEXT, .size = TEXT_SIZE,
	}, text);
	return &b;
}

static struct symtab read_table(struct build *b)
{
	const uint8_t *p;
	struct symtab t = { 0 };
	struct elf_code code;
	struct elf f;

	build_symbols(b, ELF_SYMTAB);
	build_finish(b);
	p = guard_dup(b->v, b->n);
	CHECK_EQ(elf_init(&f, p, b->n, NULL), 0);
	CHECK(symtab_add_elf(&t, &f, SYMTAB_STATIC, NULL) >= 0);
	elf_code_init(&code, &f);
	CHECK_EQ(symtab_finish(&t, &code), 0);
	return t;
}

static const char *name_at(const struct symtab *t, uint64_t offset)
{
	const struct sym *s = symtab_find(t, TEXT + offset);

	return s ? symtab_name(t, s) : "none";
}

TEST(symtab_prefers_sized_then_global_then_fewer_underscores)
{
	struct build *b = with_text();

	build_symbol(b, "weak", FUNCTION(0, 16, ELF_WEAK));
	build_symbol(b, "global", FUNCTION(0, 16, ELF_GLOBAL));
	build_symbol(b, "local", FUNCTION(0, 16, ELF_LOCAL));
	build_symbol(b, "unsized", FUNCTION(0x20, 0, ELF_GLOBAL));
	build_symbol(b, "sized", FUNCTION(0x20, 16, ELF_LOCAL));
	build_symbol(b, "__libc_write", FUNCTION(0x40, 16, ELF_GLOBAL));
	build_symbol(b, "write", FUNCTION(0x40, 16, ELF_GLOBAL));
	build_symbol(b, "_write", FUNCTION(0x40, 16, ELF_GLOBAL));
	build_symbol(b, "write64", FUNCTION(0x40, 16, ELF_GLOBAL));
	build_symbol(b, "label", LABEL(0x60));
	build_symbol(b, "__function", FUNCTION(0x60, 0, ELF_GLOBAL));

	struct symtab t = read_table(b);

	CHECK_EQ(t.syms.n, 4);
	CHECK_STR(name_at(&t, 0), "global");
	CHECK_STR(name_at(&t, 0x20), "sized");
	CHECK_STR(name_at(&t, 0x40), "write");
	CHECK_STR(name_at(&t, 0x60), "__function");
	symtab_deinit(&t);
}

TEST(symtab_takes_code_only)
{
	struct build *b = with_text();

	build_symbol(b, "$x", LABEL(0));
	build_symbol(b, "$d.7", LABEL(4));
	build_symbol(b, ".L12", LABEL(8));
	build_symbol(b, "data", (struct elf_symbol){ .type = ELF_OBJECT, .section = 1, .value = TEXT, .size = 99 });
	build_symbol(b, "undefined", (struct elf_symbol){ .type = ELF_FUNC, .value = TEXT, .size = 99 });
	build_symbol(b, "absolute", (struct elf_symbol){ .section = ELF_ABS, .value = TEXT });
	build_symbol(b, "hidden", (struct elf_symbol){ .section = 1, .value = TEXT, .visibility = ELF_HIDDEN });
	build_symbol(b, "elsewhere", (struct elf_symbol){ .section = 1, .value = TEXT + TEXT_SIZE });
	build_symbol(b, "ifunc", (struct elf_symbol){
		.type = ELF_IFUNC, .section = 1, .value = TEXT + 0x100, .size = 16,
	});

	struct symtab t = read_table(b);

	CHECK_EQ(t.syms.n, 1);
	CHECK_STR(name_at(&t, 0x10f), "ifunc");
	CHECK_STR(name_at(&t, 0x110), "none");
	CHECK_STR(name_at(&t, 0xff), "none");
	symtab_deinit(&t);
}

TEST(symtab_without_size_reaches_to_the_next_symbol_and_not_beyond_the_section)
{
	struct build *b = with_text();

	build_symbol(b, "second", LABEL(0x80));
	build_symbol(b, "first", LABEL(0x10));

	struct symtab t = read_table(b);

	CHECK_STR(name_at(&t, 0xf), "none");
	CHECK_STR(name_at(&t, 0x7f), "first");
	CHECK_STR(name_at(&t, 0x80), "second");
	CHECK_STR(name_at(&t, TEXT_SIZE - 1), "second");
	CHECK_STR(name_at(&t, TEXT_SIZE), "none");
	CHECK_EQ(symtab_find(&t, TEXT + 0x10)->size, 0x70);
	CHECK_EQ(symtab_find(&t, TEXT + 0x80)->size, TEXT_SIZE - 0x80);
	symtab_deinit(&t);
}

/* It does not enclose the next one either, nor what is behind that. */
TEST(symtab_without_size_ends_where_a_sized_one_begins)
{
	struct build *b = with_text();

	build_symbol(b, "label", LABEL(0x10));
	build_symbol(b, "sized", FUNCTION(0x40, 8, ELF_GLOBAL));

	struct symtab t = read_table(b);

	CHECK_STR(name_at(&t, 0x3f), "label");
	CHECK_STR(name_at(&t, 0x47), "sized");
	CHECK_STR(name_at(&t, 0x50), "none");
	symtab_deinit(&t);
}

TEST(symtab_finds_the_enclosing_function_behind_a_nested_one)
{
	struct build *b = with_text();

	build_symbol(b, "outer", FUNCTION(0, 0x100, ELF_GLOBAL));
	build_symbol(b, "inner", FUNCTION(0x40, 8, ELF_GLOBAL));

	struct symtab t = read_table(b);

	CHECK_STR(name_at(&t, 0x3f), "outer");
	CHECK_STR(name_at(&t, 0x47), "inner");
	CHECK_STR(name_at(&t, 0x48), "outer");
	CHECK_STR(name_at(&t, 0x100), "none");
	symtab_deinit(&t);
}

TEST(symtab_of_an_object_file_is_empty)
{
	struct build *b = with_text();

	b->type = ELF_REL;
	build_symbol(b, "f", FUNCTION(0, 8, ELF_GLOBAL));

	struct symtab t = read_table(b);

	CHECK_EQ(t.syms.n, 0);
	symtab_deinit(&t);
}

TEST(symtab_drops_the_thumb_bit_of_32_bit_arm)
{
	struct build *b = with_text();

	b->machine = ELF_ARM;
	b->is32 = true;
	build_symbol(b, "thumb", FUNCTION(0x11, 8, ELF_GLOBAL));

	struct symtab t = read_table(b);

	CHECK_STR(name_at(&t, 0x10), "thumb");
	CHECK_STR(name_at(&t, 0x18), "none");
	symtab_deinit(&t);
}

TEST(symtab_name_outside_the_strings_is_not_taken)
{
	struct build *b = with_text();

	build_symbol(b, "f", FUNCTION(0, 8, ELF_GLOBAL));
	build_put(b, b->symbols + 24, 5000, 4);

	struct symtab t = read_table(b);

	CHECK_EQ(t.syms.n, 0);
	symtab_deinit(&t);
}

TEST(symtab_extent_is_what_has_one_symbol)
{
	struct build *b = with_text();
	uint64_t from = 0, to = 0;

	build_symbol(b, "outer", FUNCTION(0, 0x100, ELF_GLOBAL));
	build_symbol(b, "inner", FUNCTION(0x40, 8, ELF_GLOBAL));

	struct symtab t = read_table(b);

	CHECK(symtab_extent(&t, TEXT + 0x3f, &from, &to) && from == TEXT && to == TEXT + 0x40);
	CHECK(symtab_extent(&t, TEXT + 0x47, &from, &to) && from == TEXT + 0x40 && to == TEXT + 0x48);
	CHECK(!symtab_extent(&t, TEXT + 0x48, &from, &to));
	CHECK(!symtab_extent(&t, TEXT + 0x100, &from, &to));
	symtab_deinit(&t);
}

/* Against a plain search over unsorted symbols. */
TEST(symtab_sorts_and_finds_like_a_linear_search)
{
	enum { N = 3000 };
	static struct sym in[N];
	struct symtab t = { 0 };
	uint32_t seed = 12345;

	for (unsigned i = 0; i < N; i++) {
		seed = seed * 1103515245 + 12345;
		in[i] = (struct sym){ .addr = (uint64_t)(seed >> 8 & 0xfff) * 64, .size = 1 + (seed >> 4 & 63) };
		CHECK_EQ(symtab_add(&t, &in[i]), 0);
	}
	CHECK_EQ(symtab_finish(&t, NULL), 0);
	for (unsigned i = 1; i < t.syms.n; i++)
		CHECK(t.syms.v[i - 1].addr < t.syms.v[i].addr);
	for (uint64_t addr = 0; addr < 0x1000 * 64; addr += 61) {
		const struct sym *s = symtab_find(&t, addr);
		bool any = false;
		uint64_t from, to;

		if (symtab_extent(&t, addr, &from, &to))
			CHECK(s && from <= addr && addr < to && symtab_find(&t, from) == s &&
			      symtab_find(&t, to - 1) == s);
		for (unsigned i = 0; i < N; i++)
			any |= in[i].addr == (addr & ~UINT64_C(63));
		CHECK(!s || (any && s->addr == (addr & ~UINT64_C(63)) && addr - s->addr < s->size));
		CHECK(s || !any || addr % 64);
	}
	symtab_deinit(&t);
}

/* A shared object without section headers: symbols by PT_DYNAMIC; `hash` has the count. */
static void check_dynamic(uint64_t tag, const uint32_t *hash, size_t hash_size)
{
	struct build *b = with_text();
	struct symtab t = { 0 };
	struct elf f;

	build_symbol(b, "one", FUNCTION(0, 16, ELF_GLOBAL));
	build_symbol(b, "two", FUNCTION(16, 16, ELF_GLOBAL));
	build_symbols(b, ELF_DYNSYM);
	build_section(b, ".hash", (struct elf_section){ .type = 5, .size = hash_size }, hash);

	uint64_t base = 0x400000, dyn[] = {
		5, base + b->section[2].offset, 6, base + b->section[3].offset,
		tag, base + b->section[4].offset, 10, b->section[2].size, 0, 0,
	};
	uint32_t at = build_section(b, ".dynamic", (struct elf_section){ .type = 6, .size = sizeof(dyn) }, dyn);

	build_segment(b, (struct elf_segment){
		.type = ELF_PT_LOAD, .flags = ELF_PF_X, .vaddr = base, .filesz = b->n, .memsz = b->n,
	});
	build_segment(b, (struct elf_segment){
		.type = ELF_PT_DYNAMIC, .offset = b->section[at].offset, .filesz = sizeof(dyn),
	});
	build_finish_bare(b);
	CHECK_EQ(elf_init(&f, guard_dup(b->v, b->n), b->n, NULL), 0);
	CHECK_EQ(f.n_sections, 0);
	CHECK_EQ(symtab_add_elf(&t, &f, SYMTAB_STATIC, NULL), 0);
	CHECK_EQ(symtab_add_elf(&t, &f, SYMTAB_DYNAMIC, NULL), 2);
	CHECK_EQ(symtab_finish(&t, NULL), 0);
	CHECK_STR(name_at(&t, 31), "two");
	symtab_deinit(&t);
}

TEST(symtab_without_sections_counts_by_hash_table)
{
	const uint32_t hash[] = { 1, 3, 2, 0, 1, 0 };

	check_dynamic(4, hash, sizeof(hash));
}

TEST(symtab_without_sections_counts_by_gnu_hash_table)
{
	/*
	 * 3 buckets, first hashed symbol 1, one Bloom word, shift; buckets; chain, whose last entry
	 * has bit 0
	 */
	const uint32_t hash[] = { 3, 1, 1, 6, 0, 0, 0, 1, 0, 0x1000, 0x2001 };

	check_dynamic(0x6ffffef5, hash, sizeof(hash));
}

/* A file with a .plt at 0x20000 and one slot for `memcpy` at `got`. */
static void check_plt(uint16_t machine, uint32_t reloc, const void *code, size_t n, uint64_t entry, uint64_t end)
{
	struct build *b = with_text();
	const uint64_t got = 0x30018, rela[] = { got, (uint64_t)1 << 32 | reloc, 0 };
	struct symtab t = { 0 };
	struct elf f;

	b->machine = machine;
	build_symbol(b, "memcpy", (struct elf_symbol){ .type = ELF_FUNC, .bind = ELF_GLOBAL });
	build_symbols(b, ELF_DYNSYM);
	build_section(b, ".rela.plt", (struct elf_section){
		.type = ELF_RELA, .flags = ELF_ALLOC, .size = sizeof(rela),
	}, rela);
	build_section(b, ".plt", (struct elf_section){
		.type = 1, .flags = ELF_ALLOC | ELF_EXECINSTR, .addr = 0x20000, .size = n,
	}, code);
	build_finish(b);
	CHECK_EQ(elf_init(&f, guard_dup(b->v, b->n), b->n, NULL), 0);
	CHECK_EQ(plt_add(&t, &f, NULL), 1);
	CHECK_EQ(symtab_finish(&t, NULL), 0);

	const struct sym *s = symtab_find(&t, end - 1);

	CHECK(s);
	CHECK_EQ(s ? s->addr : 0, entry);
	CHECK_STR(s ? symtab_name(&t, s) : "", "memcpy@plt");
	CHECK(!symtab_find(&t, entry - 1));
	CHECK(!symtab_find(&t, end));
	symtab_deinit(&t);
}

TEST(plt_of_aarch64_is_named)
{
	/*
	 * As binutils writes it: header of 32 bytes, then adrp x16, 30000; ldr x17, [x16, #24];
	 * add; br x17
	 */
	const uint32_t plain[] = {
		0xa9bf7bf0, 0x90000090, 0xf9400a11, 0x91004210, 0xd61f0220, 0xd503201f, 0xd503201f, 0xd503201f,
		0x90000090, 0xf9400e11, 0x91006210, 0xd61f0220,
	};
	/* The same with bti c in front and autia1716 before the branch */
	const uint32_t bti[] = { 0xd503245f, 0x90000090, 0xf9400e11, 0x91006210, 0xd503219f, 0xd61f0220 };

	check_plt(ELF_AARCH64, 1026, plain, sizeof(plain), 0x20020, 0x20030);
	check_plt(ELF_AARCH64, 1026, bti, sizeof(bti), 0x20000, 0x20018);
}

TEST(plt_of_x86_64_is_named)
{
	/* push; jmp of the header; then jmp *0x30018(%rip); push 0; jmp header */
	const uint8_t lazy[] = {
		0xff, 0x35, 2, 0, 1, 0, 0xff, 0x25, 4, 0, 1, 0, 0x0f, 0x1f, 0x40, 0,
		0xff, 0x25, 0x02, 0x00, 0x01, 0x00, 0x68, 0, 0, 0, 0, 0xe9, 0xe0, 0xff, 0xff, 0xff,
	};
	/* endbr64; bnd jmp *0x30018(%rip); nopl */
	const uint8_t ibt[] = {
		0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0x0d, 0x00, 0x01, 0x00, 0x0f, 0x1f, 0x44, 0, 0,
	};
	const uint8_t compact[] = {
		0xff, 0x25, 0x12, 0x00, 0x01, 0x00, 0x66, 0x90, 0xff, 0x25, 0, 0, 0, 0, 0x66, 0x90,
	};

	check_plt(ELF_X86_64, 7, lazy, sizeof(lazy), 0x20010, 0x20020);
	check_plt(ELF_X86_64, 7, ibt, sizeof(ibt), 0x20000, 0x20010);
	check_plt(ELF_X86_64, 6, compact, sizeof(compact), 0x20000, 0x20008);
}
