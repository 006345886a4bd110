/*
 * session_read.c - the records of a perf.data in order of time, wherever they are: in its file, in further files of its
 * directory, in compressed records.
 *
 * What waits for its turn is remembered by its place in a file; what was unpacked is copied, and kept that long.
 */
#include "source/session_parts.h"

#include "source/session_files.h"
#include "source/unpacker.h"
#include "perf/order.h"

enum {
	BATCH = 256 << 10,         /* bytes of records from one of several files, before the others' turn */
	STEP = 32 << 20,           /* of all of them, before some are given out */
	HELD_MAX = 256 << 20,      /* unpacked and waiting; then order gives way */
	PLACE_BITS = 48,           /* of an offset; the number of the file is above them */
};

#define COPIED (UINT64_C(1) << 63)   /* instead of a place: the address of a copy */

struct copy {
	uint64_t off;              /* of the compressed record */
	size_t n;
	uint8_t bytes[];
};

struct reading {
	struct session_files files;
	struct session_file *from; /* is being read */
	struct order *order;
	uint64_t taken;            /* bytes of records since the last step */
	uint64_t upto;             /* so many, then it is another file's turn */
	uint64_t passed;           /* a step ago all files were at this time */
	uint64_t held;             /* bytes of copies that wait for their turn */
	struct copy *lent;         /* the record that was given last */
	bool ready;                /* some may be given out */
	bool ended;                /* all files were read */
};

int session_reading_open(struct session *s, struct err *e)
{
	struct reading *rd = s->reading = calloc(1, sizeof(*rd));

	if (rd)
		rd->order = order_new();
	if (!rd || !rd->order)
		return err_nomem(e);
	return session_files_open(&rd->files, s, e);
}

uint64_t session_late(const struct session *s)
{
	return order_stats(s->reading->order)->late;
}

/* --- copies -------------------------------------------------------------------------------------------------- */

static struct copy *copy_from(uint64_t off)
{
	return (struct copy *)(uintptr_t)(off & ~COPIED);
}

/* The header included, which stands before the body in memory. */
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

static void take_back(struct reading *rd)
{
	if (rd->lent)
		rd->held -= rd->lent->n;
	free(rd->lent);
	rd->lent = NULL;
}

void session_reading_close(struct session *s)
{
	struct reading *rd = s->reading;
	struct order_item it;

	if (!rd)
		return;
	take_back(rd);
	if (rd->order)
		order_end(rd->order);
	while (rd->order && order_pop(rd->order, &it) == 1)
		if (it.off & COPIED)
			free(copy_from(it.off));
	order_free(rd->order);
	session_files_close(&rd->files, s);
	free(rd);
}

/* --- order --------------------------------------------------------------------------------------------------- */

/*
 * Time of a record: at a fixed place of a sample, in the trailer of others. False: it has none, and belongs where it
 * stands.
 */
static bool time_of(const struct session *s, const struct perf_record *r, uint64_t *time)
{
	const struct perf_event *ev = perf_file_event(&s->file, r);
	struct sample id;

	if (!ev || !(ev->layout.sample_type & PERF_SAMPLE_TIME))
		return false;
	if (r->type != PERF_REC_SAMPLE) {
		if (!ev->layout.id_all || sample_decode_trailer(&ev->layout, r->body, &id, NULL))
			return false;
		*time = id.time;
		return true;
	}

	const uint64_t before = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	struct cursor c = perf_file_cursor(&s->file, r->body);

	cur_skip(&c, 8 * (size_t)__builtin_popcountll(ev->layout.sample_type & before));
	*time = cur_u64(&c);
	return !c.bad;
}

/* A record's turn comes later. packed: its bytes are gone by then. */
static int put_off(struct reading *rd, const struct perf_record *r, uint64_t time, bool packed)
{
	struct copy *copy = packed ? copy_of(r) : NULL;
	uint64_t place = (uint64_t)(rd->from - rd->files.v.v) << PLACE_BITS | r->off;

	if (packed && !copy)
		return -ENOMEM;
	if (order_push(rd->order, (struct order_item){ time, copy ? COPIED | (uintptr_t)copy : place })) {
		free(copy);
		return -ENOMEM;
	}
	rd->held += copy ? copy->n : 0;
	if (rd->held <= HELD_MAX)
		return 0;
	order_upto(rd->order, UINT64_MAX - 1);
	rd->ready = true;
	return 0;
}

static bool read_copy(struct reading *rd, bool swap, struct copy *copy, struct perf_record *r)
{
	uint64_t off = 0;

	rd->lent = copy;
	if (perf_record_next((struct bytes){ copy->bytes, copy->n }, swap, &off, r, NULL) != 1)
		return false;
	r->off = copy->off;
	return true;
}

static bool read_place(const struct session *s, uint64_t place, struct perf_record *r)
{
	struct session_file *f = &s->reading->files.v.v[place >> PLACE_BITS];
	uint64_t off = place & ((UINT64_C(1) << PLACE_BITS) - 1);

	if (perf_record_next(f->bytes, s->file.swap, &off, r, NULL) != 1)
		return false;
	session_file_touch(f, s, r);
	return true;
}

