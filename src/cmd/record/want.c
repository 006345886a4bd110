/* want.c - the options of `sonde record`. */
#include "cmd/record/want.h"

#include "arch/arch.h"
#include "cmd/cmd.h"
#include "cmd/record/regs.h"
#include "pack/pack.h"

/* --- values --- */

static int add_event(void *field, const char *value, struct err *e)
{
	struct record_events *l = field;

	if (!value) {
		l->n = 0;
		return 0;
	}
	if (l->n == RECORD_EVENTS_MAX)
		return err_set(e, EINVAL, "more than %d of them; one -e takes several with commas", RECORD_EVENTS_MAX);
	l->v[l->n++] = (struct record_event){ .text = value };
	return 0;
}

static int add_filter(void *field, const char *value, struct err *e)
{
	struct record_events *l = field;

	if (!l->n)
		return err_set(e, EINVAL, "stands before any -e: it belongs to the event in front of it");
	l->v[l->n - 1].filter = value;
	return 0;
}

static int set_call_graph(void *field, const char *value, struct err *e)
{
	struct record_chain *chain = field;
	int r;

	if (!callgraph_can() && value && !strncmp(value, "dwarf", 5))
		return cmd_elsewhere("record --call-graph dwarf", e);
	r = callgraph_parse(&chain->graph, value ? value : "no", e);
	chain->on = chain->graph.on;
	return r;
}

static int set_freq(void *field, const char *value, struct err *e)
{
	struct record_pace *pace = field;

	pace->freq_given = value != NULL;
	pace->freq_max = value && !strcmp(value, "max");
	pace->freq = 0;
	if (!value || pace->freq_max)
		return 0;
	if (!str_u64(sv_from(value), 10, &pace->freq) || !pace->freq)
		return err_set(e, EINVAL, "'%s' is not a number of samples per second, nor max", value);
	return 0;
}

static int set_period(void *field, const char *value, struct err *e)
{
	struct record_pace *pace = field;

	pace->period_given = value != NULL;
	pace->period = 0;
	if (value && (!str_u64(sv_from(value), 10, &pace->period) || !pace->period || pace->period > INT64_MAX))
		return err_set(e, EINVAL, "'%s' is not a number of events", value);
	return 0;
}

/* A number of pages, as in perf, or bytes with a suffix. */
static int set_ring(void *field, const char *value, struct err *e)
{
	struct record_ring *ring = field;
	struct sv rest = sv_from(value), text = { 0 };
	bool ok;
	int r;

	/* "-m 128,64": the second number is the AUX area's. */
	sv_cut(&rest, ',', &text);
	ring->pages = ring->bytes = 0;
	if (!value)
		return 0;
	r = record_aux_size(ring, text, rest, e);
	if (r)
		return MIN(r, 0);
	if (text.n && text.s[text.n - 1] >= '0' && text.s[text.n - 1] <= '9')
		ok = str_u64(text, 10, &ring->pages) && ring->pages;
	else
		ok = str_size(text, &ring->bytes) && ring->bytes;
	if (!ok)
		return err_set(e, EINVAL, "'%s' is neither a number of pages nor a size like 512K or 4M", value);
	if (ring->pages > 1 << 20 || ring->bytes > UINT64_C(1) << 32)
		return err_set(e, EINVAL, "'%s' is more than a ring can have", value);
	return 0;
}

static int set_clock(void *field, const char *value, struct err *e)
{
	static const struct { const char *name; int id; } clocks[] = {
		{ "realtime", 0 }, { "real", 0 }, { "monotonic", 1 }, { "mono", 1 }, { "monotonic_raw", 4 },
		{ "raw", 4 },
		{ "boottime", 7 }, { "boot", 7 }, { "tai", 11 },
		{ "CLOCK_REALTIME", 0 }, { "CLOCK_MONOTONIC", 1 }, { "CLOCK_MONOTONIC_RAW", 4 },
		{ "CLOCK_BOOTTIME", 7 }, { "CLOCK_TAI", 11 },
	};
	struct sampling_want *s = field;
	uint64_t id = UINT64_MAX;

	s->use_clockid = value != NULL;
	if (!value)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++)
		if (!strcmp(value, clocks[i].name))
			id = (uint64_t)clocks[i].id;
	if (id > 11 && (!str_u64(sv_from(value), 10, &id) || id > 11))
		return err_set(e, EINVAL, "'%s' is not a clock: mono, raw, boot, real and tai are", value);
	s->clockid = (int32_t)id;
	return 0;
}

