/*
 * xz.c - the container of .xz: streams, each with its blocks and an index of them. Little-endian; a vli is an unsigned
 * LEB128 number of at most nine bytes.
 *
 *   stream:  fd '7' 'z' 'X' 'Z' 0, flags (0, check type), u32 CRC-32 of the flags, blocks, index, footer
 *   block:   u8 size of the header / 4 - 1 (0: it is the index), u8 flags (bits 0-1: filters - 1; 6, 7: sizes follow),
 *            vli packed size, vli size, filters (vli id, vli n, n bytes), zeros up to the header's size - 4,
 *            u32 CRC-32; data, padding, check
 *   index:   u8 0, vli number of blocks, for each vli packed size (header, data, check; no padding) and vli unpacked
 *            size, padding, u32 CRC-32
 *   footer:  u32 CRC-32 of the next six bytes, u32 size of the index / 4 - 1, flags, "YZ"
 * Padding is zeros up to a multiple of 4. Zeros may also follow a stream, in multiples of 4.
 */
#include "pack/pack.h"

#include "base/crc.h"
#include "pack/lzma.h"

enum { HEAD = 12, FOOT = 12, FILTER_LZMA2 = 0x21, CHECK_NONE = 0, CHECK_CRC32 = 1, CHECK_CRC64 = 4, CHECKS = 16 };

static const uint8_t magic[6] = { 0xfd, '7', 'z', 'X', 'Z', 0 };

struct totals {
	uint64_t blocks, packed, size;       /* packed: headers, data, checks; no padding */
	uint64_t room;                       /* packed with the padding of each block */
};

struct unxz {
	struct cursor c;
	uint8_t *dst;
	size_t cap, n;
	unsigned check;
	struct totals made;                  /* by the blocks of this stream */
	struct err *e;
};

static int bad(const struct unxz *z, const char *what)
{
	return err_set(z->e, EBADMSG, "damaged xz data: %s at offset %zu", what, cur_off(&z->c));
}

/* Read a vli. c->bad: it is truncated, too long, or not in its shortest form. */
static uint64_t vli(struct cursor *c)
{
	const uint8_t *start = c->pos;
	uint64_t v = cur_uleb(c);

	c->bad |= v >> 63 || c->pos - start > 9 || (c->pos - start > 1 && !c->pos[-1]);
	return v;
}

static bool is_zero(struct cursor *c, size_t n)
{
	bool zero = true;

	while (n--)
		zero &= !cur_u8(c);
	return zero && !c->bad;
}

static size_t to_four(uint64_t n)
{
	return -n & 3;
}

static size_t check_size(unsigned check)
{
	return check ? (size_t)4 << (check - 1) / 3 : 0;
}

/* Is the CRC-32 of the bytes from start to c in the next four bytes? */
static bool has_crc(struct cursor *c, const uint8_t *start)
{
	uint32_t crc = c->bad ? 0 : crc32_of(0, start, (size_t)(c->pos - start));

	return (uint32_t)pack_get(c, 4) == crc && !c->bad;
}

static bool stream_head(struct cursor *c, unsigned *check)
{
	const uint8_t *p = cur_bytes(c, HEAD - 4);

	if (!p || memcmp(p, magic, sizeof(magic)) || p[6] || p[7] >= CHECKS)
		return false;
	*check = p[7];
	return has_crc(c, p + 6);
}

/* Read the index; c is behind its first byte, the 0. */
static bool index_read(struct cursor *c, struct totals *t)
{
	const uint8_t *start = c->pos - 1;
	uint64_t n = vli(c);

	*t = (struct totals){ .blocks = n };
	for (uint64_t i = 0; i < n && !c->bad; i++) {
		uint64_t packed = vli(c), size = vli(c);

		c->bad |= packed > INT64_MAX - 3 - t->room || size > INT64_MAX - t->size;
		t->packed += packed;
		t->room += packed + to_four(packed);
		t->size += size;
	}
	return is_zero(c, to_four((uint64_t)(c->pos - start))) && has_crc(c, start);
}

/* --- blocks --- */

struct block {
	uint64_t packed, size;               /* from its header; UINT64_MAX: not given */
};

static int block_head(struct unxz *z, size_t n, struct block *b)
{
	const uint8_t *start = z->c.pos - 1;
	struct cursor c = cur_sub(&z->c, cur_off(&z->c), n - 1 - 4);
	unsigned flags = cur_u8(&c);

	cur_skip(&z->c, n - 1 - 4);
	if (!has_crc(&z->c, start) || flags & 0x3c)
		return bad(z, "block header");
	b->packed = flags & 0x40 ? vli(&c) : UINT64_MAX;
	b->size = flags & 0x80 ? vli(&c) : UINT64_MAX;

	uint64_t filter = vli(&c), properties = vli(&c);
	unsigned window = cur_u8(&c);

	if (c.bad || !is_zero(&c, flags & 3 ? 0 : cur_left(&c)))
		return bad(z, "block header");
	if (flags & 3 || filter != FILTER_LZMA2)
		return err_set(z->e, EOPNOTSUPP, "xz data with another filter than LZMA2");
	return properties != 1 || window > 40 ? bad(z, "filter") : 0;
}

