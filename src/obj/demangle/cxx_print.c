/*
 * cxx_print.c - prints the tree of a C++ name as c++filt of binutils 2.40 does.
 *
 * A type has a part left of a name and a part right of it: "int (*" and ") [5]".
 */
#include "obj/demangle/parts.h"

static void left(struct cxx *c, uint16_t i);
static void right(struct cxx *c, uint16_t i);
static void subexpression(struct cxx *c, uint16_t i);
static void pattern(struct cxx *c, const struct cxx_node *n, const char *s);

void cxx_print(struct cxx *c, uint16_t i)
{
	left(c, i);
	right(c, i);
}

static char last_char(const struct cxx *c)
{
	return c->o->n ? c->o->buf[c->o->n - 1] : '\0';
}

/*
 * The argument of a template parameter; the parameter itself in a lambda's parameters (auto) and where it is unknown.
 * The T_ of a local class' function may be a substitution repeated by the enclosing function, which has another T_: use
 * the list of the signature being printed.
 */
static uint16_t resolve(const struct cxx *c, uint16_t i)
{
	uint16_t args = c->args;

	for (unsigned hops = 0; c->node[i].kind == CXX_TPARAM && !c->lambda && hops < CXX_DEPTH; hops++) {
		uint16_t to = args ? cxx_argument(c, args, c->node[i].a) : c->node[i].b;

		if (!to)
			break;
		i = to;
		args = 0;
		if (c->node[i].kind == CXX_PACK && c->index >= 0) {
			uint16_t l = c->node[i].a;

			for (int n = c->index; n && l; n--)
				l = c->node[l].b;
			i = c->node[l].a;
		}
	}
	return i;
}

/* The first argument pack in a pattern to be expanded, 0: none. */
static uint16_t find_pack(struct cxx *c, uint16_t i)
{
	const struct cxx_node *n = &c->node[i];
	uint16_t found;

	if (!i || c->depth >= CXX_DEPTH || ++c->steps > CXX_STEPS)
		return 0;
	switch (n->kind) {
	case CXX_TPARAM:
		found = c->args ? cxx_argument(c, c->args, n->a) : n->b;
		return c->node[found].kind == CXX_PACK ? found : 0;
	case CXX_NAME:
	case CXX_TEXT:
	case CXX_BUILTIN:
	case CXX_EXPAND:
	case CXX_LAMBDA:
	case CXX_UNNAMED:
	case CXX_OPERATOR:
	case CXX_SIZED:
	case CXX_PARM:
	case CXX_DEFARG:
		return 0;
	}
	c->depth++;
	found = find_pack(c, n->a);
	if (!found)
		found = find_pack(c, n->b);
	c->depth--;
	return found;
}

static unsigned length_of(const struct cxx *c, uint16_t l)
{
	unsigned n = 0;

	for (; l; l = c->node[l].b)
		n += c->node[l].a != 0;
	return n;
}

/* Remove commas in front of trailing items that printed nothing (an empty pack): then return true. */
static bool list(struct cxx *c, uint16_t l)
{
	size_t end = c->o->n;
	bool first = true;

	for (; l && !c->bad; l = c->node[l].b, first = false) {
		size_t before;

		if (!first)
			dem_str(c->o, ", ");
		before = c->o->n;
		cxx_print(c, c->node[l].a);
		if (first || c->o->n != before)
			end = c->o->n;
	}
	first = c->o->n == end;
	c->o->n = end;
	return !first;
}

static void expand(struct cxx *c, uint16_t pattern)
{
	uint16_t pack = c->lambda ? 0 : find_pack(c, pattern);
	unsigned n = length_of(c, c->node[pack].a);
	int outer = c->index;

	if (!pack) {
		subexpression(c, pattern);
		dem_str(c->o, "...");
		return;
	}
	for (unsigned k = 0; k < n && !c->bad; k++) {
		if (k)
			dem_str(c->o, ", ");
		c->index = (int)k;
		cxx_print(c, pattern);
	}
	c->index = outer;
}

/* --- types --- */

static const char *const bit_text[] = {
	" const", " volatile", " restrict", " &", " &&", " transaction_safe",
};