/* Bits of branch_sample_type, linux/perf_event.h. */
static int add_branches(void *field, const char *value, struct err *e)
{
	static const struct { const char *name; unsigned bit; } kinds[] = {
		{ "u", 0 }, { "k", 1 }, { "hv", 2 }, { "any", 3 }, { "any_call", 4 }, { "any_ret", 5 },
		{ "ind_call", 6 }, { "abort_tx", 7 }, { "in_tx", 8 },
		{ "no_tx", 9 }, { "cond", 10 }, { "ind_jmp", 12 }, { "call", 13 },
		{ "no_flags", 14 }, { "no_cycles", 15 }, { "save_type", 16 }, { "hw_index", 17 },
	};
	struct sampling_want *s = field;
	struct sv rest = sv_from(value), one;

	s->branches = 0;
	while (sv_cut(&rest, ',', &one)) {
		size_t i = 0;

		while (i < ARRAY_SIZE(kinds) && !sv_eq(one, kinds[i].name))
			i++;
		if (i == ARRAY_SIZE(kinds))
			return err_set(e, EINVAL, "'%.*s' is no kind of branch: any, any_call, any_ret, cond, u, k are",
				       (int)MIN(one.n, 40u), one.s);
		s->branches |= PERF_BIT(kinds[i].bit);
	}
	/* u, k and hv alone mean any branch there, as in perf. */
	if (s->branches && !(s->branches & ~UINT64_C(7)))
		s->branches |= PERF_BIT(3);
	return 0;
}

static int any_branch(void *field, const char *value UNUSED, struct err *e UNUSED)
{
	struct sampling_want *s = field;

	s->branches |= PERF_BIT(3);
	return 0;
}

/* --synth: read nothing from /proc at the start, or everything; perf's names of parts are accepted, but mean all. */
static int set_synth(void *field, const char *value, struct err *e)
{
	static const char *const parts[] = { "all", "task", "mmap", "cgroup" };
	struct record_side *side = field;
	struct sv rest = sv_from(value), one;

	side->no_synth = value && !strcmp(value, "no");
	while (!side->no_synth && sv_cut(&rest, ',', &one)) {
		size_t i = 0;

		while (i < ARRAY_SIZE(parts) && !sv_eq(one, parts[i]))
			i++;
		if (i == ARRAY_SIZE(parts))
			return err_set(e, EINVAL, "'%s' is neither no nor all", value);
	}
	return 0;
}

static int set_realtime(void *field, const char *value, struct err *e)
{
	enum { PRIORITY_MAX = 99 };
	struct record_ring *ring = field;

	ring->realtime = 0;
	if (value && (!str_u64(sv_from(value), 10, &ring->realtime) || !ring->realtime ||
		      ring->realtime > PRIORITY_MAX))
		return err_set(e, EINVAL, "'%s' is not a priority: 1 to %d are", value, PRIORITY_MAX);
	return 0;
}

static int set_user_regs(void *field, const char *value, struct err *e)
{
	struct sampling_want *s = field;

	return record_regs_parse(&s->shown_user, value, e);
}

static int set_intr_regs(void *field, const char *value, struct err *e)
{
	struct sampling_want *s = field;

	return record_regs_parse(&s->shown_intr, value, e);
}

static int set_cut(void *field, const char *value, struct err *e)
{
	return record_cut_parse(field, value, e);
}

static int set_compress(void *field, const char *value, struct err *e)
{
	enum { LEVEL_MAX = 22 };
	struct record_file *file = field;
	uint64_t level = 1;

	if (value && (!str_u64(sv_from(value), 10, &level) || level > LEVEL_MAX))
		return err_set(e, EINVAL, "'%s' is not a level: 0 to %d are", value, LEVEL_MAX);
	file->compress = level > 0;
	return file->compress && !pack_can() ? cmd_elsewhere("record -z", e) : 0;
}

#define HIDDEN_VALUE(l, n, fn) OPT_CALL_WANT(l, n, OPT_HIDDEN, fn, "", "")
#define HIDDEN_FLAG(l, n, type, field) OPT_IGNORED(l, n, FLAG, type, field)

