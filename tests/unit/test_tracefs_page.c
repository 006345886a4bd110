/* page, stream: sub-buffers built word by word as the kernel's ring_buffer.c lays them out, and their merge. */
#include "tracefs/ring/stream.h"

#include "t.h"

enum { DATA = 4080 };

static const struct tpage_layout layout = {
	.commit_offset = 8, .commit_size = 8, .data_offset = 16, .data_size = DATA,
};

/* A page being written, in either byte order. */
struct build {
	uint8_t b[16 + 65536];
	size_t n;      /* of the data */
	bool swap;
};

static void put32(struct build *b, uint32_t v)
{
	if (b->swap)
		v = __builtin_bswap32(v);
	memcpy(b->b + 16 + b->n, &v, 4);
	b->n += 4;
}

static void head(struct build *b, uint32_t type, uint32_t delta)
{
	put32(b, b->swap ? type << 27 | delta : delta << 5 | type);
}

static void record(struct build *b, uint32_t words, uint32_t delta, uint32_t first)
{
	head(b, words, delta);
	for (uint32_t i = 0; i < words; i++)
		put32(b, first + i);
}

static void long_record(struct build *b, uint32_t bytes, uint32_t delta, uint32_t first)
{
	head(b, 0, delta);
	put32(b, bytes + 4);
	for (uint32_t i = 0; i < bytes / 4; i++)
		put32(b, first + i);
}

static void word(struct build *b, uint32_t type, uint64_t v)
{
	head(b, type, v & ((1u << 27) - 1));
	put32(b, (uint32_t)(v >> 27));
}

/* The header over what was built: a page of n bytes at an unmapped page's border. */
static const uint8_t *page_of(struct build *b, uint64_t ts, uint64_t commit, size_t n)
{
	if (b->swap) {
		ts = __builtin_bswap64(ts);
		commit = __builtin_bswap64(commit);
	}
	memcpy(b->b, &ts, 8);
	memcpy(b->b + 8, &commit, 8);
	return guard_dup(b->b, n);
}

static struct tpage open_page(struct build *b, uint64_t ts)
{
	struct tpage p;

	CHECK_EQ(tpage_init(&p, &layout, b->swap, page_of(b, ts, b->n, 16 + b->n), 16 + b->n), 0);
	return p;
}

static void want(struct tpage *p, uint64_t ts, uint32_t n)
{
	struct tpage_event ev;

	CHECK(tpage_next(p, &ev));
	CHECK_EQ(ev.ts, ts);
	CHECK_EQ(ev.n, n);
}

static void want_end(struct tpage *p, bool bad)
{
	struct tpage_event ev;

	for (int i = 0; i < 2; i++)
		CHECK(!tpage_next(p, &ev));
	CHECK_EQ(p->bad, bad);
}

static void short_and_long(bool swap)
{
	struct build b = { .swap = swap };
	struct tpage_event ev;
	struct tpage p;

	record(&b, 1, 0, 100);
	record(&b, 28, 5, 200);
	long_record(&b, 116, 7, 300);
	long_record(&b, 0, 1, 0);
	record(&b, 2, (1u << 27) - 1, 400);
	p = open_page(&b, 1000);
	CHECK_EQ(p.lost, 0);
	want(&p, 1000, 4);
	want(&p, 1005, 112);
	CHECK(tpage_next(&p, &ev));
	CHECK_EQ(ev.ts, 1012);
	CHECK_EQ(ev.n, 116);
	CHECK_EQ(traw_load(ev.raw, 4, swap), 300);
	CHECK_EQ(traw_load(ev.raw + 112, 4, swap), 328);
	want(&p, 1013, 0);
	want(&p, 1013 + (1u << 27) - 1, 8);
	want_end(&p, false);
}

TEST(page_gives_short_and_long_records)
{
	short_and_long(false);
}

TEST(page_of_the_other_byte_order)
{
	short_and_long(true);
}

static void extends(bool swap)
{
	struct build b = { .swap = swap };
	struct tpage p;

	word(&b, 30, (UINT64_C(5) << 27) + 9);
	record(&b, 1, 0, 1);
	word(&b, 30, (UINT64_C(0xffffffff) << 27) + 1);
	word(&b, 30, 2);
	record(&b, 3, 4, 1);
	p = open_page(&b, 50);
	want(&p, 50 + (UINT64_C(5) << 27) + 9, 4);
	want(&p, 50 + (UINT64_C(5) << 27) + 9 + (UINT64_C(0xffffffff) << 27) + 1 + 2 + 4, 12);
	want_end(&p, false);
}

