/*
 * spe_feed.c - the queues are merged by a heap whose top is the queue with the oldest record. A sample is delivered
 * before the first record of the recording that is younger.
 *
 * The thread of an SPE record: if the kernel writes the pid to CONTEXTIDR (CONFIG_PID_IN_CONTEXTIDR) the record has it;
 * else it comes from SWITCH_CPU_WIDE records, or the AUX area belongs to one thread.
 */
#include "source/spe_feed.h"

#include "base/heap.h"
#include "perf/side.h"
#include "spe/data_source.h"

enum { WORDS = 16, ID_BASE = 1000000000 };

struct spe_feed {
	struct perf_head *head;
	struct bytes bytes;           /* of the file; empty with `live` */
	const struct spe_live *live;  /* NULL: a recording */
	struct spe_want want;
	struct spe_buffers from;
	struct heap heap;             /* queues that have a record, by its time */
	uint64_t sample_type;
	uint32_t event[SPE_SAMPLES];  /* indices of the synthesised events */
	uint64_t id;                  /* of the first of them */
	struct map pids;              /* tid -> pid */
	struct map running;           /* CPU -> tid */
	bool by_context;              /* records have CONTEXTIDR: ignore switches */
	struct source_rec plain;      /* the recording's next own record */
	bool has_plain, ended;
	unsigned due;                 /* mask of samples still to be made of the current record of `now` */
	struct spe_queue *now;
	struct spe_told told;
	uint64_t word[1 + WORDS];
};

/* --- events -------------------------------------------------------------------------------------------------- */

static struct perf_event *traced_event(const struct spe_feed *f)
{
	struct perf_head *h = f->head;

	for (size_t i = 0; i < h->events.n; i++)
		if (h->events.v[i].attr.type == f->from.pmu)
			return &h->events.v[i];
	return NULL;
}

/* Do all events have IDENTIFIER? Without it samples of several events cannot be told apart. */
static bool has_ids(const struct perf_head *h)
{
	for (size_t i = 0; i < h->events.n; i++)
		if (!(h->events.v[i].attr.sample_type & PERF_SAMPLE_IDENTIFIER))
			return false;
	return true;
}

static bool is_timed(const struct perf_head *h)
{
	for (size_t i = 0; i < h->events.n; i++)
		if (h->events.v[i].attr.sample_type & PERF_SAMPLE_TIME)
			return true;
	return false;
}

static uint64_t first_id(const struct perf_head *h, size_t event)
{
	uint64_t id = UINT64_MAX;

	for (size_t i = 0; i < h->ids.cap; i++)
		if (h->ids.used[i] && h->ids.slot[i].val == event)
			id = MIN(id, h->ids.slot[i].key);
	return id;
}

static struct perf_attr made_attr(const struct spe_feed *f, const struct perf_event *of)
{
	const uint64_t kept = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
			      PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER |
			      PERF_SAMPLE_PHYS_ADDR;
	const uint64_t flags = PERF_ATTR_EXCLUDE_USER | PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_HV |
			       PERF_ATTR_EXCLUDE_HOST | PERF_ATTR_EXCLUDE_GUEST | PERF_ATTR_SAMPLE_ID_ALL;
	struct perf_attr a = { .type = PERF_HARDWARE, .size = of->attr.size };

	a.sample_type = (of->attr.sample_type & kept) | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_PERIOD |
			PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_ADDR | PERF_SAMPLE_TIME;
	if (!is_timed(f->head))
		a.sample_type &= ~PERF_SAMPLE_TIME;
	a.flags = of->attr.flags & flags;
	a.read_format = of->attr.read_format;
	return a;
}

static int add_event(struct spe_feed *f, struct perf_attr *a, enum spe_sample kind, uint64_t id)
{
	struct perf_head *h = f->head;
	uint64_t *index = map_add(&h->ids, id, NULL);
	struct perf_event *ev;

	if (kind == SPE_INSTRUCTIONS) {
		a->config = PERF_HW_INSTRUCTIONS;
		a->sample_period = f->want.period;
	}
	ev = index ? perf_head_add(h, a) : NULL;
	if (!ev)
		return -ENOMEM;
	ev->name = ev->label = spe_sample_name(kind);
	*index = f->event[kind] = (uint32_t)(h->events.n - 1);
	return 0;
}

static int add_events(struct spe_feed *f, const struct perf_event *of)
{
	struct perf_head *h = f->head;
	struct perf_attr a = made_attr(f, of);
	uint64_t id = first_id(h, (size_t)(of - h->events.v)) + ID_BASE;
	int r = 0;

	f->id = id ? id : 1;
	f->sample_type = a.sample_type;
	for (unsigned kind = 0; !r && kind < SPE_SAMPLES; kind++)
		if (f->want.kinds >> kind & 1)
			r = add_event(f, &a, kind, f->id + kind);
	if (!r)
		perf_head_find_ids(h);
	return r;
}

