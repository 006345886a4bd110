/*
 * gofunc.c - the pclntab of a Go program.
 *
 *   header:   0 u32 magic, 4 two zeros, 6 u8 instruction quantum, 7 u8 pointer size, then words of pointer size:
 *             number of functions; before 1.16 the functions follow. Since then: number of files, (1.18) address of
 *             the text, and offsets in the table of: names, units' files, file names, pc-value tables, functions
 *   function: words start, offset of its details; since 1.18 u32, start relative to the text. The end of the last one
 *             follows
 *   details:  start as above, then u32: 0 name, 4, 8, 12 pc-value table of stack depths, 16 of files, 20 of lines,
 *             24, 28 unit's first file; since 1.17 33 u8 flags
 *
 * Like Go's own reader (debug/gosym), this ignores the text's address: the dynamic linker may have to fill it in.
 */
#include "obj/go/gofunc.h"

#include "obj/elf/symbols.h"

/* Names of generic functions' instances are long. */
enum { STRING_MAX = 4096 };

/* Limits for functions, and for steps of a pc-value table: more than any program has. */
enum { FUNCTIONS_MAX = 1 << 22, STEPS_MAX = 1 << 20 };

enum layout { LAYOUT_NONE, LAYOUT_1_2, LAYOUT_1_16, LAYOUT_1_18 };

enum { HEADER = 8 };

/* Index of the word of runtime.moduledata with the text's address. */
enum { MODULE_TEXT = 22 };

enum part { PART_NAMES, PART_UNITS, PART_FILES, PART_VALUES, PART_FUNCS };

enum { DT_RELA = 7, DT_RELASZ = 8 };

static enum layout layout_of(uint32_t magic)
{
	switch (magic) {
	case 0xfffffffb:
		return LAYOUT_1_2;
	case 0xfffffffa:
		return LAYOUT_1_16;
	case 0xfffffff0:
	case 0xfffffff1:   /* 1.20: as 1.18 */
		return LAYOUT_1_18;
	default:
		return LAYOUT_NONE;
	}
}

static struct cursor at(const struct gofuncs *g, uint64_t off)
{
	struct cursor c = g->table;

	cur_seek(&c, off);
	return c;
}

static uint32_t u32_at(const struct gofuncs *g, uint64_t off)
{
	struct cursor c = at(g, off);

	return c.bad ? UINT32_MAX : cur_u32(&c);
}

static unsigned pointer_size(const struct gofuncs *g)
{
	return g->file->is64 ? 8 : 4;
}

static uint64_t header_word(const struct gofuncs *g, unsigned i)
{
	struct cursor c = at(g, HEADER + i * pointer_size(g));

	return elf_word(g->file, &c);
}

/* Offset of a part in the table; before 1.16 all offsets are from the table's start. */
static uint64_t part(const struct gofuncs *g, enum part p)
{
	if (g->layout == LAYOUT_1_2)
		return p == PART_FUNCS ? HEADER + pointer_size(g) : 0;
	return header_word(g, (g->layout == LAYOUT_1_18 ? 3 : 2) + p);
}

/* "" when the offset is outside of the table. */
static const char *string_at(const struct gofuncs *g, uint64_t off)
{
	struct cursor c = at(g, off);

	c = cur_sub(&c, off, c.bad ? 0 : MIN(cur_left(&c), STRING_MAX));
	return cur_str(&c);
}

/* --- functions --- */

static unsigned field_size(const struct gofuncs *g)
{
	return g->layout == LAYOUT_1_18 ? 4 : pointer_size(g);
}

static uint64_t field(const struct gofuncs *g, struct cursor *c)
{
	return g->layout == LAYOUT_1_18 ? cur_u32(c) : elf_word(g->file, c);
}

struct row {
	uint64_t start, more;   /* start: as stored in the table */
};

static bool row_get(const struct gofuncs *g, size_t i, struct row *r)
{
	struct cursor c = at(g, part(g, PART_FUNCS) + (uint64_t)i * 2 * field_size(g));

	r->start = field(g, &c);
	r->more = i < g->n ? field(g, &c) : 0;
	return !c.bad;
}

struct more {
	uint64_t start;
	uint32_t name, stack, file, line, unit;
	uint8_t flags;
};

static bool more_get(const struct gofuncs *g, const struct row *r, struct more *m)
{
	struct cursor c = at(g, (g->layout == LAYOUT_1_2 ? 0 : part(g, PART_FUNCS)) + r->more);

	m->start = field(g, &c);
	m->name = cur_u32(&c);
	cur_skip(&c, 8);
	m->stack = cur_u32(&c);
	m->file = cur_u32(&c);
	m->line = cur_u32(&c);

	bool is_bad = c.bad;

	cur_skip(&c, 4);
	m->unit = cur_u32(&c);   /* since 1.16 */
	cur_skip(&c, 1);
	m->flags = cur_u8(&c);
	return !is_bad;
}

