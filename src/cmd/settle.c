#include "cmd/settle.h"

void settle_target(struct ctx *c, struct target_want *w)
{
	const char *left_out = cmd_is_perf(c) ? target_settle(w) : NULL;

	if (left_out)
		cmd_note(c, "%s switch overriding %s", w->pids || w->tids ? "PID/TID" : "UID", left_out);
}
