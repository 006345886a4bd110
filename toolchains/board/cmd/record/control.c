/* control.c - a board's sonde has no option for it. */
#include "cmd/record/parts.h"

int record_control_open(struct record_run *run UNUSED, struct err *e UNUSED)
{
	return 0;
}

void record_control_watch(struct record_run *run UNUSED)
{
}

bool record_control_obey(struct ctx *c UNUSED, struct record_run *run UNUSED)
{
	return true;
}

void record_control_close(struct record_run *run UNUSED)
{
}
