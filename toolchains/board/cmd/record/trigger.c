/* trigger.c - a board's sonde has no option for it. */
#include "cmd/record/parts.h"

int record_trigger_open(struct record_run *run UNUSED, struct recording_want *w UNUSED, struct err *e UNUSED)
{
	return 0;
}

void record_trigger_start(struct record_run *run UNUSED)
{
}

size_t record_trigger_watch(struct record_run *run UNUSED)
{
	return 0;
}

void record_trigger_look(struct record_run *run UNUSED)
{
}

void record_trigger_tell(struct ctx *c UNUSED, const struct record_run *run UNUSED)
{
}

void record_trigger_close(struct record_run *run UNUSED)
{
}
