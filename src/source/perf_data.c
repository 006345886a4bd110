/*
 * perf_data.c - the records of a perf.data in order of time, wherever they are: in its file, in further files of its
 * directory, in compressed records.
 *
 * A record that must wait for its turn is remembered by its file offset; an unpacked one is copied. A large file of
 * samples is read twice through panes: first to find the runs (perf/runs.h), then run by run; other files are mapped.
 */
#include "source/perf_data.h"

#include "perf/order.h"
#include "perf/runs.h"
#include "source/ahead.h"
#include "source/perf_files.h"
#include "source/spe_feed.h"
#include "source/unpacker.h"

enum {
	BATCH = 256 << 10,         /* bytes of records to read from one of several files before the next one */
	STEP = 32 << 20,           /* bytes of records to read from all of them before some are delivered */
	HELD_MAX = 256 << 20,      /* bytes of waiting unpacked records; beyond that order is given up */
	KEPT_MAX = 1 << 20,        /* bytes of copies of waiting records that could be read again, */
	KEPT_BITS = 12,            /* and log2 of their number */
	KEPT_TRIES = 8,            /* slots to try: copies are freed about in order, so the next one is mostly free */
	AHEAD_MIN = 1 << 20,       /* bytes of a recording that is worth another thread */
	PLACE_BITS = 48,           /* bits of an offset; the number of the file is above them */
	READING = 64 << 10,        /* bytes to read at a time in the first pass */
	WAITED = 8 << 10,          /* bytes to read for a waiting record, with those near it, which are needed soon */
	WAITED_PANES = 4,          /* panes for waiting records, which come from some rings in turns, */
	WAITED_APART = 1 << 20,    /* about that many bytes apart in the file */
};

/*
 * The `off` of an order_item, by which a waiting record is found again. For an unpacked record: COPIED | address of its
 * copy. For a file that is read through panes: file offset << KEPT_BITS | index of a copy in `kept`, or 0. Else: number
 * of the file << PLACE_BITS | file offset.
 */
#define COPIED (UINT64_C(1) << 63)

struct copy {
	uint64_t off;              /* file offset of the record, or of the compressed one that it was in */
	size_t n;
	uint8_t bytes[];
};

struct perf_data {
	struct source source;
	struct perf_file file;
	struct perf_files files;
	bool raw_order;            /* deliver records in file order, not in order of time */
	bool rounds;               /* deliver FINISHED_ROUND records */
	bool read_small;
	bool by_runs;              /* samples are merged by `runs`, see source_stretches() */
	struct perf_part *from;    /* the file that is being read */
	struct order *order;
	struct perf_runs runs;     /* by_runs: the samples; all other records are in `order` */
	struct pane waited[WAITED_PANES];   /* panes for reading waiting records again */
	struct copy **kept;        /* copies of some waiting records, by index */
	unsigned last_kept;
	struct perf_moment samples_upto;   /* samples before it come next */
	bool sampling;             /* there may be more of them */
	uint64_t given_off;        /* file offset of the stretch delivered last */
	size_t given;              /* its size in bytes; 0: end_stretch() has accounted for it */
	uint64_t late;             /* late samples in runs */
	uint64_t taken;            /* bytes of records read since the last step */
	uint64_t upto;             /* value of `taken` at which the next file is read */
	uint64_t passed;           /* one step ago all files had reached this time */
	uint64_t held;             /* bytes of waiting copies */
	struct copy *lent;         /* copy of the record delivered last */
	struct spe_feed *spe;      /* synthesises samples; NULL: no SPE buffers */
	struct ahead *ahead;       /* reads in another thread; NULL: records are read on demand */
	bool ready;                /* `order` may have records to deliver */
	bool ended;                /* all files were read */
};

/* --- copies -------------------------------------------------------------------------------------------------- */

static struct copy *copy_from(uint64_t off)
{
	return (struct copy *)(uintptr_t)(off & ~COPIED);
}

/* A copy of the whole record: in memory the header precedes the body. */
static struct copy *copy_of(const struct perf_record *r)
{
	size_t n = sizeof(struct perf_rec) + r->body.n;
	struct copy *c = malloc(sizeof(*c) + n);

