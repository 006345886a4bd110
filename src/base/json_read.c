/* json_read.c - reads value after value in a loop; open arrays and objects are on an explicit stack. */
#include "base/json_read.h"

struct reader {
	struct json_doc *d;
	const char *at, *start, *end;
	uint32_t in[JSON_DEPTH];        /* index of each open array or object */
	uint32_t last[JSON_DEPTH];      /* index + 1 of its last member so far; 0: none */
	unsigned depth;
	struct err *e;
};

static int bad(const struct reader *r, const char *what)
{
	return err_at(r->e, EBADMSG, (uint64_t)(r->at - r->start), "%s", what);
}

static void skip_space(struct reader *r)
{
	while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at)
		r->at++;
}

static bool take(struct reader *r, char c)
{
	skip_space(r);
	if (r->at == r->end || *r->at != c)
		return false;
	r->at++;
	return true;
}

/* --- strings --- */

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The four hexadecimal digits behind \u; -1: malformed. */
static int hex4(struct reader *r)
{
	int v = 0;

	if (r->end - r->at < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		int digit = hex_digit(*r->at++);

		if (digit < 0)
			return -1;
		v = v * 16 + digit;
	}
	return v;
}

static char *put_utf8(char *to, uint32_t c)
{
	if (c < 0x80) {
		*to++ = (char)c;
		return to;
	}
	if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
	} else {
		if (c < 0x10000) {
			*to++ = (char)(0xe0 | c >> 12);
		} else {
			*to++ = (char)(0xf0 | c >> 18);
			*to++ = (char)(0x80 | (c >> 12 & 0x3f));
		}
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
	}
	*to++ = (char)(0x80 | (c & 0x3f));
	return to;
}

/*
 * Decode what follows "\u". Lone surrogates become U+FFFD. The result never outgrows the escape: "\uXXXX" has 6 bytes
 * and becomes at most 3, a pair of them has 12 and becomes 4.
 */
static char *take_unicode(struct reader *r, char *to)
{
	enum { NONE = 0xfffd };
	int c = hex4(r), low;

	if (c < 0)
		return NULL;
	if (c < 0xd800 || c > 0xdfff)
		return put_utf8(to, (uint32_t)c);
	if (c > 0xdbff || r->end - r->at < 6 || r->at[0] != '\\' || r->at[1] != 'u')
		return put_utf8(to, NONE);
	r->at += 2;
	low = hex4(r);
	if (low < 0)
		return NULL;
	if (low < 0xdc00 || low > 0xdfff)
		return put_utf8(to, NONE);
	return put_utf8(to, 0x10000 + ((uint32_t)(c - 0xd800) << 10) + (uint32_t)(low - 0xdc00));
}

static char *take_escape(struct reader *r, char *to)
{
	static const char from[] = "\"\\/bfnrt", as[] = "\"\\/\b\f\n\r\t";
	const char *which;
	char c = r->at < r->end ? *r->at++ : '\0';

	if (c == 'u')
		return take_unicode(r, to);
	which = c ? strchr(from, c) : NULL;
	if (!which)
		return NULL;
	*to++ = as[which - from];
	return to;
}

/* r->at is behind the opening quote. */
static int take_string(struct reader *r, struct sv *text)
{
	const char *close = r->at;
	char *to;

	while (close < r->end && *close != '"')
		close += *close == '\\' ? 2 : 1;
	if (close >= r->end)
		return bad(r, "a string without an end");
	to = arena_alloc(&r->d->arena, (size_t)(close - r->at) + 1);
	if (!to)
		return err_nomem(r->e);
	text->s = to;
	while (r->at < close) {
		if (*r->at != '\\') {
			*to++ = *r->at++;
			continue;
		}
		r->at++;
		to = take_escape(r, to);
		if (!to || r->at > close)
			return bad(r, "an escape that is none");
	}
	text->n = (size_t)(to - text->s);
	r->at++;
	return 0;
}

/* --- values --- */

static int take_number(struct reader *r, struct json_node *n)
{
	const char *from = r->at;
	double v;

	while (r->at < r->end && *r->at && strchr("+-.0123456789eE", *r->at))
		r->at++;
	n->kind = JSON_NUMBER;
	n->text = (struct sv){ arena_dup(&r->d->arena, from, (size_t)(r->at - from)), (size_t)(r->at - from) };
	if (!n->text.s)
		return err_nomem(r->e);
	return str_double(n->text, &v) ? 0 : bad(r, "neither a value nor a number");
}

