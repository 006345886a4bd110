/* deflate.c - see zstd_pack.c here. */
#include "pack/pack.h"

struct zlib_packer *zlib_packer_new(void)
{
	return NULL;
}

void zlib_packer_free(struct zlib_packer *p UNUSED)
{
}

size_t zlib_pack_bound(size_t len)
{
	return len;
}

size_t zlib_pack(struct zlib_packer *p UNUSED, void *dst UNUSED, const void *src UNUSED, size_t len UNUSED)
{
	return 0;
}

size_t zlib_pack_head(void *dst UNUSED)
{
	return 0;
}

size_t zlib_pack_part(struct zlib_packer *p UNUSED, void *dst UNUSED, const void *src UNUSED, size_t len UNUSED)
{
	return 0;
}

size_t zlib_pack_fixed(void *dst UNUSED, const void *bytes UNUSED, size_t n UNUSED)
{
	return 0;
}

size_t zlib_pack_end(void *dst UNUSED, uint32_t sum UNUSED)
{
	return 0;
}

uint32_t zlib_sum(uint32_t sum UNUSED, const void *bytes UNUSED, size_t n UNUSED)
{
	return 0;
}

uint32_t zlib_sums(uint32_t first UNUSED, uint32_t second UNUSED, uint64_t n UNUSED)
{
	return 0;
}
