/* test_prof.c - events as profilers take them, their expressions, pairs, and what is kept of hits. */
#include "engine/expr.h"
#include "engine/spec.h"
#include "engine/stages.h"
#include "engine/timeline.h"
#include "analyse/spread.h"
#include "t.h"

/* --- -e ------------------------------------------------------------------------------------------------------ */

static struct specs parse(const char *text)
{
	struct specs s = { 0 };
	struct err e = { 0 };

	CHECK_SAY(!specs_add(&s, text, &e), "%s: %s", text, e.text);
	return s;
}

TEST(prof_events_have_filters_and_attributes)
{
	struct specs s = parse("sched:sched_wakeup/comm~\"ja,va/\"/key=pid/stack/,irq:softirq_entry");

	CHECK_EQ(s.v.n, 2);
	CHECK_STR(s.v.v[0].event, "sched:sched_wakeup");
	CHECK_STR(s.v.v[0].filter, "comm~\"ja,va/\"");
	CHECK_STR(s.v.v[0].key, "pid");
	CHECK(s.v.v[0].stack);
	CHECK_STR(s.v.v[1].event, "irq:softirq_entry");
	CHECK_STR(s.v.v[1].filter, "");
	CHECK(!s.v.v[1].key);
	CHECK_EQ(s.v.v[1].group, 0);
	specs_deinit(&s);
}

TEST(prof_attributes_hide_slashes_in_parentheses_and_quotes)
{
	struct specs s = parse("a:b//key=(x/2)/num=\"runtime/1000\"/printkey=printf(\"%d/%d, \", key, 1)/"
			       "top-by=x/top-add=y/");

	CHECK_EQ(s.v.n, 1);
	CHECK_STR(s.v.v[0].filter, "");
	CHECK_STR(s.v.v[0].key, "(x/2)");
	CHECK_STR(s.v.v[0].num, "runtime/1000");
	CHECK_STR(s.v.v[0].printkey, "printf(\"%d/%d, \", key, 1)");
	CHECK_EQ(s.v.v[0].n_top, 2);
	CHECK(s.v.v[0].top[0].sorts && !s.v.v[0].top[1].sorts);
	specs_deinit(&s);
}

TEST(prof_a_role_in_quotes_is_an_expression)
{
	struct specs s = parse("sched:sched_switch//role=\"(next_pid?1:0)|(prev_pid?2:0)\"/untraced/max-stack=5/");

	CHECK_STR(s.v.v[0].role, "(next_pid?1:0)|(prev_pid?2:0)");
	CHECK(s.v.v[0].untraced && s.v.v[0].stack);
	CHECK_EQ(s.v.v[0].max_stack, 5);
	specs_deinit(&s);
}

TEST(prof_groups_count_the_options)
{
	struct specs s = parse("a:b,c:d");
	struct err e = { 0 };

	CHECK(!specs_add(&s, "e:f/g==1/", &e));
	CHECK_EQ(s.groups, 2);
	CHECK_EQ(s.v.v[2].group, 1);
	CHECK_STR(s.v.v[2].filter, "g==1");
	specs_deinit(&s);
}

TEST(prof_probes_name_what_they_fetch)
{
	struct specs s = parse("kprobe:do_sys_open//args=n=%x0:u32/key=n/");

	CHECK_STR(s.v.v[0].event, "kprobe:do_sys_open/n=%x0:u32/");
	CHECK_STR(s.v.v[0].key, "n");
	specs_deinit(&s);
}

TEST(prof_profilers_stand_for_what_they_sample)
{
	struct specs s = parse("profile/-F 200 --watermark 50 -m 16 -g --exclude-user/untraced/,"
			       "page-faults//stack/,profile");

	CHECK_EQ(s.v.n, 3);
	CHECK_STR(s.v.v[0].event, "cycles/freq=200/k");
	CHECK_STR(s.v.v[0].instead, "cpu-clock/freq=200/k");
	CHECK_STR(s.v.v[0].alias, "profile");
	CHECK_STR(s.v.v[0].filter, "");
	CHECK(s.v.v[0].untraced && s.v.v[0].stack);
	CHECK_STR(s.v.v[1].event, "page-faults");
	CHECK(!s.v.v[1].instead);
	CHECK_STR(s.v.v[2].event, "cycles");
	specs_deinit(&s);
}