/* --- records -------------------------------------------------------------------------------------------------- */

static bool next_record(struct spe_feed *f, struct spe_queue *q)
{
	while (!spe_stream_next(&q->stream, &q->record, &f->told.stats)) {
		const struct spe_buffer *b;

		if (q->next >= q->buffers.n) {
			if (!f->live)
				spe_stream_end(&q->stream, &f->told.stats);
			return false;
		}
		b = &q->buffers.v[q->next++];
		spe_stream_give(&q->stream, (struct bytes){ f->bytes.p + b->off, (size_t)b->n }, b->base);
	}
	return true;
}

/* The time of the queue's record in ns; a record without one gets that of the record before it. */
static uint64_t time_of(const struct spe_feed *f, struct spe_queue *q)
{
	uint64_t time = q->record.has_time ? spe_clock_ns(&f->from.clock, q->record.time) : 0;

	q->newest = MAX(q->newest, time);
	return q->newest;
}

static int begin(struct spe_feed *f)
{
	int r = heap_init(&f->heap, f->from.queues.n);

	for (uint32_t i = 0; !r && i < f->from.queues.n; i++) {
		struct spe_queue *q = &f->from.queues.v[i];

		if (next_record(f, q))
			heap_push(&f->heap, time_of(f, q), i);
	}
	return r;
}

static void find_task(struct spe_feed *f, struct spe_queue *q)
{
	const uint64_t *found;

	if (q->record.has_context) {
		q->at_tid = q->record.context;
		f->by_context = true;
	} else if (!f->by_context) {
		found = map_get(&f->running, q->cpu);
		q->at_tid = found ? (uint32_t)*found : q->tid;
	}
	f->told.nobodys += q->at_tid == UINT32_MAX;
	found = map_get(&f->pids, q->at_tid);
	if (found)
		q->at_pid = (uint32_t)*found;
	else
		q->at_pid = q->at_tid ? UINT32_MAX : 0;
}

static unsigned samples_of(const struct spe_feed *f, struct spe_queue *q)
{
	unsigned of = spe_samples_of(&q->record) & f->want.kinds;

	if (++q->passed < f->want.period)
		return of & ~(1u << SPE_INSTRUCTIONS);
	q->passed = 0;
	return of;
}

/* Take the oldest record: find its task and the samples to make of it. */
static void take_record(struct spe_feed *f)
{
	f->now = &f->from.queues.v[heap_top(&f->heap)->val];
	find_task(f, f->now);
	f->due = samples_of(f, f->now);
}

static void pass_record(struct spe_feed *f)
{
	struct spe_queue *q = f->now;

	f->now = NULL;
	if (next_record(f, q))
		heap_replace(&f->heap, time_of(f, q));
	else
		heap_pop(&f->heap);
}

/* --- samples -------------------------------------------------------------------------------------------------- */

struct words {
	const struct spe_feed *f;
	uint64_t *at;
};

static void put(struct words *w, uint64_t bit, uint64_t v)
{
	if (w->f->sample_type & bit)
		*w->at++ = v;
}

static uint64_t pair(uint32_t low, uint32_t high)
{
	return (uint64_t)high << 32 | low;
}

static void put_sample(struct words *w, const struct spe_queue *q, enum spe_sample kind)
{
	const struct spe_record *r = &q->record;
	uint64_t id = w->f->id + kind;
	bool jumps = kind == SPE_BRANCH_MISS;

	put(w, PERF_SAMPLE_IDENTIFIER, id);
	put(w, PERF_SAMPLE_IP, r->pc);
	put(w, PERF_SAMPLE_TID, pair(q->at_pid, q->at_tid));
	put(w, PERF_SAMPLE_TIME, q->newest);
	put(w, PERF_SAMPLE_ADDR, jumps ? r->target : r->addr);
	put(w, PERF_SAMPLE_ID, id);
	put(w, PERF_SAMPLE_STREAM_ID, id);
	put(w, PERF_SAMPLE_CPU, pair(q->cpu, 0));
	put(w, PERF_SAMPLE_PERIOD, kind == SPE_INSTRUCTIONS ? w->f->want.period : 1);
	put(w, PERF_SAMPLE_WEIGHT, r->latency);
	put(w, PERF_SAMPLE_DATA_SRC, jumps ? 0 : spe_data_source(r, spe_buffers_midr(&w->f->from, q->cpu)));
	put(w, PERF_SAMPLE_PHYS_ADDR, jumps ? 0 : r->physical);
}