TEST(page_time_extends_add_up)
{
	extends(false);
	extends(true);
}

static uint64_t stamp_after(uint64_t before, uint64_t stamp)
{
	struct build b = { 0 };
	struct tpage p;
	struct tpage_event ev;

	word(&b, 31, stamp);
	record(&b, 1, 0, 1);
	p = open_page(&b, before);
	CHECK(tpage_next(&p, &ev));
	return ev.ts;
}

TEST(page_absolute_stamps_take_the_top_bits_of_the_time_before)
{
	const uint64_t top = UINT64_C(1) << 59;

	CHECK_EQ(stamp_after(100, 5000), 5000);
	CHECK_EQ(stamp_after(3 * top + 100, 5000), 3 * top + 5000);
	CHECK_EQ(stamp_after(3 * top + 6000, 5000), 4 * top + 5000);
	CHECK_EQ(stamp_after(top - 10, 5), top + 5);     /* just wrapped for the first time */
	CHECK_EQ(stamp_after(6000, 5000), 5000);         /* a clock that went back */
}

TEST(page_discarded_records_still_take_time)
{
	struct build b = { 0 };
	struct tpage p;

	record(&b, 1, 3, 1);
	head(&b, 29, 10);
	put32(&b, 12);
	put32(&b, 7);
	put32(&b, 7);
	head(&b, 29, 1);      /* the 1 only says that this is not the end */
	put32(&b, 4);
	record(&b, 1, 2, 1);
	p = open_page(&b, 0);
	want(&p, 3, 4);
	want(&p, 15, 4);
	want_end(&p, false);
}

TEST(page_ends_at_null_padding)
{
	struct build b = { 0 };
	struct tpage p;

	record(&b, 1, 3, 1);
	head(&b, 29, 0);
	record(&b, 1, 3, 1);
	p = open_page(&b, 0);
	want(&p, 3, 4);
	want_end(&p, false);
}

static uint64_t lost_of(struct build *b, uint64_t flags, size_t bytes)
{
	struct tpage p;

	CHECK_EQ(tpage_init(&p, &layout, b->swap, page_of(b, 0, b->n | flags, bytes), bytes), 0);
	want(&p, 2, 4);
	want_end(&p, false);
	return p.lost;
}

static void lost_counts(bool swap)
{
	struct build b = { .swap = swap };
	uint64_t count = 9;

	record(&b, 1, 2, 1);
	if (swap)
		count = __builtin_bswap64(count);
	memcpy(b.b + 16 + b.n, &count, 8);
	CHECK_EQ(lost_of(&b, 0, 16 + b.n + 8), 0);
	CHECK_EQ(lost_of(&b, UINT64_C(3) << 30, 16 + b.n + 8), 9);
	CHECK_EQ(lost_of(&b, UINT64_C(1) << 31, 16 + b.n + 8), TPAGE_LOST_UNKNOWN);
	CHECK_EQ(lost_of(&b, UINT64_C(0xffffffff80000000), 16 + b.n + 8), TPAGE_LOST_UNKNOWN);
	CHECK_EQ(lost_of(&b, UINT64_C(0xffffffffc0000000), 16 + b.n + 8), 9);
	CHECK_EQ(lost_of(&b, UINT64_C(3) << 30, 16 + b.n + 7), TPAGE_LOST_UNKNOWN);
}

TEST(page_lost_counts_stand_behind_the_data)
{
	lost_counts(false);
	lost_counts(true);
}

/* The commit word of a 32-bit kernel, and a sub-buffer of 64 KiB. */
TEST(page_of_another_layout)
{
	struct tpage_layout small = { .commit_offset = 8, .commit_size = 4, .data_offset = 12, .data_size = 4084 };
	struct build b = { 0 };
	struct tpage p;
	uint32_t commit;

	record(&b, 1, 2, 1);
	memmove(b.b + 12, b.b + 16, b.n);
	commit = (uint32_t)b.n | UINT32_C(1) << 31;
	memcpy(b.b + 8, &commit, 4);
	CHECK_EQ(tpage_init(&p, &small, false, guard_dup(b.b, 12 + b.n), 12 + b.n), 0);
	CHECK_EQ(p.lost, TPAGE_LOST_UNKNOWN);
	want(&p, 2, 4);
	want_end(&p, false);

	b = (struct build){ 0 };
	long_record(&b, 65536 - 16 - 8 - 8, 1, 1);
	record(&b, 1, 1, 1);
	p = open_page(&b, 0);
	want(&p, 1, 65536 - 16 - 8 - 8);
	want(&p, 2, 4);
	want_end(&p, false);
}

