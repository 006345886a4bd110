/* syscalls.c - system calls by architecture: their names, and where their arguments are. */
#include "arch/arch.h"
#include "base/packed.h"

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
	struct arch_syscall_regs regs;
} tables[] = {
	/* orig_x0, because x0 is overwritten by the result; x1 to x5; syscallno (since Linux 4.14; 4 bytes). */
	{ &arch_aarch64, aarch64_names, ARRAY_SIZE(aarch64_names), { { 272, 8, 16, 24, 32, 40 }, 280 } },
	/* di, si, dx, r10, r8, r9; orig_ax. */
	{ &arch_x86_64, x86_64_names, ARRAY_SIZE(x86_64_names), { { 112, 104, 96, 56, 72, 64 }, 120 } },
};

const char *arch_syscall_name(const struct arch *a, uint64_t nr)
{
	packed_need();
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		if (tables[i].arch == a)
			return nr < tables[i].n ? tables[i].names[nr] : NULL;
	return NULL;
}

const struct arch_syscall_regs *arch_syscall_regs(const struct arch *a)
{
	packed_need();
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		if (tables[i].arch == a)
			return &tables[i].regs;
	return NULL;
}
