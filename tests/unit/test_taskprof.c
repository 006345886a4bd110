/* Spans of time out of hand-made events: the numbers are known because they were chosen. */
#include "analyse/taskprof.h"
#include "base/fmt.h"
#include "t.h"

#define COMMON \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define U64(name, off) "\tfield:u64 " name ";\toffset:" off ";\tsize:8;\tsigned:0;\n"

enum { SWITCH = 250, WAKEUP = 251, ENTER = 24, EXIT = 23, STACK = 4, BEGIN = 300, FINISH = 301, PLAIN = 302 };

static const char wakeup[] =
	"name: sched_wakeup\nID: 251\nformat:\n" COMMON
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n";
static const char begin[] = "name: op_begin\nID: 300\nformat:\n" COMMON U64("key", "8") U64("owner", "16");
static const char finish[] = "name: op_end\nID: 301\nformat:\n" COMMON U64("tag", "8");
static const char plain[] = "name: plain\nID: 302\nformat:\n" COMMON U64("x", "8");

static struct tevents events;
static struct taskprof prof;
static struct taskprof_pair hooks[2];
static size_t n_hooks;
static uint8_t raw[256];
static uint64_t lost;
static bool in_gap;

static void add_file(const char *system, const char *path)
{
	size_t n;
	char *text = t_read(path, &n);

	CHECK_EQ(tevents_add(&events, sv_from(system), (struct sv){ text, n }, NULL), 0);
}

static void add_text(const char *system, const char *text)
{
	CHECK_EQ(tevents_add(&events, sv_from(system), sv_from(text), NULL), 0);
}

/* Two addresses in one function, as a caller in two places is. */
static const char *symbol(void *arg UNUSED, uint64_t addr)
{
	return addr / 0x100 == 0x10 ? "inner" : addr / 0x100 == 0x20 ? "outer" : NULL;
}

static void start(void)
{
	struct taskprof_want w = { .events = &events, .symbol = symbol, .hooks = hooks, .n_hooks = n_hooks };

	tevents_init(&events, (struct tmachine){ .long_size = 8 });
	add_file("sched", "data/formats/sched_switch");
	add_file("raw_syscalls", "data/formats/sys_enter");
	add_file("raw_syscalls", "data/formats/sys_exit");
	add_file("ftrace", "data/formats/kernel_stack");
	add_file("irq", "data/formats/irq_handler_entry");
	add_text("sched", wakeup);
	add_text("a", begin);
	add_text("b", finish);
	add_text("a", plain);
	CHECK_EQ(taskprof_init(&prof, &w, NULL), 0);
}

static void put(unsigned off, uint64_t v, unsigned size)
{
	memcpy(raw + off, &v, size);
}

static void send(uint16_t id, uint32_t pid, uint64_t ts, uint32_t cpu, uint32_t n)
{
	put(0, id, 2);
	put(4, pid, 4);

	struct tstream_rec rec = { .ts = ts, .cpu = cpu, .raw = guard_dup(raw, n), .n = n, .lost = lost,
				   .in_gap = in_gap };

	CHECK_EQ(taskprof_record(&prof, &rec), 0);
	memset(raw, 0, sizeof(raw));
	lost = 0;
	in_gap = false;
}

static void on_switch(uint64_t ts, uint32_t cpu, uint32_t prev, uint64_t state, uint32_t next)
{
	snprintf((char *)raw + 8, 16, "task%u", prev);
	put(24, prev, 4);
	put(32, state, 8);
	snprintf((char *)raw + 40, 16, "task%u", next);
	put(56, next, 4);
	send(SWITCH, prev, ts, cpu, 64);
}

static void on_wakeup(uint64_t ts, uint32_t cpu, uint32_t by, uint32_t pid)
{
	snprintf((char *)raw + 8, 16, "task%u", pid);
	put(24, pid, 4);
	send(WAKEUP, by, ts, cpu, 28);
}

static void on_stack(uint64_t ts, uint32_t cpu, uint32_t pid, uint64_t a, uint64_t b)
{
	put(16, a, 8);
	put(24, b, 8);
	send(STACK, pid, ts, cpu, 32);
}

static void on_call(uint16_t id, uint64_t ts, uint32_t cpu, uint32_t pid, uint64_t value)
{
	put(8, value, 8);
	send(id, pid, ts, cpu, 24);
}

