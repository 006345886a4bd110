/* filter.c - compiles the text of a filter into a tree for each event. */
#include "tracefs/grammar/filter_parts.h"

#include "base/fmt.h"

enum { DEPTH_MAX = 60, NODES_MAX = 2000, BY_ID_MAX = UINT16_MAX + 1 };

struct parse {
	struct tlex lex;
	const struct tfmt *fmt;
	struct arena *arena;
	const char *text;        /* the whole filter: errors show the place in it */
	unsigned depth, nodes;
	struct err *e;
	int r;
};

static void *fail(struct parse *p, const char *at, const char *what)
{
	size_t off = (size_t)(at - p->text);

	if (!p->r)
		p->r = err_set(p->e, EINVAL, "filter: %s\n  %.150s\n  %*s^", what, p->text, (int)MIN(off, 150u), "");
	return NULL;
}

/* Where the current token begins in the text, with its quote. */
static const char *token(const struct parse *p)
{
	const char *s = p->lex.text.s;

	return s > p->text && (s[-1] == '"' || s[-1] == '\'') ? s - 1 : s;
}

static void next(struct parse *p)
{
	struct tlex *l = &p->lex;

	tlex_next(l);
	if ((l->kind == '=' || l->kind == '!') && l->pos < l->end && *l->pos == '~') {
		l->kind = l->kind == '=' ? TFILTER_REGEX : TFILTER_NOT_REGEX;
		l->pos++;
	} else if (l->kind == TLEX_BAD && l->text.n && l->text.s[-1] == '\'') {
		l->kind = TLEX_STR;
	}
}

static struct tfilter_node *node(struct parse *p, enum tfilter_op op, const struct tfilter_node *a,
				 const struct tfilter_node *b)
{
	struct tfilter_node *n = p->r ? NULL : arena_alloc(p->arena, sizeof(*n));

	if (!n) {
		p->r = p->r ? p->r : err_nomem(p->e);
		return NULL;
	}
	/* Evaluation recurses: the number of nodes is limited. */
	if (++p->nodes > NODES_MAX)
		return fail(p, token(p), "too long");
	n->op = (uint8_t)op;
	n->a = a;
	n->b = b;
	return n;
}

static const struct tfilter_node *parse_all(struct parse *p);

static const struct tfilter_node *name(struct parse *p)
{
	struct sv s = p->lex.text;
	const struct tfield *f = NULL;
	struct tfilter_node *n;

	for (uint32_t i = 0; i < p->fmt->n_fields && !f; i++)
		if (sv_eq(s, p->fmt->fields[i].name))
			f = &p->fmt->fields[i];
	n = node(p, f ? TFILTER_FIELD : sv_eq(s, "COMM") ? TFILTER_COMM : sv_eq(s, "CPU") ? TFILTER_CPU :
		 sv_eq(s, "TIMESTAMP") ? TFILTER_TIME : TFILTER_FALSE, NULL, NULL);
	if (n) {
		n->field = n->op == TFILTER_COMM ? tfmt_field(p->fmt, "common_pid") : f;
		n->str = s;
	}
	return n;
}

static const struct tfilter_node *primary(struct parse *p)
{
	const struct tfilter_node *r = NULL;
	struct tfilter_node *n;
	const char *at = token(p);   /* includes a sign; the text ends with a NUL */

	if (p->depth > DEPTH_MAX)
		return fail(p, at, "nested too deep");
	if (*at == '-') {
		next(p);
		if (p->lex.kind != TLEX_NUM)
			return fail(p, token(p), "a number expected");
	}
	switch (p->lex.kind) {
	case '(':
		next(p);
		r = parse_all(p);
		if (r && p->lex.kind != ')')
			return fail(p, token(p), "')' expected");
		break;
	case TLEX_NUM:
	case TLEX_STR:
		r = n = node(p, p->lex.kind == TLEX_NUM ? TFILTER_NUMBER : TFILTER_STRING, NULL, NULL);
		if (n) {
			n->v = *at == '-' ? -p->lex.v : p->lex.v;
			n->sub = *at != '-' && n->v > INT64_MAX;
			n->quoted = *at == '\'' || *at == '"';
			n->str.n = p->lex.text.n;
			n->str.s = arena_dup(p->arena, p->lex.text.s, p->lex.text.n);
			p->r = n->str.s ? 0 : err_nomem(p->e);
		}
		break;
	case TLEX_NAME:
		r = name(p);
		break;
	default:
		return fail(p, at, "a field or a value expected");
	}
	next(p);
	return r;
}

