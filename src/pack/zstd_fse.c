/* zstd_fse.c - tables of FSE (finite state entropy) codes: RFC 8878 section 4.1. */
#include "pack/zstd_parts.h"

static const uint8_t lits_more[36] = {
	[16] = 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
};
static const uint8_t match_more[53] = {
	[32] = 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
};
static const uint8_t offs_more[32] = {
	0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
	16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
};
static const int8_t lits_usual[36] = {
	4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1,
};
static const int8_t match_usual[53] = {
	1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
};
static const int8_t offs_usual[29] = {
	1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1,
};

const struct fse_kind fse_kinds[FSE_KINDS] = {
	[FSE_LITS] = { lits_more, lits_usual, .n = 36, .usual_n = 36, .usual_log = 6, .log_max = 9, .first = 0 },
	[FSE_OFFS] = { offs_more, offs_usual, .n = 32, .usual_n = 29, .usual_log = 5, .log_max = 8, .first = 1 },
	[FSE_MATCH] = { match_more, match_usual, .n = 53, .usual_n = 53, .usual_log = 6, .log_max = 9, .first = 3 },
};

void fse_dist_usual(struct fse_dist *d, const struct fse_kind *k)
{
	d->n = k->usual_n;
	d->log = k->usual_log;
	for (unsigned i = 0; i < d->n; i++)
		d->count[i] = k->usual[i];
}

/* The n <= 16 bits from bit `at` on, lowest bit first; zeros beyond the end. */
static unsigned bits_low(const struct cursor *c, size_t at, unsigned n)
{
	uint32_t v = 0;

	for (size_t i = 0; i < 3 && at / 8 + i < cur_left(c); i++)
		v |= (uint32_t)c->pos[at / 8 + i] << 8 * i;
	return v >> at % 8 & ((1u << n) - 1);
}

/* After a count of 0: two bits tell how many more symbols have count 0; after a 3 follow two more bits. */
static size_t read_zeros(struct fse_dist *d, const struct cursor *c, size_t at, unsigned max)
{
	unsigned more;

	do {
		more = bits_low(c, at, 2);
		at += 2;
		for (unsigned i = 0; i < more && d->n < max; i++)
			d->count[d->n++] = 0;
	} while (more == 3 && d->n < max);
	return at;
}

/* A count takes as many bits as the number of cells that are left requires; the smallest counts take one bit less. */
void fse_dist_read(struct fse_dist *d, struct cursor *c, unsigned n, unsigned log_max)
{
	size_t at = 4;

	d->n = 0;
	d->log = bits_low(c, 0, 4) + 5;
	c->bad |= d->log > log_max || !cur_left(c);

	int left = c->bad ? 0 : 1 << d->log;

	while (left > 0 && d->n < n) {
		unsigned bits = bits_high(left + 1) + 1;
		unsigned half = 1u << (bits - 1), few = 2 * half - 2 - left;
		unsigned v = bits_low(c, at, bits);

		if ((v & (half - 1)) < few) {
			v &= half - 1;
			bits--;
		} else if (v >= half) {
			v -= few;
		}
		at += bits;

		int count = (int)v - 1;

		left -= count < 0 ? 1 : count;
		d->count[d->n++] = count;
		if (!count)
			at = read_zeros(d, c, at, n);
	}
	c->bad |= left != 0;
	pack_skip(c, (at + 7) / 8);
}

/* Assign symbols to cells: those with count -1 from the last cell down, the others in steps over the rest. */
static void spread(uint8_t *symbols, const struct fse_dist *d)
{
	unsigned size = 1u << d->log, step = (size >> 1) + (size >> 3) + 3, high = size, at = 0;

	for (unsigned s = 0; s < d->n; s++)
		if (d->count[s] < 0)
			symbols[--high] = s;
	for (unsigned s = 0; s < d->n; s++) {
		for (int i = 0; i < d->count[s]; i++) {
			symbols[at] = s;
			do
				at = (at + step) & (size - 1);
			while (at >= high);
		}
	}
}

