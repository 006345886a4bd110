/*
 * What hangs on one unit of debug information: line tables, expressions, location lists. The first byte tells which of
 * them the rest is; everything else is a small file that is always the same.
 */
#include "obj/dwarf/line.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

enum what { LINES, EXPRESSION, PAIRS, ENTRIES, FRAME_BASE, FRAMES, WHATS };

enum { INPUT_MAX = 4096, PC = 0x10000, SECTIONS = 8 };

/*
 * compile_unit { stmt_list, comp_dir, low_pc }, subprogram { low_pc, high_pc, frame_base }, parameter { name,
 * location, and of an expression type }; base_type { byte_size, encoding }
 */
static const char abbrevs[] =
	"\1\x11\1\x10\x17\x1b\x08\x11\1\0\0" "\2\x2e\1\x11\1\x12\x06\x40\x18\0\0" "\3\5\0\x03\x08\x02\x18\x49\x13\0\0"
	"\4\5\0\x03\x08\x02\x17\0\0" "\5\x2e\1\x11\1\x12\x06\x40\x17\0\0" "\6\x24\0\x0b\x0b\x3e\x0b\0\0";

struct image {
	uint8_t v[4 * INPUT_MAX];
	size_t n;
	struct {
		size_t off, size;
		uint32_t name;
	} section[SECTIONS];
	unsigned n_sections;
};

static const char names[] =
	"\0.debug_info\0.debug_abbrev\0.debug_line\0.debug_line_str\0.debug_loc\0.debug_loclists\0.debug_frame\0.names";

/* Version 5 of the line table has its names here: whatever offset it says, there is one. */
static const char line_strings[] = "a.c\0b.h\0/src\0inc\0a.c\0b.h\0/src\0inc\0a.c\0b.h\0/src\0inc\0a.c\0b.h\0/src\0inc";

static void put(struct image *i, uint64_t v, size_t size)
{
	for (size_t k = 0; k < size; k++)
		i->v[i->n++] = k < 8 ? (uint8_t)(v >> 8 * k) : 0;
}

static void put_bytes(struct image *i, const void *p, size_t n)
{
	memcpy(i->v + i->n, p, n);
	i->n += n;
}

static void section(struct image *i, const char *name, size_t off)
{
	i->section[i->n_sections].name =
		(uint32_t)((const char *)memmem(names, sizeof(names), name, strlen(name) + 1) - names);
	i->section[i->n_sections].off = off;
	i->section[i->n_sections++].size = i->n - off;
}

static void put_section(struct image *i, const char *name, const void *p, size_t n)
{
	size_t off = i->n;

	put_bytes(i, p, n);
	section(i, name, off);
}

static void put_variable(struct image *i, size_t unit, enum what what, const uint8_t *p, size_t n)
{
	put(i, what == PAIRS || what == ENTRIES ? 4 : 3, 1);
	put_bytes(i, "n", 2);
	if (what == PAIRS || what == ENTRIES) {
		put(i, 0, 4);
		return;
	}
	n = MIN(n, 127);
	if (what != EXPRESSION) {
		p = (const uint8_t *)"\x91\x08";
		n = 2;
	}
	put(i, n, 1);
	put_bytes(i, p, n);
	put(i, i->n + 4 + 1 - unit, 4);   /* behind it and the end of the children */
}

static void put_info(struct image *i, enum what what, const uint8_t *p, size_t n)
{
	bool v5 = what == ENTRIES || what == FRAME_BASE;
	size_t off = i->n;

	put(i, 0, 4);
	put(i, v5 ? 5 : 4, 2);
	if (v5)
		put(i, 0x0801, 2);
	put(i, 0, 4);
	if (!v5)
		put(i, 8, 1);
	put(i, 1, 1);
	put(i, 0, 4);
	put_bytes(i, "/src", 5);
	put(i, PC, 8);
	put(i, what == FRAME_BASE ? 5 : 2, 1);
	put(i, PC, 8);
	put(i, 0x100, 4);
	if (what == FRAME_BASE)
		put(i, 0, 4);
	else
		put_bytes(i, "\1\x9c", 2);
	put_variable(i, off, what, p, n);
	put(i, 0, 1);
	put(i, 0x070006 | (n & 31) << 8, 3);
	put(i, 0, 1);
	i->v[off] = (uint8_t)(i->n - off - 4);
	i->v[off + 1] = (uint8_t)((i->n - off - 4) >> 8);
	section(i, ".debug_info", off);
}

