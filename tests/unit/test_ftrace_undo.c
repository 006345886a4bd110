/* Changing settings and putting them back: by the run, by its guard, by the next run, and not what others have changed.
 */
#include "tracing/journal.h"
#include "tracing/sweep.h"
#include "tracing/undo.h"
#include "tracing/value.h"
#include "ftrace_tree.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

static struct err e;

static struct undo *begin(struct tfs *top)
{
	struct undo *u;

	tree_begin(top);
	u = undo_new(&tree_sys, &e);
	CHECK(u != NULL);
	return u;
}

TEST(ftrace_values_are_read_as_they_are_written)
{
	static const char *const cases[][3] = {
		{"trace_clock", "local [global] mono\n", "global"},
		{"buffer_size_kb", "7 (expanded: 1408)\n", "1408"},
		{"set_ftrace_filter", "#### all functions enabled ####\n", ""},
		{"set_ftrace_filter", "vfs_read\nx [m]\ndo_nanosleep:traceoff:count=5\nfoo:mod:bar\n",
		 "vfs_read\nx [m]\nfoo:mod:bar"},
		{"set_ftrace_filter", "#### all functions enabled ####\nf:dump:unlimited\n", ""},
		{"set_ftrace_pid", "no pid\n", ""},
		{"events/irq/irq_exit/filter", "none\n", "0"},
		{"events/irq/irq_exit/filter", "irq == 3\n", "irq == 3"},
		{"events/irq/enable", "1*\n", "1"},
		{"current_tracer", "nop\n", "nop"},
	};
	struct tfs top;

	tree_begin(&top);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char file[128], *text;

		snprintf(file, sizeof(file), TRACING "%s", cases[i][0]);
		tree_put(file, cases[i][1]);
		CHECK_EQ(value_read(&top, cases[i][0], &text, &e), 0);
		CHECK_STR(text, cases[i][2]);
		free(text);
	}
}

/* A journal is a file: a line of it that only looks like a module's is a name like any other. */
TEST(ftrace_functions_are_written_as_they_are_shown)
{
	static const char *const cases[][2] = {
		{"vfs_read\nx [m]", "vfs_read\nx:mod:m"},
		{"vfs_read ]", "vfs_read ]"},
		{"x []\n]", "x:mod:\n]"},
	};
	struct tfs top;

	tree_begin(&top);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		tree_put(TRACING "set_ftrace_filter", "");
		CHECK_EQ(value_write(&top, "set_ftrace_filter", cases[i][0], &e), 0);
		CHECK_STR(tree_get(TRACING "set_ftrace_filter"), cases[i][1]);
	}
}

TEST(ftrace_undo_puts_everything_back_last_first)
{
	struct tfs top;
	struct undo *u = begin(&top);

	CHECK_EQ(undo_put(u, &top, "current_tracer", "function", &e), 0);
	CHECK_EQ(undo_put(u, &top, "trace_clock", "mono", &e), 0);
	CHECK_EQ(undo_put(u, &top, "current_tracer", "function_graph", &e), 0);
	CHECK_EQ(undo_put(u, &top, "events/irq/irq_exit/filter", "irq == 1", &e), 0);
	CHECK_STR(tree_get(TRACING "current_tracer"), "function_graph");
	CHECK_EQ(undo_finish(u, &e), 0);
	CHECK_STR(tree_get(TRACING "current_tracer"), "nop");
	CHECK_STR(tree_get(TRACING "trace_clock"), "local");
	CHECK_STR(tree_get(TRACING "events/irq/irq_exit/filter"), "0");
	CHECK_STR(tree_get("run/sonde/undo-777-1-0"), "(none)");
}

TEST(ftrace_undo_leaves_alone_what_others_changed)
{
	struct tfs top;
	struct undo *u = begin(&top);

	CHECK_EQ(undo_put(u, &top, "current_tracer", "function", &e), 0);
	CHECK_EQ(undo_put(u, &top, "tracing_cpumask", "1", &e), 0);
	tree_put(TRACING "current_tracer", "function_graph\n");
	CHECK_EQ(undo_finish(u, &e), 0);
	CHECK_STR(tree_get(TRACING "current_tracer"), "function_graph");
	CHECK_STR(tree_get(TRACING "tracing_cpumask"), "3");
}

