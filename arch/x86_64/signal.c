/*
 * signal.c - struct rt_sigframe of arch/x86/kernel/signal_64.c, from behind its return address on: struct ucontext with
 * flags, link and stack (40 bytes), then struct sigcontext_64.
 */
#include "arch/x86_64/parts.h"

enum { R8 = 40, RIP = R8 + 8 * 16 };

#define GREG(dwarf, i) { dwarf, R8 + 8 * (i) }

/* r8 to r15, di, si, bp, bx, dx, ax, cx, sp, ip */
static const struct arch_signal_reg regs[] = {
	GREG(8, 0), GREG(9, 1), GREG(10, 2), GREG(11, 3), GREG(12, 4), GREG(13, 5), GREG(14, 6), GREG(15, 7),
	GREG(5, 8), GREG(4, 9), GREG(6, 10), GREG(3, 11), GREG(1, 12), GREG(0, 13), GREG(2, 14), GREG(7, 15),
	GREG(16, 16),
};

/* mov $15, %rax; syscall */
static const uint8_t code[] = { 0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05 };

const struct arch_signal arch_x86_64_signal = {
	.code = code, .n_code = sizeof(code), .pc = RIP, .regs = regs, .n_regs = ARRAY_SIZE(regs),
};
