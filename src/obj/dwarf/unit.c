/*
 * unit.c - headers of units, and attributes of their root entry.
 *
 *   2..4  u32 length, u16 version, offset in .debug_abbrev, u8 size of addresses; in .debug_types also u64 signature,
 *         offset of the type
 *   5     u32 length, u16 version, u8 type, u8 size of addresses, offset in .debug_abbrev; u64 id of skeletons and
 *         split units; u64 signature, offset of the type
 *   A length of 0xffffffff is followed by the real one in u64; offsets are then 8 bytes long, else 4.
 */
#include "base/find.h"
#include "obj/dwarf/parts.h"

enum { FRESH, READY, BROKEN };

static uint64_t header_rest(struct dwarf_unit *u, struct cursor *c, enum dwarf_place place)
{
	uint64_t abbrevs;

	u->version = cur_u16(c);
	u->type = place == DWARF_IN_TYPES ? DW_UT_type : DW_UT_compile;
	if (u->version >= 5) {
		u->type = cur_u8(c);
		u->addr_size = cur_u8(c);
		abbrevs = dwarf_offset(u, c);
	} else {
		abbrevs = dwarf_offset(u, c);
		u->addr_size = cur_u8(c);
	}
	if (u->type >= DW_UT_skeleton || u->type == DW_UT_type)
		u->id = cur_u64(c);
	if (u->type == DW_UT_type || u->type == DW_UT_split_type)
		u->type_off = dwarf_offset(u, c);
	return abbrevs;
}

static int header_read(struct dwarf_unit *u, struct cursor *c, enum dwarf_place place, struct err *e)
{
	uint64_t length;

	u->off = cur_off(c);
	u->offset_size = 4;
	length = cur_u32(c);
	if (length == UINT32_MAX) {
		u->offset_size = 8;
		length = cur_u64(c);
	}
	if (c->bad || length > cur_left(c))
		return err_at(e, EBADMSG, u->off, "a unit of debug information is cut");
	u->end = cur_off(c) + length;

	uint64_t abbrevs = header_rest(u, c, place);

	u->first = cur_off(c);
	if (c->bad || u->first > u->end)
		return err_at(e, EBADMSG, u->off, "a unit of debug information is cut");
	if (u->version < 2 || u->version > 5 || (u->addr_size != 4 && u->addr_size != 8) || abbrevs > UINT32_MAX)
		u->state = BROKEN;
	u->abbrev_off = abbrevs;
	cur_seek(c, u->end);
	return 0;
}

static int signature_add(struct dwarf_file *f, const struct dwarf_unit *u)
{
	if (u->type != DW_UT_type && u->type != DW_UT_split_type)
		return 0;

	uint64_t *at = map_add(&f->signatures, u->id, NULL);

	if (!at)
		return -ENOMEM;
	*at = f->units.n;
	return 0;
}

static int section_list(struct dwarf_file *f, enum dwarf_section s, enum dwarf_place place)
{
	struct cursor bytes = dwarf_file_section(f, s), c = bytes;
	const uint8_t *passed = bytes.start;

	while (cur_left(&c) && !mapped_stopped(f->elf->file)) {
		struct dwarf_unit *u = vec_add(&f->units);

		if (!u)
			return -ENOMEM;
		*u = (struct dwarf_unit){ .d = f->d, .file = f, .bytes = bytes, .is_split = f->is_split, .name = "",
					  .comp_dir = "", .producer = "", .dwo_name = "" };
		if (header_read(u, &c, place, &f->broken)) {
			f->units.n--;
			break;
		}
		u->bytes.end = u->bytes.start + u->end;
		if (signature_add(f, u))
			return -ENOMEM;
		dwarf_passed(f, s, &passed, c.pos);
	}
	dwarf_passed(f, s, &passed, NULL);
	return 0;
}

int dwarf_units_list(struct dwarf_file *f)
{
	int err = section_list(f, DWARF_INFO, DWARF_IN_INFO);

	f->n_info = f->units.n;
	return err ? err : section_list(f, DWARF_TYPES, DWARF_IN_TYPES);
}

bool dwarf_unit_is_known(const struct dwarf_unit *u)
{
	return u->state != BROKEN;
}

struct dwarf_unit *dwarf_unit_own(const struct dwarf_unit *u)
{
	return &u->file->units.v[u - u->file->units.v];
}

