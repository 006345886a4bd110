/* disasm.c - the disassembler of each architecture. Not in struct arch, because the board's build has none. */
#include "arch/aarch64/parts.h"
#include "arch/x86_64/parts.h"

arch_disasm_fn *arch_disasm_of(const struct arch *a)
{
	return a == &arch_aarch64 ? arch_aarch64_disasm : a == &arch_x86_64 ? arch_x86_64_disasm : NULL;
}
