/*
 * point_scan.c - names in the text of a probe. Those of C++, Rust and Go hold all that is punctuation elsewhere, but
 * mostly in brackets: what stands in brackets belongs to the name.
 */
#include "probe/point_parts.h"

enum { TEXT_MAX = 16384, NESTING = 32, SHOWN = 100, SHOWN_BEFORE = 60 };

static bool is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

bool point_is_space(char c)
{
	return is_one_of(c, " \t\n\r\v\f");
}

bool point_is_word(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

void point_skip_space(struct point_scan *c)
{
	while (point_is_space(*c->s))
		c->s++;
}

int point_scan_init(struct point_scan *c, struct arena *a, const char *text, struct err *e)
{
	size_t n = strnlen(text, TEXT_MAX + 1);

	if (n > TEXT_MAX)
		return err_set(e, EINVAL, "a probe of more than %d characters", TEXT_MAX);
	*c = (struct point_scan){ .arena = a, .e = e };
	c->text = c->s = arena_dup(a, text, n);
	return c->text ? 0 : err_nomem(e);
}

int point_fail(const struct point_scan *c, const char *at, const char *fmt, ...)
{
	char what[160];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return point_mark(c->e, c->text, at, what);
}

int point_mark(struct err *e, const char *text, const char *at, const char *what)
{
	const char *from = at - text > SHOWN_BEFORE ? at - SHOWN_BEFORE : text;
	char line[SHOWN + 1];
	size_t n = 0;

	for (; n < SHOWN && from[n]; n++)
		line[n] = (unsigned char)from[n] < ' ' ? ' ' : from[n];
	line[n] = '\0';
	return err_set(e, EINVAL, "%s\n  %s\n  %*s^", what, line, (int)(at - from), "");
}

static int quoted(struct point_scan *c, struct point_word *w)
{
	const char *from = c->s + 1, *end = strchr(from, *c->s);

	if (!end)
		return point_fail(c, c->s, "this quote is not closed");
	w->raw = (struct sv){ from, (size_t)(end - from) };
	w->is_quoted = true;
	c->s = end + 1;
	return 0;
}

/* What stands behind the word "operator" is its name: signs, " new", " bool" and other types in front of a '('. */
static size_t operator_rest(const char *start, const char *s)
{
	size_t n = 0;

	if (s - start < 8 || memcmp(s - 8, "operator", 8) || (s - start > 8 && (point_is_word(s[-9]) || s[-9] == '.')))
		return 0;
	if (!strncmp(s, "()", 2) || !strncmp(s, "[]", 2))
		return 2;
	if (*s == ' ') {
		while (point_is_word(s[n]) || is_one_of(s[n], " :*&[]"))
			n++;
		return s[n] == '(' ? n : 0;
	}
	while (is_one_of(s[n], "<>=!+-*/%^&|~,") && strncmp(s + n, "%return", 7) &&
	       (s[n] != '+' || s[n + 1] < '0' || s[n + 1] > '9'))
		n++;
	return n;
}

/* '[' begins a wildcard's set, but not in Go's "Map[...]" and C++'s "f[abi:cxx11]". */
static bool is_set(const char *s)
{
	const char *end = strchr(s, ']');

	return strncmp(s, "[abi:", 5) && !(end && memchr(s, '.', (size_t)(end - s)));
}

static void note_wild(struct point_word *w, const char *s, unsigned depth)
{
	if (!is_one_of(*s, "*?["))
		return;
	if (depth || (*s == '[' && !is_set(s)))
		w->hides_wild = true;
	else
		w->is_wild = true;
}

/* "f(int) const": no argument has that name. */
static bool is_const(const char *s)
{
	return s[-1] == ')' && !strncmp(s, " const", 6) && !point_is_word(s[6]);
}

/* "f(int) [clone .isra.0]", as demanglers name what GCC has made of a function: its length, 0: it is not there. */
static size_t clone_rest(const char *s)
{
	const char *end = strncmp(s, " [clone .", 9) ? NULL : strchr(s, ']');

	return end ? (size_t)(end + 1 - s) : 0;
}

/*
 * "int ns::most<int>(int, int)": of a template demanglers tell what it returns. Is what goes on at the blank a name
 * with parameters? No argument of a probe has a word right in front of a parenthesis.
 */
static bool is_typed(const char *s)
{
	const char *word = s;
	unsigned depth = 0;

	for (s++; *s && (point_is_word(*s) || is_one_of(*s, " <>,*&~(") || !strncmp(s, "::", 2)); s++) {
		if (*s == '(' && !depth)
			return s[-1] == '>' || (point_is_word(s[-1]) && (*word < '0' || *word > '9'));
		word = point_is_word(*s) && !point_is_word(s[-1]) ? s : word;
		depth += *s == '<';
		depth -= *s == '>' && depth;
		s += *s == ':';
	}
	return false;
}

int point_scan_word(struct point_scan *c, struct point_word *w)
{
	const char *from = c->s, *open[NESTING], *s;
	unsigned depth = 0;
	size_t n;

	*w = (struct point_word){ 0 };
	if (*from == '"' || *from == '\'')
		return quoted(c, w);
	for (s = from; *s; s++) {
		if (*s == '\\') {
			if (!*++s)
				return point_fail(c, s - 1, "nothing follows this backslash");
			w->hides_wild |= is_one_of(*s, "*?[");
		} else if (!strncmp(s, "::", 2) || !strncmp(s, "->", 2)) {
			s++;
		} else if ((n = operator_rest(from, s))) {
			w->hides_wild = true;
			s += n - 1;
		} else if (depth && *s == (*open[depth - 1] == '(' ? ')' : (char)(*open[depth - 1] + 2))) {
			depth--;
		} else if (!depth && s > from && is_const(s)) {
			s += 5;
		} else if (!depth && s > from && (n = clone_rest(s))) {
			w->hides_wild = true;
			s += n - 1;
		} else if (!depth && s > from && *s == ' ' && is_typed(s)) {
			continue;
		} else if (!depth && (point_is_space(*s) || is_one_of(*s, c->stops))) {
			break;
		} else if (is_one_of(*s, "([{<")) {
			note_wild(w, s, depth);
			if (depth == NESTING)
				return point_fail(c, s, "brackets are nested too deep");
			open[depth++] = s;
		} else if (is_one_of(*s, ")]}>")) {
			return point_fail(c, s, "nothing is open here that '%c' closes", *s);
		} else {
			note_wild(w, s, depth);
		}
	}
	if (depth)
		return point_fail(c, open[depth - 1], "this '%c' is not closed", *open[depth - 1]);
	w->raw = (struct sv){ from, (size_t)(s - from) };
	c->s = s;
	return 0;
}

int point_scan_plain(const struct point_scan *c, const struct point_word *w, struct sv *out)
{
	char *to = arena_dup(c->arena, w->raw.s, w->raw.n);

	if (!to)
		return err_nomem(c->e);
	*out = (struct sv){ to, 0 };
	for (size_t i = 0; i < w->raw.n; i++) {
		bool is_escape = w->raw.s[i] == '\\' && !w->is_quoted && i + 1 < w->raw.n;

		if (is_escape && (!w->is_wild || !is_one_of(w->raw.s[i + 1], "*?[\\")))
			i++;
		else if (is_escape)
			to[out->n++] = w->raw.s[i++];
		to[out->n++] = w->raw.s[i];
	}
	to[out->n] = '\0';
	return 0;
}

int point_scan_regex(struct point_scan *c, struct sv *out)
{
	if (*c->s != '/')
		return 0;
	for (const char *s = c->s + 1; *s && !point_is_space(*s); s++) {
		if (*s == '\\' && s[1]) {
			s++;
		} else if (*s == '/' && s > c->s + 1 && (!s[1] || point_is_space(s[1]) || is_one_of(s[1], c->stops))) {
			*out = (struct sv){ c->s + 1, (size_t)(s - c->s - 1) };
			c->s = s + 1;
			return 1;
		}
	}
	return 0;
}
