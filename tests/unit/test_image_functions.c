/* image/functions: the table of all names and that of the best ones call every address of real files the same. */
#include "image/functions.h"
#include "image/marks.h"

#include "obj_build.h"
#include "sys/sys.h"

enum { TEXT = 0x10000, TEXT_SIZE = 0x400 };

static struct build *with_text(void)
{
	static uint8_t text[TEXT_SIZE];
	static struct build b;

	b = (struct build)BUILD_AARCH64;
	build_section(&b, ".text", (struct elf_section){
		.type = 1, .flags = ELF_ALLOC | ELF_EXECINSTR, .addr = TEXT, .size = TEXT_SIZE,
	}, text);
	return &b;
}

#define AT(offset, len, how) { .type = ELF_FUNC, .bind = (how), .section = 1, .value = TEXT + (offset), .size = (len) }

static const struct elf *file_of(struct build *b)
{
	static struct elf f;

	build_symbols(b, ELF_SYMTAB);
	build_finish(b);
	CHECK_EQ(elf_init(&f, guard_dup(b->v, b->n), b->n, NULL), 0);
	return &f;
}

static struct symtab table_of(const struct elf *f, enum functions_what what)
{
	struct symtab t = { 0 };

	CHECK_EQ(functions_read(&t, &(struct functions_want){ .file = f, .what = what }, NULL), 0);
	return t;
}

static const char *name_at(const struct symtab *t, uint64_t addr)
{
	const struct sym *s = symtab_find(t, addr);

	return s ? symtab_name(t, s) : "none";
}

TEST(functions_have_all_their_names_and_one_that_is_best)
{
	struct build *b = with_text();

	build_symbol(b, "write", (struct elf_symbol)AT(0, 16, ELF_GLOBAL));
	build_symbol(b, "aaa_local", (struct elf_symbol)AT(0, 16, ELF_LOCAL));
	build_symbol(b, "__write", (struct elf_symbol)AT(0, 16, ELF_GLOBAL));
	build_symbol(b, "write@@LIBC_2.17", (struct elf_symbol)AT(0, 16, ELF_GLOBAL));
	build_symbol(b, "write", (struct elf_symbol)AT(0, 16, ELF_WEAK));
	build_symbol(b, "write", (struct elf_symbol)AT(0x40, 8, ELF_GLOBAL));
	build_symbol(b, "no_size", (struct elf_symbol)AT(0x50, 0, ELF_GLOBAL));
	build_symbol(b, "absolute", (struct elf_symbol){
		.type = ELF_FUNC, .section = ELF_ABS, .value = TEXT + 0x80, .size = 16,
	});

	const struct elf *f = file_of(b);
	struct symtab all = table_of(f, FUNCTIONS_NAMED), best = table_of(f, FUNCTIONS_BEST);
	const struct sym *weak;

	CHECK_EQ(all.syms.n, 5);
	CHECK_EQ(best.syms.n, 3);
	CHECK_STR(name_at(&all, TEXT + 15), "write");
	CHECK_STR(name_at(&best, TEXT + 15), "write");
	CHECK(symtab_named(&all, TEXT, "__write") != NULL);
	CHECK(symtab_named(&all, TEXT, "aaa_local") != NULL);
	CHECK(!symtab_named(&all, TEXT, "write@@LIBC_2.17"));
	CHECK(!symtab_named(&all, TEXT + 4, "write"));
	weak = symtab_named(&all, TEXT, "write");
	CHECK_EQ(weak ? weak->rank : 99, SYMTAB_GLOBAL);
	CHECK_STR(name_at(&all, TEXT + 0x48), "none");
	CHECK_STR(name_at(&all, TEXT + TEXT_SIZE - 1), "no_size");
	symtab_deinit(&all);
	symtab_deinit(&best);
}

TEST(functions_starts_get_names_where_nothing_else_has_one)
{
	struct symtab t = { .has_aliases = true };

	CHECK_EQ(symtab_add_own(&t, 0x100, 0x40, SV("known")), 0);
	CHECK_EQ(symtab_add_start(&t, 0x100, 0x80), 0);
	CHECK_EQ(symtab_add_start(&t, 0x120, 8), 0);
	CHECK_EQ(symtab_add_start(&t, 0x140, 8), 0);
	CHECK_EQ(symtab_add_start(&t, 0x140, 8), 0);
	CHECK_EQ(symtab_finish(&t, NULL), 0);
	CHECK_EQ(t.syms.n, 2);
	CHECK_STR(name_at(&t, 0x120), "known");
	CHECK_STR(name_at(&t, 0x147), "fn_0x140");
	symtab_deinit(&t);
}

TEST(marks_tell_constants_among_the_code)
{
	struct build *b = with_text();
	struct marks m = { 0 };

	build_symbol(b, "$x", (struct elf_symbol){ .section = 1, .value = TEXT + 8 });
	build_symbol(b, "$d.5", (struct elf_symbol){ .section = 1, .value = TEXT + 0x40 });
	build_symbol(b, "$x.6", (struct elf_symbol){ .section = 1, .value = TEXT + 0x48 });
	CHECK_EQ(marks_read(&m, file_of(b), NULL), 0);
	CHECK(!marks_is_data(&m, TEXT));
	CHECK(!marks_is_data(&m, TEXT + 0x3f));
	CHECK(marks_is_data(&m, TEXT + 0x40));
	CHECK(marks_is_data(&m, TEXT + 0x47));
	CHECK(!marks_is_data(&m, TEXT + 0x48));
	marks_deinit(&m);
}

