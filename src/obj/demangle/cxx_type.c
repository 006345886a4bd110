/* cxx_type.c - Itanium C++ ABI: parses types, template arguments and expressions into the tree. */
#include "obj/demangle/parts.h"

/*
 * Letter (as a capital: behind D), form of its literals (a letter: suffix, b true or false, f in brackets, 0 behind the
 * type in parentheses), text.
 */
const char cxx_builtins[] =
	"a0" "signed char\0" "bb" "bool\0" "c0" "char\0" "df" "double\0" "ef" "long double\0" "ff" "float\0"
	"gf" "__float128\0" "h0" "unsigned char\0" "ii" "int\0" "jj" "unsigned int\0" "ll" "long\0"
	"mm" "unsigned long\0" "n0" "__int128\0" "o0" "unsigned __int128\0" "s0" "short\0" "t0" "unsigned short\0"
	"v0" "void\0" "w0" "wchar_t\0" "xx" "long long\0" "yy" "unsigned long long\0" "z0" "...\0"
	"F0" "decimal32\0" "D0" "decimal64\0" "E0" "decimal128\0" "H0" "half\0" "S0" "char16_t\0" "I0" "char32_t\0"
	"U0" "char8_t\0" "N0" "decltype(nullptr)\0" "A0" "auto\0" "C0" "decltype(auto)\0";

/* Two letters, number of operands (c: cast to a type, t: of a type), text. */
const char cxx_operators[] =
	"aN2" "&=\0" "aS2" "=\0" "aa2" "&&\0" "ad1" "&\0" "an2" "&\0" "att" "alignof \0" "aw1" "co_await \0"
	"az1" "alignof \0" "ccc" "const_cast\0" "cl2" "()\0" "cm2" ",\0" "co1" "~\0" "dV2" "/=\0" "dX3" "[...]=\0"
	"da1" "delete[] \0" "dcc" "dynamic_cast\0" "de1" "*\0" "di2" "=\0" "dl1" "delete \0" "ds2" ".*\0" "dt2" ".\0"
	"dv2" "/\0" "dx2" "]=\0" "eO2" "^=\0" "eo2" "^\0" "eq2" "==\0" "fL3" "...\0" "fR3" "...\0" "fl2" "...\0"
	"fr2" "...\0" "ge2" ">=\0" "gs1" "::\0" "gt2" ">\0" "ix2" "[]\0" "lS2" "<<=\0" "le2" "<=\0"
	"li1" "operator\"\" \0" "ls2" "<<\0" "lt2" "<\0" "mI2" "-=\0" "mL2" "*=\0" "mi2" "-\0" "ml2" "*\0" "mm1" "--\0"
	"na3" "new[]\0" "ne2" "!=\0" "ng1" "-\0" "nt1" "!\0" "nw3" "new\0" "nx1" "noexcept\0" "oR2" "|=\0" "oo2" "||\0"
	"or2" "|\0" "pL2" "+=\0" "pl2" "+\0" "pm2" "->*\0" "pp1" "++\0" "ps1" "+\0" "pt2" "->\0" "qu3" "?\0"
	"rM2" "%=\0" "rS2" ">>=\0" "rcc" "reinterpret_cast\0" "rm2" "%\0" "rs2" ">>\0" "sP1" "sizeof...\0"
	"sZ1" "sizeof...\0" "scc" "static_cast\0" "ss2" "<=>\0" "stt" "sizeof \0" "sz1" "sizeof \0" "te1" "typeid \0"
	"tit" "typeid \0" "tr0" "throw\0" "tw1" "throw \0";

static uint16_t cxx_expression(struct cxx *c);

static uint16_t digits(struct cxx *c)
{
	const char *from = c->p;

	while (cxx_digit(*c->p))
		c->p++;
	return cxx_node(c, CXX_NAME, (unsigned)(from - c->s), (unsigned)(c->p - from));
}

/* --- types --- */

static uint16_t builtin(struct cxx *c, char code)
{
	for (const char *t = cxx_builtins; *t; t += strlen(t) + 1)
		if (*t == code)
			return cxx_op_node(c, CXX_BUILTIN, (unsigned)(t - cxx_builtins), 0, 0);
	return cxx_fail(c);
}

