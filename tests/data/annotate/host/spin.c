/*
 * spin.c - what tests/golden/annotate shows: aarch64-linux-gnu-gcc -O2 -g -nostdlib -static -Wl,--build-id=none
 * -ffile-prefix-map=$PWD=/host spin.c -o host/spin; recorded with sonde record -F 400 -e '{cpu-clock,task-clock}'.
 */
static unsigned table[64];
unsigned turns = 600000;

__attribute__((noinline)) static unsigned mix(unsigned x)
{
	x ^= x << 13;
	x ^= x >> 17;
	return x ^ x << 5;
}

__attribute__((noinline)) static unsigned work(unsigned n)
{
	unsigned x = 1;

	while (n--) {
		x = mix(x);
		if (x % 3 == 0)
			table[x % 64] += n;
	}
	return x;
}

void _start(void)
{
	register long nr asm("x8") = 93;
	register long status asm("x0") = work(turns * 8) & 1;

	asm volatile("svc 0" : : "r"(nr), "r"(status));
	__builtin_unreachable();
}
