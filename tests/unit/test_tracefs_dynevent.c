/* Lines as Linux 5.10, 6.1 and 6.12 print them back, and as users write them. */
#include "t.h"
#include "tracefs/grammar/dynevent.h"

static struct dynevent of(const char *text)
{
	struct dynevent d;
	struct err e = { 0 };

	CHECK_EQ(dynevent_parse(&d, guard_dup(text, strlen(text) + 1), &e), 0);
	CHECK_STR(e.text, "");
	return d;
}

static const char *put(const struct dynevent *d, bool removal)
{
	static struct mem_out m;

	mem_out_init(&m);
	if (removal)
		dynevent_put_removal(d, &m.out);
	else
		dynevent_put(d, &m.out);
	return mem_out_str(&m);
}

TEST(dynevent_kernels_lines_come_out_again)
{
	static const char *const lines[][3] = {
		{"p:g1/e1 vfs_readv a=%x0 b=+8(%x1):u32 c=$comm\n", "p:g1/e1 vfs_readv a=%x0 b=+8(%x1):u32 c=$comm",
		 "-:g1/e1"},
		{"r4:g1/e2 vfs_read r=$retval:s64", "r4:g1/e2 vfs_read r=$retval:s64", "-:g1/e2"},
		{"p:kprobes/p_vfs_write_0 vfs_write", "p:kprobes/p_vfs_write_0 vfs_write", "-:kprobes/p_vfs_write_0"},
		{"p:k/m virtio:virtqueue_kick+16", "p:k/m virtio:virtqueue_kick+16", "-:k/m"},
		{"p:u1/f1 /bin/busybox:0x0000000000010000 x=%x0:x32 s=+0(%x1):ustring",
		 "p:u1/f1 /bin/busybox:0x10000 x=%x0:x32 s=+0(%x1):ustring", "-:u1/f1"},
		{"r:u1/f2 /bin/busybox:0x0000000000010000", "r:u1/f2 /bin/busybox:0x10000", "-:u1/f2"},
		{"p:sdt/x /lib/a:b.so:0x00000000000007d4(0x0000000000011026) a=%x0",
		 "p:sdt/x /lib/a:b.so:0x7d4(0x11026) a=%x0", "-:sdt/x"},
		{"e:ep/e1 sched.sched_switch p=$prev_pid if prev_pid > 3",
		 "e:ep/e1 sched.sched_switch p=$prev_pid if prev_pid > 3", "-:ep/e1"},
		{"f:fprobes/vfs_read__exit vfs_read%return r=$retval",
		 "f:fprobes/vfs_read__exit vfs_read%return r=$retval", "-:fprobes/vfs_read__exit"},
		{"t:tp/t1 sched_switch", "t:tp/t1 sched_switch", "-:tp/t1"},
		{"s:synthetic/syn1\tu64 a; char[16] s; pid_t p; unsigned long l",
		 "syn1 u64 a; char[16] s; pid_t p; unsigned long l", "!syn1"},
		{"syn1\tu64 a; char[16] s", "syn1 u64 a; char[16] s", "!syn1"},
		{"-:g1/e1", "-:g1/e1", "-:g1/e1"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct dynevent d = of(lines[i][0]);

		CHECK_STR(put(&d, false), lines[i][1]);
		CHECK_STR(put(&d, true), lines[i][2]);
	}
}

TEST(dynevent_what_a_line_is)
{
	static const struct {
		const char *text;
		enum dynevent_kind kind;
		const char *file;
	} lines[] = {
		{ "p vfs_write", DYNEVENT_KPROBE, "kprobe_events" },
		{ "p: vfs_write%return", DYNEVENT_KPROBE, "kprobe_events" },
		{ "r /bin/ls:0x1234", DYNEVENT_UPROBE, "uprobe_events" },
		{ "f:vfs_read", DYNEVENT_FPROBE, "dynamic_events" },
		{ "pairs u64 us", DYNEVENT_SYNTHETIC, "synthetic_events" },
		{ "e_1 u64 us", DYNEVENT_SYNTHETIC, "synthetic_events" },
		{ "!lat", DYNEVENT_DELETE, "dynamic_events" },
	};
	struct dynevent d;

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct err e = { 0 };
		int r = dynevent_parse(&d, lines[i].text, &e);

		CHECK_EQ(r, strcmp(lines[i].text, "f:vfs_read") ? 0 : -EINVAL);
		CHECK_EQ(d.kind, lines[i].kind);
		CHECK_STR(dynevent_file(&d), lines[i].file);
	}
	d = of("p: vfs_write%return");
	CHECK(d.is_return && !d.event.n);
}