TEST(ftrace_undo_does_not_touch_a_value_that_fits)
{
	struct tfs top;
	struct undo *u = begin(&top);

	CHECK_EQ(undo_put(u, &top, "current_tracer", "nop", &e), 0);
	tree_put(TRACING "current_tracer", "function\n");
	CHECK_EQ(undo_finish(u, &e), 0);
	CHECK_STR(tree_get(TRACING "current_tracer"), "function");
}

TEST(ftrace_undo_restores_lists_of_several_lines)
{
	struct tfs top;
	struct undo *u = begin(&top);

	tree_put(TRACING "set_ftrace_filter", "vfs_read\next4_read [ext4]\n");
	CHECK_EQ(undo_put(u, &top, "set_ftrace_filter", "vfs_write", &e), 0);
	CHECK_EQ(undo_finish(u, &e), 0);
	CHECK_STR(tree_get(TRACING "set_ftrace_filter"), "vfs_read\next4_read:mod:ext4");
}

TEST(ftrace_undo_restores_long_lists_by_number)
{
	char all[4096] = "", want[4096] = "";
	struct tfs top;
	struct undo *u = begin(&top);
	size_t n = 0, m = 0;

	for (int i = 1; i <= 100; i++) {
		n += (size_t)snprintf(all + n, sizeof(all) - n, "f%d\n", i);
		m += (size_t)snprintf(want + m, sizeof(want) - m, "%d ", i);
	}
	tree_put(TRACING "available_filter_functions", all);
	tree_put(TRACING "set_ftrace_filter", all);
	CHECK_EQ(undo_put(u, &top, "set_ftrace_filter", "f3", &e), 0);
	CHECK_EQ(undo_finish(u, &e), 0);
	CHECK_STR(tree_get(TRACING "set_ftrace_filter"), want);
}

TEST(ftrace_undo_removes_what_was_added)
{
	struct tfs top;
	struct undo *u = begin(&top);

	CHECK_EQ(undo_append(u, &top, "events/irq/irq_exit/trigger", "traceoff", "!traceoff", &e), 0);
	CHECK_EQ(undo_append(u, &top, "nosuch/file", "x", "!x", &e), -ENOENT);
	CHECK_EQ(undo_finish(u, &e), 0);
	CHECK_STR(tree_get(TRACING "events/irq/irq_exit/trigger"), "traceoff\n!traceoff");
}

TEST(ftrace_undo_instance_is_named_after_the_process_and_goes)
{
	char name[64];
	struct tfs top, t, second;
	struct undo *u = begin(&top);

	CHECK_EQ(undo_instance(u, &t, &top, &e), 0);
	snprintf(name, sizeof(name), "sonde-%d-777", (int)getpid());
	CHECK_STR(t.name, name);
	CHECK_EQ(undo_instance(u, &second, &top, &e), 0);
	CHECK(sys_exists(&tree_sys, t.dir) && sys_exists(&tree_sys, second.dir));
	CHECK_EQ(undo_finish(u, &e), 0);
	CHECK(!sys_exists(&tree_sys, t.dir) && !sys_exists(&tree_sys, second.dir));
}

TEST(ftrace_undo_kept_settings_stay_until_asked_for)
{
	struct tfs top;
	struct undo *u = begin(&top);

	CHECK_EQ(undo_put(u, &top, "current_tracer", "function", &e), 0);
	CHECK_EQ(undo_keep(u, &e), 0);
	CHECK_EQ(undo_sweep(&tree_sys, UNDO_DEAD, NULL, NULL, &e), 0);
	CHECK_STR(tree_get(TRACING "current_tracer"), "function");
	CHECK_EQ(undo_sweep(&tree_sys, UNDO_OURS, NULL, NULL, &e), 1);
	CHECK_STR(tree_get(TRACING "current_tracer"), "nop");
	CHECK_EQ(undo_sweep(&tree_sys, UNDO_OURS, NULL, NULL, &e), 0);
}

