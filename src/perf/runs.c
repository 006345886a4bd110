/* runs.c - a heap of runs; of equal times the run with the smaller index comes first, which is earlier in the file. */
#include "perf/runs.h"

#include "perf/head.h"

enum {
	SQUEEZE_MIN = 64,
	PANES_MAX = 256,           /* enough for a run of each CPU's ring on a large server */
	PANE_STEP = 16 << 10,      /* bytes to read into a pane at a time */
};

#define BEFORE_TIME (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID)

bool perf_runs_init(struct perf_runs *r, const struct perf_head *head, const struct pane_file *file)
{
	uint64_t first = head->events.n ? head->events.v[0].layout.sample_type : 0;

	r->file = file;
	r->swap = head->swap;
	r->time_at = 8 * (size_t)__builtin_popcountll(first & BEFORE_TIME);
	for (size_t i = 0; i < head->events.n; i++)
		if ((head->events.v[i].layout.sample_type ^ first) & BEFORE_TIME ||
		    !(head->events.v[i].layout.sample_type & PERF_SAMPLE_TIME))
			return false;
	return head->events.n;
}

void perf_runs_deinit(struct perf_runs *r)
{
	for (size_t i = 0; i < r->panes.n; i++)
		free(r->panes.v[i].pane.v);
	vec_free(&r->panes);
	vec_free(&r->v);
	heap_deinit(&r->heap);
	*r = (struct perf_runs){ 0 };
}

/* The bytes being looked at. A local copy, so that the compiler need not reload it after each change of the heap. */
struct look {
	struct bytes b;
	size_t least;            /* bytes of a sample from its header to behind its time */
	bool swap;
};

static inline struct look look_at(const struct perf_runs *r, struct bytes b)
{
	return (struct look){ b, sizeof(struct perf_rec) + r->time_at + sizeof(uint64_t), r->swap };
}

/* Not inlined: otherwise the path of the native byte order would save registers for this one. */
static __attribute__((noinline)) size_t swapped_at(const struct look *l, uint64_t at)
{
	struct perf_record rec;
	bool is_one = perf_record_sample(l->b, true, at, &rec) && rec.body.n + sizeof(struct perf_rec) >= l->least;

	return is_one ? sizeof(struct perf_rec) + rec.body.n : 0;
}

/* Size in bytes and time of the sample at `at`; 0: no whole sample is there. */
static inline size_t sample_at(const struct look *l, uint64_t at, uint64_t *time)
{
	struct perf_rec head;

	if (at + l->least > l->b.n)
		return 0;
	__builtin_prefetch(l->b.p + at + PERF_FETCH);
	memcpy(&head, l->b.p + at, sizeof(head));
	memcpy(time, l->b.p + at + l->least - sizeof(*time), sizeof(*time));
	if (l->swap) {
		*time = __builtin_bswap64(*time);
		return swapped_at(l, at);
	}
	return head.type == PERF_REC_SAMPLE && head.size >= l->least && head.size <= l->b.n - at ? head.size : 0;
}

/* --- in ------------------------------------------------------------------------------------------------------ */

/* Remove finished runs. The others keep their sequence, so the heap stays a heap. */
static void squeeze(struct perf_runs *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->v.n; i++) {
		struct perf_run *run = &r->v.v[i];

		if (!run->end)
			continue;
		run->number = (uint32_t)n;
		if (r->current == i + 1)
			r->current = run->number + 1;
		if (r->newest == i + 1)
			r->newest = run->number + 1;
		n++;
	}
	for (size_t i = 0; i < r->heap.n; i++)
		r->heap.v[i].val = r->v.v[r->heap.v[i].val].number;
	for (size_t i = 0; i < r->v.n; i++)
		if (r->v.v[i].end)
			r->v.v[r->v.v[i].number] = r->v.v[i];
	r->v.n = n;
	r->over = 0;
}

static int make_room(struct perf_runs *r)
{
	if (r->v.n >= SQUEEZE_MIN && r->v.n == r->v.cap && r->over >= r->v.n / 2)
		squeeze(r);
	if (r->v.n == UINT32_MAX - 1)
		return -ENOMEM;
	return vec_reserve(&r->v, 1) ||
	       vec_grow((void **)&r->heap.v, r->heap.n, &r->heap.cap, 2, sizeof(*r->heap.v)) ? -ENOMEM : 0;
}

/* Append a run that starts at `at`, still empty. */
static int run_new(struct perf_runs *r, uint64_t at, uint64_t time)
{
	if (make_room(r))
		return -ENOMEM;
	r->v.v[r->v.n++] = (struct perf_run){ .next = at, .end = at };
	r->newest = (uint32_t)r->v.n;
	heap_push(&r->heap, time, r->newest - 1);
	return 0;
}

/* Set the end of the newest run. */
static void end_run(struct perf_runs *r, uint64_t at)
{
	if (r->newest)
		r->v.v[r->newest - 1].end = at;
}

