/* store.c - whose stores can be read: apart from struct arch, as a board needs none of it. */
#include "arch/aarch64/parts.h"

arch_store_fn *arch_store_of(const struct arch *a)
{
	return a == &arch_aarch64 ? arch_aarch64_store : NULL;
}
