/* test_funcgraph.c - calls, their times and percentiles out of function_graph records. */
#include "analyse/funcgraph.h"
#include "analyse/funcstat.h"
#include "t.h"

#define COMMON \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define ENTRY \
	"name: funcgraph_entry\nID: 11\nformat:\n" COMMON \
	"\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n" \
	"\tfield:int depth;\toffset:16;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n"
#define EXIT "name: funcgraph_exit\nID: 10\nformat:\n" COMMON

/* Linux 6.12. */
static const char exit_612[] = EXIT
	"\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:int depth;\toffset:16;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned int overrun;\toffset:20;\tsize:4;\tsigned:0;\n"
	"\tfield:unsigned long long calltime;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long long rettime;\toffset:32;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n";

/* Linux 5.10: the depth comes last. */
static const char exit_510[] = EXIT
	"\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long overrun;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long long calltime;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long long rettime;\toffset:32;\tsize:8;\tsigned:0;\n"
	"\tfield:int depth;\toffset:40;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n";

/* With funcgraph-retval, and a kernel whose returns have no times of their own. */
static const char exit_retval[] = EXIT
	"\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:unsigned long retval;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:int depth;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned int overrun;\toffset:28;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n";

struct bed {
	struct tevents events;
	struct funcgraph g;
	struct funcgraph_call got[64];
	size_t n;
	uint64_t lost;          /* before the next record */
	bool in_gap;            /* of another ring */
	uint32_t cpu;
	bool many;              /* records are too many for a guard page each */
	const char *format;
};

static int keep(void *arg, const struct funcgraph_call *c)
{
	struct bed *b = arg;

	if (b->n < ARRAY_SIZE(b->got))
		b->got[b->n++] = *c;
	return 0;
}

static void bed_init(struct bed *b, const char *format)
{
	struct funcgraph_want w = { .events = &b->events, .call = keep, .arg = b };
	struct err e = { 0 };

	*b = (struct bed){ .format = format };
	tevents_init(&b->events, (struct tmachine){ .long_size = 8 });
	CHECK_EQ(tevents_add(&b->events, SV("ftrace"), SV(ENTRY), &e), 0);
	CHECK_EQ(tevents_add(&b->events, SV("ftrace"), sv_from(format), &e), 0);
	CHECK_EQ(funcgraph_init(&b->g, &w, &e), 0);
}

static void bed_deinit(struct bed *b)
{
	funcgraph_deinit(&b->g);
	tevents_deinit(&b->events);
}

static void put(uint8_t *raw, size_t at, uint64_t v, size_t n)
{
	memcpy(raw + at, &v, n);
}

static void feed(struct bed *b, uint64_t ts, const uint8_t *raw, size_t n)
{
	struct tstream_rec rec = { .ts = ts, .cpu = b->cpu, .n = (uint32_t)n, .lost = b->lost,
				   .in_gap = b->in_gap };

	rec.raw = b->many ? raw : guard_dup(raw, n);
	b->lost = 0;
	CHECK_EQ(funcgraph_add(&b->g, &rec), 0);
}

static void in(struct bed *b, uint64_t ts, uint32_t pid, uint32_t depth, uint64_t func)
{
	uint8_t raw[20] = { 11 };

	put(raw, 4, pid, 4);
	put(raw, 8, func, 8);
	put(raw, 16, depth, 4);
	feed(b, ts, raw, sizeof(raw));
}

/* The return's own times are `call` and ts - 1. */
static void out(struct bed *b, uint64_t ts, uint32_t pid, uint32_t depth, uint64_t func, uint64_t call)
{
	uint8_t raw[44] = { 10 };
	size_t at_depth = b->format == exit_510 ? 40 : b->format == exit_612 ? 16 : 24;

	put(raw, 4, pid, 4);
	put(raw, 8, func, 8);
	if (b->format != exit_retval) {
		put(raw, 24, call, 8);
		put(raw, 32, ts - 1, 8);
	}
	put(raw, at_depth, depth, 4);
	feed(b, ts, raw, b->format == exit_510 ? 44 : b->format == exit_612 ? 40 : 32);
}

