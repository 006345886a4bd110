/* guest_exit.h - why a guest was left: what an event kvm:kvm_exit says, whichever the architecture. */
#ifndef PROF_GUEST_EXIT_H
#define PROF_GUEST_EXIT_H

#include "prof/own.h"

/* Extension of the instruction set (enum arch_exits) << GUEST_EXIT_ISA | number, both as arch_exit_name takes them. */
enum { GUEST_EXIT_ISA = 32, GUEST_EXIT_NAME = 24 };

/* isa: what the event's field of that name says, of x86. */
uint64_t guest_exit_of(const struct hit *h, uint64_t isa);

/* Nothing to do: a guest that waits is out for long. */
bool guest_exit_is_halt(uint64_t of);

/* Its name, or its number in buf. */
const char *guest_exit_name(uint64_t of, char buf[GUEST_EXIT_NAME]);

#endif
