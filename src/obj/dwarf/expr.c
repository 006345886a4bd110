#include "obj/dwarf/expr.h"

#include "obj/dwarf/parts.h"

/* DW_OP_*: families of opcodes are represented by their first one. */
enum {
	OP_addr = 0x03, OP_deref = 0x06, OP_const1u = 0x08, OP_const8s = 0x0f, OP_constu = 0x10,
	OP_consts = 0x11, OP_dup = 0x12, OP_drop = 0x13, OP_over = 0x14, OP_pick = 0x15, OP_swap = 0x16,
	OP_and = 0x1a, OP_minus = 0x1c, OP_plus = 0x22, OP_plus_uconst = 0x23, OP_shl = 0x24, OP_shr = 0x25,
	OP_bra = 0x28, OP_skip = 0x2f, OP_lit0 = 0x30, OP_reg0 = 0x50, OP_breg0 = 0x70, OP_regx = 0x90,
	OP_fbreg = 0x91, OP_bregx = 0x92, OP_piece = 0x93, OP_deref_size = 0x94, OP_nop = 0x96,
	OP_call2 = 0x98, OP_call4 = 0x99, OP_call_ref = 0x9a, OP_form_tls = 0x9b, OP_cfa = 0x9c,
	OP_bit_piece = 0x9d, OP_implicit_value = 0x9e, OP_stack_value = 0x9f, OP_implicit_pointer = 0xa0,
	OP_addrx = 0xa1, OP_constx = 0xa2, OP_entry_value = 0xa3, OP_const_type = 0xa4,
	OP_regval_type = 0xa5, OP_deref_type = 0xa6, OP_convert = 0xa8, OP_reinterpret = 0xa9,
	OP_GNU_tls = 0xe0, OP_GNU_implicit_pointer = 0xf2, OP_GNU_entry_value = 0xf3,
	OP_GNU_const_type = 0xf4, OP_GNU_regval_type = 0xf5, OP_GNU_deref_type = 0xf6,
	OP_GNU_convert = 0xf7, OP_GNU_reinterpret = 0xf9, OP_GNU_parameter_ref = 0xfa,
	OP_GNU_addr_index = 0xfb, OP_GNU_const_index = 0xfc,
};

enum { STACK = 16 };

static const char computed[] = "computed in a way that a probe cannot follow";

/*
 * The stack holds LOC_VALUE, LOC_ADDR and LOC_CONST, with pending dereferences. DW_OP_piece completes a location: n,
 * placed, narrow and gone belong to the piece being built.
 */
struct eval {
	const struct dwarf_expr *x;
	struct cursor c;
	struct loc stack[STACK], where;   /* where: the location, unless it is the top of the stack */
	unsigned n;
	bool placed;                      /* `where` is set */
	uint64_t narrow;                  /* number of valid low bytes of the top; 0: all */
	const char *gone;                 /* there is no location; the reason */
	struct loc pieces;
	uint64_t at;                      /* total size of the pieces so far */
};

static void give_up(struct eval *v, const char *why)
{
	if (!v->gone && !v->c.bad)
		v->gone = why;
}

static void push(struct eval *v, struct loc value)
{
	if (v->n < STACK)
		v->stack[v->n++] = value;
	else
		v->c.bad = true;
}

/* The i-th from the top; an underflow marks the expression as malformed. */
static struct loc *top(struct eval *v, uint64_t i)
{
	static const struct loc none = { .kind = LOC_CONST };

	if (i < v->n)
		return &v->stack[v->n - 1 - i];
	v->c.bad = true;
	v->stack[0] = none;
	return &v->stack[0];
}

static void push_value(struct eval *v, enum loc_kind kind, uint64_t reg, int64_t off)
{
	push(v, (struct loc){ .kind = kind, .reg = (unsigned)MIN(reg, UINT32_MAX), .off = off });
}

static void add(struct loc *l, int64_t k)
{
	int64_t *to = l->n_derefs ? &l->deref[l->n_derefs - 1] : &l->off;

	*to = (int64_t)((uint64_t)*to + (uint64_t)k);
}

static bool is_constant(const struct loc *l)
{
	return l->kind == LOC_CONST && !l->n_derefs;
}

