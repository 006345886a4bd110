/*
 * Files of a terabyte with a page of bytes: whatever walks over a file ends where its bytes do, or where no real file
 * goes on. What does not takes hours, and the test's time is over.
 */
#include "base/crc.h"
#include "image/plt.h"
#include "image/symtab.h"
#include "obj/dwarf/cfi.h"
#include "obj/dwarf/dwarf.h"
#include "obj/elf/build_id.h"
#include "obj/elf/debuglink.h"
#include "obj/elf/usdt.h"
#include "obj/go/gofunc.h"
#include "obj_build.h"
#include "sys/sys.h"

#include <fcntl.h>
#include <unistd.h>

/* An emulator of processes keeps mappings page by page, and would take a minute for a terabyte. */
#define HUGE (t_sparse() < 16 ? UINT64_C(1) << 40 : UINT64_C(1) << 36)

static struct mapped_files files;
static char path[] = "/tmp/sonde-huge-XXXXXX";

static void remove_file(void)
{
	unlink(path);
}

enum knowledge { HOLES_KNOWN, HOLES_UNKNOWN };

struct huge {
	struct elf f;
	const uint8_t *p;
	size_t n;
};

static void stretch(struct build *b, uint32_t section)
{
	b->section[section].size = HUGE - b->section[section].offset;
}

/* The file made of b, a terabyte of zeros behind it. */
static void huge_open(struct huge *h, struct build *b, enum knowledge what)
{
	int fd = mkstemp(path);
	struct sys sys = sys_live;

	t_at_end(remove_file);
	sys.mapped = &files;
	build_finish(b);
	CHECK_EQ(write(fd, b->v, b->n), (long long)b->n);
	if (ftruncate(fd, (off_t)HUGE))
		SKIP("this file system has no file of a terabyte");
	if (lseek(fd, 0, SEEK_HOLE) > 1 << 24)
		SKIP("this file system does not tell holes");
	close(fd);
	if (sys_map_file(&sys, path, &h->p, &h->n, NULL))
		SKIP("there is no room for a mapping of a terabyte");
	CHECK_EQ(elf_init_mapped(&h->f, h->p, h->n, what == HOLES_KNOWN ? mapped_find(&files, h->p) : NULL, NULL), 0);
}

static uint32_t add(struct build *b, const char *name, uint32_t type, const void *bytes, size_t n)
{
	return build_section(b, name, (struct elf_section){
		.type = type, .flags = ELF_ALLOC, .addr = 0x10000, .size = n, .link = 1 }, bytes);
}

static struct build *new_build(void)
{
	static struct build b;

	b = (struct build)BUILD_AARCH64;
	return &b;
}

static void notes(enum knowledge what)
{
	static const uint8_t zero[16];
	struct build *b = new_build();
	struct build_id id;
	struct huge h;
	unsigned damaged;

	stretch(b, add(b, ".note.a", ELF_NOTE, zero, sizeof(zero)));
	stretch(b, add(b, ".note.stapsdt", ELF_NOTE, zero, sizeof(zero)));
	for (unsigned i = 0; i < BUILD_SEGMENTS; i++)
		build_segment(b, (struct elf_segment){ .type = ELF_PT_NOTE, .offset = 8192, .filesz = HUGE - 8192 });
	huge_open(&h, b, what);
	CHECK(!build_id_of(&h.f, &id));
	CHECK_EQ(usdt_each(&h.f, NULL, NULL, &damaged), 0);
}

TEST(huge_notes_end)
{
	notes(HOLES_KNOWN);
}

TEST(huge_notes_end_where_holes_are_not_told)
{
	notes(HOLES_UNKNOWN);
}

static void symbols(enum knowledge what)
{
	static const uint8_t zero[64];
	struct build *b = new_build();
	struct symtab t = { 0 };
	struct elf_symbol s;
	struct huge h;

	add(b, ".strings", ELF_STRTAB, zero, sizeof(zero));
	stretch(b, 1);
	stretch(b, add(b, ".symtab", ELF_SYMTAB, zero, sizeof(zero)));
	stretch(b, add(b, ".dynsym", ELF_DYNSYM, zero, sizeof(zero)));
	stretch(b, add(b, ".rela.plt", ELF_RELA, zero, sizeof(zero)));
	stretch(b, add(b, ".plt", 1, zero, sizeof(zero)));
	huge_open(&h, b, what);
	CHECK_EQ(symtab_add_elf(&t, &h.f, SYMTAB_STATIC, NULL), 0);
	CHECK_EQ(symtab_add_elf(&t, &h.f, SYMTAB_DYNAMIC, NULL), 0);
	CHECK_EQ(plt_add(&t, &h.f, NULL), 0);
	CHECK(!elf_symbol_named(&h.f, "main", &s));
	symtab_deinit(&t);
}

