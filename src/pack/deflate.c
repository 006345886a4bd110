/*
 * deflate.c - pack zlib (RFC 1950, 1951). Matches are searched in hash chains of places with the same first bytes. Each
 * block has its own (dynamic) codes, or is stored if those would not make it shorter.
 */
#include "base/crc.h"
#include "pack/deflate_parts.h"
#include "pack/pack.h"
#include "pack/prefix.h"

enum {
	HASH_LOG = 13, CHAIN = 24,    /* CHAIN: places of a chain to try */
	WINDOW = 32 << 10,
	MATCH_MIN = 4, MATCH_MAX = 258,
	BLOCK_MAX = UINT16_MAX,       /* bytes: the largest stored block */
	SYMBOLS_MAX = 16 << 10,
	LITERALS = 286, DISTANCES = 30, CODE_BITS = 15, LENGTH_BITS = 7,
	STORED = 0, OWN_CODES = 2,
	HEAD = 2, EMPTY = 5, END = 6,
};

struct token {
	uint16_t n;                   /* length of the match, or the literal */
	uint16_t off;                 /* 0: a literal */
};

struct codes {
	uint8_t length[LITERALS];
	uint16_t code[LITERALS];
};

struct zlib_packer {
	uint32_t last[1 << HASH_LOG]; /* by hash: offset + 1 of the last such place */
	uint32_t before[WINDOW];      /* by offset: the previous place of the chain */
	struct token tokens[SYMBOLS_MAX];
	size_t n;
	struct codes literal, distance, of_lengths;
};

struct zlib_packer *zlib_packer_new(void)
{
	return malloc(sizeof(struct zlib_packer));
}

void zlib_packer_free(struct zlib_packer *p)
{
	free(p);
}

/* --- matches ---------------------------------------------------------------------------------------------------------
 */

struct input {
	const uint8_t *start, *end;   /* start of the input, end of the block */
};

static size_t same(const uint8_t *a, const uint8_t *b, size_t most)
{
	size_t n = 0;

	while (n < most && a[n] == b[n])
		n++;
	return n;
}

static uint32_t *place_of(struct zlib_packer *p, const uint8_t *at)
{
	return &p->last[pack_u32(at) * 0x9e3779b1u >> (32 - HASH_LOG)];
}

static void remember(struct zlib_packer *p, const struct input *in, const uint8_t *at)
{
	uint32_t *place = place_of(p, at), off = (uint32_t)(at - in->start);

	p->before[off % WINDOW] = *place;
	*place = off + 1;
}

/* Find the longest match; n is 0 if there is none. */
static struct token find(struct zlib_packer *p, const struct input *in, const uint8_t *at)
{
	size_t most = MIN((size_t)(in->end - at), (size_t)MATCH_MAX), have = (size_t)(at - in->start);
	struct token best = { 0 };
	uint32_t next = *place_of(p, at);

	for (unsigned i = 0; i < CHAIN && next && have - (next - 1) < WINDOW; i++) {
		size_t from = next - 1, n = same(at, in->start + from, most);

		if (n >= MATCH_MIN && n > best.n)
			best = (struct token){ (uint16_t)n, (uint16_t)(have - from) };
		if (n == most)
			break;
		next = p->before[from % WINDOW];
	}
	return best;
}

/* Make the tokens of a block that begins at `from`; returns its end. */
static const uint8_t *parse(struct zlib_packer *p, const struct input *in, const uint8_t *from)
{
	const uint8_t *at = from;

	p->n = 0;
	while (at < in->end && p->n < SYMBOLS_MAX) {
		struct token t = { 0 };
		const uint8_t *next;

		if (in->end - at >= MATCH_MIN)
			t = find(p, in, at);
		next = at + (t.n ? t.n : 1);
		p->tokens[p->n++] = t.n ? t : (struct token){ .n = *at };
		for (; at < next; at++)
			if (in->end - at >= MATCH_MIN)
				remember(p, in, at);
	}
	return at;
}

/* --- codes -----------------------------------------------------------------------------------------------------------
 */

struct coded {
	unsigned symbol, bits;        /* bits: number of extra bits after the symbol */
	unsigned value;               /* value of the extra bits */
};

static unsigned high(unsigned v)
{
	return 31 - __builtin_clz(v);
}

/* The symbol of a match length. Every few symbols the number of lengths per symbol doubles: one more extra bit. */
static struct coded length_of(unsigned n)
{
	unsigned v = n - 3, more = v < 8 ? 0 : high(v) - 2;

