/*
 * Deflate in all three wrappings, into room that is too small, enough, or none; and the input packed, which must give
 * it back.
 */
#include "pack/pack.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

typedef int unpack_fn(void *dst, size_t cap, const void *src, size_t len, size_t *n, struct err *e);

static void once(unpack_fn *unpack, const uint8_t *p, size_t n, size_t cap)
{
	uint8_t *dst = malloc(cap + !cap);
	size_t made = cap + 1;
	int r = unpack(dst, cap, p, n, &made, NULL);

	if (made > cap || (r == -ENOSPC && made != cap))
		abort();
	free(dst);
}

static void there_and_back(const uint8_t *p, size_t n)
{
	struct zlib_packer *packer = zlib_packer_new();
	size_t most = zlib_pack_bound(n), made;
	uint8_t *packed = malloc(most), *back = malloc(n + !n);
	size_t len = zlib_pack(packer, packed, p, n);

	if (len > most || inflate_zlib(back, n, packed, len, &made, NULL) || made != n || (n && memcmp(back, p, n)))
		abort();
	free(packed);
	free(back);
	zlib_packer_free(packer);
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static unpack_fn *const all[] = { inflate_raw, inflate_zlib, inflate_gzip };

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		once(all[i], p, n, 0);
		once(all[i], p, n, 100);
		once(all[i], p, n, 1 << 16);
	}
	/* What stands behind a gzip header of ten bytes, whatever that says. */
	if (n > 10)
		once(inflate_raw, p + 10, n - 10, 1 << 16);
	there_and_back(p, n);
	return 0;
}