TEST(prof_events_that_cannot_be_are_told_with_their_place)
{
	static const struct { const char *text, *says; } bad[] = {
		{ "a:b//kye=pid/", "no attribute 'kye', did you mean 'key'" }, { "a:b/x==1", "does not end" },
		{ "", "expected an event" }, { "a:b,,c:d", "expected an event" },
		{ "a:b//stack=1/", "it has no value" },
		{ "a:b//key/", "it needs a value" }, { "a:b//key=(x/", "does not end" },
		{ "a:b//max-stack=0/", "number of frames" },
		{ "a:b//push=1234/", "not sent" },
		{ "profile/-F x/", "samples per second" }, { "profile/--than 5/", "no option '--than'" },
		{ "a:b//stack/x", "does not end" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct specs s = { 0 };
		struct err e = { 0 };

		CHECK_EQ(specs_add(&s, bad[i].text, &e), -EINVAL);
		CHECK_SAY(strstr(e.text, bad[i].says) && strchr(e.text, '^'), "%s: %s", bad[i].text, e.text);
		CHECK_EQ(s.v.n, 0);
		specs_deinit(&s);
	}
}

/* --- expressions --------------------------------------------------------------------------------------------- */

static const char format[] =
	"name: waking\nID: 77\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char comm[8];\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:pid_t pid;\toffset:16;\tsize:4;\tsigned:1;\n"
	"\tfield:u64 addr;\toffset:24;\tsize:8;\tsigned:0;\n\n"
	"print fmt: \"pid=%d\", REC->pid\n";

struct record {
	uint16_t type;
	uint8_t pad[2];
	int32_t common_pid;
	char comm[8];
	int32_t pid;
	uint32_t fill;
	uint64_t addr;
};

static const struct record record = { .type = 77, .common_pid = 5, .comm = "bash", .pid = -3, .addr = 0x1000 };

static const char *comm(void *arg UNUSED, uint32_t tid)
{
	return tid == 5 ? "five" : "other";
}

static const char *symbol(void *arg UNUSED, uint64_t addr)
{
	return addr == 0x1000 ? "do_it" : NULL;
}

struct tried {
	struct tevents events;
	struct arena arena;
	struct mem_out m;
	struct expr_env env;
	struct hit hit;
};

static void begin(struct tried *t)
{
	struct err e = { 0 };

	*t = (struct tried){ .env = { .comm = comm, .symbol = symbol, .key = 9, .arch = &arch_aarch64 } };
	mem_out_init(&t->m);
	t->env.out = &t->m.out;
	tevents_init(&t->events, (struct tmachine){ .long_size = 8 });
	CHECK_SAY(!tevents_add(&t->events, SV("sched"), SV(format), &e), "%s", e.text);
	t->hit = (struct hit){ .time = 1000, .cpu = 2, .pid = 4, .tid = 5,
			       .raw = { (const uint8_t *)&record, sizeof(record) },
			       .event = tevents_by_id(&t->events, 77) };
}

static void end(struct tried *t)
{
	mem_out_deinit(&t->m);
	arena_deinit(&t->arena);
	tevents_deinit(&t->events);
}

static struct tval value(struct tried *t, const char *text)
{
	const struct texpr *x;
	struct err e = { 0 };

	CHECK_SAY(!expr_compile(&x, t->hit.event, &t->arena, text, &e), "%s: %s", text, e.text);
	return x ? expr_value(&t->env, x, &t->hit) : (struct tval){ 0 };
}

TEST(prof_expressions_are_c_over_fields)
{
	static const struct { const char *text; int64_t v; } good[] = {
		{ "pid", -3 }, { "pid + 10", 7 }, { "addr >> 4 | 1", 0x101 }, { "(pid < 0) && comm == \"bash\"", 1 },
		{ "comm != \"bash\"", 0 }, { "comm ~ \"ba*\"", 1 }, { "comm ~ \"*x*\" || pid == -3", 1 }, { "_cpu", 2 },
		{ "_pid * 100 + _tid", 405 }, { "(_cpu << 8) | 1", 513 }, { "common_pid ? 11 : 22", 11 }, { "key", 9 },
		{ "ntohs(0x1234)", 0x3412 }, { "ntohl(1)", 1 << 24 }, { "strncmp(comm, \"basX\", 3)", 0 },
		{ "strcmp(comm, \"bath\") < 0", 1 }, { "ksymbol(addr) == \"do_it\"", 1 },
		{ "comm_get(common_pid) == \"five\"", 1 },
		{ "comm() == \"five\"", 1 }, { "COMM ~ \"f?ve\"", 1 }, { "sizeof(int)", 4 }, { "_time / 10", 100 },
		{ "!(pid & 1)", 0 }, { "~0 & 0xff", 0xff }, { "CPU==2&&pid!=0", 1 },
		{ "syscall_name(63) == \"read\"", 1 }, { "syscall_name(9999) == \"Unknown\"", 1 },
		{ "exit_reason_str(1, 12) == \"HLT\"", 1 }, { "exit_reason_str(2, 0x78) == \"EXIT_HLT\"", 1 },
		{ "exit_reason_str(3, 1) == \"ESR_ELx_EC_WFx\"", 1 }, { "exit_reason_str(0, 1) == \"Unknown\"", 1 },
	};
	struct tried t;

	begin(&t);
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		struct tval v = value(&t, good[i].text);

		CHECK_SAY(v.kind == TVAL_NUM && (int64_t)v.v == good[i].v, "%s is %lld", good[i].text, (long long)v.v);
	}
	end(&t);
}

