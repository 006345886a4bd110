/*
 * split.c - split debug information: .dwo files, and .dwp packages of them.
 *
 * Sections of a package are those of many .dwo concatenated; .debug_cu_index and .debug_tu_index describe the
 * part of each unit: u32 version (2; or u16 5, u16 0), u32 columns, u32 units, u32 slots; then u64 id for each slot;
 * u32 row for each slot, 0: free; u32 section for each column; u32 offset for each unit and column; u32 size for each
 * of these.
 */
#include "obj/dwarf/parts.h"

enum { COLUMNS_MAX = 8 };

static struct dwarf_file *file_add(struct dwarf *d, const struct elf *elf)
{
	struct dwarf_file *f = dwarf_file_new(d, elf);

	if (!f)
		return NULL;
	f->is_split = true;
	f->next = d->split;
	d->split = f;
	return f;
}

/* Map a column's id to section + 1; 0: a section that is not used here. */
static unsigned column_section(unsigned version, uint32_t id)
{
	static const uint8_t v2[] = { 0, DWARF_INFO, DWARF_TYPES, DWARF_ABBREV, DWARF_LINE, DWARF_LOC,
				      DWARF_STR_OFFSETS };
	static const uint8_t v5[] = { 0, DWARF_INFO, 0, DWARF_ABBREV, DWARF_LINE, DWARF_LOCLISTS, DWARF_STR_OFFSETS, 0,
				      DWARF_RNGLISTS };
	bool new = version == 5;

	if (!id || id >= (new ? ARRAY_SIZE(v5) : ARRAY_SIZE(v2)) || (new && (id == 2 || id == 7)))
		return 0;
	return 1u + (new ? v5[id] : v2[id]);
}

struct package_index {
	struct cursor c;
	unsigned version;
	uint32_t columns, units, slots;
};

static bool index_open(struct package_index *x, const struct elf *elf, const char *section)
{
	struct elf_section h;

	if (!elf_section_find(elf, section, &h))
		return false;
	x->c = elf_section_data(elf, &h);

	struct cursor first = x->c;

	x->version = cur_u32(&x->c);
	if (x->version != 2)
		x->version = cur_u16(&first);
	x->columns = cur_u32(&x->c);
	x->units = cur_u32(&x->c);
	x->slots = cur_u32(&x->c);
	return !x->c.bad && x->columns <= COLUMNS_MAX && x->slots && !(x->slots & (x->slots - 1)) &&
	       (x->version == 2 || x->version == 5);
}

static uint32_t u32_at(const struct package_index *x, uint64_t off)
{
	struct cursor c = x->c;

	cur_seek(&c, off);
	return cur_u32(&c);
}

/* Row of an id, counted from 1; 0: not found. */
static uint32_t index_row(const struct package_index *x, uint64_t id)
{
	uint32_t mask = x->slots - 1, i = (uint32_t)id & mask, step = ((uint32_t)(id >> 32) & mask) | 1;

	for (uint32_t n = 0; n < x->slots; n++, i = (i + step) & mask) {
		struct cursor c = x->c;
		uint32_t row = u32_at(x, 16 + (uint64_t)x->slots * 8 + (uint64_t)i * 4);

		cur_seek(&c, 16 + (uint64_t)i * 8);
		if (!row || c.bad)
			return 0;
		if (cur_u64(&c) == id)
			return row <= x->units ? row : 0;
	}
	return 0;
}

/* Make a file whose sections are one unit's parts of the package. */
static struct dwarf_file *part_new(struct dwarf_file *package, const struct package_index *x, uint32_t row)
{
	struct dwarf_file *f = file_add(package->d, package->elf);
	uint64_t ids = 16 + (uint64_t)x->slots * 12, offsets = ids + (uint64_t)x->columns * 4;
	uint64_t sizes = offsets + (uint64_t)x->units * x->columns * 4;

