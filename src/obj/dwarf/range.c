/*
 * range.c - the code of an entry: low_pc and high_pc, or lists of ranges.
 *
 * Before DWARF 5 (.debug_ranges): pairs of addresses, relative to a base; (all ones, x) sets the base; (0, 0) ends.
 * DWARF 5 (.debug_rnglists): a byte DW_RLE_*, then its operands.
 */
#include "obj/dwarf/parts.h"

enum { RLE_END, RLE_BASE_ADDRESSX, RLE_STARTX_ENDX, RLE_STARTX_LENGTH, RLE_OFFSET_PAIR, RLE_BASE_ADDRESS, RLE_START_END,
	RLE_START_LENGTH };

static uint64_t all_ones(const struct dwarf_unit *u)
{
	return u->addr_size == 8 ? UINT64_MAX : UINT32_MAX;
}

bool dwarf_is_discarded(const struct dwarf_unit *u, uint64_t addr)
{
	return addr <= 1 || addr >= all_ones(u) - 1;
}

struct ranges {
	const struct dwarf_unit *u;
	struct cursor c;
	uint64_t base;
	bool is_gone;        /* the base is an address of discarded code */
};

static uint64_t indexed(const struct ranges *r, uint64_t index)
{
	uint64_t addr;

	return dwarf_addr_at(r->u, index, &addr) ? addr : 0;
}

static void base_set(struct ranges *r, uint64_t base)
{
	r->base = base;
	r->is_gone = base && dwarf_is_discarded(r->u, base);
}

/* Get the next range: 1, 0: the end, -EBADMSG. */
static int old_next(struct ranges *r, struct dwarf_range *v)
{
	for (;;) {
		uint64_t start = dwarf_address(r->u, &r->c), end = dwarf_address(r->u, &r->c);

		if (r->c.bad)
			return -EBADMSG;
		if (!start && !end)
			return 0;
		if (start == all_ones(r->u)) {
			base_set(r, end);
			continue;
		}
		*v = (struct dwarf_range){ r->base + start, r->base + end };
		return 1;
	}
}

static int new_next(struct ranges *r, struct dwarf_range *v)
{
	struct cursor *c = &r->c;

	for (;;) {
		uint64_t a = 0;

		switch (cur_u8(c)) {
		case RLE_END:
			return c->bad ? -EBADMSG : 0;
		case RLE_BASE_ADDRESSX:
			base_set(r, indexed(r, cur_uleb(c)));
			break;
		case RLE_BASE_ADDRESS:
			base_set(r, dwarf_address(r->u, c));
			break;
		case RLE_STARTX_ENDX:
			v->start = indexed(r, cur_uleb(c));
			v->end = indexed(r, cur_uleb(c));
			return c->bad ? -EBADMSG : 1;
		case RLE_STARTX_LENGTH:
			v->start = indexed(r, cur_uleb(c));
			v->end = v->start + cur_uleb(c);
			return c->bad ? -EBADMSG : 1;
		case RLE_OFFSET_PAIR:
			a = cur_uleb(c);
			v->start = r->base + a;
			v->end = r->base + cur_uleb(c);
			if (r->is_gone)
				v->end = v->start;
			return c->bad ? -EBADMSG : 1;
		case RLE_START_END:
			v->start = dwarf_address(r->u, c);
			v->end = dwarf_address(r->u, c);
			return c->bad ? -EBADMSG : 1;
		case RLE_START_LENGTH:
			v->start = dwarf_address(r->u, c);
			v->end = v->start + cur_uleb(c);
			return c->bad ? -EBADMSG : 1;
		default:
			return -EBADMSG;
		}
		if (c->bad)
			return -EBADMSG;
	}
}

/* Get an attribute that is an address; false: it is none, or missing. */
static bool pc_of(const struct die *die, unsigned at, uint64_t *pc)
{
	struct dwarf_value v;

	if (die_attr(die, at, &v, NULL) != 1 || dwarf_form_class(v.form) != DWARF_CLASS_ADDR)
		return false;
	*pc = v.u;
	return true;
}

static bool simple_range(const struct die *die, struct dwarf_range *r)
{
	struct dwarf_value v;

	if (!pc_of(die, DW_AT_low_pc, &r->start) || die_attr(die, DW_AT_high_pc, &v, NULL) != 1)
		return false;
	r->end = dwarf_form_class(v.form) == DWARF_CLASS_ADDR ? v.u : r->start + v.u;
	return true;
}

int dwarf_ranges_each(const struct die *die, int (*each)(void *arg, const struct dwarf_range *r), void *arg,
		      struct err *e)
{
	const struct dwarf_unit *u = die->u;
	struct dwarf_range one;
	struct dwarf_value v;
	int got;

	if (simple_range(die, &one))
		return one.start < one.end && !dwarf_is_discarded(u, one.start) ? each(arg, &one) : 0;
	got = die_attr(die, DW_AT_ranges, &v, e);
	if (got != 1)
		return got;

	struct ranges r = { .u = u, .base = u->low_pc };

	r.c = dwarf_unit_section(u, u->version >= 5 ? DWARF_RNGLISTS : DWARF_RANGES);
	cur_seek(&r.c, v.u + (u->version < 5 ? u->ranges_base : 0));
	while ((got = u->version >= 5 ? new_next(&r, &one) : old_next(&r, &one)) == 1) {
		if (one.start >= one.end || dwarf_is_discarded(u, one.start))
			continue;
		got = each(arg, &one);
		if (got)
			return got;
	}
	return got < 0 ? err_at(e, EBADMSG, v.u, "ranges of %.100s are damaged", u->name) : 0;
}

struct ranges_out {
	struct dwarf_range *v;
	size_t n, max;
	uint64_t pc;
};

static int range_store(void *arg, const struct dwarf_range *r)
{
	struct ranges_out *o = arg;

	if (o->n == o->max)
		return 1;
	o->v[o->n++] = *r;
	return 0;
}

int die_ranges(const struct die *die, struct dwarf_range *v, size_t n, struct err *e)
{
	struct ranges_out o = { .v = v, .max = n };
	int err = dwarf_ranges_each(die, range_store, &o, e);

	return err < 0 ? err : (int)MIN(o.n, (size_t)INT_MAX);
}

static int range_has(void *arg, const struct dwarf_range *r)
{
	const struct ranges_out *o = arg;

	return r->start <= o->pc && o->pc < r->end;
}

bool die_has_pc(const struct die *die, uint64_t pc)
{
	struct ranges_out o = { .pc = pc };

	return dwarf_ranges_each(die, range_has, &o, NULL) == 1;
}

int dwarf_entry_pc(const struct die *die, uint64_t *pc)
{
	struct dwarf_range first;
	struct dwarf_value v;
	bool low = pc_of(die, DW_AT_low_pc, pc);

	if (!low && die_ranges(die, &first, 1, NULL) == 1) {
		*pc = first.start;
		low = true;
	}
	if (die_attr(die, DW_AT_entry_pc, &v, NULL) == 1) {
		if (dwarf_form_class(v.form) == DWARF_CLASS_ADDR)
			*pc = v.u;
		else if (low)
			*pc += v.u;
		else
			return 0;
		low = true;
	}
	return low && !dwarf_is_discarded(die->u, *pc);
}
