/*
 * dwarf.c - files with debug information and their sections: found by name; decompressed and relocated when first used.
 */
#include "base/mem.h"
#include "obj/dwarf/parts.h"
#include "pack/pack.h"

enum { COMPRESS_ZLIB = 1, COMPRESS_ZSTD = 2 };

/* Granularity for dropping pages. */
enum { PASSED = 1 << 24 };

/* Limits for a decompressed section: its size, and the ratio to the compressed size, in practice three to twenty. */
static const uint64_t unpacked_max = UINT64_C(1) << 30, unpacked_ratio = 256;

static const char *const names[DWARF_SECTIONS] = {
	[DWARF_INFO] = "info", [DWARF_ABBREV] = "abbrev", [DWARF_STR] = "str", [DWARF_LINE] = "line",
	[DWARF_LINE_STR] = "line_str", [DWARF_ADDR] = "addr", [DWARF_STR_OFFSETS] = "str_offsets",
	[DWARF_RANGES] = "ranges", [DWARF_RNGLISTS] = "rnglists", [DWARF_LOC] = "loc", [DWARF_LOCLISTS] = "loclists",
	[DWARF_TYPES] = "types", [DWARF_ARANGES] = "aranges", [DWARF_FRAME] = "frame",
};

/* Replace the bytes in *c by their decompressed form; returns the copy, NULL: it failed. */
static void *unpack(struct cursor *c, unsigned kind, uint64_t size)
{
	size_t n = 0;
	bool plausible = size && size <= unpacked_max && size / unpacked_ratio <= cur_left(c);
	uint8_t *p = plausible ? mem_alloc((size_t)size) : NULL;
	int err = -EOPNOTSUPP;

	if (p && kind == COMPRESS_ZLIB)
		err = inflate_zlib(p, (size_t)size, c->pos, cur_left(c), &n, NULL);
	else if (p && kind == COMPRESS_ZSTD)
		err = zstd_unpack(p, (size_t)size, c->pos, cur_left(c), &n, NULL);
	if (err || n != size) {
		free(p);
		p = NULL;
		n = 0;
	}

	struct cursor out = cur_from(p, n);

	out.swap = c->swap;
	*c = out;
	return p;
}

/* Elf64_Chdr: u32 type, u32 0, u64 size, u64 align; of 32 bit: three u32. */
static void *unpack_elf(const struct elf *f, struct cursor *c)
{
	uint32_t kind = cur_u32(c);

	if (f->is64)
		cur_skip(c, 4);

	uint64_t size = elf_word(f, c);

	elf_word(f, c);
	return unpack(c, kind, c->bad ? 0 : size);
}

/* .zdebug_*: "ZLIB", then the size, big-endian. */
static void *unpack_gnu(struct cursor *c)
{
	const uint8_t *p = cur_bytes(c, 12);
	uint64_t size = 0;

	for (unsigned i = 4; p && i < 12; i++)
		size = size << 8 | p[i];
	return unpack(c, COMPRESS_ZLIB, p && !memcmp(p, "ZLIB", 4) ? size : 0);
}

/* The next section of that name behind the i-th; 0: none. */
static uint32_t next(const struct dwarf_file *f, enum dwarf_section s, const char *prefix, uint32_t i,
		     struct elf_section *h)
{
	char name[32];

	snprintf(name, sizeof(name), ".%s_%s%s", prefix, names[s], f->is_split ? ".dwo" : "");
	while (elf_section(f->elf, ++i, h)) {
		if (!strcmp(elf_section_name(f->elf, h), name))
			return i;
	}
	return 0;
}

/*
 * Concatenate several sections of one name (object files and .dwo have them for type units), and copy what needs
 * relocation.
 */
static void gather(struct dwarf_file *f, enum dwarf_section s, struct cursor *out)
{
	uint64_t total = 0;
	uint8_t *copy = NULL;

	for (unsigned round = 0; round < 2; round++) {
		struct elf_section h;
		size_t at = 0;

		for (uint32_t i = 0; (i = next(f, s, "debug", i, &h)) != 0;) {
			struct cursor c = elf_section_data(f->elf, &h);
			size_t n = c.bad || h.flags & ELF_COMPRESSED ? 0 : cur_left(&c);

			if (round && n && n <= total - at) {
				memcpy(copy + at, c.pos, n);
				dwarf_relocate(f->elf, i, copy + at, n);
			}
			at += n;
		}
		total = round ? total : at;
		copy = round ? copy : total && total <= unpacked_max ? malloc((size_t)total) : NULL;
		if (!copy)
			return;
	}
	f->copy[s] = copy;
	*out = cur_from(copy, (size_t)total);
}

/* The compressed bytes are not needed any more. */
static void packed_passed(const struct dwarf_file *f, const uint8_t *p, size_t n)
{
	if (f->d->want.passed && n)
		f->d->want.passed(f->d->want.arg, p, n);
}

