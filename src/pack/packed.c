/* packed.c - unpack what toolchains/packed.mk has packed. */
#include "base/packed.h"
#include "pack/pack.h"

/* Defined by the linker script and by the object with the packed data; weak: a build may have no packed data. */
extern const uint8_t packed_bytes[] __attribute__((weak)), packed_bytes_end[] __attribute__((weak));
extern uint8_t packed_start[] __attribute__((weak)), packed_end[] __attribute__((weak));
extern uint8_t packed_done __attribute__((weak));

void packed_need(void)
{
	size_t n;

	if (!packed_bytes || __atomic_load_n(&packed_done, __ATOMIC_ACQUIRE))
		return;
	/* The data is from the build, so it is valid. If two threads unpack at once, both write the same bytes. */
	if (!inflate_gzip(packed_start, (size_t)(packed_end - packed_start), packed_bytes,
			  (size_t)(packed_bytes_end - packed_bytes), &n, NULL))
		__atomic_store_n(&packed_done, 1, __ATOMIC_RELEASE);
}
