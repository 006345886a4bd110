/* more.c - options of `sonde record` that a board's does not have. */
#include "cmd/record/want.h"

const struct opt record_more_opts[] = {
	OPT_STR(0, "control", struct record_more_want, control, "<how>",
		"read commands from fd:CTL[,ACK] or fifo:CTL[,ACK]: enable, disable, ping, stop, snapshot"),
	OPT_LIST(0, "switch-output-event", struct record_more_want, on, "<event>",
		 "start a new file when this event occurs, at most one per second; tracepoints may have a filter: "
		 "sched:sched_switch/prev_prio < 100/"),
	OPT_FLAG(0, "off-cpu", struct record_more_want, off_cpu,
		 "record off-CPU times by call chain, too, as event offcpu-time"),
	OPT_END,
};
