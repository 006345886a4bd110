/* zstd_unpack.c - unpack zstd frames: RFC 8878 section 3. The output is the window. */
#include "pack/pack.h"
#include "pack/zstd_parts.h"

struct unpacker {
	struct cursor c;              /* of all the input */
	uint8_t *dst, *at, *end;
	uint8_t *frame;               /* start of this frame's output: no match reaches before it */
	struct err *e;
	uint32_t again[3];            /* the last three distances */
	uint8_t log[FSE_KINDS];
	bool have[FSE_KINDS];         /* cells[] has a table that the next block may use */
	struct fse_cell cells[FSE_KINDS][1 << FSE_LOG_MAX];
	struct huff huff;
	size_t lits_n;
	uint8_t lits[ZSTD_BLOCK_MAX + PACK_SLACK];
};

static int bad(const struct unpacker *z, const char *what)
{
	return err_at(z->e, EBADMSG, cur_off(&z->c), "cannot unpack zstd: %s", what);
}

static int full(const struct unpacker *z)
{
	return err_set(z->e, ENOSPC, "more than %zu bytes unpacked", (size_t)(z->end - z->dst));
}

/* --- literals --------------------------------------------------------------------------------------------------------
 */

struct lits_head {
	unsigned type, streams;
	uint32_t n, packed;           /* number of literals; bytes that they take, packed */
};

/* Type 2 bits, format 2 bits, length(s): 5, 12 or 20 bits of one; or 10, 14 or 18 bits of each of two. */
static struct lits_head lits_head(struct cursor *c)
{
	struct cursor in = *c;
	uint64_t v = pack_get(&in, MIN(cur_left(c), 5u));
	struct lits_head h = { .type = v & 3, .streams = 4 };
	unsigned format = v >> 2 & 3, bytes = format == 1 ? 2 : format == 3 ? 3 : 1;

	if (h.type >= ZSTD_LIT_HUFF) {
		unsigned bits = format < 2 ? 10 : 6 + 4 * format;

		bytes = format < 2 ? 3 : format + 2;
		h.streams = format ? 4 : 1;
		h.n = v >> 4 & ((1u << bits) - 1);
		h.packed = v >> (4 + bits) & ((1u << bits) - 1);
	} else {
		h.n = (v & ((1u << 8 * bytes) - 1)) >> (bytes > 1 ? 4 : 3);
		h.packed = h.type == ZSTD_LIT_RLE ? 1 : h.n;
	}
	pack_skip(c, bytes);
	return h;
}

static int read_lits(struct unpacker *z, struct cursor *c)
{
	struct lits_head h = lits_head(c);
	struct cursor in = cur_sub(c, cur_off(c), h.packed);

	pack_skip(c, h.packed);
	if (c->bad || h.n > ZSTD_BLOCK_MAX)
		return bad(z, "literals");
	z->lits_n = h.n;
	if (h.type == ZSTD_LIT_RAW) {
		memcpy(z->lits, in.pos, h.n);
		return 0;
	}
	if (h.type == ZSTD_LIT_RLE) {
		memset(z->lits, *in.pos, h.n);
		return 0;
	}
	if (h.type == ZSTD_LIT_HUFF)
		huff_read(&z->huff, &in);
	if (in.bad || !z->huff.log)
		return bad(z, "Huffman tree");

	bool ok = h.streams == 1 ? huff_unpack_one(&z->huff, z->lits, h.n, in.pos, cur_left(&in)) :
				   huff_unpack_four(&z->huff, z->lits, h.n, in.pos, cur_left(&in));

	return ok ? 0 : bad(z, "literals");
}

/* --- sequences -------------------------------------------------------------------------------------------------------
 */

