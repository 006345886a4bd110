/* hsql.c - the grammar of sqlhist. */
#include "tracefs/grammar/hsql.h"

#include "tracefs/grammar/trigger.h"

struct parser {
	struct hsql *q;
	struct sv t;                  /* the current token: a word, or one character; empty at the end */
	char a[40], b[40];            /* labels of the two events */
	struct err *e;
};

/* --- tokens --- */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr("_.$\\", c));
}

static void next(struct parser *p)
{
	const char *s = p->t.s + p->t.n;
	size_t n = 0;

	while (*s && strchr(" \t\n;", *s))
		s++;
	while (is_word(s[n]))
		n++;
	if (*s == '"' || *s == '\'') {   /* a quoted text, whose closing quote may be missing */
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
	return hsql_bad(p->q, (size_t)(at.s - p->q->text), what, p->e);
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

/* Length of "LABEL." in front of a word with the dot, or 0. */
static size_t labelled(struct sv word, struct sv label)
{
	return label.n && word.n > label.n && word.s[label.n] == '.' && !memcmp(word.s, label.s, label.n) ? label.n + 1
													   : 0;
}

/* The same for an event by its label, its name, or its system and name. */
static size_t label_of(struct sv word, const char *label, const char *event)
{
	const char *name = strchr(event, ':');
	char whole[HSQL_TEXT];
	size_t n = labelled(word, sv_from(label));

	snprintf(whole, sizeof(whole), "%s", event);
	if (name)
		whole[name - event] = '.';
	n = n ? n : labelled(word, sv_from(whole));
	return n || !name ? n : labelled(word, sv_from(name + 1));
}

/* Cut the label off "LABEL.FIELD": HSQL_FROM, HSQL_TO, or 0 without a label. */
static uint8_t label(const struct parser *p, struct sv *word)
{
	size_t from = label_of(*word, p->a, p->q->from), to = *p->q->to ? label_of(*word, p->b, p->q->to) : 0;
	size_t n = from ? from : to;

	*word = (struct sv){ word->s + n, word->n - n };
	return from ? HSQL_FROM : to ? HSQL_TO : 0;
}

/* --- the parts --- */

static void set_field(struct hsql_field *f, const struct parser *p, struct sv word)
{
	static const struct {
		const char *name;
		enum hsql_kind kind;
	} special[] = { { "TIMESTAMP", HSQL_NS }, { "TIMESTAMP_USECS", HSQL_US }, { "STACKTRACE", HSQL_STACK } };

	*f = (struct hsql_field){ 0 };
	f->side = label(p, &word);
	f->at = (size_t)(word.s - p->q->text);
	for (size_t i = 0; i < ARRAY_SIZE(special); i++)
		if (same(word, special[i].name))
			f->kind = special[i].kind;
	if (word.n && *word.s == '\\')
		word = (struct sv){ word.s + 1, word.n - 1 };
	str_copy(f->name, sizeof(f->name), word);
}

static int field(struct parser *p, struct hsql_field *f)
{
	struct sv word;
	int r = name(p, &word);

	if (!r)
		set_field(f, p, word);
	return r;
}

/* Translate common names of kinds to the kernel's modifiers. */
static void set_mod(struct hsql_item *item, struct sv word)
{
	static const char *const other[][2] = {
		{ "comm", "execname" }, { "log", "log2" }, { "_counter_", "counter" }, { "__counter__", "counter" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(other); i++)
		if (same(word, other[i][0]))
			word = sv_from(other[i][1]);
	str_copy(item->mod, sizeof(item->mod), word);
	for (char *c = item->mod; *c; c++)
		*c |= *c >= 'A' && *c <= 'Z' ? 0x20 : 0;
}

static int cast(struct parser *p, struct hsql_item *item)
{
	struct sv mod, more;
	int r = want(p, "(");

	r = r ? r : field(p, &item->x);
	r = r ? r : want(p, "as");
	r = r ? r : name(p, &mod);
	if (!r && take(p, "-")) {   /* sym-offset */
		r = name(p, &more);
		mod.n = r ? mod.n : (size_t)(more.s + more.n - mod.s);
	}
	if (!r)
		set_mod(item, mod);
	return r ? r : want(p, ")");
}

/* TIMESTAMP_DELTA: one word for a difference of two fields. */
static bool is_delta(struct hsql_item *item)
{
	bool us = same(sv_from(item->x.name), "TIMESTAMP_DELTA_USECS");
	struct hsql_field at = { .kind = us ? HSQL_US : HSQL_NS, .at = item->x.at };

	if (!us && !same(sv_from(item->x.name), "TIMESTAMP_DELTA"))
		return false;
	item->x = item->y = at;
	item->x.side = HSQL_TO;
	item->y.side = HSQL_FROM;
	item->op = '-';
	return true;
}

static int item(struct parser *p, struct hsql_item *item)
{
	bool open = take(p, "(");
	struct sv word;
	int r;

	if (!open && take(p, "cast")) {
		r = cast(p, item);
	} else {
		r = field(p, &item->x);
		if (!r && !is_delta(item) && p->t.n == 1 && strchr("+-", *p->t.s)) {
			item->op = *p->t.s;
			next(p);
			r = field(p, &item->y);
		}
		r = r || !open ? r : want(p, ")");
	}
	if (!r && (take(p, "as") || (p->t.n && is_word(*p->t.s) && !same(p->t, "from")))) {
		r = name(p, &word);
		str_copy(item->as, sizeof(item->as), r ? SV("") : word);
	}
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

static int match(struct parser *p)
{
	struct hsql_field x, y;
	int r = field(p, &x);

	r = r ? r : want(p, "=");
	take(p, "=");
	r = r ? r : field(p, &y);
	if (r)
		return r;
	if (!x.side || !y.side || x.side == y.side)
		return hsql_bad(p->q, x.at, "a field of each of the two events", p->e);
	if (p->q->n_matches == HSQL_MATCHES)
		return hsql_bad(p->q, x.at, "a kernel takes no more keys", p->e);
	p->q->match[p->q->n_matches].from = x.side == HSQL_FROM ? x : y;
	p->q->match[p->q->n_matches++].to = x.side == HSQL_FROM ? y : x;
	return 0;
}

static int join(struct parser *p)
{
	int r = event(p, p->q->to, p->b);

	r = r ? r : want(p, "on");
	do
		r = r ? r : match(p);
	while (!r && take(p, ","));
	return r;
}

/* --- conditions --- */

/* Is it "&&", "and" or a comma between conditions? */
static bool is_and(const struct parser *p)
{
	return p->t.n && (same(p->t, "and") || *p->t.s == ',' || (*p->t.s == '&' && p->t.s[1] == '&'));
}

/* One condition, up to the next && outside of parentheses, belongs to the event whose label is in it. */
static int condition(struct parser *p)
{
	struct sv from = p->t;
	char text[HSQL_FILTER] = "", *to;
	uint8_t who = 0;
	size_t n = 0;
	int depth = 0;

	for (; p->t.n && (depth > 0 || !is_and(p)) && n + 1 < sizeof(text); next(p)) {
		const char *gap = p->t.s;
		struct sv word = p->t;
		uint8_t which = is_word(*gap) ? label(p, &word) : 0;
		/* Keep operators of two characters together. */
		bool apart = n && (gap[-1] == ' ' || is_word(*gap) != is_word(gap[-1])) && text[n - 1] != '(' &&
			     *gap != ')';

		depth += *gap == '(' ? 1 : *gap == ')' ? -1 : 0;
		if (which && who && which != who)
			return bad(p, p->t, "a condition is about one of the events");
		who = which ? which : who;
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%.*s", apart ? " " : "", (int)word.n, word.s);
	}
	if (!n || n + 1 >= sizeof(text))
		return bad(p, from, n ? "that is too long" : "a condition is missing");
	if (depth)
		return bad(p, from, "its parentheses do not match");
	if (*p->q->to && !who)
		return bad(p, from, "which of the events is it about?");
	to = who == HSQL_TO ? p->q->to_if : p->q->from_if;
	n = strlen(to);
	if (snprintf(to + n, HSQL_FILTER - n, "%s%s", n ? " && " : "", text) >= (int)(HSQL_FILTER - n))
		return bad(p, from, "that is too long");
	while (is_and(p)) {
		if (*p->t.s == '&')
			next(p);
		next(p);
	}
	return 0;
}

/* --- the whole query --- */

/* The select list uses labels that are defined behind it: skip the list first. */
static int select_list(struct parser *p)
{
	struct hsql *q = p->q;
	int r = 0;

	do {
		if (q->n_items == HSQL_ITEMS)
			return bad(p, p->t, "that are too many");
		r = item(p, &q->items[q->n_items++]);
	} while (!r && take(p, ","));
	q->end = (size_t)(p->t.s - q->text);
	return r || same(p->t, "from") ? r : bad(p, p->t, "',' or 'from' is missing");
}

int hsql_parse(struct hsql *q, const char *text, struct err *e)
{
	struct parser p = { .q = q, .t = { text, 0 }, .e = e }, list;
	int r;

	*q = (struct hsql){ .text = text };
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
	return select_list(&list);
}

int hsql_bad(const struct hsql *q, size_t at, const char *what, struct err *e)
{
	return trigger_spot(e, EINVAL, what, q->text, at);
}

/* --- as a histogram --- */

static bool is_time(const struct hsql_field *f)
{
	return f->kind == HSQL_NS || f->kind == HSQL_US;
}

static int add_time(const struct hsql *q, const struct hsql_item *it, struct hsql_hist *h, struct err *e)
{
	if (it->op != '-' || it->x.side != HSQL_TO || it->y.side != HSQL_FROM || it->x.kind != it->y.kind)
		return hsql_bad(q, it->x.at, "the later event's TIMESTAMP minus that of the first", e);
	h->ns = it->x.kind == HSQL_NS;
	return 0;
}

static int add_item(const struct hsql *q, const struct hsql_item *it, struct hsql_hist *h, struct err *e)
{
	bool counter = !strcmp(it->mod, "counter");

	if (is_time(&it->x))
		return *q->to ? add_time(q, it, h, e) : hsql_bad(q, it->x.at, "times are from one event to another", e);
	if (it->op)
		return hsql_bad(q, it->x.at, "a histogram has fields, and what differs is the time", e);
	if (it->x.kind == HSQL_STACK)
		return hsql_bad(q, it->x.at, "stacks go with sqlhist's events", e);
	if (*q->to && it->x.side != HSQL_TO)
		return hsql_bad(q, it->x.at, "only fields of the event that is joined can be shown", e);
	snprintf(counter ? h->vals[h->n_vals++] : h->keys[h->n_keys++], HSQL_TEXT, "%s%s%s", it->x.name,
		 *it->mod && !counter ? "." : "", counter ? "" : it->mod);
	return 0;
}

int hsql_hist(const struct hsql *q, struct hsql_hist *h, struct err *e)
{
	bool time = false;
	int r = 0;

	*h = (struct hsql_hist){ 0 };
	for (size_t i = 0; !r && i < q->n_items; i++) {
		time |= is_time(&q->items[i].x);
		r = add_item(q, &q->items[i], h, e);
	}
	if (!r && *q->to && !time)
		r = hsql_bad(q, q->end, "a join measures a time: (B.TIMESTAMP_USECS - A.TIMESTAMP_USECS)", e);
	return r || q->n_matches < 2 ? r : hsql_bad(q, q->match[1].from.at, "a histogram of times has one key", e);
}
