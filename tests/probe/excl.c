/*
 * excl.c - a loop of exclusive load and store, as compilers make them without LSE: a breakpoint inside clears the
 * monitor each time, and the loop never ends. `spins` is called five times. `cold` jumps behind the entry of `entered`,
 * as parts do that GCC puts elsewhere: six calls, nine times through its second instruction. `pooled` has a constant
 * behind its return.
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

#if defined(__aarch64__)
__asm__(".text\n.type entered, @function\n"
	"entered:	add	x0, x0, #1\n"
	"1:	adr	x1, .\n"
	"	ret\n"
	".size entered, . - entered\n"
	".type cold, @function\n"
	"cold:	b	1b\n"
	".size cold, . - cold\n"
	".type pooled, @function\n"
	"pooled:	ldr	x0, 2f\n"
	"	ldr	d0, 2f\n"
	"	ret\n"
	"	nop\n"
	"	.balign 8\n"
	"2:	.8byte 0x1122334455667788\n"
	".size pooled, . - pooled\n");
long entered(long n);
long cold(long n);
long pooled(void);
#else
static long entered(long n)
{
	return n + 1;
}
#define cold(n) (n)
#define pooled() 0x1122334455667788
#endif

int main(void)
{
	uint32_t n = 0, i;

	for (i = 0; i < 6; i++)
		entered(i);
	for (i = 0; i < 3; i++)
		cold(i);
	if (pooled() != 0x1122334455667788)
		return 1;

	for (i = 0; i < 5; i++)
		spins(&n, 2);
	return n != 10;
}
