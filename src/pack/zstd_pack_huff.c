/* zstd_pack_huff.c - pack literals: RFC 8878 sections 3.1.1.3.1 and 4.2. */
#include "pack/prefix.h"
#include "pack/zstd_parts.h"

enum { SYMBOLS = 256, FEW_LITS = 64, WEIGHTS_MAX = 160, LENGTHS = 6 };

/* Code lengths of a tree, and the codes of its symbols. */
struct tree {
	unsigned log, last;           /* last: the highest symbol that occurs */
	uint8_t length[SYMBOLS];
	uint16_t code[SYMBOLS];
};

/* Number the codes in the order in which readers assign cells: longest first, then by symbol. */
static void number(struct tree *t)
{
	unsigned at = 0;

	for (unsigned length = t->log; length; length--)
		for (unsigned s = 0; s <= t->last; s++)
			if (t->length[s] == length) {
				t->code[s] = at >> (t->log - length);
				at += 1u << (t->log - length);
			}
}

/* Make the tree of n literals; *bits: their packed size. False: all are the same symbol, which has no tree. */
static bool tree_init(struct tree *t, const uint8_t *lits, size_t n, uint64_t *bits)
{
	uint32_t count[SYMBOLS] = { 0 };

	for (size_t i = 0; i < n; i++)
		count[lits[i]]++;
	t->last = SYMBOLS - 1;
	while (!count[t->last])
		t->last--;
	t->log = prefix_lengths(t->length, count, SYMBOLS, HUFF_LOG_MAX);
	if (!t->log)
		return false;
	*bits = 0;
	for (unsigned s = 0; s < SYMBOLS; s++)
		*bits += (uint64_t)count[s] * t->length[s];
	number(t);
	return true;
}

/* Pack weights by FSE, the last one first; two states take turns. Returns the number of bytes; 0: they do not fit. */
static size_t put_weights(uint8_t *to, const uint8_t *weight, unsigned n)
{
	struct bits_out b = { .p = to, .end = to + WEIGHTS_MAX };
	uint32_t state[2], count[HUFF_LOG_MAX + 1] = { 0 };
	struct fse_coder coder;
	struct fse_dist d;

	for (unsigned i = 0; i < n; i++)
		count[weight[i]]++;
	fse_dist_of(&d, count, ARRAY_SIZE(count), HUFF_WEIGHT_LOG_MAX);
	if (n < 3 || !d.log)
		return 0;
	fse_dist_write(&b, &d);
	fse_coder_init(&coder, &d);
	state[(n - 1) & 1] = fse_first(&coder, weight[n - 1]);
	state[n & 1] = fse_first(&coder, weight[n - 2]);
	for (unsigned i = n - 2; i--;) {
		state[i & 1] = fse_put(&coder, &b, state[i & 1], weight[i]);
		bits_flush(&b);
	}
	bits_put(&b, state[1], d.log);
	bits_put(&b, state[0], d.log);
	bits_finish(&b);
	return b.full ? 0 : b.p - to;
}

/*
 * Write the weights of all symbols but the last, which readers compute: a byte that tells form and size, then weights,
 * packed or as nibbles. Returns the number of bytes; `to` has room for WEIGHTS_MAX. 0: they fit into neither form.
 */
static size_t put_tree(uint8_t *to, const struct tree *t)
{
	uint8_t weight[SYMBOLS + 1];
	unsigned n = t->last;

	for (unsigned s = 0; s < n; s++)
		weight[s] = t->length[s] ? t->log + 1 - t->length[s] : 0;
	weight[n] = 0;

	size_t packed = put_weights(to + 1, weight, n), plain = (n + 1) / 2;

	if (packed && packed < 128 && (packed < plain || n > 128)) {
		to[0] = packed;
		return 1 + packed;
	}
	if (n > 128)
		return 0;
	to[0] = 127 + n;
	for (unsigned i = 0; i < plain; i++)
		to[1 + i] = weight[2 * i] << 4 | weight[2 * i + 1];
	return 1 + plain;
}

/* Write a stream; the last literal comes first, as readers begin at the end. */
static void put_stream(struct bits_out *b, const struct tree *t, const uint8_t *lits, size_t n)
{
	while (n) {
		for (size_t some = MIN(n, 4u); some; some--) {
			unsigned s = lits[--n];

			bits_put(b, t->code[s], t->length[s]);
		}
		bits_flush(b);
	}
	bits_finish(b);
}

/* Write the lengths of three streams, then four streams; the fourth one has the rest of the length. */
static void put_streams(struct bits_out *b, const struct tree *t, const uint8_t *lits, size_t n)
{
	uint8_t *lengths = b->p;
	size_t part = (n + 3) / 4;

	b->p += LENGTHS;
	for (int i = 0; i < 4; i++) {
		uint8_t *start = b->p;

		put_stream(b, t, lits + i * part, i < 3 ? part : n - 3 * part);

		size_t made = b->p - start;

		if (i < 3)
			pack_put(lengths + 2 * i, made, 2);
	}
}

/* Headers have the longest format: the shorter ones save few bytes, as there is one header per block. */
enum { RAW_HEAD = 3, PACKED_HEAD = 5 };

/* Write unpacked literals: header, then all bytes (raw), or one of them if they are all the same (RLE). */
static bool put_raw(struct bits_out *b, const uint8_t *lits, size_t n, unsigned type)
{
	size_t body = type == ZSTD_LIT_RLE ? 1 : n;

	if ((size_t)(b->end - b->p) < RAW_HEAD + body)
		return false;
	pack_put(b->p, n << 4 | 3 << 2 | type, RAW_HEAD);
	memcpy(b->p + RAW_HEAD, lits, body);
	b->p += RAW_HEAD + body;
	return true;
}

/* Write header, tree and streams. False: they are not shorter than the literals. */
static bool put_packed(struct bits_out *b, const struct tree *t, const uint8_t *lits, size_t n)
{
	uint8_t *head = b->p;

	if (b->end - head < PACKED_HEAD + LENGTHS + WEIGHTS_MAX)
		return false;
	b->p += PACKED_HEAD;

	size_t tree = put_tree(b->p, t);

	b->p += tree;
	put_streams(b, t, lits, n);

	uint64_t made = b->p - head - PACKED_HEAD;

	pack_put(head, ZSTD_LIT_HUFF | 3 << 2 | n << 4 | made << 22, PACKED_HEAD);
	return tree && !b->full && made < n;
}

bool huff_pack(struct bits_out *b, const uint8_t *lits, size_t n)
{
	struct bits_out start = *b;
	struct tree t;
	uint64_t bits = 0;

	if (n < FEW_LITS)
		return put_raw(b, lits, n, ZSTD_LIT_RAW);
	if (!tree_init(&t, lits, n, &bits))
		return put_raw(b, lits, n, ZSTD_LIT_RLE);
	if (bits / 8 < n - n / 32 && put_packed(b, &t, lits, n))
		return true;
	*b = start;
	return put_raw(b, lits, n, ZSTD_LIT_RAW);
}
