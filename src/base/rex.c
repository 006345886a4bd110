/* rex.c - compile the pattern into the program of an NFA, then simulate all its states in parallel (Thompson, Pike). */
#include "base/rex.h"

enum { INS_MAX = 500, DEPTH_MAX = 20 };

enum op { OP_CHAR, OP_ANY, OP_SET, OP_SPLIT, OP_JUMP, OP_START, OP_END, OP_MATCH };

struct rex_ins {
	uint8_t op, c;
	uint16_t x, y;       /* targets: SPLIT both, JUMP x; other instructions go on with the next one */
	uint64_t *set;       /* SET: a bitmap of 256 bits */
};

struct comp {
	struct sv p;
	size_t at;
	struct rex_ins *v;
	unsigned n, depth;
	struct arena *arena;
	const char *why;     /* the error; NULL: none so far */
	bool extended;       /* the operators are ( ) | + ?; otherwise \( \) \| \+ \? */
};

static unsigned lower(unsigned char c)
{
	return c >= 'A' && c <= 'Z' ? c + 32u : c;
}

static unsigned emit(struct comp *c, enum op op, unsigned x, unsigned y)
{
	if (c->n >= INS_MAX) {
		c->why = "the expression is too long";
		return 0;
	}
	c->v[c->n] = (struct rex_ins){ .op = (uint8_t)op, .x = (uint16_t)x, .y = (uint16_t)y };
	return c->n++;
}

/* Insert an instruction at `at`, in front of an atom that was compiled already. Moves the atom's jump targets along. */
static void insert(struct comp *c, unsigned at, enum op op)
{
	if (!emit(c, op, 0, 0) && c->why)
		return;
	memmove(&c->v[at + 1], &c->v[at], (c->n - 1 - at) * sizeof(*c->v));
	c->v[at] = (struct rex_ins){ .op = (uint8_t)op };
	for (unsigned i = at + 1; i < c->n; i++) {
		c->v[i].x = (uint16_t)(c->v[i].x + (c->v[i].x >= at));
		c->v[i].y = (uint16_t)(c->v[i].y + (c->v[i].y >= at));
	}
}

static bool escaped(const struct comp *c, char x)
{
	if (c->extended)
		return c->p.n > c->at && c->p.s[c->at] == x;
	return c->p.n - c->at > 1 && c->p.s[c->at] == '\\' && c->p.s[c->at + 1] == x;
}

/* Length of the operator that escaped() found. */
static size_t mark(const struct comp *c)
{
	return c->extended ? 1 : 2;
}

static void set_add(uint64_t *set, unsigned from, unsigned to)
{
	for (unsigned ch = from; ch <= to; ch++)
		set[lower((unsigned char)ch) / 64] |= UINT64_C(1) << lower((unsigned char)ch) % 64;
}

/* Add the character class [:name:] at c->at to the set; false: unknown or malformed. */
static bool set_class(struct comp *c, uint64_t *set)
{
	static const struct { const char *name, *ranges; } classes[] = {
		{ "alpha", "az" }, { "digit", "09" }, { "alnum", "az09" }, { "upper", "az" }, { "lower", "az" },
		{ "space", "\t\r  " }, { "xdigit", "09af" }, { "punct", "!/:@[`{~" },
	};
	struct sv rest = { c->p.s + c->at + 2, c->p.n - c->at - 2 }, name;

	if (!sv_cut(&rest, ':', &name) || !rest.n || rest.s[0] != ']')
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		if (!sv_eq(name, classes[i].name))
			continue;
		for (const char *r = classes[i].ranges; *r; r += 2)
			set_add(set, (unsigned char)r[0], (unsigned char)r[1]);
		c->at += name.n + 4;
		return true;
	}
	return false;
}

