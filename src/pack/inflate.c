/*
 * inflate.c - unpack deflate (RFC 1951), raw or in zlib (RFC 1950) and gzip (RFC 1952) format.
 *
 * Bits are read from the low end of each byte; a prefix code has its highest bit first. Codes of up to FAST bits are
 * looked up in a table; longer ones are found by length: the codes of one length are consecutive numbers.
 */
#include "base/crc.h"
#include "pack/deflate_parts.h"
#include "pack/pack.h"

enum { FAST = 10, LONGEST = 15, LITERALS = 288, DISTANCES = 32 };

struct code {
	uint16_t fast[1 << FAST];    /* symbol << 4 | length; 0: a longer code, or none */
	uint16_t count[LONGEST + 1]; /* number of codes by length */
	uint16_t symbol[LITERALS];   /* symbols in the order of their codes */
};

struct inflater {
	struct cursor c;
	uint64_t bits;               /* bits read ahead; those above `have` equal what the next refill adds */
	unsigned have;
	uint8_t *dst, *at, *end;
	uint8_t *start;              /* start of the window: matches must not begin before it */
	struct code literal, distance;
	struct err *e;
};

static int bad(const struct inflater *z, const char *what)
{
	return err_at(z->e, EBADMSG, cur_off(&z->c) - z->have / 8, "cannot inflate: %s", what);
}

static int full(const struct inflater *z)
{
	return err_set(z->e, ENOSPC, "more than %zu bytes unpacked", (size_t)(z->end - z->dst));
}

/* Read ahead to at least 48 bits, or all that are left. */
static void refill(struct inflater *z)
{
	if (cur_left(&z->c) >= 8) {
		z->bits |= pack_u64(z->c.pos) << z->have;
		z->c.pos += (63 - z->have) / 8;
		z->have |= 56;
		return;
	}
	while (z->have <= 48 && cur_left(&z->c)) {
		z->bits |= (uint64_t)*z->c.pos++ << z->have;
		z->have += 8;
	}
}

/* Take n bits, without a refill; c.bad if there are fewer. */
static unsigned take(struct inflater *z, unsigned n)
{
	unsigned v = z->bits & ((1u << n) - 1);

	if (n > z->have) {
		z->c.bad = true;
		n = z->have;
	}
	z->bits >>= n;
	z->have -= n;
	return v;
}

/* Take n <= 48 bits; c.bad if there are fewer. */
static unsigned need(struct inflater *z, unsigned n)
{
	if (z->have < n)
		refill(z);
	return take(z, n);
}

/* Make n symbols' codes from their lengths. False: they do not fill the code space exactly; a single code need not. */
static bool code_init(struct code *k, const uint8_t *length, unsigned n)
{
	unsigned next[LONGEST + 2] = { 0 }, at[LONGEST + 2] = { 0 };
	int left = 1;

	memset(k, 0, sizeof(*k));
	for (unsigned i = 0; i < n; i++)
		k->count[length[i]]++;
	k->count[0] = 0;
	for (unsigned b = 1; b <= LONGEST; b++) {
		left = 2 * left - k->count[b];
		if (left < 0)
			return false;
		next[b + 1] = (next[b] + k->count[b]) << 1;
		at[b + 1] = at[b] + k->count[b];
	}
	for (unsigned i = 0; i < n; i++) {
		unsigned b = length[i];

		if (!b)
			continue;
		k->symbol[at[b]++] = i;
		unsigned code = pack_reversed(next[b]++, b);

		for (; b <= FAST && code < 1 << FAST; code += 1u << b)
			k->fast[code] = i << 4 | b;
	}
	return !left || at[LONGEST + 1] <= k->count[1];
}

/* Take the next symbol; -1: an invalid or truncated code. */
static inline int symbol(struct inflater *z, const struct code *k)
{
	if (z->have < LONGEST)
		refill(z);

	unsigned cell = k->fast[z->bits & ((1 << FAST) - 1)];

	if (cell) {
		take(z, cell & 15);
		return z->c.bad ? -1 : (int)(cell >> 4);
	}

	int code = 0, first = 0, index = 0;

	for (unsigned b = 1; b <= LONGEST; b++) {
		code |= z->bits >> (b - 1) & 1;

		int count = k->count[b];

		if (code - first < count) {
			take(z, b);
			return z->c.bad ? -1 : k->symbol[index + code - first];
		}
		index += count;
		first = (first + count) << 1;
		code <<= 1;
	}
	return -1;
}

/* The number of extra bits behind a length's symbol: ranges of lengths and distances double every few symbols. */
static inline unsigned length_bits(unsigned s)
{
	return s < 8 || s == 28 ? 0 : s / 4 - 1;
}

static inline unsigned length_base(unsigned s)
{
	if (s >= 28)
		return 258;
	return 3 + (s < 8 ? s : (4 + s % 4) << length_bits(s));
}

static inline unsigned distance_bits(unsigned s)
{
	return s < 2 ? 0 : s / 2 - 1;
}

