/* point_args.c - what to fetch: [NAME=]EXPR[@user][:TYPE], cut into its parts. */
#include "probe/point_parts.h"
#include "probe/probe_name.h"

enum { ARGS_MAX = 128 };        /* the kernel's, of one probe */

bool point_arg_like(struct sv w)
{
	for (size_t i = 0; i < w.n; i++)
		if (strchr(";{}!|?", w.s[i]))
			return false;
	return w.n && (point_is_word(w.s[0]) || (strchr("$%@\\+-*&(", w.s[0]) && w.n > 1)) &&
	       (point_is_word(w.s[w.n - 1]) || strchr(")]\"'", w.s[w.n - 1]));
}

/* The slash of a bit-field's type, ":b4@2/32", ends no inline form. */
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

/* Up to white space or a stop outside brackets and quotes. */
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

/* Where ":TYPE" begins, no "::", outside brackets and quotes; or the end. */
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

		point_skip_space(c);
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
