#include "image/plt.h"

#include "base/find.h"
#include "base/vec.h"
#include "image/symtab.h"
#include "obj/elf/elf.h"
#include "obj/elf/symbols.h"

/* Relocation types of GOT slots that a stub jumps through. */
enum {
	R_X86_64_GLOB_DAT = 6, R_X86_64_JUMP_SLOT = 7, R_X86_64_IRELATIVE = 37,
	R_AARCH64_GLOB_DAT = 1025, R_AARCH64_JUMP_SLOT = 1026, R_AARCH64_IRELATIVE = 1032,
};

/* aarch64 instructions of a stub. */
enum {
	A64_BTI_C = (int)0xd503245f, A64_BR_X17 = (int)0xd61f0220,
	A64_ADRP_X16 = (int)0x90000010, A64_ADRP_MASK = (int)0x9f00001f,
	A64_LDR_X17_X16 = (int)0xf9400211, A64_LDR_MASK = (int)0xffc003ff,
	A64_STUB_MAX = 8,    /* instructions */
};

/* Real files have two relocation sections; many overlapping ones in a hostile file must not cost time for each. */
enum { SECTIONS_MAX = 8 };

/* Limits for the bytes of a section, and for slots: a large library has a million relocations. */
enum { SECTION_BYTES_MAX = 1 << 25, SLOTS_MAX = 1 << 18 };

struct slot {
	uint64_t got, addend;
	uint32_t symbol;       /* 0: an ifunc's resolver is at addend */
};

struct plt {
	const struct elf *f;
	struct symtab *t;
	struct elf_symbols symbols;
	VEC(struct slot) slots;
	int n;
};

static bool is_slot_type(const struct elf *f, uint32_t type)
{
	if (f->machine == ELF_AARCH64)
		return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT ||
		       type == R_AARCH64_IRELATIVE;
	return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT ||
	       type == R_X86_64_IRELATIVE;
}

/* The section's data, up to the limit. */
static struct cursor data_of(const struct plt *p, const struct elf_section *s)
{
	struct cursor c = elf_section_data(p->f, s);

	if (!c.bad && cur_left(&c) > SECTION_BYTES_MAX)
		c.end = c.pos + SECTION_BYTES_MAX;
	return c;
}

static int read_relocations(struct plt *p, struct cursor c)
{
	while (cur_left(&c) >= 24 && p->slots.n < SLOTS_MAX && !mapped_stopped(p->f->file)) {
		uint64_t got = cur_u64(&c), info = cur_u64(&c), addend = cur_u64(&c);

		if (!is_slot_type(p->f, (uint32_t)info))
			continue;

		struct slot *s = vec_add(&p->slots);

		if (!s)
			return -ENOMEM;
		*s = (struct slot){ got, addend, (uint32_t)(info >> 32) };
	}
	return 0;
}

static int by_got(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return (x->got > y->got) - (x->got < y->got);
}

static int read_slots(struct plt *p)
{
	struct elf_section s;

	for (uint32_t i = 1, n = 0; n < SECTIONS_MAX && elf_section(p->f, i, &s); i++) {
		if (s.type != ELF_RELA || !(s.flags & ELF_ALLOC))
			continue;
		n++;
		if (read_relocations(p, data_of(p, &s)))
			return -ENOMEM;
	}
	if (p->slots.n)
		qsort(p->slots.v, p->slots.n, sizeof(*p->slots.v), by_got);
	return 0;
}

static const struct slot *slot_of(const struct plt *p, uint64_t got)
{
	size_t n = find_upto(p->slots.v, p->slots.n, got, got);

	return n && p->slots.v[n - 1].got == got ? &p->slots.v[n - 1] : NULL;
}

/* A stub at addr jumps through the slot at address got: name it if the slot is known. */
static int name_stub(struct plt *p, uint64_t addr, uint64_t size, uint64_t got)
{
	const struct slot *slot = slot_of(p, got);
	char name[512];
	struct elf_symbol s;

	if (!slot)
		return 0;
	if (slot->symbol && elf_symbols_get(&p->symbols, slot->symbol, &s))
		snprintf(name, sizeof(name), "%.500s@plt", elf_symbols_name(&p->symbols, &s));
	else if (!slot->symbol)
		snprintf(name, sizeof(name), "*ABS*+0x%llx@plt", (unsigned long long)slot->addend);
	else
		return 0;
	p->n++;
	return symtab_add_own(p->t, addr, size, sv_from(name));
}

/* The target page of an ADRP: its immediate is a signed 21-bit number of pages. */
static uint64_t adrp_page(uint64_t pc, uint32_t insn)
{
	uint64_t imm = (insn >> 5 & 0x7ffff) << 2 | (insn >> 29 & 3);

	if (imm & 1 << 20)
		imm -= 1 << 21;
	return (pc & ~UINT64_C(0xfff)) + (imm << 12);
}

