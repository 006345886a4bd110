/* parts.c - from the options to a recording, its beginning and its end. */
#include "cmd/record/parts.h"

#include "perf/attr.h"
#include "record/aux.h"
#include "record/newest.h"
#include "record/symbols.h"
#include "record/synth.h"
#include "sys/bpf.h"
#include "sys/tty.h"
#include "sys/worker.h"

#define FREQ_LIMIT "/proc/sys/kernel/perf_event_max_sample_rate"

static int limit_freq(struct record_run *run, struct err *e)
{
	const struct record_want *w = run->want;
	uint64_t max;

	run->freq = w->pace.freq;
	if (sys_read_u64(run->sys, &max, FREQ_LIMIT))
		return w->pace.freq_max ? err_set(e, ENOENT, "cannot read " FREQ_LIMIT ": give -F a number") : 0;
	if (w->pace.freq_max)
		run->freq = max;
	/* The kernel lowers its limit when sampling takes too long, even below the default. */
	if (!run->freq && !w->pace.period && max < SAMPLING_DEFAULT_FREQ)
		run->freq = max;
	if (run->freq <= max)
		return 0;
	if (w->pace.strict_freq) {
		err_set(e, EINVAL, "%llu samples per second are above the kernel's limit of %llu",
			(unsigned long long)w->pace.freq, (unsigned long long)max);
		return err_hint(e, "raise " FREQ_LIMIT " or ask for less with -F");
	}
	run->freq = max;
	run->freq_limited = !w->pace.period;
	return 0;
}

int record_check(struct record_run *run, struct err *e)
{
	struct record_want *w = run->want;
	int r;

	/* Parts need files, even if standard output is a pipe. */
	w->cut.on |= w->more.on.n != 0;
	if (!w->file.output && (w->cut.on || w->cut.stamp))
		w->file.output = "perf.data";
	r = sink_choose(run->sys, &w->file.output, e);
	r = r ? r : record_want_check(w, e);
	return r ? r : limit_freq(run, e);
}

void record_notes(struct ctx *c, const struct record_run *run)
{
	const struct record_want *w = run->want;

	if (w->quiet)
		return;
	if (run->freq_limited)
		cmd_note(c, "-F %llu is above the kernel's limit: sampling with %llu (" FREQ_LIMIT ")",
			 (unsigned long long)w->pace.freq, (unsigned long long)run->freq);
	if (w->pace.freq_given && w->pace.period_given)
		cmd_note(c, "-c and -F: -c decides");
}

static const char *with_self_filter(struct record_run *run, const char *filter)
{
	char text[4200];

	if (filter)
		snprintf(text, sizeof(text), "(%s) && common_pid != %d", filter, sys_self());
	else
		snprintf(text, sizeof(text), "common_pid != %d", sys_self());
	return arena_dup(&run->events.arena, text, strlen(text));
}

int record_self(struct record_run *run, struct err *e)
{
	size_t applied = 0;

	for (size_t i = 0; run->want->exclude_self && i < run->events.v.n; i++) {
		struct event *ev = &run->events.v.v[i];

		if (!ev->tp_system)
			continue;
		ev->filter = with_self_filter(run, ev->filter);
		if (!ev->filter)
			return err_nomem(e);
		applied++;
	}
	if (run->want->exclude_self && !applied)
		return err_set(e, EINVAL, "--exclude-perf is a filter, and only tracepoints have one: -e has none");
	return 0;
}

static void only_side(struct record_run *run)
{
	const struct record_want *w = run->want;

	event_exclude(&run->events, (w->all_user ? PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_HV : 0) |
					    (w->all_kernel ? PERF_ATTR_EXCLUDE_USER : 0));
}

/*
 * The first event carries the side records, unless it does not count on all CPUs, must not start at once, may be
 * switched off or is overwritten: then a dummy event does. The first event may be a dummy itself.
 */