static void qualifiers(struct cxx *c, const struct cxx_node *n, unsigned bits)
{
	if (n->bits & CXX_NOEXCEPT && bits & CXX_NOEXCEPT)
		dem_str(c->o, " noexcept");
	if (n->bits & CXX_THROW && bits & CXX_THROW)
		dem_str(c->o, " throw");
	if (bits & (CXX_NOEXCEPT | CXX_THROW) && n->op) {
		dem_char(c->o, '(');
		if (n->bits & CXX_THROW)
			list(c, n->op);
		else
			cxx_print(c, n->op);
		dem_char(c->o, ')');
	}
	for (unsigned i = 0; i < ARRAY_SIZE(bit_text); i++)
		if (n->bits & bits & (1U << i))
			dem_str(c->o, bit_text[i]);
}

/* A function or array, since a pointer to it needs parentheses; 0: neither. */
static enum cxx_kind needs_parens(const struct cxx *c, uint16_t i)
{
	unsigned hops = 0;

	i = resolve(c, i);
	while (c->node[i].kind == CXX_CV && hops++ < CXX_DEPTH)
		i = resolve(c, c->node[i].a);
	return c->node[i].kind == CXX_FUNC || c->node[i].kind == CXX_ARRAY ? c->node[i].kind : CXX_NONE;
}

/* Reference collapsing: the inner one, but an lvalue reference if either is one. */
static const struct cxx_node *collapse(const struct cxx *c, const struct cxx_node *n, enum cxx_kind *kind)
{
	*kind = n->kind;
	for (unsigned hops = 0; hops < CXX_DEPTH; hops++) {
		const struct cxx_node *in = &c->node[resolve(c, n->a)];

		if ((*kind != CXX_REF && *kind != CXX_RREF) || (in->kind != CXX_REF && in->kind != CXX_RREF))
			break;
		if (in->kind == CXX_REF)
			*kind = CXX_REF;
		n = in;
	}
	return n;
}

/* The type that a pointer, reference or member pointer refers to. */
static uint16_t pointed(const struct cxx *c, const struct cxx_node *n, enum cxx_kind *kind)
{
	n = collapse(c, n, kind);
	return n->kind == CXX_PTRMEM ? n->b : n->a;
}

static void pointer_left(struct cxx *c, const struct cxx_node *n)
{
	enum cxx_kind kind, parens;
	uint16_t to = pointed(c, n, &kind);

	left(c, to);
	parens = needs_parens(c, to);
	if (parens)
		dem_str(c->o, parens == CXX_ARRAY ? " (" : "(");
	if (kind == CXX_PTRMEM) {
		if (!parens)
			dem_char(c->o, ' ');
		cxx_print(c, n->a);
		dem_str(c->o, "::");
	}
	dem_str(c->o, kind == CXX_REF ? "&" : kind == CXX_RREF ? "&&" : "*");
}

static void pointer_right(struct cxx *c, const struct cxx_node *n)
{
	enum cxx_kind kind;
	uint16_t to = pointed(c, n, &kind);

	if (needs_parens(c, to))
		dem_char(c->o, ')');
	right(c, to);
}

/* Is it a pointer to a function or array, maybe through other pointers? */
static bool wraps(const struct cxx *c, uint16_t i)
{
	for (unsigned hops = 0; hops < CXX_DEPTH; hops++) {
		const struct cxx_node *n = &c->node[i = resolve(c, i)];
		enum cxx_kind kind;

		if (n->kind != CXX_CV && n->kind != CXX_PTR && n->kind != CXX_REF && n->kind != CXX_RREF &&
		    n->kind != CXX_PTRMEM)
			return false;
		i = pointed(c, n, &kind);
		if (kind != CXX_CV && needs_parens(c, i))
			return true;
	}
	return false;
}

/* The return type in front of a function, with a space unless the function is inside of a pointer type. */
static void returns_left(struct cxx *c, uint16_t type)
{
	if (!type)
		return;
	left(c, type);
	if (!wraps(c, type))
		dem_char(c->o, ' ');
}

static void function_right(struct cxx *c, const struct cxx_node *n, const struct cxx_node *this)
{
	dem_char(c->o, '(');
	list(c, n->b);
	dem_char(c->o, ')');
	qualifiers(c, n, 0xff);
	if (this)
		qualifiers(c, this, 0xff);
	if (n->a)
		right(c, n->a);
}