TEST(ftrace_undo_two_kept_ones_go_newest_first)
{
	struct tfs top;
	struct undo *u = begin(&top);

	CHECK_EQ(undo_put(u, &top, "current_tracer", "function", &e), 0);
	CHECK_EQ(undo_keep(u, &e), 0);
	u = undo_new(&tree_sys, &e);
	CHECK_EQ(undo_put(u, &top, "current_tracer", "function_graph", &e), 0);
	CHECK_EQ(undo_keep(u, &e), 0);
	CHECK_EQ(undo_sweep(&tree_sys, UNDO_OURS, NULL, NULL, &e), 2);
	CHECK_STR(tree_get(TRACING "current_tracer"), "nop");
}

/* A journal as a killed run leaves it. */
static void left_behind(const char *boot, const struct jrec *recs, size_t n)
{
	struct journal j;

	tree_put("proc/sys/kernel/random/boot_id", boot);
	CHECK_EQ(journal_init(&j, &tree_sys, &e), 0);
	for (size_t i = 0; i < n; i++)
		CHECK_EQ(journal_add(&j, &recs[i], &e), 0);
	journal_deinit(&j);
	tree_put("proc/sys/kernel/random/boot_id", "this-boot\n");
}

TEST(ftrace_sweep_restores_after_a_dead_run)
{
	const struct jrec recs[] = {
		{ J_PUT, SV(""), SV("tracing_cpumask"), SV("3"), SV("") },
		{ J_PUT, SV(""), SV("current_tracer"), SV("nop"), SV("") },
		{ 'f', SV(""), SV("/run/left.cpu0"), SV(""), SV("") },
	};
	struct tfs top;

	tree_begin(&top);
	tree_put("run/left.cpu0", "data");
	left_behind("this-boot\n", recs, ARRAY_SIZE(recs));
	/* Died before it was known what the value became: any value is ours. */
	tree_put(TRACING "current_tracer", "function\n");
	CHECK_EQ(undo_sweep(&tree_sys, UNDO_DEAD, NULL, NULL, &e), 1);
	CHECK_STR(tree_get(TRACING "current_tracer"), "nop");
	/* No record has a file removed. */
	CHECK_STR(tree_get("run/left.cpu0"), "data");
}

TEST(ftrace_journals_folder_goes_with_the_last_of_them)
{
	struct journal a, b;
	char folder[64];
	struct tfs top;

	tree_begin(&top);
	tree_put("tmp/other", "");
	unlink(tree_path("run/empty"));
	rmdir(tree_path("run"));
	snprintf(folder, sizeof(folder), "tmp/sonde-%u", (unsigned)geteuid());
	CHECK_EQ(journal_init(&a, &tree_sys, &e), 0);
	CHECK_EQ(journal_init(&b, &tree_sys, &e), 0);
	CHECK(strstr(a.path, "/tmp/sonde-") && strstr(b.path, "/tmp/sonde-"));
	journal_remove(&tree_sys, a.path);
	CHECK(!access(tree_path(folder), F_OK));
	journal_remove(&tree_sys, b.path);
	CHECK(access(tree_path(folder), F_OK));
	CHECK(!access(tree_path("tmp/other"), F_OK));
	journal_deinit(&a);
	journal_deinit(&b);
}

TEST(ftrace_sweep_does_nothing_for_another_boot)
{
	const struct jrec recs[] = { { J_PUT, SV(""), SV("current_tracer"), SV("nop"), SV("") } };
	struct tfs top;

	tree_begin(&top);
	left_behind("another-boot\n", recs, 1);
	tree_put(TRACING "current_tracer", "function\n");
	CHECK_EQ(undo_sweep(&tree_sys, UNDO_DEAD, NULL, NULL, &e), 0);
	CHECK_STR(tree_get(TRACING "current_tracer"), "function");
}

