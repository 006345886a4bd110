/* Triggers: what Linux 6.12 and 6.1 accepted and refused, with the fields of their sched_switch. */
#include "t.h"
#include "tracefs/grammar/trigger.h"

static const char format[] =
	"name: sched_switch\nID: 254\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
	"\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
	"\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n\nprint fmt: \"x\"\n";

/* A kernel before 5.14. */
static const char readme[] =
	"\t    Format: hist:keys=<field1[,field2,...]>\n .hex .sym .sym-offset .execname .syscall .log2 .usecs\n"
	" '.descending' or '.ascending'\n";

static int check(const char *text, struct err *e)
{
	struct arena a = { 0 };
	struct tfmt f;
	struct trigger_env env = { &f, SV(readme) };
	int r;

	CHECK_EQ(tfmt_parse(&f, &a, SV(format), (struct tmachine){ .long_size = 8 }, NULL), 0);
	*e = (struct err){ 0 };
	r = trigger_check(&env, guard_dup(text, strlen(text) + 1), e);
	arena_deinit(&a);
	return r;
}

TEST(trigger_what_kernels_take_passes)
{
	static const char *const good[] = {
		"traceon",
		"traceoff:3",
		"stacktrace:5 if next_pid == 0",
		"snapshot:1",
		"enable_event:sched:sched_waking:2",
		"disable_event:kmem:kmalloc",
		"enable_hist:sched:sched_waking",
		"hist:keys=next_comm,next_pid:vals=prev_prio,hitcount:sort=hitcount.descending",
		"hist:keys=next_pid:name=foo",
		"hist:keys=next_pid:a=prev_pid,b=common_timestamp.usecs-$c",
		"hist:keys=common_pid.execname:sort=hitcount:size=128:pause",
		"hist:key=stacktrace:val=hitcount",
		"hist:keys=common_cpu",
		"hist:keys=cpu",
		"hist:keys=next_pid:clear",
		"hist:keys=next_pid:d=common_timestamp.usecs-$t0:onmatch(sched.sched_waking).trace(lat,$d,next_pid,"
		"next_comm)"
		":onmax($d).save(next_comm,prev_pid,prev_comm)",
		"hist:keys=prev_state.hex:vals=prev_prio:sort=prev_prio if next_comm == \"a if b\" || prev_pid & 0x1f",
		"hist:keys=next_pid:clock=mono if !(next_comm ~ \"k*\") && next_pid>3",
		"hist:keys=next_pid if prev_prio >= -5 && COMM == foo",
	};
	struct err e;

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		CHECK_EQ(check(good[i], &e), 0);
		CHECK_STR(e.text, "");
	}
}

TEST(trigger_mistakes_are_marked_and_the_nearest_name_offered)
{
	static const struct {
		const char *text, *want;
	} bad[] = {
		{"traceof", "no trigger 'traceof', did you mean 'traceon', 'traceoff'?\n  traceof\n  ^"},
		{"traceoff:x", "that is no count\n  traceoff:x\n           ^"},
		{"enable_event:sched", "SYSTEM:EVENT is missing\n  enable_event:sched\n                    ^"},
		{"hist:keys=nxt_pid",
		 "the event has no field 'nxt_pid', did you mean 'next_pid'?\n  hist:keys=nxt_pid\n            ^"},
		{"hist:keys=next_pid.hx",
		 "no modifier 'hx', did you mean 'hex'?\n  hist:keys=next_pid.hx\n                     ^"},
		{"hist:keys=next_pid.buckets=4",
		 "this kernel has no .buckets\n  hist:keys=next_pid.buckets=4\n                     ^"},
		{"hist:keys=next_pid,next_prio,prev_pid,prev_prio",
		 "more than 3 keys\n  hist:keys=next_pid,next_prio,prev_pid,prev_prio\n                                "
		 "        ^"},
		{"hist:keys=next_pid:size=100",
		 "the size is from 128 to 131072 entries\n  hist:keys=next_pid:size=100\n                          ^"},
		{"hist:vals=next_pid", "a histogram needs keys=\n  hist:vals=next_pid\n       ^"},
		{"hist:keys=$x", "a variable cannot be a key\n  hist:keys=$x\n            ^"},
		{"hist:keys=next_pid:paus",
		 "no part of a histogram: 'paus', did you mean 'pause'?\n  hist:keys=next_pid:paus\n"
		 "                     ^"},
		{"hist:keys=next_pid:sort=hitcount.descendin",
		 "no modifier 'descendin', did you mean 'descending', 'ascending'?\n  "
		 "hist:keys=next_pid:sort=hitcount.descendin\n"
		 "                                   ^"},
		{"hist:keys=next_pid:d=common_timestmp-$t0",
		 "the event has no field 'common_timestmp'\n  hist:keys=next_pid:d=common_timestmp-$t0\n               "
		 "        ^"},
		{"traceoff if nxt_prio < 3", "the event has no field 'nxt_prio', did you mean 'next_prio'?\n"
					     "  traceoff if nxt_prio < 3\n              ^"},
	};
	struct err e;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		CHECK_EQ(check(bad[i].text, &e), strstr(bad[i].want, "this kernel") ? -EOPNOTSUPP : -EINVAL);
		CHECK_STR(e.text, bad[i].want);
	}
}

TEST(trigger_removal_leaves_count_and_filter_out)
{
	static const char *const lines[][2] = {
		{ "traceoff:3", "!traceoff" }, { "stacktrace:5 if next_pid == 0", "!stacktrace" },
		{ "enable_event:sched:sched_waking:2", "!enable_event:sched:sched_waking" },
		{ "disable_hist:kmem:kmalloc if x > 1", "!disable_hist:kmem:kmalloc" },
		{ "hist:keys=a:vals=b if c == 1", "!hist:keys=a:vals=b if c == 1" },
	};
	char buf[100];

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		CHECK_EQ(trigger_removal(lines[i][0], buf, sizeof(buf)), strlen(lines[i][1]));
		CHECK_STR(buf, lines[i][1]);
	}
}

TEST(trigger_kernels_without_histograms_are_known_by_their_readme)
{
	CHECK(trigger_has_hist(SV(readme)));
	CHECK(!trigger_has_hist(SV("\t   trigger: traceon, traceoff\n\t\t    stacktrace\n")));
	CHECK(!trigger_has_hist(SV("")));
}

/* A page less one byte, "!" and a line feed are what the kernel takes. */
TEST(trigger_that_is_made_may_be_as_long_as_the_kernel_takes_it)
{
	static char buf[TRIGGER_MAX], long_one[5000];

	for (size_t n = 4090; n < 4097; n++) {
		struct err e = { 0 };
		struct mem_out m;

		memset(long_one, 'x', n);
		long_one[n] = '\0';
		mem_out_init(&m);
		out_str(&m.out, long_one);
		CHECK_EQ(trigger_take(&m, buf, &e), n + 2 < 4096 ? 0 : -ENAMETOOLONG);
		CHECK(n + 2 >= 4096 || !strcmp(buf, long_one));
	}
}
