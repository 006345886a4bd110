/*
 * zstd_pack.c - pack zstd frames: one hash table finds matches. Literals and sequences have codes made for the block if
 * there are enough of them; else literals are stored raw, and sequences have the predefined codes.
 *
 * A block ends after ZSTD_BLOCK_MAX bytes, or when the buffer of literals or that of sequences is full.
 */
#include "pack/pack.h"
#include "pack/zstd_parts.h"

enum {
	HASH_LOG = 13, HASHED = 5,    /* matches are found by a hash of five bytes */
	LITS_MAX = 32 << 10, SEQS_MAX = 4 << 10, SEQS_FEW = 64,
	MATCH_MIN = 4, MATCH_MAX = UINT16_MAX,
	WINDOW_LOG = 20,
	HEAD_MAX = 14,
};

struct seq {
	uint32_t off;                 /* 1..3: repeats one of the last distances; else the distance + 3 */
	uint16_t lits, match;
};

struct zstd_packer {
	uint32_t at[1 << HASH_LOG];   /* by hash: low bits of the newest offset of such bytes */
	struct fse_coder coder[FSE_KINDS];
	uint8_t lits_code[64], match_code[128];
	uint32_t again[3];
	size_t lits_n, seqs_n;
	struct seq seqs[SEQS_MAX];
	uint8_t lits[LITS_MAX + PACK_SLACK];
};

/* Fill a table with the codes of small values, to spare computing them. */
static void codes_init(uint8_t *code, unsigned n, const struct fse_kind *k)
{
	unsigned c = 0, end = 1;

	for (unsigned v = 0; v < n; v++) {
		if (v == end)
			end += 1u << k->more[++c];
		code[v] = c;
	}
}

bool pack_can(void)
{
	return true;
}

struct zstd_packer *zstd_packer_new(void)
{
	struct zstd_packer *p = malloc(sizeof(*p));

	if (!p)
		return NULL;
	codes_init(p->lits_code, sizeof(p->lits_code), &fse_kinds[FSE_LITS]);
	codes_init(p->match_code, sizeof(p->match_code), &fse_kinds[FSE_MATCH]);
	return p;
}

void zstd_packer_free(struct zstd_packer *p)
{
	free(p);
}

/* --- matches ---------------------------------------------------------------------------------------------------------
 */

/* The input: matches may refer to all of it, and end with the block. */
struct input {
	const uint8_t *start, *end;   /* end: of the block */
};

struct match {
	size_t n, off;
};

static inline uint32_t *place_of(struct zstd_packer *p, const uint8_t *at)
{
	return &p->at[(pack_u64(at) << (64 - 8 * HASHED)) * 0x9e3779b185ebca87 >> (64 - HASH_LOG)];
}

/* How many bytes at `a`, up to `end`, equal those at `b`, which is before it. */
static inline size_t same(const uint8_t *a, const uint8_t *b, const uint8_t *end)
{
	const uint8_t *start = a;

	while (end - a >= 8) {
		uint64_t differ = pack_u64(a) ^ pack_u64(b);

		if (differ)
			return a - start + __builtin_ctzll(differ) / 8;
		a += 8;
		b += 8;
	}
	while (a < end && *a == *b)
		a++, b++;
	return a - start;
}

/* The longest match at one of the last three distances or at the hash table's offset; n is 0 if there is none. */
static inline struct match find(struct zstd_packer *p, const struct input *in, const uint8_t *at)
{
	uint32_t *place = place_of(p, at), have = at - in->start;
	uint32_t off = have - *place;
	struct match m = { 0 };
	size_t most = at - in->start;

	*place = have;
	for (unsigned i = 0; i < 3; i++) {
		size_t again = p->again[i];

		if (again > most || pack_u32(at) != pack_u32(at - again))
			continue;

		size_t n = same(at, at - again, in->end);

		if (n > m.n)
			m = (struct match){ n, again };
	}
	if (off && off <= most && off < 1 << WINDOW_LOG && pack_u32(at) == pack_u32(at - off)) {
		size_t n = same(at, at - off, in->end);

		if (n > m.n + (m.n ? 2 : 0) && n >= HASHED)
			m = (struct match){ n, off };
	}
	m.n = MIN(m.n, (size_t)MATCH_MAX);
	return m;
}

