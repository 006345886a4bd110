/*
 * session_read.c - the records of a perf.data in order of time, wherever they are: in its file, in further files of its
 * directory (perf record --threads: data.0, data.1 ..., records without any header), in compressed records.
 *
 * What waits for its turn is remembered by its place in a file; what was unpacked is copied, and kept that long.
 * The zstd data of a file's compressed records is one stream, whose bytes are records again, cut anywhere.
 */
#include "flow/session_parts.h"

#include "pack/pack.h"

enum {
	FORGET_AFTER = 2 << 20,
	FORGET_KEEP = 3 << 20,
	FORGET_UNIT = 1 << 16,
	BATCH = 256 << 10,         /* bytes of records from one of several files, before the others' turn */
	STEP = 32 << 20,           /* of all of them, before some are given out */
	HELD_MAX = 256 << 20,      /* unpacked and waiting; then order gives way */
	SOURCES_MAX = 1 << 14,
	PLACE_BITS = 48,           /* of an offset; the number of the source is above them */
};

#define COPIED (UINT64_C(1) << 63)   /* instead of a place: the address of a copy */

struct copy {
	uint64_t off;              /* of the compressed record */
	size_t n;
	uint8_t bytes[];
};

struct unpacker {
	struct zstd_stream *z;
	size_t n;                  /* of a record that is not complete */
	uint8_t rest[UINT16_MAX];
};

struct reading {
	struct session *s;
	const struct session_ops *ops;
	struct err *e;
	uint64_t taken;            /* bytes of records */
};

/* --- sources --- */

static int add_source(struct session *s, struct session_source src, struct err *e)
{
	struct session_source *new = s->sources.n < SOURCES_MAX ? vec_add(&s->sources) : NULL;

	if (!new)
		return err_nomem(e);
	*new = src;
	return 0;
}

struct numbers {
	VEC(uint32_t) v;
	bool failed;
};

static int add_number(void *arg, const char *name)
{
	struct numbers *l = arg;
	uint64_t n;
	uint32_t *new;

	if (strncmp(name, "data.", 5) || !str_u64(sv_from(name + 5), 10, &n) || n >= SOURCES_MAX)
		return 0;
	new = vec_add(&l->v);
	l->failed |= !new;
	if (new)
		*new = (uint32_t)n;
	return 0;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static int add_file(struct session *s, uint32_t number, struct err *e)
{
	struct session_source src = { 0 };
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/data.%u", s->dir, number);

	int r = sys_map_file(s->sys, path, &src.bytes.p, &src.bytes.n, e);

	if (r)
		return r;
	r = add_source(s, src, e);
	if (r)
		sys_unmap_file(s->sys, src.bytes.p, src.bytes.n);
	return r;
}

static int add_directory(struct session *s, struct err *e)
{
	struct numbers l = { 0 };
	int r = s->sys->each_entry(s->sys, s->dir, add_number, &l);

	if (r < 0)
		err_set(e, -r, "cannot read %s: %s", s->dir, err_name(-r));
	else if (l.failed)
		r = err_nomem(e);
	if (l.v.n)
		qsort(l.v.v, l.v.n, sizeof(*l.v.v), by_number);
	for (size_t i = 0; r >= 0 && i < l.v.n; i++)
		r = add_file(s, l.v.v[i], e);
	vec_free(&l.v);
	return r < 0 ? r : 0;
}

int session_sources_open(struct session *s, struct err *e)
{
	struct session_source own = {
		.bytes = { s->file.bytes.p, (size_t)s->file.data_end }, .off = s->file.data_off, .borrowed = true,
	};
	int r;

	s->order = order_new();
	if (!s->order)
		return err_nomem(e);
	r = add_source(s, own, e);
	return r || !s->dir ? r : add_directory(s, e);
}

void session_sources_close(struct session *s)
{
	for (size_t i = 0; i < s->sources.n; i++) {
		struct session_source *src = &s->sources.v[i];

		if (src->unpacker)
			zstd_stream_free(src->unpacker->z);
		free(src->unpacker);
		if (!src->borrowed)
			sys_unmap_file(s->sys, src->bytes.p, src->bytes.n);
	}
	vec_free(&s->sources);
	order_free(s->order);
}

/* --- pages --- */

static void forget(struct session *s, const struct session_source *src, uint64_t from, uint64_t upto)
{
	if (upto > from && !(src->borrowed && s->owned) && s->sys->forget)
		s->sys->forget(s->sys, (void *)(uintptr_t)(src->bytes.p + from), (size_t)(upto - from));
}

/*
 * What was read stays resident though nothing needs it any more: let it go from time to time, but for the newest
 * stretch, whose records wait for their turn in time. Older ones that come back are read again from the page cache.
 */
static void touch(struct session *s, struct session_source *src, const struct perf_record *r)
{
	if (r->off < src->forgotten) {
		src->touched += r->body.n;
		if (src->touched < FORGET_AFTER)
			return;
		forget(s, src, 0, src->forgotten);
		src->touched = 0;
	} else if (r->off - src->forgotten > FORGET_AFTER + FORGET_KEEP) {
		uint64_t upto = (r->off - FORGET_KEEP) & ~(uint64_t)(FORGET_UNIT - 1);

		forget(s, src, src->forgotten, upto);
		src->forgotten = upto;
	}
}

/* --- order --- */

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
	struct cursor c = session_body(s, r);

	cur_skip(&c, 8 * (size_t)__builtin_popcountll(ev->layout.sample_type & before));
	*time = cur_u64(&c);
	return !c.bad;
}

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

