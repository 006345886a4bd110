/* obj/gofunc: tables of Go's functions of all layouts, where they are found, where the code is, and hostile ones. */
#include "obj/go/gofunc.h"

#include "image/functions.h"
#include "obj_build.h"
#include "unwind/unwind.h"

enum { TEXT = 0x11000, TEXT_SIZE = 0x200, BEFORE = 0x80 };

/* Where the parts of the made table are. */
enum { NAMES = 0x80, UNITS = 0xc0, FILES = 0xe0, VALUES = 0x110, FUNCS = 0x130, MORE = 0x180, TABLE = 0x240 };

static const uint32_t starts[] = { 0, 0x40, 0x60, 0x100 };
static const char names[] = "main.main\0main.(*T).Method\0runtime.goexit";
static const uint32_t name_at[] = { 0, 10, 27 };
static const char files[] = "/src/main.go\0/src/method.go";

/*
 * Values by pc, in steps of 4 bytes. Line of main.main: 10, from 0x10 on 12. Of the method: 20, from 0x10 on 18. File
 * of the first two: 0, or 1 in the table of 1.2; of the third: none. Stack of the first and the third: 0, from 4 on 48
 * bytes deep.
 */
static const uint8_t values[] = { 0, 22, 4, 4, 12, 0, 42, 4, 3, 4, 0, 2, 16, 0, 4, 16, 0, 2, 1, 96, 15, 0 };

enum { LINE_MAIN = 1, LINE_METHOD = 6, FILE_0 = 11, FILE_1 = 14, STACK_48 = 17 };

struct go {
	uint32_t magic;
	uint64_t header_text;     /* what the header says of the text */
	uint64_t entry;
	const char *section;      /* of the table; NULL: .gopclntab */
	bool is_bare;             /* without sections */
	uint64_t module_text;     /* in .go.module, 0: there is none */
	uint64_t relocated;       /* what a relocation says of the header's word */
	uint8_t table[TABLE];
};

static bool is_old(const struct go *g)
{
	return g->magic == 0xfffffffb;
}

static bool is_new(const struct go *g)
{
	return g->magic == 0xfffffff0 || g->magic == 0xfffffff1;
}

static void put_functions(struct go *g, const struct build *b)
{
	size_t w = build_word(b), field = is_new(g) ? 4 : w, at = is_old(g) ? 8 + w : FUNCS;
	uint64_t text = is_new(g) ? 0 : TEXT + BEFORE, from = is_old(g) ? 0 : at;

	for (size_t i = 0; i < 4; i++) {
		size_t more = MORE + i * 0x30;
		const uint32_t part[] = {
			i < 3 ? name_at[i] + (is_old(g) ? NAMES : 0) : 0, 1, 2, i == 1 ? 0 : STACK_48,
			i < 2 ? (i == 1 || is_old(g) ? FILE_1 : FILE_0) : 0,
			i == 0 ? LINE_MAIN : i == 1 ? LINE_METHOD : 0, 0, i == 1 ? 1 : 0,
		};

		build_put(b, g->table + at + i * 2 * field, text + starts[i], field);
		if (i == 3)
			break;
		build_put(b, g->table + at + (i * 2 + 1) * field, more - from, field);
		build_put(b, g->table + more, text + starts[i], field);
		for (size_t k = 0; k < ARRAY_SIZE(part); k++) {
			bool is_value = is_old(g) && k >= 3 && k <= 5 && part[k];

			build_put(b, g->table + more + field + 4 * k, part[k] + (is_value ? VALUES : 0), 4);
		}
		g->table[more + field + 33] = i == 2;   /* it is where goroutines begin */
	}
}

/* Of the files of unit 0: main.go, none. Of unit 1, which begins at 1: none, and, as file 1, method.go. */
static void put_files(struct go *g, const struct build *b)
{
	static const uint32_t new_files[] = { 0, UINT32_MAX, 13 }, old_files[] = { 3, FILES, FILES + 13 };

	for (size_t i = 0; i < 3; i++)
		build_put(b, g->table + UNITS + i * 4, is_old(g) ? old_files[i] : new_files[i], 4);
	if (is_old(g))
		build_put(b, g->table + 8 + 8 * build_word(b), UNITS, 4);
}

