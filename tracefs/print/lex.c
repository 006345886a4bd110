/* lex.c - tokens of a print fmt's C text. */
#include "tracefs/print/lex.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_name(char c)
{
	return c == '_' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

void tlex_init(struct tlex *l, struct sv text)
{
	*l = (struct tlex){ .pos = text.s, .end = text.s + text.n };
	tlex_next(l);
}

/* Take the text up to the closing quote as the token. */
static void quoted(struct tlex *l, char quote)
{
	const char *p = l->pos + 1;

	while (p < l->end && *p != quote)
		p += *p == '\\' && p + 1 < l->end ? 2 : 1;
	if (p >= l->end) {
		l->kind = TLEX_BAD;
		l->pos = l->end;
		return;
	}
	l->text = (struct sv){ l->pos + 1, (size_t)(p - l->pos - 1) };
	l->pos = p + 1;
}

static void character(struct tlex *l)
{
	char c[8];

	quoted(l, '\'');
	if (l->kind == TLEX_BAD || l->text.n > sizeof(c) || tlex_unescape(c, l->text) != 1) {
		l->kind = TLEX_BAD;
		return;
	}
	l->v = (uint64_t)(int64_t)(signed char)c[0];
}

static void number(struct tlex *l)
{
	const char *p = l->pos;
	struct sv digits;
	bool u = false, lng = false, decimal;

	while (p < l->end && (is_digit(*p) || is_name(*p)))
		p++;
	l->text = digits = (struct sv){ l->pos, (size_t)(p - l->pos) };
	l->pos = p;
	for (; digits.n && strchr("uUlL", digits.s[digits.n - 1]); digits.n--) {
		bool is_u = (digits.s[digits.n - 1] | 0x20) == 'u';

		u |= is_u;
		lng |= !is_u;
	}
	if (!str_u64(digits, 0, &l->v)) {
		l->kind = TLEX_BAD;
		return;
	}
	decimal = digits.s[0] != '0' || digits.n == 1;
	l->is_long = lng || l->v > UINT32_MAX || (l->v > INT32_MAX && decimal && !u);
	l->is_unsigned = u || (!decimal && (l->v > INT64_MAX || (!l->is_long && l->v > INT32_MAX))) || l->v > INT64_MAX;
}

static int two(char a, char b)
{
	static const struct { char text[3]; uint8_t kind; } ops[] = {
		{ "<<", TLEX_SHL }, { ">>", TLEX_SHR }, { "<=", TLEX_LE }, { ">=", TLEX_GE }, { "==", TLEX_EQ },
		{ "!=", TLEX_NE }, { "&&", TLEX_AND }, { "||", TLEX_OR }, { "->", TLEX_ARROW },
	};

	for (size_t i = 0; i < ARRAY_SIZE(ops); i++)
		if (ops[i].text[0] == a && ops[i].text[1] == b)
			return ops[i].kind;
	return 0;
}

void tlex_next(struct tlex *l)
{
	const char *p = l->pos;

	while (p < l->end && (*p == ' ' || (*p >= '\t' && *p <= '\r')))
		p++;
	l->pos = p;
	l->v = 0;
	l->is_unsigned = l->is_long = false;
	l->text = (struct sv){ p, 0 };
	if (p == l->end) {
		l->kind = TLEX_END;
	} else if (*p == '"') {
		l->kind = TLEX_STR;
		quoted(l, '"');
	} else if (*p == '\'') {
		l->kind = TLEX_NUM;
		character(l);
	} else if (is_digit(*p)) {
		l->kind = TLEX_NUM;
		number(l);
	} else if (is_name(*p)) {
		l->kind = TLEX_NAME;
		while (p < l->end && (is_name(*p) || is_digit(*p)))
			p++;
		l->text.n = (size_t)(p - l->pos);
		l->pos = p;
	} else {
		int op = p + 1 < l->end ? two(p[0], p[1]) : 0;

		l->kind = op ? op : *p > ' ' && *p < 0x7f ? *p : TLEX_BAD;
		l->text.n = op ? 2 : 1;
		l->pos = p + l->text.n;
	}
}

static size_t hex_escape(const char *s, size_t n, char *c)
{
	unsigned v = 0;
	size_t i = 0;

	for (; i < n && i < 2; i++) {
		uint64_t d;

		if (!str_u64((struct sv){ s + i, 1 }, 16, &d))
			break;
		v = v * 16 + (unsigned)d;
	}
	*c = (char)v;
	return i;
}

static size_t octal_escape(const char *s, size_t n, char *c)
{
	unsigned v = 0;
	size_t i = 0;

	for (; i < n && i < 3 && s[i] >= '0' && s[i] <= '7'; i++)
		v = v * 8 + (unsigned)(s[i] - '0');
	*c = (char)v;
	return i;
}

size_t tlex_unescape(char *dst, struct sv src)
{
	static const char from[] = "ntrabfve", to[] = "\n\t\r\a\b\f\v\033";
	size_t n = 0;

	for (size_t i = 0; i < src.n; ) {
		char c = src.s[i++];

		if (c == '\\' && i < src.n) {
			const char *at = strchr(from, src.s[i]);

			if (src.s[i] == 'x') {
				i++;
				i += hex_escape(src.s + i, src.n - i, &c);
			} else if (src.s[i] >= '0' && src.s[i] <= '7') {
				i += octal_escape(src.s + i, src.n - i, &c);
			} else {
				c = at && *at ? to[at - from] : src.s[i];
				i++;
			}
		}
		dst[n++] = c;
	}
	return n;
}
