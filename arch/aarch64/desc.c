#include "arch/aarch64/parts.h"

/* Distributions build for 48 bits. A kernel built for 52 keeps its own code within 48, and user code, too, unless the
 * process asks mmap for a higher address. */
enum { VA_BITS = 48, VA_BITS_MAX = 55 };

enum {
#define REG(name, bit, dwarf_nr) REG_##name = bit,
#include "arch/aarch64/regs.def"
#undef REG
};

static const struct arch_reg regs[] = {
#define REG(name, bit, dwarf_nr) { #name, bit, dwarf_nr },
#include "arch/aarch64/regs.def"
#undef REG
};

#define REG(name, bit, dwarf_nr) | 1ULL << (bit)
static_assert(__builtin_popcountll(0
#include "arch/aarch64/regs.def"
	) == ARRAY_SIZE(regs), "a perf bit occurs twice");
#undef REG

#define REG(name, bit, dwarf_nr) | 1ULL << (dwarf_nr)
static_assert(__builtin_popcountll(0
#include "arch/aarch64/regs.def"
	) == ARRAY_SIZE(regs), "a DWARF number occurs twice");
#undef REG

static const struct arch_generic generics[] = {
#define GEN(alias, hw, raw, alt, label) { alias, hw, raw, alt, label },
#include "arch/aarch64/generic.def"
#undef GEN
};

/*
 * A code pointer, from bit 63 down:
 *   63:56  authentication code
 *   55     which half: 0 user, 1 kernel
 *   54:V   authentication code; V is the size of virtual addresses in bits
 *   V-1:0  address
 * An unsigned pointer repeats bit 55 in 63:V, so it comes out as it went in.
 */
uint64_t arch_aarch64_strip(uint64_t addr, unsigned va_bits)
{
	uint64_t high = ~0ULL << MIN(va_bits, (unsigned)VA_BITS_MAX);

	return addr & 1ULL << 55 ? addr | high : addr & ~high;
}

static uint64_t strip(uint64_t addr)
{
	return arch_aarch64_strip(addr, VA_BITS);
}

static const uint8_t arg_regs[] = { REG_x0, REG_x1, REG_x2, REG_x3, REG_x4, REG_x5, REG_x6, REG_x7 };

const struct arch arch_aarch64 = {
	.name = "aarch64",
	.alias = "arm64",
	.elf_machine = 183,
	.regs = regs,
	.n_regs = ARRAY_SIZE(regs),
	.reg_sp = REG_sp,
	.reg_ip = REG_pc,
	.reg_lr = REG_lr,
	.reg_fp = REG_x29,
	/* x0 to pc; vg needs Linux 6.1 and a CPU with SVE */
	.user_regs_mask = (1ULL << (REG_pc + 1)) - 1,
	/* struct user_pt_regs: PSR_I_BIT of pstate */
	.flags = { .off = 264, .irq_bit = 7, .irqs_off_if_set = true },
	/* arm64 may get the generic TIF bits, which are numbered differently: not yet in Linux 7.1, unknown after it */
	.resched_bit = 1,
	.resched_bit_from = -1,
	.resched_from = 7 << 8 | 2,
	.strip = strip,
	.insn = arch_aarch64_insn,
	.signal = &arch_aarch64_signal,
	.frame = arch_aarch64_frame,
	.usdt = arch_aarch64_usdt,
	.insn_size = 4,
	.arg_regs = arg_regs,
	.n_arg_regs = ARRAY_SIZE(arg_regs),
	.ret_reg = REG_x0,
	.float_reg = "v",
	.float_dwarf = 64,
	.n_float_regs = 32,
	.floats_in_a_row = true,
	.has_events = true,
	.generics = generics,
	.n_generics = ARRAY_SIZE(generics),
};