/* Add or subtract: one operand must be a constant, in a difference the second one. */
static void add_top(struct eval *v, int sign)
{
	struct loc b = *top(v, 0), a = *top(v, 1);

	if (v->c.bad)
		return;
	if (is_constant(&a) && sign > 0) {
		struct loc swapped = a;

		a = b;
		b = swapped;
	}
	if (!is_constant(&b))
		give_up(v, computed);
	add(&a, sign < 0 ? (int64_t)(0 - (uint64_t)b.off) : b.off);
	v->n--;
	*top(v, 0) = a;
}

static void narrow(struct eval *v, uint64_t size)
{
	if (!v->narrow || size < v->narrow)
		v->narrow = size;
}

/* A probe can do nothing with a truncated word, except to restrict its size once more. */
static bool is_too_much(const struct eval *v, unsigned op)
{
	return v->narrow && op != OP_and && op != OP_shr && op != OP_convert && op != OP_GNU_convert &&
	       op != OP_stack_value && op != OP_nop && !(op >= OP_const1u && op <= OP_consts) &&
	       !(op >= OP_lit0 && op < OP_reg0);
}

static void load(struct eval *v, unsigned size)
{
	struct loc *l = top(v, 0);

	if (!size || size > v->x->u->addr_size || l->n_derefs == LOC_DEREFS || is_constant(l))
		give_up(v, computed);
	else
		l->deref[l->n_derefs++] = 0;
	if (size < v->x->u->addr_size)
		narrow(v, size);
}

/* DW_OP_convert to an integer type keeps the low bytes. Type 0 is that of an address. */
static void convert(struct eval *v, uint64_t type)
{
	const struct dwarf_unit *u = v->x->u;
	struct ctype_info t = { 0 };
	struct die die;

	if (!type)
		return;
	if (type >= u->end - u->off || die_at(u, u->off + type, &die, NULL) ||
	    ctype_info(dwarf_type_of(&die), &t, NULL) || !t.size || t.kind == CTYPE_FLOAT)
		give_up(v, computed);
	else if (t.size < u->addr_size)
		narrow(v, t.size);
}

/* A mask for low bytes has the same effect. */
static void mask(struct eval *v)
{
	struct loc by = *top(v, 0), l = *top(v, 1);
	unsigned bytes = by.off == 0xff ? 1 : by.off == 0xffff ? 2 : by.off == 0xffffffff ? 4 : 0;

	if (v->c.bad || !is_constant(&by) || is_constant(&l) || !bytes) {
		give_up(v, computed);
		return;
	}
	v->n--;
	narrow(v, bytes);
}

/* Left shift: only of constants. Right shift: selects a part of a struct that is in one register. */
static void shift(struct eval *v, unsigned op)
{
	struct loc by = *top(v, 0), *l = top(v, 1);
	uint64_t bits = 8 * (v->narrow ? v->narrow : v->x->u->addr_size);

	if (v->c.bad)
		return;
	if (op == OP_shl && is_constant(&by) && is_constant(l) && (uint64_t)by.off < 64) {
		v->n--;
		l->off = (int64_t)((uint64_t)l->off << by.off);
		return;
	}
	if (op == OP_shl || !is_constant(&by) || l->kind != LOC_VALUE || l->off || l->n_derefs || by.off < 0 ||
	    (uint64_t)by.off + 8 > bits) {
		give_up(v, computed);
		return;
	}
	v->n--;
	l->shift += (unsigned)by.off;
	narrow(v, (bits - (uint64_t)by.off) / 8);
}

static int64_t read_constant(struct cursor *c, unsigned op)
{
	bool is_signed = op & 1;

	switch (op >> 1) {
	case OP_const1u >> 1:
		return is_signed ? (int8_t)cur_u8(c) : cur_u8(c);
	case (OP_const1u + 2) >> 1:
		return is_signed ? (int16_t)cur_u16(c) : cur_u16(c);
	case (OP_const1u + 4) >> 1:
		return is_signed ? (int32_t)cur_u32(c) : (int64_t)cur_u32(c);
	case (OP_const1u + 6) >> 1:
		return (int64_t)cur_u64(c);
	}
	return is_signed ? cur_sleb(c) : (int64_t)cur_uleb(c);
}

