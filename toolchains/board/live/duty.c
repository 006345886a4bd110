/* duty.c - a board does not keep probes below a share of a core: who asks for that is told. */
#include "live/duty.h"

int duty_init(struct duty *d UNUSED, const struct pace_want *w UNUSED, double limit UNUSED, struct err *e)
{
	err_set(e, EOPNOTSUPP, "this build cannot take probes away in time (--max-overhead)");
	return err_hint(e, "the whole sonde can ('make'); 'sonde probe --cost' tells here what a probe will take");
}

void duty_deinit(struct duty *d UNUSED)
{
}

int duty_start(struct duty *d UNUSED, struct counters *c UNUSED, const struct counters_want *w UNUSED,
	       struct err *e UNUSED)
{
	return -EOPNOTSUPP;
}

void duty_begin(struct duty *d UNUSED)
{
}

void duty_end(struct duty *d UNUSED)
{
}

bool duty_step(struct duty *d UNUSED)
{
	return false;
}

void duty_put_share(const struct duty *d UNUSED, double share UNUSED, struct out *o UNUSED)
{
}
