/* spec.c - printf conversions. */
#include "tracefs/format/format.h"
#include "tracefs/print/spec.h"

static size_t digits(struct sv t, size_t i, int16_t *v)
{
	int n = 0;

	for (; i < t.n && t.s[i] >= '0' && t.s[i] <= '9'; i++)
		n = MIN(n * 10 + (t.s[i] - '0'), TSPEC_WIDTH_MAX);
	*v = (int16_t)n;
	return i;
}

static size_t flags(struct tspec *s, struct sv t)
{
	for (size_t i = 0; i < t.n; i++) {
		switch (t.s[i]) {
		case '-': s->left = true; break;
		case '0': s->zero = true; break;
		case '+': s->plus = true; break;
		case ' ': s->space = true; break;
		case '#': s->alt = true; break;
		default: return i;
		}
	}
	return t.n;
}

static size_t width(struct tspec *s, struct sv t, size_t i)
{
	if (i < t.n && t.s[i] == '*') {
		s->star_width = true;
		i++;
	} else {
		i = digits(t, i, &s->width);
	}
	if (i >= t.n || t.s[i] != '.')
		return i;
	i++;
	if (i < t.n && t.s[i] == '*') {
		s->star_prec = true;
		return i + 1;
	}
	return digits(t, i, &s->prec);
}

static size_t length(struct tspec *s, struct sv t, size_t i, uint8_t long_size)
{
	unsigned l = 0, h = 0;

	for (; i < t.n && strchr("hlLqjzZt", t.s[i]) && t.s[i]; i++) {
		h += t.s[i] == 'h';
		l += t.s[i] == 'l' ? 1 : strchr("Lqj", t.s[i]) ? 2 : 0;
		if (strchr("zZt", t.s[i]))
			s->len = long_size;
	}
	if (l)
		s->len = l > 1 ? 8 : long_size;
	else if (h)
		s->len = h > 1 ? 1 : 2;
	return i;
}

static bool is_alnum(char c)
{
	return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

size_t tspec_parse(struct tspec *s, struct sv t, uint8_t long_size)
{
	size_t i, n = 0;

	*s = (struct tspec){ .prec = -1, .len = 4 };
	i = flags(s, t);
	i = width(s, t, i);
	i = length(s, t, i, long_size);
	if (i >= t.n || !t.s[i] || !strchr("diuxXocsp%", t.s[i]))
		return 0;
	s->conv = t.s[i++];
	if (s->conv != 'p')
		return i;
	s->len = long_size;
	/* The kernel skips every letter and digit after %p, whether it has a meaning or not. */
	for (; i < t.n && is_alnum(t.s[i]); i++)
		if (n + 1 < sizeof(s->ext))
			s->ext[n++] = t.s[i];
	return i;
}

void tspec_width(struct tspec *s, int64_t v)
{
	if (v < 0)
		s->left = true;
	v = v < -TSPEC_WIDTH_MAX ? TSPEC_WIDTH_MAX : v < 0 ? -v : v;
	s->width = (int16_t)MIN(v, TSPEC_WIDTH_MAX);
}

void tspec_prec(struct tspec *s, int64_t v)
{
	s->prec = (int16_t)(v < 0 ? -1 : MIN(v, TSPEC_WIDTH_MAX));
}

static void pad(const struct tspec *s, size_t used, struct out *o)
{
	if (s->width > 0 && used < (size_t)s->width)
		out_fill(o, ' ', (size_t)s->width - used);
}

void tspec_text(const struct tspec *s, struct sv text, struct out *o)
{
	if (s->prec >= 0)
		text.n = MIN(text.n, (size_t)s->prec);
	if (!s->left)
		pad(s, text.n, o);
	out_sv(o, text);
	if (s->left)
		pad(s, text.n, o);
}

/* Write the digits of v to the end of buf; returns their number. bits: per digit; 0: decimal. */
static size_t to_digits(char buf[24], uint64_t v, unsigned bits, const char *set)
{
	size_t n = 0;

	if (bits)
		for (; v; v >>= bits)
			buf[24 - ++n] = set[v & ((1u << bits) - 1)];
	else
		for (; v; v /= 10)
			buf[24 - ++n] = (char)('0' + v % 10);
	return n;
}

/* Lay out sign or 0x, zeros and digits of a number in the order of C's printf. */
static void lay_out(const struct tspec *s, const char *prefix, const char *buf, size_t n, struct out *o)
{
	size_t head = strlen(prefix), min = s->prec >= 0 ? (size_t)s->prec : 1, zeros = n < min ? min - n : 0;

	if (s->zero && !s->left && s->prec < 0 && s->width > 0 && head + n + zeros < (size_t)s->width)
		zeros = (size_t)s->width - head - n;
	if (!s->left)
		pad(s, head + zeros + n, o);
	out_str(o, prefix);
	out_fill(o, '0', zeros);
	out_bytes(o, buf + 24 - n, n);
	if (s->left)
		pad(s, head + zeros + n, o);
}

/* Are only the number's digits to be printed? */
static bool is_plain(const struct tspec *s)
{
	return s->width <= 0 && s->prec < 0 && !s->alt && !s->plus && !s->space;
}

void tspec_number(const struct tspec *s, uint64_t v, struct out *o)
{
	bool is_signed = s->conv == 'd' || s->conv == 'i', negative;
	unsigned bits = s->conv == 'o' ? 3 : (s->conv | 0x20) == 'x' ? 4 : 0;
	const char *prefix = "";
	char buf[24];
	size_t n;

	if (s->conv == 'c') {
		tspec_text(s, (struct sv){ (char[]){ (char)v }, 1 }, o);
		return;
	}
	v = is_signed ? (uint64_t)traw_sext(v, s->len) : s->len >= 8 ? v : v & ((UINT64_C(1) << s->len * 8) - 1);
	negative = is_signed && (int64_t)v < 0;
	if (s->conv != 'o' && s->conv != 'X' && is_plain(s)) {
		if (bits)
			out_hex(o, v);
		else if (negative)
			out_i64(o, (int64_t)v);
		else
			out_u64(o, v);
		return;
	}
	if (negative)
		v = -v;
	n = to_digits(buf, v, bits, s->conv == 'X' ? "0123456789ABCDEF" : "0123456789abcdef");
	if (is_signed)
		prefix = negative ? "-" : s->plus ? "+" : s->space ? " " : "";
	else if (s->alt && bits == 4)
		prefix = s->conv == 'X' ? "0X" : "0x";   /* the kernel prints it for 0, too */
	else if (s->alt && bits == 3)
		prefix = "0";
	lay_out(s, prefix, buf, n, o);
}
