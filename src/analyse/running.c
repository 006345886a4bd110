/* running.c - see running.h. */
#include "analyse/running.h"

/* Set where a task runs: its CPU + 1; 0: nowhere. */
static int set(struct running *r, uint32_t tid, uint64_t where)
{
	uint64_t *at = tid ? map_add(&r->in, tid, NULL) : NULL;

	if (!tid)
		return 0;
	if (!at)
		return -ENOMEM;
	r->n += where && !*at;
	r->n -= !where && *at;
	*at = where;
	return 0;
}

static bool is_at(const struct running *r, uint32_t tid, uint32_t cpu)
{
	const uint64_t *at = map_get(&r->in, tid);

	return at && *at == (uint64_t)cpu + 1;
}

/* The entry of a CPU. NULL: unknown CPU, or no memory. */
static uint32_t *place_of(struct running *r, uint32_t cpu)
{
	while (cpu < RUNNING_CPUS && r->on.n <= cpu) {
		uint32_t *new = vec_add(&r->on);

		if (!new)
			return NULL;
		*new = 0;
	}
	return cpu < RUNNING_CPUS ? &r->on.v[cpu] : NULL;
}

int running_comes(struct running *r, uint32_t cpu, uint32_t tid)
{
	uint32_t *on = place_of(r, cpu), before = on ? *on : 0;

	if (on)
		*on = tid;
	if (before && before != tid && is_at(r, before, cpu) && set(r, before, 0))
		return -ENOMEM;
	return set(r, tid, (uint64_t)cpu + 1);
}

int running_goes(struct running *r, uint32_t cpu, uint32_t tid)
{
	uint32_t *on = place_of(r, cpu);

	if (on && *on == tid)
		*on = 0;
	return set(r, tid, 0);
}

void running_deinit(struct running *r)
{
	map_deinit(&r->in);
	vec_free(&r->on);
}
