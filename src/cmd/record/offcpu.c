/* offcpu.c - sonde record --off-cpu: opens sched_switch, from which the recorder sums up the time off the CPU. */
#include "cmd/record/parts.h"

static int check(const struct record_run *run, struct err *e)
{
	const struct record_want *w = run->want;

	if (w->ring.overwrite || w->cut.on)
		return err_set(e, EINVAL, "--off-cpu: the times are known at the end, and are of one file: it goes "
			       "without %s", w->cut.on ? "--switch-output" : "--overwrite");
	if (run->target.cgroups.n)
		return err_set(e, EINVAL, "--off-cpu: a control group does not see its tasks come back: -a, -p, -t and "
			       "commands do");
	if (w->chain.kernel)
		return err_set(e, EINVAL, "--off-cpu is about the user's part of call chains, and --kernel-callchains "
			       "leaves it out");
	return 0;
}

int record_offcpu_add(struct record_run *run, struct err *e)
{
	struct record_want *w = run->want;
	struct event *ev;
	int r = w->more.off_cpu ? check(run, e) : 0;

	if (r || !w->more.off_cpu)
		return r;
	r = event_parse(&run->events, "sched:sched_switch", run->env, e);
	if (r)
		return err_hint(e, "--off-cpu looks at this event: it needs the tracing file system, and root");
	ev = &run->events.v.v[run->events.v.n - 1];
	ev->name = "offcpu-time";
	ev->tp_system = ev->tp_name = NULL;
	ev->set |= EVENT_OFF_CPU | EVENT_SET_CALLCHAIN | EVENT_SET_PERIOD;
	ev->set |= w->chain.graph.stack ? EVENT_SET_STACK : 0;
	ev->attr.sample_period = 1;
	ev->attr.flags |= PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL;
	/*
	 * A per-task sched_switch event fires only when its task leaves the CPU, and next_pid of another task's
	 * event is not reliable either: tracepoints do not fire where RCU is not watching, which was always so in
	 * the idle task of one virtual CPU (6.18). So SWITCH records tell when a task comes back.
	 */
	w->sampling.track |= PERF_ATTR_CONTEXT_SWITCH;
	return 0;
}

void record_offcpu_opened(struct record_run *run)
{
	if (!run->want->more.off_cpu)
		return;
	run->rec.offcpu.cpus = &run->target.cpus;
	run->rec.offcpu.keeps_switches = run->want->side.switches;
	for (uint32_t i = 0; i < run->events.v.n; i++)
		if (run->events.v.v[i].set & EVENT_OFF_CPU)
			run->rec.offcpu.event = i;
	run->rec.offcpu.on = true;
}
