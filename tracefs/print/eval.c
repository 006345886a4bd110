/* eval.c - C's arithmetic over fields of a record. */
#include "tracefs/print/eval.h"

static const struct tval none = { .kind = TVAL_NONE };

static struct tval number(uint64_t v, uint8_t size, bool is_unsigned)
{
	return (struct tval){ .kind = TVAL_NUM, .v = v, .type = { .size = size, .is_unsigned = is_unsigned } };
}

static uint64_t narrow(uint64_t v, uint32_t size, bool is_unsigned)
{
	if (!is_unsigned)
		return (uint64_t)traw_sext(v, size);
	return size >= 8 ? v : v & ((UINT64_C(1) << size * 8) - 1);
}

/* Integer promotion: what is narrower than int becomes int. */
static struct tval promoted(uint64_t v, uint8_t size, bool is_unsigned)
{
	return size < 4 ? number(v, 4, false) : number(v, size, is_unsigned);
}

static struct tval of_bytes(struct traw bytes, uint8_t elem, bool elem_unsigned)
{
	return (struct tval){ .kind = TVAL_BYTES, .bytes = bytes,
			      .type = { .pointer = true, .elem = elem, .elem_unsigned = elem_unsigned } };
}

static uint8_t elem_size(const struct tfield *f)
{
	return f->elem <= 8 ? (uint8_t)f->elem : 0;
}

static struct tval of_field(const struct teval *ev, const struct texpr *x)
{
	const struct tfield *f = x->field;
	struct tval r;
	uint64_t v;

	if (!ev->raw)
		return none;
	if (x->op == TEXPR_DYN_LEN)
		return number(tfmt_bytes(f, ev->raw, ev->n).n, 4, false);
	if (x->op == TEXPR_ADDRESS || (f->kind != TFIELD_SCALAR && f->kind != TFIELD_POINTER))
		return of_bytes(tfmt_bytes(f, ev->raw, ev->n), elem_size(f), !f->is_signed);
	if (!tfmt_u64(f, ev->raw, ev->n, &v)) {
		/* A structure by value, e.g. a UUID: its user needs the bytes. */
		struct traw b = tfmt_bytes(f, ev->raw, ev->n);

		return b.n == f->size && b.n > 8 ? of_bytes(b, 0, true) : none;
	}
	r = promoted(v, (uint8_t)f->size, !f->is_signed);
	if (f->kind == TFIELD_POINTER)
		r.type = x->type;
	return r;
}

/* Load the element that the pointer points to. */
static struct tval load(const struct teval *ev, struct tval at)
{
	uint8_t size = at.type.elem;

	if (!size || at.bytes.n < size)
		return none;

	uint64_t v = traw_load(at.bytes.p, size, ev->swap);

	return promoted(narrow(v, size, at.type.elem_unsigned), size, at.type.elem_unsigned);
}

/* Move a pointer into the record by n elements; NONE when it leaves its bytes. */
static struct tval moved(struct tval p, uint64_t n)
{
	uint64_t by;

	if (p.kind != TVAL_BYTES || !p.type.elem || __builtin_mul_overflow(n, (uint64_t)p.type.elem, &by) ||
	    by > p.bytes.n)
		return none;
	p.bytes.p += by;
	p.bytes.n -= (size_t)by;
	return p;
}

static struct tval shift(int op, struct tval a, struct tval b)
{
	uint8_t size = a.type.size;
	bool u = a.type.is_unsigned;

	if (b.v >= size * 8u)
		return number(0, size, u);   /* undefined in C; the kernel does not do it */
	if (op == TLEX_SHL)
		return number(narrow(a.v << b.v, size, u), size, u);
	return number(u ? a.v >> b.v : (uint64_t)((int64_t)a.v >> b.v), size, u);
}

static bool less(uint64_t a, uint64_t b, bool is_unsigned)
{
	return is_unsigned ? a < b : (int64_t)a < (int64_t)b;
}

static struct tval divide(int op, uint64_t a, uint64_t b, struct texpr_type t)
{
	uint64_t v;

	if (!b)
		return none;
	if (t.is_unsigned)
		v = op == '/' ? a / b : a % b;
	else if (b == UINT64_MAX)
		v = op == '/' ? -a : 0;   /* INT64_MIN / -1 traps */
	else
		v = op == '/' ? (uint64_t)((int64_t)a / (int64_t)b) : (uint64_t)((int64_t)a % (int64_t)b);
	return number(narrow(v, t.size, t.is_unsigned), t.size, t.is_unsigned);
}

static struct tval compare(int op, uint64_t a, uint64_t b, bool u)
{
	switch (op) {
	case TLEX_EQ: return number(a == b, 4, false);
	case TLEX_NE: return number(a != b, 4, false);
	case '<': return number(less(a, b, u), 4, false);
	case '>': return number(less(b, a, u), 4, false);
	case TLEX_LE: return number(!less(b, a, u), 4, false);
	case TLEX_GE: return number(!less(a, b, u), 4, false);
	default: return none;
	}
}

