/* spec.c - split at commas and slashes outside of quotes and parentheses. */
#include "engine/spec.h"

#include "base/str.h"

enum { ATTRS_MAX = 32 };

/* The end of the piece that begins at p: one of `ends`, or the NUL. NULL: a quote or parenthesis is not closed. */
static const char *piece_end(const char *p, const char *ends)
{
	unsigned open = 0;
	char quote = 0;

	for (; *p; p++) {
		if (quote) {
			if (*p == '\\' && p[1])
				p++;
			else if (*p == quote)
				quote = 0;
		} else if (*p == '"' || *p == '\'') {
			quote = *p;
		} else if (!open && strchr(ends, *p)) {
			return p;
		} else {
			open += *p == '(';
			open -= *p == ')' && open;
		}
	}
	return quote || open ? NULL : p;
}

static int at_mark(const char *text, const char *at, const char *what, struct err *e)
{
	int column = (int)MIN((size_t)(at - text), 300u);

	return err_set(e, EINVAL, "%s\n  %s\n  %*s^", what, text, column, "");
}

enum attr_kind { ATTR_TEXT, ATTR_FLAG, ATTR_TOP_BY, ATTR_TOP_ADD, ATTR_DEPTH, ATTR_REFUSED };

struct attr_name {
	const char *name;
	uint8_t kind;
	uint16_t off;
	const char *why;
};

#define TEXT(n, field) { n, ATTR_TEXT, offsetof(struct spec, field), NULL }
#define FLAG(n, field) { n, ATTR_FLAG, offsetof(struct spec, field), NULL }
#define REFUSED(n, why) { n, ATTR_REFUSED, 0, why }

static const struct attr_name names[] = {
	FLAG("stack", stack), FLAG("untraced", untraced), FLAG("trigger", trigger),
	{ "max-stack", ATTR_DEPTH, 0, NULL }, { "top-by", ATTR_TOP_BY, 0, NULL }, { "top-add", ATTR_TOP_ADD, 0, NULL },
	TEXT("alias", alias), TEXT("exec", exec), TEXT("cpus", cpus), TEXT("args", args), TEXT("key", key),
	TEXT("printkey", printkey), TEXT("comm", comm), TEXT("ptr", ptr), TEXT("size", size), TEXT("num", num),
	TEXT("role", role),
	REFUSED("push", "events are not sent: record them (sonde record -o -) and read that with -i -"),
	REFUSED("pull", "events are not received: -i reads a recording or a pipe"),
	REFUSED("vm", "guests are not mapped to their threads: give -t"),
	REFUSED("index", "there is no sql here, and it was sql's"),
};

/* Options of a profiler that is used as an event. */
struct event_words {
	uint64_t freq;
	bool no_user, no_kernel;
};

struct parse {
	struct specs *specs;
	const char *text;            /* the -e argument, for carets in errors */
	struct err *e;
};

static const char *copy(struct parse *p, const char *s, const char *end)
{
	const char *text = arena_dup(&p->specs->arena, s, (size_t)(end - s));

	if (!text)
		err_nomem(p->e);
	return text;
}

/* A value, without its quotes. */
static const char *value_of(struct parse *p, const char *s, const char *end)
{
	bool quoted = end - s >= 2 && *s == '"' && memchr(s + 1, '"', (size_t)(end - s - 1)) == end - 1;

	return quoted ? copy(p, s + 1, end - 1) : copy(p, s, end);
}

static int set_depth(struct parse *p, struct spec *s, const char *at, const char *end)
{
	uint64_t n;

	if (!str_u64((struct sv){ at, (size_t)(end - at) }, 10, &n) || !n || n > SPEC_STACK_MAX)
		return at_mark(p->text, at, "max-stack is a number of frames, 1 to 1024", p->e);
	s->max_stack = (unsigned)n;
	s->stack = true;
	return 0;
}

static int set_top(struct parse *p, struct spec *s, bool sorts, const char *at, const char *end)
{
	if (s->n_top == SPEC_TOPS)
		return at_mark(p->text, at, "more than 8 columns", p->e);
	s->top[s->n_top].sorts = sorts;
	s->top[s->n_top].expr = value_of(p, at, end);
	return s->top[s->n_top++].expr ? 0 : -ENOMEM;
}