bool dwarf_expr_constant(const struct dwarf_unit *u, struct sv bytes, int64_t *v)
{
	struct cursor c = cur_from(bytes.s, bytes.n);
	uint64_t got = 0;

	for (size_t i = 0; i < bytes.n && i < 8; i++)
		got |= (uint64_t)cur_u8(&c) << 8 * (u->bytes.swap ? bytes.n - 1 - i : i);
	*v = (int64_t)got;
	return bytes.n && bytes.n <= 8;
}

static struct sv read_block(struct cursor *c, uint64_t n)
{
	const char *p = (const char *)cur_bytes(c, n);

	return (struct sv){ p ? p : "", p ? (size_t)n : 0 };
}

static void place(struct eval *v, enum loc_kind kind, uint64_t reg, int64_t off)
{
	v->where = (struct loc){ .kind = kind, .reg = (unsigned)MIN(reg, UINT32_MAX), .off = off };
	v->placed = true;
}

static void implicit_value(struct eval *v)
{
	struct sv bytes = read_block(&v->c, cur_uleb(&v->c));
	int64_t k;

	if (dwarf_expr_constant(v->x->u, bytes, &k))
		place(v, LOC_CONST, 0, k);
	else
		give_up(v, "a constant of more than 8 bytes");
}

/* DW_OP_stack_value: the top is the variable's value. If it ends with a load, the variable is at the loaded address. */
static void stack_value(struct eval *v)
{
	struct loc l = *top(v, 0);

	v->where = l;
	v->placed = true;
	if (l.n_derefs) {
		if (l.deref[l.n_derefs - 1])
			give_up(v, computed);
		v->where.n_derefs--;
		v->where.kind = l.kind == LOC_ADDR ? LOC_ADDR : LOC_MEM;
	} else if (l.kind == LOC_ADDR) {
		give_up(v, "the address of a variable, worked out by the compiler");
	}
}

static void memory(struct eval *v)
{
	v->where = *top(v, 0);
	if (v->where.kind == LOC_VALUE)
		v->where.kind = LOC_MEM;
	else if (v->where.kind == LOC_CONST)
		give_up(v, "at a constant address");
	if (v->narrow)
		give_up(v, computed);
}

/* The resulting location of a variable or piece of `size` bytes; 0: unknown. */
static struct loc finish(struct eval *v, uint64_t size)
{
	if (!v->gone && !v->placed && v->n)
		memory(v);
	else if (!v->placed)
		give_up(v, "optimised out here");
	else if (v->narrow && (!size || size > v->narrow))
		give_up(v, computed);
	return v->gone ? (struct loc){ .kind = LOC_GONE, .why = v->gone } : v->where;
}

static void piece(struct eval *v, uint64_t bytes)
{
	struct loc *all = &v->pieces, l;

	/* A single piece for the whole variable is the same as no piece. */
	if (!v->at && !cur_left(&v->c) && v->x->size <= bytes)
		return;
	if (bytes > UINT32_MAX)
		v->c.bad = true;
	l = finish(v, bytes);
	if (l.n_derefs)
		l = (struct loc){ .kind = LOC_GONE, .why = computed };
	if (all->n_pieces < LOC_PIECES_MAX)
		all->piece[all->n_pieces++] = (struct loc_piece){
			.at = v->at, .size = bytes, .kind = l.kind, .reg = l.reg, .shift = l.shift, .off = l.off,
			.why = l.why,
		};
	if (l.kind != LOC_GONE)
		all->kind = LOC_PIECES;
	v->at += bytes;
	v->n = 0;
	v->placed = false;
	v->narrow = 0;
	v->gone = NULL;
}

/* DW_OP_entry_value: the content of a register at the function's entry. */
static void entry_value(struct eval *v)
{
	struct sv code = read_block(&v->c, cur_uleb(&v->c));
	struct cursor c = cur_from(code.s, code.n);
	unsigned op = cur_u8(&c);

	if (!v->x->at_entry)
		give_up(v, "optimised out (entry value)");
	else if (op >= OP_reg0 && op < OP_breg0)
		push_value(v, LOC_VALUE, op - OP_reg0, 0);
	else if (op == OP_regx)
		push_value(v, LOC_VALUE, cur_uleb(&c), 0);
	else
		give_up(v, computed);
}

static int ask(struct eval *v, enum dwarf_expr_ask what, int64_t off, struct err *e)
{
	struct loc l = { .kind = LOC_GONE };
	int err = v->x->ask(v->x->arg, what, &l, e);

	if (l.kind == LOC_GONE)
		give_up(v, l.why ? l.why : computed);
	add(&l, off);
	push(v, l);
	return err;
}

