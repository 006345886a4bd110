/* call.c - the kernel's helper functions in print fmts. */
#include "base/vec.h"
#include "tracefs/print/expr.h"

enum { TABLE_MAX = 8192 };

struct call {
	const char *name;
	const struct texpr *(*parse)(struct texpr_ctx *c, const struct call *call);
	uint8_t op, size;
};

static const struct texpr *arg(struct texpr_ctx *c)
{
	return texpr_want(c, ',') ? texpr_parse(c) : NULL;
}

struct table {
	VEC(struct texpr_entry) list;
};

/* {value, "text"}: the '{' is the current token. Entries whose value is unknown are left out: they can never match. */
static bool table_entry(struct texpr_ctx *c, struct table *t)
{
	const struct texpr *v, *text;
	struct texpr_entry *entry;

	if (t->list.n >= TABLE_MAX)
		return texpr_fail(c, "table is too long", (struct sv){ 0 });
	if (!texpr_want(c, '{'))
		return false;
	if (c->lex.kind == '}')
		return texpr_want(c, '}');
	v = texpr_parse(c);
	text = v ? arg(c) : NULL;
	if (!text || !texpr_want(c, '}'))
		return false;
	if (v->op != TEXPR_NUM || text->op != TEXPR_STR)
		return true;
	entry = vec_add(&t->list);
	if (!entry) {
		c->no_memory = true;
		return false;
	}
	*entry = (struct texpr_entry){ v->v, text->str };
	return true;
}

/* Parse ", {..}, {..})" into the node. */
static bool table(struct texpr_ctx *c, struct texpr *x)
{
	struct table t = { 0 };
	struct texpr_entry *copy;
	bool ok = true;

	while (ok && c->lex.kind == ',') {
		tlex_next(&c->lex);
		if (c->lex.kind == ')')
			break;
		ok = table_entry(c, &t);
	}
	copy = ok ? arena_alloc(c->arena, MAX(t.list.n, 1u) * sizeof(*copy)) : NULL;
	if (copy && t.list.n)
		memcpy(copy, t.list.v, t.list.n * sizeof(*copy));
	if (ok && !copy)
		c->no_memory = true;
	x->table = copy;
	x->n_table = (uint32_t)t.list.n;
	vec_free(&t.list);
	return copy && texpr_want(c, ')');
}

static const struct texpr *call_symbolic(struct texpr_ctx *c, const struct call *call)
{
	const struct texpr *v = texpr_parse(c);
	struct texpr *x = v ? texpr_node(c, call->op, v, NULL) : NULL;

	if (!x)
		return NULL;
	if (call->op == TEXPR_FLAGS) {
		if (!texpr_want(c, ','))
			return NULL;
		if (c->lex.kind != TLEX_STR)
			return texpr_fail(c, "expected a delimiter before", c->lex.text);
		if (!texpr_string(c, &x->str))
			return NULL;
	}
	return table(c, x) ? x : NULL;
}

/* FUNC(bytes, length[, element size]) */
static const struct texpr *call_bytes(struct texpr_ctx *c, const struct call *call)
{
	const struct texpr *a = texpr_parse(c), *b = a ? arg(c) : NULL, *size = NULL;
	struct texpr *x;

	if (b && call->op == TEXPR_ARRAY) {
		size = arg(c);
		if (!size)
			return NULL;
	}
	x = b ? texpr_node(c, call->op, a, b) : NULL;
	if (!x || !texpr_want(c, ')'))
		return NULL;
	if (size && size->op != TEXPR_NUM)
		return texpr_fail(c, "element size is not constant", (struct sv){ 0 });
	x->c = size;
	return x;
}

static struct texpr *field_node(struct texpr_ctx *c, enum texpr_op op)
{
	const struct tfield *f = texpr_field_name(c);
	struct texpr *x = f ? texpr_node(c, op, NULL, NULL) : NULL;

	if (x)
		x->field = f;
	return x;
}

/* FUNC(field) */
static const struct texpr *call_field(struct texpr_ctx *c, const struct call *call)
{
	bool bitmask = call->op == TEXPR_BITMASK;
	struct texpr *x = field_node(c, bitmask ? TEXPR_ADDRESS : (enum texpr_op)call->op);

	if (!x || !texpr_want(c, ')'))
		return NULL;
	return bitmask ? texpr_node(c, TEXPR_BITMASK, x, NULL) : x;
}

/* __print_dynamic_array(field, element size) */
static const struct texpr *call_dynamic_array(struct texpr_ctx *c, const struct call *call)
{
	const struct texpr *f = field_node(c, TEXPR_ADDRESS), *size = f ? arg(c) : NULL;
	struct texpr *x = size ? texpr_node(c, call->op, f, NULL) : NULL;

	if (!x || !texpr_want(c, ')'))
		return NULL;
	if (size->op != TEXPR_NUM)
		return texpr_fail(c, "element size is not constant", (struct sv){ 0 });
	x->c = size;
	return x;
}

