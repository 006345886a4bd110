/* form.c - values of attributes: sizes of forms, and resolving their references. */
#include "obj/dwarf/parts.h"

/* Size codes: up to 16 a number of bytes, else one of these. */
enum { L_ADDR = 20, L_OFFSET, L_REF_ADDR, L_LEB, L_SLEB, L_TEXT, L_BLOCK1, L_BLOCK2, L_BLOCK4, L_BLOCK,
	L_INDIRECT, L_NONE };

#define F(class, length) ((uint8_t)(DWARF_CLASS_##class << 5 | (length)))

/* GNU's forms are mapped behind the last one of DWARF 5. */
enum { F_ADDR_INDEX = DW_FORM_addrx4 + 1, F_STR_INDEX, F_REF_ALT, F_STRP_ALT, F_COUNT };

static const uint8_t forms[F_COUNT] = {
	[0] = F(NONE, L_NONE), [2] = F(NONE, L_NONE),
	[DW_FORM_addr] = F(ADDR, L_ADDR), [DW_FORM_addrx] = F(ADDR, L_LEB), [DW_FORM_addrx1] = F(ADDR, 1),
	[DW_FORM_addrx2] = F(ADDR, 2), [DW_FORM_addrx3] = F(ADDR, 3), [DW_FORM_addrx4] = F(ADDR, 4),
	[F_ADDR_INDEX] = F(ADDR, L_LEB),
	[DW_FORM_block1] = F(BLOCK, L_BLOCK1), [DW_FORM_block2] = F(BLOCK, L_BLOCK2),
	[DW_FORM_block4] = F(BLOCK, L_BLOCK4), [DW_FORM_block] = F(BLOCK, L_BLOCK),
	[DW_FORM_exprloc] = F(BLOCK, L_BLOCK),
	[DW_FORM_data1] = F(CONST, 1), [DW_FORM_data2] = F(CONST, 2), [DW_FORM_data4] = F(CONST, 4),
	[DW_FORM_data8] = F(CONST, 8), [DW_FORM_data16] = F(CONST, 16), [DW_FORM_sdata] = F(CONST, L_SLEB),
	[DW_FORM_udata] = F(CONST, L_LEB), [DW_FORM_implicit_const] = F(CONST, 0),
	[DW_FORM_string] = F(STRING, L_TEXT), [DW_FORM_strp] = F(STRING, L_OFFSET),
	[DW_FORM_line_strp] = F(STRING, L_OFFSET), [DW_FORM_strp_sup] = F(STRING, L_OFFSET),
	[DW_FORM_strx] = F(STRING, L_LEB), [DW_FORM_strx1] = F(STRING, 1), [DW_FORM_strx2] = F(STRING, 2),
	[DW_FORM_strx3] = F(STRING, 3), [DW_FORM_strx4] = F(STRING, 4), [F_STR_INDEX] = F(STRING, L_LEB),
	[F_STRP_ALT] = F(STRING, L_OFFSET),
	[DW_FORM_flag] = F(FLAG, 1), [DW_FORM_flag_present] = F(FLAG, 0),
	[DW_FORM_ref_addr] = F(REF, L_REF_ADDR), [DW_FORM_ref1] = F(REF, 1), [DW_FORM_ref2] = F(REF, 2),
	[DW_FORM_ref4] = F(REF, 4), [DW_FORM_ref8] = F(REF, 8), [DW_FORM_ref_udata] = F(REF, L_LEB),
	[DW_FORM_ref_sup4] = F(REF, 4), [DW_FORM_ref_sup8] = F(REF, 8), [DW_FORM_ref_sig8] = F(REF, 8),
	[F_REF_ALT] = F(REF, L_OFFSET),
	[DW_FORM_sec_offset] = F(LIST, L_OFFSET), [DW_FORM_loclistx] = F(LIST, L_LEB),
	[DW_FORM_rnglistx] = F(LIST, L_LEB),
	[DW_FORM_indirect] = F(NONE, L_INDIRECT),
};