TEST(prof_expressions_print)
{
	struct tried t;
	struct tval v;

	begin(&t);
	v = value(&t, "printf(\"%03d|%-6s|%x|%c|%5.1s|%%|%lu\\n\", 7, comm, addr, 65, comm, addr)");
	CHECK_STR(mem_out_str(&t.m), "007|bash  |1000|A|    b|%|4096\n");
	CHECK_EQ(v.v, t.m.n);
	end(&t);
}

TEST(prof_expressions_that_cannot_be_are_told_with_their_place)
{
	static const struct { const char *text, *says; } bad[] = {
		{ "pidd == 1", "no field 'pidd'" }, { "pid +", "ends inside" },
		{ "pid == 1)", "unexpected" }, { "ksymbol()", "too few" },
		{ "comm_get(1, 2)", "too many" }, { "foo(1)", "foo" },
		{ "", "ends inside" }, { "pid = 1", "unexpected" },
	};
	struct tried t;

	begin(&t);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		const struct texpr *x;
		struct err e = { 0 };

		CHECK_EQ(expr_compile(&x, t.hit.event, &t.arena, bad[i].text, &e), -EINVAL);
		CHECK_SAY(strstr(e.text, bad[i].says) && strchr(e.text, '^'), "%s: %s", bad[i].text, e.text);
	}
	end(&t);
}

TEST(prof_what_cannot_be_known_has_no_value)
{
	const struct texpr *x;
	struct tried t;
	struct err e;

	begin(&t);
	CHECK_EQ(value(&t, "1 / (pid + 3)").kind, TVAL_NONE);
	t.hit.raw.n = 12;
	CHECK_EQ(value(&t, "pid").kind, TVAL_NONE);
	CHECK(!expr_compile(&x, t.hit.event, &t.arena, "pid == 1", &e));
	CHECK_EQ(expr_number(&t.env, x, &t.hit, 42), 42);
	end(&t);
}

/* --- pairs --------------------------------------------------------------------------------------------------- */

struct pairs {
	struct stages s;
	uint64_t n, sum;
};

static int take(void *arg, const struct stages_pair *p)
{
	struct pairs *all = arg;

	all->n++;
	all->sum += p->to - p->from;
	return 0;
}

static void pairs_init(struct pairs *p, unsigned stages, bool cycle)
{
	*p = (struct pairs){ .n = 0 };
	stages_init(&p->s, stages, cycle);
	p->s.pair = take;
	p->s.arg = p;
}

static void feed(struct pairs *p, unsigned stage, uint64_t key, uint64_t time)
{
	struct hit h = { .time = time, .cpu = (uint32_t)key };

	CHECK(!stages_add(&p->s, &(struct stages_event){ .hit = &h, .stage = stage, .role = 3, .key = key }));
}

TEST(prof_pairs_are_of_one_key)
{
	struct pairs p;

	pairs_init(&p, 2, false);
	feed(&p, 0, 1, 100);
	feed(&p, 0, 2, 110);
	feed(&p, 1, 1, 150);
	feed(&p, 1, 3, 160);
	CHECK_EQ(p.n, 1);
	CHECK_EQ(p.sum, 50);
	CHECK_EQ(p.s.stats.unstarted, 1);
	CHECK_EQ(p.s.n_open, 1);
	feed(&p, 0, 2, 200);
	CHECK_EQ(p.s.stats.replaced, 1);
	feed(&p, 1, 2, 203);
	CHECK_EQ(p.sum, 53);
	CHECK_EQ(p.s.n_open, 0);
	stages_deinit(&p.s);
}

