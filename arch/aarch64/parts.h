/* parts.h - functions of struct arch, or beside it, that have a file of their own. */
#ifndef ARCH_AARCH64_PARTS_H
#define ARCH_AARCH64_PARTS_H

#include "arch/arch.h"

bool arch_aarch64_insn(const uint8_t *p, size_t n, uint64_t addr, struct arch_insn *insn);
extern const struct arch_signal arch_aarch64_signal;

enum arch_frame arch_aarch64_frame(const uint8_t *p, size_t n);
struct arch_stack arch_aarch64_stack(const uint8_t *p, size_t n);
bool arch_aarch64_store(const uint8_t *p, size_t n, const uint64_t *regs, uint64_t watched, struct arch_store *s);
bool arch_aarch64_disasm(const uint8_t *p, size_t n, uint64_t addr, struct arch_disasm_memo *m, struct arch_disasm *d);
bool arch_aarch64_touch(const uint8_t *p, size_t n, uint64_t addr, struct arch_touch *t);
void arch_aarch64_usdt(const char *operand, size_t n, struct arch_usdt *u);

#endif