/* a + b or a - b where one is an address in the kernel: scaled by the size of what it points to. */
static struct tval pointer_math(int op, struct tval a, struct tval b)
{
	if (b.type.pointer && op == '+')
		return pointer_math(op, b, a);
	if (b.type.pointer || a.type.no_arith || !a.type.elem)
		return none;
	a.v += (op == '+' ? b.v : -b.v) * a.type.elem;
	return a;
}

static struct tval arithmetic(int op, uint64_t a, uint64_t b, struct texpr_type t)
{
	uint64_t v;

	switch (op) {
	case '+': v = a + b; break;
	case '-': v = a - b; break;
	case '*': v = a * b; break;
	case '&': v = a & b; break;
	case '|': v = a | b; break;
	case '^': v = a ^ b; break;
	case '/':
	case '%': return divide(op, a, b, t);
	default: return compare(op, a, b, t.is_unsigned);
	}
	return number(narrow(v, t.size, t.is_unsigned), t.size, t.is_unsigned);
}

struct sv tval_text(struct tval v)
{
	const char *s = (const char *)v.bytes.p;

	return v.kind == TVAL_BYTES && s ? (struct sv){ s, strnlen(s, v.bytes.n) } : (struct sv){ 0 };
}

static bool same_text(struct sv a, struct sv b)
{
	return a.n == b.n && (!a.n || !memcmp(a.s, b.s, a.n));
}

/* a OP b as C computes it with operands of these types. NONE for a division by zero. */
static struct tval tval_binary(int op, struct tval a, struct tval b)
{
	struct texpr_type t;

	if (op == '+' && b.kind == TVAL_BYTES && a.kind == TVAL_NUM)
		return moved(b, a.v);
	if (op == '+' && a.kind == TVAL_BYTES && b.kind == TVAL_NUM)
		return moved(a, b.v);
	if (a.kind == TVAL_BYTES && b.kind == TVAL_BYTES && (op == TLEX_EQ || op == TLEX_NE))
		return number(same_text(tval_text(a), tval_text(b)) == (op == TLEX_EQ), 4, false);
	if (a.kind == TVAL_BYTES || b.kind == TVAL_BYTES) {
		struct tval other = a.kind == TVAL_BYTES ? b : a;
		bool null = other.kind == TVAL_NUM && !other.v;

		return null && (op == TLEX_EQ || op == TLEX_NE) ? number(op == TLEX_NE, 4, false) : none;
	}
	if (a.kind != TVAL_NUM || b.kind != TVAL_NUM)
		return none;
	if (op == TLEX_SHL || op == TLEX_SHR)
		return shift(op, a, b);
	if ((op == '+' || op == '-') && (a.type.pointer || b.type.pointer))
		return pointer_math(op, a, b);

	/* The wider type counts; of two types of one size the unsigned one. */
	t = (struct texpr_type){ .size = MAX(a.type.size, b.type.size) };
	t.is_unsigned = (a.type.size == t.size && a.type.is_unsigned) || (b.type.size == t.size && b.type.is_unsigned);
	return arithmetic(op, narrow(a.v, t.size, t.is_unsigned), narrow(b.v, t.size, t.is_unsigned), t);
}

/* 1, 0, or -1 when the value is unknown. */
static int truth(struct tval v)
{
	return v.kind == TVAL_NONE ? -1 : v.kind == TVAL_NUM ? v.v != 0 : 1;
}

static struct tval logical(const struct teval *ev, const struct texpr *x)
{
	bool decides = x->sub == TLEX_OR;
	int a = truth(tval_of(ev, x->a)), b;

	if (a == decides)
		return number(decides, 4, false);
	b = truth(tval_of(ev, x->b));
	if (b == decides)
		return number(decides, 4, false);
	return a < 0 || b < 0 ? none : number(!decides, 4, false);
}

static struct tval cast(const struct texpr_type *t, struct tval v)
{
	if (v.kind == TVAL_BYTES) {
		if (t->size && !t->pointer)
			return none;   /* its address is not in the record */
		if (t->pointer) {
			v.type.elem = t->elem;
			v.type.elem_unsigned = t->elem_unsigned;
		}
		return v;
	}
	if (v.kind != TVAL_NUM || !t->size)
		return v;
	if (t->is_bool)
		return number(v.v != 0, 4, false);
	v = t->size < 4 ? promoted(narrow(v.v, t->size, t->is_unsigned), t->size, t->is_unsigned)
			: number(narrow(v.v, t->size, t->is_unsigned), t->size, t->is_unsigned);
	if (t->pointer)
		v.type = *t;
	return v;
}

static struct tval byte_swap(uint8_t size, struct tval v)
{
	if (v.kind != TVAL_NUM)
		return none;
	switch (size) {
	case 2: return number(__builtin_bswap16((uint16_t)v.v), 4, false);
	case 4: return number(__builtin_bswap32((uint32_t)v.v), 4, true);
	default: return number(__builtin_bswap64(v.v), 8, true);
	}
}

static unsigned log2_of(uint64_t v)
{
	return v ? 63 - (unsigned)__builtin_clzll(v) : 0;
}

