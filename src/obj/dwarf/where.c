/* where.c - ranges of location lists, without their expressions (see dwarf_loc.c). DWARF 5, 7.7.3. */
#include "obj/dwarf/where.h"

#include "obj/dwarf/parts.h"

/* More than any variable has; each lookup of a location walks over all previous entries. */
enum { ENTRIES_MAX = 1 << 10 };

enum lle {
	LLE_END, LLE_BASE_ADDRESSX, LLE_STARTX_ENDX, LLE_STARTX_LENGTH, LLE_OFFSET_PAIR, LLE_DEFAULT, LLE_BASE_ADDRESS,
	LLE_START_END, LLE_START_LENGTH, LLE_VIEWS,
};

struct list {
	const struct dwarf_unit *u;
	struct cursor c;
	uint64_t base;
	bool is_old;                 /* GNU's format before DWARF 5: some lengths have a fixed size */
};

static uint64_t indexed(struct list *l)
{
	uint64_t addr = 0;

	if (!dwarf_addr_at(l->u, cur_uleb(&l->c), &addr))
		l->c.bad = true;
	return addr;
}

static uint64_t length(struct list *l)
{
	return l->is_old ? cur_u32(&l->c) : cur_uleb(&l->c);
}

static void skip_expression(struct list *l)
{
	cur_skip(&l->c, l->is_old ? cur_u16(&l->c) : cur_uleb(&l->c));
}

/* 1: a range, 0: another entry, -1: the end. */
static int next_pair(struct list *l, struct dwarf_range *r)
{
	uint64_t ones = l->u->addr_size == 8 ? UINT64_MAX : UINT32_MAX;
	uint64_t start = dwarf_address(l->u, &l->c), end = dwarf_address(l->u, &l->c);

	if (l->c.bad || (!start && !end))
		return -1;
	if (start == ones) {
		l->base = end;
		return 0;
	}
	cur_skip(&l->c, cur_u16(&l->c));
	*r = (struct dwarf_range){ l->base + start, l->base + end };
	return 1;
}

static void read_range(struct list *l, unsigned kind, struct dwarf_range *r)
{
	bool by_index = kind == LLE_STARTX_ENDX || kind == LLE_STARTX_LENGTH;

	if (kind == LLE_OFFSET_PAIR) {
		r->start = l->base + cur_uleb(&l->c);
		r->end = l->base + cur_uleb(&l->c);
		return;
	}
	r->start = by_index ? indexed(l) : dwarf_address(l->u, &l->c);
	if (kind == LLE_STARTX_ENDX)
		r->end = indexed(l);
	else if (kind == LLE_STARTX_LENGTH)
		r->end = r->start + length(l);
	else
		r->end = kind == LLE_START_END ? dwarf_address(l->u, &l->c) : r->start + cur_uleb(&l->c);
}

static int next_entry(struct list *l, struct dwarf_range *r)
{
	unsigned kind = cur_u8(&l->c);

	switch (l->c.bad ? LLE_END : kind) {
	case LLE_BASE_ADDRESSX:
		l->base = indexed(l);
		return 0;
	case LLE_BASE_ADDRESS:
		l->base = dwarf_address(l->u, &l->c);
		return 0;
	case LLE_VIEWS:
		cur_uleb(&l->c);
		cur_uleb(&l->c);
		return 0;
	case LLE_DEFAULT:
		skip_expression(l);
		return 0;
	case LLE_STARTX_ENDX: case LLE_STARTX_LENGTH: case LLE_OFFSET_PAIR: case LLE_START_END: case LLE_START_LENGTH:
		read_range(l, kind, r);
		skip_expression(l);
		return 1;
	default:
		return -1;
	}
}

enum dwarf_where dwarf_each_stretch(const struct dwarf_var *v, int (*each)(void *arg, const struct dwarf_range *r),
				    void *arg)
{
	const struct dwarf_unit *u = v->die.u;
	struct list l = { .u = u, .base = u->low_pc, .is_old = u->version < 5 };
	bool pairs = u->version < 5 && !u->is_split;
	struct dwarf_range r = { 0 };
	struct dwarf_value where;
	int got = 0;

	if (die_attr(&v->die, DW_AT_location, &where, NULL) != 1)
		return DWARF_NOWHERE;
	if (!dwarf_is_list(u, &where))
		return DWARF_EVERYWHERE;
	l.c = dwarf_unit_section(u, u->version >= 5 ? DWARF_LOCLISTS : DWARF_LOC);
	cur_seek(&l.c, where.u);
	for (unsigned i = 0; i < ENTRIES_MAX && got >= 0; i++) {
		got = pairs ? next_pair(&l, &r) : next_entry(&l, &r);
		if (got == 1 && !l.c.bad && r.start < r.end && each(arg, &r))
			break;
	}
	return DWARF_IN_STRETCHES;
}