	if (n == MATCH_MAX)
		return (struct coded){ .symbol = DEFLATE_END + 29 };
	return (struct coded){ DEFLATE_END + 1 + 4 * more + (v >> more), more, v & ((1u << more) - 1) };
}

static struct coded distance_of(unsigned off)
{
	unsigned v = off - 1, more = v < 4 ? 0 : high(v) - 1;

	return (struct coded){ 2 * more + (v >> more), more, v & ((1u << more) - 1) };
}

/* Some decoders refuse an incomplete code: use at least two symbols if any is used. */
static void codes_init(struct codes *k, uint32_t *count, unsigned n, unsigned most)
{
	unsigned next = 0, used = 0;

	for (unsigned s = 0; s < n; s++)
		used += count[s] != 0;
	for (unsigned s = 0; used < 2; s++)
		if (!count[s]) {
			count[s] = 1;
			used++;
		}
	prefix_lengths(k->length, count, n, most);
	for (unsigned bits = 1; bits <= most; bits++, next <<= 1)
		for (unsigned s = 0; s < n; s++)
			if (k->length[s] == bits)
				k->code[s] = (uint16_t)pack_reversed(next++, bits);
}

static void put_symbol(struct bits_out *b, const struct codes *k, unsigned s)
{
	bits_put(b, k->code[s], k->length[s]);
}

static void put_coded(struct bits_out *b, const struct codes *k, struct coded c)
{
	put_symbol(b, k, c.symbol);
	bits_put(b, c.value, c.bits);
}

static void make_codes(struct zlib_packer *p)
{
	uint32_t literals[LITERALS] = { [DEFLATE_END] = 1 }, distances[DISTANCES] = { 0 };

	for (size_t i = 0; i < p->n; i++) {
		struct token t = p->tokens[i];

		literals[t.off ? length_of(t.n).symbol : t.n]++;
		if (t.off)
			distances[distance_of(t.off).symbol]++;
	}
	codes_init(&p->literal, literals, LITERALS, CODE_BITS);
	codes_init(&p->distance, distances, DISTANCES, CODE_BITS);
}

/* --- code lengths: 16 repeats the last length, 17 and 18 repeat 0 --- */

static struct coded run_of(const uint8_t *v, unsigned left, unsigned *n, bool first)
{
	unsigned again = 1;

	while (again < left && v[again] == v[0])
		again++;
	if (!v[0] && again >= 3) {
		*n = MIN(again, 138u);
		return *n < 11 ? (struct coded){ 17, 3, *n - 3 } : (struct coded){ 18, 7, *n - 11 };
	}
	if (!first && v[0] == v[-1] && again >= 3) {
		*n = MIN(again, 6u);
		return (struct coded){ 16, 2, *n - 3 };
	}
	*n = 1;
	return (struct coded){ .symbol = v[0] };
}

static void put_lengths(struct zlib_packer *p, struct bits_out *b)
{
	uint8_t all[LITERALS + DISTANCES];
	uint32_t count[DEFLATE_LENGTHS] = { 0 };
	unsigned n;

	memcpy(all, p->literal.length, LITERALS);
	memcpy(all + LITERALS, p->distance.length, DISTANCES);
	for (unsigned i = 0; i < sizeof(all); i += n)
		count[run_of(all + i, sizeof(all) - i, &n, !i).symbol]++;
	codes_init(&p->of_lengths, count, DEFLATE_LENGTHS, LENGTH_BITS);
	bits_put(b, LITERALS - 257, 5);
	bits_put(b, DISTANCES - 1, 5);
	bits_put(b, DEFLATE_LENGTHS - 4, 4);
	for (unsigned i = 0; i < DEFLATE_LENGTHS; i++) {
		bits_put(b, p->of_lengths.length[deflate_order[i]], 3);
		bits_flush(b);
	}
	for (unsigned i = 0; i < sizeof(all); i += n) {
		put_coded(b, &p->of_lengths, run_of(all + i, sizeof(all) - i, &n, !i));
		bits_flush(b);
	}
}

/* --- blocks ----------------------------------------------------------------------------------------------------------
 */

/* A stored block: three bits of header, up to a byte boundary; length, inverted length, bytes. */
static void put_stored(struct bits_out *b, const uint8_t *from, size_t n)
{
	bits_put(b, STORED << 1, 3);
	b->n += -b->n & 7;
	bits_flush(b);
	pack_put(b->p, n | (~n & 0xffff) << 16, 4);
	if (n)
		memcpy(b->p + 4, from, n);
	b->p += 4 + n;
}