TEST(page_cut_or_wrong_ends_bad_after_what_is_good)
{
	struct build b = { 0 };
	struct tpage p;

	record(&b, 1, 2, 1);
	record(&b, 3, 2, 1);
	for (size_t n = 16; n < 16 + b.n; n++) {
		CHECK_EQ(tpage_init(&p, &layout, false, page_of(&b, 0, b.n, n), n), 0);
		if (n >= 24)
			want(&p, 2, 4);
		want_end(&p, true);
	}
	for (size_t n = 0; n < 16; n++)
		CHECK_EQ(tpage_init(&p, &layout, false, page_of(&b, 0, b.n, n), n), -EBADMSG);

	static const uint32_t wrong[][3] = {
		{ 28 }, { 0, 0 }, { 0, 3 }, { 0, 6, 1 }, { 0, 12, 1 }, { 0, 0xfffffffc }, { 29 | 2 << 5, 0 },
		{ 29 | 2 << 5, 0xfffffff0 },
	};
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		b = (struct build){ 0 };
		record(&b, 1, 2, 1);
		for (int k = 0; k < 3; k++)
			put32(&b, wrong[i][k]);
		p = open_page(&b, 0);
		want(&p, 2, 4);
		want_end(&p, true);
	}
	b.n = 0;
	head(&b, 30, 1);
	p = open_page(&b, 0);
	want_end(&p, true);
}

TEST(page_layout_beyond_the_page_is_refused)
{
	struct tpage_layout l = layout;
	uint8_t bytes[64] = { 0 };
	struct tpage p;

	l.data_offset = 65;
	CHECK_EQ(tpage_init(&p, &l, false, bytes, 64), -EBADMSG);
	l = layout;
	l.commit_offset = UINT32_MAX;
	CHECK_EQ(tpage_init(&p, &l, false, bytes, 64), -EBADMSG);
	l = layout;
	l.commit_size = 2;
	CHECK_EQ(tpage_init(&p, &l, false, bytes, 64), -EBADMSG);
}

/* --- stream: each ring is a list of pages, each page some times --------------------------------------------------- */

struct src_page {
	uint64_t lost;       /* UINT64_MAX unknown */
	uint64_t ts[4];      /* 0 ends */
	bool bad;
};

struct src {
	const struct src_page *pages[3];
	size_t n[3], at[3];
	uint32_t fail;       /* ring + 1 that fails */
	unsigned asked;
	struct build b[3];
};

static int src_next(void *arg, uint32_t ring, const uint8_t **page, size_t *n, struct err *e)
{
	struct src *s = arg;
	struct build *b = &s->b[ring];
	const struct src_page *p;
	uint64_t before = 0, commit;

	s->asked++;
	if (s->fail == ring + 1)
		return err_set(e, EIO, "gone");
	if (s->at[ring] == s->n[ring])
		return 0;
	p = &s->pages[ring][s->at[ring]++];
	memset(b, 0, sizeof(*b));
	for (size_t i = 0; i < 4 && p->ts[i]; i++) {
		record(b, 1, (uint32_t)(p->ts[i] - before), (uint32_t)p->ts[i]);
		before = p->ts[i];
	}
	commit = b->n;
	if (p->lost)
		commit |= UINT64_C(1) << 31;
	if (p->lost && p->lost != TPAGE_LOST_UNKNOWN) {
		commit |= UINT64_C(1) << 30;
		memcpy(b->b + 16 + b->n, &p->lost, 8);
	}
	memcpy(b->b + 8, &commit, 8);
	*page = b->b;
	*n = p->bad ? 7 : 16 + b->n + 8;
	return 1;
}

static struct tstream *stream_of(struct src *s)
{
	struct tstream_ring rings[3];

