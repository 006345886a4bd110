/* test_stat_counter.c - events to attributes, groups, scaling and intervals on a played kernel. */
#include "live/counter.h"
#include "perf/attr.h"
#include "stat_fake.h"
#include "t.h"

#include <fcntl.h>

static void add(struct event_list *l, const char *name, uint32_t type, uint64_t config, int leader)
{
	struct event *ev = vec_add(&l->v);

	*ev = (struct event){
		.attr = { .type = type, .config = config },
		.name = name,
		.leader = leader < 0 ? (int)l->v.n - 1 : leader,
		.unit = "",
		.scale = 1,
		.alternative = (unsigned)l->v.n,
	};
}

static struct event_list hardware(size_t n, int leader)
{
	static const char *const names[] = { "cycles", "instructions", "cache-references", "cache-misses", "branches" };
	struct event_list l = { 0 };

	for (size_t i = 0; i < n; i++)
		add(&l, names[i], PERF_HARDWARE, i, leader);
	return l;
}

static struct target command(void)
{
	return (struct target){ .kind = TARGET_COMMAND, .inherit = true };
}

static int open_for(struct counters *c, struct fake *f, const struct event_list *l, const struct target *t,
		    struct err *e)
{
	struct counters_want w = {
		.sys = &f->sys, .events = l, .target = t, .tid = 42,
		.start = t->kind == TARGET_COMMAND ? COUNTERS_ON_EXEC : COUNTERS_LATER,
	};

	return counters_open(c, &w, e);
}

static const char *printed(const struct perf_attr *a)
{
	static struct mem_out m;

	mem_out_init(&m);
	attr_print(a, &m.out);
	return mem_out_str(&m);
}

TEST(counter_attributes_of_a_command)
{
	struct fake f;
	struct counters c;
	struct err e = { 0 };
	struct event_list l = hardware(1, -1);
	struct target t = command();

	fake_init(&f);
	/* What an event's text says of sampling does not reach the kernel. */
	l.v.v[0].attr.sample_period = 4000;
	l.v.v[0].attr.flags = PERF_ATTR_FREQ;
	CHECK_EQ(open_for(&c, &f, &l, &t, &e), 0);
	CHECK_STR(printed(&f.ev[0].attr),
		  "  size                             136\n"
		  "  sample_type                      IDENTIFIER\n"
		  "  read_format                      TOTAL_TIME_ENABLED|TOTAL_TIME_RUNNING\n"
		  "  disabled                         1\n"
		  "  inherit                          1\n"
		  "  enable_on_exec                   1\n");
	CHECK_EQ(f.ev[0].pid, 42);
	CHECK_EQ(f.ev[0].cpu, -1);
	counters_close(&c);
	CHECK(!f.ev[0].open);
}

TEST(counter_no_inherit)
{
	struct fake f;
	struct counters c;
	struct err e = { 0 };
	struct event_list l = hardware(1, -1);
	struct target t = command();

	fake_init(&f);
	t.inherit = false;
	CHECK_EQ(open_for(&c, &f, &l, &t, &e), 0);
	CHECK(!(f.ev[0].attr.flags & PERF_ATTR_INHERIT));
}

TEST(counter_group_is_read_by_its_leader)
{
	struct fake f;
	struct counters c;
	struct err e = { 0 };
	struct event_list l = hardware(3, 0);
	struct target t = command();

	fake_init(&f);
	CHECK_EQ(open_for(&c, &f, &l, &t, &e), 0);
	CHECK(f.ev[0].attr.read_format & PERF_FORMAT_GROUP);
	CHECK_EQ(f.ev[0].group, -1);
	CHECK_EQ(f.ev[1].group, FAKE_FD);
	CHECK_EQ(f.ev[2].group, FAKE_FD);
	CHECK(!(f.ev[1].attr.flags & (PERF_ATTR_DISABLED | PERF_ATTR_ENABLE_ON_EXEC)));
	f.ev[0].enabled = f.ev[0].running = 10;
	f.ev[0].value = 1;
	f.ev[1].value = 2;
	f.ev[2].value = 3;
	counters_read(&c);
	for (size_t i = 0; i < 3; i++)
		CHECK_EQ(counters_value(&c, &c.list.v[i], 0).value, i + 1);
	counters_close(&c);
}

TEST(counter_group_without_its_leader_goes_on)
{
	struct fake f;
	struct counters c;
	struct err e = { 0 };
	struct event_list l = hardware(3, 0);
	struct target t = command();

	fake_init(&f);
	f.has_missing = true;
	f.missing_config = PERF_HW_CYCLES;
	CHECK_EQ(open_for(&c, &f, &l, &t, &e), 0);
	CHECK_EQ(c.list.v[0].state, COUNTER_UNSUPPORTED);
	CHECK_EQ(c.list.v[0].code, ENOENT);
	CHECK_EQ(f.n, 2);
	CHECK_EQ(f.ev[1].group, FAKE_FD);
	CHECK(f.ev[0].attr.flags & PERF_ATTR_DISABLED);
	f.ev[0].enabled = f.ev[0].running = 10;
	f.ev[0].value = 5;
	f.ev[1].value = 6;
	counters_read(&c);
	CHECK_EQ(counters_value(&c, &c.list.v[1], 0).value, 5);
	CHECK_EQ(counters_value(&c, &c.list.v[2], 0).value, 6);
	counters_close(&c);
}

