/* Unpacking what other programs packed, packing and unpacking again, and input that is damaged. */
#include "pack/pack.h"
#include "pack_samples.h"
#include "t.h"

enum { MOST = 300000 };

typedef int unpack_fn(void *dst, size_t cap, const void *src, size_t len, size_t *n, struct err *e);

static const struct sample {
	const char *name, *hex;
	unpack_fn *unpack;
	void (*fill)(uint8_t *p, size_t n);   /* NULL: zeros */
	size_t n;
} samples[] = {
	{ "zstd_words", zstd_words, zstd_unpack, fill_words, 2000 },
	{ "zstd_words_flushed", zstd_words_flushed, zstd_unpack, fill_words, 2400 },
	{ "zstd_records", zstd_records, zstd_unpack, fill_records, 3600 },
	{ "zstd_records_flushed", zstd_records_flushed, zstd_unpack, fill_records, 3600 },
	{ "zstd_zeros", zstd_zeros, zstd_unpack, NULL, 200000 },
	{ "zstd_huffman", zstd_huffman, zstd_unpack, fill_words, 1200 },
	{ "zlib_words", zlib_words, inflate_zlib, fill_words, 2000 },
	{ "gzip_words", gzip_words, inflate_gzip, fill_words, 2000 },
	{ "deflate_fixed", deflate_fixed, inflate_raw, fill_words, 400 },
	{ "deflate_records", deflate_records, inflate_raw, fill_records, 3600 },
	{ "deflate_skewed", deflate_skewed, inflate_raw, fill_skewed, 3000 },
	{ "gzip_stored", gzip_stored, inflate_gzip, fill_words, 40 },
	{ "xz_words", xz_words, xz_unpack, fill_words, 2000 },
	{ "xz_records_blocks", xz_records_blocks, xz_unpack, fill_records, 3600 },
	{ "xz_skewed", xz_skewed, xz_unpack, fill_skewed, 1000 },
	{ "xz_stored", xz_stored, xz_unpack, fill_words, 40 },
	{ "xz_zeros", xz_zeros, xz_unpack, NULL, 200000 },
};

static unsigned nibble(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* The bytes of hexadecimal digits, against an unmapped page. */
static uint8_t *bytes_of(const char *hex, size_t *n)
{
	static uint8_t v[4096];

	*n = strlen(hex) / 2;
	for (size_t i = 0; i < *n; i++)
		v[i] = nibble(hex[2 * i]) << 4 | nibble(hex[2 * i + 1]);
	return guard_dup(v, *n);
}

static uint8_t *plain_of(const struct sample *s)
{
	uint8_t *p = calloc(1, s->n);

	if (s->fill)
		s->fill(p, s->n);
	return p;
}

TEST(pack_unpacks_what_others_packed)
{
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		const struct sample *s = &samples[i];
		size_t len, n = 1;
		uint8_t *src = bytes_of(s->hex, &len), *plain = plain_of(s);
		uint8_t *dst = guard_dup(plain, s->n);
		struct err e = { 0 };

		memset(dst, 1, s->n);
		CHECK_SAY(!s->unpack(dst, s->n, src, len, &n, &e) && n == s->n && !memcmp(dst, plain, n),
			  "%s: %zu bytes, %s", s->name, n, e.text);
		free(plain);
	}
}

TEST(pack_leaves_the_first_bytes_where_there_is_no_room)
{
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		const struct sample *s = &samples[i];
		size_t len, n = 1;
		uint8_t *src = bytes_of(s->hex, &len), *plain = plain_of(s);

		for (size_t cap = 0; cap < s->n; cap += 1 + s->n / 97) {
			uint8_t *dst = guard_dup(plain, cap);

			memset(dst, 1, cap);
			CHECK_EQ(s->unpack(dst, cap, src, len, &n, NULL), -ENOSPC);
			CHECK_EQ(n, cap);
			CHECK(!memcmp(dst, plain, cap));
		}
		free(plain);
	}
}

