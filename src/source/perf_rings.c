/*
 * perf_rings.c - sweeps and rounds. Two sweeps are in memory: the newest, and the one before it, of which some records
 * still wait for their turn. One round later all of those have been delivered, and the buffer is filled again. The
 * second of two consecutive sweeps that find nothing ends a round, too: so no record is held back on an idle system.
 */
#include "source/perf_rings.h"

#include "perf/file.h"
#include "perf/order.h"
#include "perf/ring.h"

struct sweep {
	VEC(uint8_t) bytes;
	VEC(size_t) ends;          /* offsets in `bytes` behind the added records and behind those of each ring */
	size_t off, part;          /* offset of the next record to sort in; number of `ends` before it */
};

struct perf_rings {
	struct source source;
	struct perf_head head;
	struct ring_map **rings;
	size_t n_rings;
	int (*tap)(void *arg, struct bytes sweep, struct err *e);
	void *arg;
	struct order *order;
	struct sweep sweeps[2];
	unsigned now;              /* index of the sweep that is sorted in */
	bool sorting;              /* it has records left to sort in */
	bool swept;                /* it has records of rings, so it ends a round */
	bool idle;                 /* the last sweep found nothing */
	bool over, ended;          /* no new data will come; order_end() was called */
};

static struct sweep *to_fill(struct perf_rings *p)
{
	return &p->sweeps[!p->now];
}

static int append(struct sweep *s, const struct bytes *piece, size_t n)
{
	size_t *end = vec_add(&s->ends);

	if (!end)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		if (vec_reserve(&s->bytes, piece[i].n))
			return -ENOMEM;
		memcpy(s->bytes.v + s->bytes.n, piece[i].p, piece[i].n);
		s->bytes.n += piece[i].n;
	}
	*end = s->bytes.n;
	return 0;
}

int perf_rings_give(struct source *s, struct bytes records)
{
	struct sweep *to = to_fill((struct perf_rings *)s);

	/* All added records are one part, since a record may come in two pieces. */
	to->ends.n = 0;
	return append(to, &records, 1);
}

/* --- sweep --- */

/* Bytes that cannot be records end the source: the start of the next record is unknown. */
static int take_ring(struct perf_rings *p, struct ring_map *m, struct err *e)
{
	struct ring ring = { m->data, m->size, .head = ring_map_head(m), .tail = m->tail };
	struct bytes piece[2];
	int n = ring_spans(&ring, piece, &p->source.end), r;

	if (n < 0)
		p->over = true;
	if (n <= 0)
		return 0;
	r = append(to_fill(p), piece, (size_t)n);
	if (r)
		return err_nomem(e);
	ring_map_release(m, ring.head);
	return 0;
}

/* Swap the sweeps: sort in the one that was filled. */
static void begin_sorting(struct perf_rings *p)
{
	struct sweep *old = &p->sweeps[p->now];

	p->now = !p->now;
	p->sorting = true;
	old->bytes.n = old->ends.n = old->off = old->part = 0;
}

void perf_rings_round(struct source *s)
{
	struct perf_rings *p = (struct perf_rings *)s;

	p->swept = true;
	begin_sorting(p);
}

/* Copy and release the contents of all rings. 1: there are new records; 0: none; -errno. */
static int sweep(struct perf_rings *p, struct err *e)
{
	struct sweep *s = to_fill(p);
	size_t given = s->bytes.n;
	int r = 0;

	for (size_t i = 0; i < p->n_rings && !r; i++)
		r = take_ring(p, p->rings[i], e);
	p->swept = s->bytes.n > given;
	if (!r && p->swept && p->tap)
		r = p->tap(p->arg, (struct bytes){ s->bytes.v + given, s->bytes.n - given }, e);
	if (r)
		return r;
	if (p->swept)
		begin_sorting(p);
	return p->swept;
}

/* --- order --- */

/* The next record of the sweep: 1; 0: no more. */
static int read_record(struct perf_rings *p, struct sweep *s, struct perf_record *r)
{
	uint64_t off = s->off;
	int got;

	while (s->part < s->ends.n && off == s->ends.v[s->part])
		s->part++;
	if (s->part == s->ends.n)
		return 0;
	got = perf_record_next((struct bytes){ s->bytes.v, s->ends.v[s->part] }, false, &off, r, &p->source.end);
	if (got < 0)
		p->over = true;
	s->off = got == 1 ? (size_t)off : s->ends.v[s->ends.n - 1];
	return got == 1;
}