static inline unsigned distance_base(unsigned s)
{
	return 1 + (s < 2 ? s : (2 + s % 2) << distance_bits(s));
}

/* -1: an invalid symbol. */
static int match_length(struct inflater *z, unsigned s)
{
	return s > 28 ? -1 : (int)(length_base(s) + need(z, length_bits(s)));
}

static int match_distance(struct inflater *z, int s)
{
	return s < 0 || s >= 30 ? -1 : (int)(distance_base((unsigned)s) + need(z, distance_bits((unsigned)s)));
}

static int match(struct inflater *z, unsigned s)
{
	int n = match_length(z, s);
	int off = match_distance(z, symbol(z, &z->distance));
	size_t room = z->end - z->at;

	if (n < 0 || off < 0 || off > z->at - z->start || z->c.bad)
		return bad(z, "match");
	if (room >= (size_t)n + PACK_SLACK)
		pack_copy_match(z->at, off, n);
	else
		pack_copy_bytes(z->at, off, MIN(room, (size_t)n));
	z->at += MIN(room, (size_t)n);
	return room < (size_t)n ? full(z) : 0;
}

/* The low n bits. */
static inline unsigned low(uint64_t bits, unsigned n)
{
	return bits & ((UINT64_C(1) << n) - 1);
}

/* The decoder's state, which quick() holds in registers. */
struct held {
	uint64_t bits;
	unsigned have;
	uint8_t *at;
};

static inline void drop(struct held *h, unsigned n)
{
	h->bits >>= n;
	h->have -= n;
}

/* A match whose codes are in the fast tables. False: match() must decode it, and h is invalid. */
static inline bool quick_match(const struct inflater *z, struct held *h, unsigned s)
{
	unsigned n, off, cell;

	if (s > 28)
		return false;
	n = length_base(s) + low(h->bits, length_bits(s));
	drop(h, length_bits(s));
	cell = z->distance.fast[low(h->bits, FAST)];
	s = cell >> 4;
	if (!cell || s >= 30)
		return false;
	drop(h, cell & 15);
	off = distance_base(s) + low(h->bits, distance_bits(s));
	drop(h, distance_bits(s));
	if (off > (size_t)(h->at - z->start))
		return false;
	pack_copy_match(h->at, off, n);
	h->at += n;
	return true;
}

/*
 * Decode as long as all codes are in the fast tables, and there is input and room for the longest match: so nothing
 * else must be checked. A match has at most 48 bits.
 */
static void quick(struct inflater *z)
{
	struct held h = { z->bits, z->have, z->at };
	const uint8_t *pos = z->c.pos;

	while (z->c.end - pos >= 8 && z->end - h.at >= 258 + PACK_SLACK) {
		struct held next;
		unsigned cell;

		h.bits |= pack_u64(pos) << h.have;
		pos += (63 - h.have) / 8;
		h.have |= 56;
		cell = z->literal.fast[low(h.bits, FAST)];
		if (!cell || cell >> 4 == DEFLATE_END)
			break;
		next = h;
		drop(&next, cell & 15);
		if (cell >> 4 < DEFLATE_END)
			*next.at++ = (uint8_t)(cell >> 4);
		else if (!quick_match(z, &next, (cell >> 4) - DEFLATE_END - 1))
			break;
		h = next;
	}
	z->bits = h.bits;
	z->have = h.have;
	z->at = h.at;
	z->c.pos = pos;
}

static int coded(struct inflater *z)
{
	for (;;) {
		quick(z);

		int s = symbol(z, &z->literal);

		if (s < 0)
			return bad(z, "code");
		if (s == DEFLATE_END)
			return 0;
		if (s > DEFLATE_END) {
			int r = match(z, s - DEFLATE_END - 1);

			if (r)
				return r;
			continue;
		}
		if (z->at == z->end)
			return full(z);
		*z->at++ = s;
	}
}

/* A stored block: 16 bits of length, the same inverted, bytes. */
static int stored(struct inflater *z)
{
	take(z, z->have % 8);
	z->c.pos -= z->have / 8;
	z->bits = z->have = 0;

	unsigned n = pack_get(&z->c, 2), inverted = pack_get(&z->c, 2);
	const uint8_t *from = cur_bytes(&z->c, n);
	size_t room = z->end - z->at;

	if (!from || n != (inverted ^ 0xffff))
		return bad(z, "stored block");
	memcpy(z->at, from, MIN(room, n));
	z->at += MIN(room, n);
	return room < n ? full(z) : 0;
}

static int usual_codes(struct inflater *z)
{
	uint8_t length[LITERALS];

	memset(length, 8, 144);
	memset(length + 144, 9, 112);
	memset(length + 256, 7, 24);
	memset(length + 280, 8, 8);
	code_init(&z->literal, length, LITERALS);
	memset(length, 5, DISTANCES);
	code_init(&z->distance, length, DISTANCES);
	return coded(z);
}

