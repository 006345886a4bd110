/* What other users' dead runs have left: named, and carried out by root as far as it can be believed. */
#include "tracing/journal.h"
#include "tracing/undo.h"
#include "ftrace_tree.h"

#include <fcntl.h>
#include <sys/file.h>

static struct err e;

static char foreign[256];

static void take_line(void *arg, const char *line)
{
	if (strstr(line, "user"))
		snprintf(arg, sizeof(foreign), "%s", line);
}

enum { USER = 1000, GROUP = 50 };

static unsigned uid_of_root(const struct sys *s UNUSED)
{
	return 0;
}

static unsigned uid_of_user(const struct sys *s UNUSED)
{
	return USER;
}

/* All files are that user's, but for those of the kernel. */
static int owned(int r, const char *path, struct stat *st)
{
	bool kernels = path && strstr(path, "/sys/");

	if (!r) {
		st->st_uid = kernels ? 0 : USER;
		st->st_gid = GROUP;
	}
	return r;
}

static int owned_stat(const struct sys *s, const char *path, struct stat *st)
{
	return owned(sys_live.stat(s, path, st), path, st);
}

static int owned_lstat(const struct sys *s, const char *path, struct stat *st)
{
	return owned(sys_live.lstat(s, path, st), path, st);
}

static int owned_fstat(const struct sys *s, int fd, struct stat *st)
{
	return owned(sys_live.fstat(s, fd, st), NULL, st);
}

#define LEFT_IN "tmp/sonde-1000/"
#define LEFT LEFT_IN "undo-5-999999-0"

static void root_of_a_machine(struct tfs *top)
{
	tree_begin(top);
	tree_sys.uid = uid_of_root;
	tree_sys.stat = owned_stat;
	tree_sys.lstat = owned_lstat;
	tree_sys.fstat = owned_fstat;
	tree_put("tmp/else", "");
	tree_put("etc/passwd", "root:x:0:0::/:/bin/sh\nann:x:1000:1000::/:/bin/sh\n");
	tree_put("etc/group", "tracers:x:50:bob,ann\n");
	tree_put(TRACING "kprobe_events", "");
	tree_put(TRACING "synthetic_events", "");
	chmod(tree_path(TRACING "kprobe_events"), 0640);
}

static void let_group(const char *file, bool may)
{
	char path[128];

	snprintf(path, sizeof(path), TRACING "%s", file);
	chmod(tree_path(path), may ? 0660 : 0640);
}

/* Of user 1000, by a run that is dead, in folders that only that user writes to. */
static void foreign_journal(const struct jrec *recs, size_t n)
{
	struct journal j = { .sys = &tree_sys, .fd = -1 };

	CHECK_EQ(journal_add(&j, &(struct jrec){ .kind = J_HEAD, .what = SV("this-boot") }, &e), 0);
	for (size_t i = 0; i < n; i++)
		CHECK_EQ(journal_add(&j, &recs[i], &e), 0);
	tree_put(LEFT, "");
	FILE *f = fopen(tree_path(LEFT), "w");

	CHECK(f && fwrite(j.log.v, 1, j.log.n, f) == j.log.n && !fclose(f));
	chmod(tree_path("tmp/sonde-1000"), 0700);
	chmod(tree_path(LEFT), 0600);
	vec_free(&j.log);
}

static char told_lines[8192];

static void take_all(void *arg UNUSED, const char *line)
{
	size_t n = strlen(told_lines);

	snprintf(told_lines + n, sizeof(told_lines) - n, "%s\n", line);
}

static int sweep_all(void)
{
	told_lines[0] = '\0';
	return undo_sweep(&tree_sys, UNDO_ALL_USERS, take_all, NULL, &e);
}

/* It is told, and neither believed nor removed. */
TEST(ftrace_sweep_names_what_other_users_have_left)
{
	const struct jrec recs[] = { { .kind = J_PUT, .what = SV("/etc") } };
	struct tfs top;

	root_of_a_machine(&top);
	foreign_journal(recs, 1);
	CHECK_EQ(undo_sweep(&tree_sys, UNDO_DEAD, take_line, foreign, &e), 0);
	CHECK_STR(foreign, "");
	CHECK_EQ(undo_sweep(&tree_sys, UNDO_OURS, take_line, foreign, &e), 0);
	CHECK(strstr(foreign, "/" LEFT ": left by a run of user 1000"));
	CHECK(strcmp(tree_get(LEFT), "(none)"));
}

