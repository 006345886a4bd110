/* cmd_record.c - sonde record: writes samples and tracepoints into a perf.data. */
#include "cmd/annotate/inline.h"
#include "cmd/cmd.h"

#include "cmd/record/parts.h"
#include "cmd/settle.h"
#include "live/event_env.h"
#include "sys/tty.h"

#include <time.h>

#define NS_PER_S UINT64_C(1000000000)

/* The default event may be replaced: without a counter of cycles, sample by cpu-clock. */
static int fall_back(struct ctx *c, struct record_run *run, struct err *e)
{
	struct err why = *e;
	int r;

	event_list_deinit(&run->events);
	run->events = (struct event_list){ 0 };
	r = event_parse(&run->events, "cpu-clock", run->env, e);
	if (!r && !run->want->quiet)
		cmd_note(c, "no hardware counter for cycles here, sampling by cpu-clock instead (%s)", why.text);
	return r;
}

static int parse_events(struct record_run *run, struct err *e)
{
	struct record_want *w = run->want;
	int r = 0;

	if (!w->events.n)
		return event_parse(&run->events, "cycles", run->env, e);
	for (size_t i = 0; !r && i < w->events.n; i++) {
		size_t from = run->events.v.n;

		r = event_parse(&run->events, w->events.v[i].text, run->env, e);
		if (!r)
			r = event_filter(&run->events, from, w->events.v[i].filter, e);
	}
	if (!r)
		r = record_self(run, e);
	for (size_t i = 0; w->group && i < run->events.v.n; i++)
		run->events.v.v[i].leader = 0;
	return r;
}

static bool is_full(const struct record_run *run)
{
	return run->want->file.max_size && run->sink.pos >= run->want->file.max_size;
}

static void status_line(struct ctx *c, struct record_run *run)
{
	const struct recording_stats *st = &run->rec.stats;
	char samples[32], lost[32], size[32];

	if (!run->status_due)
		return;
	run->status_due = false;
	run->has_status = true;
	out_control(c->msg, "\r");
	out_printf(c->msg, "%4llu s  %s samples  %s lost  %s ",
		   (unsigned long long)((c->sys->now(c->sys, CLOCK_MONOTONIC) - run->started) / NS_PER_S),
		   fmt_grouped(samples, sizeof(samples), st->samples), fmt_grouped(lost, sizeof(lost), st->lost),
		   fmt_bytes(size, sizeof(size), run->sink.pos));
	out_flush(c->msg);
}

/* Call when the events begin to count: the cost of probes is measured from now on. */
static void watch_probes(struct record_run *run)
{
	probe_watch_begin(&run->watch);
	loop_at(&run->loop, LOOP_OTHER, run->watch.next);
}

static void start_delayed(struct ctx *c, struct record_run *run)
{
	recording_enable(&run->rec, RECORDING_ALL, run->tracker);
	record_trigger_start(run);
	watch_probes(run);
	if (!run->want->quiet)
		cmd_note(c, "events enabled");
}

static void look_at_probes(struct ctx *c, struct record_run *run)
{
	struct probe_watch *w = &run->watch;
	bool bad;

	for (size_t i = 0; i < run->rec.fds.n; i++) {
		const struct rec_fd *f = &run->rec.fds.v[i];

		if (probe_watch_wants(w, f->event))
			probe_watch_add(w, f->event, (size_t)f->cpu, recording_count(&run->rec, f));
	}
	bad = probe_watch_judge(w);
	loop_at(&run->loop, LOOP_OTHER, w->next);
	if (!bad || run->want->quiet)
		return;
	out_control(c->msg, run->show_status ? "\r\033[K" : "");
	probe_watch_put(w, true, c->msg);
	out_str(c->msg, ", and what recording them takes\n");
	out_flush(c->msg);
}

static void on_time(struct ctx *c, struct record_run *run)
{
	if (run->loop.time == LOOP_INTERVAL)
		run->status_due = true;
	else if (run->loop.time == LOOP_PART)
		run->cut.due = true;
	else if (run->loop.time == LOOP_DELAY)
		start_delayed(c, run);
	else
		look_at_probes(c, run);
}

/* Wait for the next thing to happen, and handle it. False: the recording is over. */
static bool step(struct ctx *c, struct record_run *run)
{
	switch (loop_next(&run->loop)) {
	case LOOP_TICK:
		on_time(c, run);
		return true;
	case LOOP_DATA:
		record_trigger_look(run);
		return record_control_obey(c, run) && (recording_lives(&run->rec) || run->loop.child.pid);
	case LOOP_ASKED:
		run->cut.due = run->want->cut.on;
		return true;
	case LOOP_CHILD:
		return true;
	default:
		return false;
	}
}

/* Write what is in the rings, and go on to the next file if one is due (--switch-output). */
static int drain(struct ctx *c, struct record_run *run, struct err *e)
{
	const struct record_cut_want *w = &run->want->cut;
	int r = record_drain(run, e);

	run->cut.due |= w->size && run->sink.pos >= w->size;
	return r < 0 || !run->cut.due ? r : record_next(c, run, e);
}

