/*
 * Debug information of the programs in tests/data/dwarf: what llvm-dwarfdump says of them (NAME.want), and what C says
 * of their types.
 */
#include "base/fmt.h"
#include "obj/dwarf/parts.h"
#include "t.h"

struct file {
	struct elf elf, alt, dwo;
	struct dwarf *d;
};

static void elf_open(struct elf *elf, const char *name)
{
	char path[100];
	size_t n;

	snprintf(path, sizeof(path), "data/dwarf/%s", name);

	char *bytes = t_read(path, &n);

	CHECK_EQ(elf_init(elf, guard_dup(bytes, n), n, NULL), 0);
}

static bool split(void *arg, const char *name, const char *dir, uint64_t id, struct elf *out)
{
	(void)name;
	(void)dir;
	(void)id;
	*out = ((struct file *)arg)->dwo;
	return out->all.start;
}

static void file_open(struct file *f, const char *name, const char *alt, const char *dwo)
{
	struct dwarf_files files = { .elf = &f->elf, .alt = alt ? &f->alt : NULL, .split = split, .arg = f };
	struct err e = { 0 };

	*f = (struct file){ 0 };
	elf_open(&f->elf, name);
	if (alt)
		elf_open(&f->alt, alt);
	if (dwo)
		elf_open(&f->dwo, dwo);
	f->d = dwarf_new(&files, &e);
	CHECK_STR(e.text, "");
}

struct list {
	char text[4096];
	size_t n;
	struct dwarf_func last;
	int stop;
};

static int list_add(void *arg, const struct dwarf_func *f)
{
	struct list *l = arg;

	l->n += (size_t)snprintf(l->text + l->n, sizeof(l->text) - l->n, "%s %llx %s\n",
				 f->is_inlined ? "inline" : "func", (unsigned long long)f->entry, die_name(&f->die));
	l->last = *f;
	return l->stop;
}

static void functions(struct dwarf *d, struct list *l, const char *name, bool is_glob)
{
	struct dwarf_func_want w = { .name = name, .is_glob = is_glob, .inlined = true };
	struct err e = { 0 };

	*l = (struct list){ 0 };
	CHECK_EQ(dwarf_each_function(d, &w, list_add, l, &e), 0);
	CHECK_STR(e.text, "");
}

/* The lines that end with " NAME". */
static void lines_of(const char *all, const char *name, char *out, size_t size)
{
	struct sv rest = sv_from(all), line;
	size_t n = 0;

	while (sv_cut(&rest, '\n', &line)) {
		size_t len = strlen(name);

		if (line.n > len && !memcmp(line.s + line.n - len, name, len) && line.s[line.n - len - 1] == ' ')
			n += (size_t)snprintf(out + n, size - n, "%.*s\n", (int)line.n, line.s);
	}
	out[n] = 0;
}

static void check_file(const char *name)
{
	static const char *const all[] = { "_start", "work", "add", "fail", "abs_of", "sum", "other", "f", "g",
					   "free_f", "hidden", "klass", "base", "nothing" };
	char path[100], want_some[4096];
	struct file f;
	struct list l;
	size_t n;

	snprintf(path, sizeof(path), "data/dwarf/%s.want", name);

	char *want = t_read(path, &n);

	file_open(&f, name, NULL, NULL);
	functions(f.d, &l, NULL, false);
	CHECK_STR(l.text, want);
	functions(f.d, &l, "*", true);
	CHECK_STR(l.text, want);
	/* By name: in any order, so compare what is there one by one. */
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		struct sv rest, line;
		char *found;

		lines_of(want, all[i], want_some, sizeof(want_some));
		functions(f.d, &l, all[i], false);
		CHECK_EQ(l.n, strlen(want_some));
		for (rest = sv_from(l.text); sv_cut(&rest, '\n', &line) && line.n;) {
			found = memmem(want_some, strlen(want_some), line.s, line.n + 1);
			CHECK(found);
		}
	}
	dwarf_free(f.d);
}

TEST(dwarf_functions_of_gcc_5) { check_file("gcc5"); }
TEST(dwarf_functions_of_gcc_2) { check_file("gcc2"); }
TEST(dwarf_functions_of_clang_5) { check_file("clang5"); }
TEST(dwarf_functions_of_other_units_by_lto) { check_file("lto4"); }
TEST(dwarf_functions_beside_type_units) { check_file("types4"); }
TEST(dwarf_functions_of_a_compressed_file) { check_file("zlib5"); }

