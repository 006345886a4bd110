/* aux_live.c - areas are copied, so that the PMU may overwrite them at once. */
#include "record/aux_live.h"

#include "record/aux.h"
#include "source/spe_rings.h"

struct aux_live {
	struct recording *rec;
	struct spe_live live;
	struct spe_tracer *tracers;
	uint8_t **copies;            /* a buffer for each area, of the same size */
	size_t n;
};

static int take(void *arg, size_t i, struct bytes *b, uint64_t *base)
{
	struct aux_live *l = arg;

	return aux_take(l->rec->aux, l->rec, i, l->copies[i], b, base);
}

static int add_areas(struct aux_live *l)
{
	const struct aux *a = l->rec->aux;

	l->tracers = calloc(a->areas.n + 1, sizeof(*l->tracers));
	l->copies = calloc(a->areas.n + 1, sizeof(*l->copies));
	if (!l->tracers || !l->copies)
		return -ENOMEM;
	for (l->n = 0; l->n < a->areas.n; l->n++) {
		const struct aux_area *area = &a->areas.v[l->n];

		l->copies[l->n] = malloc(area->map.size);
		if (!l->copies[l->n])
			return -ENOMEM;
		l->tracers[l->n] = (struct spe_tracer){
			.cpu = (uint32_t)l->rec->rings.v[area->ring].cpu, .tid = a->tid, .midr = aux_midr(l->rec, area),
		};
	}
	return 0;
}

static void find_clock(struct aux_live *l)
{
	const struct aux *a = l->rec->aux;
	struct ring_clock c;

	if (l->n && ring_map_clock(&l->rec->rings.v[a->areas.v[0].ring].map, &c))
		l->live.clock = (struct spe_clock){ c.shift, c.mult, c.zero, c.cycles, c.mask, c.is_short };
}

int aux_live_open(struct aux_live **to, struct source **source, struct recording *r, struct err *e)
{
	struct aux_live *l = calloc(1, sizeof(*l));
	int ret;

	if (!l)
		return err_nomem(e);
	l->rec = r;
	ret = add_areas(l) ? err_nomem(e) : 0;
	find_clock(l);
	l->live.tracers = l->tracers;
	l->live.n = l->n;
	l->live.pmu = r->aux->pmu;
	l->live.take = take;
	l->live.arg = l;
	ret = ret ? ret : spe_rings_open(source, *source, &l->live, e);
	if (ret)
		aux_live_free(l);
	else
		*to = l;
	return ret;
}

void aux_live_free(struct aux_live *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->n; i++)
		free(l->copies[i]);
	free(l->copies);
	free(l->tracers);
	free(l);
}