static void function(struct cxx *c, const struct cxx_node *n)
{
	const struct cxx_node *type = &c->node[n->b], *this = &c->node[n->a], *name;

	uint16_t outer = c->args;

	while (this->kind == CXX_LOCAL || this->kind == CXX_DEFARG)
		this = &c->node[this->kind == CXX_LOCAL ? this->b : this->a];
	name = this->kind == CXX_THIS ? &c->node[this->a] : this;
	c->args = name->kind == CXX_TEMPLATE ? name->b : 0;
	returns_left(c, type->a);
	cxx_print(c, n->a);
	function_right(c, type, this->kind == CXX_THIS ? this : NULL);
	c->args = outer;
}

/* --- expressions --- */

static const char *operator_text(unsigned op)
{
	return cxx_operators + op + 3;
}

static bool is_op(unsigned op, const char *code)
{
	return !strncmp(cxx_operators + op, code, 2);
}

static void parenthesised(struct cxx *c, uint16_t i)
{
	dem_char(c->o, '(');
	cxx_print(c, i);
	dem_char(c->o, ')');
}

static void subexpression(struct cxx *c, uint16_t i)
{
	enum cxx_kind k = c->node[i].kind;

	if (k == CXX_NAME || k == CXX_QUAL || k == CXX_INIT || k == CXX_PARM)
		cxx_print(c, i);
	else
		parenthesised(c, i);
}

static void unary(struct cxx *c, const struct cxx_node *n)
{
	const struct cxx_node *f = &c->node[n->a];
	uint16_t a = n->a;

	dem_str(c->o, operator_text(n->op));
	if (is_op(n->op, "ad") && f->kind == CXX_FN && c->node[f->a].kind == CXX_QUAL)
		a = f->a;   /* the address of a function is printed without parameters */
	if (!a)
		return;
	if (is_op(n->op, "gs"))
		cxx_print(c, a);
	else if (is_op(n->op, "st") || is_op(n->op, "nx"))
		parenthesised(c, a);
	else
		subexpression(c, a);
}

static void binary(struct cxx *c, const struct cxx_node *n)
{
	const struct cxx_node *f = &c->node[n->a];
	bool more = is_op(n->op, "gt");   /* a '>' needs parentheses, not to end template arguments */

	if (cxx_operators[n->op + 2] == 'c') {
		dem_str(c->o, operator_text(n->op));
		dem_char(c->o, '<');
		cxx_print(c, n->a);
		dem_char(c->o, '>');
		parenthesised(c, n->b);
		return;
	}
	if (more)
		dem_char(c->o, '(');
	subexpression(c, is_op(n->op, "cl") && f->kind == CXX_FN ? f->a : n->a);
	if (is_op(n->op, "ix")) {
		dem_char(c->o, '[');
		cxx_print(c, n->b);
		dem_char(c->o, ']');
	} else {
		if (!is_op(n->op, "cl"))
			dem_str(c->o, operator_text(n->op));
		subexpression(c, n->b);
	}
	if (more)
		dem_char(c->o, ')');
}

static void fold(struct cxx *c, const struct cxx_node *n)
{
	const char *by = operator_text(n->op);
	int outer = c->index;

	c->index = -1;
	dem_char(c->o, '(');
	if (n->bits != 'l') {
		subexpression(c, n->a);
		dem_str(c->o, by);
	}
	dem_str(c->o, "...");
	if (n->bits != 'r') {
		dem_str(c->o, by);
		subexpression(c, n->bits == 'l' ? n->a : n->b);
	}
	dem_char(c->o, ')');
	c->index = outer;
}

static void trinary(struct cxx *c, const struct cxx_node *n)
{
	const struct cxx_node *one = &c->node[n->a], *two = &c->node[one->b];

	subexpression(c, one->a);
	dem_str(c->o, operator_text(n->op));
	subexpression(c, two->a);
	dem_str(c->o, " : ");
	subexpression(c, c->node[two->b].a);
}

static void new_object(struct cxx *c, const struct cxx_node *n)
{
	const struct cxx_node *place = &c->node[n->b], *init = &c->node[place->b];

	dem_str(c->o, "new ");
	if (place->a) {
		subexpression(c, place->a);
		dem_char(c->o, ' ');
	}
	cxx_print(c, n->a);
	if (init->a)
		subexpression(c, init->a);
}

