/* probe_lines.c - lines of the source are looked at elsewhere. */
#include "cmd/probe/probe.h"

int probe_lines(struct ctx *c UNUSED, struct probe_want *w UNUSED, struct err *e)
{
	return cmd_elsewhere("probe -L", e);
}
