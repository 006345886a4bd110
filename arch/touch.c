/* touch.c - the data flow decoder of each architecture. Not in struct arch, because the board's build has none. */
#include "arch/aarch64/parts.h"
#include "arch/x86_64/parts.h"

arch_touch_fn *arch_touch_of(const struct arch *a)
{
	if (a == &arch_x86_64)
		return arch_x86_64_touch;
	return a == &arch_aarch64 ? arch_aarch64_touch : NULL;
}

/* AAPCS64: x0 to x18 and the link register. System V psABI: rax, rdx, rcx, rsi, rdi, r8 to r11. */
uint32_t arch_call_loses(const struct arch *a)
{
	return a == &arch_x86_64 ? 0x0f37 : 0x4007ffff;
}
