/*
 * host.h - what only code for the running machine needs, on x86_64. Found through -Iarch/$(ARCH)/host;
 * the header of every architecture has the same names.
 */
#ifndef ARCH_X86_64_HOST_H
#define ARCH_X86_64_HOST_H

#include "arch/arch.h"

#define host_arch arch_x86_64

/* Ticks of the time stamp counter; the LFENCE prevents an early read by speculation. */
static inline uint64_t host_cycles(void)
{
	uint32_t low, high;

	__asm__ volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

/* For the body of a loop that polls memory. */
static inline void host_relax(void)
{
	__asm__ volatile("pause" : : : "memory");
}

/* A branch to the next instruction. A probe on it makes the kernel simulate it, instead of single-stepping a copy. */
static inline void host_jump(void)
{
	__asm__ volatile("jmp 1f\n1:");
}

/* Orders all earlier memory accesses before all later ones, device memory included. */
static inline void host_barrier(void)
{
	__asm__ volatile("mfence" : : : "memory");
}

#endif
