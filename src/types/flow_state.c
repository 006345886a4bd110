/* flow_state.c - the values in registers and in the frame. */
#include "types/flow_parts.h"

static const struct value none = { .kind = VALUE_NONE };

static bool same(struct value a, struct value b)
{
	return a.kind == b.kind && (a.kind == VALUE_NONE || (a.off == b.off && a.type == b.type));
}

void state_begin(const struct flow *f, struct flow_state *s)
{
	*s = (struct flow_state){ 0 };
	if (f->w->is_whole && f->sp < FLOW_REGS)
		s->reg[f->sp] = (struct value){ .kind = VALUE_FRAME };
	for (size_t i = 0; i < f->w->n_places; i++)
		if (f->w->places[i].kind == PLACE_ENTRY)
			state_set(s, f->w->places[i].reg, value_of(f, f->w->places[i].type));
}

struct value state_reg(const struct flow_state *s, unsigned reg)
{
	return reg < FLOW_REGS ? s->reg[reg] : none;
}

void state_set(struct flow_state *s, unsigned reg, struct value v)
{
	if (reg < FLOW_REGS)
		s->reg[reg] = v;
}

struct value state_slot(const struct flow_state *s, int64_t off)
{
	for (unsigned i = 0; i < FLOW_SLOTS; i++)
		if (s->slot[i].value.kind && s->slot[i].off == off)
			return s->slot[i].value;
	return none;
}

/* Slots hold pointers only. A store of unknown size is taken as one of UNKNOWN_SIZE bytes. */
enum { SLOT_SIZE = 8, UNKNOWN_SIZE = 64 };

void state_store(struct flow_state *s, int64_t off, unsigned size, struct value v)
{
	uint64_t bytes = size ? size : UNKNOWN_SIZE;
	struct flow_slot *free_slot = NULL;

	for (unsigned i = 0; i < FLOW_SLOTS; i++) {
		struct flow_slot *at = &s->slot[i];

		if (at->value.kind && (uint64_t)at->off - (uint64_t)off + SLOT_SIZE - 1 < bytes + SLOT_SIZE - 1)
			at->value = none;
		if (!at->value.kind)
			free_slot = at;
	}
	if (v.kind && size == SLOT_SIZE && free_slot)
		*free_slot = (struct flow_slot){ off, v };
}

/* Convert the address of a variable to a pointer to its type, VALUE_ELEMENT. */
static struct value as_pointer(const struct flow *f, struct value v)
{
	uint64_t start, size;
	uint32_t type;

	if (v.kind != VALUE_ADDRESS || !f->w->variable)
		return v;
	type = f->w->variable(f->w->arg, (uint64_t)v.off, &start);
	size = type ? types_at(f->w->types, type)->info.size : 0;
	if (!size)
		return none;
	v = (struct value){ .kind = VALUE_ELEMENT, .type = type, .off = (int64_t)(((uint64_t)v.off - start) % size) };
	return v;
}

/* Merge two different values: a pointer through a static array has another address in each iteration. */
static struct value meet(const struct flow *f, struct value a, struct value b)
{
	if (a.kind != VALUE_ADDRESS && b.kind != VALUE_ADDRESS)
		return none;
	a = as_pointer(f, a);
	b = as_pointer(f, b);
	return same(a, b) ? a : none;
}

bool state_merge(const struct flow *f, struct flow_state *to, const struct flow_state *from)
{
	bool less = false;

	for (unsigned i = 0; i < FLOW_REGS; i++) {
		struct value before = to->reg[i];

		if (same(before, from->reg[i]))
			continue;
		to->reg[i] = meet(f, before, from->reg[i]);
		less |= !same(before, to->reg[i]);
	}
	for (unsigned i = 0; i < FLOW_SLOTS; i++) {
		struct flow_slot *at = &to->slot[i];

		if (!at->value.kind || same(at->value, state_slot(from, at->off)))
			continue;
		at->value = none;
		less = true;
	}
	return less;
}

struct value value_of(const struct flow *f, uint32_t type)
{
	uint32_t target = type ? types_target(f->w->types, type) : TYPES_NONE;

	return target ? (struct value){ .kind = VALUE_POINTS, .type = target } : none;
}

int64_t value_wrapped(int64_t off, uint64_t size)
{
	int64_t by = (int64_t)MIN(size, (uint64_t)INT64_MAX);

	off %= by ? by : 1;
	return off < 0 ? off + by : off;
}

struct value value_add(const struct flow *f, struct value v, int64_t n, enum value_moves how)
{
	if (v.kind == VALUE_POINTS && how == VALUE_ONWARD && n > 0) {
		uint64_t size = types_at(f->w->types, v.type)->info.size;

		/* A step by whole elements: still a pointer to an element. */
		if (size && (uint64_t)n % size == 0)
			return v;
	}
	v.off = (int64_t)((uint64_t)v.off + (uint64_t)n);
	if (v.kind == VALUE_ELEMENT)
		v.off = value_wrapped(v.off, types_at(f->w->types, v.type)->info.size);
	return v.kind ? v : none;
}
