/* fmt.c - numbers and text into a buffer. */
#include "base/fmt.h"

#include "base/civil.h"
#include "base/digits.h"
#include "base/str.h"

static void out_hand_over(struct out *o, const char *p, size_t n)
{
	if (n && !o->error) {
		int r = o->write(o->arg, p, n);

		if (r)
			o->error = r;
	}
}

void out_begin(struct out *o)
{
	int r = o->error ? 0 : o->write(o->arg, o->buf, 0);

	if (r)
		o->error = r;
}

void out_flush(struct out *o)
{
	out_hand_over(o, o->buf, o->n);
	o->n = 0;
}

/* Most texts are a word or a few: copying two overlapping halves of fixed size is faster than a call of memcpy. */
static void copy(char *to, const char *from, size_t n)
{
	if (n > 64) {
		memcpy(to, from, n);
	} else if (n > 32) {
		memcpy(to, from, 32);
		memcpy(to + n - 32, from + n - 32, 32);
	} else if (n > 16) {
		memcpy(to, from, 16);
		memcpy(to + n - 16, from + n - 16, 16);
	} else if (n >= 8) {
		uint64_t a, b;

		memcpy(&a, from, 8);
		memcpy(&b, from + n - 8, 8);
		memcpy(to, &a, 8);
		memcpy(to + n - 8, &b, 8);
	} else if (n >= 4) {
		uint32_t a, b;

		memcpy(&a, from, 4);
		memcpy(&b, from + n - 4, 4);
		memcpy(to, &a, 4);
		memcpy(to + n - 4, &b, 4);
	} else if (n) {
		to[0] = from[0];
		to[n / 2] = from[n / 2];
		to[n - 1] = from[n - 1];
	}
}

static void out_raw(struct out *o, const void *p, size_t n)
{
	o->total += n;
	if (n > o->cap - o->n)
		out_flush(o);
	if (n > o->cap) {
		out_hand_over(o, p, n);
		return;
	}
	copy(o->buf + o->n, p, n);
	o->n += n;
}

size_t fmt_utf8(const uint8_t *p, size_t left)
{
	size_t n = p[0] < 0x80 ? 1 : p[0] >> 5 == 6 ? 2 : p[0] >> 4 == 14 ? 3 : p[0] >> 3 == 30 ? 4 : 0;

	if (!n || n > left)
		return 0;
	for (size_t i = 1; i < n; i++)
		if (p[i] >> 6 != 2)
			return 0;
	if ((n == 2 && p[0] < 0xc2) || (n == 3 && p[0] == 0xe0 && p[1] < 0xa0) ||
	    (n == 3 && p[0] == 0xed && p[1] > 0x9f) || (n == 4 && p[0] == 0xf0 && p[1] < 0x90) ||
	    (n == 4 && (p[0] > 0xf4 || (p[0] == 0xf4 && p[1] > 0x8f))))
		return 0;
	return n;
}

/* Length of the UTF-8 sequence that starts with b; 1: an ASCII character, or b starts no sequence. */
static unsigned utf8_want(uint8_t b)
{
	return b < 0xc2 || b > 0xf4 ? 1 : b < 0xe0 ? 2 : b < 0xf0 ? 3 : 4;
}

/* C0 and C1 control characters (ISO 6429): to a UTF-8 terminal, U+009b (CSI) is the same as ESC [. */
static bool is_control(const uint8_t *p, size_t n)
{
	return n == 1 ? (p[0] < 0x20 && p[0] != '\n' && p[0] != '\t') || p[0] == 0x7f :
	       n == 2 && p[0] == 0xc2 && p[1] < 0xa0;
}

