/*
 * rust_v0.c - Rust's v0 scheme (RFC 2603), printed while parsing; a back reference parses an earlier part
 * again.
 */
#include "obj/demangle/parts.h"

enum {
	RUST_DEPTH = 96,
	RUST_STEPS = 1 << 14,   /* parts parsed: each back reference may double the text */
	RUST_WIDE = 128,        /* limit for the characters of a non-ASCII name */
};

struct rust {
	const char *s, *p, *end;   /* behind _R; the current position; its NUL */
	struct dem_out *o;
	unsigned depth, steps;
	unsigned quiet;            /* > 0: do not follow back references */
	uint64_t lifetimes;        /* number of lifetimes bound by enclosing binders */
	bool bad;
};

static void path(struct rust *r, bool value);
static void type(struct rust *r);
static void constant(struct rust *r);

static void fail(struct rust *r)
{
	r->bad = true;
	r->p = r->end;
}

static void text(struct rust *r, const char *s)
{
	dem_str(r->o, s);
}

static void number(struct rust *r, uint64_t v)
{
	dem_num(r->o, v);
}

static void character(struct rust *r, char ch)
{
	dem_char(r->o, ch);
}

static bool eat(struct rust *r, char ch)
{
	if (*r->p != ch)
		return false;
	r->p++;
	return true;
}

static char next(struct rust *r)
{
	if (!*r->p) {
		fail(r);
		return '\0';
	}
	return *r->p++;
}

/* A number in base 62 (0-9 a-z A-Z): _ is 0, 0_ is 1, ... */
static uint64_t base62(struct rust *r)
{
	uint64_t v = 0;

	if (eat(r, '_'))
		return 0;
	while (!r->bad && !eat(r, '_')) {
		char ch = next(r);
		unsigned d = ch >= '0' && ch <= '9' ? (unsigned)(ch - '0') :
			     ch >= 'a' && ch <= 'z' ? (unsigned)(ch - 'a') + 10 :
			     ch >= 'A' && ch <= 'Z' ? (unsigned)(ch - 'A') + 36 :
			     62;

		if (d == 62 || v > UINT64_MAX / 62 - 1)
			fail(r);
		v = v * 62 + d;
	}
	return v + 1;
}

/* An optional number behind a tag; 0 without it. */
static uint64_t tagged(struct rust *r, char tag)
{
	return eat(r, tag) ? base62(r) + 1 : 0;
}

static bool enter(struct rust *r)
{
	if (r->depth >= RUST_DEPTH || ++r->steps > RUST_STEPS)
		fail(r);
	r->depth++;
	return !r->bad;
}

/* Jump to the target of a back reference. Returns where to continue behind it, or NULL: do not follow it. */
static const char *back(struct rust *r)
{
	const char *from = r->p - 1, *then;
	uint64_t to = base62(r);

	then = r->p;
	if (to >= (uint64_t)(from - r->s))
		fail(r);
	if (r->bad || r->quiet)
		return NULL;
	r->p = r->s + to;
	return then;
}

static void go_on(struct rust *r, const char *then)
{
	if (!r->bad)
		r->p = then;
}

static void utf8(struct rust *r, uint32_t c)
{
	if (c >= 0x10000) {
		character(r, (char)(0xf0 | c >> 18));
		character(r, (char)(0x80 | (c >> 12 & 63)));
	} else if (c >= 0x800) {
		character(r, (char)(0xe0 | c >> 12));
	}
	if (c >= 0x800)
		character(r, (char)(0x80 | (c >> 6 & 63)));
	else if (c >= 0x80)
		character(r, (char)(0xc0 | c >> 6));
	character(r, (char)(c < 0x80 ? c : 0x80 | (c & 63)));
}

