/*
 * cxx.c - Itanium C++ ABI: parses encodings, names and substitutions into a tree.
 *
 * The name ends in a NUL, which no rule accepts; after a failure no input is left, so every loop ends.
 */
#include "obj/demangle/parts.h"

/*
 * Fixed texts (CXX_TEXT_...), then for standard substitutions (S and a letter): the letter, text, text of the complete
 * type, name that a constructor repeats.
 */
const char cxx_std[] =
	"(anonymous namespace)\0" "string literal\0" "_Complex\0" "_Imaginary\0" "this\0"
	"t" "std\0" "std\0" "\0"
	"a" "std::allocator\0" "std::allocator\0" "allocator\0"
	"b" "std::basic_string\0" "std::basic_string\0" "basic_string\0"
	"s" "std::string\0" "std::basic_string<char, std::char_traits<char>, std::allocator<char> >\0" "basic_string\0"
	"i" "std::istream\0" "std::basic_istream<char, std::char_traits<char> >\0" "basic_istream\0"
	"o" "std::ostream\0" "std::basic_ostream<char, std::char_traits<char> >\0" "basic_ostream\0"
	"d" "std::iostream\0" "std::basic_iostream<char, std::char_traits<char> >\0" "basic_iostream\0";

/* Two letters, what follows (t type, n name, e encoding with offsets, 2 two types, r name and number), text. */
const char cxx_specials[] =
	"TVt" "vtable for \0" "TTt" "VTT for \0" "TIt" "typeinfo for \0" "TSt" "typeinfo name for \0"
	"TFt" "typeinfo fn for \0" "TJt" "java Class for \0" "TC2" "construction vtable for \0"
	"Tho" "non-virtual thunk to \0" "Tvo" "virtual thunk to \0" "Tco" "covariant return thunk to \0"
	"THn" "TLS init function for \0" "TWn" "TLS wrapper function for \0" "TAa" "template parameter object for \0"
	"GTe" "transaction clone for \0"
	"GVn" "guard variable for \0" "GRr" "reference temporary #\0";

uint16_t cxx_fail(struct cxx *c)
{
	c->bad = true;
	c->p = c->end;
	return 0;
}

bool cxx_enter(struct cxx *c)
{
	if (c->depth >= CXX_DEPTH || ++c->steps > CXX_STEPS)
		return cxx_fail(c);
	c->depth++;
	return true;
}

uint16_t cxx_op_node(struct cxx *c, enum cxx_kind kind, unsigned op, unsigned a, unsigned b)
{
	if (c->bad || c->nodes == CXX_NODES)
		return cxx_fail(c);
	c->node[c->nodes] = (struct cxx_node){
		.kind = (uint8_t)kind, .op = (uint16_t)op, .a = (uint16_t)a, .b = (uint16_t)b,
	};
	return (uint16_t)c->nodes++;
}

uint16_t cxx_node(struct cxx *c, enum cxx_kind kind, unsigned a, unsigned b)
{
	return cxx_op_node(c, kind, 0, a, b);
}

void cxx_add(struct cxx *c, struct cxx_list *l, uint16_t item)
{
	uint16_t n = cxx_node(c, CXX_LIST, item, 0);

	if (l->tail)
		c->node[l->tail].b = n;
	else
		l->head = n;
	l->tail = n;
}

uint16_t cxx_remember(struct cxx *c, uint16_t node)
{
	if (c->bad || c->subs == CXX_SUBS)
		return cxx_fail(c);
	c->sub[c->subs++] = node;
	return node;
}

bool cxx_eat(struct cxx *c, char ch)
{
	if (*c->p != ch)
		return false;
	c->p++;
	return true;
}

bool cxx_eats(struct cxx *c, const char *two)
{
	if (c->p[0] != two[0] || c->p[1] != two[1])
		return false;
	c->p += 2;
	return true;
}