	for (uint32_t i = 0; i < 3; i++)
		rings[i] = (struct tstream_ring){ .cpu = 10 + i, .buffer = i / 2, .layout = layout };
	return tstream_new(rings, 3, false, src_next, s);
}

static void want_rec(struct tstream *t, uint64_t limit, uint64_t ts, uint32_t ring, uint64_t lost)
{
	struct tstream_rec rec = { 0 };

	CHECK_EQ(tstream_next(t, limit, &rec, NULL), 1);
	CHECK_EQ(rec.ts, ts);
	CHECK_EQ(rec.ring, ring);
	CHECK_EQ(rec.cpu, 10 + ring);
	CHECK_EQ(rec.buffer, ring / 2);
	CHECK_EQ(rec.lost, lost);
	CHECK_EQ(rec.n, 4);
	CHECK_EQ(traw_load(rec.raw, 4, false), ts);
}

TEST(stream_merges_by_time_then_ring)
{
	static const struct src_page a[] = { { .ts = { 1, 5, 9 } }, { .ts = { 20 } } }, b[] = { { .ts = { 5, 6, 7 } } },
				     c[] = {
		{ .lost = 4, .ts = { 0 } }, { .lost = 3, .ts = { 2 } }, { .bad = true },
		{ .lost = TPAGE_LOST_UNKNOWN, .ts = { 5, 8 } },
	};
	struct src s = { .pages = { a, b, c }, .n = { 2, 1, 4 } };
	struct tstream *t = stream_of(&s);
	struct tstream_rec rec;

	want_rec(t, UINT64_MAX, 1, 0, 0);
	want_rec(t, UINT64_MAX, 2, 2, 7);
	want_rec(t, UINT64_MAX, 5, 0, 0);
	want_rec(t, UINT64_MAX, 5, 1, 0);
	want_rec(t, UINT64_MAX, 5, 2, TPAGE_LOST_UNKNOWN);
	want_rec(t, UINT64_MAX, 6, 1, 0);
	want_rec(t, UINT64_MAX, 7, 1, 0);
	want_rec(t, UINT64_MAX, 8, 2, 0);
	want_rec(t, UINT64_MAX, 9, 0, 0);
	want_rec(t, UINT64_MAX, 20, 0, 0);
	CHECK_EQ(tstream_next(t, UINT64_MAX, &rec, NULL), 0);
	CHECK_EQ(tstream_next(t, UINT64_MAX, &rec, NULL), 0);

	const struct tstream_stats *st = tstream_stats(t);

	CHECK_EQ(st->events, 10);
	CHECK_EQ(st->pages, 7);
	CHECK_EQ(st->lost, 7);
	CHECK_EQ(st->gaps, 3);
	CHECK_EQ(st->bad_pages, 1);
	CHECK_EQ(st->late, 0);
	tstream_free(t);
}

/* From the event before a loss to the one behind it, whatever other rings have in that time. */
TEST(stream_tells_what_lies_within_a_gap_of_another_ring)
{
	static const struct src_page a[] = { { .ts = { 1, 4 } }, { .lost = 2, .ts = { 9 } } },
				     b[] = { { .ts = { 3, 6, 10 } } },
				     c[] = { { .ts = { 2, 7 } }, { .lost = TPAGE_LOST_UNKNOWN, .ts = { 0 } } };
	static const bool in_gap[] = { false, false, false, false, true, true, true, true };
	struct src s = { .pages = { a, b, c }, .n = { 2, 1, 2 } };
	struct tstream *t = stream_of(&s);
	struct tstream_rec rec;

	for (size_t i = 0; i < ARRAY_SIZE(in_gap); i++) {
		CHECK_EQ(tstream_next(t, UINT64_MAX, &rec, NULL), 1);
		if (rec.in_gap != in_gap[i])
			t_fail(__FILE__, __LINE__, "at %u", (unsigned)rec.ts);
	}
	CHECK_EQ(rec.ts, 10);      /* the third ring's last page was lost with all that followed */
	tstream_free(t);
}

