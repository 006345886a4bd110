/*
 * Samples of a perf.data in stretches: against the strict order of the same file, one by one. What is no sample comes
 * as it does there, and between two of these come the same samples; where order is asked for, in the same order.
 */
#include "source/perf_data.h"

#include "perf/feature.h"
#include "perf/runs.h"
#include "sys/sys.h"
#include "t.h"

#include <sys/mman.h>
#include <unistd.h>

#define SAMPLE_TYPE (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

enum { MANY = 40000 };

static const uint64_t ids[2][1] = { { 101 }, { 201 } };

static struct perf_write_event events[2] = {
	{ .attr = { .type = PERF_SOFTWARE, .sample_type = SAMPLE_TYPE, .flags = PERF_ATTR_SAMPLE_ID_ALL },
	  .ids = ids[0], .n_ids = 1, .name = "a" },
	{ .attr = { .type = PERF_SOFTWARE, .sample_type = SAMPLE_TYPE, .flags = PERF_ATTR_SAMPLE_ID_ALL },
	  .ids = ids[1], .n_ids = 1, .name = "b" },
};

static uint64_t seed;

static unsigned rnd(unsigned below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)(seed >> 33) % below;
}

/* words: how many of its fields are there. */
static void write_sample(struct out *o, uint64_t ip, uint64_t time, unsigned words)
{
	const struct perf_rec h = { PERF_REC_SAMPLE, PERF_MISC_USER, (uint16_t)(8 + 8 * words) };
	const uint64_t body[] = { ids[rnd(2)][0], ip, 1 | UINT64_C(1) << 32, time };

	out_bytes(o, &h, sizeof(h));
	out_bytes(o, body, 8 * words);
}

struct kind {
	unsigned rings, run;       /* most records of a ring at a time */
	unsigned sides;            /* one in so many is no sample */
	unsigned cut;              /* one in so many samples ends before its time */
	unsigned step;             /* ns between records of a ring, less than this; 0: any time at all */
	unsigned late;             /* one ring in so many is of long ago */
	unsigned left;             /* one in so many is a map of a process, or its end */
	bool no_rounds;
};

static void write_left(struct out *o, const struct perf_write_id *id, uint64_t n)
{
	const struct perf_write_map m = {
		.pid = 1, .tid = 1, .misc = PERF_MISC_USER, .addr = n << 12, .len = 4096, .name = "/bin/x",
	};

	if (n % 3)
		(n % 2 ? perf_write_mmap : perf_write_mmap2)(o, id, &m);
	else
		perf_write_exit(o, id, &(struct perf_write_task){ .pid = 1, .ppid = 1, .tid = 1, .ptid = 1 });
}

static void write_ring(struct out *o, const struct kind *k, uint64_t time, uint64_t *n)
{
	unsigned count = rnd(k->run);

	for (unsigned i = 0; i < count; i++, ++*n) {
		struct perf_write_id id = { .sample_type = SAMPLE_TYPE, .id = 101 };

		time = k->step ? time + rnd(k->step) : rnd(100000);
		id.time = time;
		if (k->left && !rnd(k->left))
			write_left(o, &id, *n);
		else if (!rnd(k->sides))
			perf_write_comm(o, &id, (uint32_t)*n, (uint32_t)*n, "side");
		else
			write_sample(o, *n, time, k->cut && !rnd(k->cut) ? rnd(4) : 4);
	}
}

static void write_records(struct out *o, const struct kind *k)
{
	uint64_t n = 0, slice = 1;

	while (n < MANY) {
		for (unsigned ring = 0; ring < k->rings; ring++)
			write_ring(o, k, k->late && !rnd(k->late) ? 1 : slice * 1000 + rnd(300), &n);
		if (!k->no_rounds)
			perf_write_round(o);
		slice++;
	}
}

static struct bytes file_of(struct mem_out *m, const struct kind *k)
{
	struct perf_write_end end = { 0 };
	uint64_t data = perf_write_data_off(events, 2);

	perf_write_header(&m->out, events, 2);
	write_records(&m->out, k);
	end.data_size = m->out.total - data;
	mem_out_str(m);
	perf_write_head((uint8_t *)m->v, events, 2, &end);
	return (struct bytes){ guard_dup(m->v, m->n), m->n };
}

/* What came between two records that are no samples, and the second of them. */
struct gap {
	uint64_t side;             /* offset; 0: the end */
	uint64_t n, sum, mixed;    /* samples, and of their offsets */
	uint64_t order;            /* in which they came */
};

