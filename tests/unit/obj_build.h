/*
 * obj_build.h - ELF files made by hand, of either class and byte order:
 *   struct build b = BUILD_AARCH64;  build_section(&b, ".text", ...);  build_symbol(&b, ...);  build_finish(&b);
 * Then b.v, b.n are the file. Sections lie one after another, section i in the order they were
 * added, from 1.
 */
#ifndef TESTS_OBJ_BUILD_H
#define TESTS_OBJ_BUILD_H

#include "obj/elf/elf.h"
#include "obj/elf/symbols.h"
#include "t.h"

enum { BUILD_SECTIONS = 16, BUILD_SEGMENTS = 8, BUILD_SYMBOLS = 64 };

struct build {
	bool is32, msb;
	uint16_t machine, type;
	uint8_t v[32768];
	size_t n;
	struct elf_section section[BUILD_SECTIONS];
	uint32_t n_sections;            /* without section 0 */
	struct elf_segment segment[BUILD_SEGMENTS];
	uint32_t n_segments;
	uint8_t symbols[BUILD_SYMBOLS * 24];
	size_t n_symbols;               /* bytes */
	char strings[4096], names[1024];
	size_t n_strings, n_names;
};

#define BUILD_AARCH64 { .machine = ELF_AARCH64, .type = ELF_DYN, .n = 1024, .n_strings = 1, .n_names = 1 }

static inline void build_put(const struct build *b, uint8_t *to, uint64_t v, size_t size)
{
	for (size_t i = 0; i < size; i++)
		to[i] = (uint8_t)(v >> 8 * (b->msb ? size - 1 - i : i));
}

static inline size_t build_word(const struct build *b)
{
	return b->is32 ? 4 : 8;
}

static inline uint32_t build_string(char *table, size_t *n, const char *s)
{
	size_t at = *n, len = strlen(s) + 1;

	memcpy(table + at, s, len);
	*n += len;
	return (uint32_t)at;
}

/* Append a section's bytes (data NULL: NOBITS); returns its number. */
static inline uint32_t build_section(struct build *b, const char *name, struct elf_section s, const void *data)
{
	b->n = (b->n + 15) & ~(size_t)15;
	if (b->n + s.size > sizeof(b->v) || b->n_sections + 1 >= BUILD_SECTIONS)
		abort();
	s.name = build_string(b->names, &b->n_names, name);
	s.offset = b->n;
	b->section[++b->n_sections] = s;
	if (data && s.size) {
		memcpy(b->v + b->n, data, s.size);
		b->n += s.size;
	}
	return b->n_sections;
}

static inline void build_segment(struct build *b, struct elf_segment s)
{
	b->segment[b->n_segments++] = s;
}

/* Bytes of a symbol into `to`; returns how many. */
static inline size_t build_symbol_at(const struct build *b, uint8_t *to, const struct elf_symbol *s)
{
	uint8_t info = (uint8_t)(s->bind << 4 | s->type);

	build_put(b, to, s->name, 4);
	if (b->is32) {
		build_put(b, to + 4, s->value, 4);
		build_put(b, to + 8, s->size, 4);
		to[12] = info;
		to[13] = s->visibility;
		build_put(b, to + 14, s->section, 2);
		return 16;
	}
	to[4] = info;
	to[5] = s->visibility;
	build_put(b, to + 6, s->section, 2);
	build_put(b, to + 8, s->value, 8);
	build_put(b, to + 16, s->size, 8);
	return 24;
}

/* Queue a symbol for build_symbols. */
static inline void build_symbol(struct build *b, const char *name, struct elf_symbol s)
{
	if (!b->n_symbols)
		b->n_symbols = b->is32 ? 16 : 24;
	if (b->n_symbols + 24 > sizeof(b->symbols))
		abort();
	s.name = build_string(b->strings, &b->n_strings, name);
	b->n_symbols += build_symbol_at(b, b->symbols + b->n_symbols, &s);
}