static void load(struct dwarf_file *f, enum dwarf_section s)
{
	struct cursor *c = &f->section[s];
	struct elf_section h, other;
	uint32_t i = next(f, s, "debug", 0, &h);
	bool is_packed = i && h.flags & ELF_COMPRESSED;

	*c = cur_from(NULL, 0);
	if (i) {
		struct cursor packed = *c = elf_section_data(f->elf, &h);

		if (is_packed)
			f->copy[s] = unpack_elf(f->elf, c);
		if (f->copy[s])
			packed_passed(f, packed.start, cur_left(&packed));
		if (f->copy[s])
			dwarf_relocate(f->elf, i, f->copy[s], cur_left(c));
		else if (f->elf->type == ELF_REL && (dwarf_is_relocated(f->elf, i) || next(f, s, "debug", i, &other)))
			gather(f, s, c);
	} else if (next(f, s, "zdebug", 0, &h)) {
		is_packed = true;
		*c = elf_section_data(f->elf, &h);
		f->copy[s] = unpack_gnu(c);
	}
	if (c->bad)
		*c = cur_from(NULL, 0);
	if (is_packed && !f->copy[s] && s == DWARF_INFO)
		err_set(&f->broken, EBADMSG, "debug information cannot be unpacked");
	c->swap = f->elf->all.swap;
}

struct cursor dwarf_file_section(struct dwarf_file *f, enum dwarf_section s)
{
	if (!(f->loaded >> s & 1)) {
		f->loaded |= UINT32_C(1) << s;
		load(f, s);
	}
	return f->section[s];
}

void dwarf_passed(const struct dwarf_file *f, enum dwarf_section s, const uint8_t **passed, const uint8_t *to)
{
	const struct dwarf_files *w = &f->d->want;
	size_t n = (size_t)((to ? to : f->section[s].end) - *passed);

	if (!w->passed || f->copy[s] || n < (to ? PASSED : 1))
		return;
	w->passed(w->arg, *passed, n);
	*passed = to;
}

struct cursor dwarf_section(struct dwarf *d, enum dwarf_section s)
{
	return dwarf_file_section(d->file, s);
}

struct cursor dwarf_unit_section(const struct dwarf_unit *u, enum dwarf_section s)
{
	const uint32_t of_skeleton = 1 << DWARF_ADDR | 1 << DWARF_LINE | 1 << DWARF_LINE_STR | 1 << DWARF_RANGES |
				     1 << DWARF_ARANGES | 1 << DWARF_FRAME;

	if (u->skeleton && of_skeleton >> s & 1)
		u = u->skeleton;
	return dwarf_file_section(u->file, s);
}

struct dwarf_file *dwarf_file_new(struct dwarf *d, const struct elf *elf)
{
	struct dwarf_file *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->d = d;
	f->types = dwarf_types;
	f->own = *elf;
	f->elf = &f->own;
	return f;
}

static void dwarf_file_free(struct dwarf_file *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < DWARF_SECTIONS; i++)
		free(f->copy[i]);
	for (size_t i = 0; i < f->abbrevs.n; i++)
		dwarf_abbrevs_free(f->abbrevs.v[i]);
	vec_free(&f->abbrevs);
	vec_free(&f->units);
	map_deinit(&f->tables);
	map_deinit(&f->signatures);
	free(f);
}

static int alt_open(struct dwarf *d, struct err *e)
{
	if (!d->want.alt)
		return 0;
	d->alt = dwarf_file_new(d, d->want.alt);
	return d->alt ? dwarf_units_list(d->alt) : err_nomem(e);
}

static int open_all(struct dwarf *d, struct err *e)
{
	struct cursor c;

	d->file = dwarf_file_new(d, d->want.elf);
	if (!d->file)
		return err_nomem(e);
	c = dwarf_section(d, DWARF_INFO);
	if (!cur_left(&c) && d->file->broken.code) {
		if (e)
			*e = d->file->broken;
		return -EBADMSG;
	}
	if (!cur_left(&c))
		return err_set(e, ENODATA, "there is no debug information");

	int err = dwarf_units_list(d->file);

	return err ? err_nomem(e) : alt_open(d, e);
}

struct dwarf *dwarf_new(const struct dwarf_files *f, struct err *e)
{
	struct dwarf *d = calloc(1, sizeof(*d));

	if (!d) {
		err_nomem(e);
		return NULL;
	}
	d->want = *f;
	if (!open_all(d, e))
		return d;
	dwarf_free(d);
	return NULL;
}

void dwarf_free(struct dwarf *d)
{
	if (!d)
		return;
	dwarf_file_free(d->file);
	dwarf_file_free(d->alt);
	while (d->split) {
		struct dwarf_file *next = d->split->next;

		dwarf_file_free(d->split);
		d->split = next;
	}
	vec_free(&d->spans);
	vec_free(&d->defined);
	map_deinit(&d->definitions);
	free(d);
}