/* False: it would be longer than a stored block. */
static bool put_packed(struct zlib_packer *p, struct bits_out *b)
{
	bits_put(b, OWN_CODES << 1, 3);
	make_codes(p);
	put_lengths(p, b);
	for (size_t i = 0; i < p->n; i++) {
		struct token t = p->tokens[i];

		if (t.off) {
			put_coded(b, &p->literal, length_of(t.n));
			put_coded(b, &p->distance, distance_of(t.off));
		} else {
			put_symbol(b, &p->literal, t.n);
		}
		bits_flush(b);
	}
	put_symbol(b, &p->literal, DEFLATE_END);
	bits_flush(b);
	return !b->full;
}

/* Every block but the last has at least SYMBOLS_MAX bytes of input, and a header of at most 8 bytes. */
size_t zlib_pack_bound(size_t len)
{
	return HEAD + len + 8 * (len / SYMBOLS_MAX + 1) + EMPTY + END + 8;
}

size_t zlib_pack_head(void *dst)
{
	memcpy(dst, "\x78\x9c", HEAD);
	return HEAD;
}

size_t zlib_pack_part(struct zlib_packer *p, void *dst, const void *src, size_t len)
{
	const uint8_t *from = src, *end = from + len;
	struct bits_out b = { .p = dst };

	memset(p->last, 0, sizeof(p->last));
	while (from < end) {
		struct input in = { src, from + MIN((size_t)(end - from), (size_t)BLOCK_MAX) };
		const uint8_t *stop = parse(p, &in, from);
		struct bits_out before;

		/* Room for a stored block, and for the 8 bytes that a flush needs. */
		b.end = b.p + (stop - from) + 4 + 8;
		before = b;
		if (!put_packed(p, &b)) {
			b = before;
			put_stored(&b, from, (size_t)(stop - from));
		}
		from = stop;
	}
	b.end = b.p + EMPTY + 8;
	put_stored(&b, src, 0);
	return (size_t)(b.p - (uint8_t *)dst);
}

/* An empty last block, then the sum, big-endian. */
size_t zlib_pack_end(void *dst, uint32_t adler)
{
	memcpy(dst, "\x03", 2);
	pack_put((uint8_t *)dst + 2, __builtin_bswap32(adler), 4);
	return END;
}

size_t gzip_pack_head(void *dst)
{
	static const uint8_t head[GZIP_HEAD] = { 0x1f, 0x8b, 8, [9] = 255 };   /* no name, no time, unknown system */

	memcpy(dst, head, sizeof(head));
	return sizeof(head);
}

size_t gzip_pack_end(void *dst, uint32_t sum, uint64_t n)
{
	memcpy(dst, "\x03", 2);
	pack_put(pack_put((uint8_t *)dst + 2, sum, 4), n, 4);
	return GZIP_END;
}

uint32_t gzip_sum(uint32_t sum, const void *bytes, size_t n)
{
	return crc32_of(sum, bytes, n);
}

size_t zlib_pack_fixed(void *dst, const void *bytes, size_t n)
{
	struct bits_out b = { .p = dst, .end = (uint8_t *)dst + EMPTY + 8 };

	put_stored(&b, bytes, n);
	return EMPTY + n;
}

size_t zlib_pack(struct zlib_packer *p, void *dst, const void *src, size_t len)
{
	uint8_t *to = dst;

	to += zlib_pack_head(to);
	to += zlib_pack_part(p, to, src, len);
	to += zlib_pack_end(to, pack_adler32(1, src, len));
	return (size_t)(to - (uint8_t *)dst);
}

uint32_t zlib_sum(uint32_t adler, const void *bytes, size_t n)
{
	return pack_adler32(adler, bytes, n);
}

/* The second sum began with a = 1. Beginning with a1 instead adds a1 - 1 to its a, and that n times to its b. */
uint32_t zlib_sums(uint32_t first, uint32_t second, uint64_t n)
{
	uint64_t a1 = first & 0xffff, b1 = first >> 16, a2 = second & 0xffff, b2 = second >> 16;
	uint64_t a = (a1 + a2 + PACK_ADLER - 1) % PACK_ADLER;
	uint64_t b = (b1 + b2 + n % PACK_ADLER * (a1 + PACK_ADLER - 1)) % PACK_ADLER;

	return (uint32_t)(b << 16 | a);
}
