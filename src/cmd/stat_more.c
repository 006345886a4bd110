/* stat_more.c - sums of other parts, derived values alone, what runs around a run. */
#include "cmd/stat_more.h"

#include "cmd/stat_table.h"

/* "L2", "2" */
static int cache_level(void *want, const char *value, struct err *e)
{
	struct stat_more_want *w = want;
	struct sv text = sv_from(value ? value : "");

	w->per_cache = true;
	w->cache_level = STAT_LAST_CACHE;
	if (!value)
		return 0;
	if (text.n && (text.s[0] == 'L' || text.s[0] == 'l'))
		text = (struct sv){ text.s + 1, text.n - 1 };
	if (str_u64(text, 10, &w->cache_level) && w->cache_level >= 1 && w->cache_level <= STAT_CACHES_MAX)
		return 0;
	return err_set(e, EINVAL, "'%s' is no cache level: L1 to L%d", value, STAT_CACHES_MAX);
}

const struct opt stat_more_opts[] = {
	OPT_FLAG(0, "per-cluster", struct stat_more_want, per_cluster, "sums per cluster of cores"),
	OPT_CALL_WANT(0, "per-cache", OPT_OPTIONAL, cache_level, "<level>",
		      "sums per cache that CPUs share: L1 to L4, or the last that there is"),
	OPT_FLAG(0, "percore-show-thread", struct stat_more_want, core_threads,
		 "with -A, of events with the term percore: the core's sum beside each of its threads"),
	OPT_FLAG(0, "metric-only", struct stat_more_want, metric_only, "only what is derived from the counts"),
	OPT_FLAG(0, "summary", struct stat_more_want, summary, "behind the intervals of -I also their sum"),
	{ OPT_AT(0, "csv-summary", FLAG, struct stat_more_want, csv_summary), .flags = OPT_HIDDEN },
	OPT_STR(0, "control", struct stat_more_want, control, "<how>",
		"fd:CTL[,ACK] or fifo:CTL[,ACK]: enable, disable, ping, stop are read there"),
	OPT_STR(0, "pre", struct stat_more_want, pre, "<command>", "run it before each run"),
	OPT_STR(0, "post", struct stat_more_want, post, "<command>", "run it behind each run"),
	OPT_END,
};
