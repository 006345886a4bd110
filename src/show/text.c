/* text.c - UTF-8 decoding, column counting, escaping. */
#include "show/text.h"

enum { REPLACEMENT = 0xfffd };

struct range {
	uint32_t from, to;
};

/* The blocks that terminals draw two columns wide (Unicode East Asian Width W and F, joined up). */
static const struct range wide[] = {
	{ 0x1100, 0x115f }, { 0x2e80, 0x303e }, { 0x3041, 0xa4cf }, { 0xac00, 0xd7a3 },
	{ 0xf900, 0xfaff }, { 0xfe30, 0xfe6f }, { 0xff00, 0xff60 }, { 0xffe0, 0xffe6 },
	{ 0x1f300, 0x1faff }, { 0x20000, 0x3fffd },
};

/*
 * How many bytes follow this first byte, or -1: it is none. A sequence for less than `least` is
 * overlong.
 */
static int utf8_more(uint8_t b, uint32_t *payload, uint32_t *least)
{
	static const struct {
		uint8_t mask, is;
		uint32_t least;
	} form[] = {
		{ 0x80, 0, 0 }, { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 },
		{ 0xf8, 0xf0, 0x10000 },
	};

	for (int i = 0; i < (int)ARRAY_SIZE(form); i++)
		if ((b & form[i].mask) == form[i].is) {
			*payload = b & (uint8_t)~form[i].mask;
			*least = form[i].least;
			return i;
		}
	return -1;
}

uint32_t text_next(struct sv *s)
{
	const uint8_t *p = (const uint8_t *)s->s;
	uint32_t cp = 0, least = 0;
	int more = utf8_more(p[0], &cp, &least);
	size_t n = more < 0 ? 1 : (size_t)more + 1;
	int good = more >= 0 && n <= s->n;

	for (size_t i = 1; good && i < n; i++) {
		good = p[i] >> 6 == 2;
		cp = cp << 6 | (p[i] & 0x3f);
	}
	if (!good || cp < least || cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff)) {
		cp = REPLACEMENT;
		n = 1;
	}
	s->s += n;
	s->n -= n;
	return cp;
}

static unsigned columns_of(uint32_t cp)
{
	if (cp < wide[0].from)
		return 1;
	for (size_t i = 0; i < ARRAY_SIZE(wide); i++)
		if (cp >= wide[i].from && cp <= wide[i].to)
			return 2;
	return 1;
}

size_t text_columns(struct sv s)
{
	size_t n = sv_plain(s);

	s.s += n;
	s.n -= n;
	while (s.n)
		n += columns_of(text_next(&s));
	return n;
}

static void put_cp(struct out *o, uint32_t cp)
{
	char b[4];

	if (cp < 0x80) {
		out_char(o, (char)cp);
	} else if (cp < 0x800) {
		b[0] = (char)(0xc0 | cp >> 6);
		b[1] = (char)(0x80 | (cp & 0x3f));
		out_bytes(o, b, 2);
	} else if (cp < 0x10000) {
		b[0] = (char)(0xe0 | cp >> 12);
		b[1] = (char)(0x80 | (cp >> 6 & 0x3f));
		b[2] = (char)(0x80 | (cp & 0x3f));
		out_bytes(o, b, 3);
	} else {
		b[0] = (char)(0xf0 | cp >> 18);
		b[1] = (char)(0x80 | (cp >> 12 & 0x3f));
		b[2] = (char)(0x80 | (cp >> 6 & 0x3f));
		b[3] = (char)(0x80 | (cp & 0x3f));
		out_bytes(o, b, 4);
	}
}

static void put_xml(struct out *o, uint32_t cp)
{
	switch (cp) {
	case '&': out_str(o, "&amp;"); break;
	case '<': out_str(o, "&lt;"); break;
	case '>': out_str(o, "&gt;"); break;
	case '"': out_str(o, "&quot;"); break;
	default: put_cp(o, cp); break;
	}
}

static void put_one(struct out *o, uint32_t cp, enum text_as as)
{
	int control = cp < 0x20 || (cp >= 0x7f && cp < 0xa0);

	if (as == TEXT_XML)
		put_xml(o, control || cp == 0xfffe || cp == 0xffff ? REPLACEMENT : cp);
	else
		put_cp(o, control ? '?' : cp);
}

void text_put(struct out *o, struct sv s, size_t columns, enum text_as as)
{
	size_t left = columns;
	int cut = columns != TEXT_ALL && text_columns(s) > columns;

	if (!columns)
		return;
	if (cut)
		left--;
	if (!cut && as == TEXT_PLAIN) {
		size_t n = sv_plain(s);

		out_bytes(o, s.s, n);
		s.s += n;
		s.n -= n;
	}
	while (s.n) {
		uint32_t cp = text_next(&s);
		unsigned w = columns_of(cp);

		if (cut && w > left)
			break;
		if (cut)
			left -= w;
		put_one(o, cp, as);
	}
	if (cut)
		put_cp(o, 0x2026);
}

enum { PERCENT_MAX = 32 };

/*
 * "12.34%" as printf rounds it, at the end of buf: how many bytes; 0: too large, or so near to the middle that printf
 * must decide.
 */
static size_t percent_fast(char buf[PERCENT_MAX], double percent)
{
	double hundredths = percent * 100, rest;
	char *p = buf + PERCENT_MAX;
	unsigned n;

	if (!(percent >= 0 && percent < 1000))
		return 0;
	n = (unsigned)hundredths;
	rest = hundredths - n;
	if (rest > 0.499999 && rest < 0.500001)
		return 0;
	n += rest > 0.5;
	*--p = '%';
	*--p = (char)('0' + n % 10);
	*--p = (char)('0' + n / 10 % 10);
	*--p = '.';
	n /= 100;
	do
		*--p = (char)('0' + n % 10);
	while (n /= 10);
	return (size_t)(buf + PERCENT_MAX - p);
}

void text_percent(struct out *o, double percent, unsigned width)
{
	const char *color = percent >= 5 ? "\x1b[31m" : percent > 0.5 ? "\x1b[32m" : "";
	char buf[PERCENT_MAX], *text;
	size_t n = percent_fast(buf, percent);

	text = n ? buf + PERCENT_MAX - n : buf;
	if (!n)
		n = (size_t)snprintf(buf, sizeof(buf), "%.2f%%", percent);
	if (n < width)
		out_fill(o, ' ', width - n);
	if (o->color && *color) {
		out_control(o, color);
		out_bytes(o, text, n);
		out_control(o, "\x1b[m");
	} else {
		out_bytes(o, text, n);
	}
}