TEST(counter_group_member_that_is_missing_shifts_nothing)
{
	struct fake f;
	struct counters c;
	struct err e = { 0 };
	struct event_list l = hardware(3, 0);
	struct target t = command();

	fake_init(&f);
	f.has_missing = true;
	f.missing_config = PERF_HW_INSTRUCTIONS;
	CHECK_EQ(open_for(&c, &f, &l, &t, &e), 0);
	f.ev[0].enabled = f.ev[0].running = 10;
	f.ev[0].value = 5;
	f.ev[1].value = 6;
	counters_read(&c);
	CHECK_EQ(counters_value(&c, &c.list.v[0], 0).value, 5);
	CHECK_EQ(counters_value(&c, &c.list.v[1], 0).running, 0);
	CHECK_EQ(counters_value(&c, &c.list.v[2], 0).value, 6);
	counters_close(&c);
}

TEST(counter_group_too_large_is_refused_as_a_whole)
{
	struct fake f;
	struct counters c;
	struct err e = { 0 };
	struct event_list l = hardware(4, 0);
	struct target t = command();

	fake_init(&f);
	f.group_limit = 2;
	CHECK_EQ(open_for(&c, &f, &l, &t, &e), 0);
	for (size_t i = 0; i < 4; i++)
		CHECK_EQ(c.list.v[i].state, COUNTER_GROUP_REFUSED);
	for (size_t i = 0; i < f.n; i++)
		CHECK(!f.ev[i].open);
	counters_close(&c);
}

TEST(counter_weak_group_is_split)
{
	struct fake f;
	struct counters c;
	struct err e = { 0 };
	struct event_list l = hardware(4, 0);
	struct target t = command();
	unsigned open = 0;

	fake_init(&f);
	f.group_limit = 2;
	l.v.v[0].set = EVENT_WEAK_GROUP;
	CHECK_EQ(open_for(&c, &f, &l, &t, &e), 0);
	for (size_t i = 0; i < f.n; i++) {
		open += f.ev[i].open;
		CHECK(!f.ev[i].open || (f.ev[i].group == -1 && f.ev[i].attr.flags & PERF_ATTR_ENABLE_ON_EXEC));
	}
	CHECK_EQ(open, 4);
	counters_close(&c);
}

TEST(counter_scales_what_was_multiplexed)
{
	struct fake f;
	struct counters c;
	struct err e = { 0 };
	struct event_list l = hardware(2, -1);
	struct target t = command();

	fake_init(&f);
	CHECK_EQ(open_for(&c, &f, &l, &t, &e), 0);
	f.ev[0].value = 100;
	f.ev[0].enabled = 300;
	f.ev[0].running = 200;
	f.ev[1].value = 77;
	f.ev[1].enabled = 300;
	counters_read(&c);
	CHECK_EQ(counters_value(&c, &c.list.v[0], 0).value, 150);
	CHECK_EQ(counters_value(&c, &c.list.v[1], 0).value, 0);
	CHECK_EQ(counters_value(&c, &c.list.v[1], 0).running, 0);
	counters_close(&c);
}

TEST(counter_interval_is_the_difference_of_two_reads)
{
	struct fake f;
	struct counters c;
	struct err e = { 0 };
	struct event_list l = hardware(1, -1);
	struct target t = command();

	fake_init(&f);
	CHECK_EQ(open_for(&c, &f, &l, &t, &e), 0);
	f.ev[0].value = 100;
	f.ev[0].enabled = f.ev[0].running = 10;
	counters_read(&c);
	f.ev[0].value = 160;
	f.ev[0].enabled = 30;
	f.ev[0].running = 20;
	counters_read(&c);
	CHECK_EQ(counters_value(&c, &c.list.v[0], 0).value, 120);
	CHECK_EQ(counters_value(&c, &c.list.v[0], 0).enabled, 20);
	counters_read(&c);
	CHECK_EQ(counters_value(&c, &c.list.v[0], 0).enabled, 0);
	counters_close(&c);
}

