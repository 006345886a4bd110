/* cmd_record.c - sonde record: samples and tracepoints into perf.data. */
#include "cmd/cmd.h"
#include "cmd/inline.h"

#include "cmd/record_parts.h"
#include "flow/event_env.h"
#include "sys/child.h"
#include "sys/tty.h"

#include <signal.h>
#include <time.h>

/* Events that nobody chose may be replaced by what the machine has. */
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
			r = record_filter(run, from, w->events.v[i].filter, e);
	}
	if (!r)
		r = record_self(run, e);
	for (size_t i = 0; w->group && i < run->events.v.n; i++)
		run->events.v.v[i].leader = 0;
	return r;
}

static int stop_reason(const struct record_run *run)
{
	const struct record_want *w = run->want;

	if (w->max_size && run->sink.pos >= w->max_size)
		return RECORD_STOP_SIZE;
	if (w->timeout_ms && run->now - run->started >= w->timeout_ms * 1000000)
		return RECORD_STOP_TIME;
	return RECORD_GO_ON;
}

static int handle_signals(struct record_run *run)
{
	int sig, stop = RECORD_GO_ON;

	while ((sig = signals_next(run->signal_fd))) {
		if (sig == SIGCHLD && run->child.pid > 0 && child_poll(&run->child, &run->child_status, NULL)) {
			run->child_done = true;
			stop = stop ? stop : RECORD_STOP_CHILD;
		} else if (sig == SIGINT || sig == SIGTERM || sig == SIGHUP) {
			run->signal = sig;
			stop = RECORD_STOP_SIGNAL;
		}
	}
	return stop;
}

static void status_line(struct ctx *c, struct record_run *run)
{
	const struct recording_stats *st = &run->rec.stats;
	char samples[32], lost[32], size[32];

	if (!run->show_status || run->now - run->last_status < 1000000000)
		return;
	run->last_status = run->now;
	out_control(c->msg, "\r");
	out_printf(c->msg, "%4llu s  %s samples  %s lost  %s ",
		   (unsigned long long)((run->now - run->started) / 1000000000),
		   fmt_grouped(samples, sizeof(samples), st->samples), fmt_grouped(lost, sizeof(lost), st->lost),
		   fmt_bytes(size, sizeof(size), run->sink.pos));
	out_flush(c->msg);
}

static void start_delayed(struct ctx *c, struct record_run *run)
{
	int64_t delay = run->target.delay_ms;

	if (run->enabled || delay <= 0 || run->now - run->started < (uint64_t)delay * 1000000)
		return;
	recording_enable(&run->rec, RECORDING_ALL, run->tracker);
	run->enabled = true;
	probe_watch_begin(&run->watch);
	if (!run->want->quiet)
		cmd_note(c, "events enabled");
}

static void look_at_probes(struct ctx *c, struct record_run *run)
{
	struct probe_watch *w = &run->watch;

	if (run->now < w->next)
		return;
	for (size_t i = 0; i < run->rec.fds.n; i++) {
		const struct rec_fd *f = &run->rec.fds.v[i];

		if (probe_watch_wants(w, f->event))
			probe_watch_add(w, f->event, (size_t)f->cpu, recording_count(&run->rec, f));
	}
	if (!probe_watch_judge(w) || run->want->quiet)
		return;
	out_control(c->msg, run->show_status ? "\r\033[K" : "");
	probe_watch_put(w, true, c->msg);
	out_str(c->msg, ", and what recording them takes\n");
	out_flush(c->msg);
}

/* Milliseconds until something is due that no descriptor tells. */
static int poll_timeout(const struct record_run *run)
{
	uint64_t due = UINT64_MAX, ms = 1000000, passed = (run->now - run->started) / ms;

	if (run->show_status)
		due = 1000;
	if (run->watch.next != UINT64_MAX)
		due = MIN(due, run->watch.next > run->now ? (run->watch.next - run->now) / 1000000 + 1 : 0);
	if (run->want->timeout_ms)
		due = MIN(due, run->want->timeout_ms > passed ? run->want->timeout_ms - passed : 0);
	if (!run->enabled && run->target.delay_ms > 0)
		due = MIN(due, (uint64_t)run->target.delay_ms > passed ? (uint64_t)run->target.delay_ms - passed : 0);
	return due > INT_MAX ? -1 : (int)due;
}

