/*
 * abbrev.c - tables of abbreviations, each with a small program that skips an entry's values, since almost all
 * entries are skipped.
 *
 *   0         end
 *   1..0x7f   that many bytes
 *   O_FORM    a value of a form, which follows in two bytes, low one first
 *   O_LEB     one LEB128
 *   O_SIBLING4, O_SIBLING_LEB    DW_AT_sibling of ref4, of ref_udata
 */
#include "obj/dwarf/parts.h"

enum { O_FORM = 0x80, O_LEB, O_SIBLING4, O_SIBLING_LEB, O_MOST = 0x7f };

/* Limit for the values of one entry: real ones have a few dozen. */
enum { SPECS_MAX = 4096 };

static int op_add(struct dwarf_abbrevs *t, unsigned op)
{
	uint8_t *p = vec_add(&t->ops);

	if (!p)
		return -ENOMEM;
	*p = (uint8_t)op;
	return 0;
}

static int fixed_add(struct dwarf_abbrevs *t, unsigned *fixed)
{
	int err = 0;

	for (; *fixed && !err; *fixed -= MIN(*fixed, O_MOST))
		err = op_add(t, MIN(*fixed, O_MOST));
	return err;
}

/* `fixed` accumulates bytes that are skipped at once. */
static int spec_add(struct dwarf_abbrevs *t, const struct dwarf_unit *u, unsigned at, unsigned form, unsigned *fixed)
{
	bool sibling4 = at == DW_AT_sibling && form == DW_FORM_ref4;
	int size = sibling4 ? -1 : dwarf_form_size(u, form);

	if (size >= 0) {
		*fixed += (unsigned)size;
		return 0;
	}

	int err = fixed_add(t, fixed);

	if (err)
		return err;
	if (sibling4)
		return op_add(t, O_SIBLING4);
	if (form == DW_FORM_ref_udata && at == DW_AT_sibling)
		return op_add(t, O_SIBLING_LEB);
	if (form == DW_FORM_udata || form == DW_FORM_sdata || form == DW_FORM_ref_udata)
		return op_add(t, O_LEB);
	err = op_add(t, O_FORM);
	err = err ? err : op_add(t, form & 0xff);
	return err ? err : op_add(t, form >> 8 & 0xff);
}

static int specs_read(struct dwarf_abbrevs *t, const struct dwarf_unit *u, struct cursor *c)
{
	unsigned fixed = 0;

	for (unsigned i = 0; i < SPECS_MAX; i++) {
		uint64_t at = cur_uleb(c), form = cur_uleb(c);

		if (form == DW_FORM_implicit_const)
			cur_sleb(c);
		if (c->bad || at > UINT16_MAX || form > UINT16_MAX)
			return -EBADMSG;
		if (!at && !form) {
			int err = fixed_add(t, &fixed);

			return err ? err : op_add(t, 0);
		}

		int err = spec_add(t, u, (unsigned)at, (unsigned)form, &fixed);

		if (err)
			return err;
	}
	return -EBADMSG;
}

static int by_code(const void *a, const void *b)
{
	const struct dwarf_abbrev *x = a, *y = b;

	return x->code < y->code ? -1 : x->code > y->code;
}

static int table_read(struct dwarf_abbrevs *t, const struct dwarf_unit *u)
{
	struct cursor c = t->bytes;
	bool sorted = true;

	for (;;) {
		uint64_t code = cur_uleb(&c);

		if (c.bad || code > UINT32_MAX)
			return -EBADMSG;
		if (!code)
			break;

		struct dwarf_abbrev *a = vec_add(&t->list);

		if (!a)
			return -ENOMEM;
		a->code = (uint32_t)code;
		a->tag = (uint16_t)cur_uleb(&c);
		a->has_children = cur_u8(&c);
		a->specs = (uint32_t)cur_off(&c);
		a->ops = (uint32_t)t->ops.n;
		sorted = sorted && (t->list.n < 2 || a[-1].code < a->code);

		int err = specs_read(t, u, &c);

		if (err)
			return err;
	}
	if (!sorted)
		qsort(t->list.v, t->list.n, sizeof(*t->list.v), by_code);
	return 0;
}

void dwarf_abbrevs_free(struct dwarf_abbrevs *t)
{
	if (!t)
		return;
	vec_free(&t->list);
	vec_free(&t->ops);
	free(t);
}

static struct dwarf_abbrevs *table_new(const struct dwarf_unit *u, struct err *e)
{
	struct cursor s = dwarf_unit_section(u, DWARF_ABBREV);
	struct dwarf_abbrevs *t = calloc(1, sizeof(*t));

	if (!t) {
		err_nomem(e);
		return NULL;
	}
	cur_seek(&s, u->abbrev_off);
	t->bytes = cur_sub(&s, cur_off(&s), MIN(cur_left(&s), UINT32_MAX));

	int err = table_read(t, u);

	if (!err)
		return t;
	dwarf_abbrevs_free(t);
	if (err == -ENOMEM)
		err_nomem(e);
	else
		err_at(e, EBADMSG, u->abbrev_off, "abbreviations of debug information are damaged");
	return NULL;
}

const struct dwarf_abbrevs *dwarf_abbrevs_of(const struct dwarf_unit *u, struct err *e)
{
	struct dwarf_file *f = u->file;
	/* The key has all sizes on which the programs depend. */
	uint64_t key = u->abbrev_off << 10 | (u->version == 2) << 8 | u->addr_size << 4 | u->offset_size;
	uint64_t *at = map_add(&f->tables, key, NULL);

	if (!at) {
		err_nomem(e);
		return NULL;
	}
	if (*at)
		return f->abbrevs.v[*at - 1];

	struct dwarf_abbrevs *t = table_new(u, e), **slot = t ? vec_add(&f->abbrevs) : NULL;

	if (!slot) {
		dwarf_abbrevs_free(t);
		return NULL;
	}
	*slot = t;
	*at = f->abbrevs.n;
	return t;
}

const struct dwarf_abbrev *dwarf_abbrev_find(const struct dwarf_abbrevs *t, uint64_t code)
{
	size_t lo = 0, hi = t->list.n;

	/* Codes are nearly always consecutive from 1. */
	if (code - 1 < hi && t->list.v[code - 1].code == code)
		return &t->list.v[code - 1];
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->list.v[mid].code < code)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < t->list.n && t->list.v[lo].code == code ? &t->list.v[lo] : NULL;
}

uint64_t dwarf_abbrev_skip(const struct dwarf_unit *u, const struct dwarf_abbrev *a, struct cursor *c)
{
	uint64_t sibling = 0;

	for (const uint8_t *op = &u->abbrevs->ops.v[a->ops]; *op; op++) {
		if (*op <= O_MOST) {
			cur_skip(c, *op);
		} else if (*op == O_LEB) {
			cur_uleb(c);
		} else if (*op == O_SIBLING4) {
			sibling = u->off + cur_u32(c);
		} else if (*op == O_SIBLING_LEB) {
			sibling = u->off + cur_uleb(c);
		} else {
			c->bad |= dwarf_form_skip(u, op[1] | (unsigned)op[2] << 8, c) < 0;
			op += 2;
		}
	}
	return sibling;
}
