/* expr.c - parse C expressions by precedence. */
#include "tracefs/print/eval.h"
#include "tracefs/print/expr.h"

enum {
	NEST_MAX = 120,    /* nesting of parentheses and unary operators; kernels have some 25 */
	DEPTH_MAX = 200,   /* of the tree */
};

void *texpr_fail(struct texpr_ctx *c, const char *what, struct sv token)
{
	if (!c->why[0])
		snprintf(c->why, sizeof(c->why), "%s%s%.*s%s", what, token.n ? " '" : "", (int)MIN(token.n, 60u),
			 token.n ? token.s : "", token.n ? "'" : "");
	return NULL;
}

bool texpr_want(struct texpr_ctx *c, int kind)
{
	if (c->lex.kind != kind) {
		char what[] = "expected x before";

		what[9] = (char)kind;
		texpr_fail(c, what, c->lex.kind == TLEX_END ? SV("end") : c->lex.text);
		return false;
	}
	tlex_next(&c->lex);
	return true;
}

struct texpr *texpr_node(struct texpr_ctx *c, enum texpr_op op, const struct texpr *a, const struct texpr *b)
{
	struct texpr *x = arena_alloc(c->arena, sizeof(*x));
	unsigned depth = 1u + MAX(a ? a->depth : 0u, b ? b->depth : 0u);

	if (!x) {
		c->no_memory = true;
		return NULL;
	}
	if (depth > DEPTH_MAX)
		return texpr_fail(c, "expression is too deep", (struct sv){ 0 });
	x->op = (uint8_t)op;
	x->depth = (uint8_t)depth;
	x->a = a;
	x->b = b;
	return x;
}

static bool constant(const struct texpr *x)
{
	return !x || x->op == TEXPR_NUM;
}

const struct texpr *texpr_fold(struct texpr_ctx *c, struct texpr *x)
{
	struct teval ev = { .long_size = c->fmt->long_size };
	struct tval v;

	if (x && x->op == TEXPR_COND && constant(x->a))
		return x->a->v ? x->b : x->c;
	if (!x || !constant(x->a) || !constant(x->b) || !constant(x->c))
		return x;
	v = tval_of(&ev, x);
	if (v.kind == TVAL_NUM) {
		x->op = TEXPR_NUM;
		x->v = v.v;
		x->type = v.type;
		x->depth = 1;
		x->a = x->b = x->c = NULL;
	}
	return x;
}

static struct texpr *number_node(struct texpr_ctx *c, uint64_t v, uint8_t size, bool is_unsigned)
{
	struct texpr *x = texpr_node(c, TEXPR_NUM, NULL, NULL);

	if (x) {
		x->v = v;
		x->type = (struct texpr_type){ .size = size, .is_unsigned = is_unsigned };
	}
	return x;
}

static const struct texpr *literal_number(struct texpr_ctx *c)
{
	const struct tlex *l = &c->lex;
	uint8_t size = l->v > UINT32_MAX ? 8 : l->is_long ? c->fmt->long_size : 4;
	const struct texpr *x = number_node(c, l->v, size, l->is_unsigned);

	tlex_next(&c->lex);
	return x;
}

/* Adjacent string literals are one. */
bool texpr_string(struct texpr_ctx *c, struct sv *s)
{
	struct tlex ahead = c->lex;
	size_t room = 0, n = 0;
	char *text;

	for (; ahead.kind == TLEX_STR; tlex_next(&ahead))
		room += ahead.text.n;
	text = arena_alloc(c->arena, room + 1);
	if (!text) {
		c->no_memory = true;
		return false;
	}
	for (; c->lex.kind == TLEX_STR; tlex_next(&c->lex))
		n += tlex_unescape(text + n, c->lex.text);
	*s = (struct sv){ text, n };
	return true;
}

static const struct texpr *literal_string(struct texpr_ctx *c)
{
	struct texpr *x = texpr_node(c, TEXPR_STR, NULL, NULL);

	return x && texpr_string(c, &x->str) ? x : NULL;
}

static const struct tfield *find_field(const struct texpr_ctx *c, struct sv name)
{
	for (uint32_t i = 0; i < c->fmt->n_fields; i++)
		if (sv_eq(name, c->fmt->fields[i].name))
			return &c->fmt->fields[i];
	return NULL;
}

const struct tfield *texpr_field_name(struct texpr_ctx *c)
{
	const struct tfield *f;

	if (c->lex.kind != TLEX_NAME)
		return texpr_fail(c, "expected a field's name before", c->lex.text);
	f = find_field(c, c->lex.text);
	if (!f)
		return texpr_fail(c, "no field", c->lex.text);
	tlex_next(&c->lex);
	return f;
}

