/* What is to be traced, on a tree of plain files: what is written where, what is refused and why. */
#include "base/fmt.h"
#include "cmd/ftrace/hits.h"
#include "cmd/ftrace/starter.h"
#include "cmd/ftrace/want.h"
#include "ftrace_tree.h"

static struct err e;
static struct want w;
static struct tfs top;

/* Parse, apply to the top buffer (or `apply` none), and keep it so. */
static int parse(enum want_least least, char **argv)
{
	int argc = 0;

	while (argv[argc])
		argc++;
	w = (struct want){ 0 };
	e = (struct err){ 0 };

	int r = opt_parse(want_opts, &w, argc, argv, &e);

	return r < 0 ? r : want_finish(&w, &tree_sys, least, &e);
}

#define ARGS(...) ((char *[]){ (char *)(uintptr_t)"x", __VA_ARGS__ __VA_OPT__(,) NULL })
#define A(text) ((char *)(uintptr_t)(text))

static int apply(char **argv)
{
	int r = parse(WANT_ANYTHING, argv);
	struct undo *u;

	if (r)
		return r;
	u = undo_new(&tree_sys, &e);
	r = plan_apply(&w.plans.v[0], u, &top, &e);
	undo_keep(u, &e);
	want_deinit(&w);
	return r;
}

TEST(ftrace_want_keeps_the_order_of_options)
{
	tree_begin(&top);
	CHECK_EQ(parse(WANT_SOMETHING, ARGS(A("-e"), A("sched"), A("-f"), A("a==1"), A("-f"), A("b==2"), A("-R"),
					    A("traceoff"), A("-v"), A("-e"), A("irq:*"))),
		 0);
	CHECK_EQ(w.plans.n, 1);
	CHECK_EQ(w.plans.v[0].events.n, 2);
	CHECK_STR(w.plans.v[0].events.v[0].pattern, "sched");
	CHECK_STR(w.plans.v[0].events.v[0].filter, "(a==1)&&(b==2)");
	CHECK_EQ(w.plans.v[0].events.v[0].triggers.n, 1);
	CHECK(!w.plans.v[0].events.v[0].exclude && w.plans.v[0].events.v[1].exclude);
}

TEST(ftrace_want_gives_options_to_the_buffer_before_them)
{
	tree_begin(&top);
	CHECK_EQ(parse(WANT_SOMETHING, ARGS(A("-e"), A("irq"), A("-v"), A("-B"), A("gone"), A("-B"), A("two"), A("-e"),
					    A("all"), A("-b"), A("64"), A("-p"), A("function_graph"), A("-n"), A("x"))),
		 0);
	CHECK_EQ(w.deleted.n, 1);
	CHECK_STR(w.deleted.v[0], "gone");
	CHECK_EQ(w.plans.n, 2);
	CHECK_EQ(w.plans.v[0].buffer_kb, 0);
	CHECK_STR(w.plans.v[1].instance, "two");
	CHECK_EQ(w.plans.v[1].buffer_kb, 64);
	CHECK(!w.plans.v[1].events.v[0].exclude);
	CHECK_EQ(w.plans.v[1].nograph.n, 1);
	CHECK_EQ(w.plans.v[1].notrace.n, 0);
}

TEST(ftrace_want_drops_the_main_buffer_when_only_others_are_spoken_of)
{
	tree_begin(&top);
	CHECK_EQ(parse(WANT_SOMETHING, ARGS(A("-B"), A("one"), A("-e"), A("irq"))), 0);
	CHECK_EQ(w.plans.n, 1);
	CHECK_STR(w.plans.v[0].instance, "one");
}

TEST(ftrace_want_refuses)
{
	tree_begin(&top);
	CHECK_EQ(parse(WANT_SOMETHING, ARGS(A("-C"), A("mono"))), -EINVAL);
	CHECK_STR(e.text, "no event and no tracer was given");
	CHECK_EQ(parse(WANT_ANYTHING, ARGS(A("-f"), A("a==1"))), -EINVAL);
	CHECK(strstr(e.text, "before any -e"));
	CHECK_EQ(parse(WANT_ANYTHING, ARGS(A("-P"), A("1,x"))), -EINVAL);
	CHECK_EQ(parse(WANT_ANYTHING, ARGS(A("-B"), A("../x"))), -EINVAL);
	CHECK_EQ(parse(WANT_ANYTHING, ARGS(A("--proxy"), A("guest"))), -EINVAL);
	CHECK(strstr(e.text, "guest"));
	CHECK_EQ(parse(WANT_ANYTHING, ARGS(A("-A"), A("1"), A("-o"), A("x"))), -EINVAL);
	CHECK(strstr(e.text, "behind -A"));
	CHECK_EQ(parse(WANT_ANYTHING, ARGS(A("--name"), A("x"))), -EINVAL);
}