static void nested(const char *format)
{
	struct bed b;

	bed_init(&b, format);
	in(&b, 1000, 7, 0, 0xa);
	in(&b, 1100, 7, 1, 0xb);
	out(&b, 1201, 7, 1, 0xb, 1100);
	in(&b, 1300, 7, 1, 0xc);
	out(&b, 1351, 7, 1, 0xc, 1300);
	out(&b, 2001, 7, 0, 0xa, 1000);
	funcgraph_end(&b.g);
	CHECK_EQ(b.n, 3);
	CHECK_EQ(b.got[0].total, 100);
	CHECK_EQ(b.got[0].self, 100);
	CHECK_EQ(b.got[1].total, 50);
	CHECK_EQ(b.got[2].func, 0xa);
	CHECK_EQ(b.got[2].start, 1000);
	CHECK_EQ(b.got[2].total, 1000);
	CHECK_EQ(b.got[2].self, 850);
	CHECK(b.got[2].self_known);
	CHECK_EQ(b.g.stats.calls, 3);
	CHECK_EQ(b.g.stats.unfinished + b.g.stats.headless + b.g.stats.spanned + b.g.stats.discarded, 0);
	bed_deinit(&b);
}

TEST(funcgraph_takes_called_functions_off_in_612) { nested(exit_612); }
TEST(funcgraph_takes_called_functions_off_in_510) { nested(exit_510); }

TEST(funcgraph_uses_time_stamps_where_returns_have_no_times)
{
	struct bed b;

	bed_init(&b, exit_retval);
	in(&b, 1000, 7, 0, 0xa);
	in(&b, 1100, 7, 1, 0xb);
	out(&b, 1200, 7, 1, 0xb, 0);
	out(&b, 2000, 7, 0, 0xa, 0);
	CHECK_EQ(b.n, 2);
	CHECK_EQ(b.got[0].total, 100);
	CHECK_EQ(b.got[1].total, 1000);
	CHECK_EQ(b.got[1].self, 900);
	bed_deinit(&b);
}

TEST(funcgraph_keeps_tasks_apart_and_idle_tasks_by_cpu)
{
	struct bed b;

	bed_init(&b, exit_612);
	in(&b, 100, 7, 0, 0xa);
	in(&b, 110, 0, 0, 0xa);
	b.cpu = 1;
	in(&b, 120, 0, 0, 0xb);
	in(&b, 130, 8, 0, 0xa);
	out(&b, 201, 7, 0, 0xa, 100);   /* it went to the other CPU */
	out(&b, 301, 0, 0, 0xb, 120);
	b.cpu = 0;
	out(&b, 401, 0, 0, 0xa, 110);
	out(&b, 501, 8, 0, 0xa, 130);
	CHECK_EQ(b.n, 4);
	CHECK_EQ(b.got[0].total, 100);
	CHECK_EQ(b.got[0].cpu, 1);
	CHECK_EQ(b.got[1].total, 180);
	CHECK_EQ(b.got[2].total, 290);
	CHECK_EQ(b.got[3].total, 370);
	CHECK_EQ(b.g.stats.headless, 0);
	bed_deinit(&b);
}

TEST(funcgraph_does_not_trust_the_own_time_of_a_call_across_lost_events)
{
	struct bed b;

	bed_init(&b, exit_612);
	in(&b, 100, 7, 0, 0xa);
	in(&b, 110, 7, 1, 0xb);
	b.lost = 12;
	out(&b, 501, 7, 0, 0xa, 100);
	CHECK_EQ(b.n, 1);
	CHECK_EQ(b.got[0].total, 400);
	CHECK(!b.got[0].self_known);
	CHECK_EQ(b.got[0].self, 0);
	CHECK_EQ(b.g.stats.spanned, 1);
	CHECK_EQ(b.g.stats.discarded, 1);
	in(&b, 600, 7, 0, 0xa);
	out(&b, 701, 7, 0, 0xa, 600);
	CHECK(b.got[1].self_known);
	bed_deinit(&b);
}