static const struct texpr *field_node(struct texpr_ctx *c, const struct tfield *f)
{
	struct texpr *x = texpr_node(c, TEXPR_FIELD, NULL, NULL);

	if (!x)
		return NULL;
	x->field = f;
	if (f->kind == TFIELD_POINTER) {
		uint32_t elem = tfmt_type_size((struct sv){ f->type, strcspn(f->type, "*") }, f->long_size);

		x->type = (struct texpr_type){ .size = c->fmt->long_size, .is_unsigned = true, .pointer = true,
					       .elem = (uint8_t)elem, .no_arith = !elem };
	}
	return x;
}

/* REC->name; the REC was taken before. */
static const struct texpr *record_field(struct texpr_ctx *c)
{
	const struct tfield *f;

	if (c->lex.kind != TLEX_ARROW)
		return texpr_fail(c, "the record's own address", (struct sv){ 0 });
	tlex_next(&c->lex);
	f = texpr_field_name(c);
	return f ? field_node(c, f) : NULL;
}

/* "REC)" behind the '(', as some macros leave it. */
static bool bare_record(struct texpr_ctx *c)
{
	struct tlex l = c->lex;

	if (!sv_eq(l.text, "REC"))
		return false;
	tlex_next(&l);
	if (l.kind != ')')
		return false;
	tlex_next(&l);
	c->lex = l;
	return true;
}

/* Constants of the kernel's user API, or long unchanged ones, that print fmts name without a TRACE_DEFINE_ENUM. */
static bool known_name(struct sv name, uint64_t *v)
{
	static const struct { const char *name; uint8_t v; } known[] = {
#define NAME(name, value) { #name, value },
#include "tracefs/print/names.def"
#undef NAME
	};

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (sv_eq(name, known[i].name)) {
			*v = known[i].v;
			return true;
		}
	return false;
}

/* A node for a name whose value is unknown. */
static const struct texpr *texpr_unknown(struct texpr_ctx *c, struct sv name)
{
	struct texpr *x = texpr_node(c, TEXPR_UNKNOWN, NULL, NULL);

	if (!x)
		return NULL;
	x->str = name;
	if (!c->unknown && !(c->unknown = arena_dup(c->arena, name.s, name.n)))
		c->no_memory = true;
	return x;
}

/* The field of "REC->field)" behind "sizeof(", or NULL. */
static const struct tfield *size_of_field(const struct texpr_ctx *c)
{
	struct tlex l = c->lex;
	struct sv name;

	if (!sv_eq(l.text, "REC"))
		return NULL;
	tlex_next(&l);
	tlex_next(&l);
	name = l.text;
	tlex_next(&l);
	return l.kind == ')' ? find_field(c, name) : NULL;
}

/* sizeof(...): the '(' was taken. The size is unknown for anything but a type or a field; the operand is skipped. */
static const struct texpr *size_of(struct texpr_ctx *c, const char *start)
{
	const struct tfield *f = size_of_field(c);
	const char *end = c->lex.pos;
	struct texpr_type t = { 0 };

	if (texpr_at_type(c)) {
		struct texpr_ctx probe = *c;

		texpr_parse_type(&probe, &t);
	}
	for (unsigned open = 1; open && c->lex.kind != TLEX_END; tlex_next(&c->lex)) {
		end = c->lex.pos;
		open += c->lex.kind == '(';
		open -= c->lex.kind == ')';
	}
	if (f || t.size)
		return number_node(c, f ? f->size : t.size, c->fmt->long_size, true);
	return texpr_unknown(c, (struct sv){ start, (size_t)(end - start) });
}

/* Index of the caller's word of that name; c->n_words: none. */
static size_t word_of(const struct texpr_ctx *c, struct sv name, bool is_function)
{
	size_t i = 0;

	while (i < c->n_words && (c->words[i].is_function != is_function || !sv_eq(name, c->words[i].name)))
		i++;
	return i;
}

static const struct texpr *word_node(struct texpr_ctx *c, size_t which, const struct texpr *const *args, size_t n)
{
	struct texpr *x = texpr_node(c, TEXPR_WORD, NULL, NULL);
	const struct texpr **copy = n ? arena_alloc(c->arena, n * sizeof(const struct texpr *)) : NULL;
	unsigned depth = 1;

	if (!x || (n && !copy)) {
		c->no_memory = true;
		return NULL;
	}
	for (size_t i = 0; i < n; i++) {
		copy[i] = args[i];
		depth = MAX(depth, args[i]->depth + 1u);
	}
	if (depth > DEPTH_MAX)
		return texpr_fail(c, "expression is too deep", (struct sv){ 0 });
	x->depth = (uint8_t)depth;
	x->v = which;
	x->args = copy;
	x->n_table = (uint32_t)n;
	return x;
}