static void check_args(size_t guest, const char *const *want, size_t n)
{
	CHECK_EQ(w.guest.v[guest].args.n, n);
	for (size_t i = 0; i < n; i++)
		CHECK_STR(w.guest.v[guest].args.v[i], want[i]);
}

/* Until the next -A or -B; what belongs to neither of them is taken wherever it stands. */
TEST(ftrace_want_leaves_to_a_guest_what_is_its_own)
{
	static const char *const one[] = { "-e", "sched", "-f", "a == 1", "-C", "mono", "--no-filter", "-i", "-T" };
	static const char *const two[] = { "--max-graph-depth", "2", "-p", "function_graph" };

	tree_begin(&top);
	CHECK_EQ(parse(WANT_ANYTHING, ARGS(A("-e"), A("irq"), A("-A"), A("vm@3:8"), A("-esched"), A("-f"), A("a == 1"),
					   A("-C"), A("mono"), A("--no-filter"), A("--name"), A("first"), A("-iT"),
					   A("--tsync-interval"), A("50"))), 0);
	CHECK_EQ(w.guest.n, 1);
	CHECK_STR(w.guest.v[0].where, "vm@3:8");
	CHECK_STR(w.guest.v[0].name, "first");
	CHECK(w.guest.v[0].has_clock);
	CHECK_EQ(w.guest.tsync_ms, 50);
	check_args(0, one, ARRAY_SIZE(one));
	CHECK_EQ(w.plans.v[0].events.n, 1);
	CHECK(!w.plans.v[0].clock);
	CHECK_EQ(parse(WANT_ANYTHING, ARGS(A("-A"), A("3"), A("-A"), A("4"), A("--max-graph-depth=2"), A("-p"),
					   A("function_graph"), A("-B"), A("own"), A("-e"), A("irq"))), 0);
	CHECK_EQ(w.guest.n, 2);
	CHECK_EQ(w.guest.v[0].args.n, 0);
	check_args(1, two, ARRAY_SIZE(two));
	CHECK_EQ(w.plans.n, 1);
	CHECK_STR(w.plans.v[0].instance, "own");
	CHECK_EQ(w.plans.v[0].events.n, 1);
}

TEST(ftrace_want_takes_the_family_of_a_process)
{
	tree_begin(&top);
	tree_put("proc/50/task/50/children", "60 ");
	tree_put("proc/50/task/51/children", "");
	tree_put("proc/60/task/60/children", "50 ");
	CHECK_EQ(parse(WANT_ANYTHING, ARGS(A("-P"), A("50"), A("-c"))), 0);
	CHECK_EQ(w.plans.v[0].pids.n, 3);
	CHECK_EQ(w.plans.v[0].pids.v[2], 51 + 60 - w.plans.v[0].pids.v[1]);
	CHECK(w.plans.v[0].follow);
}

TEST(ftrace_plan_enables_a_whole_system_at_once)
{
	tree_begin(&top);
	CHECK_EQ(apply(ARGS(A("-e"), A("sched"))), 0);
	CHECK_STR(tree_get(TRACING "events/sched/enable"), "1");
	CHECK_STR(tree_get(TRACING "events/sched/sched_switch/enable"), "0");
	CHECK_STR(tree_get(TRACING "events/irq/enable"), "0");
	CHECK_STR(tree_get(TRACING "tracing_on"), "0");
	CHECK_STR(tree_get(TRACING "trace"), "");
}

TEST(ftrace_plan_enables_all_at_once)
{
	tree_begin(&top);
	CHECK_EQ(apply(ARGS(A("-e"), A("all"))), 0);
	CHECK_STR(tree_get(TRACING "events/enable"), "1");
	CHECK_STR(tree_get(TRACING "events/sched/enable"), "0");
}

