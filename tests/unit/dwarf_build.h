/*
 * dwarf_build.h - ELF files with debug information made by hand, byte by byte:
 *   struct dwarf_build b = { .version = 5 };  dbuild_unit(&b, ...);  put(&b.info, ...);  struct dwarf *d =
 * dbuild_open(&b);
 */
#ifndef TESTS_DWARF_BUILD_H
#define TESTS_DWARF_BUILD_H

#include "obj/dwarf/dwarf.h"
#include "obj_build.h"

/* A section's bytes, growing. */
struct bytes {
	uint8_t v[4096];
	size_t n;
};

static inline void put(struct bytes *b, uint64_t v, size_t size)
{
	if (b->n + size > sizeof(b->v))
		abort();
	for (size_t i = 0; i < size; i++)
		b->v[b->n++] = (uint8_t)(v >> 8 * i);
}

static inline void put_bytes(struct bytes *b, const void *s, size_t n)
{
	if (b->n + n > sizeof(b->v))
		abort();
	memcpy(b->v + b->n, s, n);
	b->n += n;
}

#define PUT(b, text) put_bytes(b, text, sizeof(text) - 1)
#define PUT_STR(b, text) put_bytes(b, text, sizeof(text))

/* A length of 4 bytes that is told later: of everything from behind it to now. */
static inline size_t put_length(struct bytes *b)
{
	put(b, 0, 4);
	return b->n;
}

static inline void end_length(struct bytes *b, size_t from)
{
	for (size_t i = 0; i < 4; i++)
		b->v[from - 4 + i] = (uint8_t)((b->n - from) >> 8 * i);
}

struct dwarf_build {
	struct bytes info, abbrev, line, line_str, loc, loclists, frame;
	struct elf f;
};

/*
 * An unit's header and its first entry, compile_unit { stmt_list 0, comp_dir "/src", low_pc, producer }, by
 * abbreviation 1, to which others may be added behind it. Returns what dbuild_unit_end wants.
 */
static inline size_t dbuild_unit(struct dwarf_build *b, unsigned version, uint64_t low_pc, const char *producer)
{
	size_t from = put_length(&b->info);

	put(&b->info, version, 2);
	if (version >= 5)
		put(&b->info, 0x0801, 2);
	put(&b->info, 0, 4);
	if (version < 5)
		put(&b->info, 8, 1);
	put(&b->info, 1, 1);
	put(&b->info, 0, 4);
	PUT_STR(&b->info, "/src");
	put(&b->info, low_pc, 8);
	put_bytes(&b->info, producer, strlen(producer) + 1);
	PUT(&b->abbrev, "\x01\x11\x01\x10");
	put(&b->abbrev, version >= 4 ? 0x17 : 0x06, 1);
	PUT(&b->abbrev, "\x1b\x08\x11\x01\x25\x08\0\0");
	return from;
}

static inline void dbuild_unit_end(struct dwarf_build *b, size_t from)
{
	put(&b->info, 0, 1);
	put(&b->abbrev, 0, 1);
	end_length(&b->info, from);
}

/* Its bytes stay until the test ends. */
static inline struct dwarf *dbuild_open(struct dwarf_build *b)
{
	static struct build file;
	const struct {
		const char *name;
		const struct bytes *bytes;
	} sections[] = {
		{ ".debug_info", &b->info }, { ".debug_abbrev", &b->abbrev }, { ".debug_line", &b->line },
		{ ".debug_line_str", &b->line_str }, { ".debug_loc", &b->loc }, { ".debug_loclists", &b->loclists },
		{ ".debug_frame", &b->frame },
	};
	struct err e = { 0 };

	file = (struct build)BUILD_AARCH64;
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		if (sections[i].bytes->n)
			build_section(&file, sections[i].name,
				      (struct elf_section){.type = 1, .size = sections[i].bytes->n},
				      sections[i].bytes->v);
	}
	build_finish(&file);
	CHECK_EQ(elf_init(&b->f, guard_dup(file.v, file.n), file.n, NULL), 0);

	struct dwarf *d = dwarf_new(&(struct dwarf_files){ .elf = &b->f }, &e);

	CHECK_STR(e.text, "");
	if (!d)
		abort();
	return d;
}

#endif