static int take_word(struct reader *r, struct json_node *n)
{
	static const char *const words[] = { [JSON_NULL] = "null", [JSON_FALSE] = "false", [JSON_TRUE] = "true" };

	for (unsigned i = 0; i < ARRAY_SIZE(words); i++) {
		size_t len = strlen(words[i]);

		if ((size_t)(r->end - r->at) < len || memcmp(r->at, words[i], len))
			continue;
		r->at += len;
		n->kind = (enum json_kind)i;
		return 0;
	}
	return take_number(r, n);
}

static int add(struct reader *r, const struct json_node *n)
{
	struct json_node *to;
	uint32_t at = (uint32_t)r->d->v.n, *last = r->depth ? &r->last[r->depth - 1] : NULL;

	if (at >= JSON_NODES)
		return err_set(r->e, E2BIG, "more than %d values", JSON_NODES);
	to = vec_add(&r->d->v);
	if (!to)
		return err_nomem(r->e);
	*to = *n;
	if (last && *last)
		r->d->v.v[*last - 1].next = at + 1;
	else if (last)
		r->d->v.v[r->in[r->depth - 1]].first = at + 1;
	if (last)
		*last = at + 1;
	return 0;
}

static int open_level(struct reader *r)
{
	if (r->depth == JSON_DEPTH)
		return err_set(r->e, E2BIG, "more than %d levels", JSON_DEPTH);
	r->in[r->depth] = (uint32_t)r->d->v.n - 1;
	r->last[r->depth++] = 0;
	return 0;
}

static int take_key(struct reader *r, struct sv *key)
{
	int code;

	if (!take(r, '"'))
		return bad(r, "a member without a name");
	code = take_string(r, key);
	if (code)
		return code;
	return take(r, ':') ? 0 : bad(r, "no ':' behind a name");
}

static bool in_object(const struct reader *r)
{
	return r->depth && r->d->v.v[r->in[r->depth - 1]].kind == JSON_OBJECT;
}

/* Read the next value, with its key in an object. Of an array or object only the bracket: it becomes the new level. */
static int take_value(struct reader *r)
{
	struct json_node n = { .kind = JSON_NULL };
	int code = in_object(r) ? take_key(r, &n.key) : 0;

	if (code)
		return code;
	if (take(r, '"')) {
		n.kind = JSON_STRING;
		code = take_string(r, &n.text);
	} else if (take(r, '[')) {
		n.kind = JSON_ARRAY;
	} else if (take(r, '{')) {
		n.kind = JSON_OBJECT;
	} else {
		code = take_word(r, &n);
	}
	code = code ? code : add(r, &n);
	if (code || n.kind < JSON_ARRAY)
		return code;
	return open_level(r);
}

/* Close the innermost array or object if its bracket is next. */
static bool take_close(struct reader *r)
{
	if (!take(r, in_object(r) ? '}' : ']'))
		return false;
	r->depth--;
	return true;
}

int json_read(struct json_doc *d, const char *s, size_t n, struct err *e)
{
	struct reader r = { .d = d, .at = s, .start = s, .end = s + n, .e = e };
	int code = take_value(&r);

	while (!code && r.depth) {
		if (take_close(&r))
			continue;
		if (r.last[r.depth - 1] && !take(&r, ','))
			return bad(&r, "no ',' between two values");
		code = take_value(&r);
	}
	skip_space(&r);
	if (!code && r.at != r.end)
		return bad(&r, "something behind the end");
	return code;
}

void json_doc_deinit(struct json_doc *d)
{
	vec_free(&d->v);
	arena_deinit(&d->arena);
}

/* --- access to the tree --- */

const struct json_node *json_first(const struct json_doc *d, const struct json_node *of)
{
	return of && of->first ? &d->v.v[of->first - 1] : NULL;
}

const struct json_node *json_next(const struct json_doc *d, const struct json_node *n)
{
	return n->next ? &d->v.v[n->next - 1] : NULL;
}

const struct json_node *json_get(const struct json_doc *d, const struct json_node *of, const char *key)
{
	const struct json_node *n = of && of->kind == JSON_OBJECT ? json_first(d, of) : NULL;

	while (n && !sv_eq(n->key, key))
		n = json_next(d, n);
	return n;
}

bool json_u64_of(const struct json_node *n, uint64_t *v)
{
	return n && n->kind == JSON_NUMBER && str_u64(n->text, 10, v);
}

static void step(struct json_scan *s, char c)
{
	if (s->in_string) {
		s->in_string = s->escaped || c != '"';
		s->escaped = !s->escaped && c == '\\';
		return;
	}
	s->in_string = c == '"';
	s->begun |= c == '{' || c == '[';
	s->depth += c == '{' || c == '[';
	s->depth -= s->depth && (c == '}' || c == ']');
}

size_t json_find_end(struct json_scan *s, const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		step(s, p[i]);
		if (s->begun && !s->depth)
			return i + 1;
	}
	return 0;
}