static void indexed(struct eval *v, enum loc_kind kind)
{
	uint64_t addr;

	if (dwarf_addr_at(v->x->u, cur_uleb(&v->c), &addr))
		push_value(v, kind, 0, (int64_t)addr);
	else
		give_up(v, "at an address that is not in this file");
}

/* Operands of an operation: u: ULEB, s: SLEB, a: an address, o: an offset, b: a block, digits: bytes. */
static const char *operands(unsigned op)
{
	if (op >= OP_breg0 && op < OP_regx)
		return "s";
	switch (op) {
	case OP_addr:
		return "a";
	case OP_pick: case OP_deref_size:
		return "1";
	case OP_bra: case OP_skip: case OP_call2:
		return "2";
	case OP_call4: case OP_GNU_parameter_ref:
		return "4";
	case OP_call_ref:
		return "o";
	case OP_plus_uconst: case OP_regx: case OP_addrx: case OP_constx: case OP_GNU_addr_index:
	case OP_GNU_const_index: case OP_convert: case OP_GNU_convert: case OP_reinterpret: case OP_GNU_reinterpret:
		return "u";
	case OP_fbreg:
		return "s";
	case OP_bregx:
		return "us";
	case OP_regval_type: case OP_GNU_regval_type:
		return "uu";
	case OP_implicit_value: case OP_entry_value: case OP_GNU_entry_value:
		return "b";
	case OP_implicit_pointer: case OP_GNU_implicit_pointer:
		return "os";
	case OP_const_type: case OP_GNU_const_type:
		return "uB";
	case OP_deref_type: case OP_GNU_deref_type:
		return "1u";
	}
	return op <= OP_stack_value || op == OP_GNU_tls ? "" : NULL;
}

/* Skip an unsupported operation up to the next piece; if its length is unknown evaluation ends. */
static void pass(struct eval *v, unsigned op)
{
	struct cursor *c = &v->c;

	if (op >= OP_const1u && op <= OP_consts) {
		read_constant(c, op);
		return;
	}
	for (const char *o = operands(op); !o || *o; o++) {
		switch (o ? *o : 0) {
		case 'u': cur_uleb(c); break;
		case 's': cur_sleb(c); break;
		case 'a': dwarf_address(v->x->u, c); break;
		case 'o': dwarf_offset(v->x->u, c); break;
		case 'b': cur_skip(c, cur_uleb(c)); break;
		case 'B': cur_skip(c, cur_u8(c)); break;
		case 0: cur_skip(c, cur_left(c)); return;
		default: cur_skip(c, (uint64_t)(*o - '0'));
		}
	}
}

static void refuse(struct eval *v, unsigned op, const char *why)
{
	give_up(v, why);
	pass(v, op);
}

/* Operations on the stack only. */
static void shuffle(struct eval *v, unsigned op)
{
	struct loc l;

	switch (op) {
	case OP_dup:
		push(v, *top(v, 0));
		break;
	case OP_drop:
		top(v, 0);
		v->n -= v->n != 0;
		break;
	case OP_over:
		push(v, *top(v, 1));
		break;
	case OP_pick:
		push(v, *top(v, cur_u8(&v->c)));
		break;
	case OP_swap:
		l = *top(v, 0);
		*top(v, 0) = *top(v, 1);
		*top(v, 1) = l;
		break;
	case OP_minus:
		add_top(v, -1);
		break;
	case OP_plus:
		add_top(v, 1);
		break;
	case OP_plus_uconst:
		add(top(v, 0), (int64_t)cur_uleb(&v->c));
		break;
	case OP_deref:
		load(v, v->x->u->addr_size);
		break;
	case OP_deref_size:
		load(v, cur_u8(&v->c));
		break;
	case OP_deref_type:
	case OP_GNU_deref_type:
		load(v, cur_u8(&v->c));
		convert(v, cur_uleb(&v->c));
		break;
	case OP_and:
		mask(v);
		break;
	case OP_shl:
	case OP_shr:
		shift(v, op);
		break;
	case OP_convert:
	case OP_GNU_convert:
		convert(v, cur_uleb(&v->c));
		break;
	default:
		refuse(v, op, computed);
	}
}

