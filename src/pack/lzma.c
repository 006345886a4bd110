/*
 * lzma.c - LZMA2.
 *
 *   chunk:  u8 control
 *             0             the end
 *             1, 2          bytes that are not packed; 1: the window is reset (matches begin behind here)
 *             0x80 .. 0xff  packed; bits 0..4: bits 16..20 of size - 1; bits 5, 6: 0 no reset, 1 probabilities are
 *                           reset, 2 and properties are new, 3 and the window is reset
 *           u16 size - 1, u16 packed size - 1 (packed only), u8 properties (bits 5, 6 >= 2): (pb * 5 + lp) * 9 + lc,
 *           big-endian
 *   packed: the range coder's initial five bytes, the first one 0; at the end all bytes are used, and the code is 0.
 * Numbers of several bits are coded as a path through a binary tree, each inner node of which has a probability.
 */
#include "pack/lzma.h"

enum {
	STATES = 12, STATE_LITERALS = 7,     /* states below: the last one was a literal */
	POS_STATES = 16, LEN_MIN = 2, DISTANCE_KINDS = 4, SLOTS = 64, DIRECT_FROM = 14, ALIGN = 16,
	PROB_BITS = 11, PROB_MOVE = 5, PROB_HALF = 1 << (PROB_BITS - 1),
	LITERALS = 0x300, LITERAL_BITS_MAX = 4,
};

struct length {
	uint16_t choice, choice2, low[POS_STATES][8], mid[POS_STATES][8], high[256];
};

struct probs {
	uint16_t match[STATES][POS_STATES], again[STATES], again0[STATES], again0_long[STATES][POS_STATES];
	uint16_t again1[STATES], again2[STATES];
	uint16_t slot[DISTANCE_KINDS][SLOTS], special[128], align[ALIGN];
	struct length length, again_length;
	uint16_t literal[LITERALS << LITERAL_BITS_MAX];
};

struct lzma {
	struct probs p;
	struct cursor in;                    /* the current chunk */
	uint32_t range, code;
	uint8_t *dst;
	size_t at, end, window;              /* offsets in dst: next byte, end of the chunk, start of the window */
	unsigned state, lc, lp, pb;
	uint32_t distance[4];                /* the last four distances - 1 */
	bool is_cut;                         /* the chunk goes on beyond the end of dst */
	bool is_bad;                         /* a match begins before the window, or ends beyond the chunk */
};

static void probs_init(struct lzma *z)
{
	uint16_t *p = (uint16_t *)(void *)&z->p;

	for (size_t i = 0; i < sizeof(z->p) / sizeof(*p); i++)
		p[i] = PROB_HALF;
	z->state = 0;
	memset(z->distance, 0, sizeof(z->distance));
}

/* --- the range coder --- */

static void fill(struct lzma *z)
{
	if (z->range < UINT32_C(1) << 24) {
		z->range <<= 8;
		z->code = z->code << 8 | cur_u8(&z->in);
	}
}

static unsigned bit(struct lzma *z, uint16_t *prob)
{
	fill(z);

	uint32_t bound = (z->range >> PROB_BITS) * *prob;

	if (z->code < bound) {
		z->range = bound;
		*prob = (uint16_t)(*prob + (((1u << PROB_BITS) - *prob) >> PROB_MOVE));
		return 0;
	}
	z->range -= bound;
	z->code -= bound;
	*prob = (uint16_t)(*prob - (*prob >> PROB_MOVE));
	return 1;
}

/* Decode n bits by a tree of probabilities, the highest bit first; nodes are numbered from 1. */
static uint32_t tree(struct lzma *z, uint16_t *probs, unsigned n)
{
	uint32_t at = 1;

	for (unsigned i = 0; i < n; i++)
		at = at << 1 | bit(z, &probs[at]);
	return at - (UINT32_C(1) << n);
}

/* The same, the lowest bit first. */
static uint32_t tree_back(struct lzma *z, uint16_t *probs, unsigned n)
{
	uint32_t at = 1, v = 0;

	for (unsigned i = 0; i < n; i++) {
		unsigned b = bit(z, &probs[at]);

		at = at << 1 | b;
		v |= b << i;
	}
	return v;
}