static int give_item(struct reading *rd, const struct order_item *it)
{
	struct session *s = rd->s;
	struct copy *copy = it->off & COPIED ? copy_from(it->off) : NULL;
	uint64_t off = copy ? 0 : it->off & ((UINT64_C(1) << PLACE_BITS) - 1);
	struct session_source *src = copy ? NULL : &s->sources.v[it->off >> PLACE_BITS];
	struct bytes bytes = copy ? (struct bytes){ copy->bytes, copy->n } : src->bytes;
	struct perf_record rec;
	int r = 0;

	if (perf_record_next(bytes, s->file.swap, &off, &rec, NULL) == 1) {
		if (copy)
			rec.off = copy->off;
		else
			touch(s, src, &rec);
		r = session_give(s, rd->ops, &rec);
	}
	s->held -= copy ? copy->n : 0;
	free(copy);
	return r;
}

static int give_ready(struct reading *rd)
{
	struct order_item it;
	int r = 0;

	while (!r && order_pop(rd->s->order, &it) == 1)
		r = give_item(rd, &it);
	return r;
}

/* Nobody wants the rest. */
static void drop_all(struct session *s)
{
	struct order_item it;

	order_end(s->order);
	while (order_pop(s->order, &it) == 1)
		if (it.off & COPIED)
			free(copy_from(it.off));
	s->held = 0;
}

/* --- records --- */

/* A record's turn comes later. packed: its bytes are gone by then. */
static int put_off(struct reading *rd, const struct session_source *src, const struct perf_record *r, uint64_t time,
		   bool packed)
{
	struct session *s = rd->s;
	struct copy *copy = packed ? copy_of(r) : NULL;
	uint64_t place = (uint64_t)(src - s->sources.v) << PLACE_BITS | r->off;

	if (packed && !copy)
		return err_nomem(rd->e);
	if (order_push(s->order, (struct order_item){ time, copy ? COPIED | (uintptr_t)copy : place })) {
		free(copy);
		return err_nomem(rd->e);
	}
	s->held += copy ? copy->n : 0;
	if (s->held <= HELD_MAX)
		return 0;
	order_upto(s->order, UINT64_MAX - 1);
	return give_ready(rd);
}

static int take_packed(struct reading *rd, struct session_source *src, const struct perf_record *r);

static int take(struct reading *rd, struct session_source *src, const struct perf_record *r, bool packed)
{
	struct session *s = rd->s;
	uint64_t time;

	s->stats.records++;
	rd->taken += sizeof(struct perf_rec) + r->body.n;
	if (!packed)
		touch(s, src, r);
	if (!packed && (r->type == PERF_REC_COMPRESSED || r->type == PERF_REC_COMPRESSED2))
		return take_packed(rd, src, r);
	if (r->type == PERF_REC_FINISHED_ROUND) {
		/* Of one of several files it says nothing about the others. */
		if (s->sources.n == 1)
			order_round(s->order);
		return give_ready(rd);
	}
	if (r->type >= PERF_REC_USER || s->raw_order || !time_of(s, r, &time))
		return session_give(s, rd->ops, r);
	src->newest = MAX(src->newest, time);
	return put_off(rd, src, r, time, packed);
}

/* What is behind this in the source cannot be read. */
static int give_up(struct session *s, struct session_source *src, const struct err *why, const struct perf_record *r)
{
	src->ended = s->incomplete = true;
	if (s->end.code)
		return 0;
	s->end = *why;
	err_wrap(&s->end, "compressed records, at offset 0x%llx", (unsigned long long)r->off);
	return 0;
}

static int take_unpacked(struct reading *rd, struct session_source *src, struct bytes b, uint64_t off, struct err *why)
{
	struct perf_record rec;
	uint64_t at = 0;

	if (perf_record_next(b, rd->s->file.swap, &at, &rec, why) < 0)
		return -EBADMSG;
	rec.off = off;
	return take(rd, src, &rec, true);
}