static void give_sample(struct spe_feed *f, struct source_rec *rec)
{
	unsigned kind = (unsigned)__builtin_ctz(f->due);
	struct words w = { f, f->word + 1 };
	struct perf_rec head = { .type = PERF_REC_SAMPLE };
	size_t n;

	f->due &= f->due - 1;
	put_sample(&w, f->now, kind);
	n = (size_t)(w.at - f->word) * sizeof(*f->word);
	head.misc = f->now->record.pc >> 63 ? PERF_MISC_KERNEL : PERF_MISC_USER;
	head.size = (uint16_t)n;
	memcpy(f->word, &head, sizeof(head));
	*rec = (struct source_rec){
		.time = f->now->newest, .event = &f->head->events.v[f->event[kind]],
		.perf = { .type = PERF_REC_SAMPLE, .misc = head.misc,
			  .body = { (const uint8_t *)(f->word + 1), n - sizeof(head) } },
	};
}

/* --- the recording's own records --------------------------------------------------------------------------------- */

static int keep(struct map *m, uint64_t key, uint64_t value)
{
	uint64_t *at = map_add(m, key, NULL);

	if (!at)
		return -ENOMEM;
	*at = value;
	return 0;
}

static int follow_switch(struct spe_feed *f, const struct source_rec *rec)
{
	struct cursor c = perf_head_cursor(f->head, rec->perf.body);
	struct sample id;
	uint32_t tid;

	if (!(rec->perf.misc & PERF_MISC_SWITCH_OUT) || !rec->event ||
	    perf_record_ids(&rec->perf, &rec->event->layout, &id, NULL))
		return 0;
	cur_skip(&c, 4);
	tid = cur_u32(&c);
	return c.bad ? 0 : keep(&f->running, id.cpu, tid);
}

static void follow_aux(struct spe_feed *f, const struct source_rec *rec)
{
	struct cursor c = perf_head_cursor(f->head, rec->perf.body);
	uint64_t flags;

	cur_skip(&c, 16);
	flags = cur_u64(&c);
	f->told.truncated += !!(flags & PERF_AUX_TRUNCATED);
	f->told.partial += !!(flags & PERF_AUX_PARTIAL);
	f->told.collided += !!(flags & PERF_AUX_COLLISION);
}

static int follow(struct spe_feed *f, const struct source_rec *rec)
{
	struct side side;

	if (rec->perf.type == PERF_REC_SWITCH_CPU_WIDE)
		return follow_switch(f, rec);
	if (rec->perf.type == PERF_REC_AUX)
		follow_aux(f, rec);
	if (rec->perf.type != PERF_REC_COMM && rec->perf.type != PERF_REC_FORK)
		return 0;
	if (side_decode(&rec->perf, f->head->swap, &side) != 1)
		return 0;
	return keep(&f->pids, side.tid, side.pid);
}

/* 1: f->plain is set, or the recording has ended; else the result of plain(). */
static int look_ahead(struct spe_feed *f, struct source *s, int (*plain)(struct source *, struct source_rec *))
{
	int got;

	if (f->has_plain || f->ended)
		return 1;
	got = plain(s, &f->plain);
	f->has_plain = got == SOURCE_RECORD;
	f->ended = got == SOURCE_END;
	return f->has_plain || f->ended ? 1 : got;
}

/* Is the oldest SPE record next, before the recording's own? */
static bool is_due(const struct spe_feed *f)
{
	const struct heap_item *top = heap_top(&f->heap);

	return top && (f->live || f->ended || (f->plain.time && top->key < f->plain.time));
}

/* Get new data of the live tracers, when all queues are empty. 0 or -errno. */
static int refill(struct spe_feed *f)
{
	for (uint32_t i = 0; i < f->from.queues.n; i++) {
		struct spe_queue *q = &f->from.queues.v[i];
		struct bytes b;
		uint64_t base;
		int r = f->live->take(f->live->arg, i, &b, &base);

		if (r)
			return r;
		if (!b.n)
			continue;
		spe_stream_give(&q->stream, b, base);
		if (next_record(f, q))
			heap_push(&f->heap, time_of(f, q), i);
	}
	return 0;
}

static bool has_records(const struct spe_feed *f)
{
	return f->due || f->now || heap_top(&f->heap);
}

/* look_ahead() for live tracers: SPE records are delivered when the rings have no records. */
static int look_live(struct spe_feed *f, struct source *s, int (*plain)(struct source *, struct source_rec *))
{
	int got = has_records(f) ? 1 : look_ahead(f, s, plain), r;

	if (got != SOURCE_NOTHING && (got != 1 || f->has_plain || has_records(f)))
		return got;
	r = refill(f);
	if (r || has_records(f))
		return r ? r : 1;
	for (size_t i = 0; f->ended && i < f->from.queues.n; i++)
		spe_stream_end(&f->from.queues.v[i].stream, &f->told.stats);
	return got;
}