static const struct opt pace_opts[] = {
	OPT_CALL_WANT('F', "freq", 0, set_freq, "<hz>", "samples per second and CPU, or max (default 4000)"),
	OPT_FLAG(0, "strict-freq", struct record_pace, strict_freq,
		 "fail when the kernel does not allow the frequency"),
	OPT_CALL_WANT('c', "count", 0, set_period, "<n>", "sample every <n> events"),
	OPT_END,
};

static const struct opt chain_opts[] = {
	OPT_FLAG('g', NULL, struct record_chain, on, "call chains by frame pointers, kernel and user"),
	OPT_CALL_WANT(0, "call-graph", 0, set_call_graph, "<how>",
		      "fp: same as -g; dwarf[,SIZE]: unwind by CFI; dwarf,keep: store stack copies; lr: caller only"),
	OPT_FLAG(0, "user-callchains", struct record_chain, user, "only the user part of call chains"),
	OPT_FLAG(0, "kernel-callchains", struct record_chain, kernel, "only the kernel part of call chains"),
	OPT_U64(0, "max-stack", struct record_chain, max_stack, "<n>", "maximum number of frames in a call chain"),
	OPT_END,
};

static const struct opt holds_opts[] = {
	OPT_FLAG('d', "data", struct record_holds, addr, "record data addresses"),
	OPT_FLAG('W', "weight", struct record_holds, weight, "record sample weights (latencies)"),
	/* Options of perf that are rarely used. */
	HIDDEN_FLAG('P', "period", struct record_holds, period),
	HIDDEN_FLAG(0, "phys-data", struct record_holds, phys_addr),
	HIDDEN_FLAG(0, "data-page-size", struct record_holds, data_page_size),
	HIDDEN_FLAG(0, "code-page-size", struct record_holds, code_page_size),
	OPT_END,
};

static const struct opt sampling_opts[] = {
	OPT_FLAG('R', "raw-samples", struct sampling_want, raw,
		 "record raw data of all events (tracepoints always have it)"),
	OPT_CALL_WANT('b', "branch-any", OPT_NO_VALUE, any_branch, "", "record the branch stack of each sample"),
	OPT_CALL_WANT('j', "branch-filter", 0, add_branches, "<kinds>",
		"branch stack with only these: any_call, any_ret, cond, u, k ..."),
	OPT_CALL_WANT('k', "clockid", 0, set_clock, "<clock>", "clock of timestamps: mono, raw, boot, real, tai"),
	OPT_FLAG('s', "stat", struct sampling_want, task_counts, "record event counts per task at its exit"),
	OPT_FLAG('n', "no-samples", struct sampling_want, no_samples, "no samples, only counts and side records"),
	OPT_FLAG(0, "no-buffering", struct sampling_want, each_wakes, "wake up and write at each sample"),
	OPT_CALL_WANT('I', "intr-regs", OPT_OPTIONAL, set_intr_regs, "<names>",
		      "record registers at the sample (--intr-regs=? lists the names)"),
	OPT_CALL_WANT(0, "user-regs", OPT_OPTIONAL, set_user_regs, "<names>", "record user-space registers"),
	HIDDEN_FLAG(0, "running-time", struct sampling_want, running_time),
	OPT_END,
};

static const struct opt side_opts[] = {
	OPT_FLAG(0, "switch-events", struct record_side, switches, "record every context switch"),
	OPT_FLAG(0, "namespaces", struct record_side, namespaces, "record namespaces"),
	OPT_FLAG(0, "all-cgroups", struct record_side, cgroups, "record cgroups, and the cgroup of each sample"),
	HIDDEN_FLAG(0, "buildid-mmap", struct record_side, build_ids),
	HIDDEN_FLAG(0, "no-bpf-event", struct record_side, no_bpf),
	HIDDEN_VALUE(0, "synth", set_synth),
	/* Accepted: lists of mappings are never cut short by time. */
	{ OPT_AT(0, "proc-map-timeout", U64, struct record_side, proc_map_ms), .flags = OPT_HIDDEN },
	OPT_END,
};