unsigned cxx_number(struct cxx *c)
{
	unsigned v = 0;

	if (!cxx_digit(*c->p))
		return cxx_fail(c);
	while (cxx_digit(*c->p) && v < UINT16_MAX)
		v = v * 10 + (unsigned)(*c->p++ - '0');
	return v < UINT16_MAX ? v : cxx_fail(c);
}

unsigned cxx_compact(struct cxx *c)
{
	unsigned v = *c->p == '_' ? 0 : cxx_number(c) + 1;

	return cxx_eat(c, '_') ? v : cxx_fail(c);
}

static uint16_t source_name(struct cxx *c)
{
	unsigned n = cxx_number(c);
	const char *s = c->p;

	if (!n || n > (size_t)(c->end - s))
		return cxx_fail(c);
	c->p += n;
	if (n >= 10 && !strncmp(s, "_GLOBAL_", 8) && (s[8] == '.' || s[8] == '_' || s[8] == '$') && s[9] == 'N')
		c->last = cxx_op_node(c, CXX_TEXT, CXX_TEXT_ANONYMOUS, 0, 0);
	else
		c->last = cxx_node(c, CXX_NAME, (unsigned)(s - c->s), n);
	return c->last;
}

static uint16_t abi_tags(struct cxx *c, uint16_t r)
{
	uint16_t last = c->last;

	while (cxx_eat(c, 'B'))
		r = cxx_node(c, CXX_TAG, r, source_name(c));
	c->last = last;
	return r;
}

/* _3 or __12_ behind a local name distinguishes equal ones. */
static void discriminator(struct cxx *c)
{
	bool two = c->p[0] == '_' && c->p[1] == '_';

	if (*c->p != '_' || !cxx_digit(c->p[two ? 2 : 1]))
		return;
	c->p += two ? 2 : 1;
	cxx_number(c);
	if (two)
		cxx_eat(c, '_');
}

/* Behind "Ul": the lambda's parameters and number. */
static uint16_t lambda(struct cxx *c)
{
	uint16_t list, r;

	c->lambda++;
	list = cxx_params(c);
	c->lambda--;
	r = cxx_eat(c, 'E') ? cxx_node(c, CXX_LAMBDA, list, 0) : cxx_fail(c);
	c->node[r].b = (uint16_t)(cxx_compact(c) + 1);
	return r;
}

static uint16_t unnamed(struct cxx *c)
{
	if (cxx_eats(c, "Ul"))
		return lambda(c);
	if (cxx_eats(c, "Ut"))
		return cxx_node(c, CXX_UNNAMED, 0, cxx_compact(c) + 1);
	return cxx_fail(c);
}

/* C1 D2 CI1<type>: repeats the name of the class. */
static uint16_t ctor_dtor(struct cxx *c)
{
	bool dtor = *c->p++ == 'D';
	uint16_t last = c->last;

	if (dtor && *c->p == 'C') {
		struct cxx_list list = { 0 };

		c->p++;
		while (cxx_digit(*c->p))
			cxx_add(c, &list, source_name(c));
		return cxx_eat(c, 'E') ? cxx_node(c, CXX_BIND, list.head, 0) : cxx_fail(c);
	}
	bool inherited = !dtor && cxx_eat(c, 'I');

	if (!last || *c->p < '0' || *c->p > '5')
		return cxx_fail(c);
	c->p++;
	if (inherited)
		cxx_type(c);
	c->last = last;
	return dtor ? cxx_node(c, CXX_DTOR, last, 0) : cxx_node(c, CXX_CTOR, last, 0);
}

