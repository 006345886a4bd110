/* control.c - sonde record --control: commands from another process. */
#include "cmd/record/parts.h"

#include <poll.h>

/* The entry in the recording's poll array that is left free behind the rings. */
static struct pollfd *place(struct record_run *run)
{
	return &run->rec.polls[run->rec.rings.n + 1];
}

int record_control_open(struct record_run *run, struct err *e)
{
	run->control.fd = -1;
	return run->want->more.control ? control_open(&run->control, run->sys, run->want->more.control, e) : 0;
}

void record_control_watch(struct record_run *run)
{
	*place(run) = (struct pollfd){ .fd = run->control.fd, .events = POLLIN };
}

void record_control_close(struct record_run *run)
{
	if (run->want->more.control && run->control.fd >= 0)
		control_close(&run->control);
}

static void turn(struct ctx *c, struct record_run *run, bool on)
{
	if (on)
		record_trigger_start(run);
	if (on)
		recording_enable(&run->rec, RECORDING_ALL, run->tracker);
	else
		recording_suspend(&run->rec, run->tracker);
	if (!run->want->quiet)
		cmd_note(c, on ? "events enabled" : "events disabled");
}

static void snapshot(struct ctx *c, struct record_run *run)
{
	run->cut.due = run->want->cut.on;
	if (!run->want->cut.on)
		cmd_note(c, "--control: 'snapshot' begins a new file with --switch-output only");
}

bool record_control_obey(struct ctx *c, struct record_run *run)
{
	struct control *by = &run->control;
	struct pollfd *p = place(run);

	if (!p->revents)
		return true;
	control_read(by);
	for (enum control_what what; (what = control_next(by)); ) {
		if (what == CONTROL_ENABLE || what == CONTROL_DISABLE)
			turn(c, run, what == CONTROL_ENABLE);
		if (what == CONTROL_SNAPSHOT)
			snapshot(c, run);
		if (what == CONTROL_UNKNOWN)
			cmd_note(c, "--control: '%s' is none of enable, disable, ping, stop, snapshot", by->line);
		else if (what != CONTROL_END)
			control_ack(by);
		if (what == CONTROL_END)
			p->fd = -1;
		if (what == CONTROL_END || what == CONTROL_STOP)
			return what == CONTROL_END;
	}
	return true;
}
