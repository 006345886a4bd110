/* counts.h - statistics of memory accesses: a sample's data source (perf/data_src.h) increments some counts. Pure. */
#ifndef C2C_COUNTS_H
#define C2C_COUNTS_H

#include "base/base.h"

#define C2C_COUNT(name, key) C2C_##name,
enum c2c_count {
#include "c2c/counts.def"
	C2C_COUNTS
};
#undef C2C_COUNT

struct c2c_counts {
	uint32_t n[C2C_COUNTS];
};

#define C2C_SET(name) (UINT32_C(1) << C2C_##name)

static_assert(C2C_COUNTS < 32, "a set of counts is a word");

/* Sets of counts, which stand for their sums. */
#define C2C_HITM        (C2C_SET(LCL_HITM) | C2C_SET(RMT_HITM))
#define C2C_PEER        (C2C_SET(LCL_PEER) | C2C_SET(RMT_PEER))
#define C2C_LLC_MISSES  (C2C_SET(LCL_DRAM) | C2C_SET(RMT_DRAM) | C2C_SET(RMT_HITM) | C2C_SET(RMT_HIT))
#define C2C_LLC_HITS    (C2C_SET(LD_LLC) | C2C_SET(LCL_HITM))
#define C2C_LOADED      (C2C_LLC_MISSES | C2C_SET(LD_FB) | C2C_SET(LD_L1) | C2C_SET(LD_L2) | C2C_LLC_HITS)
#define C2C_STORED      (C2C_SET(ST_L1_HIT) | C2C_SET(ST_L1_MISS) | C2C_SET(ST_NA))
#define C2C_ACCESSED    (C2C_LOADED | C2C_STORED)

/* The counts that a row has: as there are many rows, the others would take most of their memory. */
#define C2C_OF_ROWS     (C2C_HITM | C2C_PEER | C2C_STORED | C2C_SET(STORES))
enum { C2C_ROW_COUNTS = 8 };

static_assert(__builtin_popcount(C2C_OF_ROWS) == C2C_ROW_COUNTS, "each has its place");

struct c2c_row_counts {
	uint32_t n[C2C_ROW_COUNTS];
	uint32_t accessed;       /* the sum of C2C_ACCESSED */
};

uint64_t c2c_sum(const struct c2c_counts *c, uint32_t set);

/* The same of a row; set: C2C_ACCESSED, or a subset of C2C_OF_ROWS (others are ignored). */
uint64_t c2c_row_sum(const struct c2c_row_counts *c, uint32_t set);
const char *c2c_count_key(enum c2c_count which);

/* What one access adds to the counts. */
enum { C2C_WORD_MAX = 28 };

struct c2c_word {
	uint32_t set;            /* the counts in v */
	uint8_t n, v[C2C_WORD_MAX];         /* counts to increment; one that occurs twice, twice */
	uint8_t n_row, row[C2C_WORD_MAX];   /* the same as indices in struct c2c_row_counts */
	uint8_t accessed;                   /* how many of v are in C2C_ACCESSED */
};

/* Decode a PERF_SAMPLE_DATA_SRC; has_addr: the sample has a data address. */
void c2c_word_of(struct c2c_word *w, uint64_t data_src, bool has_addr);

static inline void c2c_add(struct c2c_counts *c, const struct c2c_word *w)
{
	for (unsigned i = 0; i < w->n; i++)
		c->n[w->v[i]]++;
}

static inline void c2c_row_add(struct c2c_row_counts *c, const struct c2c_word *w)
{
	for (unsigned i = 0; i < w->n_row; i++)
		c->n[w->row[i]]++;
	c->accessed += w->accessed;
}

#endif