/* Decode Punycode (RFC 3492) of n bytes; the delimiter is _. */
static void punycode(struct rust *r, const char *s, size_t n)
{
	uint32_t wide[RUST_WIDE], c = 128, at = 0, bias = 72, count = 0, damp = 700;
	size_t i = n;

	while (i && s[i - 1] != '_')
		i--;
	for (size_t k = 0; k + 1 < i && count < RUST_WIDE; k++)
		wide[count++] = (unsigned char)s[k];
	while (i < n) {
		uint32_t before = at, weight = 1, delta, k = 36;

		for (;; k += 36) {
			uint32_t t = k <= bias ? 1 : MIN(k - bias, 26U), d;

			if (i == n || weight > 1 << 24) {
				fail(r);
				return;
			}
			d = s[i] >= 'a' && s[i] <= 'z' ? (uint32_t)(s[i] - 'a') : (uint32_t)(s[i] - '0' + 26) & 63;
			i++;
			if (d >= 36 || (at += d * weight) > 1 << 28) {
				fail(r);
				return;
			}
			if (d < t)
				break;
			weight *= 36 - t;
		}
		if (count == RUST_WIDE) {
			fail(r);
			return;
		}
		count++;
		delta = (at - before) / damp;
		damp = 2;
		delta += delta / count;
		for (bias = 0; delta > 35 * 26 / 2; bias += 36)
			delta /= 35;
		bias += 36 * delta / (delta + 38);
		c += at / count;
		at %= count;
		if (c > 0x10ffff) {
			fail(r);
			return;
		}
		memmove(wide + at + 1, wide + at, (count - 1 - at) * sizeof(*wide));
		wide[at++] = c;
	}
	for (uint32_t k = 0; k < count; k++)
		utf8(r, wide[k]);
}

struct ident {
	const char *s;
	size_t n;
	bool wide;
};

static struct ident ident(struct rust *r)
{
	struct ident id = { .wide = eat(r, 'u') };

	if (*r->p < '0' || *r->p > '9')
		fail(r);
	if (!eat(r, '0'))
		while (*r->p >= '0' && *r->p <= '9' && id.n < UINT16_MAX)
			id.n = id.n * 10 + (size_t)(next(r) - '0');
	eat(r, '_');
	if (id.n > (size_t)(r->end - r->p)) {
		fail(r);
		id.n = 0;
	}
	id.s = r->p;
	r->p += id.n;
	return id;
}

static void print_ident(struct rust *r, struct ident id)
{
	if (id.wide)
		punycode(r, id.s, id.n);
	else
		dem_put(r->o, id.s, id.n);
}

/* Print a lifetime: 1 is the innermost bound one, 0 an erased one. */
static void lifetime(struct rust *r, uint64_t i)
{
	uint64_t depth = r->lifetimes - i;

	if (i > r->lifetimes) {
		fail(r);
		return;
	}
	character(r, '\'');
	if (!i) {
		character(r, '_');
	} else if (depth < 26) {
		character(r, (char)('a' + depth));
	} else {
		character(r, '_');
		number(r, depth);
	}
}

static void binder(struct rust *r)
{
	uint64_t n = tagged(r, 'G');

	if (!n)
		return;
	text(r, "for<");
	for (uint64_t i = 0; i < n && !r->bad && !r->o->bad; i++) {
		if (++r->steps > RUST_STEPS)
			fail(r);
		if (i)
			text(r, ", ");
		r->lifetimes++;
		lifetime(r, 1);
	}
	text(r, "> ");
}

static void generic_arg(struct rust *r)
{
	if (eat(r, 'L'))
		lifetime(r, base62(r));
	else if (eat(r, 'K'))
		constant(r);
	else
		type(r);
}

/* A list up to E, with commas. Returns the number of items. */
static unsigned list_of(struct rust *r, void (*one)(struct rust *r))
{
	unsigned n = 0;

	for (; !r->bad && !eat(r, 'E'); n++) {
		if (n)
			text(r, ", ");
		one(r);
	}
	return n;
}

static void nested(struct rust *r, bool value)
{
	char space = next(r);
	uint64_t number_of;
	struct ident id;

	if (!((space | 0x20) >= 'a' && (space | 0x20) <= 'z'))
		fail(r);
	path(r, value);
	number_of = tagged(r, 's');
	id = ident(r);
	if (space >= 'a') {
		if (id.n)
			text(r, "::");
		print_ident(r, id);
		return;
	}
	text(r, "::{");
	if (space == 'C')
		text(r, "closure");
	else if (space == 'S')
		text(r, "shim");
	else
		character(r, space);
	if (id.n)
		character(r, ':');
	print_ident(r, id);
	character(r, '#');
	number(r, number_of);
	character(r, '}');
}

