/* hsql.c - the grammar of sqlhist. */
#include "tracefs/hsql.h"

#include "tracefs/trigger.h"

struct parser {
	struct hsql *q;
	const char *text;
	struct sv t;                  /* the current token: a word, or one character; empty at the end */
	char a[40], b[40];            /* labels of the two events */
	bool time;                    /* the difference of times was asked for */
	struct err *e;
};

/* --- tokens --- */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr("_.$", c));
}

static void next(struct parser *p)
{
	const char *s = p->t.s + p->t.n;
	size_t n = 0;

	while (*s && strchr(" \t\n;", *s))
		s++;
	while (is_word(s[n]))
		n++;
	if (*s == '"' || *s == '\'') {   /* a text, which may lack its end */
		const char *end = strchr(s + 1, *s);

		n = end ? (size_t)(end + 1 - s) : strlen(s);
	}
	p->t = (struct sv){ s, n ? n : *s != '\0' };
}

static bool same(struct sv a, const char *word)
{
	return a.n == strlen(word) && str_contains(a, sv_from(word));
}

static bool take(struct parser *p, const char *word)
{
	if (!same(p->t, word))
		return false;
	next(p);
	return true;
}

static int bad(const struct parser *p, struct sv at, const char *what)
{
	return trigger_spot(p->e, EINVAL, what, p->text, (size_t)(at.s - p->text));
}

static int want(struct parser *p, const char *word)
{
	char text[64];

	if (take(p, word))
		return 0;
	snprintf(text, sizeof(text), "'%s' is missing", word);
	return bad(p, p->t, text);
}

static int name(struct parser *p, struct sv *word)
{
	*word = p->t;
	if (!p->t.n || !is_word(p->t.s[0]))
		return bad(p, p->t, "a name is missing");
	next(p);
	return 0;
}

/* "LABEL.FIELD" without its label: 'a', 'b', or 0 without one. */
static char label(const struct parser *p, struct sv *word)
{
	const char *dot = memchr(word->s, '.', word->n);
	struct sv l = { word->s, dot ? (size_t)(dot - word->s) : 0 };
	char which = !dot ? 0 : sv_eq(l, p->a) ? 'a' : sv_eq(l, p->b) ? 'b' : 0;

	if (which)
		*word = (struct sv){ dot + 1, word->n - l.n - 1 };
	return which;
}

/* --- the parts --- */

/* (B.TIMESTAMP - A.TIMESTAMP), the parenthesis may be missing; or TIMESTAMP_DELTA. */
static int time(struct parser *p, struct sv first, bool open)
{
	bool delta = first.n >= 15 && str_contains(first, SV("TIMESTAMP_DELTA"));
	struct sv second;
	int r = delta ? 0 : want(p, "-");

	p->time = true;
	p->q->ns = !str_contains(first, SV("_USECS"));
	r = r || delta ? r : name(p, &second);
	if (!r && !delta &&
	    (label(p, &first) != 'b' || label(p, &second) != 'a' || !str_contains(second, SV("TIMESTAMP"))))
		return bad(p, first, "the later event's TIMESTAMP minus that of the first");
	return r || !open ? r : want(p, ")");
}

static int add(struct parser *p, struct sv field, struct sv mod)
{
	struct hsql *q = p->q;
	bool counter = same(mod, "counter");
	size_t *n = counter ? &q->n_vals : &q->n_keys;
	char which = label(p, &field);

	if (*n == HSQL_ITEMS)
		return bad(p, field, "that are too many");
	if (*q->to && which != 'b')
		return bad(p, field, "only fields of the event that is joined can be shown");
	snprintf(counter ? q->vals[*n] : q->keys[*n], HSQL_TEXT, "%.*s%s%.*s", (int)field.n, field.s,
		 mod.n && !counter ? "." : "", counter ? 0 : (int)mod.n, mod.n ? mod.s : "");
	++*n;
	return 0;
}

static int cast(struct parser *p, struct sv *field, struct sv *mod)
{
	int r = want(p, "(");

	r = r ? r : name(p, field);
	r = r ? r : want(p, "as");
	r = r ? r : name(p, mod);
	if (!r && take(p, "-")) {   /* sym-offset */
		struct sv more;

		r = name(p, &more);
		mod->n = r ? mod->n : (size_t)(more.s + more.n - mod->s);
	}
	return r ? r : want(p, ")");
}

