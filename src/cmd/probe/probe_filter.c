/* probe_filter.c - perf's filters: globs joined by & and |, with ! in front and parentheses around. */
#include "cmd/probe/probe.h"

enum { FILTER_DEPTH = 32 };

struct filter {
	struct sv rest;
	struct sv name, event;   /* event: EVENT of GROUP:EVENT, for globs without a colon; or empty */
	const char *bad, *why;   /* the first place that cannot be parsed; NULL: none */
};

static bool any_of(struct filter *f, unsigned depth);

static void fail(struct filter *f, const char *at, const char *why)
{
	if (f->bad)
		return;
	f->bad = at;
	f->why = why;
}

/* A glob ends before &, | or the parenthesis that closes a group; names of Go have parentheses of their own. */
static bool glob(struct filter *f)
{
	const char *s = f->rest.s;
	char text[4096];
	unsigned open = 0;
	size_t n = 0;

	for (; n < f->rest.n && !strchr("&|", s[n]); n++) {
		if (s[n] == '\\' && n + 1 < f->rest.n) {
			n++;
			continue;
		}
		open += s[n] == '(';
		if (s[n] == ')' && !open--)
			break;
	}
	str_copy(text, sizeof(text), sv_trim((struct sv){ s, n }));
	if (!text[0])
		fail(f, s + n, "a pattern is missing here");
	f->rest = (struct sv){ s + n, f->rest.n - n };
	return str_glob(text, f->event.n && !strchr(text, ':') ? f->event : f->name);
}

static bool next_is(struct filter *f, char c)
{
	f->rest = sv_trim(f->rest);
	if (!f->rest.n || f->rest.s[0] != c)
		return false;
	f->rest = (struct sv){ f->rest.s + 1, f->rest.n - 1 };
	return true;
}

static bool one_of(struct filter *f, unsigned depth)
{
	const char *open;
	bool r, not = false;

	while (next_is(f, '!'))
		not = !not;
	open = f->rest.s;
	if (depth == FILTER_DEPTH || !next_is(f, '('))
		return glob(f) != not;
	r = any_of(f, depth + 1);
	if (!next_is(f, ')'))
		fail(f, open, "this '(' is not closed");
	return r != not;
}

static bool all_of(struct filter *f, unsigned depth)
{
	bool r = one_of(f, depth);

	while (next_is(f, '&'))
		r = one_of(f, depth) && r;
	return r;
}

static bool any_of(struct filter *f, unsigned depth)
{
	bool r = all_of(f, depth);

	while (next_is(f, '|'))
		r = all_of(f, depth) || r;
	return r;
}

bool probe_filter(const char *filter, struct sv name, struct sv event)
{
	struct filter f = { .rest = sv_from(filter), .name = name, .event = event };

	return any_of(&f, 0);
}

int probe_filter_check(const char *filter, struct err *e)
{
	struct filter f = { .rest = sv_from(filter) };

	any_of(&f, 0);
	if (f.rest.n)
		fail(&f, f.rest.s, f.rest.s[0] == ')' ? "nothing is open here that ')' closes"
						       : "& or | is missing here");
	return f.bad ? point_mark(e, filter, f.bad, f.why) : 0;
}