TEST(ftrace_sweep_for_all_is_roots)
{
	struct tfs top;

	root_of_a_machine(&top);
	tree_sys.uid = uid_of_user;
	CHECK_EQ(sweep_all(), -EPERM);
}

#define DEAD_TRIGGER TRACING "instances/sonde-999999-5/events/irq/irq_exit/trigger"
static char trigger_at_the_end[64];

/* As the kernel has it: the files of an instance go with it. */
static int rmdir_of_instances(const struct sys *sys, const char *path)
{
	if (strstr(path, "sonde-999999-5")) {
		snprintf(trigger_at_the_end, sizeof(trigger_at_the_end), "%s", tree_get(DEAD_TRIGGER));
		nftw(tree_path(path), tree_remove_one, 16, FTW_DEPTH | FTW_PHYS);
		return 0;
	}
	return sys_live.rmdir(sys, path);
}

TEST(ftrace_sweep_for_all_carries_out_what_is_plain)
{
	const struct jrec recs[] = {
		{ J_PUT, SV(""), SV("current_tracer"), SV("nop"), SV("") },
		{ J_PUT, SV(""), SV("set_ftrace_filter"), SV("vfs_read\next4_read [ext4]"), SV("") },
		{ J_PUT, SV(""), SV("events/irq/irq_exit/enable"), SV("0"), SV("") },
		{ J_PUT, SV("other"), SV("tracing_on"), SV("1"), SV("") },
		{ J_PUT, SV(""), SV("buffer_size_kb"), SV("1408"), SV("") },
		{ J_ADD, SV(""), SV("kprobe_events"), SV("-:sonde_999999_5/open"), SV("p:sonde_999999_5/open f") },
		{ J_ADD, SV(""), SV("synthetic_events"), SV("!sonde_999999_5"), SV("sonde_999999_5 u64 us") },
		{ J_MAKE, .where = SV("sonde-999999-5") },
		{ J_ADD, SV("sonde-999999-5"), SV("events/irq/irq_exit/trigger"), SV("!hist:keys=irq"), SV("") },
	};
	static const char *const files[] = { "current_tracer", "set_ftrace_filter", "events/irq/irq_exit/enable",
					     "instances/other/tracing_on", "buffer_size_kb" };
	struct tfs top;

	root_of_a_machine(&top);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		let_group(files[i], true);
	tree_put(TRACING "current_tracer", "function\n");
	tree_put(TRACING "set_ftrace_filter", "vfs_write\n");
	tree_put(TRACING "events/irq/irq_exit/enable", "1\n");
	tree_put(TRACING "instances/other/tracing_on", "0\n");
	tree_put(TRACING "buffer_size_kb", "8000\n");
	tree_put(DEAD_TRIGGER, "");
	tree_sys.rmdir = rmdir_of_instances;
	foreign_journal(recs, ARRAY_SIZE(recs));
	CHECK_EQ(sweep_all(), 10);
	CHECK_STR(trigger_at_the_end, "!hist:keys=irq");
	CHECK_STR(tree_get(TRACING "current_tracer"), "nop");
	CHECK_STR(tree_get(TRACING "set_ftrace_filter"), "vfs_read\next4_read:mod:ext4");
	CHECK_STR(tree_get(TRACING "events/irq/irq_exit/enable"), "0");
	CHECK_STR(tree_get(TRACING "instances/other/tracing_on"), "1");
	CHECK_STR(tree_get(TRACING "buffer_size_kb"), "1408");
	CHECK_STR(tree_get(TRACING "kprobe_events"), "-:sonde_999999_5/open");
	CHECK_STR(tree_get(TRACING "synthetic_events"), "!sonde_999999_5");
	CHECK(access(tree_path(TRACING "instances/sonde-999999-5"), F_OK));
	CHECK(!strstr(told_lines, "left"));
	/* Its folder was empty with that, and what is beside it stays. */
	CHECK(access(tree_path("tmp/sonde-1000"), F_OK));
	CHECK(!access(tree_path("tmp/else"), F_OK));
	CHECK_EQ(sweep_all(), 0);
}

