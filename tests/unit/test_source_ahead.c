/* Records that another thread reads come as they do without it: each once, in order, whole, up to the end. */
#include "source/ahead.h"
#include "t.h"

/* From record `lends` on all are in one place, where the next one overwrites them. */
struct fake {
	struct source source;
	uint64_t n, at, lends;
	int end;
	uint8_t place[8];
};

static int next_one(struct source *s, struct source_rec *rec)
{
	struct fake *f = (struct fake *)s;

	if (f->at == f->n)
		return f->end;
	f->at++;
	*rec = (struct source_rec){ .time = f->at };
	if (f->at >= f->lends) {
		memcpy(f->place, &f->at, sizeof(f->at));
		rec->perf.body = (struct bytes){ f->place, sizeof(f->place) };
	}
	return 1;
}

static bool lends(const struct source *s)
{
	const struct fake *f = (const struct fake *)s;

	return f->at >= f->lends;
}

static const struct ahead_from from = { .next = next_one, .lends = lends };

static uint64_t read_all(struct fake *f)
{
	struct ahead *a = ahead_new(&f->source, &from);
	struct source_rec rec;
	uint64_t n = 0;
	int r;

	CHECK(a);
	while ((r = ahead_next(a, &rec)) == 1) {
		uint64_t said = rec.time;

		if (rec.perf.body.p)
			memcpy(&said, rec.perf.body.p, sizeof(said));
		CHECK_EQ(rec.time, ++n);
		CHECK_EQ(said, n);
	}
	CHECK_EQ(r, f->end);
	CHECK_EQ(ahead_next(a, &rec), f->end);
	ahead_free(a);
	return n;
}

TEST(records_read_ahead_are_all_there_in_order)
{
	static const uint64_t counts[] = { 0, 1, 1023, 1024, 1025, 2048, 10000 };

	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		struct fake f = { .n = counts[i], .lends = UINT64_MAX, .end = i % 2 ? -ENOMEM : 0 };

		CHECK_EQ(read_all(&f), counts[i]);
	}
}

TEST(records_that_are_lent_are_not_read_over)
{
	static const uint64_t first[] = { 1, 2, 1024, 1025, 3000 };

	for (size_t i = 0; i < ARRAY_SIZE(first); i++) {
		struct fake f = { .n = 5000, .lends = first[i] };

		CHECK_EQ(read_all(&f), f.n);
	}
}

TEST(reading_ahead_may_end_at_any_record)
{
	for (unsigned stop = 0; stop < 4000; stop += 500) {
		struct fake f = { .n = UINT64_MAX, .lends = UINT64_MAX };
		struct ahead *a = ahead_new(&f.source, &from);
		struct source_rec rec;

		for (unsigned i = 0; i < stop; i++)
			CHECK_EQ(ahead_next(a, &rec), 1);
		ahead_free(a);
		CHECK(f.at >= stop);
	}
}
