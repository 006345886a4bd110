/* derived.c - ratios of counts. */
#include "analyse/derived.h"

#include "abi/perf_event.h"

enum { CACHE_L1D, CACHE_L1I, CACHE_LL, CACHE_DTLB, CACHE_ITLB };

static enum derived_role hardware_role(uint64_t config)
{
	/* The upper half is the PMU's type, if there are several core PMUs. */
	switch (config & UINT32_MAX) {
	case PERF_HW_CYCLES: return DERIVED_CYCLES;
	case PERF_HW_INSTRUCTIONS: return DERIVED_INSTRUCTIONS;
	case PERF_HW_CACHE_REFERENCES: return DERIVED_CACHE_REFS;
	case PERF_HW_CACHE_MISSES: return DERIVED_CACHE_MISSES;
	case PERF_HW_BRANCHES: return DERIVED_BRANCHES;
	case PERF_HW_BRANCH_MISSES: return DERIVED_BRANCH_MISSES;
	case PERF_HW_STALLED_FRONTEND: return DERIVED_STALL_FRONT;
	case PERF_HW_STALLED_BACKEND: return DERIVED_STALL_BACK;
	}
	return DERIVED_OTHER;
}

/* cache | operation << 8 | result << 16; reads only, as perf relates only those. */
static enum derived_role cache_role(uint64_t config)
{
	static const uint8_t roles[][2] = {
		[CACHE_L1D] = { DERIVED_L1D, DERIVED_L1D_MISSES },
		[CACHE_L1I] = { DERIVED_L1I, DERIVED_L1I_MISSES },
		[CACHE_LL] = { DERIVED_LL, DERIVED_LL_MISSES },
		[CACHE_DTLB] = { DERIVED_DTLB, DERIVED_DTLB_MISSES },
		[CACHE_ITLB] = { DERIVED_ITLB, DERIVED_ITLB_MISSES },
	};
	uint64_t low = config & UINT32_MAX, cache = low & 0xff, miss = low >> 16;

	if (cache >= ARRAY_SIZE(roles) || ((low >> 8) & 0xff) || miss > 1)
		return DERIVED_OTHER;
	return roles[cache][miss];
}

enum derived_role derived_role(uint32_t type, uint64_t config)
{
	switch (type) {
	case PERF_HARDWARE:
		return hardware_role(config);
	case PERF_HW_CACHE:
		return cache_role(config);
	case PERF_SOFTWARE:
		return config == PERF_SW_CPU_CLOCK || config == PERF_SW_TASK_CLOCK ? DERIVED_CLOCK : DERIVED_OTHER;
	}
	return DERIVED_OTHER;
}

static bool on_core(enum derived_role role)
{
	return role != DERIVED_CLOCK && role != DERIVED_OTHER;
}

static bool is_related(const struct derived_count *c, const struct derived_count *to, enum derived_role role)
{
	if (c->role != role || !c->counted || c->context != to->context)
		return false;
	return !on_core(role) || !on_core(to->role) || c->pmu == to->pmu;
}

/* The count with this role that is related to `to`, preferably of its group; 0: none. */
static double related(const struct derived_count *all, size_t n, const struct derived_count *to, enum derived_role role)
{
	const struct derived_count *found = NULL;

	for (size_t i = 0; i < n; i++) {
		if (!is_related(&all[i], to, role))
			continue;
		if (all[i].group == to->group)
			return all[i].value;
		if (!found)
			found = &all[i];
	}
	return found ? found->value : 0;
}

/* Pairs of counts that are shown as a percentage. */
static const struct share {
	uint8_t part, whole;
	const char *unit;
} shares[] = {
	{ DERIVED_BRANCH_MISSES, DERIVED_BRANCHES, "of all branches" },
	{ DERIVED_CACHE_MISSES, DERIVED_CACHE_REFS, "of all cache refs" },
	{ DERIVED_L1D_MISSES, DERIVED_L1D, "of all L1-dcache accesses" },
	{ DERIVED_L1I_MISSES, DERIVED_L1I, "of all L1-icache accesses" },
	{ DERIVED_LL_MISSES, DERIVED_LL, "of all LL-cache accesses" },
	{ DERIVED_DTLB_MISSES, DERIVED_DTLB, "of all dTLB cache accesses" },
	{ DERIVED_ITLB_MISSES, DERIVED_ITLB, "of all iTLB cache accesses" },
	{ DERIVED_STALL_FRONT, DERIVED_CYCLES, "frontend cycles idle" },
	{ DERIVED_STALL_BACK, DERIVED_CYCLES, "backend cycles idle" },
};

static const char *share_unit(const struct share *s, const struct arch *arch)
{
	if (s->part == DERIVED_CACHE_MISSES && arch && arch_generic_label(arch, "cache-misses"))
		return "of all L1D accesses";
	return s->unit;
}

static unsigned per_second(double v, double ns, struct derived *out)
{
	static const char *const units[] = { "/sec", "K/sec", "M/sec", "G/sec" };
	double rate = v * 1e9 / ns;
	size_t u = 0;

	for (; rate > 1000 && u + 1 < ARRAY_SIZE(units); u++)
		rate /= 1000;
	*out = (struct derived){ rate, 8, 3, "", units[u] };
	return 1;
}

static unsigned of_instructions(const struct derived_count *all, size_t n, const struct derived_count *c,
				struct derived *out)
{
	double cycles = related(all, n, c, DERIVED_CYCLES);
	double front = related(all, n, c, DERIVED_STALL_FRONT), back = related(all, n, c, DERIVED_STALL_BACK);
	unsigned k = 0;

	if (cycles > 0)
		out[k++] = (struct derived){ c->value / cycles, 7, 2, " ", "insn per cycle" };
	if (c->value > 0 && MAX(front, back) > 0)
		out[k++] = (struct derived){ MAX(front, back) / c->value, 7, 2, " ", "stalled cycles per insn" };
	return k;
}

unsigned derived_of(const struct derived_count *all, size_t n, size_t i, double elapsed_ns, const struct arch *arch,
		    struct derived out[DERIVED_MAX])
{
	const struct derived_count *c = &all[i];
	double clock = related(all, n, c, DERIVED_CLOCK), whole;

	if (!c->counted)
		return 0;
	if (c->role == DERIVED_CLOCK) {
		if (!(elapsed_ns > 0))
			return 0;
		*out = (struct derived){ c->value / elapsed_ns, 8, 3, "", "CPUs utilized" };
		return 1;
	}
	if (c->role == DERIVED_INSTRUCTIONS)
		return of_instructions(all, n, c, out);
	if (c->role == DERIVED_CYCLES) {
		*out = (struct derived){ clock > 0 ? c->value / clock : 0, 8, 3, "", "GHz" };
		return clock > 0;
	}
	for (size_t s = 0; s < ARRAY_SIZE(shares); s++) {
		if (shares[s].part != c->role)
			continue;
		whole = related(all, n, c, (enum derived_role)shares[s].whole);
		if (!(whole > 0))
			break;
		*out = (struct derived){ 100 * c->value / whole, 7, 2, "%", share_unit(&shares[s], arch) };
		return 1;
	}
	return clock > 0 ? per_second(c->value, clock, out) : 0;
}
