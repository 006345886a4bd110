/* polls.c - sum up turns by the number of packets returned. */
#include "analyse/polls.h"

void polls_deinit(struct polls *p)
{
	polls_forget(p);
	vec_free(&p->threads);
	map_deinit(&p->of);
}

/* NULL: *r is -ENOMEM, or 0: there are too many. */
static struct polls_thread *thread_of(struct polls *p, uint32_t tid, int *r)
{
	uint64_t *at = map_get(&p->of, tid);
	struct polls_thread *t;

	*r = 0;
	if (at)
		return &p->threads.v[*at - 1];
	if (p->threads.n == POLLS_THREADS) {
		p->dropped++;
		return NULL;
	}
	at = map_add(&p->of, tid, NULL);
	t = vec_add(&p->threads);
	*r = at && t ? 0 : -ENOMEM;
	if (*r)
		return NULL;
	*at = p->threads.n;
	*t = (struct polls_thread){ .tid = tid };
	return t;
}

int polls_enter(struct polls *p, uint32_t tid, uint64_t time)
{
	int r;
	struct polls_thread *t = thread_of(p, tid, &r);

	if (!t)
		return r;
	if (t->is == POLLS_BACK && time >= t->entered)
		r = spread_add(&p->bursts[t->burst].turn, time - t->entered);
	t->is = POLLS_IN;
	t->entered = time;
	return r;
}

int polls_return(struct polls *p, uint32_t tid, uint64_t time, uint64_t packets)
{
	int r;
	struct polls_thread *t = thread_of(p, tid, &r);
	struct polls_burst *b;

	if (!t || t->is != POLLS_IN)
		return r;
	t->is = POLLS_BACK;
	t->burst = (unsigned)MIN(packets, (uint64_t)POLLS_MORE);
	b = &p->bursts[t->burst];
	b->n++;
	p->polls++;
	p->packets += packets;
	return time >= t->entered ? spread_add(&b->call, time - t->entered) : 0;
}

void polls_break(struct polls *p)
{
	for (size_t i = 0; i < p->threads.n; i++)
		p->threads.v[i].is = POLLS_OUT;
}

void polls_forget(struct polls *p)
{
	for (unsigned i = 0; i < POLLS_BURSTS; i++) {
		spread_clear(&p->bursts[i].turn);
		spread_clear(&p->bursts[i].call);
		p->bursts[i].n = 0;
	}
	p->polls = p->packets = p->dropped = 0;
}

bool polls_ns_per_packet(const struct polls *p, unsigned burst, double *ns)
{
	const struct spread *empty = &p->bursts[0].turn, *full = &p->bursts[burst].turn;

	if (!burst || burst == POLLS_MORE || !empty->n || !full->n)
		return false;
	*ns = ((double)spread_at(full, 500) - (double)spread_at(empty, 500)) / burst;
	return true;
}