TEST(huge_symbol_tables_end)
{
	symbols(HOLES_KNOWN);
}

TEST(huge_symbol_tables_end_where_holes_are_not_told)
{
	symbols(HOLES_UNKNOWN);
}

static int no_entry(void *arg UNUSED, const struct cfi_fde *fde UNUSED)
{
	return 0;
}

/* Lengths that lead from one entry to the next: 4 bytes of length, and an entry of zeros. */
TEST(huge_tables_of_the_compiler_end)
{
	static const uint8_t zero[64], unit[64] = { 0xff, 0xff, 0xff, 0x7f, 4, 0 };
	struct build *b = new_build();
	struct dwarf_files d = { 0 };
	struct gofuncs g;
	struct cfi c;
	struct huge h;

	stretch(b, add(b, ".eh_frame", 1, zero, sizeof(zero)));
	stretch(b, add(b, ".debug_info", 1, unit, sizeof(unit)));
	stretch(b, add(b, ".debug_abbrev", 1, zero, sizeof(zero)));
	stretch(b, add(b, ".debug_str", 1, zero, sizeof(zero)));
	stretch(b, add(b, ".debug_aranges", 1, zero, sizeof(zero)));
	add(b, ".go.buildinfo", 1, zero, sizeof(zero));
	build_segment(b, (struct elf_segment){ .type = ELF_PT_LOAD, .flags = ELF_PF_X, .filesz = HUGE, .memsz = HUGE });
	huge_open(&h, b, HOLES_KNOWN);
	d.elf = d.code = &h.f;
	CHECK(gofuncs_init(&g, &h.f, NULL) < 0);
	CHECK(!cfi_init(&c, &h.f, NULL) && !cfi_each(&c, no_entry, NULL, NULL));
	dwarf_free(dwarf_new(&d, NULL));
}

TEST(huge_debug_file_is_not_summed_up)
{
	static const uint8_t zero[64];
	struct build *b = new_build();
	struct debuglink link = { "huge", 0 };
	struct debuglink_want want = { .link = &link };
	struct elf small;
	struct huge h;

	add(b, ".text", 1, zero, sizeof(zero));
	huge_open(&h, b, HOLES_KNOWN);
	CHECK_EQ(elf_init(&small, b->v, b->n, NULL), 0);
	want.file = &small;
	CHECK(!debuglink_is(&want, &h.f));
	/* As large, but with bytes all over, as far as is known. */
	h.f.file = NULL;
	CHECK(!debuglink_is(&want, &h.f));
}

static size_t n_passed;

static void count(void *arg UNUSED, const void *bytes UNUSED, size_t n)
{
	n_passed += n;
}

TEST(debug_file_of_another_build_is_not_summed_up)
{
	static const uint8_t text[64], id_a[24] = { 4, 0, 0, 0, 8, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 1 };
	struct debuglink link = { "debug", 0 };
	struct debuglink_want want = { .link = &link, .passed = count };
	struct elf program, debug;
	static struct build other;
	uint8_t id_b[24];
	struct build *b = new_build();

	add(b, ".note.gnu.build-id", ELF_NOTE, id_a, sizeof(id_a));
	build_finish(b);
	CHECK_EQ(elf_init(&program, b->v, b->n, NULL), 0);
	want.file = &program;
	other = (struct build)BUILD_AARCH64;
	memcpy(id_b, id_a, sizeof(id_b));
	id_b[16] = 2;
	add(&other, ".note.gnu.build-id", ELF_NOTE, id_b, sizeof(id_b));
	build_finish(&other);
	CHECK_EQ(elf_init(&debug, other.v, other.n, NULL), 0);
	link.crc = crc32_of(0, other.v, other.n);
	CHECK(!debuglink_is(&want, &debug));
	CHECK(debuglink_is(&want, &program));
	CHECK_EQ(n_passed, 0);
	/* Only one of them has an id: the sum tells. */
	other = (struct build)BUILD_AARCH64;
	add(&other, ".text", 1, text, sizeof(text));
	build_finish(&other);
	CHECK_EQ(elf_init(&debug, other.v, other.n, NULL), 0);
	CHECK(!debuglink_is(&want, &debug));
	link.crc = crc32_of(0, other.v, other.n);
	CHECK(debuglink_is(&want, &debug));
	CHECK_EQ(n_passed, 2 * other.n);
}