/* Take in samples from `at` on while times ascend from *last. Returns the offset behind them. */
static uint64_t ascend(const struct look *l, uint64_t at, uint64_t most, uint64_t given, uint64_t *last,
		       struct perf_runs_taken *t)
{
	uint64_t before = *last, time, samples = 0, late = 0;
	size_t n;

	while (at < most && (n = sample_at(l, at, &time)) && time >= before) {
		samples++;
		if (__builtin_expect(time < given, 0))
			late += time != 0;
		before = time;
		at += n;
	}
	t->samples += samples;
	t->late += late;
	t->newest = samples ? MAX(t->newest, before) : t->newest;
	*last = before;
	return at;
}

int perf_runs_take(struct perf_runs *r, struct bytes b, uint64_t *off, uint64_t given, struct perf_runs_taken *t)
{
	struct look l = look_at(r, b);
	uint64_t at = *off, most = at + PERF_RUNS_STEP, time;
	int err = 0;

	*t = (struct perf_runs_taken){ 0 };
	if (r->newest)
		at = ascend(&l, at, most, given, &r->last, t);
	while (!err && at < most && sample_at(&l, at, &time)) {
		end_run(r, at);
		err = run_new(r, at, time);
		if (!err) {
			r->last = time;
			at = ascend(&l, at, most, given, &r->last, t);
		}
	}
	if (at > *off)
		end_run(r, at);
	*off = at;
	return err;
}

/* --- panes --------------------------------------------------------------------------------------------------- */

/* Add a pane to the empty free list. False: no memory, or PANES_MAX are there. */
static bool add_pane(struct perf_runs *r)
{
	uint8_t *v = r->panes.n < PANES_MAX ? malloc(PANE_CAP) : NULL;
	struct perf_run_pane *new = v ? vec_add(&r->panes) : NULL;

	if (!new) {
		free(v);
		return false;
	}
	*new = (struct perf_run_pane){ .pane = { .v = v, .cap = PANE_CAP } };
	r->free_pane = (uint32_t)r->panes.n;
	return true;
}

int perf_runs_reserve(struct perf_runs *r)
{
	return r->panes.n || add_pane(r) ? 0 : -ENOMEM;
}

static bool has_pane(const struct perf_runs *r, const struct perf_run *run)
{
	return run->pane && r->panes.v[run->pane - 1].lent == run->lent;
}

/* Lend a pane to a run; if none is free, take one from another run, which will read its bytes again. */
static void lend_pane(struct perf_runs *r, struct perf_run *run)
{
	struct perf_run_pane *p;

	if (r->free_pane || add_pane(r)) {
		run->pane = r->free_pane;
		r->free_pane = r->panes.v[run->pane - 1].next_free;
	} else {
		r->hand = (r->hand + 1) % (uint32_t)r->panes.n;
		run->pane = r->hand + 1;
	}
	p = &r->panes.v[run->pane - 1];
	p->pane.n = 0;
	run->lent = ++p->lent;
}

static void give_back(struct perf_runs *r, const struct perf_run *run)
{
	struct perf_run_pane *p;

	if (!has_pane(r, run))
		return;
	p = &r->panes.v[run->pane - 1];
	p->lent++;
	p->next_free = r->free_pane;
	r->free_pane = run->pane;
}

static struct pane *pane_of(struct perf_runs *r, struct perf_run *run)
{
	if (!has_pane(r, run))
		lend_pane(r, run);
	return &r->panes.v[run->pane - 1].pane;
}

/* Bytes to read of a run: PANE_STEP, but nothing behind its end. */
static size_t to_read(const struct perf_run *run)
{
	return (size_t)MIN(run->end - run->next, (uint64_t)PANE_STEP);
}

/* The run's bytes from its next sample on: at least `least`, if the run has so many. */
static struct look look_in(struct perf_runs *r, struct perf_run *run, size_t least)
{
	size_t most = to_read(run);

	if (!r->file->read)
		return look_at(r, r->file->all);
	least = (size_t)MIN(run->end - run->next, (uint64_t)least);
	return look_at(r, pane_look(r->file, pane_of(r, run), run->next, least, MAX(least, most)));
}

/* If the look ends within the next record, read all of that record. False: it did not, or no more could be read. */
static bool look_on(struct perf_runs *r, struct perf_run *run, struct look *l)
{
	uint64_t before = l->b.n;

	if (!r->file->read || pane_holds(l->b, r->swap, run->next))
		return false;
	*l = look_in(r, run, PANE_RECORD);
	return l->b.n > before;
}

/* --- out ----------------------------------------------------------------------------------------------------- */

static bool is_older(uint64_t time, uint64_t off, const struct perf_moment *than)
{
	return time < than->time || (time == than->time && off < than->off);
}

/* The current run has no sample left. */
static void run_over(struct perf_runs *r)
{
	if (r->newest == r->current)
		r->newest = 0;
	give_back(r, &r->v.v[r->current - 1]);
	r->v.v[r->current - 1].end = 0;
	r->current = 0;
	r->over++;
}