/* Parse a path without printing it: its output is removed. */
static void silent_path(struct rust *r)
{
	struct dem_out out = *r->o;

	r->quiet++;
	path(r, false);
	r->quiet--;
	*r->o = out;
}

/* <type> or <type as trait> */
static void implementation(struct rust *r, char kind)
{
	if (kind != 'Y') {
		tagged(r, 's');
		silent_path(r);
	}
	character(r, '<');
	type(r);
	if (kind != 'M') {
		text(r, " as ");
		path(r, false);
	}
	character(r, '>');
}

static void path_of(struct rust *r, bool value)
{
	char kind = next(r);
	const char *then;

	switch (kind) {
	case 'C':
		tagged(r, 's');
		print_ident(r, ident(r));
		break;
	case 'N':
		nested(r, value);
		break;
	case 'M':
	case 'X':
	case 'Y':
		implementation(r, kind);
		break;
	case 'I':
		path(r, value);
		text(r, value ? "::<" : "<");
		list_of(r, generic_arg);
		character(r, '>');
		break;
	case 'B':
		then = back(r);
		if (then) {
			path(r, value);
			go_on(r, then);
		}
		break;
	default:
		fail(r);
	}
}

static void path(struct rust *r, bool value)
{
	if (enter(r))
		path_of(r, value);
	r->depth--;
}

/* A trait of dyn: leave its generics open for "Output = u8". Returns whether a < must be closed. */
static bool open_path(struct rust *r)
{
	const char *then;
	bool open = false;

	if (!enter(r)) {
		r->depth--;
		return false;
	}
	if (eat(r, 'B')) {
		then = back(r);
		if (then) {
			open = open_path(r);
			go_on(r, then);
		}
	} else if (eat(r, 'I')) {
		path(r, false);
		character(r, '<');
		list_of(r, generic_arg);
		open = true;
	} else {
		path(r, false);
	}
	r->depth--;
	return open;
}

static void dyn_trait(struct rust *r)
{
	bool open = open_path(r);

	while (eat(r, 'p')) {
		text(r, open ? ", " : "<");
		open = true;
		print_ident(r, ident(r));
		text(r, " = ");
		type(r);
	}
	if (open)
		character(r, '>');
}

static void dyn_type(struct rust *r)
{
	uint64_t outer = r->lifetimes, i;

	text(r, "dyn ");
	binder(r);
	for (bool first = true; !r->bad && !eat(r, 'E'); first = false) {
		if (!first)
			text(r, " + ");
		dyn_trait(r);
	}
	r->lifetimes = outer;
	if (!eat(r, 'L')) {
		fail(r);
		return;
	}
	i = base62(r);
	if (i) {
		text(r, " + ");
		lifetime(r, i);
	}
}

static void function_type(struct rust *r)
{
	uint64_t outer = r->lifetimes;

	binder(r);
	if (eat(r, 'U'))
		text(r, "unsafe ");
	if (eat(r, 'K')) {
		struct ident abi = { .s = "C", .n = 1 };

		if (!eat(r, 'C'))
			abi = ident(r);
		if (abi.wide || !abi.n)
			fail(r);
		text(r, "extern \"");
		for (size_t i = 0; i < abi.n; i++)
			character(r, abi.s[i] == '_' ? '-' : abi.s[i]);
		text(r, "\" ");
	}
	text(r, "fn(");
	list_of(r, type);
	character(r, ')');
	if (!eat(r, 'u')) {
		text(r, " -> ");
		type(r);
	}
	r->lifetimes = outer;
}

/* Letter and name of basic types. */
static const char basic[] =
	"ai8\0" "bbool\0" "cchar\0" "df64\0" "estr\0" "ff32\0" "hu8\0" "iisize\0" "jusize\0" "li32\0" "mu32\0"
	"ni128\0" "ou128\0" "p_\0" "si16\0" "tu16\0" "u()\0" "v...\0" "xi64\0" "yu64\0" "z!\0";