TEST(prof_stages_follow_one_another)
{
	struct pairs p;

	pairs_init(&p, 3, false);
	feed(&p, 0, 1, 10);
	feed(&p, 1, 1, 30);
	feed(&p, 2, 1, 60);
	CHECK_EQ(p.n, 2);
	CHECK_EQ(p.sum, 50);
	/* The third without the second is no pair. */
	feed(&p, 0, 1, 100);
	feed(&p, 2, 1, 130);
	CHECK_EQ(p.n, 2);
	CHECK_EQ(p.s.stats.unstarted, 1);
	CHECK_EQ(p.s.n_open, 1);
	stages_deinit(&p.s);
}

TEST(prof_a_cycle_goes_from_the_last_to_the_first)
{
	struct pairs p;

	pairs_init(&p, 2, true);
	for (unsigned i = 0; i < 6; i++)
		feed(&p, i & 1, 4, 100 + 10 * i);
	CHECK_EQ(p.n, 5);
	CHECK_EQ(p.sum, 50);
	stages_deinit(&p.s);
	pairs_init(&p, 1, true);
	for (unsigned i = 0; i < 4; i++)
		feed(&p, 0, 4, 100 + 10 * i);
	CHECK_EQ(p.n, 3);
	stages_deinit(&p.s);
}

TEST(prof_pairs_across_a_loss_are_left_out)
{
	struct pairs p;

	pairs_init(&p, 2, false);
	feed(&p, 0, 1, 10);
	CHECK(!stages_lose(&p.s, UINT32_MAX));
	feed(&p, 1, 1, 20);
	CHECK_EQ(p.n, 0);
	CHECK_EQ(p.s.stats.discarded, 1);
	feed(&p, 0, 1, 30);
	feed(&p, 1, 1, 40);
	CHECK_EQ(p.n, 1);
	stages_deinit(&p.s);
}

/* --- what is kept -------------------------------------------------------------------------------------------- */

TEST(prof_timeline_keeps_the_newest_hits_whole)
{
	struct timeline t;
	struct timeline_item it;
	struct timeline_walk w = { 0 };
	uint8_t raw[200];
	uint64_t want;

	CHECK(!timeline_open(&t, 65536));
	for (uint64_t i = 0; i < 5000; i++) {
		struct hit h = { .time = i, .raw = { raw, 1 + i % 199 } };

		memset(raw, (int)(i & 0xff), sizeof(raw));
		CHECK_EQ(timeline_add(&t, &h, i * 2), i);
	}
	want = t.first;
	CHECK(want > 4000 && want < 4990);
	while (timeline_next(&t, &w, 0, &it)) {
		CHECK_EQ(it.seq, want);
		CHECK_EQ(it.hit.time, want);
		CHECK_EQ(it.key, want * 2);
		CHECK_EQ(it.hit.raw.n, 1 + want % 199);
		CHECK(it.hit.raw.p[0] == (want & 0xff) && it.hit.raw.p[it.hit.raw.n - 1] == (want & 0xff));
		want++;
	}
	CHECK_EQ(want, 5000);
	w = (struct timeline_walk){ 0 };
	CHECK(timeline_next(&t, &w, 4995, &it));
	CHECK_EQ(it.seq, 4995);
	timeline_close(&t);
}

TEST(prof_spread_has_percentiles_within_its_ends)
{
	struct spread s = { 0 };

	for (uint64_t i = 1; i <= 1000; i++)
		CHECK(!spread_add(&s, i * 1000));
	CHECK_EQ(s.n, 1000);
	CHECK_EQ(s.min, 1000);
	CHECK_EQ(s.max, 1000000);
	CHECK(spread_at(&s, 500) > 480000 && spread_at(&s, 500) < 520000);
	CHECK(spread_at(&s, 990) > 950000 && spread_at(&s, 990) <= 1000000);
	CHECK_EQ(spread_at(&s, 1000), 1000000);
	CHECK_EQ((uint64_t)spread_mean(&s), 500500);
	spread_clear(&s);
}