TEST(ftrace_sweep_for_all_needs_that_users_rights)
{
	static const char *const groups[] = { "tracers:x:50:bob,annie\n", "tracers:x:51:ann\n", "tracers:x:50:ann\n" };
	const struct jrec recs[] = { { J_PUT, SV(""), SV("tracing_on"), SV("0"), SV("") } };
	struct tfs top;

	root_of_a_machine(&top);
	foreign_journal(recs, 1);
	let_group("tracing_on", false);
	CHECK_EQ(sweep_all(), 0);
	CHECK(strstr(told_lines, "user 1000: left as it is: tracing_on: 0 (that user may not write to it)"));
	let_group("tracing_on", true);
	for (size_t i = 0; i < ARRAY_SIZE(groups); i++) {
		tree_put("etc/group", groups[i]);
		CHECK_STR(tree_get(TRACING "tracing_on"), "1");
		CHECK_EQ(sweep_all(), i == 2 ? 2 : 0);
	}
	CHECK_STR(tree_get(TRACING "tracing_on"), "0");
}

TEST(ftrace_sweep_for_all_does_not_enter_where_that_user_cannot)
{
	const struct jrec recs[] = { { J_PUT, SV(""), SV("tracing_on"), SV("0"), SV("") } };
	struct tfs top;

	root_of_a_machine(&top);
	foreign_journal(recs, 1);
	chmod(tree_path(TRACING "tracing_on"), 0666);
	chmod(tree_path("sys/kernel/tracing"), 0700);
	CHECK_EQ(sweep_all(), 0);
	CHECK_STR(tree_get(TRACING "tracing_on"), "1");
	chmod(tree_path("sys/kernel/tracing"), 0755);
	CHECK_EQ(sweep_all(), 2);
}

