/* expr.c - DWARF 5, section 2.5, as far as section 6.4.2 allows it in call frame instructions. */
#include "unwind/expr.h"

#include "unwind/regs.h"

enum { STACK = 64, STEPS_MAX = 4096 };

/* DW_OP_*; of consecutive ones (const1u ..., lit0 ..., reg0 ...) the first. */
enum {
	OP_addr = 0x03, OP_deref = 0x06, OP_const1u = 0x08, OP_const8s = 0x0f, OP_constu = 0x10, OP_consts = 0x11,
	OP_dup = 0x12, OP_drop = 0x13, OP_over = 0x14, OP_pick = 0x15, OP_swap = 0x16, OP_rot = 0x17,
	OP_abs = 0x19, OP_and = 0x1a, OP_div = 0x1b, OP_minus = 0x1c, OP_mod = 0x1d, OP_mul = 0x1e, OP_neg = 0x1f,
	OP_not = 0x20, OP_or = 0x21, OP_plus = 0x22, OP_plus_uconst = 0x23, OP_shl = 0x24, OP_shr = 0x25,
	OP_shra = 0x26, OP_xor = 0x27, OP_bra = 0x28, OP_eq = 0x29, OP_ge = 0x2a, OP_gt = 0x2b, OP_le = 0x2c,
	OP_lt = 0x2d, OP_ne = 0x2e, OP_skip = 0x2f,
	OP_lit0 = 0x30, OP_lit31 = 0x4f, OP_breg0 = 0x70, OP_breg31 = 0x8f, OP_bregx = 0x92, OP_deref_size = 0x94,
	OP_nop = 0x96,
};

struct eval {
	const struct unwind_expr *x;
	struct cursor c;
	uint64_t stack[STACK];
	unsigned n;
	bool missing;      /* memory or a register was not available */
};

static void push(struct eval *v, uint64_t value)
{
	if (v->n < STACK)
		v->stack[v->n++] = value;
	else
		v->c.bad = true;
}

static uint64_t pop(struct eval *v)
{
	if (v->n)
		return v->stack[--v->n];
	v->c.bad = true;
	return 0;
}

/* The i-th stack entry from the top. */
static uint64_t peek(struct eval *v, uint64_t i)
{
	if (i < v->n)
		return v->stack[v->n - 1 - i];
	v->c.bad = true;
	return 0;
}

static uint64_t constant(struct cursor *c, unsigned op)
{
	switch (op - OP_const1u) {
	case 0: return cur_u8(c);
	case 1: return (uint64_t)(int8_t)cur_u8(c);
	case 2: return cur_u16(c);
	case 3: return (uint64_t)(int16_t)cur_u16(c);
	case 4: return cur_u32(c);
	case 5: return (uint64_t)(int32_t)cur_u32(c);
	default: return cur_u64(c);
	}
}

static void load(struct eval *v, unsigned size)
{
	uint64_t addr = pop(v), word = 0;

	if (size != 1 && size != 2 && size != 4 && size != 8)
		v->c.bad = true;
	else if (!v->x->read(v->x->arg, addr, &word))
		v->missing = true;
	push(v, size < 8 ? word & ((1ULL << 8 * size) - 1) : word);
}

static void push_register(struct eval *v, uint64_t reg, int64_t off)
{
	uint64_t value = 0;

	if (!unwind_reg(v->x->regs, reg, &value))
		v->missing = true;
	push(v, value + (uint64_t)off);
}

/* In C shifts by 64 or more are undefined: here they give 0, or for shra the sign. */
static uint64_t shift(unsigned op, uint64_t a, uint64_t by)
{
	if (op == OP_shra)
		return (uint64_t)((int64_t)a >> MIN(by, (uint64_t)63));
	if (by > 63)
		return 0;
	return op == OP_shl ? a << by : a >> by;
}

static uint64_t divided(struct eval *v, unsigned op, uint64_t a, uint64_t b)
{
	/* Division by -1: the quotient INT64_MIN / -1 overflows; wrap it, as arm64 does. */
	if (op == OP_div && b == UINT64_MAX)
		return -a;
	if (b)
		return op == OP_div ? (uint64_t)((int64_t)a / (int64_t)b) : a % b;
	v->c.bad = true;
	return 0;
}

static uint64_t compared(unsigned op, int64_t a, int64_t b)
{
	switch (op) {
	case OP_eq: return a == b;
	case OP_ge: return a >= b;
	case OP_gt: return a > b;
	case OP_le: return a <= b;
	case OP_lt: return a < b;
	default: return a != b;
	}
}

