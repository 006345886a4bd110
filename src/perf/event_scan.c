/* event_scan.c - cut an event's text at its punctuation, and mark the place of an error. */
#include "perf/event_impl.h"

enum { SHOWN = 72, SHOWN_BEFORE = 40 };

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The error message, the input (of a long one the part around the bad byte), and a caret below the bad byte. */
int event_fail(struct event_parser *p, int code, const char *at, const char *fmt, ...)
{
	const char *start = p->text, *end = p->text + p->n;
	char message[220], line[SHOWN + 1];
	size_t n = 0, column;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(message, sizeof(message), fmt, ap);
	va_end(ap);
	if (at < start || at > end)
		at = p->typed.s;   /* the error is inside an alias' text: point at the event that names it */
	if (p->n > SHOWN && at - start > SHOWN_BEFORE)
		start = at - SHOWN_BEFORE;
	column = (size_t)(at - start);
	for (const char *c = start; c < end && n < SHOWN; c++)
		line[n++] = *c >= ' ' && *c < 127 ? *c : '?';
	line[n] = '\0';
	return err_set(p->e, code, "%s\n  %s\n  %*s^", message, line, (int)column, "");
}

void event_skip_space(struct event_parser *p)
{
	while (p->pos < p->n && is_space(p->text[p->pos]))
		p->pos++;
}

static char peek(const struct event_parser *p)
{
	return p->pos < p->n ? p->text[p->pos] : '\0';
}

/* The text up to punctuation or white space. */
static struct sv word(struct event_parser *p)
{
	size_t from = p->pos;

	while (p->pos < p->n && !strchr("/:,{}'", p->text[p->pos]) && !is_space(p->text[p->pos]))
		p->pos++;
	return (struct sv){ p->text + from, p->pos - from };
}

/* The terms between the '/' at the position and the closing '/'; a '/' in quotes does not close. */
static int terms(struct event_parser *p, struct sv *out)
{
	size_t from = ++p->pos;
	char quote = '\0';

	for (; p->pos < p->n; p->pos++) {
		char c = p->text[p->pos];

		if (quote) {
			quote = c == quote ? '\0' : quote;
		} else if (c == '\'' || c == '"') {
			quote = c;
		} else if (c == '/') {
			*out = (struct sv){ p->text + from, p->pos++ - from };
			return 0;
		}
	}
	return event_fail(p, EINVAL, p->text + from - 1, quote ? "a quote is not closed" : "this '/' is not closed");
}

/* mem:ADDR[/LEN][:rwx][:mods]: the '/' belongs to the length. */
static int scan_mem(struct event_parser *p, struct event_spec *s)
{
	s->second = word(p);
	if (peek(p) == '/') {
		p->pos++;
		s->terms = word(p);
	}
	if (peek(p) == ':') {
		p->pos++;
		s->third = word(p);
	}
	if (peek(p) == ':') {
		p->pos++;
		s->mods = word(p);
	}
	return 0;
}

static int scan_parts(struct event_parser *p, struct event_spec *s)
{
	s->head = word(p);
	if (peek(p) == ':') {
		p->pos++;
		if (sv_eq(s->head, "mem"))
			return scan_mem(p, s);
		s->second = word(p);
	}
	if (peek(p) == ':') {
		p->pos++;
		s->third = word(p);
	}
	if (peek(p) != '/' || s->third.s)
		return 0;

	int r = terms(p, &s->terms);

	if (r)
		return r;
	if (peek(p) == ':')
		p->pos++;
	s->mods = word(p);
	return 0;
}

int event_scan(struct event_parser *p, struct event_spec *s)
{
	const char *from = p->text + p->pos;

	*s = (struct event_spec){ 0 };
	p->typed = (struct sv){ from, 0 };

	int r = scan_parts(p, s);

	s->all = (struct sv){ from, (size_t)(p->text + p->pos - from) };
	p->typed = s->all;
	if (r)
		return r;
	if (!s->head.n)
		return event_fail(p, EINVAL, from, "an event is missing here");
	if (peek(p) && !strchr(",}", peek(p)) && !is_space(peek(p)))
		return event_fail(p, EINVAL, p->text + p->pos, "'%c' is not expected here", peek(p));
	return 0;
}
