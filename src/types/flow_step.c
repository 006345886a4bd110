/* flow_step.c - how an instruction changes the known values. */
#include "types/flow_parts.h"

static const struct value none = { .kind = VALUE_NONE };


/* The sum of a pointer and an unknown value. */
static struct value sum(const struct flow_state *s, const struct arch_touch *m)
{
	struct value a = state_reg(s, m->from), b = state_reg(s, m->from2);

	if (a.kind && b.kind)
		return none;
	if (!a.kind)
		a = b;
	if (a.kind)
		a.off = (int64_t)((uint64_t)a.off + (uint64_t)m->imm);
	return a;
}

static struct value copy(const struct flow *f, const struct flow_state *s, const struct arch_touch *m)
{
	struct value v = state_reg(s, m->from);

	/* index + constant: the constant may be the address of an array. */
	if (!v.kind && m->imm > FLOW_OFFSET_MAX)
		return (struct value){ .kind = VALUE_ADDRESS, .off = m->imm };
	return value_add(f, v, m->imm, m->from == m->to ? VALUE_ONWARD : VALUE_ELSEWHERE);
}

static struct value either(const struct flow_state *s, const struct arch_touch *m)
{
	struct value a = state_reg(s, m->from), b = state_reg(s, m->from2);

	/* ARCH_NO_REG is the zero register: the pointer is the other one, or NULL. */
	if (m->from == ARCH_NO_REG)
		return b;
	if (m->from2 == ARCH_NO_REG || (a.kind == b.kind && a.off == b.off && a.type == b.type))
		return a;
	return none;
}

static struct value result(const struct flow *f, const struct flow_state *s, const struct flow_insn *i,
			   const struct type_touch *t)
{
	const struct arch_touch *m = &i->touch;

	switch (m->move) {
	case ARCH_MOVE_COPY:
		return copy(f, s, m);
	case ARCH_MOVE_SUM:
		return sum(s, m);
	case ARCH_MOVE_EITHER:
		return either(s, m);
	case ARCH_MOVE_ADDRESS:
		return (struct value){ .kind = VALUE_ADDRESS, .off = (int64_t)m->address };
	case ARCH_MOVE_LOAD:
		return flow_loaded(f, s, i, t, 0);
	case ARCH_MOVE_TASK:
		return f->w->task ? (struct value){ .kind = VALUE_POINTS, .type = f->w->task } : none;
	default:
		return none;
	}
}

static void store(struct flow_state *s, const struct arch_touch *m)
{
	int64_t at;

	if (!(m->access & ARCH_WRITES) || !flow_frame_at(s, m, &at))
		return;
	/* A store to an array in the frame by an index: it is not known to which slot, and is ignored. */
	if (m->index != ARCH_NO_REG)
		return;
	if (m->move != ARCH_MOVE_STORE) {
		state_store(s, at, m->size, none);
		return;
	}
	state_store(s, at, m->size, state_reg(s, m->from));
	if (m->from2 != ARCH_NO_REG)
		state_store(s, (int64_t)((uint64_t)at + m->size), m->size, state_reg(s, m->from2));
}

static void lose(struct flow_state *s, uint32_t lost)
{
	for (unsigned i = 0; lost; i++, lost >>= 1)
		if (lost & 1)
			state_set(s, i, none);
}

/* The value that a direct call, or a call through a typed function pointer, returns. */
static struct value returned(const struct flow *f, const struct flow_state *s, const struct flow_insn *i)
{
	struct value v = state_reg(s, i->touch.from);
	const struct type_entry *e;

	if (i->target)
		return f->w->returns ? value_of(f, f->w->returns(f->w->arg, i->target)) : none;
	if (i->touch.move != ARCH_MOVE_CALL || v.kind != VALUE_POINTS || v.off)
		return none;
	e = types_at(f->w->types, v.type);
	if (e->info.kind != CTYPE_FUNC)
		return none;
	return value_of(f, types_add(f->w->types, f->w->scope, e->info.target));
}

static void call(const struct flow *f, struct flow_state *s, const struct flow_insn *i)
{
	struct value v = returned(f, s, i);

	lose(s, f->call_loses);
	state_set(s, f->ret, v);
}

void flow_step(const struct flow *f, struct flow_state *s, const struct flow_insn *i, const struct type_touch *t)
{
	const struct arch_touch *m = &i->touch;
	struct value to, to2;

	if (!i->is_known) {
		*s = (struct flow_state){ 0 };
		return;
	}
	/* Compute all results from the old state before changing it. */
	to = result(f, s, i, t);
	to2 = m->move == ARCH_MOVE_LOAD && m->to2 != ARCH_NO_REG ? flow_loaded(f, s, i, t, m->size) : none;
	store(s, m);
	if (m->step && m->base != ARCH_NO_REG)
		state_set(s, m->base, value_add(f, state_reg(s, m->base), m->step, VALUE_ONWARD));
	state_set(s, m->to, to);
	state_set(s, m->to2, to2);
	lose(s, m->lost);
	if (i->flags & ARCH_INSN_CALL && i->flags & ARCH_INSN_BRANCH)
		call(f, s, i);
	else if (i->flags & ARCH_INSN_CALL)
		state_set(s, f->ret, none);
}
