/* guest_exit.h - the reason of an event kvm:kvm_exit, for any architecture. */
#ifndef PROF_GUEST_EXIT_H
#define PROF_GUEST_EXIT_H

#include "prof/own.h"

/* Instruction set extension (enum arch_exits) << GUEST_EXIT_ISA | exit number, both as for arch_exit_name. */
enum { GUEST_EXIT_ISA = 32, GUEST_EXIT_NAME = 24 };

/* isa: value of the event's field of that name, on x86. */
uint64_t guest_exit_of(const struct hit *h, uint64_t isa);

/* Did the guest halt? Then it waits, and is away for long. */
bool guest_exit_is_halt(uint64_t of);

/* The name of the reason, or its number in buf. */
const char *guest_exit_name(uint64_t of, char buf[GUEST_EXIT_NAME]);

#endif
