/* upcalls.c - batches of upcalls, by thread. */
#include "analyse/upcalls.h"

static void clear(struct upcalls_thread *t)
{
	for (unsigned i = 0; i < UPCALLS_SEGMENTS; i++)
		spread_clear(&t->segments[i]);
	spread_clear(&t->batch);
	t->upcalls = t->reads = 0;
}

void upcalls_forget(struct upcalls *u)
{
	for (size_t i = 0; i < u->threads.n; i++)
		clear(&u->threads.v[i]);
	u->untold = u->dropped = 0;
}

void upcalls_deinit(struct upcalls *u)
{
	upcalls_forget(u);
	vec_free(&u->threads);
	map_deinit(&u->of);
}

static struct upcalls_thread *find(const struct upcalls *u, uint32_t tid)
{
	uint64_t *at = map_get(&u->of, tid);

	return at ? &u->threads.v[*at - 1] : NULL;
}

/* NULL: *r is -ENOMEM, or 0: there are too many. */
static struct upcalls_thread *thread_of(struct upcalls *u, uint32_t tid, int *r)
{
	struct upcalls_thread *t = find(u, tid);
	uint64_t *at;

	*r = 0;
	if (t)
		return t;
	if (u->threads.n == UPCALLS_THREADS) {
		u->dropped++;
		return NULL;
	}
	at = map_add(&u->of, tid, NULL);
	t = vec_add(&u->threads);
	*r = at && t ? 0 : -ENOMEM;
	if (*r)
		return NULL;
	*at = u->threads.n;
	*t = (struct upcalls_thread){ .tid = tid };
	return t;
}

static void begin(struct upcalls_thread *t, uint64_t time)
{
	t->n = 0;
	t->first = time;
	t->told = 0;
	t->is_over = false;
}

void upcalls_raise(struct upcalls *u, uint64_t time)
{
	u->alone = u->on_their_way ? 0 : time;
	u->on_their_way++;
}

void upcalls_lose(struct upcalls *u)
{
	u->on_their_way -= u->on_their_way > 0;
	u->alone = 0;
}

/* An upcall was read: count its wait, if it is known which one it was. */
static int arrive(struct upcalls *u, struct upcalls_thread *t, uint64_t time)
{
	uint64_t from = u->on_their_way == 1 ? u->alone : 0;

	upcalls_lose(u);
	return from && time >= from ? spread_add(&t->segments[UPCALLS_WAIT], time - from) : 0;
}

int upcalls_read(struct upcalls *u, uint32_t tid, uint64_t time, bool got)
{
	int r;
	struct upcalls_thread *t = thread_of(u, tid, &r);

	if (!t)
		return r;
	t->reads++;
	if (!got) {
		t->is_over = true;
		return 0;
	}
	/* The last batch has ended without a call of the datapath. */
	if (t->n && t->is_over)
		u->untold += t->n;
	if (!t->n || t->is_over)
		begin(t, time);
	t->upcalls++;
	t->n++;
	t->last = time;
	return arrive(u, t, time);
}

void upcalls_tell(struct upcalls *u, uint32_t tid, uint64_t time)
{
	struct upcalls_thread *t = find(u, tid);

	if (t && t->n && !t->told)
		t->told = time;
}

int upcalls_told(struct upcalls *u, uint32_t tid, uint64_t time)
{
	struct upcalls_thread *t = find(u, tid);
	int r;

	if (!t || !t->n || !t->told || time < t->told)
		return 0;
	r = spread_add(&t->segments[UPCALLS_RECEIVE], t->last - t->first);
	r = r ? r : spread_add(&t->segments[UPCALLS_DECIDE], t->told - t->last);
	r = r ? r : spread_add(&t->segments[UPCALLS_INSTALL], time - t->told);
	r = r ? r : spread_add(&t->segments[UPCALLS_TOTAL], time - t->first);
	r = r ? r : spread_add(&t->batch, t->n);
	t->n = 0;
	return r;
}

void upcalls_break(struct upcalls *u)
{
	for (size_t i = 0; i < u->threads.n; i++)
		u->threads.v[i].n = 0;
	u->on_their_way = u->alone = 0;
}