TEST(ftrace_plan_leaves_out_and_goes_event_by_event)
{
	tree_begin(&top);
	tree_put(TRACING "events/irq/enable", "X\n");
	CHECK_EQ(apply(ARGS(A("-e"), A("all"), A("-v"), A("-e"), A("*wak*"))), 0);
	CHECK_STR(tree_get(TRACING "events/enable"), "0");
	CHECK_STR(tree_get(TRACING "events/sched/enable"), "0");
	CHECK_STR(tree_get(TRACING "events/sched/sched_switch/enable"), "1");
	CHECK_STR(tree_get(TRACING "events/sched/sched_wakeup/enable"), "0");
	/* X cannot be put back: its events are. */
	CHECK_STR(tree_get(TRACING "events/irq/enable"), "X");
	CHECK_STR(tree_get(TRACING "events/irq/irq_exit/enable"), "1");
}

TEST(ftrace_plan_names_the_nearest_event)
{
	tree_begin(&top);
	CHECK_EQ(apply(ARGS(A("-e"), A("sched_swich"))), -ENOENT);
	CHECK_STR(e.text, "no event matches 'sched_swich', did you mean 'sched_switch'?");
	CHECK_EQ(apply(ARGS(A("-e"), A("sched:irq_entry"))), -ENOENT);
	CHECK_EQ(apply(ARGS(A("-i"), A("-e"), A("sched_swich"))), 0);
}

TEST(ftrace_plan_sets_filters_and_triggers)
{
	tree_begin(&top);
	CHECK_EQ(apply(ARGS(A("-e"), A("irq"), A("-f"), A("irq == 3"), A("-e"), A("sched/sched_switch"), A("-R"),
			    A("traceoff:1"))),
		 0);
	CHECK_STR(tree_get(TRACING "events/irq/irq_entry/filter"), "irq == 3");
	CHECK_STR(tree_get(TRACING "events/irq/irq_exit/filter"), "irq == 3");
	CHECK_STR(tree_get(TRACING "events/sched/sched_switch/filter"), "none");
	CHECK_STR(tree_get(TRACING "events/sched/sched_switch/trigger"), "traceoff:1");
	CHECK(undo_sweep(&tree_sys, UNDO_OURS, NULL, NULL, &e) > 0);
	CHECK_STR(tree_get(TRACING "events/irq/irq_entry/filter"), "0");
	CHECK_STR(tree_get(TRACING "events/sched/sched_switch/trigger"), "traceoff:1\n!traceoff:1");
}

TEST(ftrace_plan_writes_functions_and_commands)
{
	tree_begin(&top);
	CHECK_EQ(apply(ARGS(A("-p"), A("function"), A("-l"), A("vfs_*"), A("-n"), A("foo"), A("--module"), A("ext4"))),
		 0);
	CHECK_STR(tree_get(TRACING "set_ftrace_filter"), "vfs_*:mod:ext4");
	CHECK_STR(tree_get(TRACING "set_ftrace_notrace"), "foo:mod:ext4");
	CHECK_EQ(apply(ARGS(A("-l"), A("^[a-z0-9]*_read$"))), 0);
	CHECK_STR(tree_get(TRACING "set_ftrace_filter"), "1 4 ");
	tree_put(TRACING "set_ftrace_filter", "");
	CHECK_EQ(apply(ARGS(A("-l"), A("vfs_read:traceoff:5"))), 0);
	CHECK_STR(tree_get(TRACING "set_ftrace_filter"), "vfs_read:traceoff:5");
}

TEST(ftrace_plan_empties_an_old_filter_for_a_tracer)
{
	tree_begin(&top);
	tree_put(TRACING "set_ftrace_filter", "vfs_read\n");
	CHECK_EQ(apply(ARGS(A("-e"), A("irq"))), 0);
	CHECK_STR(tree_get(TRACING "set_ftrace_filter"), "vfs_read");
	CHECK_EQ(apply(ARGS(A("-p"), A("function"))), 0);
	CHECK_STR(tree_get(TRACING "set_ftrace_filter"), "");
}