static struct tval unary(const struct texpr *x, struct tval v)
{
	enum { SECOND = 1000000000 };
	int t = truth(v);

	if (x->op == TEXPR_NOT)
		return t < 0 ? none : number(!t, 4, false);
	if (v.kind != TVAL_NUM)
		return none;
	switch (x->op) {
	case TEXPR_NEG: v.v = narrow(-v.v, v.type.size, v.type.is_unsigned); return v;
	case TEXPR_INVERT: v.v = narrow(~v.v, v.type.size, v.type.is_unsigned); return v;
	case TEXPR_PLUS: return v;
	case TEXPR_LOG2: return number(log2_of(v.v), 4, false);
	case TEXPR_ORDER2: return number(v.v > 1 ? log2_of(v.v - 1) + 1 : 0, 4, false);
	case TEXPR_CLZ: return v.v ? number(63 - log2_of(v.v), 4, false) : none;
	case TEXPR_DIV_NS: return number(v.v / SECOND, 8, true);
	case TEXPR_MOD_NS: return number(v.v % SECOND, 4, true);
	default: return none;
	}
}

static struct tval conditional(const struct teval *ev, const struct texpr *x)
{
	int t = truth(tval_of(ev, x->a));

	return t < 0 ? none : tval_of(ev, t ? x->b : x->c);
}

static struct tval element(const struct teval *ev, const struct texpr *x)
{
	struct tval at;

	/* REC->args[2]: most of what system calls print. */
	if (x->op == TEXPR_INDEX && x->a->op == TEXPR_FIELD && x->b->op == TEXPR_NUM)
		return load(ev, moved(of_field(ev, x->a), x->b->v));
	at = tval_of(ev, x->a);

	if (x->op == TEXPR_INDEX) {
		struct tval i = tval_of(ev, x->b);

		at = i.kind == TVAL_NUM ? moved(at, i.v) : none;
	}
	return at.kind == TVAL_BYTES ? load(ev, at) : none;
}

static struct tval word(const struct teval *ev, const struct texpr *x)
{
	struct tval args[TEXPR_ARGS];

	if (!ev->words)
		return none;
	for (uint32_t i = 0; i < x->n_table; i++)
		args[i] = tval_of(ev, x->args[i]);
	return ev->words->value(ev->words->arg, x->v, args, x->n_table);
}

static struct tval glob(struct tval text, struct tval pattern)
{
	char buf[256];   /* MAX_FILTER_STR_VAL of the kernel's filters */

	if (text.kind != TVAL_BYTES || pattern.kind != TVAL_BYTES || pattern.bytes.n >= sizeof(buf))
		return none;
	str_copy(buf, sizeof(buf), tval_text(pattern));
	return number(str_glob(buf, tval_text(text)), 4, false);
}

struct tval tval_of(const struct teval *ev, const struct texpr *x)
{
	switch ((enum texpr_op)x->op) {
	case TEXPR_NUM: return (struct tval){ .kind = TVAL_NUM, .v = x->v, .type = x->type };
	case TEXPR_STR: return of_bytes((struct traw){ (const uint8_t *)x->str.s, x->str.n }, 1, false);
	case TEXPR_FIELD:
	case TEXPR_ADDRESS:
	case TEXPR_DYN_LEN: return of_field(ev, x);
	case TEXPR_UNKNOWN: return none;
	case TEXPR_NEG:
	case TEXPR_NOT:
	case TEXPR_INVERT:
	case TEXPR_PLUS:
	case TEXPR_LOG2:
	case TEXPR_ORDER2:
	case TEXPR_CLZ:
	case TEXPR_DIV_NS:
	case TEXPR_MOD_NS: return unary(x, tval_of(ev, x->a));
	case TEXPR_BINARY:
		if (x->sub == TLEX_AND || x->sub == TLEX_OR)
			return logical(ev, x);
		return tval_binary(x->sub, tval_of(ev, x->a), tval_of(ev, x->b));
	case TEXPR_COND: return conditional(ev, x);
	case TEXPR_INDEX:
	case TEXPR_DEREF: return element(ev, x);
	case TEXPR_CAST: return cast(&x->type, tval_of(ev, x->a));
	case TEXPR_SWAP: return byte_swap(x->type.size, tval_of(ev, x->a));
	case TEXPR_WORD: return word(ev, x);
	case TEXPR_GLOB: return glob(tval_of(ev, x->a), tval_of(ev, x->b));
	case TEXPR_FLAGS:
	case TEXPR_SYMBOLIC:
	case TEXPR_HEX:
	case TEXPR_HEX_STR:
	case TEXPR_ARRAY:
	case TEXPR_HEX_DUMP:
	case TEXPR_BITMASK: return (struct tval){ .kind = TVAL_TEXT, .node = x };
	}
	return none;
}

uint64_t tval_num(const struct teval *ev, const struct texpr *x, uint64_t other)
{
	struct tval v = tval_of(ev, x);

	return v.kind == TVAL_NUM ? v.v : other;
}
