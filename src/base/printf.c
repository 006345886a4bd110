/*
 * printf.c - sonde's own snprintf and vsnprintf: musl's would link 20 KB of 128-bit floating point arithmetic.
 *
 * Conversions: d i u x X o c s p f g %, flags - 0 + space #, width and precision (also *), lengths hh h l ll z j t.
 * Doubles print exactly as C says (ties to even) up to 2^64, with up to 18 decimals; larger ones lose digits.
 */
#include "base/base.h"

enum { DECIMALS_MAX = 18 };

struct to {
	char *buf;
	size_t size, n;   /* n: length of the whole text, including what did not fit */
};

struct conv {
	bool left, zero, plus, space, alt;
	int width, prec;   /* prec -1: none given */
};

static void put(struct to *t, const char *s, size_t n)
{
	if (t->n < t->size)
		memcpy(t->buf + t->n, s, MIN(n, t->size - t->n));
	t->n += n;
}

static void fill(struct to *t, char c, int n)
{
	while (n-- > 0)
		put(t, &c, 1);
}

/* Write the prefix (sign or 0x) and the n bytes of s, padded to the width with spaces or zeros. */
static void put_padded(struct to *t, const struct conv *c, const char *prefix, const char *s, int n)
{
	int pre = (int)strlen(prefix), zeros = 0, pad = c->width - pre - n;

	if (c->zero && !c->left && pad > 0) {
		zeros = pad;
		pad = 0;
	}
	if (!c->left)
		fill(t, ' ', pad);
	put(t, prefix, (size_t)pre);
	fill(t, '0', zeros);
	put(t, s, (size_t)n);
	if (c->left)
		fill(t, ' ', pad);
}

/* Write the digits of v in front of `end`, at least `least` of them; returns the first. ten: 'a' or 'A'. */
static char *digits(char *end, uint64_t v, unsigned base, int least, char ten)
{
	char *p = end;

	for (; v || least > 0; least--, v /= base) {
		unsigned d = (unsigned)(v % base);

		*--p = (char)(d < 10 ? '0' + d : ten + d - 10);
	}
	return p;
}

static const char *sign_of(const struct conv *c, bool negative)
{
	return negative ? "-" : c->plus ? "+" : c->space ? " " : "";
}

static void put_integer(struct to *t, struct conv *c, char kind, uint64_t v)
{
	char buf[96], *end = buf + sizeof(buf);
	bool is_signed = kind == 'd', hex = kind == 'x' || kind == 'X', negative = is_signed && (int64_t)v < 0;
	const char *prefix = is_signed ? sign_of(c, negative) :
		c->alt && hex && v ? (kind == 'x' ? "0x" : "0X") : c->alt && v && kind == 'o' ? "0" : "";
	int least = c->prec < 0 ? 1 : MIN(c->prec, 64);

	if (c->prec >= 0)
		c->zero = false;

	char *p = digits(end, negative ? -v : v, hex ? 16 : kind == 'o' ? 8 : 10, least, kind == 'X' ? 'A' : 'a');

	put_padded(t, c, prefix, p, (int)(end - p));
}

static uint64_t ten_to(int n)
{
	uint64_t v = 1;

	while (n-- > 0)
		v *= 10;
	return v;
}

struct number {
	uint64_t whole, part;   /* part: the decimals as an integer, e.g. 25 for 1.25 with two */
	bool negative;
};

/* Round v >= 0 to `prec` decimals. v = m * 2^e; for all v below 2^64, m * 10^prec (e < 0) fits into 128 bits. */
static struct number split(double v, int prec)
{
	struct number n = { 0 };
	uint64_t bits, m;
	int e;

	memcpy(&bits, &v, sizeof(bits));
	e = (int)(bits >> 52 & 0x7ff);
	m = (bits & ((UINT64_C(1) << 52) - 1)) | (e ? UINT64_C(1) << 52 : 0);
	e = (e ? e : 1) - 1075;
	if (e >= 0) {
		n.whole = e <= 11 ? m << e : UINT64_MAX;
		return n;
	}
	n.whole = e > -64 ? m >> -e : 0;
	m -= e > -64 ? n.whole << -e : 0;