/* F<return><params>E, with qualifiers and exception specification from in front of it. */
static uint16_t function_type(struct cxx *c, unsigned bits, uint16_t exceptions)
{
	uint16_t r;

	c->p++;
	cxx_eat(c, 'Y');
	r = cxx_type(c);
	r = cxx_op_node(c, CXX_FUNC, exceptions, r, cxx_params(c));
	if (*c->p != 'E')
		bits |= cxx_eat(c, 'R') ? CXX_LREF : cxx_eat(c, 'O') ? CXX_RVAL : 0;
	c->node[r].bits = (uint8_t)bits;
	return cxx_eat(c, 'E') ? r : cxx_fail(c);
}

static uint16_t qualified_type(struct cxx *c)
{
	unsigned bits = cxx_qualifiers(c);
	uint16_t exceptions = 0, r;

	for (;; bits |= cxx_qualifiers(c)) {
		if (cxx_eats(c, "Dx")) {
			bits |= CXX_SAFE;
		} else if (cxx_eats(c, "Do")) {
			bits |= CXX_NOEXCEPT;
		} else if (cxx_eats(c, "DO")) {
			bits |= CXX_NOEXCEPT;
			exceptions = cxx_expression(c);
		} else if (cxx_eats(c, "Dw")) {
			bits |= CXX_THROW;
			exceptions = cxx_params(c);
		} else {
			break;
		}
		if (exceptions && !cxx_eat(c, 'E'))
			return cxx_fail(c);
	}
	if (*c->p == 'F')
		return function_type(c, bits, exceptions);
	if (bits & (CXX_SAFE | CXX_NOEXCEPT | CXX_THROW))
		return cxx_fail(c);
	r = cxx_node(c, CXX_CV, cxx_type(c), 0);
	c->node[r].bits = (uint8_t)bits;
	return r;
}

static uint16_t array_type(struct cxx *c)
{
	uint16_t dim = 0;

	c->p++;
	if (cxx_digit(*c->p))
		dim = digits(c);
	else if (*c->p != '_')
		dim = cxx_expression(c);
	if (!cxx_eat(c, '_'))
		return cxx_fail(c);
	return cxx_node(c, CXX_ARRAY, cxx_type(c), dim);
}

static uint16_t vector_type(struct cxx *c)
{
	uint16_t dim = cxx_eat(c, '_') ? cxx_expression(c) : digits(c);

	if (!cxx_eat(c, '_'))
		return cxx_fail(c);
	return cxx_node(c, CXX_VECTOR, cxx_type(c), dim);
}

uint16_t cxx_decltype(struct cxx *c)
{
	uint16_t e;

	c->p += 2;
	e = cxx_expression(c);
	return cxx_eat(c, 'E') ? cxx_node(c, CXX_DECLTYPE, e, 0) : cxx_fail(c);
}

static uint16_t sized_type(struct cxx *c, char letter)
{
	unsigned n = cxx_number(c);

	if (letter == 'F' && cxx_eat(c, 'x'))
		return cxx_op_node(c, CXX_SIZED, 'x', 0, n);
	return cxx_eat(c, '_') ? cxx_op_node(c, CXX_SIZED, (unsigned char)letter, 0, n) : cxx_fail(c);
}

/* Types that begin with D. */
static uint16_t d_type(struct cxx *c)
{
	char ch = c->p[1];

	switch (ch) {
	case 't':
	case 'T':
		return cxx_remember(c, cxx_decltype(c));
	case 'o':
	case 'O':
	case 'w':
	case 'x':
		return cxx_remember(c, qualified_type(c));
	}
	c->p += ch ? 2 : 1;
	switch (ch) {
	case 'p':
		return cxx_remember(c, cxx_node(c, CXX_EXPAND, cxx_type(c), 0));
	case 'v':
		return cxx_remember(c, vector_type(c));
	case 'F':
	case 'B':
	case 'U':
		return sized_type(c, ch);
	}
	return ch >= 'a' && ch <= 'z' ? builtin(c, (char)(ch - 'a' + 'A')) : cxx_fail(c);
}

/*
 * T_, perhaps with arguments. In the type of a conversion operator they may be the operator's own: they are if no
 * others follow.
 */
static uint16_t param_type(struct cxx *c)
{
	uint16_t r = cxx_template_param(c), args;

	if (*c->p != 'I')
		return r;

	const char *p = c->p;
	unsigned nodes = c->nodes, subs = c->subs;

	cxx_remember(c, r);
	args = cxx_template_args(c);
	if (!c->conversion || *c->p == 'I')
		return cxx_node(c, CXX_TEMPLATE, r, args);
	c->p = p;
	c->nodes = nodes;
	c->subs = subs;
	return r;
}