/* Bytes from here to the end of the branch. */
static uint64_t a64_rest(struct cursor c)
{
	for (uint64_t n = 4; n <= A64_STUB_MAX * 4 && !c.bad; n += 4) {
		if (cur_u32(&c) == (uint32_t)A64_BR_X17)
			return n;
	}
	return 12;
}

static int scan_aarch64(struct plt *p, struct cursor c, uint64_t addr)
{
	uint32_t before = 0;

	c.swap = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;   /* code is always little-endian */
	while (cur_left(&c) >= 8 && !mapped_stopped(p->f->file)) {
		uint64_t pc = addr + cur_off(&c);
		uint64_t start = before == (uint32_t)A64_BTI_C ? pc - 4 : pc;
		uint32_t insn = cur_u32(&c);
		struct cursor ahead = c;
		uint32_t load = cur_u32(&ahead);

		before = insn;
		if ((insn & (uint32_t)A64_ADRP_MASK) != (uint32_t)A64_ADRP_X16 ||
		    (load & (uint32_t)A64_LDR_MASK) != (uint32_t)A64_LDR_X17_X16)
			continue;
		if (name_stub(p, start, pc + 8 - start + a64_rest(ahead),
			      adrp_page(pc, insn) + (load >> 10 & 0xfff) * 8))
			return -ENOMEM;
	}
	return 0;
}

/*
 * [endbr64] [bnd] jmp *disp32(%rip). Anything else is no stub, or the part of one that is only used
 * before lazy binding.
 */
static bool x86_jump(struct cursor c, uint64_t addr, uint64_t *got)
{
	if (cur_left(&c) >= 4 && !memcmp(c.pos, "\xf3\x0f\x1e\xfa", 4))
		cur_skip(&c, 4);
	if (cur_left(&c) && *c.pos == 0xf2)
		cur_skip(&c, 1);
	if (cur_u8(&c) != 0xff || cur_u8(&c) != 0x25)
		return false;

	int32_t disp = (int32_t)cur_u32(&c);

	*got = addr + cur_off(&c) + (uint64_t)(int64_t)disp;
	return !c.bad;
}

/* Stubs have 16 bytes, or 8 without lazy binding (.plt.got). */
static int scan_x86_64(struct plt *p, struct cursor c, const struct elf_section *s)
{
	uint64_t n = (uint64_t)(c.end - c.start), got, next;

	for (uint64_t at = 0; at < n && !mapped_stopped(p->f->file); at += 8) {
		struct cursor stub = cur_sub(&c, at, n - at);
		struct cursor after = cur_sub(&c, MIN(at + 8, n), n - MIN(at + 8, n));

		if (x86_jump(stub, s->addr + at, &got) &&
		    name_stub(p, s->addr + at, x86_jump(after, s->addr, &next) ? 8 : 16, got))
			return -ENOMEM;
	}
	return 0;
}

static int scan(struct plt *p, const struct elf_section *s)
{
	struct cursor c = data_of(p, s);

	if (c.bad)
		return 0;
	return p->f->machine == ELF_AARCH64 ? scan_aarch64(p, c, s->addr) : scan_x86_64(p, c, s);
}

static bool is_plt_name(const char *name)
{
	return !strcmp(name, ".plt") || !strcmp(name, ".plt.sec") || !strcmp(name, ".plt.got") ||
	       !strcmp(name, ".iplt");
}

static bool is_plt(const struct elf *f, const struct elf_section *s)
{
	return s->type != ELF_NOBITS && is_plt_name(elf_section_name(f, s));
}

void plt_code_init(struct plt_code *p, const struct elf *f)
{
	struct elf_section s;

	p->n = 0;
	for (uint32_t i = 1; p->n < PLT_SECTIONS && elf_section(f, i, &s); i++)
		if (is_plt(f, &s))
			p->v[p->n++] = (struct elf_range){ s.addr, s.addr + MIN(s.size, UINT64_MAX - s.addr) };
}

bool plt_code_has(const struct plt_code *p, uint64_t addr)
{
	for (unsigned i = 0; i < p->n; i++)
		if (addr >= p->v[i].start && addr < p->v[i].end)
			return true;
	return false;
}

int plt_add(struct symtab *t, const struct elf *f, struct err *e)
{
	struct plt p = { .f = f, .t = t };
	struct elf_section s;
	int err = 0;

	if (!f->is64 || f->type == ELF_REL ||
	    (f->machine != ELF_AARCH64 && f->machine != ELF_X86_64))
		return 0;
	elf_symbols_dynamic(f, &p.symbols);
	for (uint32_t i = 1, n = 0; !err && n < SECTIONS_MAX && elf_section(f, i, &s); i++) {
		if (!is_plt(f, &s))
			continue;
		if (!n++)
			err = read_slots(&p);
		if (!err)
			err = scan(&p, &s);
	}
	vec_free(&p.slots);
	return err ? err_nomem(e) : p.n;
}
