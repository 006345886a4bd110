/* store.c - the store decoder of each architecture. Not in struct arch, because the board's build has none. */
#include "arch/aarch64/parts.h"

arch_store_fn *arch_store_of(const struct arch *a)
{
	return a == &arch_aarch64 ? arch_aarch64_store : NULL;
}