/* "task12 sched_switch:S 2 300 max 200 min 100", every row on a line. */
static const char *rows(void)
{
	static struct mem_out m;

	CHECK_EQ(taskprof_end(&prof), 0);
	mem_out_init(&m);
	for (uint32_t i = 0; i < prof.tasks.n; i++) {
		size_t n;
		uint32_t *v = taskprof_rows(&prof, i, &n);

		for (size_t k = 0; k < n; k++) {
			const struct taskprof_row *r = &prof.rows.v[v[k]];

			out_printf(&m.out, "%s ", *prof.tasks.v[i].comm ? prof.tasks.v[i].comm : "-");
			taskprof_label(&prof, r, &m.out);
			out_printf(&m.out, " %llu %llu", (unsigned long long)r->count, (unsigned long long)r->total);
			out_printf(&m.out, " max %llu min %llu\n", (unsigned long long)r->time.max,
				   (unsigned long long)r->time.min);
		}
		free(v);
	}
	return mem_out_str(&m);
}

static const struct taskprof_row *row(const char *label)
{
	struct mem_out m;
	const struct taskprof_row *found = NULL;

	for (size_t i = 0; i < prof.rows.n; i++) {
		mem_out_init(&m);
		taskprof_label(&prof, &prof.rows.v[i], &m.out);
		if (!strcmp(mem_out_str(&m), label))
			found = &prof.rows.v[i];
		mem_out_deinit(&m);
	}
	CHECK(found != NULL);
	return found;
}

TEST(taskprof_blocked_until_woken_then_waiting_until_on_a_cpu)
{
	start();
	on_switch(1000, 0, 7, 1, 0);
	on_wakeup(1500, 1, 9, 7);
	on_switch(1600, 0, 0, 0, 7);
	on_switch(2600, 0, 7, 1, 0);
	on_wakeup(2700, 1, 9, 7);
	on_switch(2705, 0, 0, 0, 7);
	CHECK_STR(rows(), "task7 running 1 1000 max 1000 min 1000\n"
			  "task7 sched_switch:S 2 600 max 500 min 100\n"
			  "task7 sched_wakeup 2 105 max 100 min 5\n"
			  "task0 sched_switch:R 1 1000 max 1000 min 1000\n"
			  "- running 1 1205 max 1205 min 1205\n");
}

TEST(taskprof_preempted_and_yielding_are_told_apart)
{
	start();
	on_switch(1000, 0, 7, 0x100, 8);
	on_switch(1100, 0, 8, 0, 7);
	on_switch(1400, 0, 7, 2, 8);
	on_switch(1500, 0, 8, 0x80, 7);
	CHECK_STR(rows(), "task7 running 1 300 max 300 min 300\n"
			  "task7 sched_switch:R+ 1 100 max 100 min 100\n"
			  "task7 sched_switch:D 1 100 max 100 min 100\n"
			  "task8 running 2 200 max 100 min 100\n"
			  "task8 sched_switch:R 1 300 max 300 min 300\n");
}

/* Each CPU's idle task is its own, though all have the number 0. */
TEST(taskprof_idle_tasks_are_not_mixed)
{
	start();
	on_switch(1000, 0, 0, 0, 7);
	on_switch(1010, 1, 0, 0, 8);
	on_switch(1100, 0, 7, 1, 0);
	on_switch(1300, 1, 8, 1, 0);
	rows();
	CHECK_EQ(row("sched_switch:R")->count, 1);
	CHECK_EQ(prof.rows.n, 4);
}

TEST(taskprof_number_used_again_is_another_task)
{
	start();
	on_switch(1000, 0, 7, 0x10, 0);
	on_switch(5000, 0, 0, 0, 7);
	rows();
	for (size_t i = 0; i < prof.rows.n; i++)
		CHECK(prof.rows.v[i].what != TASKPROF_SWITCH || prof.rows.v[i].val != 0x10);
}

TEST(taskprof_system_calls_by_number)
{
	start();
	on_call(ENTER, 100, 0, 7, 173);
	on_call(EXIT, 110, 0, 7, 173);
	on_call(ENTER, 200, 0, 7, 63);
	on_call(ENTER, 210, 1, 8, 63);
	on_call(EXIT, 260, 1, 8, 63);
	on_call(EXIT, 500, 1, 7, 63);
	on_call(EXIT, 600, 1, 7, 64);
	CHECK_STR(rows(), "- sys_enter:63 1 300 max 300 min 300\n"
			  "- sys_enter:173 1 10 max 10 min 10\n"
			  "- sys_enter:63 1 50 max 50 min 50\n");
}

