/* A name of a symbol, in a small and a large buffer: the small one gives the same or nothing. */
#include "obj/demangle/demangle.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static char large[1 << 16];
	char *name = malloc(n + 1), *small = malloc(64);

	memcpy(name, p, n);
	name[n] = '\0';
	for (enum demangle_style style = DEMANGLE_FULL; style <= DEMANGLE_SHORT; style++) {
		bool done = demangle(name, style, large, sizeof(large));

		if (done && !memchr(large, '\0', sizeof(large)))
			abort();
		if (demangle(name, style, small, 64) && (!done || strcmp(large, small)))
			abort();
	}
	free(name);
	free(small);
	return 0;
}
