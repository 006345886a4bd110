/*
 * reloc.c - applies relocations to debug sections of relocatable files (kernel modules, .o). Sections have no
 * addresses there: see DWARF_REL_SHIFT for the resulting addresses.
 *
 * Elf64_Rela: u64 offset, u32 type, u32 symbol, s64 addend.
 */
#include "obj/dwarf/parts.h"

enum { RELA_SIZE = 24, SYM_SIZE = 24, SHN_RESERVED = 0xff00 };

static unsigned width(unsigned machine, uint32_t type)
{
	static const struct {
		uint16_t machine, type, width;
	} known[] = {
		{ ELF_AARCH64, 257, 8 }, { ELF_AARCH64, 258, 4 },
		{ ELF_X86_64, 1, 8 }, { ELF_X86_64, 10, 4 }, { ELF_X86_64, 11, 4 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (known[i].machine == machine && known[i].type == type)
			return known[i].width;
	}
	return 0;
}

static uint64_t symbol_value(const struct elf *f, struct cursor symbols, uint32_t index)
{
	struct elf_section s;

	cur_seek(&symbols, (uint64_t)index * SYM_SIZE + 6);

	uint16_t section = cur_u16(&symbols);
	uint64_t value = cur_u64(&symbols);

	if (symbols.bad)
		return 0;
	if (section < SHN_RESERVED && elf_section(f, section, &s) && s.flags & ELF_ALLOC)
		value += (uint64_t)section << DWARF_REL_SHIFT;
	return value;
}

static void store(uint8_t *p, size_t n, uint64_t v, const struct cursor *like)
{
	bool msb = like->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

	for (size_t i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> 8 * (msb ? n - 1 - i : i));
}

static void apply(const struct elf *f, const struct elf_section *h, uint8_t *to, size_t size)
{
	struct elf_section syms;
	struct cursor c = elf_section_data(f, h), symbols;

	if (!elf_section(f, h->link, &syms))
		return;
	symbols = elf_section_data(f, &syms);
	while (cur_left(&c) >= RELA_SIZE && !c.bad && !mapped_stopped(f->file)) {
		uint64_t at = cur_u64(&c), info = cur_u64(&c), addend = cur_u64(&c);
		unsigned n = width(f->machine, (uint32_t)info);

		if (n && size >= n && at <= size - n)
			store(to + at, n, symbol_value(f, symbols, (uint32_t)(info >> 32)) + addend, &c);
	}
}

static bool relocations_of(const struct elf *f, uint32_t section, struct elf_section *h)
{
	for (uint32_t i = 1; f->type == ELF_REL && f->is64 && elf_section(f, i, h); i++) {
		if (h->type == ELF_RELA && h->info == section)
			return true;
	}
	return false;
}

bool dwarf_is_relocated(const struct elf *f, uint32_t section)
{
	struct elf_section h;

	return relocations_of(f, section, &h);
}

void dwarf_relocate(const struct elf *f, uint32_t section, uint8_t *bytes, size_t n)
{
	struct elf_section h;

	if (relocations_of(f, section, &h))
		apply(f, &h, bytes, n);
}
