/*
 * point.c - parses a probe point, perf probe's form or the inline form of -e: words, then the place, then arguments.
 *
 * Names of C++, Rust and Go contain characters that are punctuation elsewhere, but mostly in brackets: text in brackets
 * belongs to the name.
 */
#include "probe/point.h"

#include "probe/point_parts.h"
#include "probe/probe_name.h"

enum { TEXT_MAX = 16384, NESTING = 32, SHOWN = 100, SHOWN_BEFORE = 60 };
enum { ARGS_MAX = 128 };        /* limit of the kernel for one probe */

/* --- words --- */

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

static void skip_space(struct point_scan *c)
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

/* Length of what follows the word "operator" in its name: symbols, " new", " bool" and other types before a '('. */
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

/* Is it the "const" of "f(int) const"? No argument can have that name. */
static bool is_const(const char *s)
{
	return s[-1] == ')' && !strncmp(s, " const", 6) && !point_is_word(s[6]);
}

/* Length of " [clone .isra.0]", by which demanglers mark GCC's clones; 0: not there. */
static size_t clone_rest(const char *s)
{
	const char *end = strncmp(s, " [clone .", 9) ? NULL : strchr(s, ']');

	return end ? (size_t)(end + 1 - s) : 0;
}

/*
 * "int ns::most<int>(int, int)": demanglers show the return type of templates. Does a name with parameters continue at
 * the blank? An argument of a probe never has a word directly before a parenthesis.
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

/* Copy the word without quotes and escapes to the arena. With wildcards, escapes of others are kept. */
static int plain(const struct point_scan *c, const struct point_word *w, struct sv *out)
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

/* Scan /REGEX/: 1, 0: there is none. */
static int scan_regex(struct point_scan *c, struct sv *out)
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

/* Copy a piece NUL-terminated to the arena, as all texts of a point are. */
int point_keep(const struct point_scan *c, struct sv *s)
{
	s->s = arena_dup(c->arena, s->s, s->n);
	return s->s ? 0 : err_nomem(c->e);
}

static int scan_number(struct point_scan *c, uint64_t max, const char *what, uint64_t *v)
{
	const char *from = c->s;

	while (*c->s && !point_is_space(*c->s) && !strchr(c->stops, *c->s) && *c->s != ';')
		c->s++;
	if (!str_u64((struct sv){ from, (size_t)(c->s - from) }, 0, v) || *v > max)
		return point_fail(c, from, "a number is expected here: %s", what);
	return 0;
}

/* --- the name of the event --- */

/* The '=' of "EVENT=", or NULL. */
static const char *event_end(const char *s)
{
	const char *from = s;

	while (*s && !point_is_space(*s) && !strchr(";=@+%\"'(<[{\\*?/", *s))
		s++;
	if (*s != '=' || (s - from >= 8 && !memcmp(s - 8, "operator", 8) && (s[1] == '=' || s[1] == '(')))
		return NULL;
	return s;
}

static int scan_event(struct point_scan *c, struct point *p)
{
	const char *end = event_end(c->s), *colon;

	if (!end)
		return 0;
	colon = memchr(c->s, ':', (size_t)(end - c->s));
	if (colon) {
		p->group = (struct sv){ c->s, (size_t)(colon - c->s) };
		if (!probe_name_is_legal(p->group))
			return point_fail(c, c->s, "a group's name has letters, digits and _ only, at most 63");
		c->s = colon + 1;
	}
	p->event = (struct sv){ c->s, (size_t)(end - c->s) };
	if (!probe_name_is_legal(p->event))
		return point_fail(c, c->s, "an event's name has letters, digits and _ only, at most 63");
	c->s = end + 1;
	return colon && point_keep(c, &p->group) ? -ENOMEM : point_keep(c, &p->event);
}

/* --- the place --- */

/*
 * SRC:ALN or FUNC:RLN? perf takes every name with a dot for a file, which fails for names of Go ("main.main:3") and for
 * "f.isra.0:3": here the suffix decides.
 */
