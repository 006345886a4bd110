/* bpf/kname: the running kernel names its functions as its own list does. */
#include "bpf/kname.h"
#include "sym/asked.h"
#include "sys/kallsyms.h"
#include "t.h"

enum { EACH = 61 };

TEST(kernel_names_its_functions_as_in_its_list)
{
	struct asked a = { 0 };
	struct kname who;
	struct kernel_namer namer = { kname_ask, NULL, &who };
	struct kernel_symbol s;
	struct kallsyms k;
	size_t others = 0, looked = 0;

	if (kname_open(&who, &bpf_live, NULL)) {
		SKIP("the kernel does not, or not for us");
		return;
	}
	CHECK_EQ(sys_kallsyms(&sys_live, SYS_KALLSYMS, &k, NULL), 0);
	for (size_t i = 0; i < k.table.syms.n; i += EACH) {
		const struct sym *of = &k.table.syms.v[i];

		if (!of->size || !strcmp(kallsyms_name(&k, of), "_etext"))
			continue;
		looked++;
		CHECK(asked_find(&a, &namer, of->addr, &s));
		CHECK_EQ(s.start, of->addr);
		others += strcmp(s.name, kallsyms_name(&k, of)) != 0;
	}
	/* Of several names of one place it has its own favourite. */
	CHECK_SAY(others * 50 <= looked, "%zu of %zu have other names", others, looked);
	asked_deinit(&a);
	kallsyms_deinit(&k);
	kname_close(&who);
}
