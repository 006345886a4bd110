/* more.c - the options of more.h: sums by cluster and cache, --metric-only, --pre, --post and others. */
#include "cmd/stat/more.h"

#include "cmd/stat/table.h"

/* The argument of --per-cache: "L2" or "2"; without it the last level. */
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
		      "sums per shared cache: L1 to L4 (default: last level)"),
	OPT_FLAG(0, "percore-show-thread", struct stat_more_want, core_threads,
		 "with -A and events with the term percore: print the core's sum for each of its threads"),
	OPT_FLAG(0, "metric-only", struct stat_more_want, metric_only, "print only metrics, no counts"),
	OPT_FLAG(0, "summary", struct stat_more_want, summary, "with -I: print the total at the end, too"),
	{ OPT_AT(0, "csv-summary", FLAG, struct stat_more_want, csv_summary), .flags = OPT_HIDDEN },
	OPT_STR(0, "control", struct stat_more_want, control, "<how>",
		"read commands from fd:CTL[,ACK] or fifo:CTL[,ACK]: enable, disable, ping, stop"),
	OPT_STR(0, "pre", struct stat_more_want, pre, "<command>", "run this before each run"),
	OPT_STR(0, "post", struct stat_more_want, post, "<command>", "run this after each run"),
	OPT_END,
};

const char stat_examples[] =
	"sonde stat -- make\tdefault events, for a command and its children\n"
	"sonde stat -a -I 1000\tsystem-wide, every second, until Ctrl-C\n"
	"sonde stat -r 5 -e cycles:u,instructions:u -- ./test\tfive runs, with deviation\n"
	"sonde stat -p 1234 --per-thread --timeout 5000\tthreads of a process for five seconds\n"
	"sonde stat -a --topdown -x, -o out.csv -- sleep 10\ttopdown, as CSV\n"
	"sonde stat -a -e kprobe:schedule --max-overhead 5% -- sleep 10\ta frequent probe, estimated\n"
	"sonde stat -a -M Branch_Effectiveness,l1d_cache_mpki sleep 1\tratios: sonde list metric\n"
	"sonde stat -a -A --percore-show-thread -e armv8_pmuv3/l1d_cache,percore/ sleep 1\ta core's sum\n";

int stat_more_check(const struct stat_more_want *w, bool each_cpu, struct err *e)
{
	if (w->core_threads && !each_cpu)
		return err_set(e, EINVAL, "--percore-show-thread is of the rows of -A: with -a -A");
	return 0;
}
