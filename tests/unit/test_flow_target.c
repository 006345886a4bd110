/* What -a -C -p -t -u -G -D become on a machine that is a table of files. */
#include "live/target.h"
#include "t.h"

#include <fcntl.h>

struct node {
	const char *path;
	const char *text;    /* NULL: a directory */
};

/* Process 10 has three threads, 20 one; user bob (1001) owns 20 and 30; 30 ends while it is being listed. */
static const struct node tree[] = {
	{"/sys/devices/system/cpu/online", "0,2-5\n"},
	{"/etc/passwd", "root:x:0:0:root:/root:/bin/sh\nbobby:x:1:1::/:\nbob:x:1001:1001::/:/bin/sh\n"},
	{"/proc/10", NULL},
	{"/proc/10/task", NULL},
	{"/proc/10/task/12", NULL},
	{"/proc/10/task/10", NULL},
	{"/proc/10/task/11", NULL},
	{"/proc/10/status", "Name:\tten\nUid:\t0\t0\t0\t0\n"},
	{"/proc/11", NULL},
	{"/proc/20", NULL},
	{"/proc/20/task", NULL},
	{"/proc/20/task/20", NULL},
	{"/proc/20/status", "Name:\ttwenty\nUid:\t0\t1001\t0\t0\n"},
	{"/proc/30", NULL},
	{"/proc/30/task", NULL},
	{"/proc/30/status", "Name:\tthirty\nUid:\t1001\t1001\t0\t0\n"},
	{"/proc/self", NULL},
	{"/sys/fs/cgroup/perf_event/one", NULL},
	{"/sys/fs/cgroup/two", NULL},
	{"/mnt/three", NULL},
};

static const char *denied;     /* path that may not be opened */
static int opened;             /* descriptors open now */
static size_t at[8];           /* reading position by descriptor - 100 */
static size_t node_of[8];

static const struct node *find(const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(tree); i++)
		if (!strcmp(tree[i].path, path))
			return &tree[i];
	return NULL;
}

static int fake_open(const struct sys *s UNUSED, const char *path, int flags, unsigned mode UNUSED)
{
	const struct node *n = find(path);

	if (denied && !strcmp(path, denied))
		return -EACCES;
	if (!n)
		return -ENOENT;
	if (flags & O_DIRECTORY && n->text)
		return -ENOTDIR;
	at[opened] = 0;
	node_of[opened] = (size_t)(n - tree);
	return 100 + opened++;
}

static int fake_close(const struct sys *s UNUSED, int fd UNUSED)
{
	opened--;
	return 0;
}

static ssize_t fake_read(const struct sys *s UNUSED, int fd, void *p, size_t size)
{
	const char *text = tree[node_of[fd - 100]].text + at[fd - 100];
	size_t n = MIN(size, strlen(text));

	memcpy(p, text, n);
	at[fd - 100] += n;
	return (ssize_t)n;
}

static int fake_access(const struct sys *s UNUSED, const char *path, int mode UNUSED)
{
	return find(path) ? 0 : -ENOENT;
}

static int fake_each(const struct sys *s UNUSED, const char *path, int (*each)(void *, const char *), void *arg)
{
	size_t n = strlen(path);
	int r = 0;

	if (denied && !strcmp(path, denied))
		return -EACCES;
	if (!find(path) && strcmp(path, "/proc") != 0)
		return -ENOENT;
	for (size_t i = 0; !r && i < ARRAY_SIZE(tree); i++)
		if (!strncmp(tree[i].path, path, n) && tree[i].path[n] == '/' && !strchr(tree[i].path + n + 1, '/'))
			r = each(arg, tree[i].path + n + 1);
	return r;
}

static const struct sys fake = {
	.root = "",
	.open = fake_open,
	.close = fake_close,
	.read = fake_read,
	.access = fake_access,
	.each_entry = fake_each,
};

static struct target target;
static struct err err;
static char sleep_word[] = "sleep", one_word[] = "1";
static char *words[] = { sleep_word, one_word, NULL };

static int init(struct target_want w)
{
	memset(&err, 0, sizeof(err));
	return target_init(&target, &w, &fake, 0, words, &err);
}