	if (!f)
		return NULL;
	f->package = package;
	f->loaded = UINT32_MAX;
	f->section[DWARF_STR] = dwarf_file_section(package, DWARF_STR);
	for (uint32_t i = 0; i < x->columns; i++) {
		unsigned s = column_section(x->version, u32_at(x, ids + 4 * i));
		uint64_t at = ((uint64_t)(row - 1) * x->columns + i) * 4;

		if (!s)
			continue;

		struct cursor whole = dwarf_file_section(package, s - 1);

		f->section[s - 1] = cur_sub(&whole, u32_at(x, offsets + at), u32_at(x, sizes + at));
		if (f->section[s - 1].bad)
			f->section[s - 1] = cur_from(NULL, 0);
		f->section[s - 1].swap = whole.swap;
	}
	return dwarf_units_list(f) ? NULL : f;
}

static struct dwarf_file *package_part(struct dwarf_file *package, const char *index, uint64_t id)
{
	struct package_index x;
	uint32_t row = index_open(&x, package->elf, index) ? index_row(&x, id) : 0;

	return row ? part_new(package, &x, row) : NULL;
}

const struct dwarf_unit *dwarf_package_type(struct dwarf_file *package, uint64_t signature)
{
	bool is_new;
	uint64_t *at = map_add(&package->signatures, signature, &is_new);

	if (!at)
		return NULL;
	if (is_new)
		*at = (uintptr_t)package_part(package, ".debug_tu_index", signature);

	struct dwarf_file *part = (struct dwarf_file *)(uintptr_t)*at;
	const uint64_t *i = part ? map_get(&part->signatures, signature) : NULL;

	return i && *i ? dwarf_unit_ready(&part->units.v[*i - 1], NULL) : NULL;
}

static uint64_t unit_id(const struct dwarf_unit *u)
{
	struct dwarf_value v;
	struct die root;

	if (u->version >= 5)
		return u->id;
	return !die_at(u, u->first, &root, NULL) && die_attr(&root, DW_AT_GNU_dwo_id, &v, NULL) == 1 ? v.u : 0;
}

/* The unit of a .dwo whose id is the skeleton's. */
static struct dwarf_unit *unit_pick(struct dwarf_file *f, uint64_t id)
{
	for (size_t i = 0; i < f->n_info; i++) {
		struct dwarf_unit *u = &f->units.v[i];

		if ((u->version < 5 || u->type == DW_UT_split_compile) && dwarf_unit_ready(u, NULL) && unit_id(u) == id)
			return u;
	}
	return NULL;
}

static struct dwarf_file *file_for(struct dwarf *d, const struct elf *elf, uint64_t id)
{
	struct elf_section index;
	bool is_package = elf_section_find(elf, ".debug_cu_index", &index);
	struct dwarf_file *f = d->split;

	while (f && (f->package || f->elf->all.start != elf->all.start))
		f = f->next;
	if (!f) {
		f = file_add(d, elf);
		if (!f || (!is_package && dwarf_units_list(f)))
			return NULL;
	}
	return is_package ? package_part(f, ".debug_cu_index", id) : f;
}

static struct dwarf_unit *split_open(const struct dwarf_unit *s)
{
	struct dwarf *d = s->d;
	uint64_t id = unit_id(s);
	struct elf elf;

	if (!d->want.split(d->want.arg, s->dwo_name, s->comp_dir, id, &elf))
		return NULL;

	struct dwarf_file *f = file_for(d, &elf, id);

	return f ? unit_pick(f, id) : NULL;
}

struct dwarf_unit *dwarf_split_unit(struct dwarf_unit *s)
{
	struct dwarf_value v;
	struct die root;
	struct dwarf_unit *u;

	if (!*s->dwo_name || s->split || !s->d->want.split)
		return s->split;

	u = split_open(s);
	/* Try only once, whatever the result. */
	if (!u || u->skeleton) {
		s->dwo_name = "";
		return NULL;
	}
	u->skeleton = s;
	u->low_pc = s->low_pc;
	u->has_line = s->has_line;
	u->line_off = s->line_off;
	u->addr_base = s->addr_base;
	if (!*u->comp_dir)
		u->comp_dir = s->comp_dir;
	if (s->version < 5 && !die_at(s, s->first, &root, NULL) &&
	    die_attr(&root, DW_AT_GNU_ranges_base, &v, NULL) == 1)
		u->ranges_base = v.u;
	s->split = u;
	return u;
}