/* Bytes of the record that begins here; 8, a header's, as long as there are fewer. */
static size_t record_size(const struct session *s, const uint8_t *p, size_t n)
{
	struct cursor c = cur_from(p, n);

	c.swap = s->file.swap;
	cur_skip(&c, offsetof(struct perf_rec, size));

	uint16_t size = cur_u16(&c);

	return c.bad ? sizeof(struct perf_rec) : MAX(size, sizeof(struct perf_rec));
}

static int take_bytes(struct reading *rd, struct session_source *src, struct bytes b, uint64_t off, struct err *why)
{
	struct unpacker *u = src->unpacker;
	int r = 0;

	while (b.n && !r) {
		const uint8_t *at = u->n ? u->rest : b.p;
		size_t have = u->n ? u->n : b.n, size = record_size(rd->s, at, have), n;

		if (!u->n && size <= b.n) {
			n = size;
			r = take_unpacked(rd, src, (struct bytes){ b.p, size }, off, why);
		} else {
			n = MIN(b.n, size - u->n);
			memcpy(u->rest + u->n, b.p, n);
			u->n += n;
			if (u->n == record_size(rd->s, u->rest, u->n)) {
				r = take_unpacked(rd, src, (struct bytes){ u->rest, u->n }, off, why);
				u->n = 0;
			}
		}
		b.p += n;
		b.n -= n;
	}
	return r;
}

static int unpacker_begin(struct session_source *src, struct err *e)
{
	if (src->unpacker)
		return 0;
	src->unpacker = calloc(1, sizeof(*src->unpacker));
	if (src->unpacker)
		src->unpacker->z = zstd_stream_new();
	return src->unpacker && src->unpacker->z ? 0 : err_nomem(e);
}

static int take_packed(struct reading *rd, struct session_source *src, const struct perf_record *r)
{
	struct bytes b = perf_record_packed(r, rd->s->file.swap), made;
	struct err why = { 0 };
	int ret = unpacker_begin(src, rd->e), got = 0;

	if (ret)
		return ret;
	if (!b.p) {
		err_set(&why, EBADMSG, "it ends within its data");
		return give_up(rd->s, src, &why, r);
	}
	zstd_stream_give(src->unpacker->z, b.p, b.n);
	while (!ret && (got = zstd_stream_take(src->unpacker->z, &made.p, &made.n, &why)) == 1)
		ret = take_bytes(rd, src, made, r->off, &why);
	if (got == -ENOMEM)
		return err_nomem(rd->e);
	return got < 0 || (ret < 0 && why.code) ? give_up(rd->s, src, &why, r) : ret;
}

/* --- all of it --- */

/* So many bytes of records, or all that the source has. */
static int read_source(struct reading *rd, struct session_source *src, uint64_t bytes)
{
	uint64_t upto = bytes > UINT64_MAX - rd->taken ? UINT64_MAX : rd->taken + bytes;
	struct session *s = rd->s;
	struct perf_record rec;
	struct err why = { 0 };
	int r = 0, got = 1;

	while (!r && !src->ended && rd->taken < upto) {
		got = perf_record_next(src->bytes, s->file.swap, &src->off, &rec, &why);
		if (got == 1)
			r = take(rd, src, &rec, false);
		else
			src->ended = true;
	}
	if (got < 0 && !s->end.code)
		s->end = why;
	return r;
}

/* The source that is the farthest behind in time; NULL: all were read. */
static struct session_source *hindmost(const struct session *s)
{
	struct session_source *found = NULL;

	for (size_t i = 0; i < s->sources.n; i++)
		if (!s->sources.v[i].ended && (!found || s->sources.v[i].newest < found->newest))
			found = &s->sources.v[i];
	return found;
}

/*
 * Several files, each in order but for the records of a few rings that a thread reads in turns: they are read side by
 * side, and what all of them had passed a step ago is given out.
 */
static int read_together(struct reading *rd)
{
	struct session_source *src;
	uint64_t passed = 0;
	int r = 0;

	while (!r && (src = hindmost(rd->s))) {
		r = read_source(rd, src, BATCH);
		src = hindmost(rd->s);
		if (r || !src || rd->taken < STEP)
			continue;
		rd->taken = 0;
		order_upto(rd->s->order, passed);
		passed = src->newest;
		r = give_ready(rd);
	}
	return r;
}

int session_read(struct session *s, const struct session_ops *ops, struct err *e)
{
	struct reading rd = { .s = s, .ops = ops, .e = e };
	int r = s->sources.n > 1 ? read_together(&rd) : read_source(&rd, &s->sources.v[0], UINT64_MAX);

	if (!r) {
		order_end(s->order);
		r = give_ready(&rd);
	}
	drop_all(s);
	for (size_t i = 0; i < s->sources.n; i++)
		forget(s, &s->sources.v[i], 0, s->sources.v[i].bytes.n);
	return r;
}
