/*
 * zstd_parts.h - what the zstd reader and packer are made of (RFC 8878). Internal to src/pack.
 *
 * A frame is blocks; a block is literals (Huffman-coded) and sequences "so many literals, then a match of that length
 * that far back", whose three numbers are a code (FSE) with extra bits each.
 *
 * Bit streams are read from their end towards their start. The eight bytes before any of them may be read, too: a frame
 * has at least its magic, one more header byte, a window or a size, and a block header there.
 */
#ifndef PACK_ZSTD_PARTS_H
#define PACK_ZSTD_PARTS_H

#include "pack/pack_bytes.h"

#define ZSTD_MAGIC 0xfd2fb528u

enum {
	ZSTD_BLOCK_MAX = 128 << 10,
	ZSTD_BLOCK_RAW = 0, ZSTD_BLOCK_RLE, ZSTD_BLOCK_PACKED,
	ZSTD_LIT_RAW = 0, ZSTD_LIT_RLE, ZSTD_LIT_HUFF, ZSTD_LIT_TREELESS,
	ZSTD_CODES_USUAL = 0, ZSTD_CODES_RLE, ZSTD_CODES_OWN, ZSTD_CODES_AGAIN,
	FSE_LOG_MAX = 9, FSE_SYMBOLS_MAX = 53,
	HUFF_LOG_MAX = 11, HUFF_WEIGHT_LOG_MAX = 6,
};

static inline void zstd_distances_init(uint32_t *again)
{
	again[0] = 1;
	again[1] = 4;
	again[2] = 8;
}

/*
 * The distance that value v > 0 means, after the last three ones. Values 1 to 3 are those; without literals before the
 * match they are the second, the third, and the first less one.
 */
static inline size_t zstd_distance(uint32_t *again, uint32_t v, bool no_lits)
{
	uint32_t off = v - 3;

	if (v <= 3) {
		unsigned which = v - 1 + no_lits;

		off = which == 3 ? again[0] - 1 : again[which];
		if (which < 2) {
			again[which] = again[0];
			again[0] = off;
			return off;
		}
	}
	again[2] = again[1];
	again[1] = again[0];
	again[0] = off;
	return off;
}

/* --- bits from the end ---------------------------------------------------------------------------------------------
 */

/* Position of the mark, the highest bit set in the last byte: what is below it is the stream. -1: no mark, no bytes. */
static inline ptrdiff_t bits_from(const uint8_t *p, size_t n)
{
	return n && p[n - 1] ? (ptrdiff_t)(8 * n) - 8 + 31 - __builtin_clz(p[n - 1]) : -1;
}

/* The bits below position `at` >= 0, the next one on top; 57 are there. */
static inline uint64_t bits_top(const uint8_t *p, ptrdiff_t at)
{
	return pack_u64(p + ((at + 7) >> 3) - 8) << (-at & 7);
}

/* The n < 64 uppermost ones. */
static inline uint64_t bits_take(uint64_t *top, unsigned n)
{
	uint64_t v = *top >> 1 >> (63 - n);

	*top <<= n;
	return v;
}

static inline unsigned bits_high(uint32_t v)
{
	return 31 - __builtin_clz(v);
}

/* --- finite state entropy (zstd_fse.c) -------------------------------------------------------------------------------
 */

/* How often each symbol stands in a table of 1 << log cells; -1: once, with a full restart. */
struct fse_dist {
	unsigned n, log;
	int16_t count[FSE_SYMBOLS_MAX];
};

/* What the numbers of one kind are made of: a code's values start where those of the code before it end. */
struct fse_kind {
	const uint8_t *more;          /* extra bits of each code */
	const int8_t *usual;          /* the predefined distribution */
	uint8_t n;                    /* codes */
	uint8_t usual_n, usual_log, log_max;
	uint8_t first;                /* value of code 0 */
};

enum { FSE_LITS, FSE_OFFS, FSE_MATCH, FSE_KINDS };
extern const struct fse_kind fse_kinds[FSE_KINDS];

/* What a state means, and where the bits that follow lead. */
struct fse_cell {
	uint32_t base;
	uint16_t next;
	uint8_t bits, more;
};

/* Read a distribution of at most n symbols; c->bad when it is none. */
void fse_dist_read(struct fse_dist *d, struct cursor *c, unsigned n, unsigned log_max);
void fse_dist_usual(struct fse_dist *d, const struct fse_kind *k);

/* Cells of a distribution; without a kind the value is the symbol. */
void fse_cells(struct fse_cell *cells, const struct fse_dist *d, const struct fse_kind *k);

/* --- Huffman (zstd_huff.c)
 * -------------------------------------------------------------------------------------------- */

/* log is 0 as long as there is no tree. A cell is symbol << 8 | bits. */
struct huff {
	unsigned log;
	uint16_t cell[1 << HUFF_LOG_MAX];
};

/* Read a tree's description; c->bad when it is none. */
void huff_read(struct huff *h, struct cursor *c);

/* Unpack n bytes of literals from one or four streams, which is all of the src_n bytes. */
bool huff_unpack_one(const struct huff *h, uint8_t *dst, size_t n, const uint8_t *src, size_t src_n);
bool huff_unpack_four(const struct huff *h, uint8_t *dst, size_t n, const uint8_t *src, size_t src_n);

/* --- packing (zstd_pack_*.c)
 * ------------------------------------------------------------------------------------------ */

/* The mark, and zeros up to a whole byte. */
void bits_finish(struct bits_out *b);

/* How a symbol changes the state of a coder, whose states are size..2 * size - 1. */
struct fse_step {
	uint32_t delta;
	int16_t start;
};

struct fse_coder {
	unsigned log;
	struct fse_step step[FSE_SYMBOLS_MAX];
	uint16_t next[1 << FSE_LOG_MAX];
};

/* A distribution for what was counted; its log is 0 when all is one symbol, the last of its n. */
void fse_dist_of(struct fse_dist *d, const uint32_t *count, unsigned n, unsigned log);
void fse_dist_write(struct bits_out *b, const struct fse_dist *d);
void fse_coder_init(struct fse_coder *c, const struct fse_dist *d);

/* The state before anything: the one that costs least to reach this symbol, which is the last to be unpacked. */
static inline uint32_t fse_first(const struct fse_coder *c, unsigned symbol)
{
	struct fse_step s = c->step[symbol];
	uint32_t n = (s.delta + (1 << 15)) >> 16;

	return c->next[(((n << 16) - s.delta) >> n) + s.start];
}

static inline uint32_t fse_put(const struct fse_coder *c, struct bits_out *b, uint32_t state, unsigned symbol)
{
	struct fse_step s = c->step[symbol];
	uint32_t n = (state + s.delta) >> 16;

	bits_put(b, state, n);
	return c->next[(state >> n) + s.start];
}

/* Write the literals' section, of at most 65535 literals; false when it does not fit. */
bool huff_pack(struct bits_out *b, const uint8_t *lits, size_t n);

#endif
