/* ftrace_tree.h - a tracing file system of plain files in a folder of its own, gone with the test. */
#ifndef TESTS_UNIT_FTRACE_TREE_H
#define TESTS_UNIT_FTRACE_TREE_H

#include "tracing/tfs.h"
#include "t.h"

#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char tree_root[64];
static struct sys tree_sys;

#define TRACING "sys/kernel/tracing/"

static inline const char *tree_path(const char *file)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/%s", tree_root, file);
	return path;
}

static inline void tree_put(const char *file, const char *text)
{
	char *path = strdup(tree_path(file));

	for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(path, 0755);
		*p = '/';
	}

	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		t_fail(__FILE__, __LINE__, "cannot write %s", path);
	free(path);
}

/* Contents without the last newline; "(none)" when it is not there. */
static inline const char *tree_get(const char *file)
{
	static char text[4][4096];
	static unsigned turn;
	char *buf = text[turn++ % 4];
	FILE *f = fopen(tree_path(file), "r");
	size_t n;

	if (!f)
		return "(none)";
	n = fread(buf, 1, 4095, f);
	fclose(f);
	buf[n] = '\0';
	if (n && buf[n - 1] == '\n')
		buf[n - 1] = '\0';
	return buf;
}

static inline int tree_remove_one(const char *path, const struct stat *st UNUSED, int flag UNUSED, struct FTW *w UNUSED)
{
	return remove(path);
}

static inline void tree_end(void)
{
	nftw(tree_root, tree_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* With the knobs that most tests need. */
static inline void tree_begin(struct tfs *top)
{
	static const char *const files[][2] = {
		{ "trace_pipe", "" },		{ "trace", "old\n" },		{ "tracing_on", "1\n" },
		{ "current_tracer", "nop\n" },	{ "available_tracers", "function_graph function nop\n" },
		{ "trace_clock", "[local] global mono\n" }, { "tracing_cpumask", "3\n" },
		{ "buffer_size_kb", "7 (expanded: 1408)\n" }, { "set_event", "" },
		{ "set_event_pid", "" },	{ "set_ftrace_pid", "no pid\n" },
		{ "set_ftrace_filter", "#### all functions enabled ####\n" },
		{ "set_ftrace_notrace", "#### no functions disabled ####\n" },
		{ "options/overwrite", "1\n" },	{ "options/stacktrace", "0\n" },
		{ "options/func_stack_trace", "0\n" }, { "events/enable", "0\n" },
		{ "available_events", "irq:irq_entry\nirq:irq_exit\nsched:sched_switch\nsched:sched_wakeup\n" },
		{ "available_filter_functions", "vfs_read\nvfs_write\nfoo.isra.0\next4_read [ext4]\n" },
		{ "events/irq/enable", "0\n" },	{ "events/sched/enable", "0\n" },
		{ "events/irq/irq_entry/enable", "0\n" }, { "events/irq/irq_exit/enable", "0\n" },
		{ "events/irq/irq_entry/filter", "none\n" }, { "events/irq/irq_exit/filter", "none\n" },
		{ "events/irq/irq_entry/trigger", "" }, { "events/irq/irq_exit/trigger", "" },
		{ "events/sched/sched_switch/enable", "0\n" }, { "events/sched/sched_wakeup/enable", "0\n" },
		{ "events/sched/sched_switch/filter", "none\n" }, { "events/sched/sched_wakeup/filter", "none\n" },
		{ "events/sched/sched_switch/trigger", "" }, { "events/sched/sched_wakeup/trigger", "" },
	};
	char path[128];
	struct err e;

	if (tree_root[0])   /* of the same test: only the last one is removed at its end */
		tree_end();
	snprintf(tree_root, sizeof(tree_root), "/tmp/sonde-unit-XXXXXX");
	if (!mkdtemp(tree_root))
		t_skip("no folder for a fake tree");
	t_at_end(tree_end);
	unsetenv("TMPDIR");
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		snprintf(path, sizeof(path), TRACING "%s", files[i][0]);
		tree_put(path, files[i][1]);
	}
	tree_put(TRACING "instances/other/tracing_on", "1\n");
	tree_put("proc/sys/kernel/random/boot_id", "this-boot\n");
	tree_put("run/empty", "");
	snprintf(path, sizeof(path), "proc/%d/stat", (int)getpid());
	tree_put(path, "1 (a) name) S 1 1 1 0 -1 4194304 0 0 0 0 1 2 0 0 20 0 1 0 777 0 0\n");
	tree_sys = sys_with_root(tree_root);
	CHECK_EQ(tfs_open(top, &tree_sys, &e), 0);
}

#endif
