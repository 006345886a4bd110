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
	uint8_t frontend_mispred, backend_mispred, bad_mispred;	/* cycles per misprediction, see slots_compute() */
	uint8_t stall_surplus;	/* slots per cycle that STALL_SLOT and STALL_SLOT_FRONTEND count too many */
	uint8_t n;
	uint16_t event[TOPDOWN_EVENTS_MAX];	/* raw events, to be counted in one group */
};

/* slots: the PMU's caps/slots in sysfs, 0 if it has none. */
struct topdown_plan topdown_choose(uint64_t midr_el1, unsigned slots);

/* The plan for a PMU that lacks an event of the chosen plan. */
struct topdown_plan topdown_stalls(void);

struct topdown_in {
	struct topdown_plan plan;
	uint64_t count[TOPDOWN_EVENTS_MAX];	/* of plan.event[i] */
};

/*
 * Percent, not clamped: multiplexing and the misprediction terms can make values below 0 or above 100.
 * TOPDOWN_STALLS leaves retiring and bad_speculation 0.
 */
struct topdown_out {
	double retiring, bad_speculation, frontend_bound, backend_bound;
};

/* -ENODATA: the count of cycles or OP_SPEC is 0; -EINVAL: the plan is not from topdown_choose() or topdown_stalls(). */
int topdown_compute(const struct topdown_in *in, struct topdown_out *out);

#endif