static int item(struct parser *p)
{
	struct sv field, mod = { "", 0 };
	bool open = take(p, "(");
	int r = name(p, &field);

	if (!r && same(field, "cast"))
		r = cast(p, &field, &mod);
	if (r)
		return r;
	if (str_contains(field, SV("TIMESTAMP")) && !str_contains(field, SV("common_")))
		r = time(p, field, open);
	else
		r = open ? bad(p, field, "parentheses are for times") : add(p, field, mod);
	if (!r && take(p, "as"))
		r = name(p, &field);
	return r;
}

static int event(struct parser *p, char to[HSQL_TEXT], char alias[40])
{
	struct sv word;
	int r = name(p, &word);

	if (r)
		return r;
	str_copy(to, HSQL_TEXT, word);
	if (strchr(to, '.'))
		*strchr(to, '.') = ':';
	if (take(p, "as") || (p->t.n && is_word(p->t.s[0]) && !same(p->t, "join") && !same(p->t, "on") &&
			      !same(p->t, "where")))
		r = name(p, &word);
	str_copy(alias, 40, word);
	return r;
}

static int join(struct parser *p)
{
	struct sv x, y;
	char which;
	int r = event(p, p->q->to, p->b);

	r = r ? r : want(p, "on");
	r = r ? r : name(p, &x);
	r = r ? r : want(p, "=");
	take(p, "=");
	r = r ? r : name(p, &y);
	if (r)
		return r;
	which = label(p, &x);
	if (!which || label(p, &y) != (which == 'a' ? 'b' : 'a'))
		return bad(p, x, "a field of each of the two events");
	str_copy(p->q->key, HSQL_TEXT, which == 'a' ? x : y);
	str_copy(p->q->to_key, HSQL_TEXT, which == 'a' ? y : x);
	return 0;
}

/* One condition, up to && or the end, goes to the event whose label is in it. */
static int condition(struct parser *p)
{
	struct sv from = p->t;
	char text[HSQL_FILTER] = "", who = 0, *to;
	size_t n = 0;

	for (; p->t.n && !same(p->t, "and") && p->t.s[0] != '&' && n + 1 < sizeof(text); next(p)) {
		const char *gap = p->t.s;
		struct sv word = p->t;
		char which = is_word(*gap) ? label(p, &word) : 0;

		if (which && who && which != who)
			return bad(p, p->t, "a condition is about one of the events");
		who = which ? which : who;
		/* Operators of two characters stay together. */
		bool apart = n && (gap[-1] == ' ' || is_word(*gap) != is_word(gap[-1]));

		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%.*s", apart ? " " : "", (int)word.n, word.s);
	}
	if (!n || n + 1 >= sizeof(text))
		return bad(p, from, n ? "that is too long" : "a condition is missing");
	if (*p->q->to && !who)
		return bad(p, from, "which of the events is it about?");
	to = who == 'a' || !*p->q->to ? p->q->from_if : p->q->to_if;
	n = strlen(to);
	snprintf(to + n, HSQL_FILTER - n, "%s%s", n ? " && " : "", text);
	while (p->t.n && (p->t.s[0] == '&' || same(p->t, "and")))
		next(p);
	return 0;
}

/* The list comes before the labels that it uses: it is passed over first. */
static int select_list(struct parser *p)
{
	int r = item(p);

	while (!r && take(p, ","))
		r = item(p);
	return r;
}

int hsql_parse(struct hsql *q, const char *text, struct err *e)
{
	struct parser p = { .q = q, .text = text, .t = { text, 0 }, .e = e }, list;
	int r;

	*q = (struct hsql){ .ns = false };
	next(&p);
	r = want(&p, "select");
	list = p;
	while (!r && p.t.n && !same(p.t, "from"))
		next(&p);
	r = r ? r : want(&p, "from");
	r = r ? r : event(&p, q->from, p.a);
	if (!r && take(&p, "join"))
		r = join(&p);
	if (!r && take(&p, "where"))
		do
			r = condition(&p);
		while (!r && p.t.n);
	if (r || p.t.n)
		return r ? r : bad(&p, p.t, "what is that?");
	memcpy(list.a, p.a, sizeof(list.a));
	memcpy(list.b, p.b, sizeof(list.b));
	r = select_list(&list);
	if (!r && !same(list.t, "from"))
		return bad(&list, list.t, "',' or 'from' is missing");
	if (!r && *q->to && !list.time)
		return bad(&list, list.t, "a join measures a time: (B.TIMESTAMP_USECS - A.TIMESTAMP_USECS)");
	return r;
}
