/* point.c - where: the first word of perf probe's text, or the inline form of -e. */
#include "probe/point.h"

#include "probe/point_parts.h"
#include "probe/probe_name.h"

/* A quoted piece, or one with escapes taken out: NUL-terminated as all that ends up in a point. */
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

/* Where "EVENT=" ends: at its '=', or NULL. */
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
 * SRC:ALN or FUNC:RLN? perf takes all with a dot for a file, which no name of Go can live with ("main.main:3"), nor
 * "f.isra.0:3": the ending of the name decides.
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
	int r = point_scan_plain(c, w, &p->func);

	p->is_exact = w->is_quoted || (!w->is_wild && w->hides_wild);
	if (r || w->is_quoted || !sv_starts(p->func, "0x"))
		return r;
	p->kind = POINT_ADDR;
	if (!str_u64(p->func, 0, &p->offset))
		return point_fail(c, w->raw.s, "this is no address");
	return 0;
}

/* The name in front; at a file's, c is at ':' or ';'. */
int point_scan_name(struct point_scan *c, struct point *p)
{
	struct point_word w;
	int r = point_scan_regex(c, &p->func);

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
		return point_scan_plain(c, &w, &p->src);
	}
	return set_func(c, p, &w);
}

/* Lines are found by what they say: up to the last word that cannot be an argument. */
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
		if (s > word && !point_arg_like((struct sv){ word, (size_t)(s - word) }))
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
	return r ? r : point_scan_plain(c, &w, &p->src);
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
	return r ? r : point_scan_plain(c, &w, &p->func);
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
	point_skip_space(&c);
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

void point_deinit(struct point *p)
{
	vec_free(&p->args);
}
