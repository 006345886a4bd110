/*
 * zstd: the input as a frame; the input packed and unpacked, which must give it back; and that frame with a few bytes
 * changed (the first six say where and how), which is nearly right and so gets far.
 */
#include "pack/pack.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static int once(const uint8_t *p, size_t n, uint8_t *dst, size_t cap, size_t *made)
{
	int r = zstd_unpack(dst, cap, p, n, made, NULL);

	if (*made > cap || (r == -ENOSPC && *made != cap))
		abort();
	return r;
}

/* In pieces: as much as at once, where that had room. */
static void in_pieces(const uint8_t *p, size_t n, const uint8_t *dst, size_t made, int at_once)
{
	struct zstd_stream *z = zstd_stream_new();
	size_t piece = n ? 1 + p[0] % 97 : 1, all = 0;
	int r = 0;

	for (size_t at = 0; at < n && r >= 0; at += piece) {
		const uint8_t *out;
		size_t got;

		zstd_stream_give(z, p + at, MIN(piece, n - at));
		while ((r = zstd_stream_take(z, &out, &got, NULL)) == 1) {
			if (!at_once && (got > made - all || memcmp(out, dst + all, got)))
				abort();
			all += got;
		}
	}
	zstd_stream_free(z);
}

static void there_and_back(struct zstd_packer *packer, const uint8_t *p, size_t n)
{
	size_t most = zstd_pack_bound(n), made;
	uint8_t *frame = malloc(most), *back = malloc(n + !n);
	size_t len = zstd_pack(packer, frame, p, n);

	if (len > most || once(frame, len, back, n, &made) || made != n || (n && memcmp(back, p, n)))
		abort();
	if (n >= 6) {
		for (int i = 0; i < 6; i += 2)
			frame[p[i] % len] ^= p[i + 1];
		once(frame, len, back, n, &made);
	}
	free(frame);
	free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct zstd_packer *packer = zstd_packer_new();
	static const size_t caps[] = { 0, 50, 1 << 18 };
	size_t made;

	for (size_t i = 0; i < ARRAY_SIZE(caps); i++) {
		uint8_t *dst = malloc(caps[i] + !caps[i]);

		int r = once(p, n, dst, caps[i], &made);

		in_pieces(p, n, dst, made, r);
		free(dst);
	}
	there_and_back(packer, p, n);
	zstd_packer_free(packer);
	return 0;
}