/* Whatever it names is there, and as it was. */
TEST(ftrace_sweep_for_all_leaves_what_a_hostile_journal_names)
{
	static const struct jrec hostile[] = {
		{ J_PUT, SV(""), SV("/tmp/precious"), SV("x"), SV("") },
		{ J_PUT, SV(""), SV("../../../tmp/precious"), SV("x"), SV("") },
		{ J_PUT, SV(".."), SV("tracing_on"), SV("0"), SV("") },
		{ J_PUT, SV("../instances/other"), SV("tracing_on"), SV("0"), SV("") },
		{ J_PUT, SV("."), SV("tracing_on"), SV("0"), SV("") },
		{ J_PUT, SV(""), SV("instances/other/tracing_on"), SV("0"), SV("") },
		{ J_PUT, SV(""), SV("options/link"), SV("0"), SV("") },
		{ J_PUT, SV(""), SV("options/../tracing_on"), SV("0"), SV("") },
		{ J_PUT, SV(""), SV("tracing_on\0x"), SV("0"), SV("") },
		{ J_PUT, SV(""), SV("tracing_on/"), SV("0"), SV("") },
		{ J_PUT, SV(""), SV("events//enable"), SV("0"), SV("") },
		{ J_PUT, SV(""), SV("/proc/sys/kernel/ftrace_enabled"), SV("0"), SV("") },
		{ J_PUT, SV(""), SV("trace_marker"), SV("x"), SV("") },
		{ J_PUT, SV(""), SV("current_tracer"), SV("function"), SV("") },
		{ J_PUT, SV(""), SV("tracing_on"), SV("0\n1"), SV("") },
		{ J_PUT, SV(""), SV("events/enable"), SV("1"), SV("") },
		{ J_PUT, SV(""), SV("buffer_size_kb"), SV("99999999"), SV("") },
		{ J_PUT, SV(""), SV("set_ftrace_filter"), SV("*"), SV("") },
		{ J_PUT, SV(""), SV("set_ftrace_filter"), SV("f:traceoff"), SV("") },
		{ J_PUT, SV(""), SV("set_event_pid"), SV("1 2; x"), SV("") },
		{ J_PUT, SV(""), SV("events/irq/irq_exit/filter"), SV("0\nx"), SV("") },
		{ J_ADD, SV(""), SV("kprobe_events"), SV("-:theirs/open"), SV("") },
		{ J_ADD, SV(""), SV("kprobe_events"), SV("-:sonde_1_x/open"), SV("") },
		{ J_ADD, SV(""), SV("kprobe_events"), SV("-:sonde_999999_5/a\n-:theirs/open"), SV("") },
		{ J_ADD, SV(""), SV("kprobe_events"), SV("p:sonde_999999_5/a f"), SV("") },
		{ J_ADD, SV(""), SV("kprobe_events"), SV("-:sonde_999999_5"), SV("") },
		{ J_ADD, SV(""), SV("kprobe_events"), SV("-:sonde_999999_999999/later"), SV("") },
		{ J_ADD, SV(""), SV("kprobe_events"), SV("-:sonde_999999_123/container"), SV("") },
		{ J_ADD, SV(""), SV("synthetic_events"), SV("!theirs"), SV("") },
		{ J_ADD, SV(""), SV("events/irq/irq_exit/trigger"), SV("!traceoff"), SV("") },
		{ J_ADD, SV("other"), SV("events/irq/irq_exit/trigger"), SV("!traceoff"), SV("") },
		{ J_ADD, SV(""), SV("set_ftrace_filter"), SV("!f:traceoff"), SV("") },
		{ J_MAKE, .where = SV("other") },
		{ J_MAKE, .where = SV("../../sonde-999999-5") },
		{ J_MAKE, .where = SV("") },
	};
	char mine[64];
	struct tfs top;

	root_of_a_machine(&top);
	tree_put("tmp/precious", "1\n");
	tree_put("proc/77/stat", "77 (x) S 1 1 1 0 -1 4194304 0 0 0 0 1 2 0 0 20 0 1 0 123 0 0\n");
	tree_put("proc/sys/kernel/ftrace_enabled", "1\n");
	tree_put(TRACING "trace_marker", "1\n");
	tree_put(TRACING "instances/other/events/irq/irq_exit/trigger", "");
	CHECK_EQ(symlink("../../../../tmp/precious", tree_path(TRACING "options/link")), 0);
	for (size_t i = 0; i < ARRAY_SIZE(hostile); i++) {
		foreign_journal(&hostile[i], 1);
		CHECK_EQ(sweep_all(), 0);
		if (!strstr(told_lines, "left as it is"))
			t_fail(__FILE__, __LINE__, "hostile record %zu is not named", i);
		CHECK(strcmp(tree_get(LEFT), "(none)"));
	}
	snprintf(mine, sizeof(mine), "-:sonde_%d_777/open", (int)getpid());
	foreign_journal(&(struct jrec){ J_ADD, SV(""), SV("kprobe_events"), sv_from(mine), SV("") }, 1);
	CHECK_EQ(sweep_all(), 0);
	CHECK_STR(tree_get("tmp/precious"), "1");
	CHECK_STR(tree_get("proc/sys/kernel/ftrace_enabled"), "1");
	CHECK_STR(tree_get(TRACING "trace_marker"), "1");
	CHECK_STR(tree_get(TRACING "tracing_on"), "1");
	CHECK_STR(tree_get(TRACING "instances/other/tracing_on"), "1");
	CHECK_STR(tree_get(TRACING "kprobe_events"), "");
	CHECK_STR(tree_get(TRACING "synthetic_events"), "");
	CHECK_STR(tree_get(TRACING "current_tracer"), "nop");
	CHECK_STR(tree_get(TRACING "events/irq/irq_exit/trigger"), "");
	CHECK_STR(tree_get(TRACING "instances/other/events/irq/irq_exit/trigger"), "");
}

