/* Commands of functions, as five kernels took, showed and removed them. */
#include "t.h"
#include "tracefs/ftcmd.h"

static struct ftcmd of(const char *text)
{
	struct ftcmd c;
	struct err e = { 0 };

	CHECK_EQ(ftcmd_parse(&c, guard_dup(text, strlen(text) + 1), &e), 0);
	CHECK_STR(e.text, "");
	return c;
}

TEST(ftcmd_what_users_write_and_kernels_show)
{
	struct ftcmd c = of("vfs_read:traceoff:5");

	CHECK_EQ(c.kind, FTCMD_TRACEOFF);
	CHECK(sv_eq(c.function, "vfs_read"));
	CHECK(c.counted && c.count == 5);
	c = of("vfs_read:traceoff:count=3\n");
	CHECK(c.counted && c.count == 3);
	c = of("vfs_fsync:cpudump:unlimited");
	CHECK(c.kind == FTCMD_CPUDUMP && !c.counted);
	c = of("vfs_open:disable_event:sched:sched_waking:count=2");
	CHECK(c.kind == FTCMD_DISABLE_EVENT && sv_eq(c.system, "sched") && sv_eq(c.event, "sched_waking") &&
	      c.count == 2);
	c = of("*:mod:virtio");
	CHECK(c.kind == FTCMD_MOD && sv_eq(c.module, "virtio"));
	CHECK_EQ(of("vfs_*").kind, FTCMD_NONE);
}

TEST(ftcmd_removals_are_those_that_the_kernels_took)
{
	static const char *const lines[][2] = {
		{"vfs_read:traceoff:5", "!vfs_read:traceoff:0"},
		{"vfs_read:traceon", "!vfs_read:traceon"},
		{"vfs_write:stacktrace:3", "!vfs_write:stacktrace:0"},
		{"vfs_write:snapshot", "!vfs_write:snapshot"},
		{"vfs_fsync:dump", "!vfs_fsync:dump"},
		{"vfs_fsync:cpudump:1", "!vfs_fsync:cpudump"},
		{"vfs_open:enable_event:sched:sched_switch", "!vfs_open:enable_event:sched:sched_switch"},
		{"vfs_open:disable_event:sched:sched_waking:2", "!vfs_open:disable_event:sched:sched_waking:0"},
		{"vfs_*:stacktrace", "!vfs_*:stacktrace"},
		{"*:mod:virtio", ""},
		{"vfs_read", ""},
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		char buf[100] = "";

		CHECK_EQ(ftcmd_removal(lines[i][0], buf, sizeof(buf)), strlen(lines[i][1]));
		CHECK_STR(buf, lines[i][1]);
	}
}

TEST(ftcmd_mistakes_are_marked)
{
	static const char *const bad[][2] = {
		{"vfs_read:traceof", "no function command 'traceof', did you mean 'traceon', 'traceoff'?\n  "
				     "vfs_read:traceof\n           ^"},
		{"vfs_read:traceoff:x", "that is no count\n  vfs_read:traceoff:x\n                    ^"},
		{"vfs_read:traceoff:1:2",
		 "nothing may follow the count\n  vfs_read:traceoff:1:2\n                      ^"},
		{"f:enable_event:sched", "SYSTEM:EVENT is missing\n  f:enable_event:sched\n                      ^"},
		{"f:mod:", "the module is missing\n  f:mod:\n        ^"},
		{":traceoff", "a function's name or a glob comes first\n  :traceoff\n  ^"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct ftcmd c;
		struct err e = { 0 };

		CHECK_EQ(ftcmd_parse(&c, guard_dup(bad[i][0], strlen(bad[i][0]) + 1), &e), -EINVAL);
		CHECK_STR(e.text, bad[i][1]);
	}
}
