/*
 * cost.h - the cost of a probe: from the hits of a short trial and the time of one hit to the share of a core, and to a
 * duty cycle that keeps it below a limit.
 */
#ifndef PROBE_COST_H
#define PROBE_COST_H

#include "arch/arch.h"

/* Kinds of probes that differ in the time of a hit. */
enum probe_kind {
	PROBE_NONE,
	PROBE_OF_KERNEL,
	PROBE_OF_PROGRAM,               /* the kernel single-steps a copy of the instruction: two exceptions */
	PROBE_OF_PROGRAM_NOP,
	PROBE_OF_PROGRAM_SIMULATED,
	PROBE_OF_PROGRAM_RETURN,
	PROBE_KINDS
};

/* The kind of a uprobe on the instruction at p, where n bytes can be read. */
enum probe_kind probe_kind_of_code(const struct arch *a, const uint8_t *p, size_t n);

/* "the kernel", "programs (simulated)": where the probes are. */
const char *probe_kind_where(enum probe_kind kind);

struct cost_trial {
	uint64_t hits, window_ns;       /* on one CPU */
	double hit_ns;                  /* time of one hit on this machine, measured */
};

/* Share of the core that the hits take: 0..1, above 1 when they would need more than the core. */
double cost_share(const struct cost_trial *t);

/* A duty cycle: on for on_ns, then off for off_ns. */
struct cost_duty {
	uint64_t on_ns, off_ns;
	bool is_hopeless;               /* even the shortest on time exceeds the limit */
};
void cost_duty(struct cost_duty *d, double share, double limit);

#endif