/* --- real files --- */

static void check_address(const struct symtab *all, const struct symtab *best, uint64_t addr, const char *path)
{
	const struct sym *a = symtab_find(all, addr);
	const char *name = a && a->source != SYMTAB_FRAME ? symtab_name(all, a) : "none";

	CHECK_SAY(!strcmp(name, name_at(best, addr)), "%s: 0x%llx is %s and %s", path, (unsigned long long)addr, name,
		  name_at(best, addr));
}

/* Their number; -1: there is no such file. */
static long check_file(const char *path)
{
	const uint8_t *p;
	size_t n;
	struct elf f;

	if (sys_map_file(&sys_live, path, &p, &n, NULL))
		return -1;
	CHECK_EQ(elf_init(&f, p, n, NULL), 0);

	struct symtab all = table_of(&f, FUNCTIONS_ALL), best = table_of(&f, FUNCTIONS_BEST);
	long named = (long)best.syms.n;

	for (size_t i = 0; i < all.syms.n; i++) {
		const struct sym *s = &all.syms.v[i];

		check_address(&all, &best, s->addr, path);
		check_address(&all, &best, s->addr + s->size - !!s->size, path);
		check_address(&all, &best, s->addr + s->size, path);
	}
	symtab_deinit(&all);
	symtab_deinit(&best);
	sys_unmap_file(&sys_live, p, n);
	return named;
}

TEST(functions_of_real_files_have_one_best_name)
{
	static const char *const paths[] = {
		"/bin/sh", "/bin/bash", "/usr/bin/perl", "/usr/bin/python3", "/usr/lib/go/bin/gofmt", "/usr/bin/gofmt",
		"/lib/x86_64-linux-gnu/libc.so.6", "/lib/aarch64-linux-gnu/libc.so.6",
		"/usr/lib/x86_64-linux-gnu/libstdc++.so.6", "/usr/lib/aarch64-linux-gnu/libstdc++.so.6",
	};

	CHECK(check_file("/proc/self/exe") > 1000);
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		CHECK(check_file(paths[i]) != 0);
}

static const struct elf *other_file(void *arg)
{
	return arg;
}

static bool lacks(const struct elf *f, const char *name)
{
	return functions_lack(f, name, other_file, NULL);
}

TEST(functions_lack_what_no_string_tells)
{
	struct build *b = with_text();
	const struct elf *f;

	build_symbol(b, "write", (struct elf_symbol)AT(0, 16, ELF_GLOBAL));
	build_symbol(b, "enlarge", (struct elf_symbol)AT(0x10, 16, ELF_GLOBAL));
	build_symbol(b, "some_data", (struct elf_symbol){ .type = ELF_OBJECT, .section = 1, .value = TEXT, .size = 4 });
	build_symbol(b, "elsewhere", (struct elf_symbol){ .type = ELF_FUNC });
	f = file_of(b);
	CHECK(!lacks(f, "write"));
	CHECK(lacks(f, "read"));
	CHECK(lacks(f, "writ"));
	CHECK(lacks(f, "rite"));
	CHECK(lacks(f, "large"));
	CHECK(!lacks(f, "enlarge"));
	CHECK(lacks(f, "some_data"));
	CHECK(lacks(f, "elsewhere"));
	/* Those are made of something else. */
	CHECK(!lacks(f, ""));
	CHECK(!lacks(f, "read@plt"));
	CHECK(!lacks(f, "fn_0x10000"));
	CHECK(!lacks(f, "ns::read"));
	CHECK(!lacks(f, "read(int)"));
}

TEST(functions_may_have_what_is_the_end_of_a_name_or_inside_of_a_mangled_one)
{
	struct build *b = with_text();
	const struct elf *f;
	uint8_t *name;

	build_symbol(b, "enlarge", (struct elf_symbol)AT(0, 16, ELF_GLOBAL));
	build_symbol(b, "shared", (struct elf_symbol)AT(0x10, 16, ELF_GLOBAL));
	/* As a linker does, "large" is what "enlarge" ends with. */
	name = b->symbols + b->n_symbols - 24;
	name[0] = (uint8_t)(b->symbols[24] + 2);
	f = file_of(b);
	CHECK(!lacks(f, "large"));
	CHECK(lacks(f, "shared"));
	CHECK(lacks(f, "arge"));

	b = with_text();
	build_symbol(b, "_Z5writei", (struct elf_symbol)AT(0, 16, ELF_GLOBAL));
	build_symbol(b, "_RNvC4main4read", (struct elf_symbol)AT(0x10, 16, ELF_GLOBAL));
	f = file_of(b);
	CHECK(!lacks(f, "write"));
	CHECK(!lacks(f, "read"));
	CHECK(lacks(f, "close"));
}

TEST(functions_of_the_debug_file_are_asked_for_where_the_file_has_none)
{
	static struct elf stripped, debug;
	struct build *b = with_text();

	build_finish(b);
	CHECK_EQ(elf_init(&stripped, guard_dup(b->v, b->n), b->n, NULL), 0);
	b = with_text();
	build_symbol(b, "write", (struct elf_symbol)AT(0, 16, ELF_GLOBAL));
	debug = *file_of(b);
	CHECK(!functions_lack(&stripped, "write", other_file, &debug));
	CHECK(functions_lack(&stripped, "read", other_file, &debug));
	CHECK(!functions_lack(&debug, "write", other_file, &stripped));
}