struct walk {
	VEC(struct gap) gaps;
	struct source_stats stats;
	uint64_t samples;
	size_t longest;            /* bytes of samples that came with one record */
};

static void take_sample(struct walk *w, struct gap *now, uint64_t off)
{
	now->n++;
	now->sum += off;
	now->mixed ^= hash_u64(off);
	now->order = hash_u64(now->order + off);
	w->samples++;
}

/* Those that follow a sample in memory are in the order of their times; what comes later is given back. */
static void take_stretch(struct walk *w, struct gap *now, struct source *s, const struct source_rec *first)
{
	struct bytes more = { first->perf.body.p + first->perf.body.n, first->more };
	uint64_t off = first->perf.off + sizeof(struct perf_rec) + first->perf.body.n, at = 0, last = first->time, time;
	struct perf_record r = { 0 };

	while (perf_record_sample(more, false, at, &r) && r.body.n >= s->time_at + sizeof(time)) {
		CHECK(r.body.n == 32);
		memcpy(&time, r.body.p + s->time_at, sizeof(time));
		CHECK(time >= last);
		if (time > first->upto)
			break;
		last = time;
		take_sample(w, now, off + at);
		at += sizeof(struct perf_rec) + r.body.n;
	}
	CHECK(!at || first->time);
	s->untaken = more.n - at;
	w->longest = MAX(w->longest, more.n);
}

/* AT_ONCE: in order, and who asks for stretches alone gets them wherever there are some. */
enum how { ONE_BY_ONE, IN_ORDER, AT_ONCE, ANY_ORDER };

static bool next(struct source *s, struct source_rec *rec, enum how how)
{
	return (how == AT_ONCE && s->kind->stretch(s, rec)) || source_next(s, rec, NULL) == 1;
}

#define LEFT (1u << PERF_REC_MMAP | 1u << PERF_REC_MMAP2 | 1u << PERF_REC_EXIT)

static bool is_left(const struct source_rec *rec)
{
	return rec->perf.type < PERF_REC_USER && LEFT >> rec->perf.type & 1;
}

/* fd: of a file that has the same bytes, and is read; -1: they are looked at where they are. */
static void walk(struct walk *w, struct bytes b, enum how how, int fd)
{
	const struct found found = { .path = "x", .bytes = b, .fd = fd, .owned = fd < 0 };
	struct gap now = { 0 };
	struct source *s;
	struct source_rec rec;

	*w = (struct walk){ 0 };
	CHECK_EQ(perf_data_open(&s, &sys_live, &found, &(struct perf_data_want){ .how = PERF_DATA_READ }, NULL), 0);
	if (how != ONE_BY_ONE)
		source_stretches(s, how != ANY_ORDER);
	s->left_out = how != ONE_BY_ONE ? LEFT : 0;
	while (next(s, &rec, how)) {
		CHECK(!s->left_out || !is_left(&rec));
		if (is_left(&rec))
			continue;
		if (rec.perf.type == PERF_REC_SAMPLE) {
			CHECK(!rec.time || rec.event);
			take_sample(w, &now, rec.perf.off);
			take_stretch(w, &now, s, &rec);
		} else {
			now.side = rec.perf.off;
			*(struct gap *)vec_add(&w->gaps) = now;
			now = (struct gap){ 0 };
		}
	}
	*(struct gap *)vec_add(&w->gaps) = now;
	w->stats = s->stats;
	source_close(s);
}

/* Returns whether the order of samples was another one. */
static bool compare_bytes(struct bytes b, enum how how, int fd)
{
	struct walk strict, any;
	bool other = false;

	walk(&strict, b, ONE_BY_ONE, -1);
	walk(&any, b, how, fd);
	CHECK(strict.samples > MANY / 4);
	CHECK_EQ(any.samples, strict.samples);
	CHECK_EQ(any.stats.records, strict.stats.records);
	CHECK_EQ(any.stats.late, strict.stats.late);
	CHECK_EQ(any.gaps.n, strict.gaps.n);
	for (size_t i = 0; i < strict.gaps.n; i++) {
		CHECK_EQ(any.gaps.v[i].side, strict.gaps.v[i].side);
		CHECK_EQ(any.gaps.v[i].n, strict.gaps.v[i].n);
		CHECK_EQ(any.gaps.v[i].sum, strict.gaps.v[i].sum);
		CHECK_EQ(any.gaps.v[i].mixed, strict.gaps.v[i].mixed);
		other |= any.gaps.v[i].order != strict.gaps.v[i].order;
	}
	vec_free(&strict.gaps);
	vec_free(&any.gaps);
	CHECK_EQ(strict.longest, 0);
	CHECK(any.longest < PERF_STRETCH + 40);
	return other;
}