static int choose_tracker(struct record_run *run, struct err *e)
{
	const struct event *first = &run->events.v.v[0];
	bool everywhere = !first->pmu || !first->pmu->has_cpus;
	bool at_once = run->target.kind == TARGET_COMMAND && !run->target.delay_ms && !run->want->more.control &&
		       !run->want->ring.overwrite;
	struct event *dummy;

	if ((everywhere && at_once) || attr_is_dummy(&first->attr)) {
		run->tracker = 0;
		return 0;
	}
	dummy = vec_add(&run->events.v);
	if (!dummy)
		return err_nomem(e);
	sampling_tracker(dummy);
	record_aux_tracker(run, dummy);
	run->tracker = (int)run->events.v.n - 1;
	dummy->leader = run->tracker;
	return 0;
}

static void show_attrs(struct ctx *c, struct record_run *run)
{
	for (size_t i = 0; run->want->verbose > 1 && i < run->events.v.n; i++) {
		out_printf(c->msg, "%s\n", run->events.v.v[i].name);
		attr_print(&run->rec.attrs[i], c->msg);
	}
	out_flush(c->msg);
}

/* Go back to where nothing is open and no command waits: for another try, or for the end. */
static void start_clean(struct record_run *run)
{
	child_stop(&run->loop.child);
	record_trigger_close(run);
	target_deinit(&run->target, run->sys);
	probe_watch_deinit(&run->watch);
}

/* Find out which events are probes, before the events are opened. */
static int watch_init(struct record_run *run, struct err *e)
{
	const struct cpus *cpus = &run->target.cpus;
	size_t places = 0;
	int r;

	for (int cpu = cpus_next(cpus, 0); cpu >= 0; cpu = cpus_next(cpus, (unsigned)cpu + 1))
		places = (size_t)cpu + 1;
	r = probe_watch_init(&run->watch, run->sys, &run->events, places, e);
	for (size_t i = 0; !r && i < run->events.v.n; i++)
		run->events.v.v[i].is_in_kernel = run->watch.kinds[i] == PROBE_OF_KERNEL;
	return r;
}

int record_open(struct ctx *c, struct record_run *run, int argc, char **argv, struct err *e)
{
	const struct record_want *w = run->want;
	bool pipe = !strcmp(w->file.output, "-");
	struct recording_want rw = {
		.target = &run->target,
		.pack = w->file.compress,
		.newest_only = w->ring.overwrite,
		/*
		 * Not for records that wait in a ring until the end, nor if the user wants to see the registers as they
		 * were sampled.
		 */
		.unwind = callgraph_can() && !w->chain.graph.keep && !w->ring.overwrite && !w->sampling.shown_user &&
			  !(w->sampling.lr && w->sampling.shown_intr),
		.aux_bytes = record_aux_bytes(run),
		.ring_bytes = w->ring.pages ? w->ring.pages * (uint64_t)run->sys->page_size(run->sys) : w->ring.bytes,
	};
	int r = target_init(&run->target, &w->target, run->sys, argc, argv, e);

	if (r)
		return r;
	only_side(run);
	r = record_aux_prepare(run, e);
	r = r ? r : record_offcpu_add(run, e);
	r = r ? r : choose_tracker(run, e);
	/* Without parts SIGUSR2 has no effect, but must not end us either. */
	run->loop.asked = true;
	/* A second try with another event keeps the signals: one that came since the first still ends the run. */
	if (!r && run->loop.signals < 0)
		r = loop_open(&run->loop, e);
	if (!r && run->target.argv)
		r = loop_hold(&run->loop, run->target.argv,
			      &(struct child_how){ .out = pipe ? CHILD_STDOUT_IS_STDERR : CHILD_STDOUT_SHARED }, e);
	r = r ? r : watch_init(run, e);
	if (!r) {
		rw.child = run->loop.child.pid;
		rw.tracker = run->tracker;
		rw.sampling = w->sampling;
		rw.sampling.freq = run->freq;
		rw.sampling.inherit = run->target.inherit;
		if (run->target.kind == TARGET_COMMAND)
			rw.sampling.on_exec = run->target.delay_ms ? SAMPLING_TRACKER_ON_EXEC : SAMPLING_ALL_ON_EXEC;
		r = record_trigger_open(run, &rw, e);
		r = r ? r : recording_open(&run->rec, run->sys, &run->events, &rw, e);
		if (r == -EACCES && w->side.namespaces)
			err_hint(e, "--namespaces needs root or CAP_PERFMON, of one's own processes, too");
		run->no_counter = r == -ENOENT || r == -EOPNOTSUPP || r == -ENODEV || r == -ENXIO;
	}
	if (r < 0) {
		start_clean(run);
		return r;
	}
	run->opened = true;
	record_offcpu_opened(run);
	show_attrs(c, run);
	/* Now, before the rings fill: nobody would empty them while this measures. */
	probe_watch_measure(&run->watch);
	return 0;
}