static const char *name_of(const struct gofuncs *g, const struct more *m)
{
	return string_at(g, part(g, PART_NAMES) + m->name);
}

bool gofuncs_get(const struct gofuncs *g, size_t i, struct gofunc *f)
{
	struct row r, next;
	struct more m;

	if (i >= g->n || !row_get(g, i, &r) || !row_get(g, i + 1, &next) || next.start <= r.start ||
	    !more_get(g, &r, &m))
		return false;
	f->start = g->text + r.start;
	f->end = g->text + next.start;
	f->name = name_of(g, &m);
	return f->name[0];
}

/* Index of the last function that starts at or before pc; SIZE_MAX: none. */
static size_t row_of(const struct gofuncs *g, uint64_t pc)
{
	size_t low = 0, high = g->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		struct row r;

		if (row_get(g, mid, &r) && g->text + r.start <= pc)
			low = mid + 1;
		else
			high = mid;
	}
	return low - 1;
}

bool gofuncs_find(const struct gofuncs *g, uint64_t pc, struct gofunc *f)
{
	return gofuncs_get(g, row_of(g, pc), f) && pc < f->end;
}

/* --- lines --- */

/*
 * The value of a pc-value table at pc: pairs of deltas of value (zigzag) and pc, both LEB128; a value delta of 0 ends
 * it. -1: unknown.
 */
static int64_t value_at(const struct gofuncs *g, uint32_t off, uint64_t start, uint64_t pc)
{
	struct cursor c = at(g, HEADER - 2);
	unsigned quantum = cur_u8(&c);
	uint64_t value = UINT64_MAX, end = start;

	if (!off)
		return -1;
	c = at(g, part(g, PART_VALUES) + off);
	for (unsigned n = 0; !c.bad && n < STEPS_MAX; n++) {
		uint64_t step = cur_uleb(&c);

		if (!step && n)
			break;
		value += step & 1 ? ~(step >> 1) : step >> 1;
		end += cur_uleb(&c) * quantum;
		if (pc < end)
			return c.bad ? -1 : (int64_t)value;
	}
	return -1;
}

static const char *file_of(const struct gofuncs *g, const struct more *m, int64_t file)
{
	if (file < 0 || file > UINT32_MAX)
		return "";
	if (g->layout == LAYOUT_1_2) {
		/* The file table follows the last function's end; its entry 0 is the number of files. */
		uint64_t end = part(g, PART_FUNCS) + ((uint64_t)g->n * 2 + 1) * pointer_size(g);

		return file ? string_at(g, u32_at(g, u32_at(g, end) + 4 * (uint64_t)file)) : "";
	}

	uint32_t name = u32_at(g, part(g, PART_UNITS) + 4 * (m->unit + (uint64_t)file));

	return name == UINT32_MAX ? "" : string_at(g, part(g, PART_FILES) + name);
}

int gofuncs_line(const struct gofuncs *g, uint64_t pc, const char **file, unsigned *line)
{
	struct gofunc f;
	struct row r;
	struct more m;

	if (!gofuncs_find(g, pc, &f) || !row_get(g, row_of(g, pc), &r) || !more_get(g, &r, &m))
		return 0;

	int64_t n = value_at(g, m.line, f.start, pc);

	*file = file_of(g, &m, value_at(g, m.file, f.start, pc));
	*line = (unsigned)n;
	return n > 0 && n <= UINT32_MAX && (*file)[0];
}

/* --- the stack --- */

/* Go's abi.FuncFlag: no caller; moves the stack pointer in ways that the table does not describe. */
enum { FLAG_TOP = 1, FLAG_MOVES = 2 };

bool gofuncs_frame(const struct gofuncs *g, uint64_t pc, struct gofunc_frame *frame)
{
	struct gofunc f;
	struct row r;
	struct more m;

	if (!gofuncs_find(g, pc, &f) || !row_get(g, row_of(g, pc), &r) || !more_get(g, &r, &m))
		return false;

	int64_t depth = value_at(g, m.stack, f.start, pc);
	unsigned flags = g->layout == LAYOUT_1_18 ? m.flags : 0;

	*frame = (struct gofunc_frame){ f.start, (uint32_t)depth, flags & FLAG_TOP };
	return depth >= 0 && depth <= GOFUNC_DEPTH_MAX && !(flags & FLAG_MOVES);
}

/* --- finding the table --- */

/* Is the table plausible, by its first and last function? */
static bool table_is(struct gofuncs *g, const struct elf *f, struct cursor table)
{
	struct cursor c = table;
	struct row first, end;
	struct more m;

	*g = (struct gofuncs){ .file = f, .table = table, .layout = layout_of(cur_u32(&c)) };
	cur_skip(&c, 3);

	unsigned size = cur_u8(&c);
	uint64_t n = elf_word(f, &c), funcs = part(g, PART_FUNCS), all = (uint64_t)(table.end - table.start);

	if (c.bad || g->layout == LAYOUT_NONE || size != pointer_size(g) || !n || n > FUNCTIONS_MAX || funcs >= all ||
	    n > (all - funcs) / (2 * field_size(g)))
		return false;
	g->n = (size_t)n;
	return row_get(g, 0, &first) && row_get(g, g->n, &end) && end.start > first.start && more_get(g, &first, &m) &&
	       m.start == first.start && name_of(g, &m)[0];
}

