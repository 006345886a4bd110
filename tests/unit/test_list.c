/* test_list.c - which events are listed and what is said of them, on the copied machines of tests/data/root. */
#include "machine/list.h"
#include "t.h"

struct found {
	const char *name;        /* looked for */
	size_t n, named;         /* all items; items of that name */
	struct list_item last;   /* of that name; only kind and there are valid after the call */
	char text[200], group[100], encoding[200];
};

static void keep(char *to, size_t size, const char *text)
{
	str_copy(to, size, sv_from(text ? text : "(none)"));
}

static int note(void *to, const struct list_item *it)
{
	struct found *f = to;

	f->n++;
	if (!f->name || strcmp(it->name, f->name))
		return 0;
	f->named++;
	f->last = *it;
	keep(f->text, sizeof(f->text), it->text);
	keep(f->group, sizeof(f->group), it->group);
	keep(f->encoding, sizeof(f->encoding), it->encoding);
	return 0;
}

static struct found list(const char *root, const struct list_want *w, const char *name, struct err *e)
{
	struct sys s = sys_with_root(root);
	struct found f = { .name = name };

	list_events(&s, w, note, &f, e);
	return f;
}

static struct found words(const char *root, const char *a, const char *b, const char *name)
{
	char first[64], second[64], *v[] = { first, second };
	struct list_want w = { .words = v, .n_words = b ? 2 : 1 };
	struct err e = { 0 };

	str_copy(first, sizeof(first), sv_from(a));
	str_copy(second, sizeof(second), sv_from(b ? b : ""));
	return list(root, &w, name, &e);
}

#define BIG "tests/data/root/biglittle"
#define N1 "tests/data/root/n1"
#define PI "tests/data/root/pi4"

TEST(list_kinds_are_words)
{
	CHECK_EQ(words(BIG, "hw", NULL, "cycles").n, 10);
	CHECK_EQ(words(BIG, "sw", NULL, "cpu-clock").n, 12);
	CHECK_EQ(words(BIG, "hw", "sw", NULL).n, 22);
	CHECK_EQ(words(BIG, "cache", NULL, NULL).n, 32);
}

TEST(list_labels_say_what_arm64_counts)
{
	CHECK_STR(words(BIG, "hw", NULL, "cache-misses").text, "L1D refills (misses)");
	CHECK_STR(words(BIG, "hw", NULL, "cache-references").text, "L1D accesses");
}

TEST(list_marks_what_the_pmu_does_not_have)
{
	CHECK_EQ(words(BIG, "hw", NULL, "instructions").last.there, LIST_THERE);
	CHECK_EQ(words(BIG, "hw", NULL, "stalled-cycles-frontend").last.there, LIST_ABSENT);
	CHECK_EQ(words(N1, "hw", NULL, "stalled-cycles-frontend").last.there, LIST_THERE);
	CHECK_EQ(words(N1, "hw", NULL, "ref-cycles").last.there, LIST_ABSENT);
	CHECK_EQ(words(N1, "cache", NULL, "LLC-load-misses").last.there, LIST_THERE);
	CHECK_EQ(words(BIG, "cache", NULL, "LLC-load-misses").last.there, LIST_ABSENT);
	CHECK_EQ(words(PI, "hw", NULL, "cycles").last.there, LIST_ABSENT);
	CHECK_EQ(words(PI, "sw", NULL, "cpu-clock").last.there, LIST_THERE);
}

TEST(list_a_word_is_part_of_a_name_and_a_glob_all_of_it)
{
	CHECK(words(BIG, "cache-miss", NULL, "cache-misses").named == 1);
	CHECK_EQ(words(BIG, "cache-miss", NULL, "cycles").named, 0);
	CHECK_EQ(words(BIG, "CACHE-MISS", NULL, "cache-misses").named, 1);
	CHECK_EQ(words(BIG, "cache-m*", NULL, NULL).n, 1);
	CHECK_EQ(words(BIG, "l1-DCACHE-*", NULL, "L1-dcache-loads").named, 1);
	CHECK_EQ(words(BIG, "*-misse", NULL, NULL).n, 0);
	/* The other spelling counts too. */
	CHECK_EQ(words(BIG, "cpu-cyc*", NULL, "cycles").named, 1);
}

