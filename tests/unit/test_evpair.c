/* test_evpair.c - times between events with the same key. */
#include "analyse/evpair.h"
#include "t.h"

#define COMMON \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char waking[] = "name: sched_waking\nID: 5\nformat:\n" COMMON
	"\tfield:char comm[8];\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:pid_t pid;\toffset:16;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n";
static const char switched[] = "name: sched_switch\nID: 6\nformat:\n" COMMON
	"\tfield:char next_comm[8];\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:pid_t next_pid;\toffset:16;\tsize:4;\tsigned:1;\n"
	"\tfield:pid_t prev_pid;\toffset:20;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n";

struct bed {
	struct tevents events;
	struct evpair p;
	uint64_t took[16];
	size_t n;
	uint64_t lost;
	bool in_gap;
};

static int keep(void *arg, uint64_t start, uint64_t end)
{
	struct bed *b = arg;

	if (b->n < ARRAY_SIZE(b->took))
		b->took[b->n++] = end - start;
	return 0;
}

static int bed_init(struct bed *b, struct evpair_want w, struct err *e)
{
	*b = (struct bed){ 0 };
	tevents_init(&b->events, (struct tmachine){ .long_size = 8 });
	CHECK_EQ(tevents_add(&b->events, SV("sched"), SV(waking), e), 0);
	CHECK_EQ(tevents_add(&b->events, SV("sched"), SV(switched), e), 0);
	w.events = &b->events;
	w.pair = keep;
	w.arg = b;
	return evpair_init(&b->p, &w, e);
}

static void bed_deinit(struct bed *b)
{
	evpair_deinit(&b->p);
	tevents_deinit(&b->events);
}

static void feed(struct bed *b, uint64_t ts, uint8_t id, const char *comm, uint32_t pid, uint32_t prev)
{
	uint8_t raw[24] = { id };
	struct tstream_rec rec = { .ts = ts, .n = id == 5 ? 20 : 24, .raw = raw, .lost = b->lost,
				   .in_gap = b->in_gap };

	b->lost = 0;
	b->in_gap = false;
	memcpy(raw + 8, comm, strlen(comm) + 1);
	memcpy(raw + 16, &pid, 4);
	memcpy(raw + 20, &prev, 4);
	CHECK_EQ(evpair_add(&b->p, &rec), 0);
}

static const struct evpair_want wakeup = {
	.from = "sched:sched_waking", .to = "sched_switch", .from_key = "pid", .to_key = "next_pid",
};

TEST(evpair_pairs_by_key)
{
	struct bed b;
	struct err e = { 0 };

	CHECK_EQ(bed_init(&b, wakeup, &e), 0);
	feed(&b, 100, 5, "a", 1, 0);
	feed(&b, 110, 5, "b", 2, 0);
	feed(&b, 150, 6, "b", 2, 9);
	feed(&b, 190, 6, "a", 1, 2);
	feed(&b, 200, 6, "b", 2, 1);      /* was not woken */
	feed(&b, 300, 5, "a", 1, 0);
	feed(&b, 310, 5, "a", 1, 0);
	feed(&b, 330, 6, "a", 1, 0);
	CHECK_EQ(b.n, 3);
	CHECK_EQ(b.took[0], 40);
	CHECK_EQ(b.took[1], 90);
	CHECK_EQ(b.took[2], 20);
	CHECK_EQ(b.p.stats.starts, 4);
	CHECK_EQ(b.p.stats.replaced, 1);
	CHECK_EQ(b.p.stats.unstarted, 1);
	bed_deinit(&b);
}

TEST(evpair_keys_may_be_texts)
{
	struct evpair_want w = wakeup;
	struct bed b;
	struct err e = { 0 };

	w.from_key = "comm";
	w.to_key = "next_comm";
	CHECK_EQ(bed_init(&b, w, &e), 0);
	feed(&b, 100, 5, "a", 1, 0);
	feed(&b, 150, 6, "b", 1, 0);
	feed(&b, 170, 6, "a", 7, 0);
	CHECK_EQ(b.n, 1);
	CHECK_EQ(b.took[0], 70);
	bed_deinit(&b);
}

