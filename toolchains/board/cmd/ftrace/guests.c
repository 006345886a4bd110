/* guests.c - a board records itself: guests are begun by the whole sonde. */
#include "cmd/ftrace/guests.h"

int guests_begin(struct guests *gs UNUSED, struct ctx *c UNUSED, const struct want *w UNUSED, const char *output UNUSED,
		 struct err *e)
{
	return cmd_elsewhere("ftrace record -A", e);
}

size_t guests_options(struct guests *gs UNUSED, struct tdat_option *to UNUSED)
{
	return 0;
}

void guests_stop(struct guests *gs UNUSED)
{
}

int guests_finish(struct guests *gs UNUSED)
{
	return EXIT_DONE;
}

void guests_deinit(struct guests *gs UNUSED)
{
}

int guests_wait(const struct guests *gs UNUSED, char **argv UNUSED, struct err *e)
{
	return cmd_elsewhere("ftrace record -A", e);
}