	if (!c)
		return NULL;
	c->off = r->off;
	c->n = n;
	memcpy(c->bytes, r->body.p - sizeof(struct perf_rec), n);
	return c;
}

static void take_back(struct perf_data *d)
{
	if (d->lent)
		d->held -= d->lent->n;
	free(d->lent);
	d->lent = NULL;
}

/* --- order --------------------------------------------------------------------------------------------------- */

/* Copy a record that must wait, while its bytes are in memory. The index in `kept`; 0: it must be read again. */
static unsigned keep(struct perf_data *d, const struct perf_record *r)
{
	unsigned mask = (1u << KEPT_BITS) - 1, n = d->last_kept;

	if (d->held >= KEPT_MAX)
		return 0;
	for (unsigned i = 0; i < KEPT_TRIES; i++) {
		n = n % mask + 1;
		if (d->kept[n])
			continue;
		d->kept[n] = copy_of(r);
		d->held += d->kept[n] ? d->kept[n]->n : 0;
		d->last_kept = n;
		return d->kept[n] ? n : 0;
	}
	return 0;
}

static uint64_t place_of(struct perf_data *d, const struct perf_record *r)
{
	if (d->from->in.read)
		return r->off << KEPT_BITS | keep(d, r);
	return (uint64_t)(d->from - d->files.v.v) << PLACE_BITS | r->off;
}

/* Let a record wait for its turn. packed: its bytes, which were unpacked, will be gone by then. */
static int put_off(struct perf_data *d, const struct perf_record *r, uint64_t time, bool packed)
{
	struct copy *copy = packed ? copy_of(r) : NULL;
	uint64_t place = packed ? COPIED | (uintptr_t)copy : place_of(d, r);

	if (packed && !copy)
		return -ENOMEM;
	if (order_push(d->order, (struct order_item){ time, place })) {
		free(copy);
		return -ENOMEM;
	}
	d->held += copy ? copy->n : 0;
	if (d->held <= HELD_MAX)
		return 0;
	order_upto(d->order, UINT64_MAX - 1);
	d->ready = true;
	return 0;
}

static bool read_copy(struct perf_data *d, struct copy *copy, struct perf_record *r)
{
	uint64_t off = 0;

	d->lent = copy;
	if (perf_record_next((struct bytes){ copy->bytes, copy->n }, d->file.head.swap, &off, r, NULL) != 1)
		return false;
	r->off = copy->off;
	return true;
}

/* Get a waiting record of a file that is read through panes. */
static bool read_kept(struct perf_data *d, uint64_t place, struct perf_record *r)
{
	struct copy **kept = &d->kept[place & ((1u << KEPT_BITS) - 1)], *copy = *kept;
	uint64_t off = place >> KEPT_BITS;
	bool swap = d->file.head.swap;
	struct bytes b;

	if (copy) {
		*kept = NULL;
		return read_copy(d, copy, r);
	}
	b = pane_record(&d->files.v.v[0].in, &d->waited[off / WAITED_APART % WAITED_PANES], swap, off, WAITED);
	return perf_record_next(b, swap, &off, r, NULL) == 1;
}

static bool read_place(struct perf_data *d, uint64_t place, struct perf_record *r)
{
	struct perf_part *f = &d->files.v.v[place >> PLACE_BITS];
	uint64_t off = place & ((UINT64_C(1) << PLACE_BITS) - 1);

	if (perf_record_next(f->in.all, d->file.head.swap, &off, r, NULL) != 1)
		return false;
	perf_files_touch(&d->files, f, r->off, r->body.n);
	return true;
}

static bool read_waiting(struct perf_data *d, uint64_t place, struct perf_record *r)
{
	if (place & COPIED)
		return read_copy(d, copy_from(place), r);
	return d->files.v.v[0].in.read ? read_kept(d, place, r) : read_place(d, place, r);
}