/* Precedence of the operator, 0: no operator. */
static int binds(int op)
{
	switch (op) {
	case '|': return 1;
	case '^': return 2;
	case '&': return 3;
	case TLEX_SHL: case TLEX_SHR: return 4;
	case '+': case '-': return 5;
	case '*': case '/': case '%': return 6;
	}
	return 0;
}

static bool is_false(const struct tfilter_node *n)
{
	return n && n->op == TFILTER_FALSE;
}

static const struct tfilter_node *term(struct parse *p, int least)
{
	const struct tfilter_node *a = primary(p);

	while (a && !p->r && binds(p->lex.kind) >= least) {
		int op = p->lex.kind;
		const char *at = token(p);
		const struct tfilter_node *b;
		struct tfilter_node *n;

		next(p);
		b = term(p, binds(op) + 1);
		if (a->op == TFILTER_STRING || (b && b->op == TFILTER_STRING))
			return fail(p, at, "no arithmetic with text");
		n = node(p, is_false(a) || is_false(b) ? TFILTER_FALSE : TFILTER_ARITH, a, b);
		if (n)
			n->sub = (uint8_t)op;
		a = n;
	}
	return a;
}

static bool is_text_field(const struct tfilter_node *n)
{
	return n->op == TFILTER_COMM || (n->op == TFILTER_FIELD && n->field->is_string);
}

static const struct tfilter_node *text_compare(struct parse *p, const struct tfilter_node *a, int op, const char *at,
					       const struct tfilter_node *b)
{
	struct tfilter_node *n;

	if (is_false(a))
		return a;
	if (a->op != TFILTER_FIELD && a->op != TFILTER_COMM)
		return fail(p, at, "only a field compares with text");
	if (op != TLEX_EQ && op != TLEX_NE && op != '~' && op < TFILTER_REGEX)
		return fail(p, at, "text compares with == != =~ !~ ~");
	n = node(p, TFILTER_TEXT, a, NULL);
	if (!n)
		return NULL;
	n->sub = (uint8_t)op;
	n->str = b->str;
	if (op >= TFILTER_REGEX)
		p->r = rex_init(&n->rex, p->arena, b->str, p->e);
	return p->r ? NULL : n;
}

static bool compares(int op)
{
	return op == TLEX_EQ || op == TLEX_NE || op == TLEX_LE || op == TLEX_GE || op == '<' || op == '>' ||
	       op == '~' || op == TFILTER_REGEX || op == TFILTER_NOT_REGEX;
}

static const struct tfilter_node *comparison(struct parse *p)
{
	const struct tfilter_node *a = term(p, 1), *b;
	const char *at = token(p);
	struct tfilter_node *n;
	int op = p->lex.kind;

	if (!a || !compares(op)) {
		if (a && a->op == TFILTER_STRING)
			return fail(p, at, "a comparison expected");
		return a;
	}
	next(p);
	b = term(p, 1);
	if (!b)
		return NULL;
	if (b->op == TFILTER_STRING || (b->quoted && is_text_field(a)))
		return text_compare(p, a, op, at, b);
	if (op == '~' || op >= TFILTER_REGEX)
		return fail(p, at, "a pattern in quotes expected behind this");
	if (a->op == TFILTER_STRING)
		return fail(p, at, "the field stands on the left");
	n = node(p, is_false(a) || is_false(b) ? TFILTER_FALSE : TFILTER_COMPARE, a, b);
	if (n)
		n->sub = (uint8_t)op;
	return n;
}

