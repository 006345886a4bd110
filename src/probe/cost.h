/*
 * cost.h - what a probe will cost: hits of a short trial and the time of one hit, into the share of a core, and a duty
 * cycle that keeps below a limit.
 */
#ifndef PROBE_COST_H
#define PROBE_COST_H

#include "arch/arch.h"

/* Where a probe is, as far as it matters for what a hit takes. */
enum probe_kind {
	PROBE_NONE,
	PROBE_OF_KERNEL,
	PROBE_OF_PROGRAM,               /* on an instruction of which the kernel steps over a copy: two exceptions */
	PROBE_OF_PROGRAM_NOP,
	PROBE_OF_PROGRAM_SIMULATED,
	PROBE_OF_PROGRAM_RETURN,
	PROBE_KINDS
};

/* Of a program's probe on the instruction at p, of n bytes that are there. */
enum probe_kind probe_kind_of_code(const struct arch *a, const uint8_t *p, size_t n);

/* "the kernel", "programs (simulated)": where the hits are. */
const char *probe_kind_where(enum probe_kind kind);

struct cost_trial {
	uint64_t hits, window_ns;       /* of one CPU */
	double hit_ns;                  /* time of one hit on this machine, measured */
};

/* Share of the core that the hits take, 0..1 and above when more is asked than there is. */
double cost_share(const struct cost_trial *t);

/* A duty cycle: on for on_ns, then off for off_ns. */
struct cost_duty {
	uint64_t on_ns, off_ns;
	bool is_hopeless;               /* even the shortest time on is too much */
};
void cost_duty(struct cost_duty *d, double share, double limit);

#endif
