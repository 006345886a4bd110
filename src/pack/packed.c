/* packed.c - unpack what toolchains/packed.mk has packed. */
#include "base/packed.h"
#include "pack/pack.h"

/* Of the linker, and of the object that it gets with what is packed; without them nothing is. */
extern const uint8_t packed_bytes[] __attribute__((weak)), packed_bytes_end[] __attribute__((weak));
extern uint8_t packed_start[] __attribute__((weak)), packed_end[] __attribute__((weak));
extern uint8_t packed_done __attribute__((weak));

void packed_need(void)
{
	size_t n;

	if (!packed_bytes || __atomic_load_n(&packed_done, __ATOMIC_ACQUIRE))
		return;
	/* It was made by the build, so it is whole. Two threads write the same. */
	if (!inflate_gzip(packed_start, (size_t)(packed_end - packed_start), packed_bytes,
			  (size_t)(packed_bytes_end - packed_bytes), &n, NULL))
		__atomic_store_n(&packed_done, 1, __ATOMIC_RELEASE);
}