static const struct opt file_opts[] = {
	OPT_STR('o', "output", struct record_file, output, "<file>",
		"file to write (default perf.data, or standard output if that is a pipe); -: standard output"),
	OPT_CALL_WANT('z', "compression-level", OPT_OPTIONAL, set_compress, "<n>",
		      "compress records (zstd; one level, 0: off)"),
	OPT_U64(0, "timeout", struct record_file, timeout_ms, "<ms>", "stop after this time"),
	OPT_SIZE(0, "max-size", struct record_file, max_size, "<size>", "stop when the file reaches this size"),
	OPT_FLAG(0, "no-symbols", struct record_file, no_symbols,
		 "do not store symbol names of samples"),
	HIDDEN_FLAG('B', "no-buildid", struct record_file, no_build_ids),
	OPT_END,
};

static const struct opt ring_opts[] = {
	OPT_CALL_WANT('m', "mmap-pages", 0, set_ring, "<n>[,<aux>]",
		      "ring buffer and AUX area per CPU: pages, or sizes like 4M (default 512K,4M)"),
	OPT_FLAG(0, "overwrite", struct record_ring, overwrite,
		 "overwrite the oldest records; write at the end, or on snapshot"),
	HIDDEN_VALUE('r', "realtime", set_realtime),
	OPT_END,
};

static const struct opt cut_opts[] = {
	OPT_CALL_WANT(0, "switch-output", OPT_OPTIONAL, set_cut, "<when>",
		      "start a new file on SIGUSR2 (default), or every 100M, 30s, 1h"),
	OPT_U64(0, "switch-max-files", struct record_cut_want, max_files, "<n>",
		"keep only the newest <n> of these files"),
	{ OPT_AT(0, "timestamp-filename", FLAG, struct record_cut_want, stamp), .flags = OPT_HIDDEN },
	OPT_END,
};

const struct opt record_opts[] = {
	OPT_HEAD("Events"),
	OPT_CALL('e', "event", 0, struct record_want, events, add_event, "<event>",
		 "event to sample; comma-separated or repeated"),
	OPT_CALL(0, "filter", 0, struct record_want, events, add_filter, "<expr>",
		 "filter for the tracepoints of the -e before it"),
	OPT_SUB(pace_opts, struct record_want, pace),
	OPT_FLAG(0, "all-user", struct record_want, all_user, "user space only"),
	OPT_FLAG(0, "all-kernel", struct record_want, all_kernel, "kernel only"),
	OPT_FLAG(0, "exclude-perf", struct record_want, exclude_self, "leave out sonde's own tracepoint events"),
	HIDDEN_FLAG(0, "group", struct record_want, group),
	OPT_HEAD("Contents of samples"),
	OPT_SUB(chain_opts, struct record_want, chain),
	OPT_SUB(holds_opts, struct record_want, holds),
	OPT_SUB(sampling_opts, struct record_want, sampling),
	OPT_SUB(side_opts, struct record_want, side),
	OPT_SUB(target_opts, struct record_want, target),
	OPT_FLAG(0, "per-thread", struct record_want, per_thread, "same as -i"),
	OPT_HEAD("Recording"),
	OPT_SUB(file_opts, struct record_want, file),
	OPT_SUB(cut_opts, struct record_want, cut),
	OPT_SUB(record_more_opts, struct record_want, more),
	OPT_SUB(ring_opts, struct record_want, ring),
	OPT_FLAG('q', "quiet", struct record_want, quiet, "print errors only"),
	OPT_COUNT('v', "verbose", struct record_want, verbose, "print more; -vv: event attributes"),
	OPT_FLAG(0, "dry-run", struct record_want, dry_run, "only check options and events"),
	/* Accepted without effect: sonde does so anyway. */
	HIDDEN_FLAG('T', "timestamp", struct record_want, ignored),
	HIDDEN_FLAG('N', "no-buildid-cache", struct record_want, ignored),
	HIDDEN_FLAG(0, "buildid-all", struct record_want, ignored),
	HIDDEN_FLAG(0, "sample-cpu", struct record_want, ignored),
	HIDDEN_FLAG(0, "sample-identifier", struct record_want, ignored),
	HIDDEN_FLAG(0, "timestamp-boundary", struct record_want, ignored),
	/* Existing tasks are recorded last with --overwrite, and only then. */
	HIDDEN_FLAG(0, "tail-synthesize", struct record_want, ignored),
	OPT_SUB(record_refused_opts, struct record_want, ignored),
	OPT_END,
};

