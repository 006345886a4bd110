/*
 * excl.c - a loop of exclusive load and store, as compilers make them without LSE: a breakpoint inside clears the
 * monitor each time, and the loop never ends. `spins` is called five times.
 */
#include <stdint.h>

__attribute__((noinline)) static uint32_t spins(uint32_t *p, uint32_t by)
{
#if defined(__aarch64__)
	uint32_t v, failed;

	__asm__ volatile("nop\n"
			 "1:	ldxr	%w0, [%2]\n"
			 "	add	%w0, %w0, %w3\n"
			 "	stxr	%w1, %w0, [%2]\n"
			 "	cbnz	%w1, 1b"
			 : "=&r"(v), "=&r"(failed) : "r"(p), "r"(by) : "memory");
	return v;
#else
	return __atomic_add_fetch(p, by, __ATOMIC_SEQ_CST);
#endif
}

int main(void)
{
	uint32_t n = 0, i;

	for (i = 0; i < 5; i++)
		spins(&n, 2);
	return n != 10;
}
