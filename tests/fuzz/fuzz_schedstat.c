/* Copies of /proc/schedstat, one behind the other, and what is between each two. */
#include "analyse/schedstat.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static bool has_cpu(const struct schedstat *s)
{
	return s->rows.n && s->rows.v[0].domain == UINT32_MAX;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct schedstat at[2] = { 0 };
	struct sv text = { (const char *)p, n };
	struct err e = { 0 };
	size_t left = n + 1;

	for (unsigned i = 0; schedstat_next(&at[i % 2], &text, &e) > 0; i++) {
		/* It begins with a CPU, and there is less of the text then. */
		if (!has_cpu(&at[i % 2]) || text.n >= left)
			__builtin_trap();
		left = text.n;
		if (i)
			schedstat_since(&at[i % 2], &at[(i - 1) % 2], &e);
	}
	schedstat_deinit(&at[0]);
	schedstat_deinit(&at[1]);
	return 0;
}