TEST(stream_live_holds_back_what_is_after_the_limit)
{
	static const struct src_page a[] = { { .ts = { 10, 30 } } }, b[] = { { .ts = { 20 } } },
				     c[] = { { .ts = { 5 } } };
	struct src s = { .pages = { a, b, c }, .n = { 1, 0, 0 } };
	struct tstream *t = stream_of(&s);
	struct tstream_rec rec;

	want_rec(t, 15, 10, 0, 0);
	CHECK_EQ(tstream_next(t, 15, &rec, NULL), 0);
	s.n[1] = 1;
	want_rec(t, 40, 20, 1, 0);
	want_rec(t, 40, 30, 0, 0);
	CHECK_EQ(tstream_next(t, 40, &rec, NULL), 0);
	s.n[2] = 1;      /* too late, but not dropped */
	want_rec(t, 40, 5, 2, 0);
	CHECK_EQ(tstream_stats(t)->late, 1);
	tstream_free(t);
}

TEST(stream_does_not_ask_idle_rings_for_each_event)
{
	static const struct src_page a[] = { { .ts = { 1, 2, 3, 4 } } };
	struct src s = { .pages = { a, NULL, NULL }, .n = { 1, 0, 0 } };
	struct tstream *t = stream_of(&s);

	for (uint64_t i = 1; i <= 4; i++)
		want_rec(t, UINT64_MAX, i, 0, 0);
	CHECK_EQ(s.asked, 3);
	tstream_free(t);
}

TEST(stream_peeks_into_the_same_ring_and_can_skip)
{
	static const struct src_page a[] = { { .ts = { 1, 5, 9 } }, { .ts = { 20 } } }, b[] = { { .ts = { 3, 6 } } };
	struct src s = { .pages = { a, b, NULL }, .n = { 2, 1, 0 } };
	struct tstream *t = stream_of(&s);
	struct tstream_rec rec;
	uint64_t ts;

	CHECK_EQ(tstream_next_time(t, &ts, NULL), 0);
	CHECK_EQ(tstream_peek(t, &rec, NULL), 0);
	tstream_skip(t);
	want_rec(t, UINT64_MAX, 1, 0, 0);
	tstream_skip(t);      /* nothing was looked at: no effect */
	for (int i = 0; i < 2; i++) {
		CHECK_EQ(tstream_peek(t, &rec, NULL), 1);
		CHECK_EQ(rec.ts, 5);
		CHECK_EQ(rec.ring, 0);
	}
	want_rec(t, UINT64_MAX, 3, 1, 0);
	CHECK_EQ(tstream_peek(t, &rec, NULL), 1);
	CHECK_EQ(rec.ts, 6);
	tstream_skip(t);
	want_rec(t, UINT64_MAX, 5, 0, 0);
	CHECK_EQ(tstream_next_time(t, &ts, NULL), 1);
	CHECK_EQ(ts, 9);
	want_rec(t, UINT64_MAX, 9, 0, 0);
	CHECK_EQ(tstream_peek(t, &rec, NULL), 1);
	CHECK_EQ(rec.ts, 20);
	tstream_skip(t);
	CHECK_EQ(tstream_peek(t, &rec, NULL), 0);
	CHECK_EQ(tstream_next(t, UINT64_MAX, &rec, NULL), 0);
	CHECK_EQ(tstream_stats(t)->events, 6);
	CHECK_EQ(tstream_stats(t)->late, 0);
	tstream_free(t);
}

TEST(stream_error_stays_and_offsets_shift_times)
{
	static const struct src_page a[] = { { .ts = { 10 } } };
	struct tstream_ring rings[2] = {
		{ .layout = layout, .ts_offset = -4 }, { .layout = layout, .ts_offset = -7 },
	};
	struct src s = { .pages = { a, a }, .n = { 1, 1 } };
	struct tstream *t = tstream_new(rings, 2, false, src_next, &s);
	struct tstream_rec rec;

	CHECK_EQ(tstream_next(t, UINT64_MAX, &rec, NULL), 1);
	CHECK_EQ(rec.ring, 1);
	CHECK_EQ(rec.ts, 3);
	CHECK_EQ(tstream_next(t, UINT64_MAX, &rec, NULL), 1);
	CHECK_EQ(rec.ts, 6);
	s.fail = 1;
	CHECK_EQ(tstream_next(t, UINT64_MAX, &rec, NULL), -EIO);
	s.fail = 0;
	CHECK_EQ(tstream_next(t, UINT64_MAX, &rec, NULL), -EIO);
	tstream_free(t);
	tstream_free(NULL);
	t = tstream_new(NULL, 0, false, src_next, &s);
	CHECK_EQ(tstream_next(t, UINT64_MAX, &rec, NULL), 0);
	tstream_free(t);
}