TEST(dynevent_arguments_one_by_one)
{
	struct dynevent d = of("p:g/e f a=%x0 +8(%x1):u32 s=\\\"a:b\" t=+0(+8(%x2)):string[4]");
	struct dynevent_arg a;
	struct sv rest = d.args;

	CHECK(dynevent_next(d.kind, &rest, &a));
	CHECK(sv_eq(a.name, "a") && sv_eq(a.fetch, "%x0") && !a.type.n);
	CHECK(dynevent_next(d.kind, &rest, &a));
	CHECK(!a.name.n && sv_eq(a.fetch, "+8(%x1)") && sv_eq(a.type, "u32"));
	CHECK(dynevent_next(d.kind, &rest, &a));
	CHECK(sv_eq(a.name, "s") && sv_eq(a.fetch, "\\\"a:b\"") && !a.type.n);
	CHECK(dynevent_next(d.kind, &rest, &a));
	CHECK(sv_eq(a.fetch, "+0(+8(%x2))") && sv_eq(a.type, "string[4]"));
	CHECK(!dynevent_next(d.kind, &rest, &a));

	d = of("syn1\tu64 a; char[16] s; unsigned long l");
	rest = d.args;
	CHECK(dynevent_next(d.kind, &rest, &a));
	CHECK(sv_eq(a.name, "a") && sv_eq(a.type, "u64"));
	CHECK(dynevent_next(d.kind, &rest, &a) && dynevent_next(d.kind, &rest, &a));
	CHECK(sv_eq(a.name, "l") && sv_eq(a.type, "unsigned long"));
	CHECK(!dynevent_next(d.kind, &rest, &a));
}

TEST(dynevent_mistakes_are_marked)
{
	static const char *const bad[][2] = {
		{"p:g/e", "the place is missing\n  p:g/e\n       ^"},
		{"p:1g/e vfs_read",
		 "group and event are names of letters, digits and _, of 63 at most\n  p:1g/e vfs_read\n    ^"},
		{"r5000:g/e vfs_read", "at most 4096 at a time\n  r5000:g/e vfs_read\n   ^"},
		{"p:g/e /bin/ls:main", "a place in a file is PATH:OFFSET\n  p:g/e /bin/ls:main\n        ^"},
		{"p:g/e vfs_read+x",
		 "a place in the kernel is [MODULE:]SYMBOL[+OFFSET]\n  p:g/e vfs_read+x\n        ^"},
		{"e:g/e sched", "an event probe is on an event, GROUP.EVENT\n  e:g/e sched\n        ^"},
		{"-:", "what is to be removed?\n  -:\n    ^"},
		{"", "the event's name is missing\n  \n  ^"},
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct dynevent d;
		struct err e = { 0 };

		CHECK_EQ(dynevent_parse(&d, guard_dup(bad[i][0], strlen(bad[i][0]) + 1), &e), -EINVAL);
		CHECK_STR(e.text, bad[i][1]);
	}
}