uint16_t cxx_unqualified(struct cxx *c)
{
	char ch = *c->p;
	uint16_t r;

	if (ch == 'L') {
		c->p++;
		r = source_name(c);
		discriminator(c);
	} else if (cxx_digit(ch)) {
		r = source_name(c);
	} else if (ch == 'C' || ch == 'D') {
		r = ctor_dtor(c);
	} else if (ch == 'U') {
		r = unnamed(c);
	} else {
		if (cxx_eats(c, "on"))
			c->last = 0;
		r = cxx_operator(c);
		if (c->node[r].kind == CXX_OPERATOR && !strncmp(cxx_operators + c->node[r].op, "li", 2))
			r = cxx_node(c, CXX_LITOP, source_name(c), 0);
	}
	return *c->p == 'B' ? abi_tags(c, r) : r;
}

/* A standard substitution of cxx_std; `prefix`: a constructor may follow, which needs the complete type. */
static uint16_t standard(struct cxx *c, bool prefix)
{
	const char *t = cxx_std + CXX_TEXT_STD;

	while (*t && *t != *c->p)
		for (int i = 0; i < 3; i++)
			t += strlen(t) + 1;
	if (!*t)
		return cxx_fail(c);
	c->p++;

	const char *whole = t + 1 + strlen(t + 1) + 1, *last = whole + strlen(whole) + 1;
	bool ctor = prefix && (*c->p == 'C' || *c->p == 'D');
	uint16_t r = cxx_op_node(c, CXX_TEXT, (unsigned)((ctor ? whole : t + 1) - cxx_std), 0, 0);

	if (*last)
		c->last = cxx_op_node(c, CXX_TEXT, (unsigned)(last - cxx_std), 0, 0);
	return *c->p == 'B' ? cxx_remember(c, abi_tags(c, r)) : r;
}

uint16_t cxx_substitution(struct cxx *c, bool prefix)
{
	unsigned v = 0;

	c->p++;
	if (!cxx_eat(c, '_')) {
		const char *from = c->p;

		for (; cxx_digit(*c->p) || (*c->p >= 'A' && *c->p <= 'Z'); c->p++)
			v = MIN(v * 36 + (unsigned)(*c->p - (cxx_digit(*c->p) ? '0' : 'A' - 10)), (unsigned)CXX_SUBS);
		if (c->p == from)
			return standard(c, prefix);
		if (!cxx_eat(c, '_'))
			return cxx_fail(c);
		v++;
	}
	return v < c->subs ? c->sub[v] : cxx_fail(c);
}

/* Template arguments behind a name. They resolve the T_ that conversion operators and generic lambdas left open. */
static uint16_t template_of(struct cxx *c, uint16_t name, unsigned from)
{
	bool own = c->tag && !c->conversion;
	uint16_t args = cxx_template_args(c);

	if (own) {
		c->args = args;
		for (unsigned i = from; i < c->nodes; i++)
			if (c->node[i].kind == CXX_TPARAM && !c->node[i].b)
				c->node[i].b = cxx_argument(c, args, c->node[i].a);
	}
	return cxx_node(c, CXX_TEMPLATE, name, args);
}

static uint16_t prefix_of(struct cxx *c)
{
	unsigned from = c->nodes;
	uint16_t r = 0;

	while (*c->p != 'E' && !c->bad) {
		char ch = *c->p;

		if (ch == 'M' && r) {   /* a lambda in the initialiser of the named variable */
			c->p++;
			continue;
		}
		if (ch == 'I') {
			r = r ? template_of(c, r, from) : cxx_fail(c);
		} else {
			uint16_t next = ch == 'S' ? cxx_substitution(c, true) :
					ch == 'T' ? cxx_template_param(c) :
					ch == 'D' && (c->p[1] == 't' || c->p[1] == 'T') ? cxx_decltype(c) :
					cxx_unqualified(c);

			r = r ? cxx_node(c, CXX_QUAL, r, next) : next;
		}
		if (ch != 'S' && *c->p != 'E')
			cxx_remember(c, r);
	}
	return r;
}

unsigned cxx_qualifiers(struct cxx *c)
{
	unsigned bits = 0;

	for (;; c->p++) {
		if (*c->p == 'r')
			bits |= CXX_RESTRICT;
		else if (*c->p == 'V')
			bits |= CXX_VOLATILE;
		else if (*c->p == 'K')
			bits |= CXX_CONST;
		else
			return bits;
	}
}