static int unknown_attr(struct parse *p, const char *at, struct sv name)
{
	struct nearest near;
	char what[200], text[100];

	nearest_init(&near, name);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		nearest_feed(&near, names[i].name);
	snprintf(what, sizeof(what), "no attribute '%.*s'%s", (int)MIN(name.n, 40u), name.s,
		 nearest_text(&near, text, sizeof(text)));
	return at_mark(p->text, at, what, p->e);
}

/* NAME or NAME=VALUE between two slashes. */
static int set_attr(struct parse *p, struct spec *s, const char *at, const char *end)
{
	const char *eq = memchr(at, '=', (size_t)(end - at)), *value = eq ? eq + 1 : end;
	struct sv name = sv_trim((struct sv){ at, (size_t)((eq ? eq : end) - at) });
	const struct attr_name *a = names;

	while (a < names + ARRAY_SIZE(names) && !sv_eq(name, a->name))
		a++;
	if (a == names + ARRAY_SIZE(names))
		return unknown_attr(p, at, name);
	if (a->kind == ATTR_REFUSED)
		return at_mark(p->text, at, a->why, p->e);
	if (!eq != (a->kind == ATTR_FLAG))
		return at_mark(p->text, at, eq ? "it has no value" : "it needs a value", p->e);
	switch ((enum attr_kind)a->kind) {
	case ATTR_FLAG: *(bool *)((char *)s + a->off) = true; return 0;
	case ATTR_DEPTH: return set_depth(p, s, value, end);
	case ATTR_TOP_BY: return set_top(p, s, true, value, end);
	case ATTR_TOP_ADD: return set_top(p, s, false, value, end);
	default: return (*(const char **)(void *)((char *)s + a->off) = value_of(p, value, end)) ? 0 : -ENOMEM;
	}
}

/* Parse the segments behind a name: *at is at the first slash, and moves behind the last one. */
static int segments(struct parse *p, struct spec *s, const char **at)
{
	for (unsigned n = 0; **at == '/' && (*at)[1] && ((*at)[1] != ',' || !n); n++) {
		const char *from = *at + 1, *end = piece_end(from, "/");
		int r;

		if (!end || *end != '/')
			return at_mark(p->text, from, "it does not end: a '/' is missing behind it", p->e);
		if (n > ATTRS_MAX)
			return at_mark(p->text, from, "too many attributes", p->e);
		if (!n)
			r = (s->filter = copy(p, from, end)) ? 0 : -ENOMEM;
		else
			r = set_attr(p, s, from, end);
		if (r)
			return r;
		*at = end;
	}
	*at += **at == '/';
	return 0;
}

/* Append fetch arguments to a probe, as in the event grammar: kprobe:f/n=%x0:u32/. */
static int with_args(struct parse *p, struct spec *s)
{
	size_t n = strlen(s->event) + strlen(s->args) + 3;
	char *text = arena_alloc(&p->specs->arena, n);

	if (!text)
		return err_nomem(p->e);
	snprintf(text, n, "%s/%s/", s->event, s->args);
	s->event = text;
	return 0;
}

/* --- profilers as events --- */

struct source_name {
	const char *name, *event, *instead;
};

static const struct source_name sources[] = {
	{ "profile", "cycles", "cpu-clock" }, { "page-faults", "page-faults", NULL },
};

/* Take an option of such a profiler: 1; 0: unknown option; -errno. `rest` moves behind its value. */
static int source_option(struct parse *p, struct spec *s, struct sv word, struct sv *rest, struct event_words *w)
{
	static const char *const with_value[] = { "-m", "--mmap-pages", "--watermark" };
	struct sv value;

	if (sv_eq(word, "-g") || sv_eq(word, "--call-graph")) {
		s->stack = true;
		return 1;
	}
	w->no_user |= sv_eq(word, "--exclude-user");
	w->no_kernel |= sv_eq(word, "--exclude-kernel");
	if (sv_eq(word, "--exclude-user") || sv_eq(word, "--exclude-kernel"))
		return 1;
	if (sv_eq(word, "-F") || sv_eq(word, "--freq"))
		return sv_cut(rest, ' ', &value) && str_u64(value, 10, &w->freq) && w->freq ? 1 :
			at_mark(s->filter, word.s, "-F takes samples per second", p->e);
	/* Ignored: all events share the rings, and the command sets their size. */
	for (size_t i = 0; i < ARRAY_SIZE(with_value); i++)
		if (sv_eq(word, with_value[i]))
			return sv_cut(rest, ' ', &value);
	return 0;
}