static void put_table(struct go *g, const struct build *b)
{
	const uint32_t part[] = { NAMES, UNITS, FILES, VALUES, FUNCS };
	size_t w = build_word(b);

	build_put(b, g->table, g->magic, 4);
	g->table[6] = 4;
	g->table[7] = (uint8_t)w;
	build_put(b, g->table + 8, 3, w);
	if (!is_old(g)) {
		build_put(b, g->table + 8 + w, 2, w);
		build_put(b, g->table + 8 + 2 * w, g->header_text, w);
		for (size_t i = 0; i < ARRAY_SIZE(part); i++)
			build_put(b, g->table + 8 + ((is_new(g) ? 3 : 2) + i) * w, part[i], w);
	}
	memcpy(g->table + NAMES, names, sizeof(names));
	memcpy(g->table + FILES, files, sizeof(files));
	memcpy(g->table + VALUES, values, sizeof(values));
	put_functions(g, b);
	put_files(g, b);
}

enum { DATA = 0x30000 };

static void add_segment(struct build *b, uint32_t section, uint32_t type, uint32_t flags)
{
	const struct elf_section *s = &b->section[section];

	build_segment(b, (struct elf_segment){
				 .type = type,
				 .flags = flags,
				 .offset = s->offset,
				 .vaddr = s->addr,
				 .filesz = s->size,
				 .memsz = s->size,
			 });
}

/* Relocations of the data, and a dynamic section that has them. */
static void add_relocation(struct build *b, const struct go *g)
{
	uint8_t rela[48] = { 0 }, dynamic[48] = { 0 };
	const uint64_t word[] = { 7, 0x41000, 8, sizeof(rela), 0, 0 };

	build_put(b, rela, DATA + 8, 8);
	build_put(b, rela + 16, 0x777, 8);
	build_put(b, rela + 24, DATA + 8 + 16, 8);
	build_put(b, rela + 40, g->relocated, 8);
	for (size_t i = 0; i < ARRAY_SIZE(word); i++)
		build_put(b, dynamic + i * 8, word[i], 8);
	add_segment(b, build_section(b, ".rela.dyn", (struct elf_section){
		.type = ELF_RELA, .flags = ELF_ALLOC, .addr = 0x41000, .size = sizeof(rela),
	}, rela), ELF_PT_LOAD, ELF_PF_R);
	add_segment(b, build_section(b, ".dynamic", (struct elf_section){
		.type = 6, .flags = ELF_ALLOC, .addr = 0x42000, .size = sizeof(dynamic),
	}, dynamic), ELF_PT_DYNAMIC, ELF_PF_R);
}

static struct build *make(struct go *g, bool is32, bool msb)
{
	static const uint8_t text[TEXT_SIZE];
	static struct build b;

	b = (struct build)BUILD_AARCH64;
	b.is32 = is32;
	b.msb = msb;
	put_table(g, &b);
	add_segment(&b, build_section(&b, ".text", (struct elf_section){
		.type = 1, .flags = ELF_ALLOC | ELF_EXECINSTR, .addr = TEXT, .size = TEXT_SIZE,
	}, text), ELF_PT_LOAD, ELF_PF_R | ELF_PF_X);
	add_segment(&b, build_section(&b, g->section ? g->section : ".gopclntab", (struct elf_section){
		.type = 1, .flags = ELF_ALLOC, .addr = DATA, .size = TABLE,
	}, g->table), ELF_PT_LOAD, ELF_PF_R);
	if (g->module_text) {
		uint8_t module[30 * 8] = { 0 };

		build_put(&b, module + 22 * build_word(&b), g->module_text, build_word(&b));
		add_segment(&b, build_section(&b, ".go.module", (struct elf_section){
			.type = 1, .flags = ELF_ALLOC, .addr = 0x50000, .size = sizeof(module),
		}, module), ELF_PT_LOAD, ELF_PF_R);
	}
	if (g->relocated)
		add_relocation(&b, g);
	if (g->is_bare)
		build_finish_bare(&b);
	else
		build_finish(&b);
	build_put(&b, b.v + 24, g->entry, build_word(&b));
	return &b;
}