static const struct tfilter_node *item(struct parse *p)
{
	const struct tfilter_node *a;
	struct tfilter_node *n;

	if (p->lex.kind != '!')
		return comparison(p);
	if (p->depth > DEPTH_MAX)
		return fail(p, token(p), "nested too deep");
	next(p);
	p->depth++;
	a = item(p);
	p->depth--;
	n = a ? node(p, TFILTER_NOT, a, NULL) : NULL;
	if (n && (a->op == TFILTER_FALSE || a->op == TFILTER_TRUE))
		n->op = a->op == TFILTER_FALSE ? TFILTER_TRUE : TFILTER_FALSE;
	return n;
}

/* Simplify a && b or a || b when one of them is constant. */
static const struct tfilter_node *joined(struct parse *p, int op, const struct tfilter_node *a,
					 const struct tfilter_node *b)
{
	enum tfilter_op decides = op == TLEX_AND ? TFILTER_FALSE : TFILTER_TRUE;
	enum tfilter_op idle = op == TLEX_AND ? TFILTER_TRUE : TFILTER_FALSE;
	struct tfilter_node *n;

	if (a->op == decides || b->op == idle)
		return a;
	if (b->op == decides || a->op == idle)
		return b;
	n = node(p, TFILTER_LOGIC, a, b);
	if (n)
		n->sub = (uint8_t)op;
	return n;
}

static const struct tfilter_node *parse_all(struct parse *p)
{
	const struct tfilter_node *a, *b;

	p->depth++;
	a = item(p);
	while (a && !p->r && (p->lex.kind == TLEX_AND || p->lex.kind == TLEX_OR)) {
		int op = p->lex.kind;

		next(p);
		b = item(p);
		a = b ? joined(p, op, a, b) : NULL;
	}
	p->depth--;
	return p->r ? NULL : a;
}

/* Where the tree of that event is stored; NULL without memory. id is below BY_ID_MAX. */
static const struct tfilter_node **place(struct tfilter *f, uint32_t id)
{
	while (f->by_id.n <= id)
		if (!vec_add(&f->by_id))
			return NULL;
	return &f->by_id.v[id];
}

static int add_event(struct tfilter *f, const struct tevent *ev, struct parse p, const char *expr)
{
	const struct tfilter_node *n, **at;

	p.fmt = &ev->fmt;
	if (ev->fmt.id >= BY_ID_MAX)
		return 0;
	at = place(f, ev->fmt.id);
	if (!at)
		return err_nomem(p.e);
	if (expr) {
		tlex_init(&p.lex, (struct sv){ expr, 0 });
		p.lex.end = expr + strlen(expr);
		next(&p);
		n = parse_all(&p);
		if (n && p.lex.kind != TLEX_END)
			fail(&p, token(&p), "&& or || expected");
	} else {
		n = node(&p, TFILTER_TRUE, NULL, NULL);
	}
	if (!p.r)
		*at = n;
	return p.r;
}

static int whole_name(struct rex *r, struct arena *a, struct sv s, struct err *e)
{
	char text[256];

	if (s.n > sizeof(text) - 3)
		return err_set(e, EINVAL, "filter: the name is too long");
	snprintf(text, sizeof(text), "^%.*s$", (int)s.n, s.s);
	return rex_init(r, a, sv_from(text), e);
}