/* Call f(a, b) of a word: the '(' is the current token. */
static const struct texpr *word_call(struct texpr_ctx *c, size_t which)
{
	const struct texpr_word *w = &c->words[which];
	const struct texpr *args[TEXPR_ARGS];
	struct sv name = sv_from(w->name);
	size_t n = 0;

	do {
		tlex_next(&c->lex);
		if (!n && c->lex.kind == ')')
			break;
		if (n == MIN(w->most, (unsigned)TEXPR_ARGS))
			return texpr_fail(c, "too many arguments for", name);
		args[n] = texpr_parse(c);
		if (!args[n++])
			return NULL;
	} while (c->lex.kind == ',');
	if (n < w->least)
		return texpr_fail(c, "too few arguments for", name);
	return texpr_want(c, ')') ? word_node(c, which, args, n) : NULL;
}

static const struct texpr *name(struct texpr_ctx *c)
{
	const struct tlex at = c->lex;
	struct sv word = at.text;
	const struct tfield *f;
	size_t which;
	uint64_t v;

	tlex_next(&c->lex);
	if (sv_eq(word, "REC"))
		return record_field(c);
	if (c->lex.kind == '(') {
		which = word_of(c, word, true);
		if (which < c->n_words)
			return word_call(c, which);
		if (!sv_eq(word, "sizeof"))
			return texpr_call(c, word);
		tlex_next(&c->lex);
		return size_of(c, word.s);
	}
	for (unsigned i = c->n_lets; i-- > 0;)
		if (word.n == c->let[i].name.n && !memcmp(word.s, c->let[i].name.s, word.n))
			return c->let[i].value;
	if (known_name(word, &v))
		return number_node(c, v, 4, false);
	/* Some events name a field without REC->, in the kernel a stray local variable: take the field. */
	f = find_field(c, word);
	which = word_of(c, word, false);
	if (f)
		return field_node(c, f);
	if (which < c->n_words)
		return word_node(c, which, NULL, 0);
	if (c->words)
		return c->lex = at, texpr_fail(c, "no field", word);
	return texpr_unknown(c, word);
}

static const struct texpr *unary(struct texpr_ctx *c);

/* At "type name ="? Leaves the name as the current token. */
static bool at_declaration(struct texpr_ctx *c)
{
	struct tlex l = c->lex, last = l;

	for (; l.kind == TLEX_NAME; tlex_next(&l))
		last = l;
	if (l.kind != '=' || last.text.s == c->lex.text.s)
		return false;
	c->lex = last;
	return true;
}

/* ({ int x = A; int y = B; E; }) with the '{' as the current token: E, in which x is A. */
static const struct texpr *statement(struct texpr_ctx *c)
{
	unsigned lets = c->n_lets;
	const struct texpr *x;

	tlex_next(&c->lex);
	while (at_declaration(c)) {
		struct sv word = c->lex.text;

		tlex_next(&c->lex);
		tlex_next(&c->lex);
		x = texpr_parse(c);
		if (!x || !texpr_want(c, ';'))
			return NULL;
		if (c->n_lets == TEXPR_LETS)
			return texpr_fail(c, "too many variables at", word);
		c->let[c->n_lets++] = (struct texpr_let){ word, x };
	}
	x = texpr_parse(c);
	c->n_lets = lets;
	return x && texpr_want(c, ';') && texpr_want(c, '}') && texpr_want(c, ')') ? x : NULL;
}

static const struct texpr *primary(struct texpr_ctx *c)
{
	const struct texpr *x;

	switch (c->lex.kind) {
	case TLEX_NUM: return literal_number(c);
	case TLEX_STR: return literal_string(c);
	case TLEX_NAME: return name(c);
	case '(':
		tlex_next(&c->lex);
		if (c->lex.kind == '{')
			return statement(c);
		if (bare_record(c))
			return record_field(c);
		if (texpr_at_type(c)) {
			struct texpr_type t;
			const struct texpr *a = texpr_parse_type(c, &t) ? unary(c) : NULL;
			struct texpr *cast = a ? texpr_node(c, TEXPR_CAST, a, NULL) : NULL;

			if (cast)
				cast->type = t;
			return texpr_fold(c, cast);
		}
		x = texpr_parse(c);
		return x && texpr_want(c, ')') ? x : NULL;
	case TLEX_END: return texpr_fail(c, "the text ends inside an expression", (struct sv){ 0 });
	default: return texpr_fail(c, "unexpected", c->lex.text);
	}
}