/* Decode n bits that have no probabilities: 0 and 1 are equally likely. */
static uint32_t direct(struct lzma *z, unsigned n)
{
	uint32_t v = 0;

	while (n--) {
		fill(z);
		z->range >>= 1;

		bool one = z->code >= z->range;

		z->code -= one ? z->range : 0;
		v = v << 1 | one;
	}
	return v;
}

/* --- literals and matches --- */

static void literal(struct lzma *z)
{
	unsigned before = z->at > z->window ? z->dst[z->at - 1] : 0;
	size_t low = (z->at - z->window) & ((1u << z->lp) - 1);
	uint16_t *probs = z->p.literal + LITERALS * ((low << z->lc) + (before >> (8 - z->lc)));
	uint32_t v = 1;

	if (z->state >= STATE_LITERALS) {
		/* After a match, the byte that would have continued it selects probabilities while bits agree. */
		uint32_t matched = z->dst[z->at - z->distance[0] - 1], off = 0x100;

		while (v < 0x100) {
			matched <<= 1;

			uint32_t expected = matched & off;
			unsigned b = bit(z, &probs[off + expected + v]);

			v = v << 1 | b;
			off &= b ? expected : ~expected;
		}
	}
	while (v < 0x100)
		v = v << 1 | bit(z, &probs[v]);
	z->dst[z->at++] = (uint8_t)v;
	z->state = z->state < 4 ? 0 : z->state < 10 ? z->state - 3 : z->state - 6;
}

static uint32_t length(struct lzma *z, struct length *l, unsigned pos)
{
	if (!bit(z, &l->choice))
		return LEN_MIN + tree(z, l->low[pos], 3);
	if (!bit(z, &l->choice2))
		return LEN_MIN + 8 + tree(z, l->mid[pos], 3);
	return LEN_MIN + 16 + tree(z, l->high, 8);
}

static uint32_t distance(struct lzma *z, uint32_t len)
{
	uint32_t kind = MIN(len - LEN_MIN, DISTANCE_KINDS - 1u), slot = tree(z, z->p.slot[kind], 6);
	unsigned bits = (slot >> 1) - 1;
	uint32_t v = (2 | (slot & 1)) << (bits & 31);

	if (slot < 4)
		return slot;
	if (slot < DIRECT_FROM)
		return v + tree_back(z, z->p.special + v - slot, bits);
	v += direct(z, bits - 4) << 4;
	return v + tree_back(z, z->p.align, 4);
}

/* A match with one of the last four distances. Returns its length. */
static uint32_t again(struct lzma *z, unsigned pos)
{
	unsigned which = 0;

	if (bit(z, &z->p.again0[z->state])) {
		which = 1;
		if (bit(z, &z->p.again1[z->state]))
			which = 2 + bit(z, &z->p.again2[z->state]);
	} else if (!bit(z, &z->p.again0_long[z->state][pos])) {
		z->state = z->state < STATE_LITERALS ? 9 : 11;
		return 1;
	}

	uint32_t d = z->distance[which];

	memmove(z->distance + 1, z->distance, which * sizeof(d));
	z->distance[0] = d;

	uint32_t len = length(z, &z->p.again_length, pos);

	z->state = z->state < STATE_LITERALS ? 8 : 11;
	return len;
}

static uint32_t new_match(struct lzma *z, unsigned pos)
{
	uint32_t len = length(z, &z->p.length, pos);

	memmove(z->distance + 1, z->distance, 3 * sizeof(z->distance[0]));
	z->distance[0] = distance(z, len);
	z->state = z->state < STATE_LITERALS ? 7 : 10;
	return len;
}

static void symbols(struct lzma *z)
{
	while (z->at < z->end && !z->is_bad && !z->in.bad) {
		unsigned pos = (unsigned)(z->at - z->window) & ((1u << z->pb) - 1);

		if (!bit(z, &z->p.match[z->state][pos])) {
			literal(z);
			continue;
		}

		uint32_t len = bit(z, &z->p.again[z->state]) ? again(z, pos) : new_match(z, pos);
		size_t off = (size_t)z->distance[0] + 1, n = MIN(len, z->end - z->at);

		z->is_bad = off > z->at - z->window || (n < len && !z->is_cut);
		if (z->is_bad)
			return;
		pack_copy_bytes(z->dst + z->at, off, n);
		z->at += n;
	}
}

