/* exits.c - names of KVM exit reasons, by virtualization extension (VMX, SVM, ARM's). */
#include "arch/arch.h"
#include "base/packed.h"

struct reason {
	uint32_t nr;
	const char *name;
};

#define EXIT(nr, name) { nr, #name },
static const struct reason vmx[] = {
#include "arch/x86_64/vmx.def"
};
static const struct reason svm[] = {
#include "arch/x86_64/svm.def"
};
#undef EXIT

#define CLASS(nr, name) { nr, "ESR_ELx_EC_" #name },
#define CODE(nr, name) { ARCH_EXITS_ARM_CODE | (nr), "ARM_EXCEPTION_" #name },
static const struct reason arm[] = {
#include "arch/aarch64/exits.def"
};
#undef CLASS
#undef CODE

static const struct {
	const struct reason *v;
	size_t n;
} tables[] = {
	[ARCH_EXITS_VMX] = { vmx, ARRAY_SIZE(vmx) },
	[ARCH_EXITS_SVM] = { svm, ARRAY_SIZE(svm) },
	[ARCH_EXITS_ARM] = { arm, ARRAY_SIZE(arm) },
};

const char *arch_exit_name(uint64_t isa, uint64_t nr)
{
	packed_need();
	if (isa >= ARRAY_SIZE(tables))
		return NULL;
	for (size_t i = 0; i < tables[isa].n; i++)
		if (tables[isa].v[i].nr == nr)
			return tables[isa].v[i].name;
	return NULL;
}
