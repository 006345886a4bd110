/*
 * symbols.h - the two symbol tables of an ELF file, also of one without section headers.
 * Borrows the file's bytes.
 */
#ifndef OBJ_ELF_SYMBOLS_H
#define OBJ_ELF_SYMBOLS_H

#include "obj/elf/elf.h"

enum elf_symbol_type { ELF_NOTYPE = 0, ELF_OBJECT = 1, ELF_FUNC = 2, ELF_TLS = 6, ELF_IFUNC = 10 };

enum elf_symbol_bind { ELF_LOCAL = 0, ELF_GLOBAL = 1, ELF_WEAK = 2 };

enum elf_visibility { ELF_DEFAULT = 0, ELF_INTERNAL = 1, ELF_HIDDEN = 2 };

enum elf_symbol_section { ELF_UNDEF = 0, ELF_ABS = 0xfff1 };

struct elf_symbol {
	uint32_t name;             /* offset in the table's strings */
	uint8_t type, bind, visibility;
	uint16_t section;
	uint64_t value, size;
};

struct elf_symbols {
	const struct elf *file;
	struct cursor data;
	struct sv strings;         /* cut behind its last NUL: every offset in it is a terminated string */
	size_t n;
};

/* .symtab; false: none. */
bool elf_symbols_static(const struct elf *f, struct elf_symbols *t);

/* .dynsym, by the dynamic section when there are no section headers; false: none. */
bool elf_symbols_dynamic(const struct elf *f, struct elf_symbols *t);

/* The i-th symbol; false: no such symbol, or the limit is reached. */
bool elf_symbols_get(const struct elf_symbols *t, size_t i, struct elf_symbol *s);

/* "" when the offset is out of range. Borrowed from the file. */
const char *elf_symbols_name(const struct elf_symbols *t, const struct elf_symbol *s);

/* First defined symbol of that name, in .symtab, else in .dynsym. Linear: for a few lookups only. */
bool elf_symbol_named(const struct elf *f, const char *name, struct elf_symbol *s);

#endif