/* __print_hex_dump(prefix, prefix type, row size, group size, bytes, length, ascii) */
static const struct texpr *call_hex_dump(struct texpr_ctx *c, const struct call *call)
{
	const struct texpr *a[7];
	struct texpr *x;

	for (size_t i = 0; i < ARRAY_SIZE(a); i++) {
		a[i] = i ? arg(c) : texpr_parse(c);
		if (!a[i])
			return NULL;
	}
	if (!texpr_want(c, ')'))
		return NULL;
	if (a[0]->op != TEXPR_STR || a[1]->op != TEXPR_NUM || a[2]->op != TEXPR_NUM || a[3]->op != TEXPR_NUM)
		return texpr_fail(c, "hex dump of changing shape", (struct sv){ 0 });
	x = texpr_node(c, call->op, a[4], a[5]);
	if (!x)
		return NULL;
	x->str = a[0]->str;
	x->sub = (uint8_t)a[1]->v;
	x->type.size = a[2]->v == 32 ? 32 : 16;
	x->type.elem = (uint8_t)a[3]->v;
	x->c = a[6]->op == TEXPR_NUM ? a[6] : NULL;
	return x;
}

/* FUNC(value) */
static const struct texpr *call_value(struct texpr_ctx *c, const struct call *call)
{
	const struct texpr *a = texpr_parse(c);
	struct texpr *x = a && texpr_want(c, ')') ? texpr_node(c, call->op, a, NULL) : NULL;

	if (x)
		x->type.size = call->size;
	return texpr_fold(c, x);
}

/* __builtin_expect(value, expected): the value. */
static const struct texpr *call_expect(struct texpr_ctx *c, const struct call *call UNUSED)
{
	const struct texpr *a = texpr_parse(c), *b = a ? arg(c) : NULL;

	return b && texpr_want(c, ')') ? a : NULL;
}

/* __builtin_constant_p(value): 0 selects the code for run-time values, which is right for constants, too. */
static const struct texpr *call_constant(struct texpr_ctx *c, const struct call *call UNUSED)
{
	const struct texpr *a = texpr_parse(c);
	struct texpr *x = a && texpr_want(c, ')') ? texpr_node(c, TEXPR_NUM, NULL, NULL) : NULL;

	if (x)
		x->type.size = 4;
	return x;
}

static const struct call calls[] = {
	{ "__print_flags", call_symbolic, TEXPR_FLAGS, 0 },
	{ "__print_flags_u64", call_symbolic, TEXPR_FLAGS, 0 },
	{ "__print_symbolic", call_symbolic, TEXPR_SYMBOLIC, 0 },
	{ "__print_symbolic_u64", call_symbolic, TEXPR_SYMBOLIC, 0 },
	{ "__print_hex", call_bytes, TEXPR_HEX, 0 },
	{ "__print_hex_str", call_bytes, TEXPR_HEX_STR, 0 },
	{ "__print_array", call_bytes, TEXPR_ARRAY, 0 },
	{ "__print_dynamic_array", call_dynamic_array, TEXPR_ARRAY, 0 },
	{ "__print_hex_dump", call_hex_dump, TEXPR_HEX_DUMP, 0 },
	{ "__get_str", call_field, TEXPR_ADDRESS, 0 },
	{ "__get_rel_str", call_field, TEXPR_ADDRESS, 0 },
	{ "__get_dynamic_array", call_field, TEXPR_ADDRESS, 0 },
	{ "__get_rel_dynamic_array", call_field, TEXPR_ADDRESS, 0 },
	{ "__get_dynamic_array_len", call_field, TEXPR_DYN_LEN, 0 },
	{ "__get_rel_dynamic_array_len", call_field, TEXPR_DYN_LEN, 0 },
	{ "__get_bitmask", call_field, TEXPR_BITMASK, 0 },
	{ "__get_rel_bitmask", call_field, TEXPR_BITMASK, 0 },
	{ "__get_cpumask", call_field, TEXPR_BITMASK, 0 },
	{ "__get_rel_cpumask", call_field, TEXPR_BITMASK, 0 },
	{ "__get_sockaddr", call_field, TEXPR_ADDRESS, 0 },
	{ "__get_rel_sockaddr", call_field, TEXPR_ADDRESS, 0 },
	{ "__get_sockaddr_rel", call_field, TEXPR_ADDRESS, 0 },
	{ "__print_ns_to_secs", call_value, TEXPR_DIV_NS, 0 },
	{ "__print_ns_without_secs", call_value, TEXPR_MOD_NS, 0 },
	{ "__fswab16", call_value, TEXPR_SWAP, 2 },
	{ "__fswab32", call_value, TEXPR_SWAP, 4 },
	{ "__fswab64", call_value, TEXPR_SWAP, 8 },
	{ "__ilog2_u32", call_value, TEXPR_LOG2, 0 },
	{ "__ilog2_u64", call_value, TEXPR_LOG2, 0 },
	{ "__order_base_2", call_value, TEXPR_ORDER2, 0 },
	{ "__builtin_clzll", call_value, TEXPR_CLZ, 0 },
	{ "__builtin_expect", call_expect, 0, 0 },
	{ "__builtin_constant_p", call_constant, 0, 0 },
};

const struct texpr *texpr_call(struct texpr_ctx *c, struct sv name)
{
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		if (!sv_eq(name, calls[i].name))
			continue;
		tlex_next(&c->lex);
		return calls[i].parse(c, &calls[i]);
	}
	return texpr_fail(c, "kernel function", name);
}