static int init_command(struct target_want w)
{
	memset(&err, 0, sizeof(err));
	return target_init(&target, &w, &fake, 2, words, &err);
}

/* "12 34 ": the threads. */
static const char *tids(void)
{
	static char text[200];
	size_t n = 0;

	text[0] = '\0';
	for (size_t i = 0; i < target.tids.n; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%d ", target.tids.v[i]);
	return text;
}

static const char *cpus(void)
{
	static char text[200];

	return cpus_text(&target.cpus, text, sizeof(text));
}

static void done(void)
{
	target_deinit(&target, &fake);
	CHECK_EQ(opened, 0);
}

TEST(target_nothing_said_is_the_whole_system)
{
	CHECK_EQ(init((struct target_want){ 0 }), 0);
	CHECK_EQ(target.kind, TARGET_CPUS);
	CHECK_STR(cpus(), "0,2-5");
	CHECK(target.inherit && !target.argv);
	CHECK_STR(target_name(&target, &(struct target_want){ 0 }), "system wide");
	done();
}

TEST(target_a_command_alone_is_watched)
{
	CHECK_EQ(init_command((struct target_want){ .no_inherit = true }), 0);
	CHECK_EQ(target.kind, TARGET_COMMAND);
	CHECK(!target.inherit);
	CHECK_STR(target_name(&target, &(struct target_want){ 0 }), "'sleep'");
	done();
}

TEST(target_a_command_beside_cpus_or_tasks_only_says_how_long)
{
	static const struct target_want cpu[] = { { .all = true }, { .cpus = "2" }, { .cgroups = "one" } };

	for (size_t i = 0; i < ARRAY_SIZE(cpu); i++) {
		CHECK_EQ(init_command(cpu[i]), 0);
		CHECK_EQ(target.kind, TARGET_CPUS);
		done();
	}
	CHECK_EQ(init_command((struct target_want){ .pids = "20" }), 0);
	CHECK_EQ(target.kind, TARGET_TASKS);
	CHECK(target.argv != NULL);
	done();
}

TEST(target_cpus_must_be_online)
{
	CHECK_EQ(init((struct target_want){ .cpus = "5,2-3" }), 0);
	CHECK_STR(cpus(), "2-3,5");
	CHECK(target.cpus_chosen);
	done();
	CHECK_EQ(init((struct target_want){ .cpus = "0-2" }), -EINVAL);
	CHECK_STR(err.text, "CPU 1 is not online; online are 0,2-5");
	CHECK_EQ(init((struct target_want){ .cpus = "" }), -EINVAL);
	CHECK_EQ(init((struct target_want){ .cpus = "3-2" }), -EINVAL);
	CHECK_EQ(init((struct target_want){ .cpus = "2,x" }), -EINVAL);
	CHECK_EQ(init((struct target_want){ .cpus = "99999" }), -EINVAL);
	done();
}

TEST(target_a_process_is_all_its_threads)
{
	CHECK_EQ(init((struct target_want){ .pids = "10, 20" }), 0);
	CHECK_EQ(target.kind, TARGET_TASKS);
	CHECK_STR(tids(), "10 11 12 20 ");
	done();
}

TEST(target_a_thread_is_watched_once_however_often_it_is_named)
{
	CHECK_EQ(init((struct target_want){ .pids = "10,10", .tids = "11,20,11" }), 0);
	CHECK_STR(tids(), "10 11 12 20 ");
	done();
}

TEST(target_single_threads)
{
	CHECK_EQ(init((struct target_want){ .tids = "11" }), 0);
	CHECK_STR(tids(), "11 ");
	CHECK_EQ(target.kind, TARGET_TASKS);
	done();
	CHECK_EQ(init((struct target_want){ .tids = "99" }), -ESRCH);
	CHECK_STR(err.text, "no such thread: 99");
}

TEST(target_bad_ids_are_named)
{
	static const char *const bad[] = { "", "0", "-1", "1x", "10,", "99999999999", "0x10" };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		CHECK_EQ(init((struct target_want){ .pids = bad[i] }), -EINVAL);
		CHECK_EQ(init((struct target_want){ .tids = bad[i] }), -EINVAL);
	}
	CHECK_STR(err.text, "bad thread id '0x10'");
	CHECK_EQ(init((struct target_want){ .pids = "99" }), -ESRCH);
	CHECK_STR(err.text, "no such process: 99");
	done();
}

