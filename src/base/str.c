/* str.c - pieces of text, numbers and patterns. */
#include "base/str.h"

struct sv sv_from(const char *s)
{
	return (struct sv){ s, s ? strlen(s) : 0 };
}

bool sv_eq(struct sv a, const char *b)
{
	return strlen(b) == a.n && !memcmp(a.s, b, a.n);
}

bool sv_starts(struct sv a, const char *prefix)
{
	size_t n = strlen(prefix);

	return n <= a.n && !memcmp(a.s, prefix, n);
}

bool sv_cut(struct sv *rest, char sep, struct sv *piece)
{
	const char *at;

	if (!rest->s)
		return false;
	at = memchr(rest->s, sep, rest->n);
	if (!at) {
		*piece = *rest;
		*rest = (struct sv){ 0 };
		return true;
	}
	*piece = (struct sv){ rest->s, (size_t)(at - rest->s) };
	rest->n -= piece->n + 1;
	rest->s = at + 1;
	return true;
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

struct sv sv_trim(struct sv a)
{
	while (a.n && is_space(a.s[0])) {
		a.s++;
		a.n--;
	}
	while (a.n && is_space(a.s[a.n - 1]))
		a.n--;
	return a;
}

size_t str_copy(char *dst, size_t size, struct sv src)
{
	if (size) {
		size_t n = MIN(src.n, size - 1);

		if (n)
			memcpy(dst, src.s, n);
		dst[n] = '\0';
	}
	return src.n;
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

bool str_u64(struct sv a, int base, uint64_t *v)
{
	uint64_t r = 0;
	bool hex = a.n > 2 && a.s[0] == '0' && (a.s[1] | 0x20) == 'x';

	if (hex && (base == 0 || base == 16)) {
		base = 16;
		a.s += 2;
		a.n -= 2;
	}
	if (base == 0)
		base = a.n > 1 && a.s[0] == '0' ? 8 : 10;
	if (!a.n)
		return false;
	for (size_t i = 0; i < a.n; i++) {
		int d = digit(a.s[i]);

		if (d >= base || __builtin_mul_overflow(r, (uint64_t)base, &r) ||
		    __builtin_add_overflow(r, (uint64_t)d, &r))
			return false;
	}
	*v = r;
	return true;
}

bool str_i64(struct sv a, int base, int64_t *v)
{
	bool neg = a.n && a.s[0] == '-';
	uint64_t u;

	if (neg) {
		a.s++;
		a.n--;
	}
	if (!str_u64(a, base, &u) || u > (uint64_t)INT64_MAX)
		return false;
	*v = neg ? -(int64_t)u : (int64_t)u;
	return true;
}

bool str_size(struct sv a, uint64_t *bytes)
{
	unsigned shift = 0;

	if (!a.n)
		return false;
	switch (a.s[a.n - 1] | 0x20) {
	case 'g': shift = 30; break;
	case 'm': shift = 20; break;
	case 'k': shift = 10; break;
	case 'b': a.n--; break;
	}
	if (shift)
		a.n--;
	return str_u64(a, 10, bytes) && !__builtin_mul_overflow(*bytes, UINT64_C(1) << shift, bytes);
}

static uint64_t time_unit(struct sv *a, uint64_t unit_ns)
{
	static const struct { const char *suffix; uint64_t ns; } units[] = {
		{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
		{ "m", UINT64_C(60000000000) },
	};

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		size_t n = strlen(units[i].suffix);

		if (a->n > n && !memcmp(a->s + a->n - n, units[i].suffix, n)) {
			a->n -= n;
			return units[i].ns;
		}
	}
	return unit_ns;
}

bool str_time(struct sv a, uint64_t unit_ns, uint64_t *ns)
{
	uint64_t unit = time_unit(&a, unit_ns), whole = 0, part = 0, scale = 1;
	struct sv head = a, tail = { 0 };
	const char *dot = memchr(a.s, '.', a.n);

	if (dot) {
		head.n = (size_t)(dot - a.s);
		tail = (struct sv){ dot + 1, MIN(a.n - head.n - 1, 9u) };
	}
	if ((head.n || !tail.n) && !str_u64(head, 10, &whole))
		return false;
	if (tail.n && !str_u64(tail, 10, &part))
		return false;
	for (size_t i = 0; i < tail.n; i++)
		scale *= 10;
	if (__builtin_mul_overflow(whole, unit, &whole))
		return false;
	/* part < 10^9 and unit <= 6*10^10: the product is kept in range by dividing first where it can be. */
	part = unit % scale == 0 ? part * (unit / scale) : (uint64_t)((unsigned __int128)part * unit / scale);
	return !__builtin_add_overflow(whole, part, ns);
}

static double scaled(double v, int64_t exp10)
{
	for (; exp10 > 0 && v < 1e308; exp10--)
		v *= 10;
	double by = 1;

	for (; exp10 < 0 && by < 1e300; exp10++)
		by *= 10;
	return v / by;
}

bool str_double(struct sv a, double *v)
{
	struct sv exp = { 0 }, rest = a, part;
	uint64_t mantissa = 0;
	int64_t exp10 = 0;
	bool neg = a.n && a.s[0] == '-', digits = false, point = false;

	if (a.n && (neg || a.s[0] == '+')) {
		rest.s++;
		rest.n--;
	}
	sv_cut(&rest, memchr(a.s, 'E', a.n) ? 'E' : 'e', &part);
	exp = rest;
	for (size_t i = 0; i < part.n; i++) {
		char c = part.s[i];

		if (c == '.' && !point) {
			point = true;
			continue;
		}
		if (c < '0' || c > '9')
			return false;
		digits = true;
		if (mantissa < UINT64_C(100000000000000000))
			mantissa = mantissa * 10 + (uint64_t)(c - '0');
		else
			exp10++;
		exp10 -= point;
	}
	if (exp.s) {
		int64_t e;

		if (exp.n && exp.s[0] == '+') {
			exp.s++;
			exp.n--;
		}
		if (!str_i64(exp, 10, &e) || e > 400 || e < -400)
			return false;
		exp10 += e;
	}
	if (!digits)
		return false;
	*v = scaled((double)mantissa, exp10);
	*v = neg ? -*v : *v;
	return true;
}

/* Does the bracket expression at p (behind its '[') contain c? *end is behind the ']'; NULL: there is none. */
static bool glob_set(const char *p, char c, const char **end)
{
	bool neg = *p == '!' || *p == '^', hit = false;

	if (neg)
		p++;
	for (const char *first = p; *p && (*p != ']' || p == first); p++) {
		char lo = *p, hi = lo;

		if (p[1] == '-' && p[2] && p[2] != ']') {
			hi = p[2];
			p += 2;
		}
		hit |= c >= lo && c <= hi;
	}
	*end = *p ? p + 1 : NULL;
	return hit != neg;
}

/* Does one pattern element at *p match c? Moves *p past the element. */
static bool glob_one(const char **p, char c)
{
	const char *q = *p, *end;

	switch (*q) {
	case '\0':
		return false;
	case '?':
		*p = q + 1;
		return true;
	case '[':
		if (glob_set(q + 1, c, &end)) {
			*p = end ? end : q + 1;
			return end != NULL;
		}
		return false;
	case '\\':
		if (q[1])
			q++;
	}
	*p = q + 1;
	return *q == c;
}

bool str_glob(const char *pattern, struct sv text)
{
	const char *p = pattern, *star = NULL;
	size_t i = 0, mark = 0;

	while (i < text.n) {
		if (*p == '*') {
			star = ++p;
			mark = i;
		} else if (glob_one(&p, text.s[i])) {
			i++;
		} else if (star) {
			p = star;
			i = ++mark;
		} else {
			return false;
		}
	}
	while (*p == '*')
		p++;
	return !*p;
}

bool str_is_glob(struct sv pattern)
{
	for (size_t i = 0; i < pattern.n; i++)
		if (strchr("*?[", pattern.s[i]))
			return true;
	return false;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

bool str_contains(struct sv text, struct sv part)
{
	for (size_t i = 0; part.n <= text.n && i <= text.n - part.n; i++) {
		size_t j = 0;

		while (j < part.n && lower(text.s[i + j]) == lower(part.s[j]))
			j++;
		if (j == part.n)
			return true;
	}
	return false;
}

unsigned str_distance(struct sv a, struct sv b, unsigned max)
{
	enum { LONGEST = 64 };
	unsigned row[3][LONGEST + 1];

	if (a.n > LONGEST || b.n > LONGEST || a.n > b.n + max || b.n > a.n + max)
		return max + 1;
	for (unsigned j = 0; j <= b.n; j++)
		row[1][j] = j;
	for (size_t i = 1; i <= a.n; i++) {
		unsigned *cur = row[(i + 1) % 3], *prev = row[i % 3], *prev2 = row[(i + 2) % 3];

		cur[0] = (unsigned)i;
		for (size_t j = 1; j <= b.n; j++) {
			unsigned d = prev[j - 1] + (lower(a.s[i - 1]) != lower(b.s[j - 1]));

			d = MIN(d, MIN(prev[j], cur[j - 1]) + 1);
			if (i > 1 && j > 1 && a.s[i - 1] == b.s[j - 2] && a.s[i - 2] == b.s[j - 1])
				d = MIN(d, prev2[j - 2] + 1);
			cur[j] = d;
		}
	}
	return MIN(row[(a.n + 1) % 3][b.n], max + 1);
}

void nearest_init(struct nearest *n, struct sv want)
{
	*n = (struct nearest){ .want = want };
	for (size_t i = 0; i < ARRAY_SIZE(n->dist); i++)
		n->dist[i] = UINT_MAX;
}

void nearest_feed(struct nearest *n, const char *candidate)
{
	enum { LAST = ARRAY_SIZE(n->dist) - 1 };
	struct sv c = sv_from(candidate);
	unsigned limit = (unsigned)MIN(MAX(n->want.n / 3, 1u), 4u);
	unsigned d = str_distance(n->want, c, limit);

	/* A candidate that contains the typed text is as good a guess as one with `limit` edits. */
	if (d > limit && n->want.n >= 3 && str_contains(c, n->want))
		d = limit;
	if (d > limit || d >= n->dist[LAST])
		return;
	for (size_t k = 0; k <= LAST; k++)
		if (n->name[k] && !strcmp(n->name[k], candidate))
			return;

	size_t i = LAST;

	for (; i && d < n->dist[i - 1]; i--) {
		n->dist[i] = n->dist[i - 1];
		n->name[i] = n->name[i - 1];
	}
	n->dist[i] = d;
	n->name[i] = candidate;
}

const char *nearest_text(const struct nearest *n, char *buf, size_t size)
{
	size_t at = 0;

	if (size)
		buf[0] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(n->name) && n->name[i] && at < size; i++)
		at += (size_t)snprintf(buf + at, size - at, "%s'%s'", i ? ", " : ", did you mean ", n->name[i]);
	if (at && at < size)
		snprintf(buf + at, size - at, "?");
	return buf;
}

/* Are eight bytes all printable ASCII? None has bit 7 set, none is below 0x20, and none is 0x7f. */
static bool plain_word(const char *p)
{
	static const uint64_t each = UINT64_C(0x0101010101010101);
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return !((w | (w - each * 0x20) | (w + each)) & each * 0x80);
}

size_t sv_plain(struct sv a)
{
	size_t n = 0;

	while (a.n - n >= 8 && plain_word(a.s + n))
		n += 8;
	while (n < a.n && a.s[n] >= 0x20 && a.s[n] < 0x7f)
		n++;
	return n;
}
