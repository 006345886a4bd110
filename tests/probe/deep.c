/*
 * deep.c - chains of a known depth, and such that go through the C library, for so many seconds of a processor. Built
 * without frame pointers.
 */
#include <stdlib.h>
#include <time.h>
volatile unsigned long sink;
#define NOINLINE __attribute__((noinline, noclone))
NOINLINE void leaf(unsigned long n) { for (unsigned long i = 0; i < n; i++) sink += i; }
NOINLINE unsigned long deep(unsigned long n, int d)
{
	if (!d)
		return leaf(n), sink;
	unsigned long r = deep(n, d - 1);
	sink++;
	return r + 1;
}
NOINLINE int compare(const void *a, const void *b) { leaf(100); return *(const int *)a - *(const int *)b; }
NOINLINE void sorts(void)
{
	int v[64];
	for (int i = 0; i < 64; i++)
		v[i] = i * 37 % 64;
	qsort(v, 64, sizeof(v[0]), compare);
	sink++;
}
int main(int argc, char **argv)
{
	struct timespec t;
	do {
		deep(20000, 9);
		sorts();
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	} while (t.tv_sec + t.tv_nsec / 1e9 < atof(argv[argc - 1]));
	return 0;
}