TEST(ftrace_plan_refuses_stacks_of_every_function)
{
	tree_begin(&top);
	CHECK_EQ(apply(ARGS(A("-p"), A("function"), A("--func-stack"))), -EINVAL);
	CHECK_STR(tree_get(TRACING "options/func_stack_trace"), "0");
	CHECK_STR(tree_get(TRACING "current_tracer"), "nop");
	CHECK_EQ(apply(ARGS(A("-p"), A("function"), A("--func-stack"), A("-l"), A("vfs_read:traceoff"))), -EINVAL);
	CHECK_EQ(apply(ARGS(A("-p"), A("function"), A("--func-stack"), A("-l"), A("vfs_read"))), 0);
	CHECK_STR(tree_get(TRACING "options/func_stack_trace"), "1");
}

TEST(ftrace_plan_takes_masks_and_lists_of_cpus)
{
	static const char *const cases[][2] = {
		{"c", "c"},   {"0x5", "5"}, {"0-3,8", "10f"},        {"0,2", "5"}, {"1,00000000", "1,00000000"},
		{"-1", "3f"}, {"33", "33"}, {"32-33", "3,00000000"},
	};

	tree_begin(&top);
	tree_put("sys/devices/system/cpu/possible", "0-5\n");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CHECK_EQ(apply(ARGS(A("-M"), A(cases[i][0]))), 0);
		CHECK_STR(tree_get(TRACING "tracing_cpumask"), cases[i][1]);
	}
}

TEST(ftrace_plan_options_and_clock)
{
	tree_begin(&top);
	CHECK_EQ(apply(ARGS(A("-O"), A("nooverwrite"), A("-T"), A("-C"), A("mono"))), 0);
	CHECK_STR(tree_get(TRACING "options/overwrite"), "0");
	CHECK_STR(tree_get(TRACING "options/stacktrace"), "1");
	CHECK_STR(tree_get(TRACING "trace_clock"), "mono");
	CHECK_EQ(apply(ARGS(A("-O"), A("stacktrce"))), -EINVAL);
	CHECK_STR(e.text, "no trace option 'stacktrce', did you mean 'stacktrace'?");
	tree_put(TRACING "trace_clock", "local [mono]\n");
	CHECK_EQ(apply(ARGS(A("-C"), A("tai"))), -EINVAL);
	CHECK_STR(e.hint, "it has: local mono");
	CHECK_EQ(apply(ARGS(A("--subbuf-size"), A("16"))), -EOPNOTSUPP);
}

TEST(ftrace_plan_sizes_that_differ_are_set_cpu_by_cpu)
{
	tree_begin(&top);
	tree_put(TRACING "buffer_size_kb", "X\n");
	tree_put(TRACING "per_cpu/cpu0/buffer_size_kb", "7\n");
	tree_put(TRACING "per_cpu/cpu1/buffer_size_kb", "1408\n");
	CHECK_EQ(apply(ARGS(A("-b"), A("64"))), 0);
	CHECK_STR(tree_get(TRACING "buffer_size_kb"), "X");
	CHECK_STR(tree_get(TRACING "per_cpu/cpu1/buffer_size_kb"), "64");
	CHECK_EQ(undo_sweep(&tree_sys, UNDO_OURS, NULL, NULL, &e), 3);
	CHECK_STR(tree_get(TRACING "per_cpu/cpu0/buffer_size_kb"), "7");
	CHECK_STR(tree_get(TRACING "per_cpu/cpu1/buffer_size_kb"), "1408");
}

TEST(ftrace_plan_is_placed_where_its_tracer_works)
{
	char why[160];
	struct plan p = { .tracer = "function" };
	struct tfs t;
	struct undo *u;

	tree_begin(&top);
	u = undo_new(&tree_sys, &e);
	CHECK_EQ(plan_place(&p, u, &top, &t, why, &e), 0);
	CHECK(!tfs_is_top(&t) && !*why);
	p.top = true;
	CHECK_EQ(plan_place(&p, u, &top, &t, why, &e), 0);
	CHECK(tfs_is_top(&t));
	p = (struct plan){ .instance = "other" };
	CHECK_EQ(plan_place(&p, u, &top, &t, why, &e), 0);
	CHECK_STR(t.name, "other");
	undo_finish(u, &e);
	CHECK(!access(tree_path(TRACING "instances/other"), F_OK));
}

