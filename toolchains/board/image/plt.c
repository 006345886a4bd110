/* plt.c - stubs have no names where nothing is reported. */
#include "image/plt.h"

#include "base/base.h"

int plt_add(struct symtab *t UNUSED, const struct elf *f UNUSED, struct err *e UNUSED)
{
	return 0;
}

void plt_code_init(struct plt_code *p, const struct elf *f UNUSED)
{
	p->n = 0;
}

bool plt_code_has(const struct plt_code *p UNUSED, uint64_t addr UNUSED)
{
	return false;
}
