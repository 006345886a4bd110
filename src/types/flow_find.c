/* flow_find.c - the type that an instruction accesses: by locations of variables first, then by data flow. */
#include "types/flow_parts.h"

#include "types/shape.h"

static bool is_aggregate(const struct type_entry *e)
{
	return e->info.kind == CTYPE_STRUCT || e->info.kind == CTYPE_UNION;
}

/*
 * Is the offset within the type? For scalars and pointers *off becomes the offset within one element, because a pointer
 * to one may point into an array. An offset outside of a struct belongs to another struct around it.
 */
static enum type_found fit(const struct flow *f, uint32_t type, int64_t *off)
{
	const struct type_entry *e = types_at(f->w->types, type);

	if (!e->info.size)
		return TYPE_NO_SIZE;
	if (is_aggregate(e))
		return *off >= 0 && ((uint64_t)*off < e->info.size || e->is_open) ? TYPE_FOUND : TYPE_OUTSIDE;
	*off = value_wrapped(*off, e->info.size);
	return TYPE_FOUND;
}

/* Take type and offset as the result; false: they do not fit, t->found says why. */
static bool take(const struct flow *f, struct type_touch *t, uint32_t type, int64_t off)
{
	enum type_found how = fit(f, type, &off);

	if (how != TYPE_FOUND) {
		t->found = (uint8_t)how;
		return false;
	}
	t->found = TYPE_FOUND;
	t->type = type;
	t->off = (uint64_t)off;
	return true;
}

bool flow_frame_at(const struct flow_state *s, const struct arch_touch *t, int64_t *off)
{
	struct value v = state_reg(s, t->base);

	*off = (int64_t)((uint64_t)v.off + (uint64_t)t->off);
	return v.kind == VALUE_FRAME;
}

/* The same for a variable; in an array, the offset within an element. */
static bool take_in(const struct flow *f, struct type_touch *t, const struct type_place *p, uint64_t off)
{
	uint64_t each = types_at(f->w->types, p->type)->info.size;

	return take(f, t, p->type, (int64_t)(each ? off % each : off));
}

/* By a variable in memory that contains the address. */
static bool find_in_memory(const struct flow *f, const struct flow_state *s, const struct arch_touch *m,
			   struct type_touch *t)
{
	int64_t at;
	bool in_frame = flow_frame_at(s, m, &at);

	for (size_t i = f->n_live; i--; ) {
		uint32_t place = f->live[i];
		const struct type_place *p = &f->w->places[place];
		uint64_t off;

		if (p->kind < PLACE_MEM)
			continue;
		if (p->kind == PLACE_MEM && p->reg == m->base)
			off = (uint64_t)m->off - (uint64_t)p->off;
		else if (in_frame && f->has_frame_off[place])
			off = (uint64_t)at - (uint64_t)f->frame_off[place];
		else
			continue;
		if (off < p->size && take_in(f, t, p, off))
			return true;
	}
	return false;
}

/* By a variable in the base register that is a pointer. */
static bool find_by_register(const struct flow *f, unsigned base, int64_t off, struct type_touch *t)
{
	for (size_t i = f->n_live; i--; ) {
		const struct type_place *p = &f->w->places[f->live[i]];
		struct value v;

		if (p->kind != PLACE_REG || p->reg != base)
			continue;
		v = value_of(f, p->type);
		if (v.kind && take(f, t, v.type, (int64_t)((uint64_t)off - (uint64_t)p->off)))
			return true;
	}
	return false;
}

static bool find_by_address(const struct flow *f, uint64_t addr, struct type_touch *t)
{
	const struct flow_want *w = f->w;
	uint64_t start = addr, each, off;
	uint32_t type;

	if (w->is_canary && w->is_canary(w->arg, addr)) {
		t->found = TYPE_CANARY;
		return true;
	}
	type = w->variable ? w->variable(w->arg, addr, &start) : TYPES_NONE;
	if (!type)
		return false;
	each = types_at(w->types, type)->info.size;
	off = addr - start;
	return take(f, t, type, (int64_t)(each ? off % each : off));
}