static bool is_source(struct sv name)
{
	static const char endings[] =
		" c h i s S C H cc hh cp cpp hpp cxx hxx c++ h++ CPP tcc ipp inl inc def asm go rs d m mm y l yy ll "
		"adb ads f F for f90 F90 f95 f03 f08 zig nim v cr swift cu cl ";
	size_t dot = name.n;
	char ending[16];

	if (memchr(name.s, '(', name.n))
		return false;
	while (dot && name.s[dot - 1] != '.' && name.s[dot - 1] != '/')
		dot--;
	if (!dot || name.s[dot - 1] == '/')
		return dot;             /* src/Makefile; Go's paths have a dot behind the last slash */
	snprintf(ending, sizeof(ending), " %.*s ", (int)(name.n - dot), name.s + dot);
	return strstr(endings, ending);
}

static int set_func(const struct point_scan *c, struct point *p, const struct point_word *w)
{
	int r = plain(c, w, &p->func);

	p->is_exact = w->is_quoted || (!w->is_wild && w->hides_wild);
	if (r || w->is_quoted || !sv_starts(p->func, "0x"))
		return r;
	p->kind = POINT_ADDR;
	if (!str_u64(p->func, 0, &p->offset))
		return point_fail(c, w->raw.s, "this is no address");
	return 0;
}

/* Scan the name of a place; of a file, stop at ':' or ';'. */
int point_scan_name(struct point_scan *c, struct point *p)
{
	struct point_word w;
	int r = scan_regex(c, &p->func);

	if (r) {
		p->is_regex = true;
		return point_keep(c, &p->func);
	}
	r = point_scan_word(c, &w);
	if (r)
		return r;
	if (!w.raw.n)
		return point_fail(c, c->s, "a function, a file or an address is missing here");
	if ((*c->s == ':' || *c->s == ';') && is_source(w.raw)) {
		p->kind = POINT_LINE;
		return plain(c, &w, &p->src);
	}
	return set_func(c, p, &w);
}

/* Can the word be an argument? */
static bool is_arg_like(struct sv w)
{
	for (size_t i = 0; i < w.n; i++)
		if (strchr(";{}!|?", w.s[i]))
			return false;
	return w.n && (point_is_word(w.s[0]) || (strchr("$%@\\+-*&(", w.s[0]) && w.n > 1)) &&
	       (point_is_word(w.s[w.n - 1]) || strchr(")]\"'", w.s[w.n - 1]));
}

/* Scan PTN, which extends to the last word that cannot be an argument. */
static int scan_pattern(struct point_scan *c, struct point *p)
{
	const char *from = c->s, *s = from, *end;
	struct point_word w;
	int r;

	if (*from == '"' || *from == '\'') {
		r = point_scan_word(c, &w);
		p->pattern = w.raw;
		return r ? r : point_keep(c, &p->pattern);
	}
	while (*s && !point_is_space(*s))
		s++;
	for (end = s; *s;) {
		while (point_is_space(*s))
			s++;

		const char *word = s;

		while (*s && !point_is_space(*s))
			s++;
		if (s > word && !is_arg_like((struct sv){ word, (size_t)(s - word) }))
			end = s;
	}
	c->s = end;
	p->pattern = (struct sv){ from, (size_t)(end - from) };
	if (!p->pattern.n)
		return point_fail(c, from, "a pattern is missing here");
	return point_keep(c, &p->pattern);
}

static int scan_src(struct point_scan *c, struct point *p)
{
	struct point_word w;
	int r;

	if (p->src.n)
		return point_fail(c, c->s, "a second file");
	r = point_scan_word(c, &w);
	if (!r && !w.raw.n)
		return point_fail(c, c->s, "a file's name is missing here");
	return r ? r : plain(c, &w, &p->src);
}

int point_scan_option(struct point_scan *c, struct point *p)
{
	const char *at = c->s;
	uint64_t v;
	int r = 0;

	switch (*c->s++) {
	case ';':
		return scan_pattern(c, p);
	case '@':
		return scan_src(c, p);
	case ':':
		if (p->has_line)
			return point_fail(c, at, "a second line");
		p->has_line = true;
		r = scan_number(c, INT_MAX, "a line, up to 2147483647", &v);
		p->line = (unsigned)v;
		return r;
	case '+':
		r = scan_number(c, UINT64_MAX - p->offset, "an offset in bytes", &v);
		p->offset += r ? 0 : v;
		return r;
	default:
		if (strncmp(c->s, "return", 6) || (c->s[6] && !point_is_space(c->s[6]) && !strchr(c->stops, c->s[6])))
			return point_fail(c, at, "only %%return is known here");
		c->s += 6;
		p->is_return = true;
		return 0;
	}
}