static void read_table(struct unpacker *z, struct cursor *c, unsigned which, unsigned mode)
{
	const struct fse_kind *k = &fse_kinds[which];
	struct fse_dist d = { 0 };

	if (mode == ZSTD_CODES_AGAIN) {
		c->bad |= !z->have[which];
		return;
	}
	if (mode == ZSTD_CODES_USUAL) {
		fse_dist_usual(&d, k);
	} else if (mode == ZSTD_CODES_OWN) {
		fse_dist_read(&d, c, k->n, k->log_max);
	} else {
		/* All sequences have the same code (RLE): a table of one cell. */
		unsigned code = pack_get(c, 1);

		c->bad |= code >= k->n;
		d.n = c->bad ? 1 : code + 1;
		d.count[d.n - 1] = 1;
	}
	if (c->bad)
		return;
	fse_cells(z->cells[which], &d, k);
	z->log[which] = d.log;
	z->have[which] = true;
}

/* How far a block is unpacked. */
struct place {
	uint8_t *at, *end;            /* end: of the output, or of the largest block if that is nearer */
	const uint8_t *lit, *lit_end;
};

static int too_much(const struct unpacker *z, const struct place *o)
{
	return o->end == z->end ? full(z) : bad(z, "block too long");
}

/* Copy the part of a sequence that fits in front of the end of the output. */
static bool last_part(struct place *o, size_t lits, size_t match, size_t off)
{
	size_t n = MIN(lits, (size_t)(o->end - o->at));

	memcpy(o->at, o->lit, n);
	o->at += n;
	o->lit += n;
	if (n < lits)
		return false;
	n = MIN(match, (size_t)(o->end - o->at));
	pack_copy_bytes(o->at, off, n);
	o->at += n;
	return n == match;
}

static inline bool run(struct place *o, size_t lits, size_t match, size_t off)
{
	if ((size_t)(o->end - o->at) < lits + match + PACK_SLACK)
		return last_part(o, lits, match, off);
	pack_copy_wide(o->at, o->lit, lits);
	o->at += lits;
	o->lit += lits;
	pack_copy_match(o->at, off, match);
	o->at += match;
	return true;
}

enum seq_end { SEQ_OK, SEQ_BAD, SEQ_FULL };

/* Run n sequences, which are coded in [p, p + bytes). */
static enum seq_end run_sequences(struct unpacker *z, struct place *o, const uint8_t *p, size_t bytes, size_t n)
{
	const struct fse_cell *lits = z->cells[FSE_LITS], *offs = z->cells[FSE_OFFS], *match = z->cells[FSE_MATCH];
	uint32_t again[3] = { z->again[0], z->again[1], z->again[2] };
	ptrdiff_t at = bits_from(p, bytes), first = z->log[FSE_LITS] + z->log[FSE_OFFS] + z->log[FSE_MATCH];

	if (at < first)
		return SEQ_BAD;

	uint64_t top = bits_top(p, at);

	at -= first;
	lits += bits_take(&top, z->log[FSE_LITS]);
	offs += bits_take(&top, z->log[FSE_OFFS]);
	match += bits_take(&top, z->log[FSE_MATCH]);
	for (;; n--) {
		struct fse_cell l = *lits, f = *offs, m = *match;

		top = bits_top(p, at);
		at -= f.more + m.more;
		f.base += bits_take(&top, f.more);
		m.base += bits_take(&top, m.more);
		if (at < 0)
			return SEQ_BAD;
		top = bits_top(p, at);
		at -= l.more;
		l.base += bits_take(&top, l.more);

		size_t off = zstd_distance(again, f.base, !l.base);

		if (l.base > (size_t)(o->lit_end - o->lit) || off - 1 >= (size_t)(o->at - z->frame) + l.base)
			return SEQ_BAD;
		if (n > 1) {
			at -= l.bits + m.bits + f.bits;
			lits = z->cells[FSE_LITS] + l.next + bits_take(&top, l.bits);
			match = z->cells[FSE_MATCH] + m.next + bits_take(&top, m.bits);
			offs = z->cells[FSE_OFFS] + f.next + bits_take(&top, f.bits);
		}
		if (at < 0)
			return SEQ_BAD;
		if (!run(o, l.base, m.base, off))
			return SEQ_FULL;
		if (n == 1)
			break;
	}
	memcpy(z->again, again, sizeof(again));
	return at ? SEQ_BAD : SEQ_OK;
}

