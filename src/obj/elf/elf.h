/*
 * elf.h - headers, sections, segments and symbols of an ELF file, 32 or 64 bit, either byte order.
 *
 * Works on borrowed bytes; allocates nothing, keeps offsets only. The file is untrusted: data are returned as bounded
 * cursors. Layout: System V gABI, chapters 4 and 5.
 */
#ifndef OBJ_ELF_ELF_H
#define OBJ_ELF_ELF_H

#include "base/base.h"
#include "base/cursor.h"
#include "base/err.h"
#include "base/mapped.h"
#include "base/str.h"

enum elf_type { ELF_REL = 1, ELF_EXEC = 2, ELF_DYN = 3, ELF_CORE = 4 };

enum elf_machine { ELF_386 = 3, ELF_ARM = 40, ELF_X86_64 = 62, ELF_AARCH64 = 183 };

enum elf_section_type {
	ELF_SYMTAB = 2, ELF_STRTAB = 3, ELF_RELA = 4, ELF_NOTE = 7, ELF_NOBITS = 8, ELF_DYNSYM = 11,
};

enum elf_section_flag { ELF_ALLOC = 2, ELF_EXECINSTR = 4, ELF_COMPRESSED = 0x800 };

enum elf_segment_type { ELF_PT_LOAD = 1, ELF_PT_DYNAMIC = 2, ELF_PT_NOTE = 4 };

enum elf_segment_flag { ELF_PF_X = 1, ELF_PF_W = 2, ELF_PF_R = 4 };

struct elf {
	struct cursor all;             /* the whole file; its `swap` is the file's byte order */
	bool is64;
	uint16_t type, machine;
	uint64_t entry;
	uint64_t section_off, segment_off;
	uint16_t section_step, segment_step;
	uint32_t n_sections;           /* 0 when the table is missing or truncated */
	uint32_t n_segments;
	uint32_t names;                /* section with the section names */
	const struct mapped *file;     /* holes of the file, or NULL: unknown */
};

struct elf_section {
	uint32_t name, type, link, info;
	uint64_t flags, addr, offset, size, align, entsize;
};

struct elf_segment {
	uint32_t type, flags;
	uint64_t offset, vaddr, filesz, memsz, align;
};

/* More than any linked file has; a hostile file may have as many as fit into its size. */
enum { ELF_SECTIONS_MAX = 1 << 17, ELF_SEGMENTS_MAX = 1 << 16 };

/* Borrows the bytes for the life of f. -EBADMSG: not ELF, or the headers are not within the file. */
int elf_init(struct elf *f, const void *bytes, size_t n, struct err *e);

/* The same for a mapped file: tables, sections and segments end at a long hole. file may be NULL. */
int elf_init_mapped(struct elf *f, const void *bytes, size_t n, const struct mapped *file, struct err *e);

/* The i-th entry; false: no such entry. */
bool elf_section(const struct elf *f, uint32_t i, struct elf_section *s);
bool elf_segment(const struct elf *f, uint32_t i, struct elf_segment *s);

/*
 * The end of the file by its headers of segments, sections and their table; larger than the actual size: it was
 * truncated.
 */
uint64_t elf_end(const struct elf *f);

/* "" when the name is not in the string table. Borrowed from the file. */
const char *elf_section_name(const struct elf *f, const struct elf_section *s);

/* First section of that name, or of that type (elf_section_type). */
bool elf_section_find(const struct elf *f, const char *name, struct elf_section *s);
bool elf_section_find_type(const struct elf *f, uint32_t type, struct elf_section *s);

/*
 * The bytes, up to a long hole; a bad cursor when they are not in the file. NOBITS has none. Compressed sections are
 * not decompressed.
 */
struct cursor elf_section_data(const struct elf *f, const struct elf_section *s);
struct cursor elf_segment_data(const struct elf *f, const struct elf_segment *s);

/*
 * The bytes of the file from a virtual address to the end of its segment; a bad cursor when they are not in the file.
 */
struct cursor elf_data_at(const struct elf *f, uint64_t vaddr);

/* Read an integer of the file's address size. */
uint64_t elf_word(const struct elf *f, struct cursor *c);

/* Value of the first entry `tag` (DT_*) of the dynamic section; false: none. Needs no section headers. */
bool elf_dynamic(const struct elf *f, uint64_t tag, uint64_t *value);

/*
 * Ranges of code: executable sections, or executable segments when there are no sections. Sorted by address. Those
 * beyond the array are dropped: real files have a handful, vmlinux about twenty.
 */
enum { ELF_CODE_MAX = 64 };

struct elf_range {
	uint64_t start, end;    /* end is exclusive */
};

struct elf_code {
	struct elf_range v[ELF_CODE_MAX];
	size_t n;
};

void elf_code_init(struct elf_code *c, const struct elf *f);

/* The range that contains addr, or NULL. */
const struct elf_range *elf_code_find(const struct elf_code *c, uint64_t addr);

#endif
