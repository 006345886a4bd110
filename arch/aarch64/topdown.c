#include "arch/aarch64/topdown.h"

enum {
	INST_RETIRED = 0x08,
	BR_MIS_PRED = 0x10,
	CPU_CYCLES = 0x11,
	INST_SPEC = 0x1b,
	STALL_FRONTEND = 0x23,
	STALL_BACKEND = 0x24,
	OP_RETIRED = 0x3a,
	OP_SPEC = 0x3b,
	STALL_SLOT_BACKEND = 0x3d,
	STALL_SLOT_FRONTEND = 0x3e,
	STALL_SLOT = 0x3f,
	FETCH_BUBBLE = 0x2014,
};

enum { IMPL_ARM = 0x41, NEOVERSE_V1 = 0xd40, NEOVERSE_N2 = 0xd49, NEOVERSE_V2 = 0xd4f };

/* These cores count a misprediction as stalls, too: cycles of each to move from stalls to bad speculation. */
static const struct mispred {
	uint16_t part;
	uint8_t frontend, backend, bad;
} mispreds[] = {
	{ NEOVERSE_V1, 4, 0, 4 },
	{ NEOVERSE_N2, 1, 3, 4 },
	{ NEOVERSE_V2, 1, 3, 4 },
};

static const struct topdown_plan slots_plan = {
	.kind = TOPDOWN_SLOTS,
	.n = 6,
	.event = {
		CPU_CYCLES, OP_RETIRED, OP_SPEC,
		STALL_SLOT, STALL_SLOT_FRONTEND, STALL_SLOT_BACKEND,
	},
};

static const struct topdown_plan width_plan = {
	.kind = TOPDOWN_WIDTH,
	.n = 4,
	.event = { CPU_CYCLES, INST_RETIRED, INST_SPEC, FETCH_BUBBLE },
};

static const struct topdown_plan stalls_plan = {
	.kind = TOPDOWN_STALLS,
	.n = 3,
	.event = { CPU_CYCLES, STALL_FRONTEND, STALL_BACKEND },
};

/* Erratum of N2 up to r0p2: it counts one slot per cycle too many in STALL_SLOT and STALL_SLOT_FRONTEND. */
static uint8_t surplus(const struct midr *m)
{
	return m->part == NEOVERSE_N2 && m->variant == 0 && m->rev < 3;
}

static void add_exceptions(struct topdown_plan *p, const struct midr *m)
{
	if (m->impl != IMPL_ARM)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(mispreds); i++) {
		if (mispreds[i].part != m->part)
			continue;
		p->frontend_mispred = mispreds[i].frontend;
		p->backend_mispred = mispreds[i].backend;
		p->bad_mispred = mispreds[i].bad;
		p->event[p->n++] = BR_MIS_PRED;
	}
	p->stall_surplus = surplus(m);
}

struct topdown_plan topdown_choose(uint64_t midr_el1, unsigned slots)
{
	struct midr m = midr_parse(midr_el1);
	const struct arch_core *core = arch_core_find(m.impl, m.part);
	struct topdown_plan p;

	if (core && core->slots_width) {
		p = width_plan;
		p.slots = core->slots_width;
	} else if (slots) {
		p = slots_plan;
		p.slots = slots;
		add_exceptions(&p, &m);
	} else {
		p = stalls_plan;
	}
	return p;
}

struct topdown_plan topdown_stalls(void)
{
	return stalls_plan;
}

static double count(const struct topdown_in *in, uint16_t event)
{
	for (size_t i = 0; i < in->plan.n; i++) {
		if (in->plan.event[i] == event)
			return (double)in->count[i];
	}
	return 0;
}

/*
 * As shares of all slots, which are cycles * slots per cycle:
 *   frontend = slots stalled by the frontend - frontend_mispred * mispredictions per cycle
 *   backend  = slots stalled by the backend - backend_mispred * mispredictions per cycle
 *   bad      = slots used by operations that did not retire + bad_mispred * mispredictions per cycle
 *   retiring = slots used by operations that retired
 */
static int slots_compute(const struct topdown_in *in, struct topdown_out *out)
{
	const struct topdown_plan *p = &in->plan;
	double cycles = count(in, CPU_CYCLES), ops = count(in, OP_SPEC);
	double slots = p->slots * cycles, surplus_slots = p->stall_surplus * cycles;

	if (!ops)
		return -ENODATA;
	double mispreds_per_cycle = count(in, BR_MIS_PRED) / cycles;
	double retired = count(in, OP_RETIRED) / ops;
	double used = 1 - (count(in, STALL_SLOT) - surplus_slots) / slots;
	double frontend = (count(in, STALL_SLOT_FRONTEND) - surplus_slots) / slots;
	double backend = count(in, STALL_SLOT_BACKEND) / slots;

	out->frontend_bound = 100 * (frontend - p->frontend_mispred * mispreds_per_cycle);
	out->backend_bound = 100 * (backend - p->backend_mispred * mispreds_per_cycle);
	out->bad_speculation = 100 * ((1 - retired) * used + p->bad_mispred * mispreds_per_cycle);
	out->retiring = 100 * retired * used;
	return 0;
}

static int width_compute(const struct topdown_in *in, struct topdown_out *out)
{
	double slots = in->plan.slots * count(in, CPU_CYCLES);

	out->frontend_bound = 100 * count(in, FETCH_BUBBLE) / slots;
	out->bad_speculation = 100 * (count(in, INST_SPEC) - count(in, INST_RETIRED)) / slots;
	out->retiring = 100 * count(in, INST_RETIRED) / slots;
	out->backend_bound = 100 - out->frontend_bound - out->bad_speculation - out->retiring;
	return 0;
}

static int stalls_compute(const struct topdown_in *in, struct topdown_out *out)
{
	double cycles = count(in, CPU_CYCLES);

	out->frontend_bound = 100 * count(in, STALL_FRONTEND) / cycles;
	out->backend_bound = 100 * count(in, STALL_BACKEND) / cycles;
	return 0;
}

int topdown_compute(const struct topdown_in *in, struct topdown_out *out)
{
	*out = (struct topdown_out){ 0 };
	if (in->plan.n > TOPDOWN_EVENTS_MAX || (in->plan.kind != TOPDOWN_STALLS && !in->plan.slots))
		return -EINVAL;
	if (!count(in, CPU_CYCLES))
		return -ENODATA;
	switch (in->plan.kind) {
	case TOPDOWN_SLOTS:
		return slots_compute(in, out);
	case TOPDOWN_WIDTH:
		return width_compute(in, out);
	case TOPDOWN_STALLS:
		return stalls_compute(in, out);
	}
	return -EINVAL;
}
