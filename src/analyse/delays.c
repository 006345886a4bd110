/* delays.c - one open interval for each slot of a thread, cut at the window's edges. */
#include "analyse/delays.h"

void delays_deinit(struct delays *d)
{
	delays_forget(d);
	vec_free(&d->rows);
	vec_free(&d->threads);
	map_deinit(&d->of);
}

struct delay_thread *delays_thread(struct delays *d, uint32_t tid, enum delay_age age, int *r)
{
	uint64_t *at = map_get(&d->of, tid);
	struct delay_thread *t;

	*r = 0;
	if (at)
		return &d->threads.v[*at - 1];
	if (d->threads.n >= DELAYS_THREADS) {
		d->dropped++;
		return NULL;
	}
	at = map_add(&d->of, tid, NULL);
	t = vec_add(&d->threads);
	if (!at || !t) {
		*r = -ENOMEM;
		return NULL;
	}
	*at = d->threads.n;
	*t = (struct delay_thread){ .tid = tid };
	for (unsigned i = 0; age == DELAY_IS_NEW && i < DELAY_SLOTS; i++)
		t->open[i].is = DELAY_IDLE;
	return t;
}

/* --- rows --- */

/* NULL: *r is -ENOMEM, or 0: there are too many. */
static struct delay_row *row_of(struct delays *d, const struct delay_piece *p, int *r)
{
	struct { uint32_t tid, kind; uint64_t id; } id = { p->tid, p->kind, p->id };
	bool is_full = d->ids.list.n >= DELAYS_ROWS;
	uint32_t at = is_full ? names_find(&d->ids, (const char *)&id, sizeof(id))
			      : names_add(&d->ids, (const char *)&id, sizeof(id));
	struct delay_row *row;

	*r = is_full || at != NAMES_NONE ? 0 : -ENOMEM;
	if (at == NAMES_NONE) {
		d->dropped += is_full;
		return NULL;
	}
	if (at < d->rows.n)
		return &d->rows.v[at];
	row = vec_add(&d->rows);
	*r = row ? 0 : -ENOMEM;
	if (row)
		*row = (struct delay_row){ .tid = p->tid, .kind = p->kind, .id = p->id };
	return row;
}

static int count(struct delays *d, const struct delay_piece *p)
{
	uint64_t ns = p->to - p->from;
	int r;
	struct delay_row *row = row_of(d, p, &r);

	if (!row)
		return r;
	if (!p->is_cut)
		return spread_add(&row->whole, ns);
	row->cut++;
	row->cut_total += (double)ns;
	row->cut_max = MAX(row->cut_max, ns);
	return 0;
}

/* Cut the piece to the window; false: nothing is left. */
static bool cut(const struct delays *d, struct delay_piece *p)
{
	p->is_cut |= p->from < d->from || p->to > d->to;
	p->from = MAX(p->from, d->from);
	p->to = MIN(p->to, d->to);
	return d->is_on && (p->from < p->to || (p->from == p->to && !p->is_cut));
}

/* Count an interval that has ended; the caller updates its slot. */
static int over(struct delays *d, const struct delay_thread *t, const struct delay_open *o, uint64_t time)
{
	struct delay_piece p = { .tid = t->tid, .kind = o->kind, .id = o->id, .from = o->since, .to = time };
	int r;

	if (!cut(d, &p))
		return 0;
	r = count(d, &p);
	return r || !d->ended ? r : d->ended(d->arg, &p);
}

/* --- events --- */

static void begin(struct delays *d, struct delay_open *o, uint64_t time, enum delay_kind kind, uint64_t id)
{
	d->discarded += d->is_on && o->is == DELAY_OPEN;
	*o = (struct delay_open){ .is = DELAY_OPEN, .kind = kind, .id = id, .since = time };
}

/* End an interval that is open, or that was open before the first event. */
static int end(struct delays *d, const struct delay_thread *t, struct delay_open *o, uint64_t time,
	       enum delay_kind kind, uint64_t id)
{
	struct delay_open was = *o;

	o->is = DELAY_IDLE;
	if (was.is == DELAY_UNKNOWN)
		was = (struct delay_open){ .is = DELAY_OPEN, .kind = kind, .id = id };
	if (was.is == DELAY_OPEN && was.kind == kind && was.id == id)
		return over(d, t, &was, time);
	d->discarded += d->is_on && was.is == DELAY_OPEN;
	return 0;
}