/* --- the whole --- */

static void fill_sampling(struct record_want *w)
{
	struct sampling_want *s = &w->sampling;

	s->callchain = w->chain.on || w->chain.user || w->chain.kernel;
	s->callchain_flags = (w->chain.user ? PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL : 0) |
			     (w->chain.kernel ? PERF_ATTR_EXCLUDE_CALLCHAIN_USER : 0);
	/* The caller of a function without a frame of its own, see source/stacks.h. */
	s->chain_regs = arch_native()->frame ? UINT64_C(1) << arch_native()->reg_lr : 0;
	if (callgraph_can()) {
		s->user_regs = arch_native()->user_regs_mask;
		s->stack = w->chain.graph.stack;
		s->lr = w->chain.graph.lr;
	}
	s->extra = (w->holds.addr ? PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC : 0) |
		   (w->holds.period ? PERF_SAMPLE_PERIOD : 0) | (w->holds.weight ? PERF_SAMPLE_WEIGHT : 0) |
		   (w->holds.phys_addr ? PERF_SAMPLE_PHYS_ADDR : 0) |
		   (w->holds.data_page_size ? PERF_SAMPLE_DATA_PAGE_SIZE : 0) |
		   (w->holds.code_page_size ? PERF_SAMPLE_CODE_PAGE_SIZE : 0) |
		   (s->branches ? PERF_SAMPLE_BRANCH_STACK : 0);
	s->extra |= w->side.cgroups ? PERF_SAMPLE_CGROUP : 0;
	s->track = (w->side.cgroups ? PERF_ATTR_CGROUP : 0) | (w->side.namespaces ? PERF_ATTR_NAMESPACES : 0) |
		   (w->side.switches ? PERF_ATTR_CONTEXT_SWITCH : 0) | (w->side.no_bpf ? 0 : PERF_ATTR_BPF_EVENT) |
		   (w->side.build_ids ? PERF_ATTR_BUILD_ID : 0) | (w->holds.addr ? PERF_ATTR_MMAP_DATA : 0);
	s->max_stack = (uint16_t)w->chain.max_stack;
	s->period = w->pace.period;
}

static int check_parts(const struct record_want *w, struct err *e)
{
	bool is_pipe = w->file.output && !strcmp(w->file.output, "-");

	if ((w->cut.on || w->cut.stamp) && is_pipe)
		return err_set(e, EINVAL, "%s: a pipe has no files; give -o a name",
			       w->cut.on ? "--switch-output" : "--timestamp-filename");
	if (w->cut.max_files && !w->cut.on)
		return err_set(e, EINVAL, "--switch-max-files goes with --switch-output");
	if (w->ring.overwrite && w->cut.size)
		return err_set(e, EINVAL, "--overwrite writes at a signal or a time: --switch-output=SIZE never comes");
	return 0;
}

int record_want_check(struct record_want *w, struct err *e)
{
	enum { LONGEST_MS = INT_MAX, FRAMES_MAX = 1024 };

	if (w->all_user && w->all_kernel)
		return err_set(e, EINVAL, "--all-user and --all-kernel leave nothing");
	if (w->chain.user && w->chain.kernel)
		return err_set(e, EINVAL, "--user-callchains and --kernel-callchains leave nothing: -g has both");
	if (w->chain.max_stack > FRAMES_MAX)
		return err_set(e, EINVAL, "--max-stack: %llu is above %d",
			       (unsigned long long)w->chain.max_stack, FRAMES_MAX);
	if (w->file.timeout_ms > LONGEST_MS)
		return err_set(e, EINVAL, "--timeout: %llu ms are above %d, which is 24 days",
			       (unsigned long long)w->file.timeout_ms, LONGEST_MS);
	if (w->target.delay && !strcmp(w->target.delay, "-1") && !w->more.control)
		return err_set(e, EINVAL, "--delay: with -1 nothing would ever be recorded without --control");
	if (callgraph_can() && w->chain.graph.lr && !arch_native()->frame) {
		err_set(e, EOPNOTSUPP, "--call-graph lr: processors of %s have no link register", arch_native()->name);
		return err_hint(e, "fp and dwarf are the ways to get call chains here");
	}
	w->target.no_inherit |= w->per_thread;
	fill_sampling(w);
	return check_parts(w, e);
}