static uint16_t substituted_type(struct cxx *c)
{
	uint16_t r;

	if (c->p[1] == 't')
		return cxx_remember(c, cxx_name(c));
	r = cxx_substitution(c, false);
	if (*c->p != 'I')
		return r;
	r = cxx_node(c, CXX_TEMPLATE, r, cxx_template_args(c));
	return cxx_remember(c, r);
}

static uint16_t vendor_qualified(struct cxx *c)
{
	uint16_t q;

	if (c->p[1] == 'l' || c->p[1] == 't')
		return cxx_unqualified(c);
	c->p++;
	q = cxx_unqualified(c);
	if (*c->p == 'I')
		q = cxx_node(c, CXX_TEMPLATE, q, cxx_template_args(c));
	return cxx_node(c, CXX_VENDORQ, cxx_type(c), q);
}

static uint16_t around(struct cxx *c, enum cxx_kind kind)
{
	c->p++;
	return cxx_node(c, kind, cxx_type(c), 0);
}

static uint16_t followed_by(struct cxx *c, unsigned text)
{
	uint16_t r = around(c, CXX_VENDORQ);

	c->node[r].b = cxx_op_node(c, CXX_TEXT, text, 0, 0);
	return r;
}

static uint16_t type_of(struct cxx *c)
{
	char ch = *c->p;
	uint16_t r;

	switch (ch) {
	case 'D':
		return d_type(c);
	case 'S':
		return substituted_type(c);
	case 'r':
	case 'V':
	case 'K':
		r = qualified_type(c);
		break;
	case 'P':
	case 'R':
	case 'O':
		r = around(c, ch == 'P' ? CXX_PTR : ch == 'R' ? CXX_REF : CXX_RREF);
		break;
	case 'C':
	case 'G':
		r = followed_by(c, ch == 'C' ? CXX_TEXT_COMPLEX : CXX_TEXT_IMAGINARY);
		break;
	case 'F':
		r = function_type(c, 0, 0);
		break;
	case 'A':
		r = array_type(c);
		break;
	case 'M':
		c->p++;
		r = cxx_type(c);
		r = cxx_node(c, CXX_PTRMEM, r, cxx_type(c));
		break;
	case 'U':
		r = vendor_qualified(c);
		break;
	case 'T':
		if (c->p[1] == 's' || c->p[1] == 'u' || c->p[1] == 'e') {
			c->p += 2;
			r = cxx_name(c);
		} else {
			r = param_type(c);
		}
		break;
	case 'u':
		c->p++;
		r = cxx_unqualified(c);
		break;
	default:
		if (ch >= 'a' && ch <= 'z') {
			c->p++;
			return builtin(c, ch);
		}
		r = cxx_name(c);
	}
	return cxx_remember(c, r);
}

uint16_t cxx_type(struct cxx *c)
{
	bool tag = c->tag;
	uint16_t r;

	if (!cxx_enter(c))
		return 0;
	c->tag = false;
	r = type_of(c);
	c->tag = tag;
	c->depth--;
	return r;
}

/* --- templates --- */

uint16_t cxx_argument(const struct cxx *c, uint16_t l, unsigned i)
{
	while (l && i--)
		l = c->node[l].b;
	return c->node[l].a;
}

uint16_t cxx_template_param(struct cxx *c)
{
	unsigned i;

	c->p++;
	i = cxx_compact(c);
	return cxx_node(c, CXX_TPARAM, i, c->lambda || c->conversion ? 0 : cxx_argument(c, c->args, i));
}

static uint16_t literal(struct cxx *c)
{
	uint16_t args = c->args, r;
	bool tag = c->tag, minus;

	c->p++;
	if (cxx_eats(c, "_Z") || cxx_eat(c, 'Z')) {
		r = cxx_encoding(c, DEMANGLE_FULL);
		c->args = args;
		c->tag = tag;
		return cxx_eat(c, 'E') ? r : cxx_fail(c);
	}
	r = cxx_type(c);
	if (c->node[r].kind == CXX_BUILTIN && cxx_builtins[c->node[r].op] == 'N' && cxx_eat(c, 'E'))
		return r;
	minus = cxx_eat(c, 'n');

	const char *from = c->p;

	while (*c->p && *c->p != 'E')
		c->p++;
	r = cxx_node(c, CXX_LITERAL, r, cxx_node(c, CXX_NAME, (unsigned)(from - c->s), (unsigned)(c->p - from)));
	c->node[r].bits = minus;
	return cxx_eat(c, 'E') ? r : cxx_fail(c);
}