TEST(pack_refuses_input_that_ends_early)
{
	uint8_t *dst = malloc(MOST);

	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		const struct sample *s = &samples[i];
		size_t len, n;
		uint8_t *src = bytes_of(s->hex, &len), *plain = plain_of(s);

		/* Nothing at all is no zstd frame, which is no error. */
		for (size_t cut = 1; cut < len; cut++) {
			struct err e = { 0 };
			int r = s->unpack(dst, MOST, guard_dup(src, cut), cut, &n, &e);

			CHECK_SAY(r == -EBADMSG && n <= s->n && !memcmp(dst, plain, n) && strstr(e.text, "offset"),
				  "%s cut at %zu: %d, %zu bytes, %s", s->name, cut, r, n, e.text);
		}
		free(plain);
	}
	free(dst);
}

/* Whatever the bits are, the output stays within its bounds. Sums find all of it but for names and times. Every seventh
 * bit: all bits of a byte have their turn. */
TEST(pack_survives_flipped_bits)
{
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		const struct sample *s = &samples[i];
		size_t len, n, same = 0;
		uint8_t *src = bytes_of(s->hex, &len), *plain = plain_of(s);
		uint8_t *dst = guard_dup(plain, s->n);

		for (size_t bit = 0; bit < 8 * len; bit += 7) {
			src[bit / 8] ^= 1 << bit % 8;

			int r = s->unpack(dst, s->n, src, len, &n, NULL);

			src[bit / 8] ^= 1 << bit % 8;
			CHECK(n <= s->n);
			CHECK(!r || r == -EBADMSG || r == -ENOSPC || r == -EOPNOTSUPP);
			same += !r;
		}
		if ((s->unpack == inflate_zlib || s->unpack == inflate_gzip || s->unpack == xz_unpack) && same > 40)
			t_fail(__FILE__, __LINE__, "%s: %zu of %zu bits mean nothing", s->name, same, 8 * len / 7);
		free(plain);
	}
}

TEST(pack_an_xz_file_tells_what_it_becomes_from_its_end)
{
	uint64_t size;

	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		const struct sample *s = &samples[i];
		size_t len, n;
		uint8_t *src = bytes_of(s->hex, &len);

		if (s->unpack != xz_unpack)
			continue;
		CHECK_EQ(xz_size(src, len, &size, NULL), 0);
		CHECK_EQ(size, s->n);
		for (size_t cut = 0; cut < len; cut++)
			CHECK_EQ(xz_size(guard_dup(src, cut), cut, &size, NULL), -EBADMSG);
		/* The index, whose length stands in the footer: another number of blocks, other sizes, or check. */
		for (size_t at = len - 12, left = (src[len - 8] + 1u) * 4; left; left--) {
			src[--at] ^= 1;
			CHECK_EQ(xz_size(src, len, &size, NULL), -EBADMSG);
			CHECK(xz_unpack(malloc(MOST), MOST, src, len, &n, NULL) == -EBADMSG);
			src[at] ^= 1;
		}
	}
}

TEST(pack_xz_streams_follow_one_another_with_zeros_between_them)
{
	size_t a, b, n;
	const uint8_t *p = bytes_of(xz_stored, &a);
	uint8_t all[4096] = { 0 }, *dst = malloc(MOST), *plain = calloc(1, 2040);
	uint64_t size;

	memcpy(all, p, a);
	p = bytes_of(xz_words, &b);
	memcpy(all + a + 8, p, b);
	fill_words(plain, 40);
	fill_words(plain + 40, 2000);
	n = a + 8 + b + 4;
	CHECK_EQ(xz_size(guard_dup(all, n), n, &size, NULL), 0);
	CHECK_EQ(size, 2040);
	CHECK_EQ(xz_unpack(dst, MOST, guard_dup(all, n), n, &n, NULL), 0);
	CHECK_EQ(n, 2040);
	CHECK(!memcmp(dst, plain, 2040));
	all[a + 3] = 1;
	CHECK_EQ(xz_unpack(dst, MOST, all, a + 8 + b, &n, NULL), -EBADMSG);
	free(plain);
	free(dst);
}