TEST(funcgraph_leaves_calls_from_before_a_fresh_trace_out)
{
	struct bed b;

	bed_init(&b, exit_612);
	out(&b, 1000, 7, 3, 0xa, 100);   /* a recording that was overwritten in part: counted */
	CHECK_EQ(b.n, 1);
	bed_deinit(&b);

	bed_init(&b, exit_612);
	b.g.want.fresh = true;
	out(&b, 1000, 7, 3, 0xa, 100);
	in(&b, 1100, 8, 0, 0xb);
	out(&b, 1201, 8, 0, 0xb, 1100);
	out(&b, 1301, 7, 2, 0xa, 90);
	CHECK_EQ(b.n, 1);
	CHECK_EQ(b.got[0].func, 0xb);
	b.lost = 5;
	out(&b, 1500, 9, 0, 0xc, 1400);  /* its entry was lost, and its times are known */
	CHECK_EQ(b.n, 2);
	CHECK_EQ(b.g.stats.headless, 3);
	bed_deinit(&b);
}

TEST(funcgraph_discards_a_pair_across_lost_events_without_times)
{
	struct bed b;

	bed_init(&b, exit_retval);
	in(&b, 100, 7, 0, 0xa);
	b.lost = TPAGE_LOST_UNKNOWN;
	out(&b, 500, 7, 0, 0xa, 0);
	CHECK_EQ(b.n, 0);
	CHECK_EQ(b.g.stats.discarded, 1);
	CHECK_EQ(b.g.stats.headless, 0);
	bed_deinit(&b);
}

TEST(funcgraph_discards_a_pair_within_a_loss_of_another_ring)
{
	struct bed b;

	bed_init(&b, exit_retval);
	in(&b, 100, 7, 0, 0xa);
	b.in_gap = true;
	out(&b, 500, 7, 0, 0xa, 0);
	in(&b, 600, 7, 0, 0xa);
	b.lost = 3;
	out(&b, 700, 7, 0, 0xa, 0);
	CHECK_EQ(b.n, 0);
	CHECK_EQ(b.g.stats.discarded, 2);
	b.in_gap = false;
	in(&b, 800, 7, 0, 0xa);
	out(&b, 900, 7, 0, 0xa, 0);
	CHECK_EQ(b.n, 1);
	bed_deinit(&b);
}

TEST(funcgraph_counts_a_return_without_entry_by_its_own_times)
{
	struct bed b;

	bed_init(&b, exit_612);
	out(&b, 501, 7, 3, 0xa, 100);
	in(&b, 600, 7, 0, 0xa);          /* do_exit never returns */
	in(&b, 610, 7, 1, 0xb);
	in(&b, 700, 7, 0, 0xc);          /* the next task with this number */
	out(&b, 801, 7, 0, 0xd, 700);    /* not the function that was entered */
	funcgraph_end(&b.g);
	CHECK_EQ(b.n, 2);
	CHECK_EQ(b.got[0].total, 400);
	CHECK(!b.got[0].self_known);
	CHECK_EQ(b.g.stats.headless, 2);
	CHECK_EQ(b.g.stats.unfinished, 3);
	bed_deinit(&b);
}

TEST(funcgraph_gives_up_old_tasks_rather_than_memory)
{
	struct bed b;

	bed_init(&b, exit_612);
	b.many = true;
	for (uint32_t i = 1; i <= 3 * FUNCGRAPH_TASKS; i++) {
		in(&b, 1000 + i, i, 0, 0xa);
		CHECK(b.g.open.newest.n <= FUNCGRAPH_TASKS);
	}
	CHECK(b.g.stats.unfinished > FUNCGRAPH_TASKS);

	uint32_t last = 3 * FUNCGRAPH_TASKS;

	out(&b, 2000 + last, last, 0, 0xa, 1000 + last);
	CHECK(b.got[0].self_known);
	bed_deinit(&b);
}

TEST(funcgraph_bounds_a_stack_that_only_grows)
{
	struct bed b;

	bed_init(&b, exit_612);
	for (uint32_t d = 0; d < 3 * FUNCGRAPH_DEPTH; d++)
		in(&b, d, 7, d, 0xa);
	CHECK_EQ(b.g.stats.unfinished, 2 * FUNCGRAPH_DEPTH);
	out(&b, 9999, 7, UINT32_MAX, 0xa, 1);
	bed_deinit(&b);
}