static void literal(struct cxx *c, const struct cxx_node *n)
{
	const struct cxx_node *type = &c->node[n->a], *value = &c->node[n->b];
	const char *t = type->kind == CXX_BUILTIN ? cxx_builtins + type->op : "?0";
	char digit = value->b == 1 && !n->bits ? c->s[value->a] : '\0', how = t[1];

	if (how == 'b' && (digit == '0' || digit == '1')) {
		dem_str(c->o, digit == '1' ? "true" : "false");
		return;
	}
	if (how == '0' || how == 'f' || how == 'b')
		parenthesised(c, n->a);
	if (n->bits)
		dem_char(c->o, '-');
	if (how == 'f')
		dem_char(c->o, '[');
	dem_put(c->o, c->s + value->a, value->b);
	if (how == 'f')
		dem_char(c->o, ']');
	if (how == 'j' || how == 'm' || how == 'y')
		dem_char(c->o, 'u');
	if (how == 'l' || how == 'm')
		dem_char(c->o, 'l');
	if (how == 'x' || how == 'y')
		dem_str(c->o, "ll");
}

static void count(struct cxx *c, const struct cxx_node *n)
{
	unsigned sum = 0;

	if (n->a)
		sum = length_of(c, c->node[find_pack(c, n->a)].a);
	for (uint16_t l = n->b; l; l = c->node[l].b) {
		const struct cxx_node *e = &c->node[c->node[l].a];
		uint16_t pack = e->kind == CXX_EXPAND ? find_pack(c, e->a) : 0;

		sum += pack ? length_of(c, c->node[pack].a) : 1;
	}
	dem_num(c->o, sum);
}

/* --- names --- */

static void operator_name(struct cxx *c, const char *t)
{
	size_t n = strlen(t);

	dem_str(c->o, "operator");
	if (t[0] >= 'a' && t[0] <= 'z')
		dem_char(c->o, ' ');
	dem_put(c->o, t, n - (t[n - 1] == ' '));
}

static void special(struct cxx *c, const struct cxx_node *n)
{
	char how = cxx_specials[n->op];

	dem_str(c->o, cxx_specials + n->op + 1);
	if (how == 'r') {
		dem_num(c->o, n->b);
		dem_str(c->o, " for ");
	}
	cxx_print(c, n->a);
	if (how == '2') {
		dem_str(c->o, "-in-");
		cxx_print(c, n->b);
	}
}

static void template(struct cxx *c, const struct cxx_node *n)
{
	cxx_print(c, n->a);
	if (last_char(c) == '<')
		dem_char(c->o, ' ');
	dem_char(c->o, '<');
	dem_str(c->o, !list(c, n->b) && last_char(c) == '>' ? " >" : ">");
}

static void lambda(struct cxx *c, const struct cxx_node *n)
{
	dem_str(c->o, "{lambda(");
	c->lambda++;
	list(c, n->a);
	c->lambda--;
	pattern(c, n, ")#N}");
}

/* Print the argument of a parameter, in which T_ refers to the enclosing scope. */
static void param(struct cxx *c, uint16_t i, void (*side)(struct cxx *c, uint16_t i))
{
	uint16_t to = resolve(c, i), args = c->args;

	c->args = 0;
	if (to != i) {
		side(c, to);
	} else if (!c->lambda) {
		c->bad = true;
	} else if (side == left) {
		dem_str(c->o, "auto:");
		dem_num(c->o, c->node[i].a + 1U);
	}
	c->args = args;
}

/*
 * Kinds that are text around their operands: A and B printed, S: b as a subexpression, L: the list a, N: the number b,
 * T: the left part of type a.
 */
static const char *const patterns[CXX_KINDS] = {
	[CXX_QUAL] = "A::B",
	[CXX_LOCAL] = "A::B",
	[CXX_TAG] = "A[abi:B]",
	[CXX_PACK] = "L",
	[CXX_ARGS] = "L",
	[CXX_CTOR] = "A",
	[CXX_THIS] = "A",
	[CXX_DTOR] = "~A",
	[CXX_BIND] = "[L]",
	[CXX_CONVERT] = "operator A",
	[CXX_VENDOROP] = "operator A",
	[CXX_LITOP] = "operator\"\" A",
	[CXX_UNNAMED] = "{unnamed type#N}",
	[CXX_DEFARG] = "{default arg#N}::A",
	[CXX_VENDORQ] = "T B",
	[CXX_VECTOR] = "T __vector(B)",
	[CXX_DECLTYPE] = "decltype (A)",
	[CXX_CAST] = "(A)S",
	[CXX_INIT] = "A{B}",
	[CXX_PARM] = "{parm#N}",
};