uint16_t cxx_template_arg(struct cxx *c)
{
	uint16_t r;

	/* The parameter's declaration may precede the argument (Clang 18). */
	while (*c->p == 'T' && (c->p[1] == 'n' || c->p[1] == 'y' || c->p[1] == 'p')) {
		c->p += 2;
		if (c->p[-1] == 'n')
			cxx_type(c);
	}
	if (*c->p == 'L')
		return literal(c);
	if (*c->p == 'I' || *c->p == 'J')
		return cxx_node(c, CXX_PACK, cxx_template_args(c), 0);
	if (!cxx_eat(c, 'X'))
		return cxx_type(c);
	r = cxx_expression(c);
	return cxx_eat(c, 'E') ? r : cxx_fail(c);
}

uint16_t cxx_template_args(struct cxx *c)
{
	uint16_t last = c->last;
	struct cxx_list list = { 0 };

	if (!cxx_enter(c))
		return 0;
	c->p++;
	while (*c->p && *c->p != 'E')
		cxx_add(c, &list, cxx_template_arg(c));
	if (!cxx_eat(c, 'E'))
		cxx_fail(c);
	c->depth--;
	c->last = last;
	return list.head;
}

/* --- expressions --- */

uint16_t cxx_operator(struct cxx *c)
{
	const char *t = cxx_operators;

	if (c->p[0] == 'v' && cxx_digit(c->p[1])) {
		c->p += 2;
		return cxx_node(c, CXX_VENDOROP, cxx_unqualified(c), 0);
	}
	if (cxx_eats(c, "cv")) {
		bool conversion = c->conversion;
		uint16_t r;

		c->conversion = !c->expression;
		r = cxx_type(c);
		c->conversion = conversion;
		return cxx_node(c, CXX_CONVERT, r, 0);
	}
	while (*t && (t[0] != c->p[0] || t[1] != c->p[1]))
		t += strlen(t) + 1;
	if (!*t)
		return cxx_fail(c);
	c->p += 2;
	return cxx_op_node(c, CXX_OPERATOR, (unsigned)(t - cxx_operators), 0, 0);
}

/* A list of expressions up to `end`. */
static uint16_t arguments(struct cxx *c, char end)
{
	struct cxx_list list = { 0 };

	while (*c->p && *c->p != end)
		cxx_add(c, &list, cxx_expression(c));
	return cxx_eat(c, end) ? cxx_node(c, CXX_ARGS, list.head, 0) : cxx_fail(c);
}

static uint16_t base_name(struct cxx *c)
{
	if (cxx_eats(c, "dn"))
		return cxx_node(c, CXX_DTOR, cxx_type(c), 0);
	cxx_eats(c, "on");
	return cxx_unqualified(c);
}

static uint16_t name_with_args(struct cxx *c)
{
	uint16_t r = base_name(c);

	return *c->p == 'I' ? cxx_node(c, CXX_TEMPLATE, r, cxx_template_args(c)) : r;
}

static uint16_t init_list(struct cxx *c, uint16_t type)
{
	return cxx_node(c, CXX_INIT, type, arguments(c, 'E'));
}

static uint16_t new_expression(struct cxx *c)
{
	uint16_t place = arguments(c, '_'), type = cxx_type(c), init = 0;
	struct cxx_list l = { 0 };

	if (cxx_eats(c, "pi"))
		init = arguments(c, 'E');
	else if (*c->p == 'i')
		init = cxx_expression(c);
	else if (!cxx_eat(c, 'E'))
		return cxx_fail(c);
	cxx_add(c, &l, c->node[place].a ? place : 0);
	cxx_add(c, &l, init);
	return cxx_node(c, CXX_NEW, type, l.head);
}

static uint16_t one_operand(struct cxx *c, const char *t, unsigned op)
{
	if (t[0] == 's' && t[1] == 'Z')
		return cxx_node(c, CXX_COUNT, cxx_expression(c), 0);
	if (t[0] == 's' && t[1] == 'P') {
		c->p--;   /* these arguments have no I in front */
		return cxx_node(c, CXX_COUNT, 0, cxx_template_args(c));
	}
	if (t[0] == t[1] && !cxx_eat(c, '_'))   /* pp and mm: ++ and -- */
		return cxx_op_node(c, CXX_POSTFIX, op, cxx_expression(c), 0);
	return cxx_op_node(c, CXX_UNARY, op, cxx_expression(c), 0);
}