static int synthesise(struct record_run *run, struct err *e)
{
	struct synth s = { .sys = run->sys, .out = &run->file.out, .id = run->file.id, .dsos = &run->rec.dsos };

	int r = run->want->side.cgroups ? synth_cgroups(&s, e) : 0;

	if (r)
		return r;
	synth_kernel(&s);
	run->kernel_hidden = s.kernel_hidden;
	synth_bpf(&s, &bpf_live, run->want->side.no_bpf ? SYNTH_BPF_SYMBOLS : SYNTH_BPF_EVENTS);
	if (run->target.kind == TARGET_CPUS)
		synth_all(&s, e);
	if (run->target.kind == TARGET_TASKS)
		synth_tasks(&s, run->target.tids.v, run->target.tids.n, e);
	if (run->loop.child.pid && run->target.kind == TARGET_COMMAND)
		synth_process(&s, run->loop.child.pid);
	out_flush(&run->file.out);
	sink_mark(&run->sink);
	return run->file.out.error ? err_set(e, -run->file.out.error, "cannot write %s: %s", run->sink.path,
					     err_name(-run->file.out.error))
				   : 0;
}

/* The command was forked before, and keeps its priority. */
static int take_priority(const struct record_run *run, struct err *e)
{
	unsigned priority = (unsigned)run->want->ring.realtime;
	int r = priority ? worker_realtime(priority) : 0;

	if (!r)
		return 0;
	err_set(e, -r, "--realtime: cannot take the priority %u: %s", priority, err_name(-r));
	return err_hint(e, "it needs root, CAP_SYS_NICE, or a limit (ulimit -r)");
}

static int begin_file(struct record_run *run, struct err *e)
{
	int r = sink_open(&run->sink, run->sys, run->want->file.output, e);

	r = r ? r : recfile_begin(&run->file, &run->rec, &run->sink, sys_tracefs(run->sys), e);
	if (r)
		return r;
	record_cut_hold(&run->want->cut, run->sys, run->sink.fd);
	run->file.no_build_ids = run->want->file.no_build_ids;
	run->file.no_symbols = run->want->file.no_symbols;
	run->rec.stats.first_time = run->rec.stats.last_time = 0;
	return unwinder_new(&run->unwinder, &run->file, e);
}

/* Write side records of what runs already; with --overwrite they are kept in the log, for the end. */
static int tell_running(struct record_run *run, struct err *e)
{
	int r;

	if (run->want->side.no_synth)
		return 0;
	run->file.log = run->want->ring.overwrite ? &run->rec.log : NULL;
	r = synthesise(run, e);
	run->file.log = NULL;
	return r;
}

int record_begin(struct record_run *run, struct err *e)
{
	int r = take_priority(run, e);

	r = r ? r : begin_file(run, e);
	if (r)
		return r;
	if (record_cut_find(&run->cut, &run->want->cut, run->sys, run->sink.file.path))
		return err_nomem(e);
	/* Enable the tracker first, so that the kernel reports what starts while /proc is being read. */
	if (run->target.kind != TARGET_COMMAND)
		recording_enable(&run->rec, RECORDING_TRACKER, run->tracker);
	return tell_running(run, e);
}

