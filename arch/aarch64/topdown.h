/*
 * topdown.h - where an arm64 core's issue slots go: which events to count together, and the
 * arithmetic. Formulas as perf 6.12 has them.
 */
#ifndef ARCH_AARCH64_TOPDOWN_H
#define ARCH_AARCH64_TOPDOWN_H

#include "arch/arch.h"

enum topdown_kind {
	TOPDOWN_SLOTS,	/* Armv8.4 and later, STALL_SLOT* and OP_*: percent of slots */
	TOPDOWN_WIDTH,	/* HiSilicon HIP08, FETCH_BUBBLE and width 4: percent of slots */
	TOPDOWN_STALLS,	/* any PMUv3: percent of cycles, only frontend and backend */
};

enum { TOPDOWN_EVENTS_MAX = 7 };

struct topdown_plan {
	enum topdown_kind kind;
	unsigned slots;		/* per cycle; unused by TOPDOWN_STALLS */
	uint8_t frontend_mispred, backend_mispred, bad_mispred;	/* cycles each costs */
	uint8_t stall_surplus;	/* per cycle, in STALL_SLOT and STALL_SLOT_FRONTEND */
	uint8_t n;
	uint16_t event[TOPDOWN_EVENTS_MAX];	/* raw; to be counted in one group */
};

/* slots: caps/slots of the PMU, 0 when it has none. */
struct topdown_plan topdown_choose(uint64_t midr_el1, unsigned slots);

/* For a PMU whose events/ lack something of the chosen plan. */
struct topdown_plan topdown_stalls(void);

struct topdown_in {
	struct topdown_plan plan;
	uint64_t count[TOPDOWN_EVENTS_MAX];	/* of plan.event[i] */
};

/*
 * Percent, not clamped: multiplexed counts and the misprediction terms can lead out of 0..100.
 * TOPDOWN_STALLS leaves retiring and bad_speculation 0.
 */
struct topdown_out {
	double retiring, bad_speculation, frontend_bound, backend_bound;
};

/* -ENODATA: cycles or OP_SPEC is 0; -EINVAL: the plan is not one of topdown_choose. */
int topdown_compute(const struct topdown_in *in, struct topdown_out *out);

#endif