int point_check(const struct point_scan *c, const struct point *p, const char *at)
{
	bool has_offset = p->kind != POINT_ADDR && p->offset;

	if (p->pattern.n && (p->has_line || has_offset))
		return point_fail(c, at, "a pattern stands instead of a line or an offset, not beside it");
	if (p->has_line && has_offset)
		return point_fail(c, at, "either a line or an offset");
	if (p->kind == POINT_LINE && has_offset)
		return point_fail(c, at, "an offset needs a function");
	if (p->kind == POINT_LINE && p->has_line && !p->line)
		return point_fail(c, at, "the lines of a file begin with 1");
	if (p->kind == POINT_ADDR && (p->has_line || p->pattern.n || p->src.n))
		return point_fail(c, at, "an address stands alone");
	if (p->is_return && (p->has_line || p->pattern.n || has_offset || p->kind == POINT_LINE))
		return point_fail(c, at, "%%return needs a whole function: no line, offset or pattern");
	return 0;
}

/* [%][sdt_]PROVIDER:NAME[@FILE] */
int point_scan_marker(struct point_scan *c, struct point *p)
{
	const char *from;
	struct point_word w;
	int r;

	p->kind = POINT_USDT;
	c->s += *c->s == '%';
	if (!strncmp(c->s, "sdt_", 4))
		c->s += 4;
	from = c->s;
	while (point_is_word(*c->s) || *c->s == '-')
		c->s++;
	if (*c->s == ':') {
		p->provider = (struct sv){ from, (size_t)(c->s++ - from) };
		if (point_keep(c, &p->provider))
			return -ENOMEM;
	} else {
		c->s = from;
	}
	r = point_scan_word(c, &w);
	if (!r && !w.raw.n)
		return point_fail(c, c->s, "a marker's name is missing here");
	return r ? r : plain(c, &w, &p->func);
}

/* A line of a function may look like a marker: sdt_f:3. */
static bool is_marker(const char *s)
{
	const char *colon = strchr(s, ':');

	if (*s == '%')
		return true;
	return !strncmp(s, "sdt_", 4) && colon && colon[1] != ':' && (colon[1] < '0' || colon[1] > '9') &&
	       colon < s + strcspn(s, " \t=;@+%");
}

static int scan_place(struct point_scan *c, struct point *p)
{
	const char *from = c->s;
	int r;

	if (is_marker(c->s)) {
		r = point_scan_marker(c, p);
		if (r || *c->s != '@')
			return r;
		c->s++;
		r = scan_src(c, p);
		p->file = p->src;
		p->src = (struct sv){ 0 };
		return r;
	}
	r = point_scan_name(c, p);
	while (!r && *c->s && strchr(c->stops, *c->s) && !p->pattern.n)
		r = point_scan_option(c, p);
	return r ? r : point_check(c, p, from);
}

/* --- arguments: [NAME=]EXPR[@user][:TYPE] --- */

/* Is it the slash of a bit-field's type, ":b4@2/32", which does not end the inline form? */
static bool is_bitfield(const char *from, const char *slash)
{
	const char *s = slash;

	while (s > from && s[-1] >= '0' && s[-1] <= '9')
		s--;
	if (s == slash || s == from || *--s != '@')
		return false;
	slash = s;
	while (s > from && s[-1] >= '0' && s[-1] <= '9')
		s--;
	return s < slash && s - from >= 2 && s[-1] == 'b' && s[-2] == ':';
}

/* Scan up to white space or a stop character outside brackets and quotes. */
static int scan_text(struct point_scan *c, struct sv *text)
{
	const char *from = c->s, *open = NULL, *s = from;
	unsigned depth = 0;
	char quote = '\0';

	for (; *s; s++) {
		if (quote) {
			quote = *s == quote ? '\0' : quote;
		} else if (*s == '"' || *s == '\'') {
			quote = *s;
			open = s;
		} else if (strchr("([", *s)) {
			open = s;
			depth++;
		} else if (strchr(")]", *s)) {
			if (!depth--)
				return point_fail(c, s, "nothing is open here that '%c' closes", *s);
		} else if (!depth && (point_is_space(*s) || (strchr(c->stops, *s) && !is_bitfield(from, s)))) {
			break;
		}
	}
	if (quote || depth)
		return point_fail(c, open, "this '%c' is not closed", *open);
	*text = (struct sv){ from, (size_t)(s - from) };
	c->s = s;
	return 0;
}

