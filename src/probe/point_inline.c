/* point_inline.c - parses a probe in -e: uprobe:malloc@"/lib/libc.so.6"/size=%x0/ */
#include "probe/point_parts.h"

static const struct inline_kind {
	const char *prefix;
	bool is_user, is_return;
	enum point_kind kind;
} inline_kinds[] = {
	{ "kprobe:", false, false, POINT_FUNC },
	{ "kretprobe:", false, true, POINT_FUNC },
	{ "uprobe:", true, false, POINT_FUNC },
	{ "uretprobe:", true, true, POINT_FUNC },
	{ "usdt:", true, false, POINT_USDT },
};

static const struct inline_kind *inline_kind(const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(inline_kinds); i++)
		if (!strncmp(text, inline_kinds[i].prefix, strlen(inline_kinds[i].prefix)))
			return &inline_kinds[i];
	return NULL;
}

bool point_is_inline(const char *text)
{
	return inline_kind(text);
}

/* Does this slash start the arguments behind an unquoted file? No name of a file begins with what follows. */
static bool is_args_slash(const char *s)
{
	const char *word = s + 1;

	if (*s != '/' || strchr("$%+-@\\*&", *word))
		return *s == '/' && *word;
	while (point_is_word(*word))
		word++;
	return word > s + 1 && *word == '=';
}

static int scan_program(struct point_scan *c, struct point *p)
{
	const char *from = ++c->s;
	struct point_word w;

	if (*from == '"' || *from == '\'') {
		int r = point_scan_word(c, &w);

		p->file = w.raw;
		return r ? r : point_keep(c, &p->file);
	}
	while (*c->s && !point_is_space(*c->s) && !strchr(",}", *c->s) && !is_args_slash(c->s))
		c->s++;
	p->file = (struct sv){ from, (size_t)(c->s - from) };
	if (!p->file.n)
		return point_fail(c, from, "a program's file is missing here");
	return point_keep(c, &p->file);
}

static int scan_inline_place(struct point_scan *c, struct point *p)
{
	const char *from = c->s;
	int r = p->kind == POINT_USDT ? point_scan_marker(c, p) : point_scan_name(c, p);

	while (!r && (*c->s == '+' || *c->s == '%' || *c->s == ':') && p->kind != POINT_USDT)
		r = point_scan_option(c, p);
	if (!r && *c->s == '@')
		r = scan_program(c, p);
	return r ? r : point_check(c, p, from);
}

static int scan_inline_rest(struct point_scan *c, struct point *p)
{
	int r;

	if (*c->s != '/')
		return 0;
	c->s++;
	c->stops = "/";
	r = point_scan_args(c, p);
	if (r)
		return r;

	const char *from = ++c->s;

	while (*c->s && !point_is_space(*c->s) && !strchr(",}", *c->s))
		c->s++;
	p->modifiers = (struct sv){ from, (size_t)(c->s - from) };
	return point_keep(c, &p->modifiers);
}

int point_parse_inline(struct point *p, struct arena *a, const char *text, const char **end, struct err *e)
{
	const struct inline_kind *k = inline_kind(text);
	struct point_scan c;
	int r;

	*p = (struct point){ 0 };
	if (!k)
		return err_set(e, EINVAL, "'%.40s' is no kprobe:, kretprobe:, uprobe:, uretprobe: or usdt:", text);
	r = point_scan_init(&c, a, text, e);
	if (r)
		return r;
	p->text = c.text;
	p->is_user = k->is_user;
	p->is_return = k->is_return;
	p->kind = k->kind;
	c.s += strlen(k->prefix);
	/* Names of Go have slashes; in a program's probe the file stands between name and arguments. */
	c.stops = k->is_user ? "+@%:,}" : "+@%:/,}";
	r = scan_inline_place(&c, p);
	if (!r)
		r = scan_inline_rest(&c, p);
	if (!r && *c.s && !point_is_space(*c.s) && !strchr(",}", *c.s))
		r = point_fail(&c, c.s, "'%c' is not expected here", *c.s);
	*end = text + (c.s - c.text);
	return r;
}
