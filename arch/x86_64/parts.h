/* parts.h - functions of struct arch, or beside it, that have a file of their own. */
#ifndef ARCH_X86_64_PARTS_H
#define ARCH_X86_64_PARTS_H

#include "arch/arch.h"

bool arch_x86_64_insn(const uint8_t *p, size_t n, uint64_t addr, struct arch_insn *insn);
bool arch_x86_64_disasm(const uint8_t *p, size_t n, uint64_t addr, struct arch_disasm_memo *m, struct arch_disasm *d);
bool arch_x86_64_touch(const uint8_t *p, size_t n, uint64_t addr, struct arch_touch *t);
void arch_x86_64_usdt(const char *operand, size_t n, struct arch_usdt *u);

bool arch_x86_64_fuses(const char *cpuid, const char *first, size_t n, const char *branch);

extern const struct arch_signal arch_x86_64_signal;

#endif