TEST(ftrace_sweep_does_not_believe_a_folder_that_others_can_write_to)
{
	const struct jrec recs[] = { { J_PUT, SV(""), SV("current_tracer"), SV("nop"), SV("") } };
	struct tfs top;

	tree_begin(&top);
	left_behind("this-boot\n", recs, 1);
	chmod(tree_path("run/sonde"), 0777);
	tree_put(TRACING "current_tracer", "function\n");
	CHECK_EQ(undo_sweep(&tree_sys, UNDO_DEAD, NULL, NULL, &e), 0);
	CHECK_STR(tree_get(TRACING "current_tracer"), "function");
}

TEST(ftrace_sweep_passes_over_a_journal_that_is_held)
{
	struct tfs top;
	struct undo *u = begin(&top);

	CHECK_EQ(undo_put(u, &top, "current_tracer", "function", &e), 0);
	CHECK_EQ(undo_sweep(&tree_sys, UNDO_OURS, NULL, NULL, &e), 0);
	CHECK_STR(tree_get(TRACING "current_tracer"), "function");
	CHECK_EQ(undo_finish(u, &e), 0);
}

TEST(ftrace_sweep_removes_instances_of_the_dead_only)
{
	static const char *const names[] = { "other", "sonde-999999-5", "sonde-x-5", "sonde-999999-5-ns77", NULL };
	char mine[64], reused[64];
	struct tfs top;

	tree_begin(&top);
	snprintf(mine, sizeof(mine), "sonde-%d-777", (int)getpid());
	snprintf(reused, sizeof(reused), "sonde-%d-776", (int)getpid());
	for (size_t i = 1; names[i]; i++) {
		char path[256];

		snprintf(path, sizeof(path), "%s" TRACING "instances/%s", "", names[i]);
		mkdir(tree_path(path), 0755);
	}
	mkdir(tree_path(TRACING "instances/"), 0755);
	chdir(tree_path(TRACING "instances"));
	mkdir(mine, 0755);
	mkdir(reused, 0755);
	chdir("/");
	CHECK_EQ(undo_sweep(&tree_sys, UNDO_DEAD, NULL, NULL, &e), 2);
	CHECK(!access(tree_path(TRACING "instances/other"), F_OK));
	CHECK(access(tree_path(TRACING "instances/sonde-999999-5"), F_OK));
	CHECK(!access(tree_path(TRACING "instances/sonde-x-5"), F_OK));
	CHECK(!access(tree_path(TRACING "instances/sonde-999999-5-ns77"), F_OK));
	chdir(tree_path(TRACING "instances"));
	CHECK(!access(mine, F_OK));
	CHECK(access(reused, F_OK));
	chdir("/");
}

/* Change something in a child that is then killed. */
TEST(ftrace_guard_restores_after_sigkill)
{
	struct tfs top;
	int status, ready[2];
	char byte;

	tree_begin(&top);
	CHECK_EQ(pipe(ready), 0);

	pid_t pid = fork();

	if (!pid) {
		struct undo *u = undo_new(&tree_sys, &e);
		bool failed = !u || undo_put(u, &top, "current_tracer", "function", &e);

		if (write(ready[1], failed ? "n" : "y", 1) == 1)
			pause();
		_exit(1);
	}
	CHECK_EQ(read(ready[0], &byte, 1), 1);
	CHECK_EQ(byte, 'y');
	CHECK_STR(tree_get(TRACING "current_tracer"), "function");
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	close(ready[0]);
	close(ready[1]);
	for (int i = 0; i < 2000 && strcmp(tree_get(TRACING "current_tracer"), "nop"); i++)
		usleep(10000);
	CHECK_STR(tree_get(TRACING "current_tracer"), "nop");
}