TEST(counter_core_types_share_a_task_without_being_scaled_up)
{
	struct fake f;
	struct counters c;
	struct err e = { 0 };
	struct event_list l = hardware(2, -1);
	struct pmu little = { .name = "armv8_cortex_a53", .kind = PMU_CORE }, big = { .name = "armv8_cortex_a73",
		.kind = PMU_CORE };
	struct target t = command();

	fake_init(&f);
	l.v.v[0].pmu = &little;
	l.v.v[1].pmu = &big;
	l.v.v[0].alternative = l.v.v[1].alternative = 1;
	CHECK_EQ(open_for(&c, &f, &l, &t, &e), 0);
	f.ev[0].value = 1000;
	f.ev[0].running = 25;
	f.ev[1].value = 6000;
	f.ev[1].running = 75;
	f.ev[0].enabled = f.ev[1].enabled = 100;
	counters_read(&c);
	CHECK_EQ(counters_value(&c, &c.list.v[0], 0).value, 1000);
	CHECK_EQ(counters_value(&c, &c.list.v[1], 0).value, 6000);
	/* Half of the time on either was another event's: that is multiplexing. */
	f.ev[0].enabled = f.ev[1].enabled = 200;
	counters_read(&c);
	c.slots.v[0].base = c.slots.v[1].base = (struct counter_value){ 0 };
	CHECK_EQ(counters_value(&c, &c.list.v[1], 0).value, 12000);
	counters_close(&c);
}

TEST(counter_cpus_of_core_and_uncore_pmus)
{
	struct fake f;
	struct counters c;
	struct err e = { 0 };
	struct event_list l = hardware(3, -1);
	struct pmu little = { .name = "a53", .kind = PMU_CORE, .has_cpus = true };
	struct pmu mesh = { .name = "arm_cmn_0", .kind = PMU_UNCORE, .has_cpus = true };
	struct target t = { .kind = TARGET_CPUS, .inherit = true };

	fake_init(&f);
	cpus_parse(&t.cpus, SV("0-3"), NULL);
	cpus_parse(&little.cpus, SV("2-3"), NULL);
	cpus_parse(&mesh.cpus, SV("1"), NULL);
	l.v.v[1].pmu = &little;
	l.v.v[2].pmu = &mesh;
	CHECK_EQ(open_for(&c, &f, &l, &t, &e), 0);
	CHECK_EQ(c.list.v[0].n, 4);
	CHECK_EQ(c.list.v[1].n, 2);
	CHECK_EQ(f.ev[4].cpu, 2);
	CHECK_EQ(c.list.v[2].n, 1);
	CHECK_EQ(f.ev[6].cpu, 1);
	CHECK(!(f.ev[0].attr.flags & PERF_ATTR_INHERIT));
	counters_enable(&c);
	CHECK_EQ(f.ev[6].enabled_calls, 1);
	counters_close(&c);
}

TEST(counter_offline_cpu_is_left_out)
{
	struct fake f;
	struct counters c;
	struct err e = { 0 };
	struct event_list l = hardware(2, 0);
	struct target t = { .kind = TARGET_CPUS };

	fake_init(&f);
	f.offline_cpu = 1;
	cpus_parse(&t.cpus, SV("0-2"), NULL);
	CHECK_EQ(open_for(&c, &f, &l, &t, &e), 0);
	CHECK_EQ(f.n, 4);
	CHECK_EQ(c.list.v[1].state, COUNTER_OPEN);
	CHECK_EQ(f.ev[3].group, FAKE_FD + 1);
	counters_close(&c);
}

TEST(counter_no_permission_is_an_error_with_advice)
{
	struct fake f;
	struct counters c;
	struct err e = { 0 };
	struct event_list l = hardware(1, -1);
	struct target t = command();

	fake_init(&f);
	f.locked = true;
	CHECK_EQ(open_for(&c, &f, &l, &t, &e), -EACCES);
	CHECK(strstr(e.text, "cycles: no permission") != NULL);
	CHECK(e.hint[0]);
}

TEST(counter_user_only_is_marked)
{
	struct fake f;
	struct counters c;
	struct err e = { 0 };
	struct event_list l = hardware(1, -1);
	struct target t = command();

	fake_init(&f);
	f.no_kernel = true;
	CHECK_EQ(open_for(&c, &f, &l, &t, &e), 0);
	CHECK(c.list.v[0].user_only);
	counters_close(&c);
	/* A tracepoint of user space only would count nothing. */
	l.v.v[0].attr.type = PERF_TRACEPOINT;
	CHECK_EQ(open_for(&c, &f, &l, &t, &e), -EACCES);
}

TEST(counter_threads_that_ended)
{
	struct fake f;
	struct counters c;
	struct err e = { 0 };
	struct event_list l = hardware(1, -1);
	struct target t = { .kind = TARGET_TASKS };

	fake_init(&f);
	f.dead_tid = 11;
	*(int *)vec_add(&t.tids) = 11;
	CHECK_EQ(open_for(&c, &f, &l, &t, &e), -ESRCH);
	*(int *)vec_add(&t.tids) = 12;
	CHECK_EQ(open_for(&c, &f, &l, &t, &e), 0);
	CHECK_EQ(f.n, 1);
	CHECK_EQ(f.ev[0].pid, 12);
	counters_close(&c);
}