TEST(dwarf_functions_of_split_files)
{
	static const char *const of[][3] = { { "split5", NULL, "split5.dwo" }, { "split4", NULL, "split4.dwp" } };

	for (size_t i = 0; i < ARRAY_SIZE(of); i++) {
		struct file f;
		struct list l;
		struct err e = { 0 };
		struct dwarf_func v[DWARF_INLINE_DEPTH];

		file_open(&f, of[i][0], NULL, of[i][2]);
		functions(f.d, &l, "ns::free_f", false);
		CHECK(l.n && l.last.outer.u->is_split && l.last.outer.u->has_line);
		CHECK_EQ(dwarf_functions_at(f.d, l.last.entry, v, &e) >= 1, 1);
		functions(f.d, &l, "f", false);
		CHECK(l.n > 0);
		functions(f.d, &l, "ns::klass<long*>::f", true);
		CHECK(l.n > 0);
		dwarf_free(f.d);
		/* Without the .dwo: units are there, functions are not. */
		file_open(&f, of[i][0], NULL, NULL);
		functions(f.d, &l, "hidden", false);
		CHECK_EQ(l.last.is_inlined || !l.n, 1);
		CHECK(dwarf_unit_at(f.d, 0, &e) && !dwarf_unit_at(f.d, 0, &e)->is_split);
		dwarf_free(f.d);
	}
}

TEST(dwarf_functions_with_an_alternate_file)
{
	struct file f;
	struct list l;

	file_open(&f, "alt4", "alt4.dwz", NULL);
	functions(f.d, &l, "sum", false);
	CHECK_EQ(l.n > 0, 1);
	CHECK_EQ(l.last.is_inlined, 1);
	functions(f.d, &l, "work2", false);
	CHECK_STR(die_name(&l.last.die), "work2");
	CHECK_STR(die_name(&l.last.outer), "work2");
	dwarf_free(f.d);
}

TEST(dwarf_names_with_scopes)
{
	struct file f;
	struct list scoped, plain, linkage;

	file_open(&f, "types4", NULL, NULL);
	functions(f.d, &plain, "free_f", false);
	functions(f.d, &scoped, "ns::free_f", false);
	functions(f.d, &linkage, "_ZN2ns6free_fEi", false);
	CHECK(plain.n > scoped.n);
	CHECK_EQ(scoped.n, linkage.n);
	functions(f.d, &scoped, "klass<int>::nested::g", false);
	CHECK(scoped.n > 0);
	functions(f.d, &scoped, "ns::hidden", false);
	CHECK(scoped.n > 0);
	functions(f.d, &scoped, "other::hidden", false);
	CHECK_EQ(scoped.n, 0);
	functions(f.d, &scoped, "ns::klass<*>::f", true);
	CHECK(scoped.n > 0);
	functions(f.d, &plain, "f", false);
	CHECK_EQ(scoped.n, plain.n);
	dwarf_free(f.d);
}

TEST(dwarf_relocatable_addresses_tell_the_section)
{
	struct elf_section h;
	struct file f;
	struct list l;

	file_open(&f, "rel5", NULL, NULL);
	functions(f.d, &l, "abs_of", false);
	CHECK(elf_section(&f.elf, (uint32_t)(l.last.outer.u ? l.last.entry >> DWARF_REL_SHIFT : 0), &h));
	CHECK_STR(elf_section_name(&f.elf, &h), ".text.abs_of");
	CHECK_STR(dwarf_unit_at(f.d, 0, NULL)->name, "prog.c");
	dwarf_free(f.d);
}

TEST(dwarf_a_search_ends_when_it_is_told_to)
{
	struct dwarf_func_want w = { .name = "add", .inlined = true };
	struct list l = { .stop = 7 };
	struct file f;

	file_open(&f, "gcc5", NULL, NULL);
	CHECK_EQ(dwarf_each_function(f.d, &w, list_add, &l, NULL), 7);
	CHECK_EQ(strchr(l.text, '\n') - l.text, (long)l.n - 1);
	w.inlined = false;
	CHECK_EQ(dwarf_each_function(f.d, &w, list_add, &l, NULL), 0);
	dwarf_free(f.d);
}