TEST(evpair_one_event_may_be_both_ends)
{
	struct evpair_want w = {
		.from = "sched_switch", .to = "sched_switch", .from_key = "next_pid", .to_key = "prev_pid"};
	struct bed b;
	struct err e = { 0 };

	CHECK_EQ(bed_init(&b, w, &e), 0);
	feed(&b, 100, 6, "", 1, 0);
	feed(&b, 130, 6, "", 2, 1);
	feed(&b, 170, 6, "", 1, 2);
	CHECK_EQ(b.n, 2);
	CHECK_EQ(b.took[0], 30);
	CHECK_EQ(b.took[1], 40);
	bed_deinit(&b);
}

TEST(evpair_discards_pairs_across_lost_events)
{
	struct bed b;
	struct err e = { 0 };

	CHECK_EQ(bed_init(&b, wakeup, &e), 0);
	feed(&b, 100, 5, "a", 1, 0);
	b.lost = TPAGE_LOST_UNKNOWN;
	feed(&b, 200, 5, "b", 2, 0);
	feed(&b, 210, 6, "a", 1, 0);
	feed(&b, 220, 6, "b", 2, 0);
	CHECK_EQ(b.n, 1);
	CHECK_EQ(b.took[0], 20);
	CHECK_EQ(b.p.stats.discarded, 1);
	bed_deinit(&b);
}

/* The ends may be among what another CPU's ring has lost, which is told by the next record of that ring. */
TEST(evpair_discards_pairs_within_a_loss_of_another_ring)
{
	struct bed b;
	struct err e = { 0 };

	CHECK_EQ(bed_init(&b, wakeup, &e), 0);
	feed(&b, 100, 5, "a", 1, 0);
	b.in_gap = true;
	feed(&b, 120, 6, "a", 1, 0);
	b.in_gap = true;
	feed(&b, 140, 5, "b", 2, 0);
	b.lost = 9;
	feed(&b, 160, 6, "b", 2, 0);
	feed(&b, 200, 5, "a", 1, 0);
	feed(&b, 230, 6, "a", 1, 0);
	CHECK_EQ(b.n, 1);
	CHECK_EQ(b.took[0], 30);
	CHECK_EQ(b.p.stats.discarded, 2);
	bed_deinit(&b);
}

TEST(evpair_bounds_the_keys_it_remembers)
{
	struct bed b;
	struct err e = { 0 };

	CHECK_EQ(bed_init(&b, wakeup, &e), 0);
	for (uint32_t i = 1; i <= EVPAIR_KEYS; i++) {
		feed(&b, i, 5, "a", i, 0);
		if (i > 10)
			feed(&b, i, 6, "a", i, 0);
	}
	feed(&b, EVPAIR_KEYS + 1, 5, "a", EVPAIR_KEYS + 1, 0);
	CHECK_EQ(b.p.open.newest.n, 11);
	CHECK_EQ(b.p.stats.discarded, 0);
	for (uint32_t i = 1; i <= 3 * EVPAIR_KEYS; i++) {
		feed(&b, i, 5, "a", i, 0);
		CHECK(b.p.open.newest.n <= EVPAIR_KEYS);
	}
	CHECK(b.p.stats.discarded >= EVPAIR_KEYS);
	bed_deinit(&b);
}

TEST(evpair_names_what_is_near)
{
	struct evpair_want w = wakeup;
	struct bed b;
	struct err e = { 0 };

	w.to_key = "nxet_pid";
	CHECK_EQ(bed_init(&b, w, &e), -ENOENT);
	CHECK(strstr(e.text, "'next_pid'") != NULL);
	bed_deinit(&b);
	w = wakeup;
	w.to = "sched:nothing";
	CHECK_EQ(bed_init(&b, w, &e), -ENOENT);
	CHECK(strstr(e.text, "sched:nothing") != NULL);
	bed_deinit(&b);
}

TEST(evpair_passes_over_short_records)
{
	struct bed b;
	struct err e = { 0 };
	uint8_t raw[24] = { 5 };

	CHECK_EQ(bed_init(&b, wakeup, &e), 0);
	for (size_t n = 0; n < 20; n++) {
		struct tstream_rec rec = { .ts = n, .n = (uint32_t)n, .raw = guard_dup(raw, n) };

		CHECK_EQ(evpair_add(&b.p, &rec), 0);
	}
	CHECK_EQ(b.p.stats.starts, 0);
	bed_deinit(&b);
}