TEST(pack_joins_frames_and_skips_what_is_to_be_skipped)
{
	static const uint8_t skip[] = { 0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'x', 'y', 'z' };
	static const uint8_t raw[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x20, 3, 0x19, 0, 0, 'a', 'b', 'c' };
	static const uint8_t rle[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x20, 5, 0x2b, 0, 0, 'd' };
	uint8_t all[sizeof(skip) + sizeof(raw) + sizeof(rle)], dst[16];
	size_t n;

	memcpy(all, raw, sizeof(raw));
	memcpy(all + sizeof(raw), skip, sizeof(skip));
	memcpy(all + sizeof(raw) + sizeof(skip), rle, sizeof(rle));
	CHECK_EQ(zstd_unpack(dst, sizeof(dst), guard_dup(all, sizeof(all)), sizeof(all), &n, NULL), 0);
	CHECK_EQ(n, 8);
	CHECK(!memcmp(dst, "abcddddd", 8));
	CHECK_EQ(zstd_unpack(dst, sizeof(dst), all, 0, &n, NULL), 0);
	CHECK_EQ(n, 0);
}

/* All that a stream makes of src, given in pieces of `piece` bytes. -1: it is no zstd. */
static ssize_t unpack_pieces(const uint8_t *src, size_t len, size_t piece, uint8_t *dst, size_t cap)
{
	struct zstd_stream *z = zstd_stream_new();
	size_t made = 0;
	int r = 0;

	for (size_t at = 0; at < len && r >= 0; at += piece) {
		const uint8_t *p;
		size_t n;

		zstd_stream_give(z, src + at, MIN(piece, len - at));
		while ((r = zstd_stream_take(z, &p, &n, NULL)) == 1) {
			CHECK(n > 0 && n <= cap - made);
			memcpy(dst + made, p, n);
			made += n;
		}
	}
	zstd_stream_free(z);
	return r < 0 ? -1 : (ssize_t)made;
}

TEST(pack_a_zstd_stream_is_cut_anywhere)
{
	static const size_t pieces[] = { 1, 2, 7, 100, 4096 };
	uint8_t *dst = malloc(MOST);

	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		const struct sample *s = &samples[i];
		size_t len;
		uint8_t *src = bytes_of(s->hex, &len), *plain = plain_of(s);

		for (size_t k = 0; s->unpack == zstd_unpack && k < ARRAY_SIZE(pieces); k++) {
			CHECK_EQ(unpack_pieces(src, len, pieces[k], dst, MOST), s->n);
			CHECK(!memcmp(dst, plain, s->n));
		}
		free(plain);
	}
	CHECK_EQ(unpack_pieces((const uint8_t *)"this is no zstd, by far", 23, 3, dst, MOST), -1);
	free(dst);
}

/* A window of 1 KiB, and more behind it than is kept at once: repeated bytes, 128 KiB of each. */
TEST(pack_a_zstd_stream_forgets_what_is_behind_its_window)
{
	enum { BLOCKS = 30, LEN = 128 << 10 };
	uint8_t frame[6 + 4 * BLOCKS] = { 0x28, 0xb5, 0x2f, 0xfd, 0, 0 }, *dst = malloc(BLOCKS * LEN);

	for (size_t i = 0; i < BLOCKS; i++) {
		uint32_t head = LEN << 3 | 1 << 1 | (i + 1 == BLOCKS);

		for (size_t k = 0; k < 3; k++)
			frame[6 + 4 * i + k] = (uint8_t)(head >> 8 * k);
		frame[6 + 4 * i + 3] = (uint8_t)i;
	}
	CHECK_EQ(unpack_pieces(frame, sizeof(frame), 5, dst, BLOCKS * LEN), BLOCKS * LEN);
	for (size_t i = 0; i < BLOCKS; i++)
		CHECK(dst[i * LEN] == i && dst[i * LEN + LEN - 1] == i);
	free(dst);
}

/* A window of 2^41 bytes is a claim that costs nothing, and nothing is given for it. */
TEST(pack_a_zstd_stream_with_an_impossible_window_is_refused)
{
	static const uint8_t frame[] = { 0x28, 0xb5, 0x2f, 0xfd, 0, 0xff, 1, 0, 0 };
	struct zstd_stream *z = zstd_stream_new();
	const uint8_t *p;
	size_t n;

	zstd_stream_give(z, frame, sizeof(frame));
	CHECK_EQ(zstd_stream_take(z, &p, &n, NULL), -EFBIG);
	zstd_stream_free(z);
}