static int open_go(struct go *g, bool is32, bool msb, struct gofuncs *funcs)
{
	struct build *b = make(g, is32, msb);
	static struct elf f;

	CHECK_EQ(elf_init(&f, guard_dup(b->v, b->n), b->n, NULL), 0);
	return gofuncs_init(funcs, &f, NULL);
}

/* What reports and probes call them. */
TEST(gofunc_names_are_those_of_the_file_s_functions)
{
	static const enum functions_what whats[] = { FUNCTIONS_BEST, FUNCTIONS_NAMED };
	struct go g = { .magic = 0xfffffff1, .header_text = TEXT + BEFORE };

	for (size_t i = 0; i < ARRAY_SIZE(whats); i++) {
		struct gofuncs funcs;
		struct symtab t = { 0 };
		const struct sym *s;

		CHECK_EQ(open_go(&g, false, false, &funcs), 0);
		CHECK_EQ(functions_read(&t, &(struct functions_want){ .file = funcs.file, .what = whats[i] }, NULL), 0);
		CHECK(functions_has_go(&t));
		s = symtab_find(&t, TEXT + BEFORE + 0x5f);
		CHECK_STR(s ? symtab_name(&t, s) : "none", "main.(*T).Method");
		CHECK_EQ(s ? s->size : 0, 0x20);
		CHECK(!symtab_find(&t, TEXT + BEFORE + 0x100));
		symtab_deinit(&t);
	}
}

static void check_line(const struct gofuncs *g, uint64_t pc, const char *want_file, unsigned want)
{
	const char *file = "none";
	unsigned line = 0;

	CHECK_EQ(gofuncs_line(g, pc, &file, &line), 1);
	CHECK_STR(file, want_file);
	CHECK_EQ(line, want);
}

static void check_frames(const struct gofuncs *g, bool is_new_layout)
{
	const uint64_t text = TEXT + BEFORE;
	struct gofunc_frame f;

	CHECK(gofuncs_frame(g, text, &f) && f.start == text && !f.depth && !f.is_outermost);
	CHECK(gofuncs_frame(g, text + 4, &f) && f.start == text && f.depth == 48);
	CHECK(gofuncs_frame(g, text + 0x3c, &f) && f.depth == 48);
	CHECK(!gofuncs_frame(g, text + 0x40, &f));
	CHECK(gofuncs_frame(g, text + 0x60, &f) && f.is_outermost == is_new_layout);
	CHECK(!gofuncs_frame(g, text + 0xa0, &f));
	CHECK(!gofuncs_frame(g, text - 4, &f));
}

/* The table does not tell what such a function does. */
TEST(gofunc_frames_of_functions_that_move_the_stack_are_not_told)
{
	struct go go = { .magic = 0xfffffff1, .header_text = TEXT + BEFORE };
	struct build *b = make(&go, false, false);
	struct gofunc_frame frame;
	struct gofuncs g;
	struct elf f;

	for (int flags = 0; flags < 4; flags++) {
		b->v[b->section[2].offset + MORE + 4 + 33] = (uint8_t)flags;
		CHECK_EQ(elf_init(&f, b->v, b->n, NULL), 0);
		CHECK_EQ(gofuncs_init(&g, &f, NULL), 0);
		CHECK_EQ(gofuncs_frame(&g, TEXT + BEFORE + 8, &frame), !(flags & 2));
	}
}

/* A stack from 0x7000 on. */
static bool read_word(void *arg, uint64_t addr, uint64_t *v)
{
	const uint64_t *stack = arg;

	if (addr < 0x7000 || addr >= 0x7000 + 16 * 8)
		return false;
	*v = stack[(addr - 0x7000) / 8];
	return true;
}