TEST(dynevent_lines_and_what_only_looks_like_them)
{
	static const char *const lines[] = {
		"p:g/e vfs_read", "p: vfs_read", "r16:g/e vfs_read", "r16 vfs_read", "r:e vfs_read x=$retval",
		"e:sched.sched_waking sched.sched_waking", "f:fprobes/x vfs_read%return", "t:x sched_switch",
		"s:synthetic/x int a; u64 b", "s:x int a", "p:x /bin/ls:0x10(0x20)",
	};
	static const char *const others[] = {
		"", "p", "p vfs_read", "r x", "p:g=vfs_read", "p:g=vfs_read x", "f:12 x", "sched:sched_switch", "p:",
		"p:x", "p:x  ", "e:a,e:b c", "f;while x", "kprobe:f/x y/", "t:3", "cycles:u", "r1b", "r16", "{s:x y}",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		CHECK(dynevent_is_line(guard_dup(lines[i], strlen(lines[i]) + 1)));
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		CHECK(!dynevent_is_line(guard_dup(others[i], strlen(others[i]) + 1)));
}

TEST(dynevent_names_are_the_kernels)
{
	static const char *const lines[][2] = {
		{ "p: vfs_read", "-:kprobes/p_vfs_read_0" },
		{ "r64 vfs_read", "-:kprobes/r_vfs_read_0" },
		{ "p:x foo.isra.0+8", "-:kprobes/x" },
		{ "p:g/ tun:tun_get_user+8", "-:g/p_tun_get_user_8" },
		{ "r: /usr/lib/libc.so.6:0x1234", "-:uprobes/r_libc_so_6_0x1234" },
		{ "e: sched/sched_waking", "-:eprobes/sched_waking" },
		{ "f: vfs_read%return", "-:fprobes/vfs_read__exit" },
		{ "f: vfs_read", "-:fprobes/vfs_read__entry" },
		{ "t: 9p_client_req", "-:tracepoints/_9p_client_req" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct dynevent d = of(lines[i][0]);
		struct dynevent_names names;

		dynevent_name(&d, &names);
		CHECK_STR(put(&d, true), lines[i][1]);
	}
}

TEST(dynevent_what_a_kernel_does_not_know)
{
	/* Lines of the README of Linux 6.12, and of 5.10's without the words in question. */
	static const char new[] = "  kprobe_events\t\t- Create/append/remove/show\n  uprobe_events\n"
				  "\t   Format: p[:[<group>/][<event>]] <place> [<args>]\n"
				  "\t           r[maxactive][:[<group>/][<event>]] <place> [<args>]\n"
				  "\t           f[:[<group>/][<event>]] <func-name>[%return] [<args>]\n"
				  "\t           t[:[<group>/][<event>]] <tracepoint> [<args>]\n"
				  "\t           s:[synthetic/]<event> <field> [<field>]\n"
				  "\t           e[:[<group>/][<event>]] <attached-group>.<attached-event> [<args>] [if "
				  "<filter>]\n"
				  "   place (uprobe): <path>:<offset>[%return][(ref_ctr_offset)]\n";
	static const char old[] = "  kprobe_events\t\t- Create/append/remove/show\n  uprobe_events\n"
				  "\t           e[:[<group>/][<event>]] <attached-group>.<attached-event> [<args>]\n"
				  "   place (uprobe): <path>:<offset>\n";
	static const char *const lines[][2] = {
		{ "p:g/e vfs_read", NULL },
		{ "r:g/e vfs_read", NULL },
		{ "r16:g/e vfs_read", "a number of returns at a time (rMAX:)" },
		{ "p:g/e /bin/ls:0x10", NULL },
		{ "p:g/e /bin/ls:0x10(0x20)", "a reference counter of a uprobe (PATH:OFFSET(COUNTER))" },
		{ "f:g/e vfs_read", "fprobe events (f:)" },
		{ "t:g/e sched_switch", "tracepoint probes (t:)" },
		{ "s:e int a", "synthetic events (s:)" },
		{ "e:g/e sched.sched_switch", NULL },
		{ "e:g/e sched.sched_switch x=$prev_pid if prev_pid > 3", "a filter of an event probe (if ...)" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct dynevent d = of(lines[i][0]);
		const char *missing = dynevent_missing(&d, old);

		CHECK_STR(missing ? missing : "", lines[i][1] ? lines[i][1] : "");
		CHECK(!dynevent_missing(&d, new));
		CHECK(!dynevent_missing(&d, ""));
	}
	CHECK_STR(dynevent_missing(&(struct dynevent){ .kind = DYNEVENT_EPROBE }, "x"), "event probes (e:)");
}

TEST(dynevent_fields_of_an_event_probe)
{
	static const char *const cases[][2] = {
		{ "e:x sched.sched_switch a=$prev_pid:s32 b=+0($next_comm):string $COMM $cpu if prev_pid > 3", "" },
		{ "e:x sched.sched_switch s=\\\"a$b\" common=$common_pid", "" },
		{ "e:x sched.sched_switch a=$prev_pi", "'prev_pi', did you mean 'prev_pid', 'prev_prio'?" },
		{ "e:x sched.sched_switch b=$prev_pid +0($nosuch):string",
		  "'nosuch'\n  e:x sched.sched_switch b=$prev_pid +0($nosuch):string\n"
		  "                                         ^" },
		{ "e:x sched.sched_switch a=$stack0", "'stack0'" },
		{ "e:x sched.sched_switch if prev_pd == 3",
		  "'prev_pd', did you mean 'prev_pid'?\n  prev_pd == 3\n  ^" },
	};
	struct tfield fields[] = { { .name = "common_pid" }, { .name = "prev_comm" }, { .name = "prev_pid" },
				   { .name = "prev_prio" }, { .name = "next_comm" } };
	struct tfmt fmt = { .fields = fields, .n_common = 1, .n_fields = ARRAY_SIZE(fields) };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *text = guard_dup(cases[i][0], strlen(cases[i][0]) + 1);
		struct err e = { 0 };
		struct dynevent d;

		CHECK_EQ(dynevent_parse(&d, text, &e), 0);
		CHECK_EQ(dynevent_check_fields(&d, text, &fmt, &e), *cases[i][1] ? -EINVAL : 0);
		CHECK(strstr(e.text, cases[i][1]));
	}
}

TEST(dynevent_one_place_of_many)
{
	static const char *const lines[][2] = {
		{ "p:g/e vfs_read", "-:g/e vfs_read" },
		{ "r16:g/e tun:tun_get_user+8 x=$retval", "-:g/e tun:tun_get_user+8" },
		{ "p:g/e /bin/ls:0x10(0x20) x=%x0", "-:g/e /bin/ls:0x0000000000000010(0x20)" },
		{ "e:g/e sched/sched_switch", "-:g/e sched.sched_switch" },
	};
	struct mem_out m;

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct dynevent d = of(lines[i][0]);

		mem_out_init(&m);
		dynevent_put_place_removal(&d, &m.out);
		CHECK_STR(mem_out_str(&m), lines[i][1]);
	}
}
