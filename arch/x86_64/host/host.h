/*
 * host.h - what only the running machine needs: x86_64. Found through -Iarch/$(ARCH)/host;
 * every architecture's header offers the same names.
 */
#ifndef ARCH_X86_64_HOST_H
#define ARCH_X86_64_HOST_H

#include "arch/arch.h"

#define host_arch arch_x86_64

/* Ticks of the time stamp counter; the LFENCE keeps it from being read early. */
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

/* To the next instruction: of those that the kernel simulates when a probe is on it. */
static inline void host_jump(void)
{
	__asm__ volatile("jmp 1f\n1:");
}

/* Orders all earlier memory accesses before all later ones, also against devices. */
static inline void host_barrier(void)
{
	__asm__ volatile("mfence" : : : "memory");
}

#endif