void fse_cells(struct fse_cell *cells, const struct fse_dist *d, const struct fse_kind *k)
{
	struct fse_cell first[FSE_SYMBOLS_MAX];
	uint8_t symbols[1 << FSE_LOG_MAX];
	unsigned size = 1u << d->log;
	uint32_t base = k ? k->first : 0;

	for (unsigned s = 0; s < d->n; s++) {
		first[s] = (struct fse_cell){
			.base = base, .next = d->count[s] < 0 ? 1 : d->count[s], .more = k ? k->more[s] : 0};
		base += 1u << first[s].more;
	}
	spread(symbols, d);
	for (unsigned i = 0; i < size; i++) {
		struct fse_cell *cell = &cells[i], *f = &first[symbols[i]];
		unsigned x = f->next++;

		*cell = *f;
		cell->bits = d->log - bits_high(x);
		cell->next = (x << cell->bits) - size;
	}
}

void bits_finish(struct bits_out *b)
{
	bits_put(b, 1, 1);
	b->n += -b->n & 7;
	bits_flush(b);
}

/* Scale the counts to 1 << log cells, at least one per symbol that occurs; the largest make up for rounding. */
void fse_dist_of(struct fse_dist *d, const uint32_t *count, unsigned n, unsigned log)
{
	uint64_t total = 0;
	int left = 1 << log;

	*d = (struct fse_dist){ .log = log };
	for (unsigned s = 0; s < n; s++)
		if (count[s]) {
			total += count[s];
			d->n = s + 1;
		}
	for (unsigned s = 0; s < d->n; s++) {
		if (count[s] == total) {
			d->count[s] = 1;
			d->log = 0;
			return;
		}
		if (count[s])
			d->count[s] = MAX(1, (int)(((uint64_t)count[s] << log) / total));
		left -= d->count[s];
	}
	while (left) {
		unsigned most = 0;

		for (unsigned s = 1; s < d->n; s++)
			if (d->count[s] > d->count[most])
				most = s;

		int change = left > 0 ? left : -1;

		d->count[most] += change;
		left -= change;
	}
}

void fse_dist_write(struct bits_out *b, const struct fse_dist *d)
{
	unsigned left = 1u << d->log;

	bits_put(b, d->log - 5, 4);
	for (unsigned s = 0; s < d->n;) {
		unsigned bits = bits_high(left + 1) + 1, half = 1u << (bits - 1), few = 2 * half - 2 - left;
		unsigned v = d->count[s] + 1;

		bits_put(b, v < half ? v : v + few, v < few ? bits - 1 : bits);
		left -= d->count[s];
		if (!d->count[s++]) {
			unsigned more = 0;

			for (; !d->count[s]; s++)
				if (++more == 3) {
					bits_put(b, 3, 2);
					more = 0;
					bits_flush(b);
				}
			bits_put(b, more, 2);
		}
		bits_flush(b);
	}
	b->n += -b->n & 7;
	bits_flush(b);
}

void fse_coder_init(struct fse_coder *c, const struct fse_dist *d)
{
	unsigned size = 1u << d->log, at[FSE_SYMBOLS_MAX], sum = 0;
	uint8_t symbols[1 << FSE_LOG_MAX];

	c->log = d->log;
	for (unsigned s = 0; s < d->n; s++) {
		unsigned count = d->count[s] < 0 ? 1 : d->count[s];
		unsigned most = count > 1 ? d->log - bits_high(count - 1) : d->log;

		c->step[s] = (struct fse_step){ .delta = (most << 16) - (count << most), .start = sum - count };
		at[s] = sum;
		sum += count;
	}
	spread(symbols, d);
	for (unsigned i = 0; i < size; i++)
		c->next[at[symbols[i]]++] = size + i;
}