TEST(ftrace_journal_with_a_torn_end_is_read_as_far_as_it_goes)
{
	const struct jrec a = { J_PUT, SV("inst"), SV("a\nfile"), SV("old"), SV("") };
	struct tfs top;
	struct journal j;
	struct jrec got;

	tree_begin(&top);
	CHECK_EQ(journal_init(&j, &tree_sys, &e), 0);
	CHECK_EQ(journal_add(&j, &a, &e), 0);
	CHECK_EQ(journal_add(&j, &a, &e), 0);
	for (size_t cut = 1; cut <= 30; cut++) {
		size_t n = j.log.n - cut;
		struct sv log = { guard_dup(j.log.v, n), n };
		unsigned records = 0;

		while (journal_next(&log, &got))
			records++;
		CHECK(records >= 1 && records <= 2);
	}

	struct sv log = { j.log.v, j.log.n };

	CHECK(journal_next(&log, &got) && got.kind == J_HEAD && sv_eq(got.what, "this-boot"));
	CHECK(journal_next(&log, &got) && sv_eq(got.where, "inst") && sv_eq(got.what, "a\nfile") &&
	      sv_eq(got.old, "old"));
	CHECK(journal_next(&log, &got));
	CHECK(!journal_next(&log, &got));
	journal_deinit(&j);
}

TEST(ftrace_two_runs_do_not_share_what_exists_once)
{
	struct tfs top, t;
	struct undo *u = begin(&top), *v;

	CHECK_EQ(undo_put(u, &top, "current_tracer", "function", &e), 0);
	v = undo_new(&tree_sys, &e);
	CHECK_EQ(undo_put(v, &top, "tracing_cpumask", "1", &e), -EBUSY);
	CHECK(strstr(e.text, "another run of sonde"));
	CHECK_STR(tree_get(TRACING "tracing_cpumask"), "3");
	CHECK_EQ(undo_finish(v, &e), 0);
	/* A buffer of its own is no matter of theirs, but for the files that it does not have. */
	v = undo_new(&tree_sys, &e);
	CHECK_EQ(tfs_instance(&t, &top, "other", &e), 0);
	CHECK_EQ(undo_put(v, &t, "tracing_on", "0", &e), 0);
	CHECK_EQ(undo_put(v, &t, "tracing_cpumask", "1", &e), -EBUSY);
	CHECK_EQ(undo_finish(v, &e), 0);
	CHECK_EQ(undo_finish(u, &e), 0);
	CHECK_STR(tree_get(TRACING "current_tracer"), "nop");
	CHECK_STR(tree_get(TRACING "instances/other/tracing_on"), "1");
}

TEST(ftrace_undo_restores_what_its_own_buffer_shares)
{
	struct tfs top, t;
	struct undo *u = begin(&top);

	CHECK_EQ(undo_instance(u, &t, &top, &e), 0);
	CHECK_EQ(undo_put(u, &t, "tracing_cpumask", "1", &e), 0);
	CHECK_STR(tree_get(TRACING "tracing_cpumask"), "1");
	CHECK_EQ(undo_finish(u, &e), 0);
	CHECK_STR(tree_get(TRACING "tracing_cpumask"), "3");
}

TEST(ftrace_sweep_goes_on_after_one_that_was_killed_in_the_middle_of_a_list)
{
	char mark[24];
	struct tfs top;
	struct journal j;

	tree_begin(&top);
	snprintf(mark, sizeof(mark), "%llu", (unsigned long long)value_mark("ours"));

	const struct jrec recs[] = {
		{ J_PUT, SV(""), SV("set_ftrace_filter"), SV("vfs_read\nvfs_write"), SV("") },
		{ J_SET, SV(""), SV("set_ftrace_filter"), sv_from(mark), SV("") },
		{ J_SET, SV(""), SV("set_ftrace_filter"), SV("?"), SV("") },
	};

	for (size_t n = 2; n <= 3; n++) {
		left_behind("this-boot\n", recs, n);
		/* A part of what was to be put back. */
		tree_put(TRACING "set_ftrace_filter", "vfs_read\n");
		CHECK_EQ(undo_sweep(&tree_sys, UNDO_DEAD, NULL, NULL, &e), n == 3);
		CHECK_STR(tree_get(TRACING "set_ftrace_filter"), n == 3 ? "vfs_read\nvfs_write" : "vfs_read");
	}

	/* A list that is put back is announced first; then it is known again. */
	left_behind("this-boot\n", recs, 2);
	tree_put(TRACING "set_ftrace_filter", "ours\n");
	CHECK_EQ(journal_init(&j, &tree_sys, &e), 0);
	CHECK_EQ(journal_add(&j, &recs[0], &e), 0);
	CHECK_EQ(journal_add(&j, &recs[1], &e), 0);

	struct sweep s = { .sys = &tree_sys, .fd = j.fd, .e = &e };
	struct jrec last = { 0 }, before = { 0 }, rec;
	char *text;
	size_t n;

	sweep_log(&s, (struct sv){ j.log.v, j.log.n });
	CHECK_STR(tree_get(TRACING "set_ftrace_filter"), "vfs_read\nvfs_write");
	CHECK_EQ(journal_load(&tree_sys, j.fd, &text, &n), 0);

	struct sv log = { text, n };

	while (journal_next(&log, &rec)) {
		before = last;
		last = rec;
	}
	CHECK_EQ(before.kind, J_SET);
	CHECK(sv_eq(before.old, "?"));
	snprintf(mark, sizeof(mark), "%llu", (unsigned long long)value_mark("vfs_read\nvfs_write"));
	CHECK_EQ(last.kind, J_SET);
	CHECK(sv_eq(last.old, mark));
	free(text);
	journal_deinit(&j);
}

