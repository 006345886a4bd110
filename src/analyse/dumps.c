/* dumps.c - see dumps.h. */
#include "analyse/dumps.h"

void dumps_deinit(struct dumps *d)
{
	vec_free(&d->done);
	map_deinit(&d->of);
}

static struct flow_dump *of_leader(struct dumps *d, uint32_t leader)
{
	for (size_t i = 0; i < d->n_open; i++)
		if (d->open[i].leader == leader)
			return &d->open[i];
	return NULL;
}

static int keep(struct dumps *d, const struct flow_dump *one)
{
	struct flow_dump *to;

	if (d->done.n == DUMPS_DONE) {
		d->dropped++;
		return 0;
	}
	to = vec_add(&d->done);
	if (!to)
		return -ENOMEM;
	*to = *one;
	return 0;
}

int dumps_begin(struct dumps *d, uint32_t leader, uint64_t time, uint64_t flows)
{
	struct flow_dump *o = of_leader(d, leader);
	int r = 0;

	if (o && o->ended) {
		o->wait = time >= o->ended ? time - o->ended : DUMPS_UNKNOWN;
		r = keep(d, o);
	} else if (o) {
		d->broken++;
	} else if (d->n_open < DUMPS_OPEN) {
		o = &d->open[d->n_open++];
	} else {
		d->dropped++;
		return 0;
	}
	*o = (struct flow_dump){
		.leader = leader, .begun = time, .flows = flows, .wait = DUMPS_UNKNOWN, .asked = DUMPS_UNKNOWN,
	};
	return r;
}

void dumps_name(struct dumps *d, uint32_t leader, uint64_t id)
{
	struct flow_dump *o = of_leader(d, leader);

	if (o && !o->ended)
		o->id = id;
}

int dumps_join(struct dumps *d, uint32_t tid, uint64_t id)
{
	uint64_t *at = map_get(&d->of, tid);

	if (!at && d->of.n == DUMPS_THREADS) {
		d->dropped++;
		return 0;
	}
	at = at ? at : map_add(&d->of, tid, NULL);
	if (!at)
		return -ENOMEM;
	*at = id;
	return 0;
}

uint64_t dumps_of(const struct dumps *d, uint32_t tid)
{
	const uint64_t *at = map_get(&d->of, tid);

	return at ? *at : 0;
}

void dumps_count(struct dumps *d, uint64_t id, enum dumps_number number, uint64_t n)
{
	for (size_t i = 0; id && i < d->n_open; i++)
		if (d->open[i].id == id && !d->open[i].ended)
			d->open[i].number[number] += n;
}

void dumps_end(struct dumps *d, uint32_t leader, uint64_t time, uint64_t asked)
{
	struct flow_dump *o = of_leader(d, leader);

	if (!o || o->ended || time < o->begun)
		return;
	o->ended = MAX(time, UINT64_C(1));
	o->asked = asked;
}

void dumps_break(struct dumps *d)
{
	d->broken += d->n_open;
	d->n_open = 0;
	map_deinit(&d->of);
	d->of = (struct map){ 0 };
}

int dumps_finish(struct dumps *d)
{
	int r = 0;

	for (size_t i = 0; !r && i < d->n_open; i++)
		if (d->open[i].ended)
			r = keep(d, &d->open[i]);
	d->n_open = 0;
	return r;
}

void dumps_forget(struct dumps *d)
{
	d->done.n = 0;
	d->broken = d->dropped = 0;
}
