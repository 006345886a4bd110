/*
 * derived.h - values derived from counts: instructions per cycle, GHz, misses in percent, rates per second,
 * top-down shares. Pure: counts in, (value, unit) out. The units are the words that perf stat prints, so that
 * scripts find them; where a portable event name counts something else on this architecture, the word says what.
 */
#ifndef ANALYSE_DERIVED_H
#define ANALYSE_DERIVED_H

#include "arch/arch.h"

enum derived_role {
	DERIVED_OTHER, DERIVED_CLOCK, DERIVED_CYCLES, DERIVED_INSTRUCTIONS, DERIVED_BRANCHES, DERIVED_BRANCH_MISSES,
	DERIVED_STALL_FRONT, DERIVED_STALL_BACK, DERIVED_CACHE_REFS, DERIVED_CACHE_MISSES,
	DERIVED_L1D, DERIVED_L1D_MISSES, DERIVED_L1I, DERIVED_L1I_MISSES, DERIVED_LL, DERIVED_LL_MISSES,
	DERIVED_DTLB, DERIVED_DTLB_MISSES, DERIVED_ITLB, DERIVED_ITLB_MISSES,
};

/* The role of an attr's generic (type, config). */
enum derived_role derived_role(uint32_t type, uint64_t config);

struct derived_count {
	enum derived_role role;
	bool counted;            /* false: not supported or never ran */
	double value;            /* scaled; DERIVED_CLOCK in ns */
	uint64_t context;        /* counts are only related to counts of the same context: exclude bits, cgroup */
	uint64_t pmu;            /* and, for hardware events, of the same core PMU */
	unsigned group;          /* preferably of the same group, which counted at the same time */
};

struct derived {
	double value;
	uint8_t width, prec;
	const char *suffix;      /* printed directly behind the number: "%", " ", "" */
	const char *unit;
};

enum { DERIVED_MAX = 2 };

/*
 * The values to show beside all[i], at most DERIVED_MAX; returns their number. elapsed_ns: wall clock time of counting.
 * arch: of the counters, NULL: unknown.
 */
unsigned derived_of(const struct derived_count *all, size_t n, size_t i, double elapsed_ns, const struct arch *arch,
		    struct derived out[DERIVED_MAX]);

#endif