static unsigned form_at(unsigned form)
{
	switch (form) {
	case DW_FORM_GNU_addr_index:
		return F_ADDR_INDEX;
	case DW_FORM_GNU_str_index:
		return F_STR_INDEX;
	case DW_FORM_GNU_ref_alt:
		return F_REF_ALT;
	case DW_FORM_GNU_strp_alt:
		return F_STRP_ALT;
	default:
		return form <= DW_FORM_addrx4 ? form : 0;
	}
}

enum dwarf_class dwarf_form_class(unsigned form)
{
	return forms[form_at(form)] >> 5;
}

int dwarf_form_size(const struct dwarf_unit *u, unsigned form)
{
	unsigned n = forms[form_at(form)] & 31;

	if (n == L_REF_ADDR)
		n = u->version == 2 ? L_ADDR : L_OFFSET;
	return n <= 16 ? (int)n : n == L_ADDR ? u->addr_size : n == L_OFFSET ? u->offset_size : -1;
}

uint64_t dwarf_offset(const struct dwarf_unit *u, struct cursor *c)
{
	return u->offset_size == 8 ? cur_u64(c) : cur_u32(c);
}

static uint64_t cur_number(struct cursor *c, unsigned n)
{
	uint64_t v = 0;
	const uint8_t *p;

	switch (n) {
	case 1:
		return cur_u8(c);
	case 2:
		return cur_u16(c);
	case 4:
		return cur_u32(c);
	case 8:
		return cur_u64(c);
	case 3:
		p = cur_bytes(c, 3);
		for (unsigned i = 0; p && i < 3; i++)
			v |= (uint64_t)p[i] << 8 * (c->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) ? 2 - i : i);
		return v;
	default:
		c->bad = true;
		return 0;
	}
}

uint64_t dwarf_address(const struct dwarf_unit *u, struct cursor *c)
{
	return cur_number(c, u->addr_size);
}

static struct sv take(struct cursor *c, uint64_t n)
{
	const uint8_t *p = n <= cur_left(c) ? cur_bytes(c, (size_t)n) : NULL;

	c->bad |= !p;
	return (struct sv){ (const char *)p, p ? (size_t)n : 0 };
}

static struct sv text_of(struct cursor *c)
{
	return sv_from(cur_str(c));
}

/* Read the number or bytes without resolving references. */
static void raw_read(const struct dwarf_unit *u, unsigned kind, struct cursor *c, struct dwarf_value *v)
{
	switch (kind & 31) {
	case 0:
		break;
	case 16:
		v->block = take(c, 16);
		break;
	case L_ADDR:
		v->u = dwarf_address(u, c);
		break;
	case L_OFFSET:
		v->u = dwarf_offset(u, c);
		break;
	case L_REF_ADDR:
		v->u = u->version == 2 ? dwarf_address(u, c) : dwarf_offset(u, c);
		break;
	case L_LEB:
		v->u = cur_uleb(c);
		break;
	case L_SLEB:
		v->u = (uint64_t)cur_sleb(c);
		break;
	case L_TEXT:
		v->block = text_of(c);
		break;
	case L_BLOCK1:
		v->block = take(c, cur_u8(c));
		break;
	case L_BLOCK2:
		v->block = take(c, cur_u16(c));
		break;
	case L_BLOCK4:
		v->block = take(c, cur_u32(c));
		break;
	case L_BLOCK:
		v->block = take(c, cur_uleb(c));
		break;
	default:
		v->u = cur_number(c, kind & 31);
	}
}

int dwarf_form_skip(const struct dwarf_unit *u, unsigned form, struct cursor *c)
{
	unsigned n = forms[form_at(form)] & 31;
	struct dwarf_value v;

	if (n == L_INDIRECT) {
		form = (unsigned)cur_uleb(c);
		n = forms[form_at(form)] & 31;
	}
	if (n >= L_INDIRECT)
		return -EBADMSG;
	if (n == L_TEXT)
		cur_str(c);
	else
		raw_read(u, n, c, &v);
	return c->bad ? -EBADMSG : 0;
}