/* The number of sequences: up to 127 in one byte, up to 0x7eff in two, more in three. */
static size_t read_count(struct cursor *c)
{
	size_t n = pack_get(c, 1);

	if (n < 128)
		return n;
	return n < 255 ? (n - 128) << 8 | pack_get(c, 1) : 0x7f00 + pack_get(c, 2);
}

static int read_sequences(struct unpacker *z, struct cursor *c, struct place *o)
{
	size_t n = read_count(c);

	if (!n)
		return c->bad || cur_left(c) ? bad(z, "sequences") : 0;

	unsigned modes = pack_get(c, 1);

	c->bad |= modes & 3;
	for (unsigned i = 0; i < FSE_KINDS; i++)
		read_table(z, c, i, modes >> (6 - 2 * i) & 3);
	if (c->bad)
		return bad(z, "sequences");

	enum seq_end end = run_sequences(z, o, c->pos, cur_left(c), n);

	return end == SEQ_OK ? 0 : end == SEQ_FULL ? too_much(z, o) : bad(z, "sequences");
}

static int packed_block(struct unpacker *z, size_t bytes)
{
	struct cursor c = cur_sub(&z->c, cur_off(&z->c), bytes);
	int r = read_lits(z, &c);

	if (r)
		return r;

	size_t room = z->end - z->at;
	struct place o = { z->at, z->at + MIN(room, (size_t)ZSTD_BLOCK_MAX), z->lits, z->lits + z->lits_n };

	r = read_sequences(z, &c, &o);
	z->at = o.at;
	if (r)
		return r;

	size_t rest = o.lit_end - o.lit, n = MIN(rest, (size_t)(o.end - o.at));

	memcpy(z->at, o.lit, n);
	z->at += n;
	return n < rest ? too_much(z, &o) : 0;
}

/* --- frames ----------------------------------------------------------------------------------------------------------
 */

/* Block header, 24 bits: last 1, type 2, length 21 (unpacked, if the block is a repeated byte). */
static int block(struct unpacker *z, bool *last)
{
	uint32_t head = pack_get(&z->c, 3), type = head >> 1 & 3;
	size_t len = head >> 3, packed = type == ZSTD_BLOCK_RLE ? 1 : len;

	if (type > ZSTD_BLOCK_PACKED || len > ZSTD_BLOCK_MAX)
		return bad(z, "block");
	if (z->c.bad || packed > cur_left(&z->c))
		return bad(z, "block");
	*last = head & 1;

	if (type == ZSTD_BLOCK_PACKED) {
		int r = packed_block(z, len);

		if (r)
			return r;
	} else {
		size_t n = MIN(len, (size_t)(z->end - z->at));

		if (type == ZSTD_BLOCK_RLE)
			memset(z->at, *z->c.pos, n);
		else
			memcpy(z->at, z->c.pos, n);
		z->at += n;
		if (n < len)
			return full(z);
	}
	pack_skip(&z->c, packed);
	return 0;
}

/*
 * Frame header: descriptor (bits 0-1 length of the dictionary id, 2 a checksum follows the blocks, 3 zero, 5 no window,
 * 6-7 length of the size), window (bits 3-7 power of two, 0-2 eighths of it to be added), dictionary id, size.
 */
struct frame_head {
	uint64_t size, window;        /* bytes; size UINT64_MAX: not given */
	bool summed;
};

static const uint8_t id_bytes[4] = { 0, 1, 2, 4 };

static unsigned size_bytes(unsigned descriptor)
{
	return descriptor >> 6 ? 1u << (descriptor >> 6) : descriptor >> 5 & 1;
}