/* Files that are no journals of that user: nobody waits for them, or reads them. */
TEST(ftrace_sweep_for_all_opens_plain_files_only)
{
	const struct jrec recs[] = { { J_PUT, SV(""), SV("tracing_on"), SV("0"), SV("") } };
	char aside[300];
	struct tfs top;

	root_of_a_machine(&top);
	chmod(tree_path(TRACING "tracing_on"), 0666);
	tree_put(LEFT_IN "keep", "");
	chmod(tree_path("tmp/sonde-1000"), 0700);
	CHECK_EQ(mkfifo(tree_path(LEFT), 0600), 0);
	CHECK_EQ(sweep_all(), 0);
	CHECK(strstr(told_lines, "not that user's own file"));
	unlink(tree_path(LEFT));
	foreign_journal(recs, 1);
	/* A link to one, one that others can write to, in a folder like that, of a live run, held. */
	snprintf(aside, sizeof(aside), "%s", tree_path("tmp/aside"));
	CHECK_EQ(rename(tree_path(LEFT), aside) || symlink("../aside", tree_path(LEFT)), 0);
	CHECK_EQ(sweep_all(), 0);
	CHECK_EQ(unlink(tree_path(LEFT)), 0);
	CHECK_EQ(rename(aside, tree_path(LEFT)), 0);
	chmod(tree_path(LEFT), 0666);
	CHECK_EQ(sweep_all(), 0);
	chmod(tree_path(LEFT), 0600);
	chmod(tree_path("tmp/sonde-1000"), 0777);
	CHECK_EQ(sweep_all(), 0);
	chmod(tree_path("tmp/sonde-1000"), 0700);
	tree_put("proc/999999/stat", "9 (x) S 1 1 1 0 -1 4194304 0 0 0 0 1 2 0 0 20 0 1 0 5 0 0\n");
	CHECK_EQ(sweep_all(), 0);
	unlink(tree_path("proc/999999/stat"));

	int fd = open(tree_path(LEFT), O_RDONLY);

	CHECK_EQ(flock(fd, LOCK_EX), 0);
	CHECK_EQ(sweep_all(), 0);
	CHECK(strstr(told_lines, "somebody holds it"));
	close(fd);
	CHECK_STR(tree_get(TRACING "tracing_on"), "1");
	CHECK_EQ(sweep_all(), 2);
	CHECK_STR(tree_get(TRACING "tracing_on"), "0");
}

TEST(ftrace_sweep_for_all_reads_no_more_than_is_believable)
{
	struct jrec recs[] = { { J_PUT, SV(""), SV("tracing_on"), SV("0"), SV("") } };
	struct tfs top;

	root_of_a_machine(&top);
	chmod(tree_path(TRACING "tracing_on"), 0666);
	foreign_journal(recs, 1);
	CHECK_EQ(truncate(tree_path(LEFT), 1LL << 40), 0);
	CHECK_EQ(sweep_all(), 0);
	CHECK(strstr(told_lines, "too long to be believed"));

	struct jrec *many = calloc(30000, sizeof(*many));

	for (size_t i = 0; i < 30000; i++)
		many[i] = (struct jrec){ .kind = i & 1 ? J_SET : J_PUT, .what = SV("x") };
	foreign_journal(many, 30000);
	free(many);
	CHECK_EQ(sweep_all(), 0);
	CHECK(strstr(told_lines, "too long to be believed"));
	/* What it names is not all shown. */
	struct jrec some[50];

	for (size_t i = 0; i < ARRAY_SIZE(some); i++)
		some[i] = (struct jrec){ .kind = J_PUT, .what = SV("/etc/x") };
	foreign_journal(some, ARRAY_SIZE(some));
	CHECK_EQ(sweep_all(), 0);
	CHECK(strlen(told_lines) < 2000);
}

/* Of another start of the machine, or of nothing: it is of no use, and goes. */
TEST(ftrace_sweep_for_all_removes_what_is_of_no_use)
{
	struct tfs top;

	root_of_a_machine(&top);
	foreign_journal(NULL, 0);
	tree_put("proc/sys/kernel/random/boot_id", "another\n");
	CHECK_EQ(sweep_all(), 1);
	CHECK_STR(tree_get(LEFT), "(none)");
	tree_put("proc/sys/kernel/random/boot_id", "this-boot\n");
	/* Of a container: its numbers say nothing here. */
	tree_put(LEFT, "J 6 9 0 0\n-ns777this-boot");
	chmod(tree_path(LEFT), 0600);
	chmod(tree_path("tmp/sonde-1000"), 0700);
	CHECK_EQ(sweep_all(), 0);
	CHECK(strstr(told_lines, "other numbers"));
}