TEST(ftrace_pids_are_added_to_those_that_are_there)
{
	struct plan p = { 0 };
	struct undo *u;

	tree_begin(&top);
	CHECK_EQ(apply(ARGS(A("-P"), A("5,7"))), 0);
	CHECK_STR(tree_get(TRACING "set_event_pid"), "5\n7");
	u = undo_new(&tree_sys, &e);
	CHECK_EQ(plan_add_pid(&p, u, &top, 9, &e), 0);
	CHECK_STR(tree_get(TRACING "set_event_pid"), "5\n7\n9");
	CHECK_STR(tree_get(TRACING "set_ftrace_pid"), "5\n7\n9");
	undo_finish(u, &e);
	CHECK_STR(tree_get(TRACING "set_event_pid"), "5\n7");
}

/* --- settings without an option of their own --- */

TEST(ftrace_settings_are_set_and_put_back)
{
	static const char *const files[][3] = {
		{ "tracing_thresh", "0\n", "5" },
		{ "osnoise/period_us", "1000000\n", "100000" },
		{ "osnoise/runtime_us", "1000000\n", "50000" },
		{ "osnoise/options", "DEFAULTS OSNOISE_WORKLOAD NO_PANIC_ON_STOP \n",
		  "NO_OSNOISE_WORKLOAD\nPANIC_ON_STOP" },
		{ "hwlat_detector/mode", "none [round-robin] per-cpu\n", "per-cpu" },
		{ "per_cpu/cpu1/buffer_size_kb", "1408\n", "64" },
	};
	static const char *const olds[] = {
		"0", "1000000", "1000000", "DEFAULTS\nOSNOISE_WORKLOAD\nNO_PANIC_ON_STOP", "round-robin", "1408",
	};
	char path[128];

	tree_begin(&top);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), TRACING "%s", files[i][0]);
		tree_put(path, files[i][1]);
	}
	CHECK_EQ(apply(ARGS(A("--set"), A("tracing_thresh=5"), A("--set"), A("runtime_us=50000"), A("--set"),
			    A("osnoise/period_us=100000"), A("--set"), A("options=NO_OSNOISE_WORKLOAD,PANIC_ON_STOP"),
			    A("--set"), A("mode=per-cpu"), A("--set"), A("cpu1/buffer_size_kb=64"))),
		 0);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), TRACING "%s", files[i][0]);
		CHECK_STR(tree_get(path), files[i][2]);
	}
	/* The plain file's "per-cpu" has no brackets, which the kernel would show. */
	CHECK(undo_sweep(&tree_sys, UNDO_OURS, NULL, NULL, &e) > 0);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), TRACING "%s", files[i][0]);
		CHECK_STR(tree_get(path), olds[i]);
	}
}

TEST(ftrace_settings_refuses)
{
	static const char *const bad[][2] = {
		{ "tracing_tresh=5", "there is no setting 'tracing_tresh', did you mean 'tracing_thresh'?" },
		{ "tracing_thresh", "'tracing_thresh' is not NAME=VALUE" },
		{ "=5", "'=5' is not NAME=VALUE" },
		{ "width=", "'width=' is not NAME=VALUE" },
		{ "../../etc/passwd=5", "there is no setting '../../etc/passwd'" },
		{ "cpu/buffer_size_kb=5", "there is no setting 'cpu/buffer_size_kb'" },
	};

	tree_begin(&top);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		CHECK_EQ(parse(WANT_ANYTHING, ARGS(A("--set"), A(bad[i][0]))), -EINVAL);
		CHECK(strstr(e.text, bad[i][1]));
	}
	CHECK_EQ(apply(ARGS(A("--set"), A("width=5"))), -EOPNOTSUPP);
	CHECK_STR(e.text, "this kernel has no hwlat_detector/width");
	CHECK_STR(e.hint, "it needs CONFIG_HWLAT_TRACER");
	CHECK_EQ(apply(ARGS(A("--set"), A("cpu77/buffer_size_kb=5"))), -EOPNOTSUPP);
	CHECK_STR(e.text, "this machine has no per_cpu/cpu77/buffer_size_kb");
}