/* Its folder is still there, but it lists no thread: that must not become "the whole system". */
TEST(target_a_process_that_ends_meanwhile_is_gone)
{
	CHECK_EQ(init((struct target_want){ .pids = "30" }), -ESRCH);
	CHECK_EQ(init((struct target_want){ .pids = "20,30" }), -ESRCH);
	done();
}

TEST(target_a_user_is_what_runs_with_his_effective_id)
{
	CHECK_EQ(init((struct target_want){ .user = "bob" }), 0);
	CHECK_STR(tids(), "20 ");
	done();
	CHECK_EQ(init((struct target_want){ .user = "0" }), 0);
	CHECK_STR(tids(), "10 11 12 ");
	done();
	CHECK_EQ(init((struct target_want){ .user = "bo" }), -EINVAL);
	CHECK_STR(err.text, "no such user: bo");
	CHECK_EQ(init((struct target_want){ .user = "77" }), -ESRCH);
	CHECK_STR(err.text, "user 77 has no process");
	done();
}

TEST(target_hidden_processes_are_an_error)
{
	denied = "/proc/10/task";
	CHECK_EQ(init((struct target_want){ .pids = "10" }), -EACCES);
	CHECK_STR(err.text, "cannot read /proc/10/task: Permission denied");
	done();
}

TEST(target_cgroups_of_both_versions_and_by_whole_path)
{
	CHECK_EQ(init((struct target_want){ .cgroups = "one,two,/mnt/three" }), 0);
	CHECK_EQ(target.kind, TARGET_CPUS);
	CHECK_EQ(target.cgroups.n, 3);
	CHECK_STR(target.cgroups.v[1].name, "two");
	done();
}

TEST(target_a_missing_cgroup_leaves_no_descriptor)
{
	CHECK_EQ(init((struct target_want){ .cgroups = "one,four" }), -ENOENT);
	CHECK_STR(err.text, "no such control group: four");
	CHECK_EQ(opened, 0);
	CHECK_EQ(init((struct target_want){ .cgroups = "one," }), -ENOENT);
	denied = "/sys/fs/cgroup/perf_event/one";
	CHECK_EQ(init((struct target_want){ .cgroups = "one" }), -EACCES);
	CHECK_STR(err.text, "cannot open the control group one: Permission denied");
	CHECK_EQ(opened, 0);
}

TEST(target_contradictions)
{
	CHECK_EQ(init((struct target_want){ .pids = "10", .all = true }), -EINVAL);
	CHECK_STR(err.text, "--pid and --all-cpus say two different things: watch tasks, or CPUs");
	CHECK_EQ(init((struct target_want){ .user = "0", .cpus = "2" }), -EINVAL);
	CHECK_STR(err.text, "--uid and --cpu say two different things: watch tasks, or CPUs");
	CHECK_EQ(init((struct target_want){ .tids = "10", .cgroups = "one" }), -EINVAL);
}

TEST(target_delay)
{
	static const char *const bad[] = { "", "x", "-2", "1.5", "10-20", "99999999999" };

	CHECK_EQ(init((struct target_want){ .delay = "-1" }), 0);
	CHECK_EQ(target.delay_ms, -1);
	CHECK_EQ(init((struct target_want){ .delay = "250" }), 0);
	CHECK_EQ(target.delay_ms, 250);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		CHECK_EQ(init((struct target_want){ .delay = bad[i] }), -EINVAL);
	done();
}

TEST(target_says_from_the_root_where_a_controller_is_missing)
{
	struct err e = { 0 };

	CHECK_EQ(target_no_cgroup("cycles", "/a/b.slice/c", &e), -ENOENT);
	CHECK(strstr(e.text, "cycles: not supported for control group /a/b.slice/c"));
	CHECK(strstr(e.hint, "cd /sys/fs/cgroup; for g in . a a/b.slice; do"));
	target_no_cgroup("cycles", "one", &e);
	CHECK(strstr(e.hint, "for g in .; do"));
}