TEST(dwarf_functions_at_an_address)
{
	static const char *const files[] = { "gcc5", "gcc2", "clang5" };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		struct dwarf_func v[DWARF_INLINE_DEPTH];
		struct file f;
		struct list l;
		int n;

		file_open(&f, files[i], NULL, NULL);
		functions(f.d, &l, "sum", false);

		uint64_t pc = l.last.entry;

		n = dwarf_functions_at(f.d, pc, v, NULL);
		CHECK_EQ(n, 2);
		CHECK_STR(die_name(&v[0].die), "other");
		CHECK_STR(die_name(&v[1].die), "sum");
		CHECK(v[1].is_inlined && v[1].outer.off == v[0].die.off);
		CHECK_EQ(dwarf_functions_at(f.d, 0x10, v, NULL), 0);
		CHECK_STR(dwarf_unit_of(f.d, pc, NULL)->name, "more.c");
		dwarf_free(f.d);
	}
}

struct vars {
	char text[200];
	struct dwarf_var var[16];
	size_t n;
};

static int var_add(void *arg, const struct dwarf_var *v)
{
	struct vars *s = arg;
	size_t len = strlen(s->text);

	snprintf(s->text + len, sizeof(s->text) - len, "%s%s%u ", v->name, v->is_param ? "!" : "", v->depth);
	s->var[s->n++ % 16] = *v;
	return 0;
}

/* Compilers that see all units at once change the order. */
static const struct die *var_of(const struct vars *s, const char *name)
{
	for (size_t i = 0; i < s->n && i < 16; i++) {
		if (!strcmp(s->var[i].name, name))
			return &s->var[i].die;
	}
	CHECK_STR("nothing", name);
	return &s->var[0].die;
}

TEST(dwarf_variables_outer_blocks_first)
{
	struct vars s = { 0 };
	struct file f;
	struct list l;

	file_open(&f, "gcc5", NULL, NULL);
	functions(f.d, &l, "add", false);

	/* The place in the loop of work: entered with total and i known. */
	struct dwarf_func v[DWARF_INLINE_DEPTH];
	uint64_t pc = 0;

	for (uint64_t at = l.last.entry - 64; at < l.last.entry + 64; at += 4) {
		if (dwarf_functions_at(f.d, at, v, NULL) == 1 && !strcmp(die_name(&v[0].die), "work"))
			pc = at;
	}
	if (dwarf_functions_at(f.d, pc, v, NULL) == 1)
		dwarf_each_variable(&v[0], pc, var_add, &s, NULL);
	CHECK(!strncmp(s.text, "o!0 p!0 total0 ", 15));
	dwarf_free(f.d);
}

static struct ctype member(struct ctype t, unsigned i, uint64_t bit, unsigned bits, const char *name)
{
	struct ctype_member m = { 0 };
	char got[64];

	CHECK_EQ(t.src->member(t.src, t.id, i, &m, NULL), 1);
	str_copy(got, sizeof(got), m.name);
	CHECK_STR(got, name);
	CHECK_EQ(m.bit_offset, bit);
	CHECK_EQ(m.bits, bits);
	return m.type;
}

static struct ctype_info info(struct ctype t)
{
	struct ctype_info i = { 0 };

	CHECK(t.src);
	if (t.src)
		CHECK_EQ(t.src->info(t.src, t.id, &i, NULL), 0);
	return i;
}

