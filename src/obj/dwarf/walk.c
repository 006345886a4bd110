/* walk.c - walks over entries: a tree in pre-order, in which a zero ends each list of children. */
#include "obj/dwarf/parts.h"

static int damaged(const struct dwarf_unit *u, uint64_t off, struct err *e)
{
	return err_at(e, EBADMSG, off, "debug information of %.100s is damaged", u->name);
}

/* A cursor at an offset in the unit's entries; bad when the offset is outside. */
static struct cursor entry_at(const struct dwarf_unit *u, uint64_t off)
{
	struct cursor c = u->bytes;

	cur_seek(&c, off);
	c.bad |= off < u->first;
	return c;
}

/* Read the next entry: 1; 0: the zero that ends a list; -errno. */
static int entry_read(const struct dwarf_unit *u, struct cursor *c, struct die *die,
		      const struct dwarf_abbrev **abbrev)
{
	uint64_t off = cur_off(c), code = cur_uleb(c);

	if (c->bad)
		return -EBADMSG;
	if (!code)
		return 0;

	const struct dwarf_abbrev *a = dwarf_abbrev_find(u->abbrevs, code);

	if (!a)
		return -EBADMSG;
	*die = (struct die){ .u = u, .off = off, .tag = a->tag, .has_children = a->has_children };
	*abbrev = a;
	return 1;
}

int die_at(const struct dwarf_unit *u, uint64_t off, struct die *die, struct err *e)
{
	struct cursor c = entry_at(u, off);
	const struct dwarf_abbrev *a;

	return entry_read(u, &c, die, &a) == 1 ? 0 : damaged(u, off, e);
}

void dwarf_walk_init(struct dwarf_walk *w, const struct dwarf_unit *u)
{
	w->c = entry_at(u, u->first);
	w->die = (struct die){ .u = u };
	w->end = w->sibling = 0;
	w->depth = 0;
}

int dwarf_walk_next(struct dwarf_walk *w, struct err *e)
{
	const struct dwarf_unit *u = w->die.u;
	const struct dwarf_abbrev *a;
	int got = 0;

	if (w->end && w->die.has_children) {
		if (w->depth == DWARF_DEPTH)
			return damaged(u, cur_off(&w->c), e);
		w->up[w->depth++] = w->die;
	}
	if (mapped_stopped(u->file->elf->file))
		return err_set(e, ECANCELED, "interrupted");
	while (!got) {
		/* A unit is a single tree; some producers omit the last zeros. */
		if ((w->end && !w->depth) || !cur_left(&w->c))
			return 0;
		got = entry_read(u, &w->c, &w->die, &a);
		if (got < 0)
			return damaged(u, cur_off(&w->c), e);
		if (got)
			break;
		if (!w->depth)
			return 0;
		w->depth--;
	}
	w->sibling = dwarf_abbrev_skip(u, a, &w->c);
	w->end = cur_off(&w->c);
	return w->c.bad ? damaged(u, w->die.off, e) : 1;
}

void dwarf_walk_jump(struct dwarf_walk *w)
{
	if (!w->die.has_children || w->sibling < w->end || w->sibling > w->die.u->end)
		return;
	cur_seek(&w->c, w->sibling);
	w->die.has_children = false;
}

int die_child(const struct die *die, struct die *child, struct err *e)
{
	struct cursor c = entry_at(die->u, die->off);
	const struct dwarf_abbrev *a;
	struct die self;

	if (!die->has_children)
		return 0;

	int got = entry_read(die->u, &c, &self, &a);

	if (got == 1) {
		dwarf_abbrev_skip(die->u, a, &c);
		got = cur_left(&c) ? entry_read(die->u, &c, child, &a) : 0;
	}
	return got < 0 ? damaged(die->u, die->off, e) : got;
}

int die_sibling(const struct die *die, struct die *next, struct err *e)
{
	const struct dwarf_unit *u = die->u;
	struct cursor c = entry_at(u, die->off);
	struct die at = *die;
	unsigned depth = 0;

	do {
		const struct dwarf_abbrev *a;
		int got = entry_read(u, &c, &at, &a);

		if (got < 0)
			return damaged(u, cur_off(&c), e);
		if (!got) {
			depth--;
			continue;
		}

		uint64_t sibling = dwarf_abbrev_skip(u, a, &c);

		if (sibling >= cur_off(&c) && sibling <= u->end)
			cur_seek(&c, sibling);
		else
			depth += at.has_children;
	} while (depth);
	if (!cur_left(&c))
		return 0;

	const struct dwarf_abbrev *a;
	int got = entry_read(u, &c, next, &a);

	return got < 0 ? damaged(u, cur_off(&c), e) : got;
}