static uint16_t nested_name(struct cxx *c)
{
	unsigned bits;
	uint16_t r;

	c->p++;
	bits = cxx_qualifiers(c);
	bits |= cxx_eat(c, 'R') ? CXX_LREF : cxx_eat(c, 'O') ? CXX_RVAL : 0;
	r = prefix_of(c);
	if (!r || !cxx_eat(c, 'E'))
		return cxx_fail(c);
	if (bits) {
		r = cxx_node(c, CXX_THIS, r, 0);
		c->node[r].bits = (uint8_t)bits;
	}
	return r;
}

/* An entity inside a function, whose return type is not shown. */
static uint16_t local_name(struct cxx *c)
{
	uint16_t args = c->args, f, r;
	bool tag = c->tag;
	int arg = -1;

	c->p++;
	f = cxx_encoding(c, DEMANGLE_FULL);
	c->tag = tag;
	if (!cxx_eat(c, 'E'))
		return cxx_fail(c);
	if (cxx_eat(c, 's')) {
		r = cxx_op_node(c, CXX_TEXT, CXX_TEXT_STRING, 0, 0);
		discriminator(c);
	} else {
		if (cxx_eat(c, 'd'))
			arg = (int)cxx_compact(c);
		r = cxx_name(c);
		if (c->node[r].kind != CXX_LAMBDA && c->node[r].kind != CXX_UNNAMED)
			discriminator(c);
		if (arg >= 0)
			r = cxx_node(c, CXX_DEFARG, r, (unsigned)arg + 1);
	}
	if (c->node[f].kind == CXX_FN)
		c->node[c->node[f].b].a = 0;
	if (!tag)
		c->args = args;
	return cxx_node(c, CXX_LOCAL, f, r);
}

uint16_t cxx_name(struct cxx *c)
{
	unsigned from = c->nodes;
	bool old = false;
	uint16_t r;

	if (*c->p == 'N')
		return nested_name(c);
	if (*c->p == 'Z')
		return local_name(c);
	if (*c->p == 'S' && c->p[1] != 't') {
		r = cxx_substitution(c, false);
		old = true;
	} else if (cxx_eats(c, "St")) {
		r = cxx_op_node(c, CXX_TEXT, CXX_TEXT_STD + 1, 0, 0);
		r = cxx_node(c, CXX_QUAL, r, cxx_unqualified(c));
	} else {
		r = cxx_unqualified(c);
	}
	if (*c->p != 'I')
		return r;
	if (!old)
		cxx_remember(c, r);
	return template_of(c, r, from);
}

/* Constructors, destructors and conversions have no return type; other templates have. */
static bool has_return_type(const struct cxx *c, uint16_t name)
{
	const struct cxx_node *n = &c->node[name];

	while (n->kind == CXX_THIS || n->kind == CXX_LOCAL || n->kind == CXX_DEFARG)
		n = &c->node[n->kind == CXX_LOCAL ? n->b : n->a];
	if (n->kind != CXX_TEMPLATE)
		return false;
	n = &c->node[n->a];
	while (n->kind == CXX_QUAL || n->kind == CXX_LOCAL)
		n = &c->node[n->b];
	return n->kind != CXX_CTOR && n->kind != CXX_DTOR && n->kind != CXX_CONVERT;
}

uint16_t cxx_params(struct cxx *c)
{
	struct cxx_list list = { 0 };

	while (*c->p && *c->p != 'E' && *c->p != '.' && !((*c->p == 'R' || *c->p == 'O') && c->p[1] == 'E'))
		cxx_add(c, &list, cxx_type(c));
	if (!list.head)
		return cxx_fail(c);

	const struct cxx_node *first = &c->node[c->node[list.head].a];
	bool nothing = list.head == list.tail && first->kind == CXX_BUILTIN && cxx_builtins[first->op] == 'v';

	return nothing ? 0 : list.head;
}