TEST(ftrace_pids_not_to_trace)
{
	tree_begin(&top);
	CHECK_EQ(apply(ARGS(A("--notrace-pid"), A("5,7"))), -EOPNOTSUPP);
	CHECK(strstr(e.text, "set_event_notrace_pid"));
	tree_put(TRACING "set_event_notrace_pid", "3\n");
	tree_put(TRACING "set_ftrace_notrace_pid", "no pid\n");
	tree_put(TRACING "options/event-fork", "0\n");
	tree_put("proc/7/task/7/children", "8 ");
	CHECK_EQ(apply(ARGS(A("--notrace-pid"), A("5,7"), A("-c"))), 0);
	CHECK_STR(tree_get(TRACING "set_event_notrace_pid"), "5\n7\n8");
	CHECK_STR(tree_get(TRACING "set_ftrace_notrace_pid"), "5\n7\n8");
	CHECK_STR(tree_get(TRACING "set_event_pid"), "");
	CHECK_STR(tree_get(TRACING "options/event-fork"), "1");
	CHECK(undo_sweep(&tree_sys, UNDO_OURS, NULL, NULL, &e) > 0);
	CHECK_STR(tree_get(TRACING "set_event_notrace_pid"), "3");
}

/* --- long lists of functions --- */

enum { MANY = 10000 };

static void put_functions(void)
{
	struct mem_out m;

	mem_out_init(&m);
	for (int i = 0; i < MANY; i++)
		out_printf(&m.out, i % 7 ? "a_function_with_a_name_%d\n" : "a_function_with_a_name_%d [mod]\n", i / 2);
	tree_put(TRACING "available_filter_functions", mem_out_str(&m));
	mem_out_deinit(&m);
}

/* set_ftrace_filter has been written with that many bytes. */
static size_t written(void)
{
	struct stat st;

	return stat(tree_path(TRACING "set_ftrace_filter"), &st) ? 0 : (size_t)st.st_size;
}

TEST(ftrace_plan_writes_long_lists_as_numbers)
{
	static char names[MANY / 2][40];
	static char *argv[MANY + 2];
	size_t bytes = 0;
	char *numbers = NULL, *p;
	size_t n;

	tree_begin(&top);
	put_functions();
	argv[0] = names[0];
	for (int i = 0; i < MANY / 2; i++) {
		snprintf(names[i], sizeof(names[i]), "a_function_with_a_name_%d", i);
		bytes += strlen(names[i]) + 1;
		argv[2 * i + 1] = A("-l");
		argv[2 * i + 2] = names[i];
	}
	/* Few stay names. */
	argv[2 * 31 + 1] = NULL;
	CHECK_EQ(apply(argv), 0);
	CHECK(!strncmp(tree_get(TRACING "set_ftrace_filter"), "a_function_with_a_name_0\n", 25));
	tree_put(TRACING "set_ftrace_filter", "");
	argv[2 * 31 + 1] = A("-l");
	/* Every name is there twice: all of them, and fewer bytes for twice as many functions. */
	CHECK_EQ(apply(argv), 0);
	CHECK(written() < bytes / 2);
	CHECK_EQ(tfs_read_all(&top, "set_ftrace_filter", &numbers, &n, &e), 0);
	p = numbers;
	for (int i = 1; i <= MANY; i++)
		CHECK_EQ(strtol(p, &p, 10), i);
	free(numbers);
}

TEST(ftrace_plan_names_the_missing_one_of_a_long_list)
{
	static char names[40][40];
	static char *argv[82];

	tree_begin(&top);
	put_functions();
	argv[0] = names[0];
	for (int i = 0; i < 40; i++) {
		snprintf(names[i], sizeof(names[i]), "a_function_with_a_name_%d", i);
		argv[2 * i + 1] = A("-l");
		argv[2 * i + 2] = names[i];
	}
	snprintf(names[17], sizeof(names[17]), "a_function_with_a_name_x");
	CHECK_EQ(apply(argv), -ENOENT);
	CHECK(strstr(e.text, "no function 'a_function_with_a_name_x' that can be traced, did you mean"));
}

/* --- events of modules --- */