static bool is_right(struct unxz *z, const uint8_t *p, size_t n)
{
	size_t size = check_size(z->check);
	uint64_t told = pack_get(&z->c, (unsigned)MIN(size, 8u));

	cur_skip(&z->c, size - MIN(size, 8u));
	if (z->c.bad)
		return false;
	if (z->check == CHECK_CRC32)
		return told == crc32_of(0, p, n);
	return z->check != CHECK_CRC64 || told == crc64_of(0, p, n);
}

static int block(struct unxz *z, unsigned first)
{
	const uint8_t *start = z->c.pos - 1, *data;
	size_t head = (first + 1) * 4, n;
	struct block b = { 0 };
	int r = block_head(z, head, &b);

	if (r)
		return r;
	data = z->c.pos;
	r = lzma2_unpack(&z->c, z->dst + z->n, z->cap - z->n, &n);
	z->n += n;
	if (r == -ENOMEM)
		return err_nomem(z->e);
	if (r == -ENOSPC)
		return err_set(z->e, ENOSPC, "xz data are larger than %zu bytes", z->cap);

	uint64_t packed = (uint64_t)(z->c.pos - data), all = (uint64_t)(z->c.pos - start) + check_size(z->check);

	if (r || (b.packed != UINT64_MAX && b.packed != packed) || (b.size != UINT64_MAX && b.size != n) ||
	    !is_zero(&z->c, to_four(packed)))
		return bad(z, "LZMA2 data");
	z->made.blocks++;
	z->made.packed += all;
	z->made.size += n;
	return is_right(z, z->dst + z->n - n, n) ? 0 : bad(z, "checksum");
}

/* --- streams --- */

static int stream(struct unxz *z)
{
	const uint8_t *start, *foot;
	struct totals told;
	unsigned first;
	int r = stream_head(&z->c, &z->check) ? 0 : bad(z, "stream header");

	z->made = (struct totals){ 0 };
	while (!r && (first = cur_u8(&z->c)))
		r = block(z, first);
	if (r)
		return r;
	start = z->c.pos - !z->c.bad;
	if (!index_read(&z->c, &told) || told.blocks != z->made.blocks || told.packed != z->made.packed ||
	    told.size != z->made.size)
		return bad(z, "index");

	uint64_t n = (uint64_t)(z->c.pos - start);

	foot = cur_bytes(&z->c, FOOT);
	if (!foot || pack_u32(foot) != crc32_of(0, foot + 4, 6) || pack_u32(foot + 4) != n / 4 - 1 || foot[8] ||
	    foot[9] != z->check || foot[10] != 'Y' || foot[11] != 'Z')
		return bad(z, "stream footer");
	return 0;
}

int xz_unpack(void *dst, size_t cap, const void *src, size_t len, size_t *n, struct err *e)
{
	struct unxz z = { .c = cur_from(src, len), .dst = dst, .cap = cap, .e = e };
	int r = 0;

	do {
		r = stream(&z);
		while (!r && cur_left(&z.c) >= 4 && !z.c.pos[0])
			r = is_zero(&z.c, 4) ? 0 : bad(&z, "padding");
	} while (!r && cur_left(&z.c));
	*n = z.n;
	return r;
}

/* Go from the last stream to the first: a footer has the size of its index, and the index the sizes of the blocks. */
int xz_size(const void *src, size_t len, uint64_t *size, struct err *e)
{
	const uint8_t *p = src;

	*size = 0;
	do {
		struct unxz z = { .c = cur_from(src, len), .e = e };
		struct totals t;

		while (len >= 4 && !pack_u32(p + len - 4))
			len -= 4;
		if (len < HEAD + FOOT + 8)
			return bad(&z, "the end");

		uint64_t n = ((uint64_t)pack_u32(p + len - FOOT + 4) + 1) * 4;

		len -= FOOT;
		cur_seek(&z.c, n <= len ? len - n : len);
		if (memcmp(p + len + FOOT - 2, "YZ", 2) || cur_u8(&z.c) || z.c.bad || !index_read(&z.c, &t) ||
		    t.room > len - n || len - n - t.room < HEAD || t.size > INT64_MAX - *size)
			return bad(&z, "index");
		*size += t.size;
		len = (size_t)(len - n - t.room) - HEAD;
	} while (len);
	return 0;
}
