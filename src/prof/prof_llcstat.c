/* prof_llcstat.c - sonde prof llcstat: hits and misses of the last-level cache, by CPU. */
#include "prof/board.h"

struct want {
	struct prof_want prof;
};

static const struct opt opts[] = {
	OPT_SUB(prof_opts, struct want, prof),
	OPT_END,
};

/*
 * Arm: LL_CACHE counts what the core considers the last level; on cores without it count accesses that leave the core
 * (L3D, L2D). The generic cache-references are L1D there.
 */
static const struct board_pair pairs[] = {
	{ "LL", "ll_cache_rd", "ll_cache_miss_rd" }, { "L3D", "l3d_cache", "l3d_cache_refill" },
	{ "L2D", "l2d_cache", "l2d_cache_refill" }, { "LLC", "LLC-loads", "LLC-load-misses" },
};

static int prepare(struct prof *p, struct err *e)
{
	return board_pairs_add(p, pairs, ARRAY_SIZE(pairs), e);
}

static int alone(struct prof *p, struct out *o UNUSED, struct err *e)
{
	return board_pairs_run(p, pairs, ARRAY_SIZE(pairs), e);
}

DEFINE_PROF(llcstat) = {
	.cmd = {
		.name = "llcstat", .family = "prof", .brief = "Count last level cache references and misses per CPU",
		.synopsis = "[options] [-- command [arguments]]",
		.details = PACKED(
			"Shows the outermost cache for which the core counts both: LL is the last level as the core "
			"defines it, L3D and L2D are accesses to those. The column names it."),
		.examples = PACKED("sonde prof llcstat -C 0-3 -i 1000\tfour CPUs, every second"),
		.opts = opts, .want_size = sizeof(struct want),
	},
	.own = BOARD_OWN, .prepare = prepare, .alone = alone,
};