TEST(taskprof_newest_start_is_ended_first)
{
	start();
	on_call(ENTER, 100, 0, 7, 5);
	on_call(ENTER, 150, 0, 7, 5);
	on_call(EXIT, 160, 0, 7, 5);
	on_call(EXIT, 190, 0, 7, 5);
	CHECK_EQ(row("sys_enter:5")->count, 2);
	CHECK_EQ(row("sys_enter:5")->time.min, 10);
	CHECK_EQ(row("sys_enter:5")->time.max, 90);
}

TEST(taskprof_spans_over_a_loss_are_left_out_and_counted)
{
	start();
	on_switch(1000, 0, 7, 1, 0);
	on_call(ENTER, 1010, 1, 8, 5);
	lost = 3;
	on_wakeup(1500, 1, 8, 7);
	on_call(EXIT, 1600, 1, 8, 5);
	rows();
	for (size_t i = 0; i < prof.rows.n; i++)
		CHECK_EQ(prof.rows.v[i].what, TASKPROF_RUN);
	/* Blocked, in the call, and what the other had of its CPU. */
	CHECK_EQ(prof.discarded, 3);
}

/* Between the last event before a loss and the first one behind it, in the ring of another CPU. */
TEST(taskprof_spans_within_a_loss_of_another_cpu_are_left_out_and_counted)
{
	start();
	on_call(ENTER, 1000, 0, 7, 5);
	in_gap = true;
	on_call(EXIT, 1100, 0, 7, 5);
	in_gap = true;
	on_call(ENTER, 1200, 0, 7, 6);
	lost = 1;
	on_call(EXIT, 1300, 0, 7, 6);
	on_call(ENTER, 1400, 0, 7, 7);
	on_call(EXIT, 1500, 0, 7, 7);
	CHECK_STR(rows(), "- sys_enter:7 1 100 max 100 min 100\n");
	CHECK_EQ(prof.discarded, 2);
}

TEST(taskprof_interrupts_of_a_cpu_survive_losses_of_another)
{
	start();
	put(8, 11, 4);
	send(BEGIN, 7, 1, 0, 24);
	CHECK_EQ(prof.discarded, 0);
	taskprof_deinit(&prof);

	n_hooks = 1;
	CHECK_EQ(taskprof_pair_parse(&hooks[0], "op_begin,key/op_end,tag,p", NULL), 0);
	start();
	on_call(BEGIN, 100, 0, 7, 5);
	lost = TPAGE_LOST_UNKNOWN;
	on_call(PLAIN, 120, 1, 8, 0);
	on_call(FINISH, 150, 0, 7, 5);
	CHECK_EQ(row("op_begin:5")->total, 50);
	CHECK_EQ(prof.discarded, 0);
}

TEST(taskprof_hook_by_another_pid_and_global)
{
	n_hooks = 2;
	CHECK_EQ(taskprof_pair_parse(&hooks[0], "a:op_begin,key,owner/b:op_end,tag", NULL), 0);
	CHECK_EQ(taskprof_pair_parse(&hooks[1], "op_begin,key/op_end,tag,G", NULL), 0);
	start();
	put(8, 5, 8);
	put(16, 42, 8);
	send(BEGIN, 7, 100, 0, 24);
	on_call(FINISH, 130, 1, 42, 5);
	on_call(FINISH, 190, 1, 42, 5);
	rows();
	CHECK_EQ(prof.rows.n, 2);

	unsigned machine = 0, owner = 0;

	for (size_t i = 0; i < prof.rows.n; i++) {
		const struct taskprof_row *r = &prof.rows.v[i];

		CHECK_EQ(r->count, 1);
		CHECK_EQ(r->total, 30);
		machine += prof.tasks.v[r->task].owner == TASKPROF_MACHINE;
		owner += prof.tasks.v[r->task].pid == 42;
	}
	CHECK_EQ(machine, 1);
	CHECK_EQ(owner, 1);
}

TEST(taskprof_hooks_that_are_none_are_refused)
{
	static const char *const bad[] = { "", "a", "a,b", "a,b/", "a,b/c", "a/b", "a,b/c,d,x", ",b/c,d", "a,/c,d" };
	struct err e;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		if (taskprof_pair_parse(&hooks[0], bad[i], &e) != -EINVAL)
			t_fail(__FILE__, __LINE__, "'%s' was taken", bad[i]);
	}
	CHECK_EQ(taskprof_pair_parse(&hooks[0], "s:a,b,c/t:d,e,Ps", &e), 0);
	CHECK_STR(hooks[0].start, "s:a");
	CHECK_STR(hooks[0].match, "b");
	CHECK_STR(hooks[0].pid, "c");
	CHECK_STR(hooks[0].end, "t:d");
	CHECK_STR(hooks[0].end_match, "e");
	CHECK_EQ(hooks[0].flags, TASKPROF_PINNED | TASKPROF_STACK);
}

