/* aux.c - a board's sonde records no traces of PMUs. */
#include "cmd/record/parts.h"

int record_aux_size(struct record_ring *ring UNUSED, struct sv of_ring UNUSED, struct sv text UNUSED,
		    struct err *e UNUSED)
{
	return 0;
}

int record_aux_prepare(struct record_run *run, struct err *e)
{
	for (size_t i = 0; i < run->events.v.n; i++) {
		const struct event *ev = &run->events.v.v[i];

		if (ev->pmu && !strncmp(ev->pmu->name, "arm_spe", 7))
			return err_set(e, EOPNOTSUPP, "%s: that takes the whole sonde", ev->name);
	}
	return 0;
}

uint64_t record_aux_bytes(const struct record_run *run UNUSED)
{
	return 0;
}

void record_aux_tracker(const struct record_run *run UNUSED, struct event *dummy UNUSED)
{
}

void record_aux_hint(const struct record_run *run UNUSED, struct err *e UNUSED)
{
}

void record_aux_tell(struct ctx *c UNUSED, const struct record_run *run UNUSED)
{
}