static void show_part(struct out *o)
{
	static const char hex[] = "0123456789abcdef";
	size_t n = o->n_part;

	o->n_part = 0;
	if (n && fmt_utf8(o->part, n) == n && !is_control(o->part, n)) {
		out_raw(o, o->part, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		out_raw(o, (char[4]){ '\\', 'x', hex[o->part[i] >> 4], hex[o->part[i] & 15] }, 4);
}

static void show_byte(struct out *o, uint8_t b)
{
	if (o->n_part && b >> 6 != 2)
		show_part(o);
	o->part[o->n_part++] = b;
	if (o->n_part == utf8_want(o->part[0]))
		show_part(o);
}

static void show_bytes(struct out *o, const char *p, size_t n)
{
	for (size_t plain; n; p += plain, n -= plain) {
		plain = o->n_part ? 0 : sv_plain((struct sv){ p, n });
		out_raw(o, p, plain);
		if (!plain) {
			show_byte(o, (uint8_t)*p);
			plain = 1;
		}
	}
}

void out_bytes(struct out *o, const void *p, size_t n)
{
	if (o->terminal) {
		show_bytes(o, p, n);
	} else if (n <= o->cap - o->n) {
		copy(o->buf + o->n, p, n);
		o->n += n;
		o->total += n;
	} else {
		out_raw(o, p, n);
	}
}

void out_control(struct out *o, const char *sequence)
{
	show_part(o);
	out_raw(o, sequence, strlen(sequence));
}

void out_end(struct out *o)
{
	show_part(o);
	out_flush(o);
}

void out_char(struct out *o, char c)
{
	if (o->n >= o->cap || o->terminal) {
		out_bytes(o, &c, 1);
		return;
	}
	o->buf[o->n++] = c;
	o->total++;
}

void out_fill(struct out *o, char c, size_t n)
{
	if (n > o->cap - o->n || o->terminal) {
		while (n--)
			out_char(o, c);
		return;
	}
	/* n is mostly small: one store of a fixed size is faster than a loop. */
	if (n <= 16 && o->cap - o->n >= 16)
		memset(o->buf + o->n, c, 16);
	else
		memset(o->buf + o->n, c, n);
	o->total += n;
	o->n += n;
}

const char digit_pairs[201] =
	"0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
	"5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

/* Write the digits of v (base 10 or 16) at the end of buf; returns the first. */
static inline char *digits(char buf[24], uint64_t v, unsigned base)
{
	char *p = buf + 24;

	if (base == 16) {
		do
			*--p = "0123456789abcdef"[v & 15];
		while (v >>= 4);
		return p;
	}
	for (; v >= 100; v /= 100)
		memcpy(p -= 2, digit_pairs + v % 100 * 2, 2);
	if (v >= 10)
		return memcpy(p - 2, digit_pairs + v * 2, 2);
	*--p = (char)('0' + v);
	return p;
}

/* Always inlined: callers pass constants for base and pad, so the compiler drops the code for other values. */
static inline __attribute__((always_inline)) void out_number(struct out *o, uint64_t v, unsigned base, unsigned width,
							     char pad)
{
	char buf[24], *p = digits(buf, v, base);
	size_t n = (size_t)(buf + sizeof(buf) - p);

	if (n < width)
		out_fill(o, pad, width - n);
	out_bytes(o, p, n);
}

void out_u64(struct out *o, uint64_t v)
{
	out_number(o, v, 10, 0, ' ');
}

void out_i64(struct out *o, int64_t v)
{
	if (v < 0)
		out_char(o, '-');
	out_u64(o, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

void out_hex(struct out *o, uint64_t v)
{
	out_number(o, v, 16, 0, ' ');
}

void out_u64w(struct out *o, uint64_t v, unsigned width)
{
	out_number(o, v, 10, width, ' ');
}

void out_hexw(struct out *o, uint64_t v, unsigned width)
{
	out_number(o, v, 16, width, ' ');
}

void out_zero(struct out *o, uint64_t v, unsigned width)
{
	out_number(o, v, 10, width, '0');
}

void out_zero_hex(struct out *o, uint64_t v, unsigned width)
{
	out_number(o, v, 16, width, '0');
}

/* Write v / 10^decimals as a decimal fraction that ends at `end`; returns its first character. */
static char *put_point(char *end, uint64_t v, unsigned decimals)
{
	char *p = end;

	if (decimals % 2) {
		*--p = (char)('0' + v % 10);
		v /= 10;
	}
	for (unsigned n = decimals / 2; n; n--, v /= 100)
		memcpy(p -= 2, digit_pairs + v % 100 * 2, 2);
	*--p = '.';
	for (; v >= 100; v /= 100)
		memcpy(p -= 2, digit_pairs + v % 100 * 2, 2);
	if (v >= 10)
		memcpy(p -= 2, digit_pairs + v * 2, 2);
	else
		*--p = (char)('0' + v);
	return p;
}

/* Upper bound for the number of decimal digits of v: 1233 / 4096 is a little more than log10(2). */
static unsigned digits_most(uint64_t v)
{
	return ((unsigned)(64 - __builtin_clzll(v | 1)) * 1233 >> 12) + 1;
}

void out_point(struct out *o, uint64_t v, unsigned decimals, unsigned width)
{
	enum { MOST = 48, WIDEST = 24 };
	char buf[MOST], *end = buf + sizeof(buf), *p, *least = end - MIN(width, WIDEST);
	unsigned n = MIN(decimals, 18u), most = digits_most(v);

	/* If the buffer has room, write right into it. */
	if (width <= WIDEST && n + 2 <= width && most + 1 <= width && o->cap - o->n >= WIDEST && !o->terminal) {
		memset(o->buf + o->n, ' ', WIDEST);
		o->n += width;
		o->total += width;
		put_point(o->buf + o->n, v, n);
		return;
	}
	for (p = put_point(end, v, n); p > least; )
		*--p = ' ';
	out_bytes(o, p, (size_t)(end - p));
}

void out_left(struct out *o, const char *s, size_t width)
{
	size_t n = strlen(s);

	out_bytes(o, s, n);
	if (n < width)
		out_fill(o, ' ', width - n);
}

void out_right(struct out *o, const char *s, size_t width)
{
	size_t n = strlen(s);

	if (n < width)
		out_fill(o, ' ', width - n);
	out_bytes(o, s, n);
}

const char *fmt_grouped(char *buf, size_t size, uint64_t v)
{
	char raw[24], *p = digits(raw, v, 10);
	size_t n = (size_t)(raw + sizeof(raw) - p), at = 0;

	for (size_t i = 0; i < n && at + 2 < size; i++) {
		buf[at++] = p[i];
		if ((n - i - 1) % 3 == 0 && i + 1 < n)
			buf[at++] = ',';
	}
	if (size)
		buf[at] = '\0';
	return buf;
}

void out_grouped(struct out *o, uint64_t v)
{
	char buf[32];

	out_str(o, fmt_grouped(buf, sizeof(buf), v));
}

const char *fmt_bytes(char *buf, size_t size, uint64_t bytes)
{
	static const char units[] = "BKMGTPE";
	double v = (double)bytes;
	unsigned u = 0;

	while (v >= 1000 && u < 6) {
		v /= 1024;
		u++;
	}
	if (!u)
		snprintf(buf, size, "%u B", (unsigned)bytes);
	else
		snprintf(buf, size, v < 9.995 ? "%.2f %cB" : v < 99.95 ? "%.1f %cB" : "%.0f %cB", v, units[u]);
	return buf;
}

const char *fmt_date(char buf[FMT_DATE], int64_t seconds)
{
	static const char names[] = "SunMonTueWedThuFriSatJanFebMarAprMayJunJulAugSepOctNovDec";
	struct civil c = civil_of(seconds);

	snprintf(buf, FMT_DATE, "%.3s %.3s %2u %02d:%02d:%02d %d UTC", names + 3 * c.weekday, names + 3 * (7 + c.month),
		 c.day, c.hour, c.minute, c.second, c.year);
	return buf;
}

void out_fixed(struct out *o, double v, unsigned width, unsigned prec)
{
	out_printf(o, "%*.*f", (int)width, (int)prec, v);
}

/*
 * Print v by one multiplication, the product of which is rounded by less than a millionth. That cannot change a digit
 * unless v is almost halfway between two results. False: it is, or v is large or negative: exact arithmetic is needed.
 */
static bool put_near(struct out *o, double v, unsigned width, unsigned prec)
{
	static const double tens[] = { 1, 10, 100, 1000 };
	double scaled, rest;
	uint64_t whole;

	if (prec >= ARRAY_SIZE(tens) || width > 24 || !(v < 1e6) || __builtin_signbit(v))
		return false;
	scaled = v * tens[prec];
	whole = (uint64_t)scaled;
	rest = scaled - (double)whole;
	if (rest > 0.499999 && rest < 0.500001)
		return false;
	whole += rest > 0.5;
	if (prec)
		out_point(o, whole, prec, width);
	else
		out_u64w(o, whole, width);
	return true;
}

void out_near(struct out *o, double v, unsigned width, unsigned prec)
{
	if (!put_near(o, v, width, prec))
		out_fixed(o, v, width, prec);
}

/* Format a text of n bytes again, into a buffer from the heap. */
static void put_long(struct out *o, size_t n, const char *fmt, va_list ap)
{
	char *text = malloc(n + 1);

	if (!text) {
		o->error = o->error ? o->error : -ENOMEM;
		return;
	}
	vsnprintf(text, n + 1, fmt, ap);
	out_bytes(o, text, n);
	free(text);
}

void out_printf(struct out *o, const char *fmt, ...)
{
	char buf[1024];
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	if (n > 0 && (size_t)n < sizeof(buf)) {
		out_bytes(o, buf, (size_t)n);
	} else if (n > 0) {
		va_start(ap, fmt);
		put_long(o, (size_t)n, fmt, ap);
		va_end(ap);
	}
}

void out_json(struct out *o, struct sv s)
{
	out_char(o, '"');
	for (size_t i = 0; i < s.n; ) {
		const uint8_t *p = (const uint8_t *)s.s + i;
		size_t n = fmt_utf8(p, s.n - i);

		if (!n) {
			out_str(o, "\\ufffd");
			n = 1;
		} else if (*p == '"' || *p == '\\') {
			out_char(o, '\\');
			out_char(o, (char)*p);
		} else if (*p < 0x20 || *p == 0x7f) {
			out_printf(o, "\\u%04x", *p);
		} else {
			out_bytes(o, p, n);
		}
		i += n;
	}
	out_char(o, '"');
}

static int mem_write(void *arg, const char *bytes, size_t n)
{
	struct mem_out *m = arg;

	if (n >= SIZE_MAX / 2 || m->n + n + 1 > m->cap) {
		size_t cap = (m->n + n + 1) * 2;
		char *v = realloc(m->v, cap);

		if (!v)
			return -ENOMEM;
		m->v = v;
		m->cap = cap;
	}
	memcpy(m->v + m->n, bytes, n);
	m->n += n;
	return 0;
}

void mem_out_init(struct mem_out *m)
{
	*m = (struct mem_out){ .out = { .write = mem_write, .arg = m, .buf = m->small, .cap = sizeof(m->small) } };
}

const char *mem_out_str(struct mem_out *m)
{
	out_flush(&m->out);
	if (!m->v && mem_write(m, "", 0))
		return "";
	m->v[m->n] = '\0';
	return m->v;
}

void mem_out_deinit(struct mem_out *m)
{
	free(m->v);
	*m = (struct mem_out){ 0 };
}