static void call_offset(struct cxx *c)
{
	char kind = *c->p++;

	if (kind != 'h' && kind != 'v')
		cxx_fail(c);
	for (int i = kind == 'v' ? 2 : 1; i && !c->bad; i--) {
		cxx_eat(c, 'n');
		while (cxx_digit(*c->p))
			c->p++;
		if (!cxx_eat(c, '_'))
			cxx_fail(c);
	}
}

static uint16_t special(struct cxx *c)
{
	const char *t = cxx_specials;
	uint16_t a, b = 0;

	while (*t && (t[0] != c->p[0] || t[1] != c->p[1]))
		t += strlen(t) + 1;
	if (!*t)
		return cxx_fail(c);
	c->p += 2;
	c->tag = false;
	switch (t[2]) {
	case 'o':
		c->p--;
		if (t[1] == 'c') {
			c->p++;
			call_offset(c);
		}
		call_offset(c);
		a = cxx_encoding(c, DEMANGLE_FULL);
		break;
	case 'e':
		a = cxx_eat(c, 't') ? cxx_encoding(c, DEMANGLE_FULL) : cxx_fail(c);
		break;
	case 'a':
		a = cxx_template_arg(c);
		break;
	case 'n':
	case 'r':
		a = cxx_name(c);
		if (t[2] == 'r')
			b = (uint16_t)(*c->p == '_' || cxx_digit(*c->p) ? cxx_compact(c) : 0);
		break;
	default:
		a = cxx_type(c);
		if (t[2] == '2') {
			while (cxx_digit(*c->p))
				c->p++;
			b = cxx_eat(c, '_') ? a : cxx_fail(c);
			a = cxx_type(c);
		}
	}
	return cxx_op_node(c, CXX_SPECIAL, (unsigned)(t + 2 - cxx_specials), a, b);
}

static uint16_t function_or_data(struct cxx *c, enum demangle_style style)
{
	uint16_t name, type;

	c->tag = true;
	name = cxx_name(c);
	c->tag = false;
	if (style == DEMANGLE_SHORT || !*c->p || *c->p == 'E')
		return name;
	type = has_return_type(c, name) ? cxx_type(c) : 0;
	type = cxx_node(c, CXX_FUNC, type, cxx_params(c));
	return cxx_node(c, CXX_FN, name, type);
}

uint16_t cxx_encoding(struct cxx *c, enum demangle_style style)
{
	uint16_t r;

	if (!cxx_enter(c))
		return 0;
	r = *c->p == 'T' || *c->p == 'G' ? special(c) : function_or_data(c, style);
	c->depth--;
	return r;
}

/* Parse from the start, with GCC's or the ABI's form of names in expressions. */
static uint16_t parse(struct cxx *c, const char *name, enum demangle_style style, bool gcc_names)
{
	uint16_t r;

	memset(c, 0, offsetof(struct cxx, node[1]));
	c->s = name;
	c->p = name + 2;
	c->end = name + strlen(name);
	c->nodes = 1;
	c->gcc_names = gcc_names;
	r = cxx_encoding(c, style);
	if (style == DEMANGLE_FULL && *c->p && *c->p != '.')
		cxx_fail(c);
	return c->bad ? 0 : r;
}

bool demangle_cxx(struct dem_out *o, const char *name, enum demangle_style style)
{
	struct cxx c;
	uint16_t r;

	if (strnlen(name, UINT16_MAX) == UINT16_MAX)
		return false;
	r = parse(&c, name, style, false);
	if (!r && c.two_forms)
		r = parse(&c, name, style, true);
	if (!r)
		return false;
	c.depth = c.steps = c.args = 0;
	c.o = o;
	cxx_print(&c, r);
	return !c.bad && dem_clones(o, c.p, style);
}