static void bracket(struct comp *c)
{
	uint64_t *set = arena_alloc(c->arena, 4 * sizeof(*set));
	unsigned ins = emit(c, OP_SET, 0, 0);
	bool negate = false;
	size_t start;

	c->at++;
	if (c->at < c->p.n && c->p.s[c->at] == '^') {
		negate = true;
		c->at++;
	}
	start = c->at;
	while (set && c->at < c->p.n && (c->p.s[c->at] != ']' || c->at == start)) {
		unsigned char a = (unsigned char)c->p.s[c->at], b = a;

		if (a == '[' && c->p.n - c->at > 2 && c->p.s[c->at + 1] == ':') {
			if (set_class(c, set))
				continue;
			break;
		}
		if (c->p.n - c->at > 2 && c->p.s[c->at + 1] == '-' && c->p.s[c->at + 2] != ']') {
			b = (unsigned char)c->p.s[c->at + 2];
			c->at += 2;
		}
		set_add(set, a, b);
		c->at++;
	}
	if (!set || c->at >= c->p.n || c->p.s[c->at] != ']') {
		c->why = set ? "a bracket without its end" : "no memory";
		return;
	}
	c->at++;
	for (int i = 0; negate && i < 4; i++)
		set[i] = ~set[i];
	c->v[ins].set = set;
}

static void alternatives(struct comp *c);

static void group(struct comp *c)
{
	c->at += mark(c);
	if (++c->depth > DEPTH_MAX) {
		c->why = "too many groups";
		return;
	}
	alternatives(c);
	c->depth--;
	if (!escaped(c, ')'))
		c->why = c->why ? c->why : c->extended ? "( without )" : "\\( without \\)";
	else
		c->at += mark(c);
}

static void atom(struct comp *c)
{
	unsigned char ch = (unsigned char)c->p.s[c->at];

	const char *plain = c->extended ? "\\.[]*^$/+-?(|){}" : "\\.[]*^$/+-?(|";

	if (c->extended && strchr("{*+?)", ch)) {
		c->why = ch == '{' ? "{n} is not supported" : "there is nothing to repeat, or to close";
	} else if (ch == '[') {
		bracket(c);
	} else if (escaped(c, '(')) {
		group(c);
	} else {
		if (ch == '\\') {
			/* A backslash may only precede a character with a special meaning, which it takes away. */
			if (++c->at >= c->p.n || !strchr(plain, c->p.s[c->at])) {
				c->why = "what follows \\ is not supported";
				return;
			}
			ch = (unsigned char)c->p.s[c->at];
		} else if (ch == '.') {
			emit(c, OP_ANY, 0, 0);
			c->at++;
			return;
		}
		c->v[emit(c, OP_CHAR, 0, 0)].c = (uint8_t)lower(ch);
		c->at++;
	}
}

/* Compile any * \+ \? that follow the atom whose code starts at `from`. */
static void repeat(struct comp *c, unsigned from)
{
	while (!c->why && c->at < c->p.n) {
		bool star = c->p.s[c->at] == '*', plus = escaped(c, '+');

		if (!star && !plus && !escaped(c, '?'))
			return;
		c->at += star ? 1 : mark(c);
		if (plus) {
			emit(c, OP_SPLIT, from, c->n + 1);
			continue;
		}
		insert(c, from, OP_SPLIT);
		if (star)
			emit(c, OP_JUMP, from, 0);
		c->v[from].x = (uint16_t)(from + 1);
		c->v[from].y = (uint16_t)c->n;
	}
}

static bool at_end(const struct comp *c)
{
	return c->at >= c->p.n || escaped(c, '|') || (c->depth && escaped(c, ')'));
}

static void sequence(struct comp *c)
{
	bool first = true;

	for (; !c->why && !at_end(c); first = false) {
		unsigned from = c->n;
		char ch = c->p.s[c->at];

		if (ch == '^' && first) {
			emit(c, OP_START, 0, 0);
			c->at++;
			continue;
		}
		if (ch == '$') {
			c->at++;
			if (at_end(c)) {
				emit(c, OP_END, 0, 0);
				continue;
			}
			c->at--;
		}
		atom(c);
		repeat(c, from);
	}
}