/* The bytes of the run's next record, which may be of any type. */
static struct bytes whole_record(struct perf_runs *r, struct perf_run *run)
{
	if (!r->file->read)
		return r->file->all;
	return pane_record(r->file, pane_of(r, run), r->swap, run->next, to_read(run));
}

/* Skip the records between samples that are no samples. False: no sample follows. */
static bool skip_others(struct perf_runs *r, struct perf_run *run)
{
	struct perf_record other;

	while (run->next < run->end &&
	       perf_record_next(whole_record(r, run), r->swap, &run->next, &other, NULL) == 1)
		if (perf_record_sample(whole_record(r, run), r->swap, run->next, &other))
			return run->next < run->end;
	return false;
}

/* The offset behind the consecutive samples from `at` on that are not later than upto. */
static uint64_t stretch_end(const struct look *l, uint64_t at, uint64_t most, uint64_t upto)
{
	uint64_t time;
	size_t n;

	while (at < most && (n = sample_at(l, at, &time)) && time <= upto)
		at += n;
	return at;
}

/* Find the next sample of the current run. False: none is left. */
static inline bool current_sample(struct perf_runs *r, struct look *l, uint64_t *time)
{
	struct perf_run *run = &r->v.v[r->current - 1];

	while (run->next < run->end) {
		if (sample_at(l, run->next, time))
			return true;
		if (look_on(r, run, l))
			continue;
		if (!skip_others(r, run))
			break;
		*l = look_in(r, run, l->least);
	}
	run_over(r);
	return false;
}

/* Does the current run stay current? Up to the next sample of the other runs if order matters, else up to `upto`. */
static inline bool goes_on(const struct perf_runs *r, uint64_t time, const struct heap_item *other,
			   const struct perf_moment *upto)
{
	uint64_t at = r->v.v[r->current - 1].next;

	if (other && r->in_order)
		return is_older(time, at, &(struct perf_moment){ other->key, r->v.v[other->val].next });
	return is_older(time, at, upto);
}

/* Make a run current whose next sample is older than upto. False: there is none. */
static inline bool choose_run(struct perf_runs *r, struct look *l, const struct perf_moment *upto, uint64_t *time)
{
	bool is_one = r->current && current_sample(r, l, time);
	const struct heap_item *other = heap_top(&r->heap);
	struct heap_item next;

	if (other && !is_older(other->key, r->v.v[other->val].next, upto))
		other = NULL;
	if (is_one && goes_on(r, *time, other, upto))
		return true;
	if (!other) {
		if (is_one)
			heap_push(&r->heap, *time, r->current - 1);
		r->current = 0;
		return false;
	}
	next = is_one ? heap_exchange(&r->heap, *time, r->current - 1) : heap_pop(&r->heap);
	r->current = next.val + 1;
	*l = look_in(r, &r->v.v[next.val], l->least);
	*time = next.key;
	return true;
}

/* The end of a stretch: `upto`, or if order matters the next sample of the other runs, if that is older. */
static inline struct perf_moment until_others(const struct perf_runs *r, const struct perf_moment *upto)
{
	const struct heap_item *top = r->in_order ? heap_top(&r->heap) : NULL;
	uint64_t at = top ? r->v.v[top->val].next : 0;

	return top && is_older(top->key, at, upto) ? (struct perf_moment){ top->key, at } : *upto;
}

/*
 * Fill *s from the next sample of the current run on. False: that sample is not there any more, since the file was
 * truncated meanwhile. No record of a stretch is at the limit's own offset, and all are on the same side of it: so
 * samples of equal time belong to the stretch if the first one is before that offset.
 */
static inline bool give(struct perf_runs *r, struct look *l, const struct perf_moment *upto,
			struct perf_stretch *s)
{
	struct perf_moment until = until_others(r, upto);
	struct perf_run *run = &r->v.v[r->current - 1];
	uint64_t at, most;

	while (!perf_record_sample(l->b, r->swap, run->next, &s->rec))
		if (!look_on(r, run, l))
			return false;
	at = s->rec.off + sizeof(struct perf_rec) + s->rec.body.n;
	most = MIN(MIN(run->end, l->b.n), at + PERF_STRETCH);
	s->upto = until.time - (s->rec.off >= until.off);
	run->next = r->exact ? stretch_end(l, at, most, s->upto) : MAX(at, most);
	s->more = (size_t)(run->next - at);
	return true;
}

bool perf_runs_next(struct perf_runs *r, const struct perf_moment *upto, struct perf_stretch *s)
{
	struct look l = look_at(r, (struct bytes){ 0 });

	if (r->current)
		l = look_in(r, &r->v.v[r->current - 1], l.least);

	while (choose_run(r, &l, upto, &s->time))
		if (give(r, &l, upto, s))
			return true;
	return false;
}

void perf_runs_back(struct perf_runs *r, size_t n)
{
	if (r->current)
		r->v.v[r->current - 1].next -= n;
}
