#include "arch/x86_64/parts.h"

enum {
#define REG(name, bit, dwarf_nr) REG_##name = bit,
#include "arch/x86_64/regs.def"
#undef REG
};

static const struct arch_reg regs[] = {
#define REG(name, bit, dwarf_nr) { #name, bit, dwarf_nr },
#include "arch/x86_64/regs.def"
#undef REG
};

#define REG(name, bit, dwarf_nr) | 1ULL << (bit)
static_assert(__builtin_popcountll(0
#include "arch/x86_64/regs.def"
	) == ARRAY_SIZE(regs), "a perf bit occurs twice");
#undef REG

#define REG(name, bit, dwarf_nr) | 1ULL << (dwarf_nr)
static_assert(__builtin_popcountll(0
#include "arch/x86_64/regs.def"
	) == ARRAY_SIZE(regs), "a DWARF number occurs twice");
#undef REG

static uint64_t strip(uint64_t addr)
{
	return addr;
}

/* Go's ABIInternal, since Go 1.17. */
static const uint8_t go_arg_regs[] = { REG_ax, REG_bx, REG_cx, REG_di, REG_si, REG_r8, REG_r9, REG_r10, REG_r11 };
static const uint8_t arg_regs[] = { REG_di, REG_si, REG_dx, REG_cx, REG_r8, REG_r9 };

/* Offsets in struct pt_regs, which lacks ds, es, fs and gs. */
static const uint8_t probe_regs[] = {
	[REG_ax] = 80, [REG_bx] = 40, [REG_cx] = 88, [REG_dx] = 96, [REG_si] = 104, [REG_di] = 112, [REG_bp] = 32,
	[REG_sp] = 152, [REG_ip] = 128, [REG_flags] = 144, [REG_cs] = 136, [REG_ss] = 160, [REG_r8] = 72, [REG_r9] = 64,
	[REG_r10] = 56, [REG_r11] = 48, [REG_r12] = 24, [REG_r13] = 16, [REG_r14] = 8, [REG_r15] = 0,
};

const struct arch arch_x86_64 = {
	.name = "x86_64",
	.alias = "amd64",
	.elf_machine = 62,
	.regs = regs,
	.n_regs = ARRAY_SIZE(regs),
	.reg_sp = REG_sp,
	.reg_ip = REG_ip,
	.reg_lr = ARCH_NO_REG,
	.reg_fp = REG_bp,
	/* 64-bit kernels refuse ds, es, fs and gs */
	.user_regs_mask = ((1ULL << (REG_r15 + 1)) - 1) &
			  ~(1ULL << REG_ds | 1ULL << REG_es | 1ULL << REG_fs | 1ULL << REG_gs),
	.probe_regs = probe_regs,
	/* struct pt_regs: X86_EFLAGS_IF of flags */
	.flags = { .off = 144, .irq_bit = 9 },
	/* Linux 6.18 has the generic TIF bits */
	.resched_bit = 3,
	.resched_bit_from = 4,
	.resched_from = 6 << 8 | 18,
	.strip = strip,
	.insn = arch_x86_64_insn,
	.signal = &arch_x86_64_signal,
	.usdt = arch_x86_64_usdt,
	.fuses = arch_x86_64_fuses,
	.arg_regs = arg_regs,
	.n_arg_regs = ARRAY_SIZE(arg_regs),
	.go_arg_regs = go_arg_regs,
	.n_go_arg_regs = ARRAY_SIZE(go_arg_regs),
	.ret_reg = REG_ax,
	.capitals = true,
	.float_reg = "xmm",
	.float_dwarf = 17,
	.n_float_regs = 16,
};