/* Write the queued symbols as .symtab or .dynsym with its strings. */
static inline void build_symbols(struct build *b, uint32_t type)
{
	uint32_t strings = build_section(b, ".strings", (struct elf_section){
		.type = ELF_STRTAB, .size = b->n_strings,
	}, b->strings);

	build_section(b, ".symbols", (struct elf_section){
		.type = type, .size = b->n_symbols, .link = strings, .entsize = b->is32 ? 16 : 24,
	}, b->symbols);
}

static inline void build_section_header(struct build *b, uint8_t *to, const struct elf_section *s)
{
	const uint64_t word[] = { s->flags, s->addr, s->offset, s->size };
	size_t w = build_word(b);

	build_put(b, to, s->name, 4);
	build_put(b, to + 4, s->type, 4);
	for (size_t i = 0; i < ARRAY_SIZE(word); i++)
		build_put(b, to + 8 + i * w, word[i], w);
	build_put(b, to + 8 + 4 * w, s->link, 4);
	build_put(b, to + 12 + 4 * w, s->info, 4);
	build_put(b, to + 16 + 4 * w, s->align, w);
	build_put(b, to + 16 + 5 * w, s->entsize, w);
}

static inline void build_segment_header(struct build *b, uint8_t *to, const struct elf_segment *s)
{
	size_t w = build_word(b), at = b->is32 ? 4 : 8;
	const uint64_t word[] = { s->offset, s->vaddr, s->vaddr, s->filesz, s->memsz };

	build_put(b, to, s->type, 4);
	build_put(b, to + (b->is32 ? 24 : 4), s->flags, 4);
	for (size_t i = 0; i < ARRAY_SIZE(word); i++)
		build_put(b, to + at + i * w, word[i], w);
	build_put(b, to + (b->is32 ? 28 : 48), s->align, w);
}

static inline void build_header(struct build *b, uint64_t sections, uint32_t names)
{
	size_t w = build_word(b), at = 24 + 3 * w;
	uint8_t *v = b->v;

	memcpy(v, "\177ELF", 4);
	v[4] = b->is32 ? 1 : 2;
	v[5] = b->msb ? 2 : 1;
	v[6] = 1;
	build_put(b, v + 16, b->type, 2);
	build_put(b, v + 18, b->machine, 2);
	build_put(b, v + 24 + w, b->n_segments ? 64 : 0, w);
	build_put(b, v + 24 + 2 * w, sections, w);
	build_put(b, v + at + 6, b->is32 ? 32 : 56, 2);
	build_put(b, v + at + 8, b->n_segments, 2);
	build_put(b, v + at + 10, sections ? b->is32 ? 40 : 64 : 0, 2);
	build_put(b, v + at + 12, sections ? b->n_sections + 1 : 0, 2);
	build_put(b, v + at + 14, names, 2);
}

static inline void build_segments(struct build *b)
{
	for (uint32_t i = 0; i < b->n_segments; i++)
		build_segment_header(b, b->v + 64 + i * (b->is32 ? 32 : 56), &b->segment[i]);
}

/* Headers, with a section table. */
static inline void build_finish(struct build *b)
{
	uint32_t names = b->n_sections + 1;

	build_string(b->names, &b->n_names, ".names");
	b->n_names -= strlen(".names") + 1;
	build_section(b, ".names", (struct elf_section){
		.type = ELF_STRTAB, .size = b->n_names + strlen(".names") + 1,
	}, b->names);

	size_t step = b->is32 ? 40 : 64, at = (b->n + 15) & ~(size_t)15;

	for (uint32_t i = 0; i <= b->n_sections; i++)
		build_section_header(b, b->v + at + i * step, &b->section[i]);
	b->n = at + (b->n_sections + 1) * step;
	build_header(b, at, names);
	build_segments(b);
}

/* Headers, without one. */
static inline void build_finish_bare(struct build *b)
{
	build_header(b, 0, 0);
	build_segments(b);
}

#endif