/*
 * Search the loaded segments: external linkers put the table into a section with other data, strippers remove sections.
 */
static bool table_search(struct gofuncs *g, const struct elf *f)
{
	struct elf_segment s;

	for (uint32_t i = 0; elf_segment(f, i, &s); i++) {
		struct cursor c = elf_segment_data(f, &s);
		size_t step = f->is64 ? 8 : 4;

		if (s.type != ELF_PT_LOAD)
			continue;
		for (; cur_left(&c) >= step && !mapped_stopped(f->file); cur_skip(&c, step)) {
			struct cursor magic = c;

			if (layout_of(cur_u32(&magic)) != LAYOUT_NONE &&
			    table_is(g, f, cur_sub(&c, cur_off(&c), cur_left(&c))))
				return true;
		}
	}
	return false;
}

static bool table_find(struct gofuncs *g, const struct elf *f)
{
	struct elf_section s;

	if (elf_section_find(f, ".gopclntab", &s) || elf_section_find(f, ".data.rel.ro.gopclntab", &s))
		return table_is(g, f, elf_section_data(f, &s));
	/* Do not search whole programs of other languages. */
	if (f->n_sections && !elf_section_find(f, ".go.buildinfo", &s) && !elf_section_find(f, ".note.go.buildid", &s))
		return false;
	return table_search(g, f);
}

/* Is all its code within code of the file? */
static bool text_is(struct gofuncs *g, const struct elf_code *code, uint64_t text)
{
	struct row first, end;

	row_get(g, 0, &first);
	row_get(g, g->n, &end);
	g->text = text;

	const struct elf_range *r = elf_code_find(code, text + first.start);

	return r && text + end.start > text + first.start && text + end.start <= r->end;
}

/* The word at an address of the file; if the dynamic linker will fill it in, the relocation's addend. */
static uint64_t loaded_word(const struct elf *f, uint64_t addr)
{
	struct cursor word = elf_data_at(f, addr);
	uint64_t table, size, v = elf_word(f, &word);

	if (v || !f->is64 || !elf_dynamic(f, DT_RELA, &table) || !elf_dynamic(f, DT_RELASZ, &size))
		return v;
	for (struct cursor c = elf_data_at(f, table); size >= 24 && cur_left(&c) >= 24 && !mapped_stopped(f->file);
	     size -= 24) {
		bool is_it = cur_u64(&c) == addr;

		cur_skip(&c, 8);
		v = cur_u64(&c);
		if (is_it)
			return v;
	}
	return 0;
}

/* The file's address of a file offset. */
static uint64_t address_of(const struct elf *f, uint64_t off)
{
	struct elf_segment s;

	for (uint32_t i = 0; elf_segment(f, i, &s); i++) {
		if (s.type == ELF_PT_LOAD && off >= s.offset && off - s.offset < s.filesz)
			return s.vaddr + (off - s.offset);
	}
	return 0;
}

/* Go's own linker begins .text with Go's code; others begin with C, whose entry point is not Go's. */
static bool starts_in_go(const struct gofuncs *g)
{
	struct gofunc f;

	return gofuncs_find(g, g->file->entry, &f) && f.start == g->file->entry;
}

/*
 * Before 1.18 functions have absolute addresses. 1.26 removed the text's address from the header: it is in moduledata.
 */
static bool text_find(struct gofuncs *g, const struct elf *f, const struct elf_code *code)
{
	struct elf_symbol symbol;
	struct elf_section s;
	uint64_t in_file = (uint64_t)(g->table.start - f->all.start), word = pointer_size(g);

	if (g->layout != LAYOUT_1_18)
		return text_is(g, code, 0);
	return (elf_symbol_named(f, "runtime.text", &symbol) && text_is(g, code, symbol.value)) ||
	       text_is(g, code, loaded_word(f, address_of(f, in_file + HEADER + 2 * word))) ||
	       (elf_section_find(f, ".go.module", &s) &&
		text_is(g, code, loaded_word(f, s.addr + MODULE_TEXT * word))) ||
	       (elf_section_find(f, ".text", &s) && text_is(g, code, s.addr) && starts_in_go(g));
}

int gofuncs_init(struct gofuncs *g, const struct elf *f, struct err *e)
{
	struct elf_code code;

	elf_code_init(&code, f);
	if (!table_find(g, f))
		return err_set(e, ENODATA, "no table of Go's functions");
	if (!text_find(g, f, &code))
		return err_set(e, ENODATA, "a table of Go's functions, but not where their code is");
	return 0;
}
