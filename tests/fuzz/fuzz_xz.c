/* xz: the input behind its first byte, as a file; 1: as LZMA2 chunks, where no check stands in the way. */
#include "pack/lzma.h"
#include "pack/pack.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void file(const uint8_t *p, size_t n, uint8_t *dst, size_t cap)
{
	uint64_t size;
	size_t made;
	int told = xz_size(p, n, &size, NULL), r = xz_unpack(dst, cap, p, n, &made, NULL);

	if (made > cap || (r == -ENOSPC && made != cap) || (!told && !r && size != made))
		abort();
}

static void chunks(const uint8_t *p, size_t n, uint8_t *dst, size_t cap)
{
	struct cursor c = cur_from(p, n);
	size_t made;
	int r = lzma2_unpack(&c, dst, cap, &made);

	if (made > cap || (r == -ENOSPC && made != cap))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static const size_t caps[] = { 0, 50, 1 << 18 };

	for (size_t i = 0; n && i < ARRAY_SIZE(caps); i++) {
		uint8_t *dst = malloc(caps[i] + !caps[i]);

		if (p[0] == 1)
			chunks(p + 1, n - 1, dst, caps[i]);
		else
			file(p + 1, n - 1, dst, caps[i]);
		free(dst);
	}
	return 0;
}