static int record_loop(struct ctx *c, struct record_run *run, struct err *e)
{
	int stop = RECORD_GO_ON, r;

	while (!stop) {
		r = recording_drain(&run->rec, &run->sink, e);
		if (r < 0)
			return r;
		run->now = c->sys->now(c->sys, CLOCK_MONOTONIC);
		status_line(c, run);
		start_delayed(c, run);
		look_at_probes(c, run);
		stop = stop_reason(run);
		if (stop)
			break;

		bool alive = recording_wait(&run->rec, run->signal_fd, poll_timeout(run));

		run->now = c->sys->now(c->sys, CLOCK_MONOTONIC);
		stop = handle_signals(run);
		if (!stop && !alive && !run->child.pid)
			stop = RECORD_STOP_TASKS;
	}
	run->stop = stop;
	recording_disable(&run->rec);
	/* What is in the rings when the size is reached would only make the file larger. */
	r = stop == RECORD_STOP_SIZE ? 0 : recording_drain(&run->rec, &run->sink, e);
	return r < 0 ? r : 0;
}

static int start(struct record_run *run, struct err *e)
{
	bool on_exec = run->target.kind == TARGET_COMMAND && !run->target.delay_ms;

	run->started = run->now = run->sys->now(run->sys, CLOCK_MONOTONIC);
	if (!run->target.delay_ms && !on_exec)
		recording_enable(&run->rec, RECORDING_ALL, run->tracker);
	run->enabled = !run->target.delay_ms;
	if (run->enabled)
		probe_watch_begin(&run->watch);
	return run->child.pid > 0 ? child_go(&run->child, run->target.argv[0], e) : 0;
}

static int record(struct ctx *c, struct record_run *run, int argc, char **argv, struct err *e)
{
	int r = record_open(c, run, argc, argv, e);

	if (run->no_counter && !run->want->events.n) {
		r = fall_back(c, run, e);
		if (!r)
			r = record_open(c, run, argc, argv, e);
	}
	if (r)
		return r;
	r = record_begin(run, e);
	/* Ctrl-C while /proc was read: the command is not even started. */
	if (!r)
		run->stop = handle_signals(run);
	if (!r && !run->stop)
		r = start(run, e);
	if (r) {
		sink_discard(&run->sink);
		return r;
	}
	/* A command has the terminal for itself: its lines and this one would be mixed. */
	run->show_status = !run->want->quiet && run->child.pid <= 0 && tty_is(2);
	if (!run->stop)
		r = record_loop(c, run, e);
	if (run->show_status && run->last_status)
		out_control(c->msg, "\r\033[K");
	if (r < 0 && !run->sink.full)
		return r;
	return record_end(run, c->argc, c->argv, e);
}

static int record_run(struct ctx *c, void *want, int argc, char **argv)
{
	struct record_run run = {
		.want = want, .sys = c->sys, .signal_fd = -1, .sink = { .fd = -1 },
		.child = { .go_fd = -1, .err_fd = -1 },
	};
	struct err e = { 0 };
	int r = record_check(&run, &e);

	if (r)
		return cmd_fail(c, &e), cmd_usage_code(c);
	/* perf's -F is for tracepoints, too; otherwise they are there to be seen, each one. */
	run.want->sampling.freq_of_all = cmd_is_perf(c) && run.want->freq_given;
	record_notes(c, &run);
	run.env = event_env_new(c->sys);
	r = run.env ? parse_events(&run, &e) : err_nomem(&e);
	if (!r && !run.want->quiet)
		inline_notes(c, event_env_probes(run.env));

	bool dry = run.want->dry_run;

	if (!r && !dry)
		r = record(c, &run, argc, argv, &e);

	int code = r ? cmd_fail(c, &e) : dry ? EXIT_DONE : record_summary(c, &run);

	record_close(&run);
	event_env_free(run.env);
	return code;
}

DEFINE_CMD(record,
	.brief = "Sample events into a perf.data file",
	.synopsis = "[options] [-- command [arguments]]",
	.examples =
		"sonde record -a -g sleep 10\tthe whole system with call chains for ten seconds\n"
		"sonde record -F 99 -p 1234 -g -- sleep 5\ta running process\n"
		"sonde record -g ./a.out\ta program from start to end, with all its children\n"
		"sonde record -e 'sched:*' -a --timeout 1000\tall scheduler tracepoints for a second\n"
		"sonde record -e sched:sched_switch --filter 'prev_prio < 100' -a sleep 1\tonly some of them\n"
		"sonde record -c 1 -e page-faults ./a.out\tevery page fault\n"
		"sonde record -a -o - sleep 1 | ssh host 'cat > perf.data'\tnothing is written on the board\n",
	.details =
		"Without -e the CPU's cycles are sampled, or cpu-clock where there is no counter.\n"
		"Ctrl-C and SIGTERM end the recording; the file is complete. The command's exit status is passed on.",
	.opts = record_opts, .want_size = sizeof(struct record_want), .run = record_run);
