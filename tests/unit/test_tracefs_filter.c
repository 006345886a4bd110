/* tracefs/filter: the filters of trace-cmd report. */
#include "tracefs/grammar/filter.h"

#include "rtext_events.h"
#include "t.h"

struct fixture {
	struct tevents t;
	struct arena a;
	struct tfilter f;
	struct err e;
	struct rtext_raw raw;      /* a sched_switch of sleep/42 by pid 42 */
};

static void begin(struct fixture *x)
{
	*x = (struct fixture){ .raw = rtext_raw(300, 1, 42) };
	rtext_events(&x->t);
	memcpy(x->raw.b + 8, "sleep", 6);
	rtext_put(&x->raw, 24, 42, 4);
	rtext_put(&x->raw, 28, 120, 4);
	rtext_put(&x->raw, 32, 2, 8);
	memcpy(x->raw.b + 40, "exactly16letters", 16);
	rtext_put(&x->raw, 56, 7, 4);
	rtext_put(&x->raw, 60, (uint64_t)-1, 4);
}

static const char *comm(void *arg UNUSED, uint32_t pid)
{
	return pid == 42 ? "sleep" : NULL;
}

static int test(struct fixture *x, const char *text)
{
	struct tstream_rec rec = { .ts = 5000, .cpu = 3, .n = 64, .raw = guard_dup(x->raw.b, 64) };
	struct tfilter_env env = { .comm = comm };
	int r = tfilter_add(&x->f, &x->t, &x->a, text, &x->e);

	return r ? r : (int)tfilter_test(&x->f, &env, 300, &rec);
}

/* Of an expression for sched_switch. */
static bool holds(const char *expr)
{
	struct fixture x;
	char text[300];
	int r;

	begin(&x);
	snprintf(text, sizeof(text), "sched_switch: %s", expr);
	r = test(&x, text);
	if (r != TFILTER_MATCH && r != TFILTER_MISS)
		t_fail(__FILE__, __LINE__, "'%s' gives %d: %s", expr, r, x.e.text);
	return r == TFILTER_MATCH;
}

TEST(filter_compares_numbers)
{
	CHECK(holds("prev_pid == 42"));
	CHECK(holds("prev_pid==0x2a"));
	CHECK(!holds("prev_pid != 42"));
	CHECK(holds("prev_prio >= 120 && prev_prio <= 120"));
	CHECK(!holds("prev_prio < 120"));
	CHECK(holds("prev_state & 2"));
	CHECK(!holds("prev_state & 1"));
	CHECK(holds("prev_pid > next_pid"));
	CHECK(holds("common_pid == 42 && CPU == 3 && TIMESTAMP >= 5000"));
	CHECK(holds("(prev_pid + next_pid * 2) == 56"));
	CHECK(holds("prev_pid % 40 == 2"));
	CHECK(holds("prev_pid - 2 - 3 == 37"));
	CHECK(!holds("prev_pid / 0 == 42"));
}

/* trace-cmd takes -1 for a very large number. */
TEST(filter_minds_the_sign_of_signed_fields)
{
	CHECK(holds("next_prio < 0"));
	CHECK(holds("next_prio == -1"));
	CHECK(!holds("next_prio > 100"));
}

TEST(filter_compares_texts)
{
	CHECK(holds("prev_comm == \"sleep\""));
	CHECK(holds("prev_comm == 'sleep'"));
	CHECK(!holds("prev_comm != \"sleep\""));
	CHECK(!holds("prev_comm == \"slee\""));
	CHECK(holds("prev_comm =~ \"SL.*p\""));
	CHECK(!holds("prev_comm !~ \"^sl\""));
	CHECK(holds("prev_comm ~ \"sl*\""));
	CHECK(holds("next_comm == \"exactly16letters\""));
	CHECK(holds("COMM == \"sleep\""));
	CHECK(!holds("COMM =~ \"^cat\""));
	CHECK(!holds("prev_comm == 's'"));
	CHECK(holds("prev_pid == '*'"));
}

TEST(filter_joins_from_left_to_right)
{
	CHECK(holds("prev_pid == 42 || prev_pid == 1"));
	CHECK(!holds("prev_pid == 42 || prev_pid == 1 && next_pid == 1"));
	CHECK(holds("prev_pid == 42 || (prev_pid == 1 && next_pid == 1)"));
	CHECK(holds("!prev_pid == 1"));
	CHECK(holds("! prev_pid == 1 && next_pid == 7"));
	CHECK(!holds("!(prev_pid == 42)"));
	CHECK(holds("!!(prev_pid == 42)"));
}

TEST(filter_takes_unknown_fields_for_false)
{
	CHECK(!holds("bogus == 1"));
	CHECK(!holds("bogus == \"x\""));
	CHECK(!holds("bogus"));
	CHECK(holds("bogus == 1 || prev_pid == 42"));
	CHECK(!holds("bogus == 1 && prev_pid == 42"));
	CHECK(holds("!bogus == 1"));
	CHECK(!holds("prev_pid == bogus"));
}

TEST(filter_is_for_the_events_it_names)
{
	static const struct { const char *text; int result; } cases[] = {
		{ "sched", TFILTER_MATCH }, { "sched/sched_switch", TFILTER_MATCH }, { "SCHED_SW.*", TFILTER_MATCH },
		{ "function , sched/.*", TFILTER_MATCH }, { "ftrace", TFILTER_OTHER }, { "ftrace/.*", TFILTER_OTHER },
		{ "sched_swit", -ENOENT }, { "ftrace/sched_switch", -ENOENT }, { "", -EINVAL }, { ":x", -EINVAL },
		{ ".*:prev_pid == 42", TFILTER_MATCH },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fixture x;

		begin(&x);
		CHECK_SAY(test(&x, cases[i].text) == cases[i].result, "'%s' is not %d", cases[i].text, cases[i].result);
	}
}