static void finish(struct image *i)
{
	size_t at;

	put_section(i, ".names", names, sizeof(names));
	at = i->n;
	i->n += 64;
	for (unsigned k = 0; k < i->n_sections; k++) {
		put(i, i->section[k].name, 4);
		put(i, 1, 4);
		put(i, 0, 16);
		put(i, i->section[k].off, 8);
		put(i, i->section[k].size, 8);
		put(i, 0, 24);
	}

	size_t end = i->n;

	i->n = 0;
	put_bytes(i, "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0", 16);
	put(i, 2, 2);
	put(i, ELF_AARCH64, 2);
	put(i, 1, 4);
	put(i, 0, 16);
	put(i, at, 8);
	put(i, 0, 4);
	put(i, 64 | (uint64_t)64 << 48, 8);
	i->n = 58;
	put(i, 64, 2);
	put(i, i->n_sections + 1, 2);
	put(i, i->n_sections, 2);
	i->n = end;
}

static int row(void *arg, const struct dwarf_row *r)
{
	(void)r;
	return ++*(unsigned *)arg > 100000;
}

static int line(void *arg, const struct dwarf_unit *u, const struct dwarf_row *r)
{
	(void)u;
	return row(arg, r);
}

static void look_at_lines(struct dwarf *d, const struct dwarf_unit *u)
{
	struct dwarf_row r;
	char path[64];
	unsigned n = 0, near;

	dwarf_each_row(u, row, &n, NULL);
	dwarf_row_at(u, PC + 4, &r, NULL);
	for (uint32_t i = 0; i < 4; i++)
		dwarf_file(u, i, path, sizeof(path));
	dwarf_each_line(d, SV("a.c"), 1, line, &n, &near, NULL);
}

static void look_at_variable(const struct dwarf_unit *u)
{
	struct dwarf_func f = { .entry = PC };
	struct dwarf_var v = { .name = "n" };
	struct loc loc;
	struct die die;

	if (die_at(u, u->first, &die, NULL) || die_child(&die, &f.die, NULL) != 1 ||
	    die_child(&f.die, &v.die, NULL) != 1)
		abort();
	f.outer = f.die;
	for (uint64_t pc = PC; pc < PC + 12; pc += 4) {
		if (dwarf_locate(&f, &v, pc, &loc, NULL))
			continue;
		if (loc.n_derefs > LOC_DEREFS || loc.n_pieces > LOC_PIECES_MAX || (loc.kind == LOC_GONE && !loc.why))
			abort();
		for (unsigned i = 0; i < loc.n_pieces && loc.kind == LOC_PIECES; i++) {
			if (loc.piece[i].kind == LOC_PIECES || (loc.piece[i].kind == LOC_GONE && !loc.piece[i].why))
				abort();
		}
	}
	dwarf_after_prologue(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static struct image i;
	struct dwarf *d;
	struct elf f;

	if (n < 1 || n > INPUT_MAX)
		return 0;

	enum what what = p[0] % WHATS;

	p++;
	n--;
	i.n = 64;
	i.n_sections = 0;
	put_section(&i, ".debug_abbrev", abbrevs, sizeof(abbrevs));
	put_info(&i, what, p, n);
	put_section(&i, ".debug_line", p, what == LINES ? n : 0);
	put_section(&i, ".debug_line_str", line_strings, sizeof(line_strings));
	put_section(&i, what == PAIRS ? ".debug_loc" : what == FRAMES ? ".debug_frame" : ".debug_loclists", p, n);
	finish(&i);
	if (elf_init(&f, i.v, i.n, NULL))
		abort();
	d = dwarf_new(&(struct dwarf_files){ .elf = &f }, NULL);
	if (!d)
		abort();

	const struct dwarf_unit *u = dwarf_unit_at(d, 0, NULL);

	if (!u)
		abort();
	if (what == LINES)
		look_at_lines(d, u);
	else
		look_at_variable(u);
	dwarf_free(d);
	return 0;
}