/* Read code lengths, which are themselves coded, with three symbols for repetitions. */
static bool read_lengths(struct inflater *z, uint8_t *length, unsigned n)
{
	for (unsigned i = 0; i < n;) {
		int s = symbol(z, &z->distance);

		if (s < 0)
			return false;
		if (s < 16) {
			length[i++] = s;
			continue;
		}
		if (s == 16 && !i)
			return false;

		uint8_t again = s == 16 ? length[i - 1] : 0;
		unsigned times = s == 16 ? 3 + need(z, 2) : s == 17 ? 3 + need(z, 3) : 11 + need(z, 7);

		if (times > n - i)
			return false;
		memset(length + i, again, times);
		i += times;
	}
	return !z->c.bad;
}

const uint8_t deflate_order[DEFLATE_LENGTHS] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 };

static int own_codes(struct inflater *z)
{
	uint8_t length[LITERALS + DISTANCES] = { 0 };
	unsigned literals = 257 + need(z, 5), distances = 1 + need(z, 5), lengths = 4 + need(z, 4);

	for (unsigned i = 0; i < lengths; i++)
		length[deflate_order[i]] = need(z, 3);
	if (z->c.bad || literals > 286 || distances > 30 || !code_init(&z->distance, length, DEFLATE_LENGTHS) ||
	    !read_lengths(z, length, literals + distances) || !length[DEFLATE_END] ||
	    !code_init(&z->literal, length, literals) || !code_init(&z->distance, length + literals, distances))
		return bad(z, "codes");
	return coded(z);
}

static int blocks(struct inflater *z)
{
	unsigned last;
	int r;

	do {
		last = need(z, 1);

		unsigned kind = need(z, 2);

		if (z->c.bad || kind == 3)
			return bad(z, "block");
		r = kind == 0 ? stored(z) : kind == 1 ? usual_codes(z) : own_codes(z);
	} while (!r && !last);

	/* Give back whole bytes that were read ahead: they belong to what follows the deflate data. */
	z->c.pos -= z->have / 8;
	z->bits = z->have = 0;
	return r;
}

/* zlib: CMF, FLG, deflate data, Adler-32 (big-endian). */
static int zlib(struct inflater *z)
{
	unsigned head = __builtin_bswap16(pack_get(&z->c, 2));

	if (z->c.bad || (head >> 8 & 15) != 8 || head >> 15 || head % 31)
		return bad(z, "header");
	if (head & 0x20)
		return err_set(z->e, EOPNOTSUPP, "zlib data with a dictionary");

	int r = blocks(z);

	if (r)
		return r;

	uint32_t sum = __builtin_bswap32((uint32_t)pack_get(&z->c, 4));

	return z->c.bad || sum != pack_adler32(1, z->start, z->at - z->start) ? bad(z, "checksum") : 0;
}

/* gzip: 1f 8b 08 FLG, 4 bytes time, extra flags, system, optional fields by FLG, deflate data, CRC-32, length. */
static int gzip_member(struct inflater *z)
{
	enum { HCRC = 2, EXTRA = 4, NAME = 8, COMMENT = 16 };
	const uint8_t *head = cur_bytes(&z->c, 10);

	z->start = z->at;
	if (!head || head[0] != 0x1f || head[1] != 0x8b || head[2] != 8 || head[3] & 0xe0)
		return bad(z, "header");
	if (head[3] & EXTRA)
		pack_skip(&z->c, pack_get(&z->c, 2));
	if (head[3] & NAME)
		cur_str(&z->c);
	if (head[3] & COMMENT)
		cur_str(&z->c);
	if (head[3] & HCRC)
		pack_skip(&z->c, 2);

	int r = blocks(z);

	if (r)
		return r;

	uint32_t crc = (uint32_t)pack_get(&z->c, 4), n = (uint32_t)pack_get(&z->c, 4);

	size_t made = z->at - z->start;

	return z->c.bad || n != (uint32_t)made || crc != crc32_of(0, z->start, made) ? bad(z, "checksum") : 0;
}

/* Unpack all members; other bytes behind them are ignored. */
static int gzip(struct inflater *z)
{
	int r;

	do
		r = gzip_member(z);
	while (!r && cur_left(&z->c) >= 2 && z->c.pos[0] == 0x1f && z->c.pos[1] == 0x8b);
	return r;
}

static int unpack(void *dst, size_t cap, struct cursor src, int (*format)(struct inflater *z), size_t *n, struct err *e)
{
	struct inflater z = { .dst = dst, .start = dst, .at = dst, .end = (uint8_t *)dst + cap, .c = src, .e = e };
	int r = format(&z);

	*n = z.at - z.dst;
	return r;
}

int inflate_zlib(void *dst, size_t cap, const void *src, size_t len, size_t *n, struct err *e)
{
	return unpack(dst, cap, cur_from(src, len), zlib, n, e);
}

int inflate_gzip(void *dst, size_t cap, const void *src, size_t len, size_t *n, struct err *e)
{
	return unpack(dst, cap, cur_from(src, len), gzip, n, e);
}

int inflate_raw(void *dst, size_t cap, const void *src, size_t len, size_t *n, struct err *e)
{
	return unpack(dst, cap, cur_from(src, len), blocks, n, e);
}
