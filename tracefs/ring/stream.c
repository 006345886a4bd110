/*
 * stream.c - merges rings by time.
 *
 * The ring whose event is next is kept outside of the heap: while it stays the earliest, an event costs one comparison.
 * It advances only in the next call, because its event is borrowed until then.
 */
#include "tracefs/ring/stream.h"

#define NO_RING UINT32_MAX

struct ring {
	struct tstream_ring is;
	struct tpage page;
	struct tpage_event ev;   /* the next event to be given, with ts_offset applied */
	uint64_t lost;           /* events lost before it */
	bool idle;               /* it had no page when it was last asked */
};

struct tstream {
	struct ring *rings;
	size_t n, idle;
	size_t gaps;             /* rings that lost events just before their next event */
	tstream_page_fn *page;
	void *arg;
	bool swap;
	bool taken;              /* the event of `first` was already given */
	uint32_t last;           /* ring of the record given last */
	bool ask;                /* ask idle rings again */
	uint32_t first;          /* ring with the earliest event; NO_RING: take it from the heap */
	int error;
	uint64_t limit, newest;
	struct heap heap;        /* the other rings that have an event */
	struct tstream_stats stats;
};

struct tstream *tstream_new(const struct tstream_ring *rings, size_t n, bool swap, tstream_page_fn *page, void *arg)
{
	struct tstream *s = n < NO_RING ? calloc(1, sizeof(*s)) : NULL;

	if (!s)
		return NULL;
	*s = (struct tstream){
		.n = n, .idle = n, .page = page, .arg = arg, .swap = swap, .ask = true,
		.first = NO_RING, .last = NO_RING,
	};
	s->rings = calloc(n ? n : 1, sizeof(*s->rings));
	if (!s->rings || heap_init(&s->heap, n)) {
		tstream_free(s);
		return NULL;
	}
	for (size_t i = 0; i < n; i++)
		s->rings[i] = (struct ring){ .is = rings[i], .idle = true };
	return s;
}

void tstream_free(struct tstream *s)
{
	if (!s)
		return;
	heap_deinit(&s->heap);
	free(s->rings);
	free(s);
}

static void add_lost(struct tstream *s, struct ring *r, uint64_t lost)
{
	if (!lost)
		return;
	s->stats.gaps++;
	s->gaps += !r->lost;
	if (lost == TPAGE_LOST_UNKNOWN || lost >= TPAGE_LOST_UNKNOWN - r->lost) {
		r->lost = TPAGE_LOST_UNKNOWN;
		return;
	}
	s->stats.lost += lost;
	r->lost += lost;
}

/* Get pages of a ring until one has an event: 1, 0 nothing now, or -errno. */
static int next_page(struct tstream *s, uint32_t i, struct err *e)
{
	struct ring *r = &s->rings[i];
	const uint8_t *bytes;
	size_t n;
	int ret;

	do {
		s->stats.bad_pages += r->page.bad;
		r->page = (struct tpage){ 0 };
		ret = s->page(s->arg, i, &bytes, &n, e);
		if (ret <= 0)
			return ret;
		s->stats.pages++;
		if (tpage_init(&r->page, &r->is.layout, s->swap, bytes, n))
			r->page.bad = true;
		add_lost(s, r, r->page.lost);
	} while (!tpage_next(&r->page, &r->ev));
	return 1;
}

/* Advance a ring to its next event: 1, 0 it is idle now, or -errno. */
static inline int advance(struct tstream *s, uint32_t i, struct err *e)
{
	struct ring *r = &s->rings[i];

	if (!tpage_next(&r->page, &r->ev)) {
		int ret = next_page(s, i, e);

		if (ret <= 0)
			return ret;
	}
	if (r->is.shift)
		r->ev.ts = tshift_time(r->is.shift, r->ev.ts);
	r->ev.ts += (uint64_t)r->is.ts_offset;
	return 1;
}