/* Samples may be delivered up to the first waiting record of `order`, or as far as the order of time is known. */
static void find_upto(struct perf_data *d)
{
	const struct order_item *next = order_next(d->order);
	bool is_read = d->files.v.v[0].in.read && next && !(next->off & COPIED);

	d->samples_upto = (struct perf_moment){ order_limit(d->order), UINT64_MAX };
	if (next)
		d->samples_upto = (struct perf_moment){ next->time, is_read ? next->off >> KEPT_BITS : next->off };
}

/* The next stretch of samples before samples_upto; the caller sets rec->event. */
static bool take_samples(struct perf_data *d, struct source_rec *rec)
{
	struct perf_stretch s;

	if (!perf_runs_next(&d->runs, &d->samples_upto, &s))
		return false;
	rec->perf = s.rec;
	rec->time = s.time;
	rec->more = s.more;
	rec->upto = s.upto;
	d->given_off = rec->perf.off;
	d->given = rec->perf.body.n + rec->more;
	return true;
}

/* The next waiting record. False: none may be delivered yet. */
static bool take_waiting(struct perf_data *d, struct source_rec *rec)
{
	struct perf_record *r = &rec->perf;
	struct order_item it;
	bool good = false;

	while (!good && (d->ready = order_pop(d->order, &it) == 1)) {
		take_back(d);
		good = read_waiting(d, it.off, r);
	}
	rec->time = good ? it.time : 0;
	return good;
}

/* The next sample or waiting record whose turn has come. */
static bool take_turn(struct perf_data *d, struct source_rec *rec)
{
	if (d->by_runs) {
		find_upto(d);
		d->sampling = take_samples(d, rec);
	}
	if (!d->sampling && !take_waiting(d, rec))
		return false;
	/* Only records of an event have a time, and so have waited. */
	rec->event = perf_record_event(&rec->perf, &d->file.head);
	return true;
}

/* --- compressed records -------------------------------------------------------------------------------------- */

/* Where to report damage: only the first is reported; NULL: there was one before. */
static struct err *end_of(struct perf_data *d)
{
	return d->source.end.code ? NULL : &d->source.end;
}

/* The zstd stream is damaged, so the rest of this file cannot be read. */
static void give_up(struct perf_data *d, struct perf_part *f, struct err *why, uint64_t off)
{
	f->ended = d->source.skipped = true;
	f->unpacking = false;
	if (why)
		err_wrap(why, "compressed records, at offset 0x%llx", (unsigned long long)off);
}

static int begin_packed(struct perf_data *d, struct perf_part *f, const struct perf_record *r)
{
	struct bytes b = perf_record_packed(r, d->file.head.swap);
	struct err *why = end_of(d);

	if (!f->unpacker)
		f->unpacker = unpacker_new();
	if (!f->unpacker)
		return -ENOMEM;
	if (b.p) {
		unpacker_give(f->unpacker, b);
		f->packed_at = r->off;
		f->unpacking = true;
	} else {
		err_set(why, EBADMSG, "it ends within its data");
		give_up(d, f, why, r->off);
	}
	return 0;
}

/* The next record in the current compressed record: 1; 0: none is left; -ENOMEM. */
static int read_packed(struct perf_data *d, struct perf_part *f, struct perf_record *r)
{
	struct err *why = end_of(d);
	struct bytes b;
	uint64_t at = 0;
	int got = unpacker_next(f->unpacker, d->file.head.swap, &b, why);

	if (got == 1 && perf_record_next(b, d->file.head.swap, &at, r, why) < 0)
		got = -EBADMSG;
	if (got == 1)
		r->off = f->packed_at;
	else if (!got)
		f->unpacking = false;
	else if (got != -ENOMEM)
		give_up(d, f, why, f->packed_at);
	return got == -ENOMEM || got == 1 ? got : 0;
}

/* --- records ------------------------------------------------------------------------------------------------- */

static bool is_left_out(const struct perf_data *d, const struct perf_record *r)
{
	return r->type < PERF_REC_USER && UINT64_C(1) << r->type & d->source.left_out &&
	       (r->misc & PERF_MISC_CPUMODE_MASK) != PERF_MISC_KERNEL;
}