static struct module program;

static bool code_at(void *arg UNUSED, uint64_t pc, struct unwind_code *code)
{
	*code = (struct unwind_code){ &program, 0 };
	return pc >= TEXT && pc < TEXT + TEXT_SIZE;
}

/* main.main, what called it, and where goroutines begin: nothing but Go's table tells how deep their stacks are. */
static void check_stack(const struct arch *arch, const uint64_t stack[16])
{
	const uint64_t text = TEXT + BEFORE;
	const struct unwind_process p = { read_word, code_at, (void *)(uintptr_t)stack };
	struct unwind *u = unwind_new(arch);
	struct unwind_regs regs = { .pc = text + 8 };
	struct unwind_frame f[8];
	enum unwind_end end;

	unwind_reg_set(&regs, arch->regs[arch->reg_sp].dwarf, 0x7000);
	unwind_reg_set(&regs, arch->regs[arch->reg_fp].dwarf, 0x7000 - 8);
	CHECK_EQ(unwind_stack(u, &p, &regs, f, 8, &end), 3);
	CHECK_EQ(end, UNWIND_OUTERMOST);
	CHECK(f[1].pc == text + 0x10 && f[1].how == UNWIND_RULES && f[1].returns);
	CHECK(f[2].pc == text + 0x68 && f[2].how == UNWIND_RULES && f[2].returns);
	unwind_free(u);
}

TEST(gofunc_frames_lead_to_callers)
{
	struct go go = { .magic = 0xfffffff1, .header_text = TEXT + BEFORE };
	const uint64_t text = TEXT + BEFORE, arm[16] = { text + 0x10, [6] = text + 0x68 };
	const uint64_t x86[16] = { [6] = text + 0x10, [13] = text + 0x68 };
	struct build *b = make(&go, false, false);

	CHECK_EQ(module_borrow(&program, guard_dup(b->v, b->n), b->n, &(struct module_want){ 0 }, NULL), 0);
	check_stack(&arch_aarch64, arm);
	check_stack(&arch_x86_64, x86);
	module_close(&program);
}

static void check_all(struct go *go, bool is32, bool msb)
{
	static const char *const want[] = { "main.main", "main.(*T).Method", "runtime.goexit" };
	const uint64_t text = TEXT + BEFORE;
	struct gofuncs g;
	struct gofunc f;
	const char *file;
	unsigned line;

	CHECK_EQ(open_go(go, is32, msb, &g), 0);
	CHECK_EQ(g.n, 3);
	for (size_t i = 0; i < 3; i++) {
		CHECK(gofuncs_get(&g, i, &f));
		CHECK_STR(f.name, want[i]);
		CHECK_EQ(f.start, text + starts[i]);
		CHECK_EQ(f.end, text + starts[i + 1]);
		CHECK(gofuncs_find(&g, text + starts[i], &f) && !strcmp(f.name, want[i]));
		CHECK(gofuncs_find(&g, text + starts[i + 1] - 1, &f) && !strcmp(f.name, want[i]));
	}
	CHECK(!gofuncs_get(&g, 3, &f));
	CHECK(!gofuncs_get(&g, SIZE_MAX, &f));
	CHECK(!gofuncs_find(&g, text - 1, &f));
	CHECK(!gofuncs_find(&g, text + starts[3], &f));
	check_line(&g, text, "/src/main.go", 10);
	check_line(&g, text + 0xc, "/src/main.go", 10);
	check_line(&g, text + 0x10, "/src/main.go", 12);
	check_line(&g, text + 0x3c, "/src/main.go", 12);
	if (!is_old(go)) {
		check_line(&g, text + 0x40, "/src/method.go", 20);
		check_line(&g, text + 0x50, "/src/method.go", 18);
	}
	CHECK_EQ(gofuncs_line(&g, text + 0x60, &file, &line), 0);
	CHECK_EQ(gofuncs_line(&g, text - 4, &file, &line), 0);
	check_frames(&g, is_new(go));
}

