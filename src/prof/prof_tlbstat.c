/* prof_tlbstat.c - sonde prof tlbstat: TLB accesses and misses for data, by CPU. */
#include "prof/board.h"

struct want {
	struct prof_want prof;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_END,
};

/* Arm counts reads and writes together; it has no event for the generic dTLB-stores. */
static const struct board_pair pairs[] = {
	{ "L1D", "l1d_tlb", "l1d_tlb_refill" }, { "L2D", "l2d_tlb", "l2d_tlb_refill" },
	{ "dTLB", "dTLB-loads", "dTLB-load-misses" },
};

static int prepare(struct prof *p, struct err *e)
{
	return board_pairs_add(p, pairs, ARRAY_SIZE(pairs), e);
}

static int alone(struct prof *p, struct out *o UNUSED, struct err *e)
{
	return board_pairs_run(p, pairs, ARRAY_SIZE(pairs), e);
}

DEFINE_PROF(tlbstat) = {
	.cmd = {
		.name = "tlbstat", .family = "prof", .brief = "Count data TLB references and misses per CPU",
		.synopsis = "[options] [-- command [arguments]]",
		.details = PACKED(
			"The column names the TLB that the core counts; arm64 counts loads and stores together."),
		.examples = PACKED("sonde prof tlbstat -C 0-3 -i 1000\tfour CPUs, every second"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = BOARD_OWN, .prepare = prepare, .alone = alone,
};
