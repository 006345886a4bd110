/* offcpu.c - a board's sonde adds up no times that tasks did not run. */
#include "cmd/record/parts.h"

int record_offcpu_add(struct record_run *run UNUSED, struct err *e UNUSED)
{
	return 0;
}

void record_offcpu_opened(struct record_run *run UNUSED)
{
}