/* 1: deliver the record now; 0: it waits in `order`; -ENOMEM. */
static int sort_in(struct perf_rings *p, struct source_rec *rec)
{
	const struct perf_record *r = &rec->perf;

	p->source.stats.records++;
	rec->time = 0;
	rec->event = r->type < PERF_REC_USER ? perf_record_event(r, &p->head) : NULL;
	if (!perf_record_time(r, &p->head, rec->event, &rec->time))
		return 1;
	return order_push(p->order, (struct order_item){ rec->time, (uintptr_t)(r->body.p - sizeof(struct perf_rec)) });
}

/* 1: a record to deliver now; 0: all records of the sweep are sorted in; -ENOMEM. */
static int sort_all(struct perf_rings *p, struct source_rec *rec)
{
	struct sweep *s = &p->sweeps[p->now];
	int r = 0;

	while (!r && read_record(p, s, &rec->perf))
		r = sort_in(p, rec);
	if (r)
		return r;
	p->sorting = false;
	if (p->swept)
		order_round(p->order);
	return 0;
}

static bool take_turn(struct perf_rings *p, struct source_rec *rec)
{
	struct order_item it;
	const uint8_t *at;
	uint64_t off = 0;

	if (!order_pop(p->order, &it))
		return false;
	at = (const uint8_t *)(uintptr_t)it.off;
	/* Its size was checked when it was sorted in. */
	perf_record_next((struct bytes){ at, RING_BOUNCE }, false, &off, &rec->perf, NULL);
	rec->time = it.time;
	rec->event = perf_record_event(&rec->perf, &p->head);
	return true;
}

/* A round ends only with the second empty sweep: during the first, another CPU may be writing an older record. */
static int found_nothing(struct perf_rings *p, struct source_rec *rec)
{
	if (p->idle)
		order_round(p->order);
	p->idle = true;
	return take_turn(p, rec) ? SOURCE_RECORD : SOURCE_NOTHING;
}

static int next(struct source *s, struct source_rec *rec, struct err *e)
{
	struct perf_rings *p = (struct perf_rings *)s;
	int r = 0;

	while (!r) {
		if (p->sorting)
			r = sort_all(p, rec);
		else if (take_turn(p, rec))
			r = SOURCE_RECORD;
		else if (p->ended)
			break;
		else if (p->over && !to_fill(p)->bytes.n) {
			order_end(p->order);
			p->ended = true;
		} else if (p->over) {
			p->swept = false;
			begin_sorting(p);
		} else {
			r = sweep(p, e);
			p->idle &= r == 0;
			if (r >= 0)
				r = r ? 0 : found_nothing(p, rec);
		}
	}
	if (p->ended)
		s->stats.late = order_stats(p->order)->late;
	return r;
}

/* --- open and close ------------------------------------------------------------------------------------------ */

static void end_rings(struct source *s)
{
	((struct perf_rings *)s)->over = true;
}

static void close_rings(struct source *s)
{
	struct perf_rings *p = (struct perf_rings *)s;

	for (size_t i = 0; i < ARRAY_SIZE(p->sweeps); i++) {
		vec_free(&p->sweeps[i].bytes);
		vec_free(&p->sweeps[i].ends);
	}
	order_free(p->order);
	tevents_deinit(&s->trace);
	perf_head_deinit(&p->head);
	free(p->rings);
	free(p);
}

static const struct source_kind perf_rings = {
	.form = SOURCE_PERF, .next = next, .end = end_rings, .close = close_rings,
};

int perf_rings_open(struct source **to, struct perf_rings_want *w, struct err *e)
{
	struct perf_rings *p = calloc(1, sizeof(*p));

	if (!p) {
		perf_head_deinit(&w->head);
		return err_nomem(e);
	}
	p->source.kind = &perf_rings;
	p->source.head = &p->head;
	p->head = w->head;
	p->tap = w->tap;
	p->arg = w->arg;
	p->n_rings = w->n_rings;
	p->rings = calloc(w->n_rings + 1, sizeof(struct ring_map *));
	p->order = order_new();
	if (!p->rings || !p->order || source_read_formats(&p->source)) {
		close_rings(&p->source);
		return err_nomem(e);
	}
	memcpy(p->rings, w->rings, w->n_rings * sizeof(struct ring_map *));
	*to = &p->source;
	return 0;
}
