/* test_prof_states.c - states of tasks, from what happens to them. */
#include "prof/states.h"
#include "t.h"

/* Stays as text: "5:S 100-200;". */
struct seen {
	struct states states;
	char text[512];
	uint32_t stack, end_stack;
	uint64_t seq;
	int answer;
};

static int over(void *arg, const struct states_stay *s)
{
	struct seen *t = arg;
	size_t n = strlen(t->text);

	snprintf(t->text + n, sizeof(t->text) - n, "%u:%s %llu-%llu;", s->tid, task_state_name(s->state),
		 (unsigned long long)s->from, (unsigned long long)s->to);
	t->stack = s->stack;
	t->end_stack = s->end_stack;
	t->seq = s->seq;
	return t->answer;
}

static void begin(struct seen *t)
{
	*t = (struct seen){ .states = { .over = over, .arg = t } };
	states_init(&t->states);
}

static struct states_at at(uint64_t time, uint32_t cpu, uint32_t tid)
{
	return (struct states_at){ .time = time, .cpu = cpu, .tid = tid, .stack = (uint32_t)time + 1, .seq = time + 2,
				   .comm = SV("x") };
}

static void in(struct seen *t, uint64_t time, uint32_t cpu, uint32_t tid)
{
	struct states_at a = at(time, cpu, tid);

	CHECK_EQ(states_switched_in(&t->states, &a), t->answer);
}

static void out(struct seen *t, uint64_t time, uint32_t cpu, uint32_t tid, uint64_t state)
{
	struct states_at a = at(time, cpu, tid);

	CHECK_EQ(states_switched_out(&t->states, &a, state), t->answer);
}

static void woken(struct seen *t, uint64_t time, uint32_t cpu, uint32_t tid)
{
	struct states_at a = at(time, cpu, tid);

	CHECK_EQ(states_woken(&t->states, &a), t->answer);
}

static void end(struct seen *t, const char *text, uint64_t open, uint64_t discarded)
{
	CHECK_STR(t->text, text);
	CHECK_EQ(t->states.n_open, open);
	CHECK_EQ(t->states.discarded, discarded);
	states_deinit(&t->states);
}

TEST(states_of_a_task_that_sleeps)
{
	struct seen t;

	begin(&t);
	in(&t, 10, 0, 5);
	out(&t, 20, 0, 5, 1);
	woken(&t, 50, 1, 5);
	in(&t, 60, 1, 5);
	CHECK_EQ(t.stack, 51);
	CHECK_EQ(t.end_stack, 61);
	CHECK_EQ(t.seq, 52);
	end(&t, "5:R 10-20;5:S 20-50;5:RD 50-60;", 1, 0);
}

TEST(states_are_the_bits_of_prev_state)
{
	static const struct { uint64_t bits; const char *name; } of[] = {
		{ 0, "RD" }, { 0x100, "RD" }, { 1, "S" }, { 2, "D" }, { 0x102, "D" }, { 4, "T" }, { 8, "t" },
		{ 0x40, "P" }, { 0x80, "I" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(of); i++) {
		struct seen t;
		char want[64];

		begin(&t);
		out(&t, 20, 0, 5, of[i].bits);
		in(&t, 30, 0, 5);
		snprintf(want, sizeof(want), "5:%s 20-30;", of[i].name);
		end(&t, want, 1, 0);
	}
}

TEST(states_end_with_the_task)
{
	struct seen t;

	begin(&t);
	in(&t, 10, 0, 5);
	out(&t, 20, 0, 5, 0x10);
	in(&t, 30, 0, 6);
	out(&t, 40, 0, 6, 0x20);
	in(&t, 45, 0, 7);
	/* A state that no kernel has. */
	out(&t, 50, 0, 7, 0x8000);
	end(&t, "5:R 10-20;6:R 30-40;7:R 45-50;", 0, 0);
}

TEST(states_of_the_idle_task_are_none)
{
	struct seen t;

	begin(&t);
	in(&t, 10, 0, 0);
	out(&t, 20, 0, 0, 0);
	woken(&t, 30, 0, 0);
	end(&t, "", 0, 0);
}

TEST(states_a_task_that_runs_is_not_woken)
{
	struct seen t;

	begin(&t);
	in(&t, 10, 0, 5);
	woken(&t, 15, 1, 5);
	out(&t, 20, 0, 5, 0);
	woken(&t, 25, 1, 5);
	in(&t, 30, 0, 5);
	end(&t, "5:R 10-20;5:RD 20-30;", 1, 0);
}

TEST(states_a_new_task_waits_from_its_first_wakeup)
{
	struct seen t;

	begin(&t);
	woken(&t, 5, 0, 5);
	in(&t, 9, 1, 5);
	end(&t, "5:RD 5-9;", 1, 0);
}

/* Being on a CPU begins and ends there: a loss on another one leaves it whole. */
TEST(states_across_a_loss_are_discarded)
{
	struct seen t;

	begin(&t);
	in(&t, 10, 0, 5);
	out(&t, 12, 1, 6, 1);
	CHECK(!states_lose(&t.states, 1));
	out(&t, 20, 0, 5, 1);
	woken(&t, 30, 0, 6);
	in(&t, 31, 0, 6);
	CHECK(!states_lose(&t.states, 0));
	out(&t, 40, 0, 6, 1);
	end(&t, "5:R 10-20;6:RD 30-31;", 2, 2);
}

/* Where a switch was not seen, what is known of the task does not fit what happens to it. */
TEST(states_that_cannot_follow_are_discarded)
{
	struct seen t;

	begin(&t);
	in(&t, 10, 0, 5);
	in(&t, 20, 1, 5);
	out(&t, 30, 1, 5, 1);
	out(&t, 40, 1, 5, 2);
	woken(&t, 50, 1, 5);
	end(&t, "5:R 20-30;5:D 40-50;", 1, 2);
}

TEST(states_times_that_go_backwards_are_discarded)
{
	struct seen t;

	begin(&t);
	in(&t, 10, 0, 5);
	out(&t, 9, 0, 5, 1);
	end(&t, "", 1, 1);
}

TEST(states_end_when_they_are_told_to)
{
	struct seen t;

	begin(&t);
	in(&t, 10, 0, 5);
	t.answer = -ENOMEM;
	out(&t, 20, 0, 5, 1);
	t.answer = 0;
	end(&t, "5:R 10-20;", 0, 0);
}