static int frame_head(struct unpacker *z, struct frame_head *h)
{
	unsigned head = pack_get(&z->c, 1), n = size_bytes(head);
	unsigned window = head & 0x20 ? 0 : pack_get(&z->c, 1);
	uint32_t id = pack_get(&z->c, id_bytes[head & 3]);
	uint64_t v = pack_get(&z->c, n);

	if (z->c.bad || head & 8)
		return bad(z, "frame");
	if (id)
		return err_set(z->e, EOPNOTSUPP, "zstd data with dictionary %u", id);
	h->summed = head & 4;
	h->size = n ? v + (n == 2 ? 256 : 0) : UINT64_MAX;
	h->window = head & 0x20 ? h->size : (UINT64_C(8) + (window & 7)) << (7 + (window >> 3));
	return 0;
}

static void frame_begin(struct unpacker *z)
{
	z->frame = z->at;
	z->huff.log = 0;
	memset(z->have, 0, sizeof(z->have));
	zstd_distances_init(z->again);
}

static int frame(struct unpacker *z)
{
	struct frame_head h = { 0 };
	bool last = false;
	int r = frame_head(z, &h);

	frame_begin(z);
	while (!r && !last)
		r = block(z, &last);
	if (r)
		return r;

	size_t made = z->at - z->frame;

	if (h.size != UINT64_MAX && h.size != made)
		return bad(z, "size");
	pack_skip(&z->c, h.summed ? 4 : 0);
	return z->c.bad ? bad(z, "checksum") : 0;
}

static int frames(struct unpacker *z)
{
	while (cur_left(&z->c)) {
		uint32_t magic = pack_get(&z->c, 4);
		int r = 0;

		if (magic == ZSTD_MAGIC)
			r = frame(z);
		else if (magic >> 4 == 0x184d2a5)
			pack_skip(&z->c, pack_get(&z->c, 4));
		else
			r = bad(z, "frame");
		if (r || z->c.bad)
			return r ? r : bad(z, "frame");
	}
	return 0;
}

int zstd_unpack(void *dst, size_t cap, const void *src, size_t len, size_t *n, struct err *e)
{
	struct unpacker *z = malloc(sizeof(*z));

	*n = 0;
	if (!z)
		return err_nomem(e);
	z->c = cur_from(src, len);
	z->dst = z->at = dst;
	z->end = z->dst + cap;
	z->e = e;

	int r = frames(z);

	*n = z->at - z->dst;
	free(z);
	return r;
}

/* --- in pieces -------------------------------------------------------------------------------------------------------
 */

enum {
	PIECE_HEAD = 5, PIECE_BLOCK = 3, PIECE_SUM = 4,        /* first bytes of a part: tell its length */
	PIECE_MAX = PIECE_BLOCK + ZSTD_BLOCK_MAX,
	PIECE_BEFORE = 8,                                      /* bits_top() may read these before a part */
	OUT_SLIDE = 1 << 20,
};

#define WINDOW_MAX (UINT64_C(1) << 27)                         /* the zstd program's limit, unless raised by options */

struct zstd_stream {
	enum { AT_FRAME, AT_BLOCK, AT_SUM } at;
	struct frame_head head;
	const uint8_t *given;                                  /* input that was not yet copied to `part` */
	size_t given_n;
	size_t n;                                              /* bytes in `part` */
	uint8_t *out;                                          /* the window and the newest block behind it */
	size_t out_n, cap;
	struct unpacker z;
	uint8_t before[PIECE_BEFORE], part[PIECE_MAX];
};

struct zstd_stream *zstd_stream_new(void)
{
	return calloc(1, sizeof(struct zstd_stream));
}

void zstd_stream_free(struct zstd_stream *s)
{
	if (s)
		free(s->out);
	free(s);
}

void zstd_stream_give(struct zstd_stream *s, const void *p, size_t n)
{
	s->given = p;
	s->given_n = n;
}