bool dwarf_unit_is_types(const struct dwarf_unit *u)
{
	return u >= u->file->units.v + u->file->n_info;
}

static uint64_t number_of(const struct die *die, unsigned at, uint64_t otherwise)
{
	struct dwarf_value v;

	return die_attr(die, at, &v, NULL) == 1 ? v.u : otherwise;
}

static const char *text_of(const struct die *die, unsigned at)
{
	struct dwarf_value v;

	return die_attr(die, at, &v, NULL) == 1 && dwarf_form_class(v.form) == DWARF_CLASS_STRING ? v.block.s : "";
}

/* Read the bases first: strings and addresses depend on them. */
static void bases_read(struct dwarf_unit *u, const struct die *root)
{
	bool new = u->version >= 5;
	unsigned header = !new ? 0 : u->offset_size == 8 ? 16 : 8;

	u->str_offsets_base = number_of(root, DW_AT_str_offsets_base, header);
	u->addr_base = number_of(root, new ? DW_AT_addr_base : DW_AT_GNU_addr_base, header);
	header += new ? 4 : 0;
	u->rnglists_base = number_of(root, DW_AT_rnglists_base, header);
	u->loclists_base = number_of(root, DW_AT_loclists_base, header);
}

static void root_read(struct dwarf_unit *u, const struct die *root)
{
	struct dwarf_value v;

	bases_read(u, root);
	u->low_pc = number_of(root, DW_AT_low_pc, 0);
	u->has_line = die_attr(root, DW_AT_stmt_list, &v, NULL) == 1;
	u->line_off = u->has_line ? v.u : 0;
	u->name = text_of(root, DW_AT_name);
	u->comp_dir = text_of(root, DW_AT_comp_dir);
	u->producer = text_of(root, DW_AT_producer);
	u->language = (unsigned)number_of(root, DW_AT_language, 0);
	if (u->is_split)
		return;
	u->dwo_name = text_of(root, DW_AT_dwo_name);
	if (!*u->dwo_name)
		u->dwo_name = text_of(root, DW_AT_GNU_dwo_name);
}

const struct dwarf_unit *dwarf_unit_ready(struct dwarf_unit *u, struct err *e)
{
	struct die root;

	if (u->state == READY)
		return u;
	if (u->state == FRESH) {
		u->state = BROKEN;
		u->abbrevs = dwarf_abbrevs_of(u, e);
		if (!u->abbrevs || die_at(u, u->first, &root, e))
			return NULL;
		root_read(u, &root);
		u->state = READY;
		return u;
	}
	err_at(e, EBADMSG, u->off, "a unit of debug information is damaged, or of an unknown version");
	return NULL;
}

const struct dwarf_unit *dwarf_unit_use(struct dwarf_unit *u, struct err *e)
{
	const struct dwarf_unit *ready = dwarf_unit_ready(u, e), *split = ready ? dwarf_split_unit(u) : NULL;

	return split ? split : ready;
}

const struct dwarf_unit *dwarf_unit_at(struct dwarf *d, size_t i, struct err *e)
{
	struct dwarf_file *f = d->file;

	if (i < f->n_info)
		return dwarf_unit_use(&f->units.v[i], e);
	if (i == f->n_info && f->broken.code && e)
		*e = f->broken;
	return NULL;
}

struct dwarf_unit *dwarf_unit_find(struct dwarf_file *f, enum dwarf_place p, uint64_t off)
{
	size_t first = p == DWARF_IN_INFO ? 0 : f->n_info, end = p == DWARF_IN_INFO ? f->n_info : f->units.n;
	size_t n = find_upto(f->units.v + first, end - first, off, off);

	return n && off < f->units.v[first + n - 1].end ? &f->units.v[first + n - 1] : NULL;
}

const struct dwarf_unit *dwarf_unit_holding(struct dwarf_file *f, enum dwarf_place p, uint64_t off)
{
	struct dwarf_unit *u = dwarf_unit_find(f, p, off);

	return u ? dwarf_unit_ready(u, NULL) : NULL;
}

const struct dwarf_unit *dwarf_type_unit(struct dwarf_file *f, uint64_t signature)
{
	const uint64_t *at = map_get(&f->signatures, signature);

	if (at && *at)
		return dwarf_unit_ready(&f->units.v[*at - 1], NULL);
	return f->package ? dwarf_package_type(f->package, signature) : NULL;
}