TEST(pack_refuses_a_dictionary)
{
	static const uint8_t zstd[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x21, 7, 3, 0x19, 0, 0, 'a', 'b', 'c' };
	static const uint8_t zlib[] = { 0x78, 0xbb, 1, 2, 3, 4, 3, 0 };
	uint8_t dst[16];
	size_t n;

	CHECK_EQ(zstd_unpack(dst, sizeof(dst), zstd, sizeof(zstd), &n, NULL), -EOPNOTSUPP);
	CHECK_EQ(inflate_zlib(dst, sizeof(dst), zlib, sizeof(zlib), &n, NULL), -EOPNOTSUPP);
}

TEST(pack_refuses_a_size_that_is_not_so)
{
	static const uint8_t frame[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x20, 4, 0x19, 0, 0, 'a', 'b', 'c' };
	uint8_t dst[16];
	size_t n;

	CHECK_EQ(zstd_unpack(dst, sizeof(dst), frame, sizeof(frame), &n, NULL), -EBADMSG);
	CHECK_EQ(n, 3);
}

/* --- packing ---------------------------------------------------------------------------------------------------------
 */

/* Packs, unpacks, compares; returns the packed length. */
static size_t there_and_back(struct zstd_packer *p, const uint8_t *src, size_t n)
{
	size_t most = zstd_pack_bound(n), back = 0;
	uint8_t *packed = guard_dup(calloc(1, most), most);
	size_t len = zstd_pack(p, packed, guard_dup(src, n), n);
	uint8_t *again = guard_dup(src, n);
	struct err e = { 0 };

	memset(again, 1, n);
	CHECK_SAY(len <= most && !zstd_unpack(again, n, guard_dup(packed, len), len, &back, &e) && back == n &&
		  !memcmp(again, src, n), "%zu bytes packed to %zu, back to %zu: %s", n, len, back, e.text);
	return len;
}

TEST(pack_packs_any_length)
{
	struct zstd_packer *p = zstd_packer_new();
	uint8_t v[2000];

	fill_words(v, sizeof(v));
	for (size_t n = 0; n < 600; n++)
		there_and_back(p, v, n);
	for (size_t n = 600; n < sizeof(v); n += 37)
		there_and_back(p, v, n);
	zstd_packer_free(p);
}

TEST(pack_packs_several_blocks)
{
	struct zstd_packer *p = zstd_packer_new();
	uint8_t *v = calloc(1, MOST);
	uint32_t r = 1;

	fill_words(v, MOST);
	CHECK(there_and_back(p, v, MOST) < MOST / 3);
	fill_records(v, MOST);
	CHECK(there_and_back(p, v, MOST) < MOST / 6);
	/* Bytes from noise to few values, so that literals are packed in every way. */
	for (unsigned mask = 0xff; mask; mask >>= 1) {
		for (size_t i = 0; i < MOST; i++) {
			r = r * 1103515245 + 12345;
			v[i] = r >> 16 & r >> 24 & mask;
		}
		there_and_back(p, v, MOST / 4);
	}
	fill_skewed(v, MOST);
	there_and_back(p, v, MOST);
	memset(v, 0, MOST);
	CHECK(there_and_back(p, v, MOST) < 100);
	free(v);
	zstd_packer_free(p);
}

/* Longer than the window: what lies further back than that is not matched. */
TEST(pack_packs_more_than_its_window)
{
	struct zstd_packer *p = zstd_packer_new();
	size_t n = 2500000;
	uint8_t *v = malloc(n);

	fill_words(v, n);
	there_and_back(p, v, n);
	free(v);
	zstd_packer_free(p);
}

TEST(pack_keeps_its_bound_for_noise)
{
	struct zstd_packer *p = zstd_packer_new();
	uint8_t *v = malloc(MOST);
	uint64_t r = 1;

	for (size_t i = 0; i < MOST; i++) {
		r = r * 6364136223846793005 + 1442695040888963407;
		v[i] = r >> 56;
	}
	CHECK(there_and_back(p, v, MOST) <= MOST + 100);
	for (size_t n = 1; n < 3000; n += 131)
		there_and_back(p, v, n);
	free(v);
	zstd_packer_free(p);
}