static void cut_user(struct sv *s, struct point_arg *a)
{
	if (s->n > 5 && !memcmp(s->s + s->n - 5, "@user", 5)) {
		s->n -= 5;
		a->is_user = true;
	}
}

/* Start of ":TYPE" (not "::") outside brackets and quotes; or the end. */
static size_t type_start(struct sv s)
{
	size_t found = s.n;
	char quote = '\0';

	for (size_t i = 0; i < s.n; i++) {
		if (quote || s.s[i] == '"' || s.s[i] == '\'')
			quote = quote ? (s.s[i] == quote ? '\0' : quote) : s.s[i];
		else if (s.s[i] == ':' && i + 1 < s.n && s.s[i + 1] == ':')
			i++;
		else if (s.s[i] == ':')
			found = i;
		else if (strchr(")(", s.s[i]))
			found = s.n;
	}
	return found;
}

static int cut_arg(const struct point_scan *c, struct point_arg *a)
{
	struct sv rest = a->text;
	size_t n = 0;

	while (n < rest.n && point_is_word(rest.s[n]))
		n++;
	if (n < rest.n && rest.s[n] == '=') {
		a->name = (struct sv){ rest.s, n };
		if (!probe_name_is_legal(a->name))
			return point_fail(c, rest.s, "an argument's name has letters, digits and _ only");
		rest = (struct sv){ rest.s + n + 1, rest.n - n - 1 };
	}
	cut_user(&rest, a);
	n = type_start(rest);
	a->expr = (struct sv){ rest.s, n };
	if (n < rest.n) {
		a->type = (struct sv){ rest.s + n + 1, rest.n - n - 1 };
		if (!a->type.n)
			return point_fail(c, rest.s + n, "a type is missing behind this");
	}
	cut_user(&a->expr, a);
	if (a->expr.n > 1 && strchr("\"'", *a->expr.s) && a->expr.s[a->expr.n - 1] == *a->expr.s)
		a->expr = (struct sv){ a->expr.s + 1, a->expr.n - 2 };
	if (!a->expr.n)
		return point_fail(c, a->text.s, "this names nothing to fetch");
	return 0;
}

int point_scan_args(struct point_scan *c, struct point *p)
{
	for (;;) {
		struct point_arg *a;
		struct sv text;
		int r;

		skip_space(c);
		if (*c->stops && *c->s == '/')
			return 0;
		if (!*c->s)
			return *c->stops ? point_fail(c, c->s, "a '/' is missing here") : 0;
		if (p->args.n == ARGS_MAX)
			return point_fail(c, c->s, "more than %d arguments", ARGS_MAX);
		r = scan_text(c, &text);
		if (r)
			return r;
		a = vec_add(&p->args);
		if (!a)
			return err_nomem(c->e);
		a->text = text;
		r = cut_arg(c, a);
		if (r)
			return r;
	}
}

/* --- the whole point --- */

int point_parse(struct point *p, struct arena *a, const char *text, struct err *e)
{
	struct point_scan c;
	int r;

	*p = (struct point){ 0 };
	r = point_scan_init(&c, a, text, e);
	if (r)
		return r;
	p->text = c.text;
	c.stops = ";:+@%";
	skip_space(&c);
	r = scan_event(&c, p);
	if (!r)
		r = scan_place(&c, p);
	if (!r && *c.s && !point_is_space(*c.s))
		r = point_fail(&c, c.s, "'%c' is not expected here", *c.s);
	c.stops = "";
	return r ? r : point_scan_args(&c, p);
}

int point_parse_args(struct point *p, struct arena *a, const char *text, struct err *e)
{
	struct point_scan c;
	int r = point_scan_init(&c, a, text, e);

	p->text = r ? NULL : c.text;
	c.stops = "";
	return r ? r : point_scan_args(&c, p);
}

bool point_is_pattern(const struct point *p)
{
	return p->is_regex || (str_is_glob(p->func) && !p->is_exact);
}

void point_deinit(struct point *p)
{
	vec_free(&p->args);
}