static int record_loop(struct ctx *c, struct record_run *run, struct err *e)
{
	int r;

	record_control_watch(run);
	loop_watch_fds(&run->loop, run->rec.polls, run->rec.rings.n + 2 + record_trigger_watch(run));
	if (run->want->cut.ns)
		loop_in(&run->loop, LOOP_PART, run->want->cut.ns);
	run->status_due = run->show_status;
	if (run->show_status)
		loop_every(&run->loop, run->started, NS_PER_S);
	do {
		r = drain(c, run, e);
		status_line(c, run);
	} while (r >= 0 && !is_full(run) && step(c, run));
	if (r < 0)
		return r;
	recording_disable(&run->rec);
	/* At --max-size, leave out what is still in the rings: it would exceed the limit. */
	r = is_full(run) ? 0 : record_drain(run, e);
	return MIN(r, 0);
}

static int start(struct record_run *run, struct err *e)
{
	int64_t delay = run->target.delay_ms;
	bool on_exec = run->target.kind == TARGET_COMMAND && !delay;

	run->started = run->sys->now(run->sys, CLOCK_MONOTONIC);
	if (!delay && !on_exec)
		recording_enable(&run->rec, RECORDING_ALL, run->tracker);
	if (!delay)
		watch_probes(run);
	if (!on_exec && !delay)
		record_trigger_start(run);
	if (delay > 0)
		loop_at(&run->loop, LOOP_DELAY, run->started + (uint64_t)delay * 1000000);
	if (run->want->file.timeout_ms)
		loop_at(&run->loop, LOOP_LIMIT, run->started + run->want->file.timeout_ms * 1000000);
	return run->loop.child.pid ? loop_go(&run->loop, e) : 0;
}

static int record(struct ctx *c, struct record_run *run, int argc, char **argv, struct err *e)
{
	int r = record_open(c, run, argc, argv, e);
	bool over;

	if (run->no_counter && !run->want->events.n) {
		r = fall_back(c, run, e);
		if (!r)
			r = record_open(c, run, argc, argv, e);
	}
	if (r)
		return r;
	r = record_begin(run, e);
	/* After a Ctrl-C while /proc was read, do not start the command at all. */
	if (!r && loop_look(&run->loop) == LOOP_ASKED)
		run->cut.due = run->want->cut.on;
	over = run->loop.state != LOOP_RUNS;
	if (!r && !over)
		r = start(run, e);
	if (r) {
		sink_discard(&run->sink);
		return r;
	}
	/* No status line beside a command: its output and the line would be mixed. */
	run->show_status = !run->want->quiet && !run->loop.child.pid && tty_is(2);
	if (!over)
		r = record_loop(c, run, e);
	/* Ctrl-C kills the command, too: its exit status counts only if it ended by itself. */
	run->status = run->loop.state == LOOP_COMMAND_ENDED ? run->loop.status : EXIT_DONE;
	if (run->has_status)
		out_control(c->msg, "\r\033[K");
	if (r < 0 && !run->sink.full)
		return r;
	return record_end(c, run, e);
}

static int record_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct record_run run = { .want = want, .sys = c->sys, .sink = { .fd = -1 } };
	struct err e = { 0 };
	int r;

	settle_target(c, &run.want->target);
	r = record_check(&run, &e);
	loop_init(&run.loop, c->sys);
	if (r)
		return cmd_fail(c, &e), cmd_usage_code(c);
	/* perf applies -F to tracepoints, too; sonde records every hit of them unless it is called as perf. */
	run.want->sampling.freq_of_all = cmd_is_perf(c) && run.want->pace.freq_given;
	record_notes(c, &run);
	run.env = event_env_new(c->sys);
	r = run.env ? parse_events(&run, &e) : err_nomem(&e);
	if (r)
		record_aux_hint(&run, &e);
	if (!r && !run.want->quiet)
		inline_notes(c, event_env_probes(run.env));

	bool dry = run.want->dry_run, known = !r;

	if (!r && !dry)
		r = record_control_open(&run, &e);
	if (!r && !dry)
		r = record(c, &run, argc, argv, &e);

	int code = !known ? cmd_fail_events(c, &e) : r ? cmd_fail(c, &e) : dry ? EXIT_DONE : record_summary(c, &run);

	record_trigger_tell(c, &run);
	record_close(&run);
	event_env_free(run.env);
	return code;
}

DEFINE_CMD(record,
	.brief = "Sample events into a perf.data file",
	.synopsis = "[options] [-- command [arguments]]",
	.examples = record_examples,
	.details = PACKED(
		"Without -e it samples cycles, or cpu-clock if there is no counter.\n"
		"Ctrl-C and SIGTERM end the recording; the file is complete. The exit status is the command's."),
	.opts = record_opts, .want_size = sizeof(struct record_want), .run = record_run);
