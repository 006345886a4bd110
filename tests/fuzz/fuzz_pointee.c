/* A form, a machine, how much there was in all, then the bytes that a program's argument pointed to. */
#include "syscalls/pointee.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct pointee_show s = { arch_by_name(n & 1 ? "x86_64" : "aarch64"), 0 };
	struct mem_out m;
	uint8_t *copy;

	if (n < 3)
		return 0;
	s.most = p[1];
	copy = malloc(n - 3);
	if (n > 3)
		memcpy(copy, p + 3, n - 3);
	mem_out_init(&m);
	pointee_put(&s, p[0] % POINTEE_STRINGS, copy, n - 3, n - 3 + (p[2] & 1), &m.out);
	/* Nothing that a terminal would obey. */
	for (const char *c = mem_out_str(&m); *c; c++)
		if (*c < ' ' || *c > '~')
			abort();
	mem_out_deinit(&m);
	free(copy);
	return 0;
}
