/* aux.c - a board's sonde records no AUX areas. */
#include "record/aux.h"

bool aux_can(void)
{
	return false;
}

bool aux_is_traced(const struct event *ev UNUSED)
{
	return false;
}

int aux_open(struct recording *r UNUSED, uint32_t event UNUSED, const struct recording_want *w UNUSED,
	     struct err *e UNUSED)
{
	return 0;
}

void aux_close(struct aux *a UNUSED, const struct sys *sys UNUSED)
{
}

void aux_begin(struct aux *a UNUSED, const struct recording *r UNUSED, struct out *o UNUSED)
{
}

int aux_drain(struct aux *a UNUSED, struct recording *r UNUSED, struct sink *s UNUSED, struct err *e UNUSED)
{
	return 0;
}

void aux_tell(struct aux *a UNUSED, struct feature_set *facts UNUSED, uint64_t end UNUSED)
{
}

void aux_note(struct aux *a UNUSED, const struct perf_record *rec UNUSED)
{
}
