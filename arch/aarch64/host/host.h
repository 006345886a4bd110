/*
 * host.h - what only the running machine needs: aarch64. Found through -Iarch/$(ARCH)/host;
 * every architecture's header offers the same names.
 */
#ifndef ARCH_AARCH64_HOST_H
#define ARCH_AARCH64_HOST_H

#include "arch/arch.h"

#define host_arch arch_aarch64

/* Ticks of the generic timer, cntfrq_el0 per second; the ISB keeps it from being read early. */
static inline uint64_t host_cycles(void)
{
	uint64_t ticks;

	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
	return ticks;
}

/* For the body of a loop that polls memory. */
static inline void host_relax(void)
{
	__asm__ volatile("yield" : : : "memory");
}

/* To the next instruction: of those that the kernel simulates when a probe is on it. */
static inline void host_jump(void)
{
	__asm__ volatile("b 1f\n1:");
}

/* Orders all earlier memory accesses before all later ones, also against devices. */
static inline void host_barrier(void)
{
	__asm__ volatile("dmb sy" : : : "memory");
}

#endif