	unsigned __int128 scaled = (unsigned __int128)m * ten_to(prec), rest, half;

	if (e <= -127)
		return n;
	half = (unsigned __int128)1 << (-e - 1);
	n.part = (uint64_t)(scaled >> -e);
	rest = scaled - ((unsigned __int128)n.part << -e);
	if (rest > half || (rest == half && ((prec ? n.part : n.whole) & 1)))
		n.part++;
	if (n.part == ten_to(prec)) {
		n.part = 0;
		n.whole++;
	}
	return n;
}

static void put_fixed(struct to *t, struct conv *c, double v)
{
	char buf[64], *end = buf + sizeof(buf), *p = end;
	bool negative = __builtin_signbit(v);

	if (v != v || v - v != 0) {
		c->zero = false;
		put_padded(t, c, v != v ? "" : sign_of(c, negative), v != v ? "nan" : "inf", 3);
		return;
	}

	int prec = MIN(c->prec < 0 ? 6 : c->prec, (int)DECIMALS_MAX);
	struct number n = split(negative ? -v : v, prec);

	if (prec) {
		p = digits(p, n.part, 10, prec, 'a');
		*--p = '.';
	}
	p = digits(p, n.whole, 10, 1, 'a');
	put_padded(t, c, sign_of(c, negative), p, (int)(end - p));
}

static int count_digits(uint64_t v)
{
	int n = 0;

	for (; v; v /= 10)
		n++;
	return n;
}

/* v > 0 as m * 10^(*x - count + 1), m (returned) having `count` digits: exact from 1e-4 to 18e18, else close. */
static uint64_t significant(double v, int count, int *x)
{
	struct number n;
	uint64_t m;
	int scaled = 0, drop;

	for (; v >= 18e18; scaled++)
		v /= 10;
	for (; v < 1e-4; scaled--)
		v *= 10;
	n = split(v, DECIMALS_MAX);
	*x = n.whole ? count_digits(n.whole) - 1 : count_digits(n.part) - 1 - DECIMALS_MAX;
	drop = *x + 1 - count;
	if (drop <= 0) {
		n = split(v, MIN(-drop, (int)DECIMALS_MAX));
		m = n.whole * ten_to(-drop) + n.part;
	} else {
		uint64_t by = ten_to(drop), rest = n.whole % by;

		m = n.whole / by;
		m += rest > by / 2 || (rest == by / 2 && (n.part || (m & 1)));
	}
	if (m >= ten_to(count)) {
		m /= 10;
		++*x;
	}
	*x += scaled;
	return m;
}

static void put_general(struct to *t, struct conv *c, double v)
{
	char buf[64], text[96];
	bool negative = __builtin_signbit(v);
	int count = c->prec < 0 ? 6 : MAX(MIN(c->prec, 15), 1), limit = count, x, n = 0;

	if (v != v || v - v != 0 || v == 0) {
		c->prec = 0;
		put_fixed(t, c, v);
		return;
	}

	uint64_t m = significant(negative ? -v : v, count, &x);

	while (count > 1 && m % 10 == 0) {
		m /= 10;
		count--;
	}

	char *p = digits(buf + sizeof(buf), m, 10, count, 'a');
	bool exponent = x < -4 || x >= limit;

	if (!exponent && x < 0) {
		n = 2;
		memcpy(text, "0.000", 5);
		n += -x - 1;
	}
	for (int i = 0; i < count || (!exponent && i <= x); i++) {
		if (i == (exponent ? 1 : x + 1) && i)
			text[n++] = '.';
		text[n++] = i < count ? p[i] : '0';
	}
	if (exponent) {
		char *e = digits(buf + sizeof(buf), (uint64_t)(x < 0 ? -x : x), 10, 2, 'a');

		text[n++] = 'e';
		text[n++] = x < 0 ? '-' : '+';
		for (; e < buf + sizeof(buf); e++)
			text[n++] = *e;
	}
	put_padded(t, c, sign_of(c, negative), text, n);
}

