/* syscalls.c - names of system calls by architecture. */
#include "arch/arch.h"

#define SYSCALL(nr, name) [nr] = #name,
static const char *const aarch64_names[] = {
#include "arch/aarch64/syscalls.def"
};
static const char *const x86_64_names[] = {
#include "arch/x86_64/syscalls.def"
};
#undef SYSCALL

static const struct {
	const struct arch *arch;
	const char *const *names;
	size_t n;
} tables[] = {
	{ &arch_aarch64, aarch64_names, ARRAY_SIZE(aarch64_names) },
	{ &arch_x86_64, x86_64_names, ARRAY_SIZE(x86_64_names) },
};

const char *arch_syscall_name(const struct arch *a, uint64_t nr)
{
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		if (tables[i].arch == a)
			return nr < tables[i].n ? tables[i].names[nr] : NULL;
	return NULL;
}