static void pattern(struct cxx *c, const struct cxx_node *n, const char *s)
{
	for (; *s; s++) {
		switch (*s) {
		case 'A':
		case 'B':
			cxx_print(c, *s == 'A' ? n->a : n->b);
			break;
		case 'S':
			subexpression(c, n->b);
			break;
		case 'L':
			list(c, n->a);
			break;
		case 'T':
			left(c, n->a);
			break;
		case 'N':
			dem_num(c->o, n->b);
			break;
		default:
			dem_char(c->o, *s);
		}
	}
}

static void other(struct cxx *c, const struct cxx_node *n, unsigned pending)
{
	switch (n->kind) {
	case CXX_NAME:
		dem_put(c->o, c->s + n->a, n->b);
		break;
	case CXX_TEXT:
		dem_str(c->o, cxx_std + n->op);
		break;
	case CXX_BUILTIN:
		dem_str(c->o, cxx_builtins + n->op + 2);
		break;
	case CXX_TEMPLATE:
		template(c, n);
		break;
	case CXX_FN:
		function(c, n);
		break;
	case CXX_SPECIAL:
		special(c, n);
		break;
	case CXX_OPERATOR:
		operator_name(c, operator_text(n->op));
		break;
	case CXX_LAMBDA:
		lambda(c, n);
		break;
	case CXX_EXPAND:
		expand(c, n->a);
		break;
	case CXX_CV:
		c->pending = (uint8_t)(pending | n->bits);
		left(c, n->a);
		qualifiers(c, n, 7U & ~pending);
		break;
	case CXX_PTR:
	case CXX_REF:
	case CXX_RREF:
	case CXX_PTRMEM:
		pointer_left(c, n);
		break;
	case CXX_FUNC:
		returns_left(c, n->a);
		break;
	case CXX_ARRAY:
		c->pending = (uint8_t)pending;
		left(c, n->a);
		break;
	case CXX_SIZED:
		dem_str(c->o, n->op == 'U' ? "unsigned _BitInt(" : n->op == 'B' ? "_BitInt(" : "_Float");
		dem_num(c->o, n->b);
		dem_str(c->o, n->op == 'F' ? "" : n->op == 'x' ? "x" : ")");
		break;
	case CXX_LITERAL:
		literal(c, n);
		break;
	case CXX_UNARY:
		unary(c, n);
		break;
	case CXX_POSTFIX:
		subexpression(c, n->a);
		dem_str(c->o, operator_text(n->op));
		break;
	case CXX_BINARY:
		binary(c, n);
		break;
	case CXX_FOLD:
		fold(c, n);
		break;
	case CXX_TRINARY:
		trinary(c, n);
		break;
	case CXX_NEW:
		new_object(c, n);
		break;
	case CXX_COUNT:
		count(c, n);
		break;
	default:
		c->bad = true;
	}
}

/* False: too deep, too long, or nothing to print. */
static bool enter(struct cxx *c, uint16_t i)
{
	if (c->bad || !i || c->o->bad || c->depth >= CXX_PRINT_DEPTH || ++c->steps > CXX_STEPS) {
		c->bad |= i != 0;
		return false;
	}
	c->depth++;
	return true;
}

static void left(struct cxx *c, uint16_t i)
{
	const struct cxx_node *n = &c->node[i];
	uint8_t pending = c->pending;

	c->pending = 0;
	if (!enter(c, i))
		return;
	if (n->kind == CXX_TPARAM) {
		c->pending = pending;
		param(c, i, left);
	} else if (patterns[n->kind]) {
		pattern(c, n, patterns[n->kind]);
	} else {
		other(c, n, pending);
	}
	c->depth--;
}

static void right(struct cxx *c, uint16_t i)
{
	const struct cxx_node *n = &c->node[i];

	if (!enter(c, i))
		return;
	switch (n->kind) {
	case CXX_TPARAM:
		param(c, i, right);
		break;
	case CXX_CV:
	case CXX_VENDORQ:
	case CXX_VECTOR:
		right(c, n->a);
		break;
	case CXX_PTR:
	case CXX_REF:
	case CXX_RREF:
	case CXX_PTRMEM:
		pointer_right(c, n);
		break;
	case CXX_FUNC:
		function_right(c, n, NULL);
		break;
	case CXX_ARRAY:
		if (last_char(c) != ']')
			dem_char(c->o, ' ');
		dem_char(c->o, '[');
		cxx_print(c, n->b);
		dem_char(c->o, ']');
		right(c, n->a);
		break;
	}
	c->depth--;
}