static void reference(struct rust *r, const char *mut)
{
	uint64_t i = 0;

	character(r, '&');
	if (eat(r, 'L'))
		i = base62(r);
	if (i) {
		lifetime(r, i);
		character(r, ' ');
	}
	text(r, mut);
	type(r);
}

static void type_of(struct rust *r)
{
	char kind = next(r);
	const char *then;

	for (const char *t = basic; *t; t += strlen(t) + 1)
		if (*t == kind) {
			text(r, t + 1);
			return;
		}
	switch (kind) {
	case 'R':
	case 'Q':
		reference(r, kind == 'Q' ? "mut " : "");
		break;
	case 'P':
	case 'O':
		text(r, kind == 'P' ? "*const " : "*mut ");
		type(r);
		break;
	case 'A':
	case 'S':
		character(r, '[');
		type(r);
		if (kind == 'A') {
			text(r, "; ");
			constant(r);
		}
		character(r, ']');
		break;
	case 'T':
		character(r, '(');
		if (list_of(r, type) == 1)
			character(r, ',');
		character(r, ')');
		break;
	case 'F':
		function_type(r);
		break;
	case 'D':
		dyn_type(r);
		break;
	case 'B':
		then = back(r);
		if (then) {
			type(r);
			go_on(r, then);
		}
		break;
	default:
		if (!r->bad)
			r->p--;
		path(r, false);
	}
}

static void type(struct rust *r)
{
	if (enter(r))
		type_of(r);
	r->depth--;
}

/* Print a character as a literal. */
static void quoted(struct rust *r, uint64_t c)
{
	const char *special = c && c < 0x7f ? strchr("t\tr\rn\n''\\\\", (int)c) : NULL;

	character(r, '\'');
	if (special && (c < 0x20 || c == '\'' || c == '\\')) {
		character(r, '\\');
		character(r, c < 0x20 ? special[-1] : (char)c);
	} else if (c < 0x20 || c == 0x7f) {
		text(r, "\\u{");
		character(r, "0123456789abcdef"[c >> 4]);
		character(r, "0123456789abcdef"[c & 15]);
		character(r, '}');
	} else {
		utf8(r, (uint32_t)c);
	}
	character(r, '\'');
}

static void value_of(struct rust *r, char kind)
{
	const char *from = r->p;
	uint64_t v = 0;
	size_t n;

	while (dem_hex(*r->p) >= 0)
		v = v << 4 | (uint64_t)dem_hex(*r->p++);
	n = (size_t)(r->p - from);
	if (!n || !eat(r, '_') || (n > 1 && *from == '0') || (kind == 'c' && (n > 6 || v > 0x10ffff)) ||
	    (kind == 'b' && (n > 1 || v > 1))) {
		fail(r);
	} else if (kind == 'b') {
		text(r, v ? "true" : "false");
	} else if (kind == 'c') {
		quoted(r, v);
	} else if (n <= 16) {
		number(r, v);
	} else {
		dem_str(r->o, "0x");
		dem_put(r->o, from, n);
	}
}

static void constant(struct rust *r)
{
	const char *then;
	char kind;

	if (enter(r)) {
		kind = next(r);
		if (kind == 'B') {
			then = back(r);
			if (then) {
				constant(r);
				go_on(r, then);
			}
		} else if (kind == 'p') {
			character(r, '_');
		} else if (kind && strchr("bchtmyoj", kind)) {
			value_of(r, kind);
		} else if (kind && strchr("aslxni", kind)) {
			if (eat(r, 'n'))
				character(r, '-');
			value_of(r, kind);
		} else {
			fail(r);
		}
	}
	r->depth--;
}

bool demangle_rust_v0(struct dem_out *o, const char *name, enum demangle_style style)
{
	struct rust r = { .s = name + 2, .p = name + 2, .end = name + strlen(name), .o = o };

	path(&r, true);
	if (*r.p >= 'A' && *r.p <= 'Z') {   /* the crate that instantiated it */
		silent_path(&r);
	}
	return !r.bad && (!*r.p || *r.p == '.') && dem_rust_clones(o, r.p, style);
}