static const struct texpr *postfix(struct texpr_ctx *c)
{
	const struct texpr *x = primary(c), *i;

	while (x && c->lex.kind == '[') {
		tlex_next(&c->lex);
		i = texpr_parse(c);
		x = i && texpr_want(c, ']') ? texpr_node(c, TEXPR_INDEX, x, i) : NULL;
	}
	if (x && (c->lex.kind == '.' || c->lex.kind == TLEX_ARROW))
		return texpr_fail(c, "member of a structure", (struct sv){ 0 });
	return x;
}

/* &REC->field, &REC->array[i] */
static const struct texpr *address_of(struct texpr_ctx *c, const struct texpr *of)
{
	struct texpr *x = NULL;

	if (of && of->op == TEXPR_FIELD) {
		x = texpr_node(c, TEXPR_ADDRESS, NULL, NULL);
		if (x)
			x->field = of->field;
	} else if (of && of->op == TEXPR_INDEX) {
		x = texpr_node(c, TEXPR_BINARY, of->a, of->b);
		if (x)
			x->sub = '+';
	} else if (of) {
		texpr_fail(c, "address of an expression", (struct sv){ 0 });
	}
	return x;
}

static const struct texpr *unary_of(struct texpr_ctx *c)
{
	static const struct { char c; uint8_t op; } ops[] = {
		{ '-', TEXPR_NEG }, { '!', TEXPR_NOT }, { '~', TEXPR_INVERT }, { '+', TEXPR_PLUS },
		{ '*', TEXPR_DEREF },
	};
	int kind = c->lex.kind;

	if (kind == '&') {
		tlex_next(&c->lex);
		return address_of(c, unary(c));
	}
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++) {
		const struct texpr *a;

		if (kind != ops[i].c)
			continue;
		tlex_next(&c->lex);
		a = unary(c);
		return a ? texpr_fold(c, texpr_node(c, ops[i].op, a, NULL)) : NULL;
	}
	return postfix(c);
}

static const struct texpr *unary(struct texpr_ctx *c)
{
	const struct texpr *x;

	if (c->depth >= NEST_MAX)
		return texpr_fail(c, "expression is nested too deeply", (struct sv){ 0 });
	c->depth++;
	x = unary_of(c);
	c->depth--;
	return x;
}

static unsigned precedence(const struct texpr_ctx *c)
{
	switch (c->lex.kind) {
	case TLEX_OR: return 1;
	case TLEX_AND: return 2;
	case '|': return 3;
	case '^': return 4;
	case '&': return 5;
	case TLEX_EQ: case TLEX_NE: return 6;
	case '<': case '>': case TLEX_LE: case TLEX_GE: return 7;
	case '~': return c->words ? 7 : 0;
	case TLEX_SHL: case TLEX_SHR: return 8;
	case '+': case '-': return 9;
	case '*': case '/': case '%': return 10;
	default: return 0;
	}
}

static const struct texpr *binary(struct texpr_ctx *c, unsigned min)
{
	const struct texpr *a = unary(c);

	for (unsigned p; a && (p = precedence(c)) >= min; ) {
		int op = c->lex.kind;
		const struct texpr *b;
		struct texpr *x;

		tlex_next(&c->lex);
		b = binary(c, p + 1);
		x = b ? texpr_node(c, op == '~' ? TEXPR_GLOB : TEXPR_BINARY, a, b) : NULL;
		if (x)
			x->sub = (uint8_t)op;
		a = texpr_fold(c, x);
	}
	return a;
}

const struct texpr *texpr_parse(struct texpr_ctx *c)
{
	const struct texpr *a = binary(c, 1), *yes, *no;
	struct texpr *x;

	if (!a || c->lex.kind != '?')
		return a;
	tlex_next(&c->lex);
	if (c->depth >= NEST_MAX)
		return texpr_fail(c, "expression is nested too deeply", (struct sv){ 0 });
	c->depth++;
	yes = c->lex.kind == ':' ? a : texpr_parse(c);   /* a ?: b is GNU C */
	no = yes && texpr_want(c, ':') ? texpr_parse(c) : NULL;
	c->depth--;
	x = no ? texpr_node(c, TEXPR_COND, yes, no) : NULL;
	if (!x)
		return NULL;
	x->a = a;
	x->b = yes;
	x->c = no;
	if (a->depth >= x->depth)
		x->depth = (uint8_t)MIN(a->depth + 1, UINT8_MAX);
	return x->depth > DEPTH_MAX ? texpr_fail(c, "expression is too deep", (struct sv){ 0 }) : texpr_fold(c, x);
}