/* A further signal while the end is written: leave out what takes long. (The end of the command is seen elsewhere.) */
static bool is_asked_to_hurry(void *arg)
{
	struct record_run *run = arg;
	unsigned before = run->loop.n_signals;

	run->hurried |= loop_signals(&run->loop) != before;
	return run->hurried;
}

int record_drain(struct record_run *run, struct err *e)
{
	int r;

	if (run->want->ring.overwrite)
		return newest_drain(&run->rec, e);
	r = run->unwinder ? unwinder_drain(run->unwinder, e) : recording_drain(&run->rec, &run->sink, e);
	if (aux_can() && r >= 0 && run->rec.aux && aux_drain(run->rec.aux, &run->rec, &run->sink, e))
		return -e->code;
	return r;
}

static void tell_line(void *arg, const char *line)
{
	cmd_note(arg, "%s", line);
}

/* Write the end of a file: with --overwrite the newest records, then the features. */
static int end_file(struct ctx *c, struct record_run *run, struct err *e)
{
	int r = run->want->ring.overwrite ? newest_write(&run->rec, &run->sink, e) : 0;

	if (r && !run->sink.full)
		return r;
	mapped_ask(run->sys->mapped, is_asked_to_hurry, run);
	r = unwinder_end(run->unwinder, e);
	r = r ? r : recfile_end(&run->file, c->argc, c->argv, e);
	mapped_ask(run->sys->mapped, NULL, NULL);
	return r;
}

/* The part is complete, and gets its name. */
static int name_file(struct ctx *c, struct record_run *run, struct err *e)
{
	int r = record_cut_end(&run->cut, &run->want->cut, run->sys, run->sink.file.path, e);

	run->cut.bytes += run->sink.pos;
	if (r || run->want->quiet)
		return r;
	out_printf(c->msg, "%s[ %s record: Dump %s ]\n", run->show_status ? "\r" : "", c->program, run->cut.name);
	out_flush(c->msg);
	return 0;
}

int record_next(struct ctx *c, struct record_run *run, struct err *e)
{
	int r = end_file(c, run, e);

	if (!run->want->quiet)
		unwinder_tell(run->unwinder, tell_line, c);
	unwinder_free(run->unwinder);
	run->unwinder = NULL;
	recfile_deinit(&run->file);
	sink_close(&run->sink);
	r = r ? r : name_file(c, run, e);
	r = r ? r : begin_file(run, e);
	run->cut.due = false;
	if (run->want->cut.ns)
		loop_in(&run->loop, LOOP_PART, run->want->cut.ns);
	return r || run->want->ring.overwrite ? r : tell_running(run, e);
}

int record_end(struct ctx *c, struct record_run *run, struct err *e)
{
	int r = end_file(c, run, e);

	return r || !(run->want->cut.on || run->want->cut.stamp) ? r : name_file(c, run, e);
}

/* Does an event sample the kernel? Then its symbols matter. */
static bool samples_kernel(const struct record_run *run)
{
	for (size_t i = 0; i < run->events.v.n; i++) {
		const struct perf_attr *a = &run->rec.attrs[i];

		if (!(a->flags & PERF_ATTR_EXCLUDE_KERNEL) && !attr_is_dummy(a))
			return true;
	}
	return false;
}