static int ask_idle(struct tstream *s, struct err *e)
{
	for (uint32_t i = 0; i < s->n && s->idle; i++) {
		int ret;

		if (!s->rings[i].idle)
			continue;
		ret = advance(s, i, e);
		if (ret < 0)
			return ret;
		if (!ret)
			continue;
		s->rings[i].idle = false;
		s->idle--;
		heap_push(&s->heap, s->rings[i].ev.ts, i);
	}
	s->ask = false;
	return 0;
}

/* Make `first` the ring with the earliest event. */
static void choose(struct tstream *s)
{
	const struct heap_item *top = heap_top(&s->heap);
	uint32_t was = s->first;
	uint64_t ts;

	if (!top)
		return;
	if (was == NO_RING) {
		s->first = heap_pop(&s->heap).val;
		return;
	}
	ts = s->rings[was].ev.ts;
	if (ts < top->key || (ts == top->key && was < top->val))
		return;
	s->first = top->val;
	s->heap.v[0].val = was;
	heap_replace(&s->heap, ts);
}

/* Advance beyond the event that was given: 0, or -errno. */
static int move_on(struct tstream *s, struct err *e)
{
	int ret;

	if (!s->taken)
		return 0;
	s->taken = false;
	ret = advance(s, s->first, e);
	if (!ret) {
		s->rings[s->first].idle = true;
		s->idle++;
		s->first = NO_RING;
	}
	return MIN(ret, 0);
}

static int ready(struct tstream *s, uint64_t limit, struct err *e)
{
	int ret = move_on(s, e);

	if (!ret && (s->ask || limit != s->limit)) {
		s->limit = limit;
		ret = ask_idle(s, e);
	}
	return ret;
}

static int failed(struct tstream *s, int error)
{
	s->error = error;
	return error;
}

static void give(const struct tstream *s, uint32_t i, struct tstream_rec *rec)
{
	const struct ring *r = &s->rings[i];

	*rec = (struct tstream_rec){
		.ts = r->ev.ts, .cpu = r->is.cpu, .buffer = r->is.buffer, .ring = i,
		.n = r->ev.n, .raw = r->ev.raw, .page = &r->page,
		.lost = r->lost, .in_gap = s->gaps > 0,
	};
}

/* Mark the event of `first` as given. */
static void take(struct tstream *s)
{
	struct ring *r = &s->rings[s->first];

	s->gaps -= r->lost > 0;
	r->lost = 0;
	s->taken = true;
	s->last = s->first;
	s->stats.events++;
	s->stats.late += r->ev.ts < s->newest;
	s->newest = MAX(s->newest, r->ev.ts);
}

int tstream_next(struct tstream *s, uint64_t limit, struct tstream_rec *rec, struct err *e)
{
	int ret = s->error ? s->error : ready(s, limit, e);

	if (ret < 0)
		return failed(s, ret);
	choose(s);
	if (s->first == NO_RING || s->rings[s->first].ev.ts > limit) {
		s->ask = true;
		return 0;
	}
	give(s, s->first, rec);
	take(s);
	return 1;
}

int tstream_peek(struct tstream *s, struct tstream_rec *rec, struct err *e)
{
	int ret = s->error ? s->error : move_on(s, e);

	if (ret < 0)
		return failed(s, ret);
	if (s->first == NO_RING || s->first != s->last)
		return 0;
	give(s, s->first, rec);
	return 1;
}

int tstream_next_time(struct tstream *s, uint64_t *ts, struct err *e)
{
	int ret = s->error ? s->error : move_on(s, e);

	if (ret < 0)
		return failed(s, ret);
	choose(s);
	if (s->first == NO_RING)
		return 0;
	*ts = s->rings[s->first].ev.ts;
	return 1;
}

void tstream_skip(struct tstream *s)
{
	uint64_t newest = s->newest;

	if (s->taken || s->first == NO_RING || s->first != s->last)
		return;
	take(s);
	s->newest = newest;   /* an event taken out of order does not count for `newest` */
}

const struct tstream_stats *tstream_stats(const struct tstream *s)
{
	return &s->stats;
}
