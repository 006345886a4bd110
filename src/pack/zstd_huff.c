/* zstd_huff.c - unpack Huffman-coded literals: RFC 8878 section 4.2. */
#include "pack/zstd_parts.h"

enum { SYMBOLS = 256 };

/* Read n weights of 4 bits each, the high nibble first. */
static unsigned plain_weights(uint8_t *weight, struct cursor *c, unsigned n)
{
	const uint8_t *p = cur_bytes(c, (n + 1) / 2);

	for (unsigned i = 0; p && i < n; i++)
		weight[i] = i % 2 ? p[i / 2] & 15 : p[i / 2] >> 4;
	return n;
}

/*
 * Read weights packed by FSE in `bytes` bytes: a distribution, then a bit stream for two states that take turns. The
 * stream ends when a state needs more bits than are left; then the other state holds the last weight.
 */
static unsigned packed_weights(uint8_t *weight, struct cursor *c, unsigned bytes)
{
	struct fse_cell cells[1 << HUFF_WEIGHT_LOG_MAX];
	struct cursor in = cur_from(c->pos, MIN(bytes, cur_left(c)));
	struct fse_dist d;
	unsigned n = 0;

	pack_skip(c, bytes);
	fse_dist_read(&d, &in, HUFF_LOG_MAX + 1, HUFF_WEIGHT_LOG_MAX);

	ptrdiff_t at = in.bad ? -1 : bits_from(in.pos, cur_left(&in));

	if (at < (ptrdiff_t)(2 * d.log)) {
		c->bad = true;
		return 0;
	}
	fse_cells(cells, &d, NULL);

	uint64_t top = bits_top(in.pos, at);
	unsigned state[2];

	state[0] = bits_take(&top, d.log);
	state[1] = bits_take(&top, d.log);
	at -= 2 * d.log;
	while (n < SYMBOLS - 2) {
		unsigned turn = n & 1;
		const struct fse_cell *cell = &cells[state[turn]];

		weight[n++] = cell->base;
		top = bits_top(in.pos, at);
		at -= cell->bits;
		if (at < 0) {
			weight[n++] = cells[state[!turn]].base;
			return n;
		}
		state[turn] = cell->next + bits_take(&top, cell->bits);
	}
	c->bad = true;
	return 0;
}

/* Cells go to symbols by weight, smallest (longest codes) first. The last weight is not stored: it fills the table. */
void huff_read(struct huff *h, struct cursor *c)
{
	uint8_t weight[SYMBOLS];
	unsigned head = pack_get(c, 1), sum = 0;
	unsigned n = head < 128 ? packed_weights(weight, c, head) : plain_weights(weight, c, head - 127);

	h->log = 0;
	for (unsigned i = 0; i < n && !c->bad; i++) {
		c->bad |= weight[i] > HUFF_LOG_MAX;
		sum += 1u << weight[i] >> 1;
	}
	if (c->bad || !sum || sum >= 1 << HUFF_LOG_MAX) {
		c->bad = true;
		return;
	}

	unsigned log = bits_high(sum) + 1, left = (1u << log) - sum;

	if (left & (left - 1)) {
		c->bad = true;
		return;
	}
	weight[n++] = bits_high(left) + 1;
	h->log = log;

	uint16_t *cell = h->cell;

	for (unsigned w = 1; w <= log; w++)
		for (unsigned s = 0; s < n; s++)
			for (unsigned i = weight[s] == w ? 1u << (w - 1) : 0; i; i--)
				*cell++ = s << 8 | (log + 1 - w);
}

struct stream {
	const uint8_t *p;
	ptrdiff_t at;                /* bit position; below 0: bits were read that are not there */
	uint8_t *out;
};

static struct stream stream_from(const uint8_t *src, size_t n, uint8_t *out)
{
	return (struct stream){ src, bits_from(src, n), out };
}

/* Unpack five symbols: at most 55 of the 57 bits that bits_top() has. */
static inline void five(const struct huff *h, struct stream *s)
{
	uint64_t top = bits_top(s->p, s->at);
	unsigned shift = 64 - h->log, used = 0;

	for (int i = 0; i < 5; i++) {
		unsigned cell = h->cell[top >> shift];

		s->out[i] = cell >> 8;
		top <<= cell & 15;
		used += cell & 15;
	}
	s->at -= used;
	s->out += 5;
}

/* Unpack the symbols up to `end`. False: the bit stream does not end with them. */
static bool finish(const struct huff *h, struct stream *s, const uint8_t *end)
{
	while (end - s->out >= 5 && s->at >= 0)
		five(h, s);
	while (s->out < end && s->at >= 0) {
		unsigned cell = h->cell[bits_top(s->p, s->at) >> (64 - h->log)];

		*s->out++ = cell >> 8;
		s->at -= cell & 15;
	}
	return !s->at && s->out == end;
}

bool huff_unpack_one(const struct huff *h, uint8_t *dst, size_t n, const uint8_t *src, size_t src_n)
{
	struct stream s = stream_from(src, src_n, dst);

	return finish(h, &s, dst + n);
}

/* Three lengths of 16 bits, then four streams, of which all but the last unpack to the same number of bytes. */
bool huff_unpack_four(const struct huff *h, uint8_t *dst, size_t n, const uint8_t *src, size_t src_n)
{
	struct cursor lengths = cur_from(src, src_n), c = lengths;
	size_t part = (n + 3) / 4;
	struct stream s[4];

	pack_skip(&c, 6);
	for (int i = 0; i < 4; i++) {
		size_t bytes = i < 3 ? pack_get(&lengths, 2) : cur_left(&c);

		s[i] = stream_from(c.pos, MIN(bytes, cur_left(&c)), dst + i * part);
		pack_skip(&c, bytes);
	}
	if (c.bad || 3 * part > n)
		return false;
	for (size_t left = n - 3 * part; left >= 5 && (s[0].at | s[1].at | s[2].at | s[3].at) >= 0; left -= 5)
		for (int i = 0; i < 4; i++)
			five(h, &s[i]);
	for (int i = 0; i < 4; i++)
		if (!finish(h, &s[i], i < 3 ? dst + (i + 1) * part : dst + n))
			return false;
	return true;
}