/* Drop a record that the reader does not need, but take note of its time. */
static int leave_out(struct perf_data *d, uint64_t time)
{
	d->late += time && time < order_limit(d->order);
	order_elsewhere(d->order, time);
	return 0;
}

/* 1: deliver the record now; 0: it waits, or is not to be delivered; -ENOMEM. */
static int sort_in(struct perf_data *d, struct source_rec *rec, bool packed)
{
	const struct perf_record *r = &rec->perf;

	d->source.stats.records++;
	d->taken += sizeof(struct perf_rec) + r->body.n;
	if (!packed)
		perf_files_touch(&d->files, d->from, r->off, r->body.n);
	if (!packed && (r->type == PERF_REC_COMPRESSED || r->type == PERF_REC_COMPRESSED2)) {
		d->source.stats.packed += r->type == PERF_REC_COMPRESSED;
		d->source.stats.packed2 += r->type == PERF_REC_COMPRESSED2;
		return begin_packed(d, d->from, r);
	}
	if (r->type == PERF_REC_FINISHED_ROUND) {
		d->source.stats.rounds++;
		/* In one of several files a round says nothing about the others. */
		if (d->files.v.n == 1)
			order_round(d->order);
		d->ready = true;
		rec->time = 0;
		rec->event = NULL;
		return d->rounds;
	}
	rec->time = 0;
	rec->event = r->type < PERF_REC_USER ? perf_record_event(r, &d->file.head) : NULL;
	if (d->raw_order || !perf_record_time(r, &d->file.head, rec->event, &rec->time))
		return 1;
	/* With rounds, synthesised records (time 0) come at their place in the file, as in perf. */
	if (d->rounds && !rec->time)
		return 1;
	d->from->newest = MAX(d->from->newest, rec->time);
	return is_left_out(d, r) ? leave_out(d, rec->time) : put_off(d, r, rec->time, packed);
}

/* Take samples into runs up to the first other record: a ring of megabytes may consist of samples only. */
static int read_samples(struct perf_data *d, struct perf_part *f)
{
	struct perf_runs_taken t;
	size_t whole = 1;        /* bytes that must be in memory */
	uint64_t from;
	bool more;
	int r;

	do {
		struct bytes b = pane_look(&f->in, &f->reading, f->off, whole, READING);

		from = f->off;
		perf_files_fetch(&d->files, f);
		r = perf_runs_take(&d->runs, b, &f->off, order_limit(d->order), &t);
		d->source.stats.records += t.samples;
		d->late += t.late;
		order_elsewhere(d->order, t.newest);
		perf_files_touch(&d->files, f, f->off, (size_t)(f->off - from));
		more = f->off > from || !(pane_holds(b, d->file.head.swap, f->off) || whole > 1);
		whole = f->off > from ? 1 : PANE_RECORD;
	} while (!r && more);
	return r;
}

static int read_record(struct perf_data *d, struct perf_part *f, struct source_rec *rec)
{
	bool packed = f->unpacking;
	int got = d->by_runs && !packed ? read_samples(d, f) : 0;

	if (got)
		return got;
	got = packed ? read_packed(d, f, &rec->perf)
			 : perf_record_next(pane_record(&f->in, &f->reading, d->file.head.swap, f->off, READING),
					    d->file.head.swap, &f->off, &rec->perf, end_of(d));

	if (got == 1)
		return sort_in(d, rec, packed);
	if (!packed)
		f->ended = true;
	return packed ? got : 0;
}

/* The file whose newest record is the oldest; NULL: all were read. */
static struct perf_part *hindmost(const struct perf_data *d)
{
	struct perf_part *found = NULL;

	for (size_t i = 0; i < d->files.v.n; i++)
		if (!d->files.v.v[i].ended && (!found || d->files.v.v[i].newest < found->newest))
			found = &d->files.v.v[i];
	return found;
}

/*
 * Several files (--threads): each is nearly sorted, since a recorder thread reads a few rings in turns. They are read
 * in turns, and records are delivered up to the time that all files had passed one step ago.
 */