static void alternatives(struct comp *c)
{
	unsigned from = c->n;

	sequence(c);
	while (!c->why && escaped(c, '|')) {
		unsigned jump;

		c->at += mark(c);
		insert(c, from, OP_SPLIT);
		jump = emit(c, OP_JUMP, 0, 0);
		c->v[from].x = (uint16_t)(from + 1);
		c->v[from].y = (uint16_t)c->n;
		sequence(c);
		c->v[jump].x = (uint16_t)c->n;
	}
}

static int compile(struct rex *r, struct arena *a, struct sv pattern, bool extended, struct err *e)
{
	struct rex_ins v[INS_MAX];
	struct comp c = { .p = pattern, .v = v, .arena = a, .extended = extended };
	struct rex_ins *copy;

	alternatives(&c);
	if (!c.why && c.at < pattern.n)
		c.why = extended ? ") without (" : "\\) without \\(";
	if (!c.why)
		emit(&c, OP_MATCH, 0, 0);
	if (c.why)
		return err_at(e, EINVAL, c.at, "regular expression '%.*s': %s", (int)MIN(pattern.n, 200u), pattern.s,
			      c.why);
	copy = arena_alloc(a, c.n * sizeof(*copy));
	if (!copy)
		return err_nomem(e);
	memcpy(copy, v, c.n * sizeof(*copy));
	*r = (struct rex){ copy, c.n };
	return 0;
}

int rex_init(struct rex *r, struct arena *a, struct sv pattern, struct err *e)
{
	return compile(r, a, pattern, false, e);
}

int rex_init_extended(struct rex *r, struct arena *a, struct sv pattern, struct err *e)
{
	return compile(r, a, pattern, true, e);
}

/* NFA states that wait for the next character. seen[pc]: instruction pc was visited in this step. */
struct states {
	unsigned n;
	uint16_t v[INS_MAX];
	bool seen[INS_MAX];
};

/*
 * Add the states reachable from pc without a character; true: OP_MATCH is one. Each instruction is visited once, so
 * the program's length bounds the recursion.
 */
static bool add(const struct rex *r, struct states *s, unsigned pc, bool at_start, bool at_stop)
{
	while (!s->seen[pc]) {
		const struct rex_ins *i = &r->v[pc];

		s->seen[pc] = true;
		if (i->op == OP_MATCH)
			return true;
		if (i->op == OP_JUMP) {
			pc = i->x;
		} else if (i->op == OP_SPLIT) {
			if (add(r, s, i->x, at_start, at_stop))
				return true;
			pc = i->y;
		} else if (i->op == OP_START || i->op == OP_END) {
			if (!(i->op == OP_START ? at_start : at_stop))
				return false;
			pc++;
		} else {
			s->v[s->n++] = (uint16_t)pc;
			return false;
		}
	}
	return false;
}

static bool takes(const struct rex_ins *i, unsigned c)
{
	return i->op == OP_ANY || (i->op == OP_CHAR ? i->c == c : i->set[c / 64] >> c % 64 & 1);
}

bool rex_match(const struct rex *r, struct sv text)
{
	struct states s[2];
	unsigned now = 0;

	for (size_t at = 0;; at++, now ^= 1) {
		struct states *next = &s[now];
		const struct states *last = &s[now ^ 1];

		next->n = 0;
		memset(next->seen, 0, r->n);
		for (unsigned k = 0; at && k < last->n; k++)
			if (takes(&r->v[last->v[k]], lower((unsigned char)text.s[at - 1])) &&
			    add(r, next, last->v[k] + 1u, false, at == text.n))
				return true;
		if (add(r, next, 0, !at, at == text.n))
			return true;
		if (at == text.n)
			return false;
	}
}