TEST(ftrace_plan_events_of_a_module)
{
	tree_begin(&top);
	tree_put(TRACING "README", "tracing mini-HOWTO:\n");
	CHECK_EQ(apply(ARGS(A("-e"), A(":mod:ext4"))), -EOPNOTSUPP);
	CHECK_STR(e.text, "this kernel cannot choose events by their module: ':mod:ext4'");
	CHECK_STR(e.hint, "most modules have a system of their name: -e ext4");
	tree_put(TRACING "README", "\t\t\t  Can enable module events via: :mod:<module>\n");
	CHECK_EQ(apply(ARGS(A("-e"), A("ext4:*:mod:ext4"), A("-f"), A("x == 1"))), -EINVAL);
	CHECK_EQ(apply(ARGS(A("-e"), A("ext4:*:mod:ext4"), A("-e"), A("irq:irq_exit"))), 0);
	CHECK_STR(tree_get(TRACING "set_event"), "ext4:*:mod:ext4");
	CHECK_STR(tree_get(TRACING "events/irq/irq_exit/enable"), "1");
	CHECK(undo_sweep(&tree_sys, UNDO_OURS, NULL, NULL, &e) > 0);
	CHECK_STR(tree_get(TRACING "set_event"), "ext4:*:mod:ext4\n!ext4:*:mod:ext4");
}

TEST(ftrace_start_forgets_modules_that_were_waited_for)
{
	struct mem_out m;
	struct ctx c = { .sys = &tree_sys, .out = &m.out, .msg = &m.out, .program = "sonde" };

	mem_out_init(&m);
	tree_begin(&top);
	tree_put(TRACING "set_event", "*:*:mod:ext4\nirq:irq_exit\n");
	tree_put(TRACING "events/irq/irq_exit/enable", "1\n");
	w = (struct want){ 0 };
	CHECK(opt_parse(want_opts, &w, 3, ARGS(A("-e"), A("sched")), &e) > 0);
	CHECK_EQ(starter_run(&c, &w, ARGS() + 1, STARTER_START), 0);
	CHECK_STR(mem_out_str(&m), "");
	CHECK_STR(tree_get(TRACING "set_event"), "*:*:mod:ext4\nirq:irq_exit\n!*:*:mod:ext4");
	CHECK_STR(tree_get(TRACING "events/irq/irq_exit/enable"), "0");
	mem_out_deinit(&m);
}

/* --- probes in the kernel's own words --- */

/* Kernels of the guests have no fprobes and tracepoint probes: here is one that has. */
TEST(ftrace_probes_of_functions_and_tracepoints_are_made_and_removed)
{
	struct undo *u;

	tree_begin(&top);
	tree_put(TRACING "README", "\t           f[:[<group>/][<event>]] <func-name>[%return] [<args>]\n"
				   "\t           t[:[<group>/][<event>]] <tracepoint> [<args>]\n");
	tree_put(TRACING "dynamic_events", "");
	tree_put(TRACING "events/mine/f/id", "1000\n");
	tree_put(TRACING "events/mine/t/id", "1001\n");
	w = (struct want){ 0 };
	CHECK(opt_parse(want_opts, &w, 5, ARGS(A("-e"), A("f8:mine/f vfs_read%return r=$retval, x"), A("-e"),
					      A("t:mine/t sched_switch")), &e) > 0);
	CHECK_EQ(want_finish(&w, &tree_sys, WANT_SOMETHING, &e), 0);
	u = undo_new(&tree_sys, &e);
	CHECK_EQ(want_probes(&w, &tree_sys, u, &top, &e), 0);
	CHECK_STR(e.text, "");
	CHECK_STR(w.plans.v[0].events.v[0].pattern, "mine:f");
	CHECK_STR(w.plans.v[0].events.v[1].pattern, "mine:t");
	CHECK_STR(tree_get(TRACING "dynamic_events"),
		  "f8:mine/f vfs_read%return r=$retval, x\nt:mine/t sched_switch");
	want_deinit(&w);
	undo_finish(u, &e);
	CHECK_STR(tree_get(TRACING "dynamic_events"),
		  "f8:mine/f vfs_read%return r=$retval, x\nt:mine/t sched_switch\n-:mine/t\n-:mine/f");
}

/* --- hits --- */

