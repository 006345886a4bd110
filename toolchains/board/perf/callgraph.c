/* callgraph.c - a board's sonde follows no stacks: call chains are those of frame records. */
#include "perf/callgraph.h"

bool callgraph_can(void)
{
	return false;
}

int callgraph_parse(struct callgraph *c, const char *text, struct err *e)
{
	c->on = !strncmp(text, "fp", 2) && (!text[2] || text[2] == ',');
	return c->on || !strcmp(text, "no") ? 0 : err_set(e, EINVAL, "'%s' is no way to get call chains: fp is", text);
}

uint32_t callgraph_stack(uint64_t bytes UNUSED)
{
	return 0;
}

bool callgraph_copies(struct perf_attr *a UNUSED, const struct event *ev UNUSED, const struct sampling_want *w UNUSED)
{
	return false;
}

bool callgraph_plain(struct perf_attr *a UNUSED)
{
	return false;
}

bool callgraph_off_cpu(struct perf_attr *a UNUSED, const struct event *ev UNUSED)
{
	return false;
}