TEST(list_pmu_events_have_their_encoding)
{
	struct found f = words(N1, "pmu", NULL, "arm_cmn_0/hnf_cache_miss/");

	CHECK_EQ(f.named, 1);
	CHECK_STR(f.encoding, "type=0x5,eventid=0x1");
	CHECK_STR(f.text, "CMN mesh");
	CHECK_EQ(words(N1, "arm_dsu_*/cycles/", NULL, NULL).n, 4);
	CHECK_STR(words(N1, "pmu", NULL, "armv8_pmuv3_0/l1d_cache_refill/").encoding, "event=0x003");
	CHECK_STR(words(N1, "pmu", NULL, "arm_cmn_0/eventid=N,nodeid=N,type=N/").text,
		  "terms: eventid 11 bits, nodeid 16 bits, type 16 bits");
}

TEST(list_tables_of_the_cores_that_are_here)
{
	struct found f = words(BIG, "arm", NULL, "br_indirect_mispred");

	/* Of the A53 only. */
	CHECK_EQ(f.named, 1);
	CHECK_STR(f.group, "Cortex-A53");
	CHECK_STR(f.encoding, "rca");
	CHECK_EQ(f.last.there, LIST_UNSURE);
	f = words(BIG, "arm", NULL, "inst_spec");
	CHECK_EQ(f.named, 2);
	CHECK_STR(f.group, "Cortex-A73");
	CHECK_EQ(f.last.there, LIST_THERE);
	CHECK_EQ(words(BIG, "arm", NULL, "stall_backend").last.there, LIST_ABSENT);
	/* No PMU, no table. */
	CHECK_EQ(words(PI, "arm", NULL, NULL).n, 0);
}

TEST(list_table_of_a_core_that_is_not_here)
{
	struct list_want w = { .core = "tsv110" };
	struct err e = { 0 };
	struct found f = list(PI, &w, "prf_req", &e);

	CHECK_EQ(f.named, 1);
	CHECK_STR(f.encoding, "r6013");
	CHECK_EQ(f.last.kind, LIST_CORE);
	CHECK_EQ(e.code, 0);
	CHECK_EQ(f.last.there, LIST_UNSURE);
	/* Nothing but the table. */
	CHECK_EQ(list(PI, &w, "cpu-clock", &e).named, 0);
}

TEST(list_tracepoints_and_probes_once_each)
{
	CHECK_EQ(words(BIG, "tracepoint", NULL, "sched:sched_switch").named, 1);
	CHECK_EQ(words(BIG, "tracepoint", NULL, NULL).n, 3);
	CHECK_EQ(words(BIG, "sched:*", NULL, NULL).n, 2);

	struct found f = words(BIG, "my_open", NULL, "kprobes:my_open");

	CHECK_EQ(f.n, 1);
	CHECK_EQ(f.last.kind, LIST_PROBE);
	CHECK_STR(f.encoding, "do_sys_openat2 dfd=%x0:s32");
}

TEST(list_says_why_there_are_no_tracepoints_and_lists_the_rest)
{
	struct list_want w = { 0 };
	struct err e = { 0 };
	struct found f = list(PI, &w, "cpu-clock", &e);

	CHECK_EQ(f.named, 1);
	CHECK_EQ(e.code, ENOENT);
	CHECK(strstr(e.text, "not mounted"));
	CHECK(strstr(e.hint, "mount -t tracefs"));
}

TEST(list_does_not_ask_for_tracefs_when_nobody_wants_it)
{
	char hw[] = "hw", *v[] = { hw };
	struct list_want w = { .words = v, .n_words = 1 };
	struct err e = { 0 };

	list(PI, &w, NULL, &e);
	CHECK_EQ(e.code, 0);
}

static int stop(void *to, const struct list_item *it UNUSED)
{
	++*(int *)to;
	return -EPIPE;
}

TEST(list_ends_when_the_caller_says_so)
{
	struct sys s = sys_with_root(BIG);
	struct list_want w = { 0 };
	struct err e = { 0 };
	int calls = 0;

	CHECK_EQ(list_events(&s, &w, stop, &calls, &e), -EPIPE);
	CHECK_EQ(calls, 1);
}