/* Operations on the top two entries; false: op is none of them. */
static bool of_two(struct eval *v, unsigned op)
{
	if (!((op >= OP_and && op <= OP_mul) || op == OP_or || op == OP_plus || (op >= OP_shl && op <= OP_xor) ||
	      (op >= OP_eq && op <= OP_ne)))
		return false;

	uint64_t b = pop(v), a = pop(v);

	switch (op) {
	case OP_and: push(v, a & b); break;
	case OP_or: push(v, a | b); break;
	case OP_xor: push(v, a ^ b); break;
	case OP_plus: push(v, a + b); break;
	case OP_minus: push(v, a - b); break;
	case OP_mul: push(v, a * b); break;
	case OP_div:
	case OP_mod: push(v, divided(v, op, a, b)); break;
	case OP_shl:
	case OP_shr:
	case OP_shra: push(v, shift(op, a, b)); break;
	default: push(v, compared(op, (int64_t)a, (int64_t)b));
	}
	return true;
}

static bool of_one(struct eval *v, unsigned op)
{
	uint64_t a;

	if (op != OP_abs && op != OP_neg && op != OP_not && op != OP_plus_uconst)
		return false;
	a = pop(v);
	if (op == OP_plus_uconst)
		a += cur_uleb(&v->c);
	else if (op == OP_not)
		a = ~a;
	else if (op == OP_neg || (int64_t)a < 0)
		a = -a;
	push(v, a);
	return true;
}

static bool arrange(struct eval *v, unsigned op)
{
	uint64_t a, b, c;

	switch (op) {
	case OP_dup:
		push(v, peek(v, 0));
		return true;
	case OP_drop:
		pop(v);
		return true;
	case OP_over:
		push(v, peek(v, 1));
		return true;
	case OP_pick:
		push(v, peek(v, cur_u8(&v->c)));
		return true;
	case OP_swap:
		a = pop(v), b = pop(v);
		push(v, a), push(v, b);
		return true;
	case OP_rot:
		a = pop(v), b = pop(v), c = pop(v);
		push(v, a), push(v, c), push(v, b);
		return true;
	}
	return false;
}

static void jump(struct eval *v, unsigned op)
{
	int16_t by = (int16_t)cur_u16(&v->c);
	int64_t to = (int64_t)cur_off(&v->c) + by;

	if (op == OP_bra && !pop(v))
		return;
	if (to < 0)
		v->c.bad = true;
	else
		cur_seek(&v->c, (uint64_t)to);
}

static void step(struct eval *v)
{
	unsigned op = cur_u8(&v->c);
	uint64_t reg;

	if (op >= OP_lit0 && op <= OP_lit31)
		push(v, op - OP_lit0);
	else if (op >= OP_breg0 && op <= OP_breg31)
		push_register(v, op - OP_breg0, cur_sleb(&v->c));
	else if (op >= OP_const1u && op <= OP_const8s)
		push(v, constant(&v->c, op));
	else if (op == OP_constu)
		push(v, cur_uleb(&v->c));
	else if (op == OP_consts)
		push(v, (uint64_t)cur_sleb(&v->c));
	else if (op == OP_addr)
		push(v, (v->x->addr_size == 8 ? cur_u64(&v->c) : cur_u32(&v->c)) + v->x->bias);
	else if (op == OP_bregx) {
		reg = cur_uleb(&v->c);
		push_register(v, reg, cur_sleb(&v->c));
	} else if (op == OP_deref)
		load(v, v->x->addr_size);
	else if (op == OP_deref_size)
		load(v, cur_u8(&v->c));
	else if (op == OP_bra || op == OP_skip)
		jump(v, op);
	else if (op != OP_nop && !arrange(v, op) && !of_two(v, op) && !of_one(v, op))
		v->c.bad = true;
}

enum unwind_expr_end unwind_expr(const struct unwind_expr *x, uint64_t *value)
{
	struct eval v = { .x = x, .c = cur_from(x->code.s, x->code.n) };

	v.c.swap = x->swap;
	if (x->cfa)
		push(&v, *x->cfa);
	for (unsigned steps = 0; cur_left(&v.c) && !v.c.bad && !v.missing; steps++) {
		step(&v);
		v.c.bad |= steps == STEPS_MAX;
	}
	*value = pop(&v);
	if (v.c.bad)
		return UNWIND_EXPR_BROKEN;
	return v.missing ? UNWIND_EXPR_NO_MEMORY : UNWIND_EXPR_DONE;
}
