/* perf ring: records that wrap, snapshots that cannot be. */
#include "perf/ring.h"

#include "abi/perf_event.h"
#include "t.h"

static uint8_t image[4096], bounce[RING_BOUNCE];

/* A record of n bytes at a position of the ring; the body counts up from 1. */
static void put(uint64_t size, uint64_t pos, uint32_t type, uint16_t n)
{
	struct perf_rec h = { .type = type, .misc = 2, .size = n };
	uint8_t rec[256] = { 0 };

	memcpy(rec, &h, sizeof(h));
	for (unsigned i = sizeof(h); i < n; i++)
		rec[i] = (uint8_t)(i - sizeof(h) + 1);
	for (unsigned i = 0; i < n; i++)
		image[(pos + i) & (size - 1)] = rec[i];
}

static struct ring *ring_of(uint64_t size, uint64_t tail, uint64_t head)
{
	struct ring *r = malloc(sizeof(*r));

	r->data = guard_dup(image, size);
	r->size = size;
	r->tail = tail;
	r->head = head;
	return r;
}

static void check_body(const struct perf_record *r, size_t n)
{
	CHECK_EQ(r->body.n, n);
	for (size_t i = 0; i < n; i++)
		CHECK_EQ(r->body.p[i], i + 1);
}

TEST(ring_gives_records_in_order_and_then_nothing)
{
	struct perf_record rec;
	struct err e;

	put(64, 0, PERF_REC_SAMPLE, 24);
	put(64, 24, PERF_REC_COMM, 16);

	struct ring *r = ring_of(64, 0, 40);

	CHECK_EQ(ring_next(r, bounce, &rec, &e), 1);
	CHECK_EQ(rec.type, PERF_REC_SAMPLE);
	CHECK_EQ(rec.misc, 2);
	check_body(&rec, 16);
	CHECK_EQ(ring_next(r, bounce, &rec, &e), 1);
	CHECK_EQ(rec.type, PERF_REC_COMM);
	CHECK_EQ(rec.off, 24);
	check_body(&rec, 8);
	CHECK_EQ(ring_next(r, bounce, &rec, &e), 0);
	CHECK_EQ(r->tail, 40);
	free(r);
}

TEST(ring_joins_a_record_that_wraps_at_every_place)
{
	for (unsigned at = 64 + 8; at <= 64 + 64; at += 8) {
		struct perf_record rec;
		struct err e;

		put(64, at, PERF_REC_SAMPLE, 48);

		struct ring *r = ring_of(64, at, at + 48);

		CHECK_EQ(ring_next(r, bounce, &rec, &e), 1);
		check_body(&rec, 40);
		CHECK_EQ(ring_next(r, bounce, &rec, &e), 0);
		free(r);
	}
}

TEST(ring_joins_the_longest_record)
{
	enum { SIZE = 65536, N = 65528 };
	static uint8_t big[SIZE];
	struct perf_rec h = { .type = PERF_REC_SAMPLE, .size = N };
	struct perf_record rec;
	struct err e;
	struct ring *r = malloc(sizeof(*r));

	memcpy(big + SIZE - 8, &h, sizeof(h));
	for (unsigned i = 0; i < N - 8; i++)
		big[i] = (uint8_t)(i * 7);
	r->data = guard_dup(big, SIZE);
	r->size = SIZE;
	r->tail = SIZE - 8;
	r->head = r->tail + N;
	CHECK_EQ(ring_next(r, bounce, &rec, &e), 1);
	CHECK_EQ(rec.body.n, N - 8);
	CHECK(!memcmp(rec.body.p, big, N - 8));
	free(r);
}

TEST(ring_positions_may_pass_the_end_of_u64)
{
	struct perf_record rec;
	struct err e;
	uint64_t tail = (uint64_t)-16;

	put(64, tail, PERF_REC_SAMPLE, 32);

	struct ring *r = ring_of(64, tail, tail + 32);

	CHECK_EQ(ring_next(r, bounce, &rec, &e), 1);
	check_body(&rec, 24);
	CHECK_EQ(r->tail, 16);
	CHECK_EQ(ring_next(r, bounce, &rec, &e), 0);
	free(r);
}

static int next_after(uint64_t tail, uint64_t head, uint16_t size)
{
	struct perf_record rec;
	struct err e;

	put(64, tail, PERF_REC_SAMPLE, size);

	struct ring *r = ring_of(64, tail, head);
	int got = ring_next(r, bounce, &rec, &e);

	CHECK_EQ(r->tail, got == 1 ? tail + size : tail);
	free(r);
	return got;
}

TEST(ring_refuses_what_cannot_be_records)
{
	CHECK_EQ(next_after(0, 32, 32), 1);
	CHECK_EQ(next_after(0, 32, 40), -EBADMSG);    /* longer than what is there */
	CHECK_EQ(next_after(0, 32, 12), -EBADMSG);    /* not a multiple of 8 */
	CHECK_EQ(next_after(0, 32, 0), -EBADMSG);
	CHECK_EQ(next_after(0, 4, 8), -EBADMSG);      /* no room for a header */
	CHECK_EQ(next_after(4, 36, 32), -EBADMSG);    /* tail not aligned */
	CHECK_EQ(next_after(0, 72, 32), -EBADMSG);    /* more than the ring holds */
	CHECK_EQ(next_after(64, 0, 32), -EBADMSG);    /* head behind tail */
}

TEST(ring_spans_are_the_bytes_between_tail_and_head)
{
	struct bytes out[2];
	struct err e;
	struct ring *r = ring_of(64, 0, 0);

	CHECK_EQ(ring_spans(r, out, &e), 0);
	r->head = 40;
	CHECK_EQ(ring_spans(r, out, &e), 1);
	CHECK(out[0].p == r->data && out[0].n == 40);
	r->tail = 40;
	r->head = 64;
	CHECK_EQ(ring_spans(r, out, &e), 1);
	CHECK(out[0].p == r->data + 40 && out[0].n == 24);
	r->head = 104;
	CHECK_EQ(ring_spans(r, out, &e), 2);
	CHECK(out[0].p == r->data + 40 && out[0].n == 24);
	CHECK(out[1].p == r->data && out[1].n == 40);
	r->head = 112;
	CHECK_EQ(ring_spans(r, out, &e), -EBADMSG);
	r->size = 48;
	CHECK_EQ(ring_spans(r, out, &e), -EBADMSG);
	free(r);
}