static enum delay_slot slot_of(enum delay_kind kind)
{
	static const uint8_t of[DELAY_KINDS] = {
		[DELAY_SYSCALL] = DELAY_SLOT_SYSCALL, [DELAY_RUN] = DELAY_SLOT_TASK, [DELAY_READY] = DELAY_SLOT_TASK,
		[DELAY_STOPPED] = DELAY_SLOT_TASK, [DELAY_IRQ] = DELAY_SLOT_IRQ,
		[DELAY_SOFTIRQ] = DELAY_SLOT_SOFTIRQ,
	};

	return of[kind];
}

void delays_begin(struct delays *d, struct delay_thread *t, uint64_t time, enum delay_kind kind, uint64_t id)
{
	begin(d, &t->open[slot_of(kind)], time, kind, id);
}

int delays_end(struct delays *d, struct delay_thread *t, uint64_t time, enum delay_kind kind, uint64_t id)
{
	return end(d, t, &t->open[slot_of(kind)], time, kind, id);
}

int delays_in(struct delays *d, struct delay_thread *t, uint64_t time)
{
	struct delay_open *o = &t->open[DELAY_SLOT_TASK];
	int r = 0;

	if (o->is == DELAY_UNKNOWN && !d->has_wakeups)
		o->is = DELAY_IDLE;
	if (o->is == DELAY_UNKNOWN || (o->is == DELAY_OPEN && o->kind == DELAY_READY))
		r = end(d, t, o, time, DELAY_READY, 0);
	/* It is switched in without a wake-up having been seen. */
	else if (o->is == DELAY_OPEN && o->kind == DELAY_STOPPED)
		r = end(d, t, o, time, DELAY_STOPPED, 0);
	begin(d, o, time, DELAY_RUN, 0);
	return r;
}

int delays_out(struct delays *d, struct delay_thread *t, uint64_t time, enum delay_off why)
{
	struct delay_open *o = &t->open[DELAY_SLOT_TASK];
	int r = end(d, t, o, time, DELAY_RUN, 0);

	if (why == DELAY_COULD_RUN)
		begin(d, o, time, DELAY_READY, 0);
	else if (why == DELAY_IS_STOPPED)
		begin(d, o, time, DELAY_STOPPED, 0);
	return r;
}

int delays_woken(struct delays *d, struct delay_thread *t, uint64_t time)
{
	struct delay_open *o = &t->open[DELAY_SLOT_TASK];
	int r = 0;

	/* It runs or is runnable: ignore the wake-up. */
	if (o->is == DELAY_OPEN && o->kind != DELAY_STOPPED)
		return 0;
	if (o->is == DELAY_OPEN)
		r = end(d, t, o, time, DELAY_STOPPED, 0);
	begin(d, o, time, DELAY_READY, 0);
	return r;
}

void delays_is_in(struct delay_thread *t, enum delay_kind kind, uint64_t id)
{
	struct delay_open *o = &t->open[slot_of(kind)];

	if (o->is == DELAY_UNKNOWN || o->is == DELAY_DOUBTED)
		*o = (struct delay_open){ .is = DELAY_OPEN, .kind = kind, .id = id };
}

void delays_lose(struct delays *d)
{
	for (size_t i = 0; i < d->threads.n; i++) {
		for (unsigned k = 0; k < DELAY_SLOTS; k++) {
			struct delay_open *o = &d->threads.v[i].open[k];

			d->discarded += d->is_on && o->is == DELAY_OPEN;
			o->is = o->is == DELAY_UNKNOWN || o->is == DELAY_DOUBTED ? DELAY_DOUBTED : DELAY_LOST;
		}
	}
}

/* --- windows --- */

void delays_open_window(struct delays *d, uint64_t from, uint64_t to)
{
	d->is_on = true;
	d->from = from;
	d->to = to;
}

/* Count the part of open intervals that is in the window. */
static int close_thread(struct delays *d, const struct delay_thread *t)
{
	int r = 0;

	for (unsigned k = 0; !r && k < DELAY_SLOTS; k++) {
		const struct delay_open *o = &t->open[k];
		struct delay_piece p = { .tid = t->tid, .kind = o->kind, .id = o->id, .from = o->since, .to = d->to,
					 .is_cut = true };

		if (o->is == DELAY_OPEN && cut(d, &p))
			r = count(d, &p);
	}
	return r;
}

int delays_close_window(struct delays *d, uint64_t to)
{
	int r = 0;

	d->to = to;
	for (size_t i = 0; !r && d->is_on && i < d->threads.n; i++)
		r = close_thread(d, &d->threads.v[i]);
	d->is_on = false;
	return r;
}

void delays_forget(struct delays *d)
{
	for (size_t i = 0; i < d->rows.n; i++)
		spread_clear(&d->rows.v[i].whole);
	d->rows.n = 0;
	names_deinit(&d->ids);
	d->ids = (struct names){ 0 };
}