static void tell_limits(struct ctx *c, const struct record_run *run)
{
	char text[400];

	if (anchors_note(&run->rec.opener.anchors, text, sizeof(text)))
		cmd_note(c, "%s", text);
	if (run->rec.opener.user_only)
		cmd_note(c, "only user space was sampled: the kernel's side needs root, CAP_PERFMON, or "
			    "kernel.perf_event_paranoid=1");
	else if (run->kernel_hidden && samples_kernel(run))
		cmd_note(c, "kernel addresses are hidden (kptr_restrict), so kernel symbols will be missing");
	if (run->want->side.cgroups && !(run->rec.attrs[0].sample_type & PERF_SAMPLE_CGROUP))
		cmd_note(c, "this kernel does not tell control groups (Linux 5.7 does)");
	if (run->hurried)
		cmd_note(c, "interrupted once more: some build ids or names of functions are missing");
	else if (symbols_can() && run->file.unnamed.code)
		cmd_note(c, "functions have no names in it: %s", run->file.unnamed.text);
	else if (run->file.unnamed.text[0])
		cmd_note(c, "%s", run->file.unnamed.text);
	else if (!symbols_can() && !run->want->file.no_symbols)
		cmd_note(c, "functions have no names in it: that takes the whole sonde");
	if (run->rec.pages_reduced)
		cmd_note(c, "rings are smaller than usual (%zu pages) because of the limit of locked memory: "
			    "/proc/sys/kernel/perf_event_mlock_kb", run->rec.ring_pages);
}

static void tell_losses(struct ctx *c, const struct record_run *run)
{
	const struct recording_stats *st = &run->rec.stats;
	char a[32];

	if (st->lost && run->want->ring.overwrite)
		cmd_note(c, "%s events came while the rings were copied, and are lost",
			 fmt_grouped(a, sizeof(a), st->lost));
	else if (st->lost)
		cmd_note(c, "%s events were lost: the rings were full (a larger -m, a lower -F, or a filter helps)",
			 fmt_grouped(a, sizeof(a), st->lost));
	if (st->throttled)
		cmd_note(c, "the kernel throttled the sampling %s times", fmt_grouped(a, sizeof(a), st->throttled));
	if (run->rec.log.dropped)
		cmd_note(c, "%s records of what was mapped long ago went: there was no room for more",
			 fmt_grouped(a, sizeof(a), run->rec.log.dropped));
	if (run->sink.full)
		cmd_note(c, "the disk is full: the recording ends there, its newest %s are not in the file",
			 fmt_bytes(a, sizeof(a), run->sink.dropped));
}

static void put_ratio(struct ctx *c, const struct packer *p)
{
	if (p && packer_made(p))
		out_printf(c->msg, ", compressed (original %.3f MB, ratio is %.3f)", (double)packer_given(p) / 1048576,
			   (double)packer_given(p) / (double)packer_made(p));
}

int record_summary(struct ctx *c, struct record_run *run)
{
	if (!run->want->quiet) {
		out_printf(c->msg, "[ %s record: Woken up %llu times to write data ]\n", c->program,
			   (unsigned long long)run->loop.wakeups);
		/* As perf has it: the names of all parts differ in their time only. */
		out_printf(c->msg, "[ %s record: Captured and wrote %.3f MB %s%s", c->program,
			   (double)(run->cut.n ? run->cut.bytes : run->sink.pos) / 1048576,
			   record_cut_stem(&run->want->cut, run->sink.path), run->cut.n ? ".<timestamp>" : "");
		put_ratio(c, run->rec.packer);
		out_printf(c->msg, " (%llu samples) ]\n", (unsigned long long)run->rec.stats.samples);
		out_flush(c->msg);
	}
	tell_losses(c, run);
	record_aux_tell(c, run);
	if (run->want->quiet)
		return run->sink.full ? EXIT_FAILED : run->status;
	unwinder_tell(run->unwinder, tell_line, c);
	tell_limits(c, run);
	return run->sink.full ? EXIT_FAILED : run->status;
}

void record_close(struct record_run *run)
{
	/* A command that outlives the recording (--timeout, --max-size, a signal to us alone) is ended, as by perf. It
	 * may take its time: from here on Ctrl-C ends us. */
	if (run->loop.child.pid)
		loop_close(&run->loop);
	unwinder_free(run->unwinder);
	if (run->opened) {
		start_clean(run);
		recording_close(&run->rec);
	}
	loop_close(&run->loop);
	probe_watch_deinit(&run->watch);
	recfile_deinit(&run->file);
	sink_close(&run->sink);
	record_cut_deinit(&run->cut);
	record_control_close(run);
	event_list_deinit(&run->events);
}
