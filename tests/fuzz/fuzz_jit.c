/* Text that claims to be /tmp/perf-PID.map. The first byte is the length of its pieces: it must make no difference. */
#include "sym/jit.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void read_by(struct symtab *t, const uint8_t *p, size_t n, size_t piece)
{
	struct jit j = { .to = t };

	for (size_t at = 0; at < n; at += piece)
		if (jit_feed(&j, (const char *)p + at, MIN(piece, n - at)))
			abort();
	if (jit_finish(&j) || j.is_cut)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct symtab whole = { 0 }, pieces = { 0 };

	if (!n)
		return 0;
	read_by(&whole, p + 1, n - 1, n);
	read_by(&pieces, p + 1, n - 1, p[0] % 32 + 1);
	if (whole.syms.n != pieces.syms.n)
		abort();
	for (size_t i = 0; i < whole.syms.n; i++) {
		const struct sym *a = &whole.syms.v[i], *b = &pieces.syms.v[i];

		if (a->addr != b->addr || a->size != b->size || strcmp(symtab_name(&whole, a), symtab_name(&pieces, b)))
			abort();
		if (!symtab_name(&whole, a)[0])
			abort();
	}
	symtab_deinit(&whole);
	symtab_deinit(&pieces);
	return 0;
}
