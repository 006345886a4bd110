#include "arch/arch.h"

#include "arch/name.h"
#include "host.h"

/* The architectures whose recordings this build reads; the board's build reads only those of its own. */
static const struct arch *const archs[] = {
#define ARCH(id) &arch_##id,
#include "archs_in.def"
#undef ARCH
};

const struct arch *arch_by_name(const char *uname_m)
{
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++)
		if (!strcmp(uname_m, archs[i]->name) || !strcmp(uname_m, archs[i]->alias))
			return archs[i];
	return NULL;
}

const struct arch *arch_by_elf(uint16_t e_machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++)
		if (archs[i]->elf_machine == e_machine)
			return archs[i];
	return NULL;
}

const struct arch *arch_native(void)
{
	return &host_arch;
}

const struct arch_reg *arch_reg_by_name(const struct arch *a, const char *name, size_t n)
{
	for (size_t i = 0; i < a->n_regs; i++) {
		if (name_same(a->regs[i].name, name, n))
			return &a->regs[i];
	}
	return NULL;
}

const struct arch_reg *arch_reg_by_dwarf(const struct arch *a, unsigned dwarf)
{
	for (size_t i = 0; i < a->n_regs; i++) {
		if (a->regs[i].dwarf == dwarf)
			return &a->regs[i];
	}
	return NULL;
}

const char *arch_generic_label(const struct arch *a, const char *generic)
{
	size_t n = strlen(generic);

	for (size_t i = 0; i < a->n_generics; i++) {
		if (name_same(a->generics[i].alias, generic, n))
			return a->generics[i].label;
	}
	return NULL;
}
