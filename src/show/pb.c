/* pb.c - tags, numbers, lengths. */
#include "show/pb.h"

enum { VARINT = 0, FIXED64 = 1, LENGTH = 2, LENGTH_BYTES = 4, VARINT_MAX = 10 };

void pb_deinit(struct pb *p)
{
	vec_free(&p->bytes);
}

/* Room for n more bytes; NULL: no memory. */
static uint8_t *room(struct pb *p, size_t n)
{
	if (!p->error && vec_reserve(&p->bytes, n))
		p->error = -ENOMEM;
	return p->error ? NULL : p->bytes.v + p->bytes.n;
}

void pb_item(struct pb *p, uint64_t v)
{
	uint8_t *to = room(p, VARINT_MAX);

	for (; to && v >= 0x80; v >>= 7)
		to[0] = (uint8_t)(v | 0x80), to++, p->bytes.n++;
	if (to) {
		to[0] = (uint8_t)v;
		p->bytes.n++;
	}
}

static void put_tag(struct pb *p, unsigned field, unsigned type)
{
	pb_item(p, field << 3 | type);
}

void pb_u64(struct pb *p, unsigned field, uint64_t v)
{
	put_tag(p, field, VARINT);
	pb_item(p, v);
}

void pb_fixed64(struct pb *p, unsigned field, uint64_t v)
{
	uint8_t *to;

	put_tag(p, field, FIXED64);
	to = room(p, sizeof(v));
	for (size_t i = 0; to && i < sizeof(v); i++, v >>= 8)
		to[i] = (uint8_t)v;
	p->bytes.n += to ? sizeof(v) : 0;
}

void pb_bytes(struct pb *p, unsigned field, struct sv s)
{
	uint8_t *to;

	put_tag(p, field, LENGTH);
	pb_item(p, s.n);
	to = room(p, s.n);
	if (to && s.n) {
		memcpy(to, s.s, s.n);
		p->bytes.n += s.n;
	}
}

/* Length of the valid UTF-8 from `at` on. */
static size_t good_bytes(struct sv s, size_t at)
{
	size_t end = at, n;

	while (end < s.n && (n = fmt_utf8((const uint8_t *)s.s + end, s.n - end)))
		end += n;
	return end - at;
}

static size_t bad_bytes(struct sv s)
{
	size_t bad = 0;

	for (size_t at = good_bytes(s, 0); at < s.n; at++, at += good_bytes(s, at))
		bad++;
	return bad;
}

void pb_str(struct pb *p, unsigned field, struct sv s)
{
	static const char instead[] = "\xef\xbf\xbd";   /* U+FFFD */
	enum { INSTEAD = sizeof(instead) - 1 };
	size_t bad = bad_bytes(s), n;
	uint8_t *to;

	if (!bad) {
		pb_bytes(p, field, s);
		return;
	}
	n = s.n - bad + bad * INSTEAD;
	put_tag(p, field, LENGTH);
	pb_item(p, n);
	to = room(p, n);
	if (!to)
		return;
	p->bytes.n += n;
	for (size_t at = 0; at < s.n; at++) {
		n = good_bytes(s, at);
		memcpy(to, s.s + at, n);
		to += n;
		at += n;
		if (at < s.n)
			memcpy(to, instead, INSTEAD), to += INSTEAD;
	}
}

void pb_begin(struct pb *p, unsigned field)
{
	assert(p->depth < PB_DEPTH);
	put_tag(p, field, LENGTH);
	p->open[p->depth++] = p->bytes.n;
	p->bytes.n += room(p, LENGTH_BYTES) ? LENGTH_BYTES : 0;
}

void pb_end(struct pb *p)
{
	size_t at, n;

	assert(p->depth);
	at = p->open[--p->depth];
	if (p->error)
		return;
	n = p->bytes.n - at - LENGTH_BYTES;
	if (n >> 7 * LENGTH_BYTES) {
		p->error = -EOVERFLOW;
		return;
	}
	for (unsigned i = 0; i < LENGTH_BYTES; i++, n >>= 7)
		p->bytes.v[at + i] = (uint8_t)((n & 0x7f) | (i < LENGTH_BYTES - 1 ? 0x80 : 0));
}

uint64_t pb_name(struct pb *p, struct names *table, const char *s)
{
	uint32_t id = names_add(table, s, strlen(s));

	if (id == NAMES_NONE)
		p->error = -ENOMEM;
	return id == NAMES_NONE ? 0 : id;
}

void pb_flush(struct pb *p, struct out *o)
{
	assert(!p->depth);
	if (p->error && !o->error)
		o->error = p->error;
	out_bytes(o, p->bytes.v, p->bytes.n);
	p->bytes.n = 0;
}