/* Encode a distance: the inverse of zstd_distance(). */
static uint32_t off_value(const uint32_t *again, size_t off, bool no_lits)
{
	for (unsigned v = 1; v <= 3; v++) {
		unsigned which = v - 1 + no_lits;

		if (off == (which == 3 ? again[0] - 1 : again[which]))
			return v;
	}
	return off + 3;
}

static void add_lits(struct zstd_packer *p, const uint8_t *from, size_t n)
{
	memcpy(p->lits + p->lits_n, from, n);
	p->lits_n += n;
}

static void add_seq(struct zstd_packer *p, const uint8_t *lits, size_t n, struct match m)
{
	uint32_t v = off_value(p->again, m.off, !n);

	zstd_distance(p->again, v, !n);
	add_lits(p, lits, n);
	p->seqs[p->seqs_n++] = (struct seq){ v, n, m.n };
}

/* Split a block, from `from` on, into literals and sequences; returns the end of the block. */
static const uint8_t *parse(struct zstd_packer *p, const struct input *in, const uint8_t *from)
{
	const uint8_t *at = from;

	p->lits_n = p->seqs_n = 0;
	while (in->end - at >= 8 && p->seqs_n < SEQS_MAX && (size_t)(at - from) < LITS_MAX - p->lits_n) {
		struct match m = find(p, in, at);

		if (!m.n) {
			at += 1 + ((at - from) >> 7);
			continue;
		}
		while (at > from && at - m.off > in->start && at[-1] == at[-1 - (ptrdiff_t)m.off] && m.n < MATCH_MAX) {
			at--;
			m.n++;
		}
		add_seq(p, from, at - from, m);
		from = at += m.n;
		if (in->end - at >= 8)
			*place_of(p, at - 2) = at - 2 - in->start;
	}
	if (p->seqs_n == SEQS_MAX)
		return from;

	size_t n = MIN((size_t)(in->end - from), LITS_MAX - p->lits_n);

	add_lits(p, from, n);
	return from + n;
}

/* --- blocks ----------------------------------------------------------------------------------------------------------
 */

struct codes {
	uint8_t of[FSE_KINDS];
};

static inline struct codes codes_of(const struct zstd_packer *p, struct seq s)
{
	uint32_t l = s.lits, m = s.match - 3;

	return (struct codes){ {
		[FSE_LITS] = l < sizeof(p->lits_code) ? p->lits_code[l] : bits_high(l) + 19,
		[FSE_OFFS] = bits_high(s.off),
		[FSE_MATCH] = m < sizeof(p->match_code) ? p->match_code[m] : bits_high(m) + 36,
	} };
}

/* log2 of the number of cells of a table for n sequences: few sequences do not need many cells. */
static unsigned log_for(const struct fse_kind *k, size_t n)
{
	return MIN(k->log_max, MAX(k->usual_log, bits_high(n) - 2));
}

/* Write the modes, and describe tables made for this block if it has so many sequences that this pays. */
static void put_tables(struct zstd_packer *p, struct bits_out *b)
{
	uint32_t count[FSE_KINDS][FSE_SYMBOLS_MAX] = { 0 };
	uint8_t *modes = b->p++;

	*modes = 0;
	for (size_t i = 0; i < p->seqs_n; i++)
		for (unsigned k = 0; k < FSE_KINDS; k++)
			count[k][codes_of(p, p->seqs[i]).of[k]]++;
	for (unsigned k = 0; k < FSE_KINDS; k++) {
		const struct fse_kind *kind = &fse_kinds[k];
		struct fse_dist d;

		fse_dist_of(&d, count[k], kind->n, log_for(kind, p->seqs_n));
		if (!d.log) {
			*modes |= ZSTD_CODES_RLE << (6 - 2 * k);
			bits_put(b, d.n - 1, 8);
			bits_flush(b);
		} else if (p->seqs_n >= SEQS_FEW) {
			*modes |= ZSTD_CODES_OWN << (6 - 2 * k);
			fse_dist_write(b, &d);
		} else {
			fse_dist_usual(&d, kind);
		}
		fse_coder_init(&p->coder[k], &d);
	}
}