static const char *source_event(struct parse *p, const char *event, const struct event_words *w)
{
	char text[100];
	const char *kept, *side = w->no_user ? "k" : w->no_kernel ? "u" : "";

	if (w->freq)
		snprintf(text, sizeof(text), "%s/freq=%llu/%s", event, (unsigned long long)w->freq, side);
	else
		snprintf(text, sizeof(text), "%s%s%s", event, *side ? ":" : "", side);
	kept = arena_dup(&p->specs->arena, text, strlen(text));
	if (!kept)
		err_nomem(p->e);
	return kept;
}

static int no_option(struct parse *p, const struct spec *s, const char *name, struct sv word)
{
	char what[160];

	snprintf(what, sizeof(what), "%s as an event has no option '%.*s': -F, -g, --exclude-user and --exclude-kernel",
		 name, (int)MIN(word.n, 40u), word.s);
	return at_mark(s->filter, word.s, what, p->e);
}

/* Parse the options in s->filter, which is emptied. */
static int read_source(struct parse *p, struct spec *s, const struct source_name *from)
{
	struct sv rest = sv_from(s->filter), word;
	struct event_words w = { 0 };
	int r;

	while (sv_cut(&rest, ' ', &word)) {
		r = word.n ? source_option(p, s, word, &rest, &w) : 1;
		if (!r)
			return no_option(p, s, from->name, word);
		if (r < 0)
			return r;
	}
	s->filter = "";
	s->alias = s->alias ? s->alias : from->name;
	s->event = source_event(p, from->event, &w);
	if (from->instead)
		s->instead = source_event(p, from->instead, &w);
	return s->event && (s->instead || !from->instead) ? 0 : -ENOMEM;
}

static int take_source(struct parse *p, struct spec *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
		if (!strcmp(s->event, sources[i].name))
			return read_source(p, s, &sources[i]);
	return 0;
}

static int one(struct parse *p, const char **at)
{
	const char *from = *at, *end = piece_end(from, "/,");
	struct spec s = { .filter = "", .group = p->specs->groups };
	struct spec *to;
	int r;

	if (!end)
		return at_mark(p->text, from, "a quote or parenthesis is not closed", p->e);
	if (end == from)
		return at_mark(p->text, from, "expected an event: sched:sched_switch", p->e);
	s.event = copy(p, from, end);
	*at = end;
	r = s.event ? segments(p, &s, at) : -ENOMEM;
	if (r)
		return r;
	if (**at && **at != ',')
		return at_mark(p->text, *at, "expected ',' or the end", p->e);
	s.text = copy(p, from, *at);
	r = s.text ? take_source(p, &s) : -ENOMEM;
	if (!r && s.args)
		r = with_args(p, &s);
	if (r)
		return r;
	to = vec_add(&p->specs->v);
	if (!to)
		return err_nomem(p->e);
	*to = s;
	*at += **at == ',';
	return 0;
}

int specs_add(struct specs *s, const char *text, struct err *e)
{
	struct parse p = { s, text, e };
	const char *at = text;
	size_t before = s->v.n;
	int r;

	do {
		r = one(&p, &at);
	} while (!r && *at);
	if (r)
		s->v.n = before;
	else
		s->groups++;
	return r;
}

int specs_add_event(struct specs *s, const char *event, struct err *e)
{
	struct spec *to = vec_add(&s->v);
	const char *kept = to ? arena_dup(&s->arena, event, strlen(event)) : NULL;

	if (!kept)
		return err_nomem(e);
	*to = (struct spec){ .text = kept, .event = kept, .filter = "", .group = s->groups++ };
	return 0;
}

void specs_deinit(struct specs *s)
{
	vec_free(&s->v);
	arena_deinit(&s->arena);
}