/* One whose turn it is. */
static bool take_turn(const struct session *s, struct perf_record *r)
{
	struct reading *rd = s->reading;
	struct order_item it;
	bool good = false;

	while (!good && (rd->ready = order_pop(rd->order, &it) == 1)) {
		take_back(rd);
		good = it.off & COPIED ? read_copy(rd, s->file.swap, copy_from(it.off), r) : read_place(s, it.off, r);
	}
	return good;
}

/* --- compressed records -------------------------------------------------------------------------------------- */

/* Of the first thing that cannot be read; NULL: there was one. */
static struct err *end_of(struct session *s)
{
	return s->end.code ? NULL : &s->end;
}

/* What is behind this in the file cannot be read. */
static void give_up(struct session *s, struct session_file *f, struct err *why, uint64_t off)
{
	f->ended = s->skipped = true;
	f->unpacking = false;
	if (why)
		err_wrap(why, "compressed records, at offset 0x%llx", (unsigned long long)off);
}

static int begin_packed(struct session *s, struct session_file *f, const struct perf_record *r)
{
	struct bytes b = perf_record_packed(r, s->file.swap);
	struct err *why = end_of(s);

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
		give_up(s, f, why, r->off);
	}
	return 0;
}

/* 1: a record; 0: none is left in this one; -ENOMEM. */
static int read_packed(struct session *s, struct session_file *f, struct perf_record *r)
{
	struct err *why = end_of(s);
	struct bytes b;
	uint64_t at = 0;
	int got = unpacker_next(f->unpacker, s->file.swap, &b, why);

	if (got == 1 && perf_record_next(b, s->file.swap, &at, r, why) < 0)
		got = -EBADMSG;
	if (got == 1)
		r->off = f->packed_at;
	else if (!got)
		f->unpacking = false;
	else if (got != -ENOMEM)
		give_up(s, f, why, f->packed_at);
	return got == -ENOMEM || got == 1 ? got : 0;
}

/* --- records ------------------------------------------------------------------------------------------------- */

/* 1: its turn is now; 0: it is later, or it is no record for others; -ENOMEM. */
static int sort_in(struct session *s, const struct perf_record *r, bool packed)
{
	struct reading *rd = s->reading;
	uint64_t time;

	s->stats.records++;
	rd->taken += sizeof(struct perf_rec) + r->body.n;
	if (!packed)
		session_file_touch(rd->from, s, r);
	if (!packed && (r->type == PERF_REC_COMPRESSED || r->type == PERF_REC_COMPRESSED2))
		return begin_packed(s, rd->from, r);
	if (r->type == PERF_REC_FINISHED_ROUND) {
		/* Of one of several files it says nothing about the others. */
		if (rd->files.v.n == 1)
			order_round(rd->order);
		rd->ready = true;
		return 0;
	}
	if (r->type >= PERF_REC_USER || s->raw_order || !time_of(s, r, &time))
		return 1;
	rd->from->newest = MAX(rd->from->newest, time);
	return put_off(rd, r, time, packed);
}

static int read_record(struct session *s, struct session_file *f, struct perf_record *r)
{
	bool packed = f->unpacking;
	int got = packed ? read_packed(s, f, r) : perf_record_next(f->bytes, s->file.swap, &f->off, r, end_of(s));

	if (got == 1)
		return sort_in(s, r, packed);
	if (!packed)
		f->ended = true;
	return packed ? got : 0;
}

/* The file that is the farthest behind in time; NULL: all were read. */
static struct session_file *hindmost(const struct reading *rd)
{
	struct session_file *found = NULL;

	for (size_t i = 0; i < rd->files.v.n; i++)
		if (!rd->files.v.v[i].ended && (!found || rd->files.v.v[i].newest < found->newest))
			found = &rd->files.v.v[i];
	return found;
}

/*
 * Several files, each in order but for the records of a few rings that a thread reads in turns: they are read side by
 * side, and what all of them had passed a step ago is given out.
 */
static bool choose_file(struct reading *rd)
{
	if (rd->from && !rd->from->ended && (rd->taken < rd->upto || rd->from->unpacking))
		return true;
	rd->from = hindmost(rd);
	if (!rd->from)
		return false;
	if (rd->files.v.n > 1 && rd->taken >= STEP) {
		rd->taken = 0;
		order_upto(rd->order, rd->passed);
		rd->passed = rd->from->newest;
		rd->ready = true;
	}
	rd->upto = rd->files.v.n > 1 ? rd->taken + BATCH : UINT64_MAX;
	return true;
}

int session_read(struct session *s, struct perf_record *r)
{
	struct reading *rd = s->reading;
	int got = 0;

	take_back(rd);
	while (!got) {
		if (rd->ready && take_turn(s, r))
			return 1;
		if (rd->ended) {
			session_files_forget(&rd->files, s);
			return 0;
		}
		if (!choose_file(rd)) {
			order_end(rd->order);
			rd->ended = true;
		}
		rd->ready |= rd->ended;
		if (!rd->ready)
			got = read_record(s, rd->from, r);
	}
	return got;
}