static bool choose_file(struct perf_data *d)
{
	if (d->from && !d->from->ended && (d->taken < d->upto || d->from->unpacking))
		return true;
	d->from = hindmost(d);
	if (!d->from)
		return false;
	if (d->files.v.n > 1 && d->taken >= STEP) {
		d->taken = 0;
		order_upto(d->order, d->passed);
		d->passed = d->from->newest;
		d->ready = true;
	}
	d->upto = d->files.v.n > 1 ? d->taken + BATCH : UINT64_MAX;
	return true;
}

/* Hand back what the reader left of the last stretch. With another thread (exact) it always takes all of it. */
static void end_stretch(struct perf_data *d)
{
	size_t left = d->runs.exact ? 0 : d->source.untaken;

	perf_runs_back(&d->runs, left);
	perf_files_touch(&d->files, d->files.v.v, d->given_off, d->given - left);
	d->given = 0;
}

/* The next stretch of samples before samples_upto, if there is one. */
static bool next_samples(struct perf_data *d, struct source_rec *rec)
{
	if (d->given)
		end_stretch(d);
	return d->sampling && (d->sampling = take_samples(d, rec));
}

static int next_one(struct source *s, struct source_rec *rec)
{
	struct perf_data *d = (struct perf_data *)s;
	int got = 0;

	if (next_samples(d, rec)) {
		rec->event = perf_record_event(&rec->perf, &d->file.head);
		return 1;
	}
	take_back(d);
	while (!got) {
		if (d->ready && take_turn(d, rec))
			return 1;
		if (d->ended) {
			perf_files_forget(&d->files);
			s->stats.late = order_stats(d->order)->late + d->late;
			return 0;
		}
		if (!choose_file(d)) {
			order_end(d->order);
			d->ended = true;
		}
		d->ready |= d->ended;
		if (!d->ready)
			got = read_record(d, d->from, rec);
	}
	return got;
}

static bool lends(const struct source *s)
{
	const struct perf_data *d = (const struct perf_data *)s;

	return d->lent || (d->from && d->from->unpacking);
}

static void read_ahead(struct source *s)
{
	static const struct ahead_from from = { .next = next_one, .lends = lends };
	struct perf_data *d = (struct perf_data *)s;

	if (d->ahead || d->file.bytes.n < AHEAD_MIN)
		return;
	/* The reader sets `untaken` only after the next stretch was made, and still reads this one by then. */
	d->runs.exact = true;
	d->files.v.v[0].in.read = NULL;
	perf_files_shared(&d->files);
	d->ahead = ahead_new(s, &from);
}

/* For pane_file.read: the records of a file that is merged by runs are read and not mapped. */
static size_t read_file(void *arg, void *p, size_t n, uint64_t off)
{
	struct perf_data *d = arg;
	const struct sys *sys = d->files.sys;
	size_t got = 0;
	ssize_t r = 1;

	while (got < n && r > 0) {
		r = sys->pread(sys, d->files.found->fd, (uint8_t *)p + got, n - got, off + got);
		got += r > 0 ? (size_t)r : 0;
		r = r == -EINTR ? 1 : r;
	}
	if (r < 0)
		err_set(end_of(d), (int)-r, "cannot read it at offset 0x%llx: %s", (unsigned long long)(off + got),
			err_name((int)-r));
	return got;
}

/* Read the file through panes, unless mapping is cheaper or there is no memory for panes. */
static void read_in_panes(struct perf_data *d)
{
	struct perf_part *f = d->files.v.v;

	if (f->reading.v || d->ahead || d->files.found->fd < 0 || !d->files.sys->pread)
		return;
	if ((d->files.is_small && !d->read_small) || perf_runs_reserve(&d->runs))
		return;
	f->reading = (struct pane){ .v = malloc(READING + WAITED_PANES * PANE_CAP), .cap = READING };
	d->kept = calloc(1u << KEPT_BITS, sizeof(struct copy *));
	if (!f->reading.v || !d->kept)
		return;
	for (size_t i = 0; i < WAITED_PANES; i++)
		d->waited[i] = (struct pane){ .v = f->reading.v + READING + i * PANE_CAP, .cap = PANE_CAP };
	f->in.arg = d;
	/* Release the mapped pages that the header was read from. */
	perf_files_forget(&d->files);
	f->in.read = read_file;
}