TEST(ftrace_hits_of_probes_have_their_groups)
{
	struct mem_out m;

	tree_begin(&top);
	tree_put(TRACING "kprobe_events",
		 "r16:one/back vfs_read\np:two/back ext4:ext4_open+8\np:two/back vfs_write\n");
	tree_put(TRACING "kprobe_profile",
		 "  back                                              12               3\n"
		 "  back                                              13               0\n"
		 "  back                                              14               0\n"
		 "  gone                                              15               0\n");
	tree_put(TRACING "uprobe_events", "p:u/x /tmp/ab:0x0000000000001000(0x2000)\n");
	tree_put(TRACING "uprobe_profile", "  /tmp/ab x                                            7\n");
	mem_out_init(&m);
	CHECK_EQ(hits_put(&top, &m.out, &e), 0);
	CHECK_STR(mem_out_str(&m),
		  "# event                                          hits     missed  place\n"
		  "one:back                                           12          3  vfs_read%return\n"
		  "two:back                                           13          0  ext4:ext4_open+8\n"
		  "two:back                                           14          0  vfs_write\n"
		  "gone                                               15          0  \n"
		  "u:x                                                 7          -  /tmp/ab:0x1000\n");
	mem_out_deinit(&m);
}

/* --- errors of the file system --- */

TEST(ftrace_error_log_is_shown_with_its_caret)
{
	tree_begin(&top);
	tree_put(TRACING "error_log",
		 "[    1.0] event filter parse error: error: Too old\n  Command: other == 1\n           ^\n"
		 "[    2.5] event filter parse error: error: Field not found\n  Command: irq == 1 && nos == 3\n        "
		 "                ^\n");
	/* A folder in the file's place: every write is refused. */
	unlink(tree_path(TRACING "events/irq/irq_exit/filter"));
	mkdir(tree_path(TRACING "events/irq/irq_exit/filter"), 0755);
	CHECK(tfs_put(&top, "events/irq/irq_exit/filter", "irq == 1 && nos == 3", &e) < 0);
	CHECK_STR(e.text, "events/irq/irq_exit/filter: Field not found");
	CHECK_STR(e.hint, "irq == 1 && nos == 3\n               ^");
	CHECK(tfs_put(&top, "events/irq/irq_exit/filter", "something else", &e) < 0);
	CHECK(strstr(e.text, "cannot write 'something else'") && !e.hint[0]);
}

TEST(ftrace_unknown_buffer_offers_the_nearest)
{
	struct tfs t;

	tree_begin(&top);
	CHECK_EQ(tfs_instance(&t, &top, "othr", &e), -ENOENT);
	CHECK_STR(e.text, "there is no buffer 'othr', did you mean 'other'?");
	CHECK_EQ(tfs_instance(&t, &top, "../other", &e), -EINVAL);
	CHECK_EQ(tfs_make(&t, &top, "other", &e), -EEXIST);
}

TEST(ftrace_not_mounted_is_told)
{
	struct tfs t;

	tree_begin(&top);
	unlink(tree_path(TRACING "trace_pipe"));
	CHECK_EQ(tfs_open(&t, &tree_sys, &e), -ENOENT);
	CHECK(strstr(e.hint, "mount -t tracefs"));
}

#define PRINTK TRACING "events/bpf_trace/bpf_trace_printk/enable"

static const char *prints_with(char **argv)
{
	struct undo *u = undo_new(&tree_sys, &e);

	tree_put(PRINTK, "0\n");
	CHECK_EQ(parse(WANT_ANYTHING, argv), 0);
	CHECK_EQ(plan_bpf_prints(&w.plans.v[0], u, &top, &e), 0);
	undo_keep(u, &e);
	want_deinit(&w);
	return tree_get(PRINTK);
}

TEST(ftrace_plan_has_what_bpf_programs_print)
{
	struct plan p = { 0 };

	tree_begin(&top);
	CHECK_EQ(plan_bpf_prints(&p, NULL, &top, &e), 0);
	CHECK_STR(tree_get(PRINTK), "(none)");
	CHECK_STR(prints_with(ARGS(A("-e"), A("sched"))), "1");
	CHECK_STR(prints_with(ARGS(A("-p"), A("function"))), "1");
	CHECK_STR(prints_with(ARGS(A("-e"), A("all"), A("-v"), A("-e"), A("bpf_trace"))), "0");
	CHECK_STR(prints_with(ARGS(A("-e"), A("all"), A("-v"), A("-e"), A("sched"))), "1");
}