/* Addresses of one function are one node; the weights are those of the spans that began with the stack. */
TEST(taskprof_stacks_of_blocked_tasks)
{
	start();
	on_switch(1000, 0, 7, 1, 0);
	on_stack(1001, 0, 7, 0x1010, 0x2010);
	on_wakeup(1500, 1, 9, 7);
	on_stack(1501, 1, 9, 0x9000, 0);
	on_switch(1600, 0, 0, 0, 7);
	on_switch(1700, 0, 7, 1, 0);
	on_stack(1701, 0, 7, 0x1020, 0x2020);
	on_wakeup(1800, 1, 9, 7);

	uint32_t node = row("sched_switch:S")->node, kids = 0, inner = 0;
	struct ct_sum *sum = calltree_sum(&prof.stacks);

	CHECK(node != 0);
	for (uint32_t i = sum[node].first; i; i = sum[i].next, kids++)
		inner = i;
	CHECK_EQ(kids, 1);
	CHECK_STR(names_str(&prof.frames, prof.stacks.nodes.v[inner].key), "inner");
	CHECK_EQ(sum[inner].total, 600);

	uint32_t outer = sum[inner].first;

	CHECK_STR(names_str(&prof.frames, prof.stacks.nodes.v[outer].key), "outer");
	CHECK_EQ(prof.stacks.nodes.v[outer].samples, 2);
	CHECK_EQ(prof.times.v[outer].max, 500);
	CHECK_EQ(prof.times.v[outer].min, 100);
	free(sum);

	node = row("sched_wakeup")->node;
	CHECK(node != 0);   /* of the waker, and of the first wake-up only */
}

TEST(taskprof_tasks_of_one_name_become_one)
{
	start();
	on_switch(1000, 0, 7, 1, 0);
	on_stack(1001, 0, 7, 0x1010, 0x2010);
	on_switch(1010, 1, 8, 1, 0);
	on_stack(1011, 1, 8, 0x1010, 0);
	on_wakeup(1500, 1, 9, 7);
	on_wakeup(1600, 1, 9, 8);
	CHECK_EQ(taskprof_end(&prof), 0);
	for (size_t i = 0; i < prof.tasks.n; i++)
		if (prof.tasks.v[i].pid == 7 || prof.tasks.v[i].pid == 8)
			str_copy(prof.tasks.v[i].comm, 16, SV("same"));
	CHECK_EQ(taskprof_by_comm(&prof), 0);

	const struct taskprof_row *r = row("sched_switch:S");
	struct ct_sum *sum = calltree_sum(&prof.stacks);
	uint32_t inner = sum[r->node].first;

	CHECK_EQ(r->count, 2);
	CHECK_EQ(r->total, 500 + 590);
	CHECK_EQ(r->time.max, 590);
	CHECK_EQ(r->time.min, 500);
	CHECK_EQ(sum[inner].next, 0);
	CHECK_EQ(sum[inner].total, 500 + 590);
	CHECK_EQ(prof.times.v[inner].max, 590);
	free(sum);
}

TEST(taskprof_starts_without_end_are_bounded)
{
	start();
	for (uint64_t i = 0; i < 1000; i++)
		on_call(ENTER, i, 0, 7, i);
	CHECK(prof.discarded >= 700);
	on_call(EXIT, 2000, 0, 7, 999);
	CHECK_EQ(row("sys_enter:999")->total, 2000 - 999);
}

/* Every cut of every kind of record: nothing is read behind its end. */
TEST(taskprof_cut_records)
{
	static const uint16_t ids[] = { SWITCH, WAKEUP, ENTER, EXIT, STACK, PLAIN, 4711 };

	start();
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		for (uint32_t n = 0; n <= 64; n += 4) {
			memset(raw, (int)n, sizeof(raw));
			put(0, ids[i], 2);
			put(4, 7, 4);

			struct tstream_rec rec = { .ts = n, .raw = guard_dup(raw, n), .n = n };

			CHECK_EQ(taskprof_record(&prof, &rec), 0);
		}
	}
	CHECK_EQ(taskprof_end(&prof), 0);
}