/* Offsets as the C of prog.c has them on aarch64. */
static void check_outer(struct ctype t)
{
	struct ctype_info i = info(t);
	struct ctype_member m;

	CHECK_EQ(i.kind, CTYPE_STRUCT);
	CHECK_EQ(i.size, 112);
	CHECK(sv_eq(i.name, "outer"));
	CHECK_EQ(info(member(t, 0, 0, 3, "bits")).is_signed, 1);
	member(t, 1, 3, 5, "more");
	CHECK_EQ(info(member(t, 2, 8, 40, "wide")).size, 8);

	struct ctype_info array = info(member(t, 3, 48, 0, "in")), row = info(array.target), inner = info(row.target);

	CHECK_EQ(array.kind, CTYPE_ARRAY);
	CHECK_EQ(array.count, 2);
	CHECK_EQ(array.size, 48);
	CHECK_EQ(row.count, 3);
	CHECK_EQ(row.size, 24);
	CHECK(sv_eq(inner.name, "inner"));
	CHECK_EQ(info(member(t, 4, 448, 0, "")).kind, CTYPE_UNION);
	CHECK_EQ(info(member(t, 5, 576, 0, "name")).kind, CTYPE_PTR);

	struct ctype later = info(member(t, 6, 640, 0, "later")).target;

	/* Only declared here: its members are found in the other unit, then its size, too. */
	member(later, 1, 64, 0, "pair");
	CHECK_EQ(info(later).size, 16);
	CHECK_EQ(info(info(member(t, 7, 704, 0, "call")).target).kind, CTYPE_FUNC);
	CHECK_EQ(info(member(t, 8, 768, 0, "flag")).kind, CTYPE_BOOL);
	CHECK_EQ(info(member(t, 9, 800, 0, "level")).is_signed, 1);
	CHECK_EQ(info(member(t, 10, 832, 0, "d")).kind, CTYPE_FLOAT);
	CHECK_EQ(info(member(t, 11, 896, 0, "tail")).count, 0);
	CHECK_EQ(t.src->member(t.src, t.id, 12, &m, NULL), 0);
	member(t, 3, 48, 0, "in");
}

TEST(dwarf_types_as_c_has_them)
{
	static const char *const files[] = { "gcc5", "gcc2", "clang5", "lto4" };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		struct vars s = { 0 };
		struct ctype_info point;
		struct file f;
		struct list l;

		file_open(&f, files[i], NULL, NULL);
		functions(f.d, &l, "work", false);
		dwarf_each_variable(&l.last, l.last.entry, var_add, &s, NULL);
		check_outer(info(die_type(var_of(&s, "o"))).target);
		point = info(die_type(var_of(&s, "p")));
		CHECK_EQ(point.kind, CTYPE_STRUCT);
		CHECK(sv_eq(point.name, "point_t"));
		CHECK_EQ(info(die_type(&l.last.die)).kind, CTYPE_INT);
		dwarf_free(f.d);
	}
}

TEST(dwarf_globals_of_the_unit_come_first)
{
	struct dwarf_var v;
	struct err e = { 0 };
	struct file f;

	file_open(&f, "gcc5", NULL, NULL);
	CHECK_EQ(dwarf_global(f.d, dwarf_unit_at(f.d, 0, NULL), "later", &v, &e), 0);
	CHECK_STR(v.die.u->name, "more.c");
	CHECK_EQ(info(die_type(&v.die)).size, 16);
	CHECK_EQ(dwarf_global(f.d, NULL, "counter", &v, &e), 0);
	CHECK_EQ(v.depth, UINT_MAX);
	CHECK_EQ(dwarf_global(f.d, NULL, "calls", &v, &e), -ENOENT);
	CHECK_EQ(dwarf_global(f.d, NULL, "bits", &v, &e), -ENOENT);
	dwarf_free(f.d);
}

TEST(dwarf_needles_are_found_at_any_place)
{
	static const unsigned counts[] = { 1, 3, 5 };
	uint8_t bytes[64];

	for (size_t c = 0; c < ARRAY_SIZE(counts); c++) {
		for (size_t n = 4; n < sizeof(bytes); n++) {
			struct cursor same = { 0 };
			struct dwarf_needles needles = { 0 };

			for (unsigned k = 0; k < counts[c]; k++)
				CHECK_EQ(dwarf_needles_add(&needles, 0x04030201 + (uint64_t)k * 0x10000000, &same), 0);
			CHECK_EQ(dwarf_needles_finish(&needles), 0);
			for (size_t at = 0; at + 4 <= n; at++) {
				memset(bytes, 1, sizeof(bytes));
				memcpy(bytes + at, "\1\2\3\4", 4);

				const uint8_t *p = guard_dup(bytes, n);

				CHECK_EQ(dwarf_needles_next(&needles, p, n, 0), at);
				CHECK_EQ(dwarf_needles_next(&needles, p, n, at + 1), n);
			}
			dwarf_needles_deinit(&needles);
		}
	}
}

TEST(dwarf_no_debug_information_is_told)
{
	struct elf elf;
	struct err e = { 0 };
	struct dwarf_files files = { .elf = &elf };

	elf_open(&elf, "split5.dwo");
	CHECK(!dwarf_new(&files, &e));
	CHECK_EQ(e.code, ENODATA);
}