/* Copy input to the part until it has `want` bytes. False: the input ended before. */
static bool fill(struct zstd_stream *s, size_t want)
{
	size_t n = s->n < want ? MIN(want - s->n, s->given_n) : 0;

	if (!n)
		return s->n >= want;
	memcpy(s->part + s->n, s->given, n);
	s->n += n;
	s->given += n;
	s->given_n -= n;
	return s->n >= want;
}

/* Copy the rest of the current part: a frame header, a block or a checksum. False: the input ended before. */
static bool fill_part(struct zstd_stream *s)
{
	static const uint8_t least[] = { [AT_FRAME] = PIECE_HEAD, [AT_BLOCK] = PIECE_BLOCK, [AT_SUM] = PIECE_SUM };
	size_t want = least[s->at];

	if (!fill(s, want))
		return false;
	if (s->at == AT_FRAME) {
		unsigned head = s->part[4];

		want += !(head & 0x20) + id_bytes[head & 3] + size_bytes(head);
	} else if (s->at == AT_BLOCK) {
		uint32_t head = pack_u32(s->part) & 0xffffff;
		size_t len = head >> 3;

		/* If it is longer than a block may be, block() reports that. */
		want += (head >> 1 & 3) == ZSTD_BLOCK_RLE ? 1 : len > ZSTD_BLOCK_MAX ? 0 : len;
	}
	return fill(s, want);
}

/* Make room for a block behind the window; older output is dropped. */
static int make_room(struct zstd_stream *s)
{
	size_t window = (size_t)s->head.window, block = ZSTD_BLOCK_MAX + PACK_SLACK;
	size_t most = window + MAX(window / 8, (size_t)OUT_SLIDE) + block;

	if (s->cap - s->out_n >= block)
		return 0;
	if (s->cap < most) {
		size_t cap = MIN(most, MAX(s->cap * 2, 2 * block));
		uint8_t *out = realloc(s->out, cap);

		if (!out)
			return -ENOMEM;
		s->out = out;
		s->cap = cap;
		return 0;
	}
	memmove(s->out, s->out + s->out_n - window, window);
	s->out_n = window;
	return 0;
}

static int take_frame(struct zstd_stream *s)
{
	int r = pack_get(&s->z.c, 4) == ZSTD_MAGIC ? frame_head(&s->z, &s->head) : bad(&s->z, "frame");

	if (!r && s->head.window > WINDOW_MAX)
		r = err_set(s->z.e, EFBIG, "zstd data with a window of %llu bytes", (unsigned long long)s->head.window);
	s->z.at = s->out;
	s->out_n = 0;
	frame_begin(&s->z);
	s->at = AT_BLOCK;
	return r;
}

static int take_block(struct zstd_stream *s)
{
	bool last = false;
	int r = make_room(s);

	if (r)
		return err_nomem(s->z.e);
	s->z.dst = s->z.frame = s->out;
	s->z.at = s->out + s->out_n;
	/* Larger than a block, so that a block that is too long counts as damaged, not as a full output. */
	s->z.end = s->z.at + ZSTD_BLOCK_MAX + PACK_SLACK;
	r = block(&s->z, &last);
	if (!r && last)
		s->at = s->head.summed ? AT_SUM : AT_FRAME;
	return r;
}

int zstd_stream_take(struct zstd_stream *s, const uint8_t **p, size_t *n, struct err *e)
{
	while (fill_part(s)) {
		int r = 0;

		s->z.e = e;
		s->z.c = cur_from(s->part, s->n);
		s->n = 0;
		if (s->at == AT_BLOCK) {
			size_t before;

			r = take_block(s);
			if (r)
				return r;
			before = s->out_n;
			s->out_n = (size_t)(s->z.at - s->out);
			*p = s->out + before;
			*n = s->out_n - before;
			if (*n)
				return 1;
		} else if (s->at == AT_FRAME) {
			r = take_frame(s);
		} else {
			s->at = AT_FRAME;
		}
		if (r)
			return r;
	}
	return 0;
}