static uint16_t two_operands(struct cxx *c, const char *t, unsigned op)
{
	uint16_t a, b;

	if (t[0] == 'f') {
		uint16_t by = cxx_operator(c), r;

		op = c->node[by].op;
		a = cxx_expression(c);
		r = cxx_op_node(c, CXX_FOLD, op, a, t[2] == '3' ? cxx_expression(c) : 0);
		c->node[r].bits = (uint8_t)t[1];
		return r;
	}
	a = t[2] == 'c' ? cxx_type(c) : t[0] == 'd' && t[1] == 'i' ? cxx_unqualified(c) : cxx_expression(c);
	b = t[0] == 'c' && t[1] == 'l' ? arguments(c, 'E') :
	    (t[0] == 'd' || t[0] == 'p') && t[1] == 't' && *c->p != 'L' ? name_with_args(c) :
	    cxx_expression(c);
	return cxx_op_node(c, CXX_BINARY, op, a, b);
}

static uint16_t operation(struct cxx *c)
{
	uint16_t r = cxx_operator(c);
	unsigned op = c->node[r].op;
	const char *t = cxx_operators + op;

	if (c->node[r].kind == CXX_CONVERT) {
		uint16_t what = cxx_eat(c, '_') ? arguments(c, 'E') : cxx_expression(c);

		return cxx_node(c, CXX_CAST, c->node[r].a, what);
	}
	if (c->node[r].kind != CXX_OPERATOR)
		return cxx_fail(c);
	switch (t[2]) {
	case '0':
		return cxx_op_node(c, CXX_UNARY, op, 0, 0);
	case '1':
		return one_operand(c, t, op);
	case 't':
		return cxx_op_node(c, CXX_UNARY, op, cxx_type(c), 0);
	case '3':
		if (t[0] == 'n')
			return new_expression(c);
		if (t[0] != 'f') {
			struct cxx_list l = { 0 };

			for (int i = 0; i < 3; i++)
				cxx_add(c, &l, cxx_expression(c));
			return cxx_op_node(c, CXX_TRINARY, op, l.head, 0);
		}
	}
	return two_operands(c, t, op);
}

/*
 * Behind sr: a name that depends on template parameters. The ABI's form is names up to E and a last one, none of them a
 * substitution; GCC writes a type and a name. Only the rest tells which: the first form that parses is taken.
 */
static uint16_t unresolved(struct cxx *c)
{
	uint16_t r = 0;

	if (*c->p < '0' || *c->p > '9' || c->gcc_names) {
		r = cxx_type(c);
	} else {
		c->two_forms = true;
		while (cxx_digit(*c->p)) {
			uint16_t next = name_with_args(c);

			r = r ? cxx_node(c, CXX_QUAL, r, next) : next;
		}
		if (!cxx_eat(c, 'E'))
			return cxx_fail(c);
		r = cxx_node(c, CXX_QUAL, r, base_name(c));
		return *c->p == 'I' ? cxx_node(c, CXX_TEMPLATE, r, cxx_template_args(c)) : r;
	}
	return cxx_node(c, CXX_QUAL, r, name_with_args(c));
}

static uint16_t expression_of(struct cxx *c)
{
	if (*c->p == 'L')
		return literal(c);
	if (*c->p == 'T')
		return cxx_template_param(c);
	if (cxx_eats(c, "sr"))
		return unresolved(c);
	if (cxx_eats(c, "sp"))
		return cxx_node(c, CXX_EXPAND, cxx_expression(c), 0);
	if (!strncmp(c->p, "fpT", 3)) {
		c->p += 3;
		return cxx_op_node(c, CXX_TEXT, CXX_TEXT_THIS, 0, 0);
	}
	if (c->p[0] == 'f' && (c->p[1] == 'p' || (c->p[1] == 'L' && cxx_digit(c->p[2])))) {
		c->p += 2;
		if (c->p[-1] == 'L')   /* parameter of an enclosing function */
			cxx_number(c);
		if (c->p[-1] != 'p' && !cxx_eat(c, 'p'))
			return cxx_fail(c);
		cxx_qualifiers(c);
		return cxx_node(c, CXX_PARM, 0, cxx_compact(c) + 1);
	}
	if (cxx_digit(*c->p) || !strncmp(c->p, "on", 2))
		return name_with_args(c);
	if (cxx_eats(c, "il"))
		return init_list(c, 0);
	if (cxx_eats(c, "tl"))
		return init_list(c, cxx_type(c));
	return operation(c);
}

static uint16_t cxx_expression(struct cxx *c)
{
	bool outer = c->expression;
	uint16_t r;

	if (!cxx_enter(c))
		return 0;
	c->expression = true;
	r = expression_of(c);
	c->expression = outer;
	c->depth--;
	return r;
}