/* Go from the last sequence to the first, since readers begin at the end: states come before extra bits. */
static void put_sequences(const struct zstd_packer *p, struct bits_out *b)
{
	const struct fse_coder *coder = p->coder;
	uint32_t lits = 0, offs = 0, match = 0;

	for (size_t i = p->seqs_n; i--;) {
		struct seq s = p->seqs[i];
		struct codes c = codes_of(p, s);

		if (i == p->seqs_n - 1) {
			lits = fse_first(&coder[FSE_LITS], c.of[FSE_LITS]);
			offs = fse_first(&coder[FSE_OFFS], c.of[FSE_OFFS]);
			match = fse_first(&coder[FSE_MATCH], c.of[FSE_MATCH]);
		} else {
			offs = fse_put(&coder[FSE_OFFS], b, offs, c.of[FSE_OFFS]);
			match = fse_put(&coder[FSE_MATCH], b, match, c.of[FSE_MATCH]);
			lits = fse_put(&coder[FSE_LITS], b, lits, c.of[FSE_LITS]);
		}
		bits_put(b, s.lits, fse_kinds[FSE_LITS].more[c.of[FSE_LITS]]);
		bits_flush(b);
		bits_put(b, s.match - 3, fse_kinds[FSE_MATCH].more[c.of[FSE_MATCH]]);
		bits_put(b, s.off, c.of[FSE_OFFS]);
		bits_flush(b);
	}
	bits_put(b, match, coder[FSE_MATCH].log);
	bits_put(b, offs, coder[FSE_OFFS].log);
	bits_put(b, lits, coder[FSE_LITS].log);
	bits_finish(b);
}

/* Write the contents of a block to [to, end). Returns where they end; NULL: they do not fit. */
static uint8_t *put_block(struct zstd_packer *p, uint8_t *to, uint8_t *end)
{
	struct bits_out b = { .p = to, .end = end };

	if (!huff_pack(&b, p->lits, p->lits_n) || b.end - b.p < 8)
		return NULL;
	if (p->seqs_n >= 128)
		*b.p++ = (p->seqs_n >> 8) + 128;
	*b.p++ = p->seqs_n;
	if (p->seqs_n) {
		put_tables(p, &b);
		put_sequences(p, &b);
	}
	return b.full ? NULL : b.p;
}

static uint8_t *pack_block(struct zstd_packer *p, uint8_t *to, const uint8_t *start, const uint8_t **from,
			   const uint8_t *end)
{
	uint32_t again[3];
	struct input in = { start, *from + MIN((size_t)(end - *from), (size_t)ZSTD_BLOCK_MAX) };

	memcpy(again, p->again, sizeof(again));

	const uint8_t *stop = parse(p, &in, *from);
	size_t n = stop - *from;
	uint8_t *made = put_block(p, to + 3, to + 3 + n);
	uint32_t type = made ? ZSTD_BLOCK_PACKED : ZSTD_BLOCK_RAW;

	if (!made) {
		memcpy(p->again, again, sizeof(again));
		memcpy(to + 3, *from, n);
		made = to + 3 + n;
	}

	pack_put(to, (made - to - 3) << 3 | type << 1 | (stop == end), 3);
	*from = stop;
	return made;
}

/* --- frames ----------------------------------------------------------------------------------------------------------
 */

/* All blocks but the last take in LITS_MAX bytes or SEQS_MAX matches at least; at worst they grow by their header. */
size_t zstd_pack_bound(size_t len)
{
	return len + HEAD_MAX + 3 * (len / (SEQS_MAX * MATCH_MIN) + 1);
}

/* Magic, descriptor, window, size. A frame not larger than the window has no window field (single segment). */
static uint8_t *put_head(uint8_t *to, uint64_t len)
{
	bool single = len <= 1 << WINDOW_LOG;
	unsigned size_log = len <= UINT32_MAX ? 2 : 3;

	to = pack_put(to, ZSTD_MAGIC | (uint64_t)(size_log << 6 | single << 5) << 32, 5);
	if (!single)
		*to++ = (WINDOW_LOG - 10) << 3;
	return pack_put(to, len, 1u << size_log);
}

size_t zstd_pack(struct zstd_packer *p, void *dst, const void *src, size_t len)
{
	const uint8_t *from = src, *end = from + len;
	uint8_t *to = put_head(dst, len);

	memset(p->at, 0, sizeof(p->at));
	zstd_distances_init(p->again);
	do
		to = pack_block(p, to, src, &from, end);
	while (from < end);
	return to - (uint8_t *)dst;
}