int spe_feed_next(struct spe_feed *f, struct source *s, struct source_rec *rec,
		  int (*plain)(struct source *s, struct source_rec *rec))
{
	int got = f->live ? look_live(f, s, plain) : look_ahead(f, s, plain);

	if (got != 1)
		return got;
	while (!f->due && (f->now || is_due(f))) {
		if (f->now)
			pass_record(f);
		else
			take_record(f);
	}
	if (f->due) {
		give_sample(f, rec);
		return SOURCE_RECORD;
	}
	if (f->ended && !f->has_plain)
		return SOURCE_END;
	if (!f->has_plain)
		return SOURCE_NOTHING;
	f->has_plain = false;
	*rec = f->plain;
	return follow(f, rec) ? -ENOMEM : SOURCE_RECORD;
}

/* --- open and close ---------------------------------------------------------------------------------------------- */

static void refuse(struct perf_head *h, const char *why)
{
	struct err *note = vec_add(&h->notes);

	h->incomplete = true;
	if (note)
		err_set(note, EOPNOTSUPP, "SPE records are not read: %s", why);
}

static int open_feed(struct spe_feed *f, const struct perf_file *file, bool *reads)
{
	struct perf_head *h = f->head;
	struct perf_event *of;
	int r = spe_buffers_find(&f->from, file);

	if (r || !f->from.found || !f->from.queues.n)
		return r;
	of = traced_event(f);
	if (h->swap)
		refuse(h, "they are from a machine of the other byte order");
	else if (!of)
		refuse(h, "none of the events is of their PMU");
	else if (!has_ids(h))
		refuse(h, "samples of this recording have no PERF_SAMPLE_IDENTIFIER");
	else
		*reads = true;
	if (!*reads)
		return 0;
	of->traced = true;
	r = add_events(f, of);
	return r ? r : begin(f);
}

/* May the recording have SPE buffers? Searching for them walks all of it. */
static bool may_have_buffers(const struct perf_head *h)
{
	for (size_t i = 0; i < h->events.n; i++)
		if (h->events.v[i].name && !strncmp(h->events.v[i].name, "arm_spe", 7))
			return true;
	return h->feature[PERF_FEAT_AUXTRACE].p;
}

int spe_feed_new(struct spe_feed **to, struct perf_file *file, const struct spe_want *w, struct err *e)
{
	struct spe_feed *f;
	bool reads = false;
	int r;

	*to = NULL;
	if (!may_have_buffers(&file->head))
		return 0;
	f = calloc(1, sizeof(*f));
	if (!f)
		return err_nomem(e);
	f->head = &file->head;
	f->bytes = file->bytes;
	f->want = *w;
	r = open_feed(f, file, &reads);
	if (r || !reads)
		spe_feed_free(f);
	else
		*to = f;
	return r ? err_nomem(e) : 0;
}

static int add_tracers(struct spe_feed *f, const struct spe_live *live)
{
	for (size_t i = 0; i < live->n; i++) {
		const struct spe_tracer *t = &live->tracers[i];
		struct spe_queue *q = vec_add(&f->from.queues);
		uint64_t *midr = map_add(&f->from.midrs, t->cpu, NULL);

		if (!q || !midr)
			return -ENOMEM;
		*q = (struct spe_queue){ .tid = t->tid, .cpu = t->cpu, .at_tid = t->tid, .at_pid = UINT32_MAX };
		*midr = t->midr;
	}
	return 0;
}

int spe_feed_new_live(struct spe_feed **to, struct perf_head *head, const struct spe_live *live,
		      const struct spe_want *w, struct err *e)
{
	struct spe_feed *f = calloc(1, sizeof(*f));
	struct perf_event *of;
	int r;

	if (!f)
		return err_nomem(e);
	f->head = head;
	f->live = live;
	f->want = *w;
	f->from.clock = live->clock;
	f->from.pmu = live->pmu;
	of = traced_event(f);
	r = of ? add_tracers(f, live) : -ENOENT;
	if (!r) {
		of->traced = true;
		r = add_events(f, of);
	}
	r = r ? r : begin(f);
	if (r)
		spe_feed_free(f);
	else
		*to = f;
	return r ? err_nomem(e) : 0;
}

void spe_feed_free(struct spe_feed *f)
{
	if (!f)
		return;
	heap_deinit(&f->heap);
	spe_buffers_deinit(&f->from);
	map_deinit(&f->pids);
	map_deinit(&f->running);
	free(f);
}

const struct spe_told *spe_feed_told(const struct spe_feed *f)
{
	return &f->told;
}