/* A frame depends on its bytes alone, not on what the packer had before. */
TEST(pack_makes_the_same_of_the_same)
{
	struct zstd_packer *p = zstd_packer_new();
	uint8_t v[4096], a[8192], b[8192];

	fill_records(v, sizeof(v));

	size_t n = zstd_pack(p, a, v, sizeof(v));

	fill_words(v, sizeof(v));
	zstd_pack(p, b, v, sizeof(v));
	fill_records(v, sizeof(v));
	CHECK_EQ(zstd_pack(p, b, v, sizeof(v)), n);
	CHECK(!memcmp(a, b, n));
	zstd_packer_free(p);
}

/* --- zlib --- */

static size_t zlib_there_and_back(struct zlib_packer *p, const uint8_t *src, size_t n)
{
	size_t most = zlib_pack_bound(n), back = 0;
	uint8_t *packed = guard_dup(calloc(1, most), most);
	size_t len = zlib_pack(p, packed, guard_dup(src, n), n);
	uint8_t *again = guard_dup(src, n);
	struct err e = { 0 };

	memset(again, 1, n);
	CHECK(len <= most);
	CHECK_EQ(inflate_zlib(again, n, guard_dup(packed, len), len, &back, &e), 0);
	CHECK_EQ(back, n);
	CHECK(!memcmp(again, src, n));
	return len;
}

TEST(pack_zlib_packs_any_length)
{
	struct zlib_packer *p = zlib_packer_new();
	uint8_t v[2000];

	fill_words(v, sizeof(v));
	for (size_t n = 0; n < 600; n++)
		zlib_there_and_back(p, v, n);
	for (size_t n = 600; n < sizeof(v); n += 37)
		zlib_there_and_back(p, v, n);
	zlib_packer_free(p);
}

TEST(pack_zlib_packs_several_blocks)
{
	struct zlib_packer *p = zlib_packer_new();
	uint8_t *v = calloc(1, MOST);
	uint32_t r = 1;

	CHECK(zlib_there_and_back(p, v, MOST) < 1500);
	fill_words(v, MOST);
	CHECK(zlib_there_and_back(p, v, MOST) < MOST / 3);
	fill_records(v, MOST);
	CHECK(zlib_there_and_back(p, v, MOST) < MOST / 5);
	/* Bytes from noise to few values: codes of all lengths, and blocks that are stored. */
	for (unsigned mask = 0xff; mask; mask >>= 1) {
		for (size_t i = 0; i < MOST; i++) {
			r = r * 1103515245 + 12345;
			v[i] = r >> 16 & r >> 24 & mask;
		}
		CHECK(zlib_there_and_back(p, v, MOST / 4) < MOST / 4 + 100);
	}
	fill_skewed(v, MOST);
	zlib_there_and_back(p, v, MOST);
	for (size_t i = 0; i < MOST; i++)
		v[i] = (r = r * 1664525 + 1013904223) >> 24;
	CHECK(zlib_there_and_back(p, v, MOST) < MOST + 200);
	free(v);
	zlib_packer_free(p);
}

/* What stands first is known last. */
TEST(pack_zlib_parts_are_one_stream)
{
	struct zlib_packer *p = zlib_packer_new();
	uint8_t v[3000], packed[5000], *to = packed, back[3004], *fixed;
	uint32_t sum = 1, total = sizeof(v);
	size_t n;

	fill_words(v, sizeof(v));
	to += zlib_pack_head(to);
	fixed = to + ZLIB_FIXED_AT;
	to += zlib_pack_fixed(to, "????", 4);
	for (size_t i = 0; i < sizeof(v); i += 1000) {
		to += zlib_pack_part(p, to, v + i, 1000);
		sum = zlib_sum(sum, v + i, 1000);
	}
	memcpy(fixed, &total, 4);
	to += zlib_pack_end(to, zlib_sums(zlib_sum(1, &total, 4), sum, sizeof(v)));
	CHECK_EQ(inflate_zlib(back, sizeof(back), packed, (size_t)(to - packed), &n, NULL), 0);
	CHECK_EQ(n, sizeof(back));
	CHECK(!memcmp(back, &total, 4) && !memcmp(back + 4, v, sizeof(v)));
	zlib_packer_free(p);
}
