/* opts.c - the options that all profilers share, as perf-prof spells them. */
#include "prof/prof.h"

enum { MS = 1000000 };

/* perf-prof's -i is an interval; a recording's name is no number. */
static int set_from(void *field, const char *value, struct err *e)
{
	struct prof_from *f = field;
	uint64_t ms;

	if (!str_u64(sv_from(value), 10, &ms)) {
		f->input = value;
		return 0;
	}
	if (!ms || ms > UINT32_MAX)
		return err_set(e, EINVAL, "-i %s: an interval is a number of ms, not 0", value);
	f->interval_ns = ms * MS;
	return 0;
}

static int set_graph(void *field, const char *value, struct err *e)
{
	return callgraph_parse(field, value ? value : "fp", e);
}

const struct opt prof_opts[] = {
	OPT_HEAD("Events"),
	OPT_LIST('e', "event", struct prof_want, events, "<events>",
		 "EVENT[/FILTER/ATTR/.../],...: NAME as record takes it; a filter as the kernel has it; attributes as "
		 "'help' behind the command lists them"),
	OPT_STR('k', "key", struct prof_want, key, "<expr>", "key of the events that have none of their own (key=)"),
	OPT_HEAD("Where from"),
	OPT_CALL('i', "interval", 0, struct prof_want, from, set_from, "<ms|file>",
		 "a result each so many ms; or the recording to take the events from (perf.data, trace.dat, - for a "
		 "pipe)"),
	OPT_STR(0, "input", struct prof_want, from.input, "<file>", "the recording"),
	OPT_STR('C', "cpus", struct prof_want, target.cpus, "<list>", "these CPUs: 0,2-5"),
	OPT_STR('p', "pids", struct prof_want, target.pids, "<pids>", "processes, with the threads that they start"),
	OPT_STR('t', "tids", struct prof_want, target.tids, "<tids>", "single threads"),
	OPT_STR(0, "cgroups", struct prof_want, target.cgroups, "<names>",
		"tasks of these control groups; a name with any of *+?^$|()[]{} is an expression that matches several"),
	OPT_U64('m', "mmap-pages", struct prof_want, rings.pages, "<n>", "pages of each CPU's ring"),
	OPT_U64(0, "watermark", struct prof_want, rings.watermark, "<0-100>",
		"wake up when a ring is full to so many percent"),
	OPT_IGNORED(0, "order", FLAG, struct prof_want, rings.order),
	OPT_IGNORED(0, "inherit", FLAG, struct prof_want, form.ignored),
	OPT_IGNORED(0, "ptrace", FLAG, struct prof_want, form.ignored),
	OPT_U64('N', "exit-N", struct prof_want, limit, "<n>", "end after so many events"),
	OPT_FLAG(0, "exclude-user", struct prof_want, sides.no_user, "only what happens in the kernel"),
	OPT_FLAG(0, "exclude-kernel", struct prof_want, sides.no_kernel, "only what happens in user code"),
	OPT_FLAG(0, "exclude-guest", struct prof_want, sides.no_guest, "not what happens in guests"),
	OPT_FLAG(0, "exclude-host", struct prof_want, sides.guest_only, "only what happens in guests"),
	OPT_HEAD("Output"),
	OPT_STR('o', "output", struct prof_want, form.output, "<file>", "instead of standard output"),
	OPT_FLAG('j', "json", struct prof_want, form.json, "rows as JSON"),
	OPT_STR('x', "field-separator", struct prof_want, form.sep, "<sep>", "rows as CSV"),
	OPT_FLAG('q', "quiet", struct prof_want, form.quiet, "results only"),
	OPT_U64(0, "usage-self", struct prof_want, usage_ms, "<ms>",
		"tell so often what CPU and memory this takes itself"),
	OPT_END,
};

const struct opt prof_chain_opts[] = {
	OPT_HEAD("Stacks"),
	OPT_CALL('g', "call-graph", OPT_OPTIONAL, struct prof_want, chains.graph, set_graph, "fp|dwarf[,<size>]|lr",
		 "with the call chain of each event"),
	OPT_STR(0, "flame-graph", struct prof_want, chains.flame, "<file>",
		"stacks as a flame graph, FILE.svg, and as folded text, FILE.folded"),
	OPT_END,
};