enum { ALIVE = 0x400000, EXITING = 0x400004, KILLED = 0x100, WAITS = 3 };

/* A process as /proc/PID/stat has it; it started at 777. */
static void process(int pid, char state, unsigned flags, unsigned pending)
{
	char path[64], text[200];

	snprintf(path, sizeof(path), "proc/%d/stat", pid);
	snprintf(text, sizeof(text), "%d (a) name) %c 1 1 1 0 -1 %u %s 777 0 0 0 1 1 0 0 0 %u 0 0\n", pid, state, flags,
		 "0 0 0 0 1 2 0 0 20 0 1 0", pending);
	tree_put(path, text);
}

/* While it is waited for: the dying one's half list comes into force, then it is a zombie. */
static int dying_pid, waits;

static int poll_a_dying_one(const struct sys *sys UNUSED, struct pollfd *fds UNUSED, size_t n UNUSED, int ms UNUSED)
{
	if (++waits == WAITS) {
		tree_put(TRACING "set_ftrace_filter", "vfs_read\n");
		process(dying_pid, 'Z', EXITING, 0);
	}
	return 0;
}

TEST(ftrace_sweep_waits_until_the_dying_have_let_go_of_their_lists)
{
	const struct jrec recs[] = {
		{ J_PUT, SV(""), SV("set_ftrace_filter"), SV("vfs_read\nvfs_write"), SV("") },
		{ J_HAND, .what = SV("4242"), .old = SV("777") },
	};
	struct tfs top;

	tree_begin(&top);
	tree_sys.poll = poll_a_dying_one;
	/* The run, its guard; killed, and later on its way out. */
	for (int i = 0; i < 4; i++) {
		dying_pid = i & 1 ? 4242 : (int)getpid();
		waits = 0;
		process((int)getpid(), 'S', ALIVE, 0);
		left_behind("this-boot\n", recs, ARRAY_SIZE(recs));
		process((int)getpid(), 'Z', EXITING, 0);
		process(dying_pid, 'R', i & 2 ? ALIVE : EXITING, i & 2 ? KILLED : 0);
		tree_put(TRACING "set_ftrace_filter", "ours\n");
		/* A run that needs nothing of it does not wait. */
		CHECK_EQ(undo_sweep(&tree_sys, UNDO_DEAD, NULL, NULL, &e), 0);
		CHECK_EQ(waits, 0);
		CHECK_STR(tree_get(TRACING "set_ftrace_filter"), "ours");
		CHECK_EQ(undo_sweep(&tree_sys, UNDO_OURS, NULL, NULL, &e), 1);
		CHECK_EQ(waits, WAITS);
		CHECK_STR(tree_get(TRACING "set_ftrace_filter"), "vfs_read\nvfs_write");
	}
}

static struct journal held;

static int poll_a_guard(const struct sys *sys UNUSED, struct pollfd *fds UNUSED, size_t n UNUSED, int ms UNUSED)
{
	if (++waits == WAITS)
		journal_deinit(&held);
	return 0;
}

