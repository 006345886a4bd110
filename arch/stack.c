/* stack.c - which architecture has a decoder of stack pointer changes, for unwinding without unwind tables. */
#include "arch/aarch64/parts.h"

arch_stack_fn *arch_stack_of(const struct arch *a)
{
	return a == &arch_aarch64 ? arch_aarch64_stack : NULL;
}