static void in_stretches(struct source *s, bool in_order)
{
	struct perf_data *d = (struct perf_data *)s;

	d->by_runs = !d->raw_order && !d->rounds && !d->spe && d->files.v.n == 1 &&
		     perf_runs_init(&d->runs, &d->file.head, &d->files.v.v[0].in);
	if (d->by_runs)
		read_in_panes(d);
	s->stretched = d->by_runs;
	s->time_at = d->runs.time_at;
	d->runs.in_order = in_order;
	if (in_order)
		perf_files_in_order(&d->files);
}

static int next_plain(struct source *s, struct source_rec *rec)
{
	struct perf_data *d = (struct perf_data *)s;

	return d->ahead ? ahead_next(d->ahead, rec) : next_one(s, rec);
}

static bool next_stretch(struct source *s, struct source_rec *rec)
{
	struct perf_data *d = (struct perf_data *)s;

	return !d->ahead && next_samples(d, rec);
}

static int next(struct source *s, struct source_rec *rec, struct err *e UNUSED)
{
	struct perf_data *d = (struct perf_data *)s;

	return d->spe ? spe_feed_next(d->spe, s, rec, next_plain) : next_plain(s, rec);
}

/* --- open and close ------------------------------------------------------------------------------------------ */

static void close_data(struct source *s)
{
	struct perf_data *d = (struct perf_data *)s;
	struct order_item it;

	ahead_free(d->ahead);
	spe_feed_free(d->spe);
	take_back(d);
	if (d->order)
		order_end(d->order);
	while (d->order && order_pop(d->order, &it) == 1)
		if (it.off & COPIED)
			free(copy_from(it.off));
	order_free(d->order);
	perf_runs_deinit(&d->runs);
	for (size_t i = 0; d->kept && i < 1u << KEPT_BITS; i++)
		free(d->kept[i]);
	free(d->kept);
	perf_files_close(&d->files);
	tevents_deinit(&s->trace);
	perf_file_deinit(&d->file);
	free(d);
}

static const struct source_kind perf_data = {
	.form = SOURCE_PERF, .next = next, .close = close_data, .ahead = read_ahead,
	.stretch = next_stretch, .stretches = in_stretches,
};

static int begin(struct perf_data *d, const struct sys *sys, const struct found *found, struct err *e)
{
	int r;

	d->source.end = d->file.end;
	d->order = order_new();
	if (!d->order)
		return err_nomem(e);
	r = perf_files_open(&d->files, sys, found, &d->file, e);
	return r ? r : source_read_formats(&d->source) ? err_nomem(e) : 0;
}

int perf_data_open(struct source **to, const struct sys *sys, const struct found *found, const struct perf_data_want *w,
		   struct err *e)
{
	struct perf_files found_only = { .sys = sys, .found = found };
	const struct perf_file_walk walk = { .passed = perf_files_passed, .arg = &found_only };
	struct perf_data *d = calloc(1, sizeof(*d));
	int r = d ? perf_file_init(&d->file, found->bytes, &walk, e) : err_nomem(e);

	if (r) {
		free(d);
		return r;
	}
	d->source.kind = &perf_data;
	d->source.head = &d->file.head;
	d->raw_order = w->how & PERF_DATA_RAW;
	d->rounds = w->how & PERF_DATA_ROUNDS;
	d->read_small = w->how & PERF_DATA_READ;
	r = begin(d, sys, found, e);
	if (!r && !d->raw_order)
		r = spe_feed_new(&d->spe, &d->file, &w->spe, e);
	if (r)
		close_data(&d->source);
	else
		*to = &d->source;
	return r;
}

const struct perf_file *perf_data_file(const struct source *s)
{
	return s->kind == &perf_data ? &((const struct perf_data *)s)->file : NULL;
}

const struct spe_told *perf_data_spe(const struct source *s)
{
	const struct perf_data *d = (const struct perf_data *)s;

	return s->kind == &perf_data && d->spe ? spe_feed_told(d->spe) : NULL;
}