TEST(gofunc_layouts)
{
	static const uint32_t magic[] = { 0xfffffffb, 0xfffffffa, 0xfffffff0, 0xfffffff1 };

	for (size_t i = 0; i < ARRAY_SIZE(magic); i++) {
		for (int variant = 0; variant < 4; variant++) {
			struct go g = { .magic = magic[i], .header_text = TEXT + BEFORE };

			check_all(&g, variant & 1, variant & 2);
		}
	}
}

TEST(gofunc_without_sections)
{
	struct go g = { .magic = 0xfffffff1, .header_text = TEXT + BEFORE, .is_bare = true };

	check_all(&g, false, false);
	g = (struct go){ .magic = 0xfffffffb, .is_bare = true };
	check_all(&g, false, false);
}

TEST(gofunc_in_a_section_of_others)
{
	struct gofuncs f;
	struct go g = { .magic = 0xfffffff1, .header_text = TEXT + BEFORE, .section = ".data.rel.ro" };

	/* No sign of Go: it is not searched for. */
	CHECK_EQ(open_go(&g, false, false, &f), -ENODATA);
	g = (struct go){ .magic = 0xfffffff1, .header_text = TEXT + BEFORE, .section = ".go.buildinfo" };
	check_all(&g, false, false);
}

TEST(gofunc_text_from_a_relocation_or_the_module)
{
	struct go g = { .magic = 0xfffffff1, .relocated = TEXT + BEFORE };

	check_all(&g, false, false);
	g = (struct go){ .magic = 0xfffffff1, .module_text = TEXT + BEFORE };
	check_all(&g, false, false);
	g = (struct go){ .magic = 0xfffffff1, .module_text = TEXT + BEFORE };
	check_all(&g, true, true);
}

TEST(gofunc_text_section_only_of_what_starts_in_go)
{
	struct go g = { .magic = 0xfffffff1, .entry = TEXT + 0x40 };
	struct gofuncs f;

	CHECK_EQ(open_go(&g, false, false, &f), 0);
	CHECK_EQ(f.text, TEXT);
	g = (struct go){ .magic = 0xfffffff1, .entry = TEXT + 0x44 };
	CHECK_EQ(open_go(&g, false, false, &f), -ENODATA);
	/* Beyond the code. */
	g = (struct go){ .magic = 0xfffffff1, .header_text = TEXT + TEXT_SIZE - 0x80 };
	CHECK_EQ(open_go(&g, false, false, &f), -ENODATA);
}

/* Each byte of the table changed, and each length of the file: an answer or none, but nothing beyond the end. */
TEST(gofunc_of_damaged_tables)
{
	struct go g = { .magic = 0xfffffff1, .header_text = TEXT + BEFORE, .is_bare = true };
	struct build *b = make(&g, false, false);
	size_t at = b->section[2].offset;
	unsigned good = 0;

	for (size_t i = 0; i < TABLE; i++) {
		uint8_t *v = guard_dup(b->v, b->n);
		struct gofuncs funcs;
		struct elf f;

		v[at + i] ^= 0xff;
		CHECK_EQ(elf_init(&f, v, b->n, NULL), 0);
		if (gofuncs_init(&funcs, &f, NULL))
			continue;
		for (size_t k = 0; k < MIN(funcs.n, 4); k++) {
			struct gofunc fn;
			const char *file;
			unsigned line;

			good += gofuncs_get(&funcs, k, &fn);
			gofuncs_line(&funcs, fn.start + 16, &file, &line);
		}
	}
	CHECK(good > TABLE);

	for (size_t n = at; n < b->n; n += 4) {
		struct gofuncs funcs;
		struct elf f;

		if (!elf_init(&f, guard_dup(b->v, n), n, NULL))
			CHECK_EQ(gofuncs_init(&funcs, &f, NULL), -ENODATA);
	}
}