TEST(ftrace_a_zombie_is_no_other_run)
{
	struct tfs top;
	struct undo *u;

	tree_begin(&top);
	CHECK_EQ(journal_init(&held, &tree_sys, &e), 0);
	CHECK_EQ(journal_add(&held, &(struct jrec){ .kind = J_TOP }, &e), 0);
	CHECK_EQ(journal_add(&held, &(struct jrec){ J_PUT, SV(""), SV("trace_clock"), SV("mono"), SV("") }, &e), 0);
	process((int)getpid(), 'Z', EXITING, 0);
	tree_sys.poll = poll_a_guard;
	waits = 0;
	u = undo_new(&tree_sys, &e);
	CHECK_EQ(undo_put(u, &top, "trace_clock", "global", &e), 0);
	CHECK_EQ(waits, WAITS);
	CHECK_EQ(undo_finish(u, &e), 0);
	/* What was read as the old value is what the dead run's journal says. */
	CHECK_STR(tree_get(TRACING "trace_clock"), "mono");
}

/* A second one would go on when this run, or the first one, has put everything back. */
TEST(ftrace_undo_has_one_guard_and_ends_it)
{
	struct tfs top;
	struct undo *u = begin(&top);

	CHECK_EQ(undo_put(u, &top, "current_tracer", "function", &e), 0);
	CHECK_EQ(waitpid(-1, NULL, WNOHANG), 0);
	CHECK_EQ(undo_finish(u, &e), 0);
	CHECK_EQ(waitpid(-1, NULL, WNOHANG), -1);
	CHECK_EQ(errno, ECHILD);
}

TEST(ftrace_sweep_announces_lists_behind_a_torn_record)
{
	static const char *const olds[] = { "vfs_read\nvfs_write", "vfs_read" };
	char mark[24];
	struct tfs top;

	tree_begin(&top);
	snprintf(mark, sizeof(mark), "%llu", (unsigned long long)value_mark("ours"));
	for (size_t i = 0; i < ARRAY_SIZE(olds); i++) {
		unsigned records = 0, unknown = 0, hands = 0;
		struct journal j;
		struct jrec rec;
		char *text;
		size_t n;

		CHECK_EQ(journal_init(&j, &tree_sys, &e), 0);
		CHECK_EQ(journal_add(&j, &(struct jrec){ J_PUT, SV(""), SV("set_ftrace_filter"), sv_from(olds[i]),
							  SV("") }, &e), 0);
		CHECK_EQ(journal_add(&j, &(struct jrec){ J_SET, SV(""), SV("set_ftrace_filter"), sv_from(mark),
							  SV("") }, &e), 0);
		CHECK_EQ(write(j.fd, "p 0 9", 5), 5);
		tree_put(TRACING "set_ftrace_filter", "ours\n");
		CHECK_EQ(journal_load(&tree_sys, j.fd, &text, &n), 0);

		struct sweep s = { .sys = &tree_sys, .fd = j.fd, .e = &e };

		CHECK_EQ(sweep_log(&s, (struct sv){ text, n }), 0);
		free(text);
		CHECK_STR(tree_get(TRACING "set_ftrace_filter"), olds[i]);
		CHECK_EQ(journal_load(&tree_sys, j.fd, &text, &n), 0);

		struct sv log = { text, n };

		for (; journal_next(&log, &rec); records++) {
			unknown += rec.kind == J_SET && sv_eq(rec.old, "?");
			hands += rec.kind == J_HAND && sv_eq(rec.old, "777");
		}
		CHECK_EQ(log.n, 0);
		CHECK_EQ(records, 6);
		CHECK_EQ(unknown, 1);
		CHECK_EQ(hands, 1);
		free(text);
		sys_live.unlink(&sys_live, tree_path(j.path));
		journal_deinit(&j);
	}
}

/* --- a journal that has to stay --- */

static int busy_open(const struct sys *sys, const char *path, int flags, unsigned mode)
{
	if (strstr(path, "kprobe_events") && (flags & O_ACCMODE) != O_RDONLY)
		return -EBUSY;
	return sys_live.open(sys, path, flags, mode);
}

static int slept_ms;