TEST(funcgraph_passes_over_records_that_are_too_short)
{
	struct bed b;
	uint8_t raw[44] = { 10 };

	bed_init(&b, exit_612);
	for (size_t n = 0; n < 40; n++)
		feed(&b, n, raw, n);
	CHECK_EQ(b.n, 0);
	feed(&b, 40, raw, 40);
	CHECK_EQ(b.n, 1);
	bed_deinit(&b);
}

TEST(loghist_is_exact_for_small_numbers_and_near_for_large_ones)
{
	struct loghist h = { 0 };

	CHECK_EQ(loghist_at(&h, 500), 0);
	for (uint64_t v = 0; v < 16; v++)
		CHECK_EQ(loghist_add(&h, v), 0);
	CHECK_EQ(loghist_at(&h, 500), 7);
	CHECK_EQ(loghist_at(&h, 1000), 15);
	loghist_deinit(&h);
	for (uint64_t v = 1; v < UINT64_MAX / 3; v = v * 3 + 1) {
		CHECK_EQ(loghist_add(&h, v), 0);

		uint64_t got = loghist_at(&h, 1000), off = got > v ? got - v : v - got;

		CHECK(off <= v / 32 + 1);
	}
	CHECK_EQ(loghist_add(&h, UINT64_MAX), 0);
	CHECK(loghist_at(&h, 1000) > UINT64_MAX / 32 * 30);
	CHECK_EQ(loghist_at(&h, 1), 1);
	loghist_deinit(&h);
}

TEST(loghist_percentiles_are_near_those_of_all_the_numbers)
{
	struct loghist h = { 0 };

	for (uint64_t v = 1; v <= 100000; v++)
		CHECK_EQ(loghist_add(&h, v), 0);
	for (unsigned p = 10; p < 1000; p += 10) {
		uint64_t want = p * 100, got = loghist_at(&h, p);

		CHECK((got > want ? got - want : want - got) <= want / 32 + 1);
	}
	loghist_deinit(&h);
}

TEST(funcstat_adds_up_by_function_and_by_thread)
{
	static const struct funcgraph_call calls[] = {
		{ .func = 0xa, .pid = 1, .total = 10, .self = 5 }, { .func = 0xb, .pid = 1, .total = 100, .self = 100 },
		{ .func = 0xa, .pid = 2, .total = 30, .self = 30 }, { .func = 0xa, .pid = 1, .total = 20, .self = 2 },
	};
	struct funcstat s = { 0 }, t = { .by = FUNCSTAT_BY_TASK };

	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		CHECK_EQ(funcstat_add(&s, &calls[i]), 0);
		CHECK_EQ(funcstat_add(&t, &calls[i]), 0);
	}
	CHECK_EQ(s.rows.n, 2);
	CHECK_EQ(s.rows.v[0].count, 3);
	CHECK_EQ(s.rows.v[0].total, 60);
	CHECK_EQ(s.rows.v[0].self, 37);
	CHECK_EQ(s.rows.v[0].min, 10);
	CHECK_EQ(s.rows.v[0].max, 30);
	CHECK_EQ(t.rows.n, 3);
	CHECK_EQ(t.rows.v[0].count, 2);
	CHECK_EQ(t.rows.v[2].pid, 2);
	s.rows.v[0].name = "first";
	s.rows.v[1].name = "zero";

	static const struct { enum funcstat_key key; uint32_t top; } want[] = {
		{ FUNCSTAT_TOTAL, 1 }, { FUNCSTAT_AVG, 1 }, { FUNCSTAT_MAX, 1 }, { FUNCSTAT_COUNT, 0 },
		{ FUNCSTAT_SELF, 1 }, { FUNCSTAT_NAME, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		uint32_t *order = funcstat_order(&s, want[i].key);

		CHECK_EQ(order[0], want[i].top);
		free(order);
	}
	funcstat_deinit(&s);
	funcstat_deinit(&t);
}
