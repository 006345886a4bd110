/*
 * host.h - what only code for the running machine needs, on aarch64. Found through -Iarch/$(ARCH)/host;
 * the header of every architecture has the same names.
 */
#ifndef ARCH_AARCH64_HOST_H
#define ARCH_AARCH64_HOST_H

#include "arch/arch.h"

#define host_arch arch_aarch64

/* Ticks of the generic timer, cntfrq_el0 per second; the ISB prevents an early read by speculation. */
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

/* A branch to the next instruction. A probe on it makes the kernel simulate it, instead of single-stepping a copy. */
static inline void host_jump(void)
{
	__asm__ volatile("b 1f\n1:");
}

/* Orders all earlier memory accesses before all later ones, device memory included. */
static inline void host_barrier(void)
{
	__asm__ volatile("dmb sy" : : : "memory");
}

#endif