TEST(filter_shows_the_place_of_a_mistake)
{
	static const struct { const char *expr, *what; int column; } cases[] = {
		{ "a === 1", "a field or a value expected", 5 }, { "prev_pid == ", "a field or a value expected", 13 },
		{ "prev_pid = 1", "&& or || expected", 10 }, { "(prev_pid == 1", "')' expected", 15 },
		{ "prev_pid == 1)", "&& or || expected", 14 }, { "prev_comm < \"x\"", "text compares with", 11 },
		{ "3 == \"x\"", "only a field compares", 3 }, { "\"x\" == 3", "the field stands", 5 },
		{ "prev_pid =~ 3", "a pattern in quotes", 10 }, { "prev_comm == \"x", "a field or a value", 14 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fixture x;
		char text[200];
		const char *caret;

		begin(&x);
		snprintf(text, sizeof(text), "sched_switch:%s", cases[i].expr);
		CHECK_EQ(test(&x, text), -EINVAL);
		caret = strrchr(x.e.text, '\n');
		if (!strstr(x.e.text, cases[i].what) || !caret || caret[strlen(caret) - 1] != '^' ||
		    (int)strlen(caret) != 2 + 13 + cases[i].column + 1)
			t_fail(__FILE__, __LINE__, "%s", x.e.text);
	}
}

TEST(filter_refuses_endless_ones)
{
	struct fixture x;
	char text[40000] = "sched_switch:";
	size_t n = strlen(text);

	begin(&x);
	memset(text + n, '(', 30000);
	text[n + 30000] = '\0';
	CHECK_EQ(test(&x, text), -EINVAL);
	for (size_t i = 0; i < 3000; i++)
		memcpy(text + n + i * 12, "prev_pid   &&", 13);
	memcpy(text + n + 36000, "CPU", 4);
	CHECK_EQ(test(&x, text), -EINVAL);
	memset(text + n, '!', 30000);
	text[n + 30000] = '\0';
	CHECK_EQ(test(&x, text), -EINVAL);
}

/* Texts of trace-cmd 3.1.6's report -T. */
TEST(filter_tells_how_it_was_understood)
{
	static const struct { const char *expr, *text; } cases[] = {
		{ "bogus == 1 || common_pid == 2", "common_pid == 2" },
		{ "bogus == 1", "FALSE" },
		{ "!bogus == 1", "TRUE" },
		{ "prev_comm =~ \"sl.*\" && (common_pid == 2 || next_pid > 0x10) && !prev_state == 1",
		  "((prev_comm =~ \"sl.*\") && ((common_pid == 2) || (next_pid > 16))) && (!(prev_state == 1))" },
		{ "prev_prio & 3", "prev_prio & 3" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fixture x;
		struct mem_out m;
		char text[200];

		begin(&x);
		snprintf(text, sizeof(text), "sched_switch:%s", cases[i].expr);
		CHECK_EQ(tfilter_add(&x.f, &x.t, &x.a, text, &x.e), 0);
		mem_out_init(&m);
		tfilter_print(&x.f, 300, &m.out);
		CHECK_STR(mem_out_str(&m), cases[i].text);
		mem_out_deinit(&m);
	}
}

/* common_pid is 42, next_pid 7. */
static bool concerns(struct fixture *x, const uint64_t *pids, size_t n)
{
	struct tstream_rec rec = { .n = 64, .raw = guard_dup(x->raw.b, 64) };

	CHECK(!tfilter_add_tasks(&x->f, &x->t, &x->a, pids, n, &x->e));
	return tfilter_test(&x->f, NULL, 300, &rec) == TFILTER_MATCH;
}

/* A service may have thousands of threads of one name. */
TEST(filter_of_many_tasks)
{
	struct fixture x;
	uint64_t pids[5000];

	begin(&x);
	for (size_t i = 0; i < ARRAY_SIZE(pids); i++)
		pids[i] = 10000 - i;
	CHECK(!concerns(&x, pids, ARRAY_SIZE(pids)));
	pids[2500] = 42;
	CHECK(concerns(&x, pids, ARRAY_SIZE(pids)));
	pids[2500] = 7;
	CHECK(concerns(&x, pids, ARRAY_SIZE(pids)));
	pids[2500] = 6;
	CHECK(!concerns(&x, pids, ARRAY_SIZE(pids)));
	CHECK(!concerns(&x, pids, 0));
}

/* It is told as the expression that trace-cmd makes of it. */
TEST(filter_of_tasks_is_printed_as_an_expression)
{
	static const uint64_t pids[] = { 9, 3 };
	struct fixture x;
	struct mem_out by_tasks, by_text;

	begin(&x);
	mem_out_init(&by_tasks);
	mem_out_init(&by_text);
	concerns(&x, pids, 2);
	tfilter_print(&x.f, 300, &by_tasks.out);
	CHECK(!tfilter_add(&x.f, &x.t, &x.a,
			   ".*:(common_pid==9)||(pid==9)||(next_pid==9)||(common_pid==3)||(pid==3)||(next_pid==3)",
			   &x.e));
	tfilter_print(&x.f, 300, &by_text.out);
	CHECK_STR(mem_out_str(&by_tasks), mem_out_str(&by_text));
	mem_out_deinit(&by_tasks);
	mem_out_deinit(&by_text);
}