/* --- chunks --- */

static bool properties(struct lzma *z, unsigned v)
{
	z->lc = v % 9;
	z->lp = v / 9 % 5;
	z->pb = v / 45;
	return z->pb < 5 && z->lc + z->lp <= LITERAL_BITS_MAX;
}

static size_t u16_high(struct cursor *c)
{
	unsigned high = cur_u8(c);

	return high << 8 | cur_u8(c);
}

/* Unpack a chunk with n bytes of input. */
static int packed(struct lzma *z, struct cursor *c, size_t n)
{
	const uint8_t *p = cur_bytes(c, n);

	if (!p)
		return -EBADMSG;
	z->in = cur_from(p, n);
	z->is_bad = cur_u8(&z->in);
	z->range = UINT32_MAX;
	z->code = 0;
	for (unsigned i = 0; i < 4; i++)
		z->code = z->code << 8 | cur_u8(&z->in);
	symbols(z);
	fill(z);
	return z->is_bad || z->in.bad || cur_left(&z->in) || z->code ? -EBADMSG : 0;
}

static int plain(struct lzma *z, struct cursor *c, size_t n)
{
	const uint8_t *p = cur_bytes(c, n);

	if (!p)
		return -EBADMSG;
	memcpy(z->dst + z->at, p, n);
	z->at += n;
	return 0;
}

enum { NEEDS_WINDOW = 1, NEEDS_PROPERTIES = 2, NEEDS_PROBS = 4 };

enum {
	PLAIN_WINDOW = 1, PLAIN = 2,
	PACKED = 0x80, PACKED_PROBS = 0xa0, PACKED_PROPERTIES = 0xc0, PACKED_WINDOW = 0xe0,
};

/* Unpack a chunk. needs: NEEDS_... bits of what a chunk must reset before it may be used. */
static int chunk(struct lzma *z, struct cursor *c, unsigned control, unsigned *needs, size_t cap)
{
	size_t n = (control & PACKED ? (size_t)(control & 0x1f) << 16 : 0) + u16_high(c) + 1;
	size_t from = control & PACKED ? u16_high(c) + 1 : n;
	int r;

	if (control == PLAIN_WINDOW || control >= PACKED_WINDOW) {
		z->window = z->at;
		*needs = NEEDS_PROPERTIES | NEEDS_PROBS;
	}
	if (control >= PACKED_PROPERTIES) {
		if (!properties(z, cur_u8(c)))
			return -EBADMSG;
		*needs &= ~(unsigned)NEEDS_PROPERTIES;
	}
	if (control >= PACKED_PROBS) {
		probs_init(z);
		*needs &= ~(unsigned)NEEDS_PROBS;
	}
	if (c->bad || (control < PACKED && control > PLAIN) || *needs & (control & PACKED ? ~0u : NEEDS_WINDOW))
		return -EBADMSG;
	z->is_cut = n > cap - z->at;
	z->end = z->is_cut ? cap : z->at + n;
	r = control & PACKED ? packed(z, c, from) : plain(z, c, z->end - z->at);
	return z->is_cut && z->at == cap ? -ENOSPC : r;
}

int lzma2_unpack(struct cursor *c, uint8_t *dst, size_t cap, size_t *n)
{
	struct lzma *z = calloc(1, sizeof(*z));
	unsigned needs = NEEDS_WINDOW | NEEDS_PROPERTIES | NEEDS_PROBS, control = 0;
	int r = z ? 0 : -ENOMEM;

	*n = 0;
	if (r)
		return r;
	z->dst = dst;
	while (!r && (control = cur_u8(c)))
		r = chunk(z, c, control, &needs, cap);
	*n = z->at;
	free(z);
	return r ? r : c->bad ? -EBADMSG : 0;
}
