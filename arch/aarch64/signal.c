/*
 * signal.c - struct rt_sigframe of arch/arm64/kernel/signal.c: siginfo of 128 bytes, then ucontext, whose mcontext
 * begins 176 bytes further on, aligned to 16: fault_address, x0 to x30, sp, pc.
 */
#include "arch/aarch64/parts.h"

enum { MCONTEXT = 128 + 176, X0 = MCONTEXT + 8 };

#define X(n) { n, X0 + 8 * (n) }

static const struct arch_signal_reg regs[] = {
	X(0), X(1), X(2), X(3), X(4), X(5), X(6), X(7), X(8), X(9), X(10), X(11), X(12), X(13), X(14), X(15), X(16),
	X(17), X(18), X(19), X(20), X(21), X(22), X(23), X(24), X(25), X(26), X(27), X(28), X(29), X(30), X(31),
};

/* mov x8, #139; svc #0 */
static const uint8_t code[] = { 0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4 };

const struct arch_signal arch_aarch64_signal = {
	.code = code, .n_code = sizeof(code), .pc = X0 + 8 * 32, .regs = regs, .n_regs = ARRAY_SIZE(regs),
};