/* In memory, and read from a file. */
static bool compare(const struct kind *k, enum how how)
{
	int fd = memfd_create("recording", 0);
	struct mem_out m;
	struct bytes b;
	bool other;

	mem_out_init(&m);
	b = file_of(&m, k);
	CHECK_EQ(sys_write_all(&sys_live, fd, b.p, b.n), 0);
	other = compare_bytes(b, how, -1);
	CHECK_EQ(compare_bytes(b, how, fd), other);
	close(fd);
	mem_out_deinit(&m);
	return other;
}

TEST(samples_in_stretches_are_the_same_as_in_strict_order)
{
	static const struct kind kinds[] = {
		{ .rings = 4, .run = 100, .sides = 50, .step = 100 },
		{ .rings = 4, .run = 100, .sides = 3, .step = 3 },     /* many of the same time */
		{ .rings = 64, .run = 8, .sides = 1000, .step = 50 },
		{ .rings = 7, .run = 30, .sides = 20, .step = 60, .late = 5 },
		{ .rings = 7, .run = 30, .sides = 20, .step = 60, .cut = 4 },
		{ .rings = 3, .run = 50, .sides = 20, .step = 0 },
		{ .rings = 8, .run = 200, .sides = 100, .step = 20, .no_rounds = true },
		{ .rings = 5, .run = 40, .sides = 30, .step = 60, .late = 5, .left = 4 },
		{ .rings = 400, .run = 100, .sides = 30, .step = 20 },  /* more than there are panes */
	};

	for (uint64_t turn = 1; turn < 4; turn++)
		for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
			seed = turn;
			CHECK(!compare(&kinds[i], IN_ORDER));
			seed = turn;
			CHECK(!compare(&kinds[i], AT_ONCE));
			seed = turn;
			CHECK(compare(&kinds[i], ANY_ORDER));
		}
}

TEST(samples_of_one_ring_are_in_order_in_any_case)
{
	static const struct kind one = { .rings = 1, .run = 100, .sides = 30, .step = 10 };

	seed = 1;
	CHECK(!compare(&one, IN_ORDER));
	CHECK(!compare(&one, ANY_ORDER));
}

/* As a disk that has a bad block behind the first half of the records. */
static uint64_t bad_from;

static ssize_t pread_half(const struct sys *s, int fd, void *p, size_t n, uint64_t off)
{
	if (off >= bad_from)
		return -EIO;
	return sys_live.pread(s, fd, p, (size_t)MIN((uint64_t)n, bad_from - off), off);
}

TEST(what_cannot_be_read_is_told)
{
	static const struct kind one = { .rings = 4, .run = 100, .sides = 50, .step = 100 };
	struct sys sys = sys_live;
	struct found found = { .path = "x", .fd = memfd_create("recording", 0) };
	struct source *s;
	struct source_rec rec;
	struct mem_out m;
	uint64_t n = 0;

	seed = 1;
	mem_out_init(&m);
	found.bytes = file_of(&m, &one);
	bad_from = found.bytes.n / 2;
	sys.pread = pread_half;
	CHECK_EQ(sys_write_all(&sys_live, found.fd, found.bytes.p, found.bytes.n), 0);
	CHECK_EQ(perf_data_open(&s, &sys, &found, &(struct perf_data_want){ .how = PERF_DATA_READ }, NULL), 0);
	source_stretches(s, true);
	while (source_next(s, &rec, NULL) == 1) {
		CHECK(rec.perf.off < bad_from);
		s->untaken = rec.more;
		n++;
	}
	CHECK(n > MANY / 4);
	CHECK_EQ(s->end.code, EIO);
	CHECK(strstr(s->end.text, "cannot read it at offset 0x"));
	source_close(s);
	close(found.fd);
	mem_out_deinit(&m);
}

TEST(samples_with_their_times_in_two_places_stay_in_strict_order)
{
	static const struct kind kind = { .rings = 4, .run = 100, .sides = 50, .step = 100 };

	seed = 1;
	events[1].attr.sample_type &= ~(uint64_t)PERF_SAMPLE_TIME;
	CHECK(!compare(&kind, ANY_ORDER));
}