static void put_text(struct to *t, struct conv *c, const char *s)
{
	if (!s)
		s = "(null)";
	c->zero = false;
	put_padded(t, c, "", s, (int)(c->prec < 0 ? strlen(s) : strnlen(s, (size_t)c->prec)));
}

/* A width or precision: a number in the format, or '*' and its argument. */
static int count_of(const char **f, va_list *ap)
{
	int n = 0;

	if (**f == '*') {
		++*f;
		return va_arg(*ap, int);
	}
	for (; **f >= '0' && **f <= '9'; ++*f)
		n = MIN(n * 10 + (**f - '0'), 1 << 20);
	return n;
}

static const char *parse(const char *f, struct conv *c, va_list *ap)
{
	*c = (struct conv){ .prec = -1 };
	for (;; f++) {
		if (*f == '-')
			c->left = true;
		else if (*f == '0')
			c->zero = true;
		else if (*f == '+')
			c->plus = true;
		else if (*f == ' ')
			c->space = true;
		else if (*f == '#')
			c->alt = true;
		else
			break;
	}
	c->width = count_of(&f, ap);
	if (c->width < 0) {
		c->left = true;
		c->width = -c->width;
	}
	if (*f == '.') {
		f++;
		c->prec = count_of(&f, ap);
	}
	return f;
}

/* The integer argument of a length modifier ("", "l", "hh" ...), as 64 bits. */
static uint64_t integer(const char *len, bool is_signed, va_list *ap)
{
	if (*len == 'l' || *len == 'z' || *len == 'j' || *len == 't')
		return va_arg(*ap, uint64_t);

	int v = va_arg(*ap, int);

	if (*len == 'h')
		v = len[1] == 'h' ? (is_signed ? (signed char)v : (unsigned char)v)
		    : is_signed   ? (short)v
				  : (unsigned short)v;
	return is_signed ? (uint64_t)(int64_t)v : (uint64_t)(unsigned)v;
}

static void put_one(struct to *t, struct conv *c, const char *len, char kind, va_list *ap)
{
	char ch;

	switch (kind) {
	case 'd':
	case 'i':
		put_integer(t, c, 'd', integer(len, true, ap));
		break;
	case 'u':
	case 'x':
	case 'X':
	case 'o':
		put_integer(t, c, kind, integer(len, false, ap));
		break;
	case 'p':
		c->alt = true;
		put_integer(t, c, 'x', (uintptr_t)va_arg(*ap, void *));
		break;
	case 'c':
		ch = (char)va_arg(*ap, int);
		c->zero = false;
		put_padded(t, c, "", &ch, 1);
		break;
	case 's':
		put_text(t, c, va_arg(*ap, const char *));
		break;
	case 'f':
		put_fixed(t, c, va_arg(*ap, double));
		break;
	case 'g':
		put_general(t, c, va_arg(*ap, double));
		break;
	default:
		put(t, &kind, 1);
	}
}

_Static_assert(sizeof(long) == 8 && sizeof(size_t) == 8 && sizeof(intmax_t) == 8, "64-bit machines only");

int fmt_vsnprintf(char *buf, size_t size, const char *f, va_list args)
{
	struct to t = { .buf = buf, .size = size ? size - 1 : 0 };
	va_list ap;

	va_copy(ap, args);
	while (*f) {
		size_t plain = strcspn(f, "%");
		struct conv c;
		const char *len;

		put(&t, f, plain);
		f += plain;
		if (!*f)
			break;
		f = len = parse(f + 1, &c, &ap);
		while (*f == 'l' || *f == 'h' || *f == 'z' || *f == 'j' || *f == 't')
			f++;
		if (!*f)
			break;
		put_one(&t, &c, len, *f++, &ap);
	}
	va_end(ap);
	if (size)
		buf[MIN(t.n, t.size)] = '\0';
	return (int)MIN(t.n, (size_t)INT_MAX);
}

int fmt_snprintf(char *buf, size_t size, const char *f, ...)
{
	va_list ap;

	va_start(ap, f);
	int n = fmt_vsnprintf(buf, size, f, ap);
	va_end(ap);
	return n;
}