static bool find_by_value(const struct flow *f, const struct flow_state *s, unsigned base, int64_t off,
			  struct type_touch *t)
{
	struct value v = state_reg(s, base);
	int64_t at = (int64_t)((uint64_t)v.off + (uint64_t)off);

	if (v.kind == VALUE_ELEMENT)
		at = value_wrapped(at, types_at(f->w->types, v.type)->info.size);
	if ((v.kind == VALUE_POINTS || v.kind == VALUE_ELEMENT) && take(f, t, v.type, at)) {
		t->is_followed = true;
		return true;
	}
	return v.kind == VALUE_ADDRESS && find_by_address(f, (uint64_t)at, t);
}

static bool find(const struct flow *f, const struct flow_state *s, const struct arch_touch *m, struct type_touch *t)
{
	if (m->of_thread && m->off == 0x28) {
		t->found = TYPE_CANARY;
		return true;
	}
	if (m->base == ARCH_NO_REG)
		return m->address && find_by_address(f, m->address, t);
	if (find_in_memory(f, s, m, t) || find_by_register(f, m->base, m->off, t) ||
	    find_by_value(f, s, m->base, m->off, t))
		return true;
	/* Of base and unscaled index, either may be the pointer. */
	if (m->index != ARCH_NO_REG && !m->scale &&
	    (find_by_register(f, m->index, m->off, t) || find_by_value(f, s, m->index, m->off, t)))
		return true;
	/* The displacement may be the address of an array, and the base register the index. */
	return (m->off > FLOW_OFFSET_MAX || m->off < -FLOW_OFFSET_MAX) && find_by_address(f, (uint64_t)m->off, t);
}

void flow_find(const struct flow *f, const struct flow_state *s, const struct flow_insn *i, struct type_touch *t)
{
	const struct arch_touch *m = &i->touch;
	int64_t at;

	*t = (struct type_touch){ .addr = i->addr, .len = m->len, .size = m->size, .access = m->access };
	t->found = i->is_known ? TYPE_NO_ACCESS : TYPE_NO_CODE;
	if (!i->is_known || !m->access)
		return;
	t->found = TYPE_NO_VARIABLE;
	if (m->access & ARCH_PUSHES)
		t->found = TYPE_STACK;
	else if (!find(f, s, m, t) && (flow_frame_at(s, m, &at) || m->base == f->sp))
		t->found = TYPE_STACK;
}

/* --- loaded values --- */

enum { POINTER = 8 };

static struct value member_value(const struct flow *f, const struct type_touch *t, unsigned off)
{
	const struct type_entry *e = types_at(f->w->types, t->type);
	struct shape s;

	if (f->is_over)
		return (struct value){ 0 };
	if (!shape_find(e->type, t->off + off, POINTER, SHAPE_POINTER, &s))
		return (struct value){ 0 };
	*f->looks += s.looks / 8;
	if (s.off)
		return (struct value){ 0 };
	return value_of(f, types_add(f->w->types, f->w->scope, s.type));
}

/* The load may be of a variable's address from the GOT. */
static struct value linked_value(const struct flow *f, const struct flow_state *s, const struct arch_touch *m,
				 unsigned off)
{
	struct value v = { .kind = VALUE_ADDRESS, .off = (int64_t)m->address };

	if (!f->w->linked || m->index != ARCH_NO_REG)
		return (struct value){ 0 };
	if (m->base != ARCH_NO_REG)
		v = state_reg(s, m->base);
	if (v.kind != VALUE_ADDRESS)
		return (struct value){ 0 };
	v.off = (int64_t)f->w->linked(f->w->arg, (uint64_t)v.off + (uint64_t)m->off + off);
	return v.off ? v : (struct value){ 0 };
}

struct value flow_loaded(const struct flow *f, const struct flow_state *s, const struct flow_insn *i,
			 const struct type_touch *t, unsigned off)
{
	struct value v = { 0 };
	int64_t at;

	if (i->touch.size != POINTER)
		return v;
	if (t->found == TYPE_FOUND)
		v = member_value(f, t, off);
	if (!v.kind && flow_frame_at(s, &i->touch, &at) && i->touch.index == ARCH_NO_REG)
		v = state_slot(s, (int64_t)((uint64_t)at + off));
	return v.kind ? v : linked_value(f, s, &i->touch, off);
}
