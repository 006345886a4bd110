/*
 * span.c - finds the unit of an address: by .debug_aranges, and by the ranges of units that it omits.
 *
 * A set of .debug_aranges: u32 length, u16 2, offset of the unit in .debug_info, u8 size of addresses, u8 of segments;
 * padding to twice the size of an address; pairs of address and length, up to (0, 0).
 */
#include "base/find.h"
#include "obj/dwarf/parts.h"

struct spans {
	struct dwarf *d;
	struct dwarf_unit *u;
	uint8_t *seen;           /* for each unit: it has spans */
};

static int span_add(void *arg, const struct dwarf_range *r)
{
	struct spans *s = arg;
	struct dwarf_span *v = vec_add(&s->d->spans);

	if (!v)
		return -ENOMEM;
	*v = (struct dwarf_span){ r->start, r->end, s->u };
	s->seen[s->u - s->d->file->units.v] = 1;
	return 0;
}

static int set_read(struct spans *s, struct cursor *all)
{
	struct dwarf_unit shape = { .offset_size = 4 };
	struct cursor set = *all;
	uint64_t length = cur_u32(&set);
	unsigned segment;

	if (length == UINT32_MAX) {
		shape.offset_size = 8;
		length = cur_u64(&set);
	}
	if (set.bad) {
		all->pos = all->end;
		return 0;
	}
	set = cur_sub(all, cur_off(all), cur_off(&set) - cur_off(all) + MIN(length, cur_left(&set)));
	cur_skip(all, cur_left(&set));
	cur_skip(&set, shape.offset_size == 8 ? 12 : 4);
	cur_skip(&set, 2);
	s->u = dwarf_unit_find(s->d->file, DWARF_IN_INFO, dwarf_offset(&shape, &set));
	shape.addr_size = cur_u8(&set);
	segment = cur_u8(&set);
	if (set.bad || segment || (shape.addr_size != 4 && shape.addr_size != 8) || !s->u)
		return 0;
	cur_align(&set, 2 * shape.addr_size);
	for (;;) {
		struct dwarf_range r = { .start = dwarf_address(&shape, &set) };

		r.end = r.start + dwarf_address(&shape, &set);
		if (set.bad || (!r.start && !r.end))
			return 0;
		if (r.start < r.end && !dwarf_is_discarded(&shape, r.start) && span_add(s, &r))
			return -ENOMEM;
	}
}

static int unit_add(struct spans *s, struct dwarf_unit *u)
{
	struct die root;

	s->u = u;
	if (s->seen[u - s->d->file->units.v] || !dwarf_unit_is_known(u) || !dwarf_unit_ready(u, NULL) ||
	    die_at(u, u->first, &root, NULL))
		return 0;
	return dwarf_ranges_each(&root, span_add, s, NULL) == -ENOMEM ? -ENOMEM : 0;
}

static int by_start(const void *a, const void *b)
{
	const struct dwarf_span *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static int spans_make(struct dwarf *d)
{
	struct dwarf_file *f = d->file;
	struct cursor c = dwarf_section(d, DWARF_ARANGES);
	struct spans s = { .d = d, .seen = calloc(f->n_info + 1, 1) };
	int err = s.seen ? 0 : -ENOMEM;

	while (!err && cur_left(&c) && !c.bad && !mapped_stopped(f->elf->file))
		err = set_read(&s, &c);
	for (size_t i = 0; i < f->n_info && !err && !mapped_stopped(f->elf->file); i++)
		err = unit_add(&s, &f->units.v[i]);
	free(s.seen);
	if (d->spans.n)
		qsort(d->spans.v, d->spans.n, sizeof(*d->spans.v), by_start);
	return err;
}

/* Spans of damaged files overlap: also check so many before the last one that starts at or before pc. */
enum { LOOK_BACK = 16 };

const struct dwarf_unit *dwarf_unit_of(struct dwarf *d, uint64_t pc, struct err *e)
{
	size_t n;

	if (!d->has_spans && spans_make(d)) {
		err_nomem(e);
		return NULL;
	}
	d->has_spans = true;
	n = find_upto(d->spans.v, d->spans.n, start, pc);
	for (size_t i = n; i-- > 0 && n - i <= LOOK_BACK;) {
		if (pc < d->spans.v[i].end)
			return dwarf_unit_use(d->spans.v[i].u, e);
	}
	return NULL;
}
