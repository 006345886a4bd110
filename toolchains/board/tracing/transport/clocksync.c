/* clocksync.c - guests compare clocks with their host by the whole sonde, whose agent runs there. */
#include "tracing/transport/clocksync.h"

int clocksync_serve(struct clocksync *s UNUSED, struct undo *u UNUSED, const struct tfs *top UNUSED,
		    const char *clock UNUSED, const struct net_addr *peer UNUSED, unsigned *port UNUSED, struct err *e)
{
	return err_set(e, EOPNOTSUPP, "this build compares no clocks");
}

void clocksync_wait(struct clocksync *s UNUSED, unsigned ms UNUSED)
{
}

void clocksync_deinit(struct clocksync *s UNUSED)
{
}