/* Cursor at a table's slot: base + index * size of a section. */
static struct cursor slot_at(struct cursor s, uint64_t base, uint64_t index, unsigned size)
{
	uint64_t off;

	if (__builtin_mul_overflow(index, size, &off) || __builtin_add_overflow(off, base, &off))
		off = UINT64_MAX;
	cur_seek(&s, off);
	return s;
}

bool dwarf_addr_at(const struct dwarf_unit *u, uint64_t index, uint64_t *addr)
{
	struct cursor c = slot_at(dwarf_unit_section(u, DWARF_ADDR), u->addr_base, index, u->addr_size);

	*addr = dwarf_address(u, &c);
	return !c.bad;
}

static struct sv text_at(struct cursor s, uint64_t off)
{
	cur_seek(&s, off);
	return text_of(&s);
}

static struct sv text_find(const struct dwarf_unit *u, unsigned form, uint64_t v)
{
	struct cursor c;

	switch (form) {
	case DW_FORM_strp:
		return text_at(dwarf_unit_section(u, DWARF_STR), v);
	case DW_FORM_line_strp:
		return text_at(dwarf_unit_section(u, DWARF_LINE_STR), v);
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		return u->d->alt ? text_at(dwarf_file_section(u->d->alt, DWARF_STR), v) : sv_from("");
	default:
		c = slot_at(dwarf_unit_section(u, DWARF_STR_OFFSETS), u->str_offsets_base, v, u->offset_size);
		v = dwarf_offset(u, &c);
		return c.bad ? sv_from("") : text_at(dwarf_unit_section(u, DWARF_STR), v);
	}
}

/* Entry `index` of the offset table at base, converted to an offset in the section. */
static uint64_t list_at(const struct dwarf_unit *u, enum dwarf_section s, uint64_t base, uint64_t index)
{
	struct cursor c = slot_at(dwarf_unit_section(u, s), base, index, u->offset_size);
	uint64_t off = dwarf_offset(u, &c);

	return c.bad ? UINT64_MAX : base + off;
}

static void refer(const struct dwarf_unit *u, struct dwarf_value *v)
{
	switch (v->form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		v->u += u->off;
		break;
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
	case DW_FORM_GNU_addr_index:
		if (!dwarf_addr_at(u, v->u, &v->u))
			v->u = 0;
		break;
	case DW_FORM_loclistx:
		v->u = list_at(u, DWARF_LOCLISTS, u->loclists_base, v->u);
		break;
	case DW_FORM_rnglistx:
		v->u = list_at(u, DWARF_RNGLISTS, u->rnglists_base, v->u);
		break;
	default:
		break;
	}
}

int dwarf_form_read(const struct dwarf_unit *u, unsigned form, int64_t implicit, struct cursor *c,
		    struct dwarf_value *v)
{
	if (form == DW_FORM_indirect)
		form = (unsigned)cur_uleb(c);

	unsigned kind = forms[form_at(form)];

	*v = (struct dwarf_value){ .form = (uint16_t)form };
	if ((kind & 31) >= L_INDIRECT)
		return -EBADMSG;
	if (!(kind & 31))
		v->u = form == DW_FORM_implicit_const ? (uint64_t)implicit : 1;
	raw_read(u, kind, c, v);
	if (c->bad)
		return -EBADMSG;
	if (kind >> 5 == DWARF_CLASS_STRING && form != DW_FORM_string)
		v->block = text_find(u, form, v->u);
	else
		refer(u, v);
	return 0;
}

bool dwarf_is_list(const struct dwarf_unit *u, const struct dwarf_value *v)
{
	return dwarf_form_class(v->form) == DWARF_CLASS_LIST ||
	       (u->version < 4 && (v->form == DW_FORM_data4 || v->form == DW_FORM_data8));
}
