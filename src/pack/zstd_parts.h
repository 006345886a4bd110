/*
 * zstd_parts.h - shared by the unpacker and packer of zstd (RFC 8878). Internal to src/pack.
 *
 * A frame consists of blocks; a block of literals (Huffman-coded) and sequences: number of literals, length and
 * distance of the match after them. Each of the three numbers is an FSE code with extra bits.
 *
 * Bit streams are read backwards, from their end. The eight bytes before a stream may be read, too: there are at least
 * the frame's magic, one more header byte, a window or a size, and a block header.
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
 * The distance for the coded value v > 0. Values 1 to 3 repeat one of the last three distances; without literals before
 * the match they mean the second, the third, and the first minus one.
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

/* Position of the end mark, the highest set bit of the last byte; the stream is below it. -1: no mark. */
static inline ptrdiff_t bits_from(const uint8_t *p, size_t n)
{
	return n && p[n - 1] ? (ptrdiff_t)(8 * n) - 8 + 31 - __builtin_clz(p[n - 1]) : -1;
}

/* The bits below position `at` >= 0, the next one highest; 57 are valid. */
static inline uint64_t bits_top(const uint8_t *p, ptrdiff_t at)
{
	return pack_u64(p + ((at + 7) >> 3) - 8) << (-at & 7);
}

/* Take the n < 64 highest bits. */
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

/* How the numbers of one kind are coded: the values of a code follow those of the code before it. */
struct fse_kind {
	const uint8_t *more;          /* extra bits of each code */
	const int8_t *usual;          /* the predefined distribution */
	uint8_t n;                    /* codes */
	uint8_t usual_n, usual_log, log_max;
	uint8_t first;                /* value of code 0 */
};

enum { FSE_LITS, FSE_OFFS, FSE_MATCH, FSE_KINDS };
extern const struct fse_kind fse_kinds[FSE_KINDS];

/* A decoder state: its symbol's value, and the next state, to which the following bits are added. */
struct fse_cell {
	uint32_t base;
	uint16_t next;
	uint8_t bits, more;
};

/* Read a distribution of at most n symbols; c->bad if it is invalid. */
void fse_dist_read(struct fse_dist *d, struct cursor *c, unsigned n, unsigned log_max);
void fse_dist_usual(struct fse_dist *d, const struct fse_kind *k);

/* Fill the cells for a distribution; k NULL: the value is the symbol itself. */
void fse_cells(struct fse_cell *cells, const struct fse_dist *d, const struct fse_kind *k);

/* --- Huffman (zstd_huff.c)
 * -------------------------------------------------------------------------------------------- */

/* log 0: no tree yet. A cell is symbol << 8 | bits. */
struct huff {
	unsigned log;
	uint16_t cell[1 << HUFF_LOG_MAX];
};

/* Read a tree's description; c->bad if it is invalid. */
void huff_read(struct huff *h, struct cursor *c);

/* Unpack n literals from one stream, or from four, of src_n bytes in all. */
bool huff_unpack_one(const struct huff *h, uint8_t *dst, size_t n, const uint8_t *src, size_t src_n);
bool huff_unpack_four(const struct huff *h, uint8_t *dst, size_t n, const uint8_t *src, size_t src_n);

/* --- packing (zstd_pack_*.c)
 * ------------------------------------------------------------------------------------------ */

/* Write the end mark, and fill the last byte with zeros. */
void bits_finish(struct bits_out *b);

/* How a symbol changes the encoder's state; states are size to 2 * size - 1. */
struct fse_step {
	uint32_t delta;
	int16_t start;
};

struct fse_coder {
	unsigned log;
	struct fse_step step[FSE_SYMBOLS_MAX];
	uint16_t next[1 << FSE_LOG_MAX];
};

/* Make a distribution for the counts; log 0: all are the same symbol, the last one of n. */
void fse_dist_of(struct fse_dist *d, const uint32_t *count, unsigned n, unsigned log);
void fse_dist_write(struct bits_out *b, const struct fse_dist *d);
void fse_coder_init(struct fse_coder *c, const struct fse_dist *d);

/* The initial state: the one from which this symbol, the last to be unpacked, costs the fewest bits. */
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

/* Write the literals section, of at most 65535 literals; false: it does not fit. */
bool huff_pack(struct bits_out *b, const uint8_t *lits, size_t n);

#endif
