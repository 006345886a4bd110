/* unwinder.c - a board's sonde records no stacks. */
#include "record/unwinder.h"

int unwinder_new(struct unwinder **to UNUSED, struct recfile *f UNUSED, struct err *e UNUSED)
{
	return 0;
}

void unwinder_free(struct unwinder *u UNUSED)
{
}

int unwinder_drain(struct unwinder *u UNUSED, struct err *e UNUSED)
{
	return 0;
}

int unwinder_end(struct unwinder *u UNUSED, struct err *e UNUSED)
{
	return 0;
}

void unwinder_tell(const struct unwinder *u UNUSED, void (*say)(void *arg, const char *line) UNUSED, void *arg UNUSED)
{
}