/* Operations other than constants and registers. */
static int other(struct eval *v, unsigned op, struct err *e)
{
	struct cursor *c = &v->c;
	uint64_t n;

	switch (op) {
	case OP_nop:
		return 0;
	case OP_addr:
		push_value(v, LOC_ADDR, 0, (int64_t)dwarf_address(v->x->u, c));
		return 0;
	case OP_addrx:
	case OP_GNU_addr_index:
		indexed(v, LOC_ADDR);
		return 0;
	case OP_constx:
	case OP_GNU_const_index:
		indexed(v, LOC_CONST);
		return 0;
	case OP_fbreg:
		return ask(v, DWARF_EXPR_FRAME_BASE, cur_sleb(c), e);
	case OP_cfa:
		return ask(v, DWARF_EXPR_CFA, 0, e);
	case OP_regx:
		place(v, LOC_REG, cur_uleb(c), 0);
		return 0;
	case OP_bregx:
		n = cur_uleb(c);
		push_value(v, LOC_VALUE, n, cur_sleb(c));
		return 0;
	case OP_regval_type:
	case OP_GNU_regval_type:
		push_value(v, LOC_VALUE, cur_uleb(c), 0);
		convert(v, cur_uleb(c));
		return 0;
	case OP_const_type:
	case OP_GNU_const_type:
		cur_uleb(c);
		push_value(v, LOC_CONST, 0, 0);
		if (!dwarf_expr_constant(v->x->u, read_block(c, cur_u8(c)), &top(v, 0)->off))
			give_up(v, computed);
		return 0;
	case OP_implicit_value:
		implicit_value(v);
		return 0;
	case OP_implicit_pointer:
	case OP_GNU_implicit_pointer:
		refuse(v, op, "optimised out (a pointer to what is nowhere)");
		return 0;
	case OP_entry_value:
	case OP_GNU_entry_value:
		entry_value(v);
		return 0;
	case OP_form_tls:
	case OP_GNU_tls:
		give_up(v, "thread local");
		return 0;
	case OP_stack_value:
		stack_value(v);
		return 0;
	}
	shuffle(v, op);
	return 0;
}

static int step(struct eval *v, struct err *e)
{
	unsigned op = cur_u8(&v->c);
	uint64_t bits;

	if (op == OP_piece) {
		piece(v, cur_uleb(&v->c));
	} else if (op == OP_bit_piece) {
		bits = cur_uleb(&v->c);
		if (cur_uleb(&v->c) || bits % 8)
			give_up(v, "in pieces of bits");
		piece(v, bits / 8);
	} else if (v->gone) {
		pass(v, op);
	} else if ((v->placed && op != OP_nop) || is_too_much(v, op)) {
		refuse(v, op, computed);
	} else if (op >= OP_breg0 && op < OP_regx) {
		push_value(v, LOC_VALUE, op - OP_breg0, cur_sleb(&v->c));
	} else if (op >= OP_reg0 && op < OP_breg0) {
		place(v, LOC_REG, op - OP_reg0, 0);
	} else if (op >= OP_lit0 && op < OP_reg0) {
		push_value(v, LOC_CONST, 0, op - OP_lit0);
	} else if (op >= OP_const1u && op <= OP_consts) {
		push_value(v, LOC_CONST, 0, read_constant(&v->c, op));
	} else {
		return other(v, op, e);
	}
	return 0;
}

int dwarf_expr_eval(const struct dwarf_expr *x, struct loc *loc, struct err *e)
{
	struct eval v = { .x = x, .c = cur_from(x->code.s, x->code.n) };
	int err = 0;

	v.c.swap = x->u->bytes.swap;
	v.pieces.kind = LOC_GONE;
	while (!err && !v.c.bad && cur_left(&v.c))
		err = step(&v, e);
	if (!err && v.c.bad && !v.gone)
		err = err_set(e, EBADMSG, "the expression for a variable is broken");
	v.pieces.why = v.pieces.piece[0].why;
	*loc = v.pieces.n_pieces ? v.pieces : finish(&v, x->size);
	return err;
}

void dwarf_expr_address(struct loc *loc)
{
	if (loc->kind == LOC_REG || loc->kind == LOC_MEM)
		loc->kind = LOC_VALUE;
	if (loc->kind == LOC_PIECES)
		*loc = (struct loc){ .kind = LOC_GONE, .why = computed };
}