/* "sys/event", or a "name" of system or event: compile for each event that matches. */
static int add_name(struct tfilter *f, const struct tevents *t, struct parse *p, struct sv name_of, const char *expr)
{
	struct sv rest = name_of, first = { 0 };
	struct rex sys, event;
	bool both = memchr(name_of.s, '/', name_of.n) != NULL, found = false;
	int r;

	if (both)
		sv_cut(&rest, '/', &first);
	first = sv_trim(first);
	rest = sv_trim(rest);
	if (!rest.n)
		return fail(p, name_of.s, "the name of an event expected"), p->r;
	r = whole_name(&event, p->arena, rest, p->e);
	if (!r && both)
		r = whole_name(&sys, p->arena, first, p->e);
	for (size_t i = 0; !r && i < t->list.n; i++) {
		const struct tevent *ev = t->list.v[i];
		bool is_sys = rex_match(both ? &sys : &event, sv_from(ev->fmt.system));
		bool is_name = rex_match(&event, sv_from(ev->fmt.name));

		if (both ? is_sys && is_name : is_sys || is_name) {
			found = true;
			r = add_event(f, ev, *p, expr);
		}
	}
	if (!r && !found) {
		fail(p, name_of.s, "the recording has no such event");
		r = p->r = -ENOENT;
		p->e->code = ENOENT;
	}
	return r;
}

int tfilter_add(struct tfilter *f, const struct tevents *t, struct arena *a, const char *text, struct err *e)
{
	struct err spare;
	struct parse p = { .arena = a, .text = text, .e = e ? e : &spare };
	const char *colon = strchr(text, ':');
	struct sv names = { text, colon ? (size_t)(colon - text) : strlen(text) }, piece;
	int r = 0;

	if (!names.n)
		return fail(&p, text, "names of events expected"), p.r;
	while (!r && sv_cut(&names, ',', &piece))
		r = add_name(f, t, &p, piece, colon ? colon + 1 : NULL);
	return r;
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static const struct tfilter_tasks *tasks(struct arena *a, const uint64_t *pids, size_t n)
{
	struct tfilter_tasks *t = arena_alloc(a, sizeof(*t));
	uint64_t *given = t ? arena_alloc(a, n * sizeof(*given)) : NULL;
	uint64_t *sorted = given ? arena_alloc(a, n * sizeof(*sorted)) : NULL;

	if (!sorted)
		return NULL;
	memcpy(given, pids, n * sizeof(*given));
	memcpy(sorted, pids, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), by_number);
	*t = (struct tfilter_tasks){ sorted, given, n };
	return t;
}

/* An event without any of these fields concerns no task. */
static const struct tfilter_node *tasks_node(struct parse *p, const struct tfilter_tasks *t)
{
	static const char *const names[] = { "next_pid", "pid", "common_pid" };
	struct tfilter_node *n = node(p, TFILTER_TASKS, NULL, NULL), *field;

	for (size_t i = 0; n && i < ARRAY_SIZE(names); i++) {
		const struct tfield *f = tfmt_field(p->fmt, names[i]);

		if (!f)
			continue;
		field = node(p, TFILTER_FIELD, NULL, n->a);
		if (!field)
			return NULL;
		field->field = f;
		field->str = sv_from(names[i]);
		n->a = field;
	}
	if (n)
		n->tasks = t;
	if (n && !n->a)
		n->op = TFILTER_FALSE;
	return n;
}

int tfilter_add_tasks(struct tfilter *f, const struct tevents *t, struct arena *a, const uint64_t *pids, size_t n,
		      struct err *e)
{
	const struct tfilter_tasks *list = tasks(a, pids, n);

	for (size_t i = 0; i < t->list.n; i++) {
		const struct tfmt *fmt = &t->list.v[i]->fmt;
		struct parse p = { .arena = a, .fmt = fmt, .e = e };
		const struct tfilter_node **at, *tree;

		if (fmt->id >= BY_ID_MAX)
			continue;
		at = list ? place(f, fmt->id) : NULL;
		tree = at ? tasks_node(&p, list) : NULL;
		if (!tree)
			return err_nomem(e);
		*at = tree;
	}
	return list ? 0 : err_nomem(e);
}

void tfilter_deinit(struct tfilter *f)
{
	vec_free(&f->by_id);
}
