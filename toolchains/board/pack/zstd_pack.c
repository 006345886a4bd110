/* zstd_pack.c - a board packs nothing: pack_can() says so to who asks for it, and the others are never called. */
#include "pack/pack.h"

bool pack_can(void)
{
	return false;
}

struct zstd_packer *zstd_packer_new(void)
{
	return NULL;
}

void zstd_packer_free(struct zstd_packer *p UNUSED)
{
}

size_t zstd_pack_bound(size_t len)
{
	return len;
}

size_t zstd_pack(struct zstd_packer *p UNUSED, void *dst UNUSED, const void *src UNUSED, size_t len UNUSED)
{
	return 0;
}
