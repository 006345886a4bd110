/* Text that claims to be /proc/kallsyms. */
#include "image/kallsyms.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	size_t first = n ? p[0] % n : 0;
	struct kallsyms k = { 0 };

	if (kallsyms_feed(&k, (const char *)p, first) || kallsyms_feed(&k, (const char *)p + first, n - first) ||
	    kallsyms_end(&k))
		abort();
	for (size_t i = 0; i < k.table.syms.n; i++) {
		const struct sym *s = kallsyms_find(&k, k.table.syms.v[i].addr);
		const char *module = s ? kallsyms_module(&k, s) : NULL;

		if (!s && k.table.syms.v[i].addr == UINT64_MAX)
			continue;
		if (!s || !kallsyms_name(&k, s)[0] || (module && !module[0]))
			abort();
	}
	if (k.hidden && k.table.syms.n)
		abort();
	kallsyms_deinit(&k);
	return 0;
}
