/* What takes a thread's time. */
#include "analyse/gaps.h"
#include "t.h"

static struct gap_piece pieces[16];
static struct gap found[16];
static unsigned n_pieces, n_gaps;

static int note_piece(void *arg UNUSED, const struct gap_thread *t UNUSED, const struct gap_piece *p)
{
	pieces[n_pieces++] = *p;
	return 0;
}

static int note_gap(void *arg UNUSED, const struct gap *g)
{
	found[n_gaps++] = *g;
	return 0;
}

static void begin(struct gaps *g, uint64_t time, enum gap_cause cause, uint32_t who)
{
	struct gap_piece what = { .cause = cause, .who = who };

	CHECK_EQ(gaps_begin(g, 0, 5, time, &what), 0);
}

static void open_one(struct gaps *g)
{
	*g = (struct gaps){ .piece = note_piece, .gap = note_gap };
	CHECK_EQ(gaps_watch(g, 77), 0);
}

TEST(gaps_nested_causes_count_for_themselves)
{
	struct gaps g;

	open_one(&g);
	begin(&g, 1000, GAP_SYSCALL, 1);
	begin(&g, 1100, GAP_IRQ, 2);
	gaps_end(&g, 0, 1400, GAP_IRQ);
	gaps_end(&g, 0, 2000, GAP_SYSCALL);
	CHECK_EQ(n_pieces, 2);
	CHECK(pieces[0].cause == GAP_IRQ && pieces[0].ns == 300 && pieces[0].who == 2);
	CHECK(pieces[1].cause == GAP_SYSCALL && pieces[1].ns == 700);
	CHECK_EQ(gaps_tell(&g, 2000 + GAP_JOIN, false), 0);
	CHECK_EQ(n_gaps, 0);
	CHECK_EQ(gaps_tell(&g, 2001 + GAP_JOIN, false), 0);
	CHECK_EQ(n_gaps, 1);
	CHECK(found[0].from == 1000 && found[0].to == 2000 && found[0].stolen == 300 && found[0].tid == 77);
	gaps_deinit(&g);
}

TEST(gaps_whose_end_was_not_seen)
{
	struct gaps g;

	/* The first interrupt's end came before somebody looked: the next one does not lie in it. */
	open_one(&g);
	begin(&g, 1000, GAP_IRQ, 1);
	begin(&g, 900000, GAP_IRQ, 2);
	gaps_end(&g, 0, 901000, GAP_IRQ);
	CHECK_EQ(n_pieces, 1);
	CHECK(pieces[0].who == 2 && pieces[0].ns == 1000);
	CHECK_EQ(gaps_tell(&g, 0, true), 0);
	CHECK(n_gaps == 1 && found[0].from == 900000 && found[0].to == 901000);
	CHECK_EQ(g.discarded, 1);
	/* Nor does the thread leave its CPU in one. */
	begin(&g, 1000000, GAP_SOFTIRQ, 1);
	begin(&g, 1500000, GAP_PREEMPTED, 9);
	gaps_end(&g, 0, 1600000, GAP_PREEMPTED);
	CHECK(n_pieces == 2 && pieces[1].ns == 100000);
	CHECK_EQ(g.discarded, 2);
	gaps_deinit(&g);
}

TEST(gaps_what_an_interrupt_raises_is_the_same_gap)
{
	struct gaps g;

	open_one(&g);
	begin(&g, 1000, GAP_IRQ, 1);
	gaps_end(&g, 0, 4000, GAP_IRQ);
	begin(&g, 4000 + GAP_JOIN, GAP_SOFTIRQ, 1);
	gaps_end(&g, 0, 9000, GAP_SOFTIRQ);
	begin(&g, 9001 + GAP_JOIN, GAP_IRQ, 1);
	CHECK_EQ(n_gaps, 1);
	CHECK(found[0].n == 2 && found[0].to == 9000 && found[0].stolen == 3000 + 5000 - GAP_JOIN);
	gaps_deinit(&g);
}

TEST(gaps_who_had_the_cpu_for_longest)
{
	struct gaps g;

	open_one(&g);
	begin(&g, 1000, GAP_PREEMPTED, 10);
	gaps_runs(&g, 5, 1500, 11);
	gaps_runs(&g, 6, 1600, 99);
	gaps_runs(&g, 5, 5000, 12);
	gaps_end(&g, 0, 6000, GAP_PREEMPTED);
	CHECK(pieces[0].who == 11 && pieces[0].ns == 5000);
	gaps_deinit(&g);
}

TEST(gaps_across_a_loss_are_no_gaps)
{
	struct gaps g;

	open_one(&g);
	/* That began before anybody looked. */
	CHECK_EQ(gaps_end(&g, 0, 500, GAP_IRQ), 0);
	CHECK_EQ(n_pieces, 0);
	begin(&g, 1000, GAP_IRQ, 1);
	gaps_lost(&g, 6);
	gaps_lost(&g, 5);
	CHECK_EQ(g.discarded, 1);
	CHECK_EQ(gaps_end(&g, 0, 1500, GAP_IRQ), 0);
	begin(&g, 2000, GAP_SYSCALL, 1);
	begin(&g, 2100, GAP_SOFTIRQ, 1);
	/* The end of the soft interrupt has not come. */
	CHECK_EQ(gaps_end(&g, 0, 3000, GAP_SYSCALL), 0);
	CHECK_EQ(g.discarded, 2);
	CHECK(n_pieces == 1 && pieces[0].cause == GAP_SYSCALL && pieces[0].ns == 1000);
	for (int i = 0; i < GAP_DEPTH + 1; i++)
		begin(&g, 4000, GAP_IRQ, 1);
	CHECK_EQ(g.discarded, 2 + GAP_DEPTH);
	CHECK_EQ(gaps_tell(&g, 9000, true), 0);
	gaps_deinit(&g);
}