static int sleep_not(const struct sys *sys UNUSED, struct pollfd *fds UNUSED, size_t n UNUSED, int ms)
{
	slept_ms += ms;
	return 0;
}

TEST(ftrace_sweep_of_a_kept_journal_leaves_what_the_user_set_since)
{
	struct tfs top;
	char mark[24];

	tree_begin(&top);
	snprintf(mark, sizeof(mark), "%llu", (unsigned long long)value_mark("ours"));

	const struct jrec recs[] = {
		{ J_ADD, SV(""), SV("kprobe_events"), SV("-:a/b"), SV("p:a/b f") },
		{ J_PUT, SV(""), SV("set_ftrace_filter"), SV("vfs_read"), SV("") },
		{ J_SET, SV(""), SV("set_ftrace_filter"), sv_from(mark), SV("") },
	};

	tree_put(TRACING "kprobe_events", "p:a/b f\n");
	left_behind("this-boot\n", recs, ARRAY_SIZE(recs));
	tree_put(TRACING "set_ftrace_filter", "ours\n");
	tree_sys.open = busy_open;
	tree_sys.poll = sleep_not;
	CHECK_EQ(undo_sweep(&tree_sys, UNDO_DEAD, NULL, NULL, &e), -EBUSY);
	CHECK_STR(tree_get(TRACING "set_ftrace_filter"), "vfs_read");
	tree_put(TRACING "set_ftrace_filter", "users\n");
	CHECK_EQ(undo_sweep(&tree_sys, UNDO_DEAD, NULL, NULL, &e), -EBUSY);
	CHECK_STR(tree_get(TRACING "set_ftrace_filter"), "users");
}

static int run_pid, busy_opens;

/* To the guard only, and for longer than one sweep waits. */
static int busy_open_to_the_guard(const struct sys *sys, const char *path, int flags, unsigned mode)
{
	if (getpid() != run_pid && busy_opens && busy_open(sys, path, flags, mode) == -EBUSY) {
		busy_opens--;
		return -EBUSY;
	}
	return sys_live.open(sys, path, flags, mode);
}

TEST(ftrace_guard_outwaits_the_readers_of_the_dead)
{
	char removed[] = "p:a/b f\n-:a/b", byte;
	struct tfs top;
	int ready[2];

	tree_begin(&top);
	tree_put(TRACING "kprobe_events", "");
	CHECK_EQ(pipe(ready), 0);

	pid_t pid = fork();

	if (!pid) {
		run_pid = getpid();
		busy_opens = 250;
		tree_sys.open = busy_open_to_the_guard;
		tree_sys.poll = sleep_not;

		struct undo *u = undo_new(&tree_sys, &e);
		bool failed = !u || undo_append(u, &top, "kprobe_events", "p:a/b f", "-:a/b", &e);

		if (write(ready[1], failed ? "n" : "y", 1) == 1)
			pause();
		_exit(1);
	}
	CHECK_EQ(read(ready[0], &byte, 1), 1);
	CHECK_EQ(byte, 'y');
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(ready[0]);
	close(ready[1]);
	for (int i = 0; i < 2000 && strcmp(tree_get(TRACING "kprobe_events"), removed); i++)
		usleep(10000);
	CHECK_STR(tree_get(TRACING "kprobe_events"), removed);
}

TEST(ftrace_sweep_waits_no_longer_for_many_than_for_one)
{
	struct jrec recs[10];
	struct tfs top;

	tree_begin(&top);
	for (size_t i = 0; i < ARRAY_SIZE(recs); i++)
		recs[i] = (struct jrec){ J_ADD, SV(""), SV("kprobe_events"), SV("-:a/b"), SV("p:a/b f") };
	tree_put(TRACING "kprobe_events", "p:a/b f\n");
	left_behind("this-boot\n", recs, ARRAY_SIZE(recs));
	tree_sys.open = busy_open;
	tree_sys.poll = sleep_not;
	slept_ms = 0;
	CHECK_EQ(undo_sweep(&tree_sys, UNDO_DEAD, NULL, NULL, &e), -EBUSY);
	CHECK(slept_ms > 1000 && slept_ms <= 2000);
}
